import type { Handlers } from './handler.ts';
import type { AskingHistory } from './history/asking-history.ts';

export type HotspotsHandlers = Pick<Handlers, 'hotspots.list' | 'hotspots.coupling'>;

export function hotspotsHandlers({ answer }: AskingHistory): HotspotsHandlers {
  return {
    'hotspots.list': (input, context) => answer('hotspots.list', input, context),
    'hotspots.coupling': (input, context) => answer('hotspots.coupling', input, context),
  };
}
