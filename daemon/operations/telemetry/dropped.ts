import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { DroppedCalls } from '../../store/telemetry/call-reader.ts';

/** What went for want of room, and what keeps more from going. */
export function droppedTold(dropped: readonly DroppedCalls[]): readonly string[] {
  return dropped.map(({ kind, dropped: count, at }) => {
    const what = amount(count, kind === 'services' ? 'service' : 'function');
    const last = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    return `${what} ${agreeing(count, 'was', 'were')} dropped with all calls for want of room, last at ${last} UTC: ${remedies[kind]}`;
  });
}

const remedies: Readonly<Record<DroppedCalls['kind'], string>> = {
  functions:
    'telemetry.most_functions in the configuration says how many are kept, and names of functions that are made up anew each time fill it',
  services:
    'some thousands are kept, so give each service one name (service.name), the same for all its processes and pods',
};
