import type { CalledFunction } from '../../jobs/telemetry/decode-batch.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type Asked, snapshotFor } from '../symbols/answers.ts';
import { functionMatcher } from './function-matcher.ts';

/** Functions of services of one repository, to be looked up in it; plain values. */
export interface MatchEventsCall {
  readonly asked: Asked;
  readonly services: readonly {
    readonly folder: string;
    /** JSON of `CalledFunction[]`. */
    readonly functions: Uint8Array<ArrayBuffer>;
  }[];
}

/** How many items are of functions that the snapshot has. */
export function matchedEvents(reader: IndexReader, { asked, services }: MatchEventsCall): number {
  return reader.together(() => {
    const catalogue = reader.catalogue(asked.repo.key, snapshotFor(reader, asked).seq);
    if (catalogue === undefined) return 0;
    const matcher = functionMatcher(reader, asked.repo.key, catalogue);
    let matched = 0;
    for (const { folder, functions } of services) {
      for (const { items, ...told } of JSON.parse(new TextDecoder().decode(functions)) as CalledFunction[]) {
        if (matcher.match(told, folder).kind === 'matched') matched += items;
      }
    }
    return matched;
  });
}
