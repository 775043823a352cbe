import type { Handlers } from './handler.ts';
import type { AskingHistory } from './history/asking-history.ts';

export type OwnershipHandlers = Pick<Handlers, 'ownership.get' | 'ownership.drift'>;

export function ownershipHandlers({ answer }: AskingHistory): OwnershipHandlers {
  return {
    'ownership.get': (input, context) => answer('ownership.get', input, context),
    'ownership.drift': (input, context) => answer('ownership.drift', input, context),
  };
}
