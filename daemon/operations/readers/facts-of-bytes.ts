import { extractorVersion } from '../../extract/dialect.ts';
import type { ExtractCalls } from '../../jobs/extract-service.ts';
import { skipReasonOf } from '../../jobs/sources.ts';
import type { ManifestEntry, SkipReason } from '../../model/document.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { WorkerLost, type WorkerPool } from '../../workers/pool.ts';

/** Where facts of bytes are to be had that lie in no indexed file. */
export interface FactSources {
  readonly reader: Pick<IndexReader, 'facts'>;
  readonly pool: WorkerPool<ExtractCalls>;
}

/** Encoded facts as they are stored, or else extracted now; of a file that can't be parsed why, as in the index. */
export async function factsOfBytes(
  { hash, dialect, skip }: ManifestEntry,
  bytes: Uint8Array,
  parseSteps: number,
  { reader, pool }: FactSources,
): Promise<Uint8Array | SkipReason | ''> {
  if (skip !== '' || dialect === '' || hash === '') return skip;
  const stored = reader.facts({ hash, dialect, version: extractorVersion(dialect, parseSteps) });
  if (stored !== undefined) return stored;
  try {
    // A copy, for what crosses to another thread takes the whole buffer behind it along.
    const input = { bytes: new Uint8Array(bytes), dialect, parseSteps };
    const { result } = await pool.run('extractBytes', input, { lane: 'head' });
    return result.kind === 'facts' ? result.facts : result.reason;
  } catch (error) {
    if (error instanceof WorkerLost) return skipReasonOf(error);
    throw error;
  }
}
