import type { CallEvent } from '../../jobs/telemetry/telemetry-service.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type Asked, snapshotFor } from '../symbols/answers.ts';
import { functionMatcher } from './function-matcher.ts';

/** Calls of services of one repository, to be looked up in it; plain values. */
export interface MatchEventsCall {
  readonly asked: Asked;
  readonly events: readonly (CallEvent & { readonly folder: string })[];
}

export function matchedEvents(reader: IndexReader, { asked, events }: MatchEventsCall): readonly boolean[] {
  return reader.together(() => {
    const catalogue = reader.catalogue(asked.repo.key, snapshotFor(reader, asked).seq);
    if (catalogue === undefined) return events.map(() => false);
    const matcher = functionMatcher(reader, asked.repo.key, catalogue);
    return events.map(({ folder, ...told }) => matcher.match(told, folder).kind === 'matched');
  });
}
