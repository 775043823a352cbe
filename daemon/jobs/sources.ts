import type { Git } from '../backends/git.ts';
import { extractorVersion } from '../extract/dialect.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import type { SkipReason } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { WorkerLost, type WorkerPool } from '../workers/pool.ts';
import { discover, lookAt } from './discover.ts';
import type { ExtractCalls, Extracted } from './extract-service.ts';
import type { FileToRead, Sources } from './gather-changes.ts';
import type { InFlightNote } from './in-flight.ts';
import type { UnlistedLook } from './unlisted.ts';
import type { IndexInput } from './write-calls.ts';

export interface SourceOptions {
  readonly pool: WorkerPool<ExtractCalls>;
  readonly git: Git | undefined;
  /** Folders that are nobody's sources. */
  readonly closed: readonly string[];
  readonly note: InFlightNote | undefined;
  readonly signal: AbortSignal;
  readonly parallel: number;
  readonly parseSteps: number;
  readonly sourceLimits: SourceLimits;
  /** Told after each look. */
  readonly onUnlisted: (look: UnlistedLook) => void;
  /** Told of each suspect that was read to its end. */
  readonly onLanded: (hash: string) => void;
  readonly onSkipped: (path: RepoPath, reason: SkipReason, detail: string) => void;
}

/** Files of one repository by way of the extract workers, facts by way of the index file. */
export function sourcesFor(
  { repo, quarantined, suspects }: Pick<IndexInput, 'repo' | 'quarantined' | 'suspects'>,
  writer: Pick<IndexWriter, 'missingFacts' | 'putFacts' | 'facts'>,
  options: SourceOptions,
): Sources {
  const { pool, git, closed, signal } = options;
  const { root } = repo;
  const lane = { lane: repo.id, signal };
  const alone = createDoor();
  return {
    async listFiles() {
      const { files, unlisted } = await discover(root, { git, closed, signal });
      options.onUnlisted({ looked: [''], unlisted });
      return files;
    },
    async lookAt(paths) {
      const { files, unlisted } = await lookAt(root, paths, { git, closed, signal });
      options.onUnlisted({ looked: [...paths], unlisted });
      return files;
    },
    hash: async paths => (await pool.run('hash', { root, paths }, lane)).files,
    extract,
    missingFacts: keys => writer.missingFacts(keys),
    putFacts: rows => writer.putFacts(rows),
    facts: key => writer.facts(key),
    sourceLimits: options.sourceLimits,
    versionOf: dialect => extractorVersion(dialect, options.parseSteps),
    parallel: options.parallel,
  };

  async function extract(files: readonly FileToRead[]): Promise<readonly Extracted[]> {
    const readable = files.filter(({ key }) => !quarantined.has(key.hash));
    const innocent = readable.filter(({ key }) => !suspects.has(key.hash));
    const together = await alone.together(() => extractAll(innocent));
    const results = new Map(innocent.map((file, index) => [file, together[index]!]));
    for (const file of readable) {
      if (results.has(file)) continue;
      const [result] = await alone.alone(() => extractAll([file]));
      results.set(file, result!);
    }
    return files.map(file => results.get(file) ?? { kind: 'skipped', reason: 'quarantined', detail: '' });
  }

  async function extractAll(files: readonly FileToRead[]): Promise<readonly Extracted[]> {
    if (files.length === 0) return [];
    const inputs = files.map(({ path, key }) => ({ repo: repo.id, path, hash: key.hash }));
    const onStart = (place: number): void => options.note?.begin(place, inputs);
    const onLand = (place: number): void => options.note?.end(place);
    const asked = files.map(({ path, key: { hash, dialect } }) => ({ path, hash, dialect }));
    const at = new Int32Array(new SharedArrayBuffer(4));
    try {
      const { results } = await pool.run('extract', { root, files: asked, at }, { ...lane, onStart, onLand });
      results.forEach((result, index) => {
        told(files[index]!, result);
      });
      return [...results, ...(await extractAll(files.slice(results.length)))];
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      const guilty = Atomics.load(at, 0);
      const reason = skipReasonOf(error);
      options.onSkipped(files[guilty]!.path, reason, String(error.cause));
      const before = await extractAll(files.slice(0, guilty));
      const behind = await extractAll(files.slice(guilty + 1));
      return [...before, { kind: 'skipped', reason, detail: error.message }, ...behind];
    }
  }

  function told({ path, key }: FileToRead, result: Extracted): void {
    if (suspects.has(key.hash) && result.kind !== 'differs') options.onLanded(key.hash);
    if (result.kind === 'skipped') options.onSkipped(path, result.reason, result.detail);
  }
}

/** What is said of a file whose parser had to be ended, or died of it. */
export function skipReasonOf({ how }: WorkerLost): SkipReason {
  return how === 'stuck' ? 'parser_stuck' : 'parser_trap';
}

/**
 * Lets work through together or one piece entirely alone. An input that was in flight when a process died is parsed
 * alone, so that the next death tells whether it was the one.
 */
function createDoor(): {
  together: <T>(work: () => Promise<T>) => Promise<T>;
  alone: <T>(work: () => Promise<T>) => Promise<T>;
} {
  let inside = new Set<Promise<unknown>>();
  let lastAlone: Promise<unknown> = Promise.resolve();
  return {
    async together(work) {
      await lastAlone;
      const mine = work();
      const entered = mine.catch(() => {});
      inside.add(entered);
      void entered.then(() => inside.delete(entered));
      return mine;
    },
    alone(work) {
      const before = [lastAlone, ...inside];
      inside = new Set();
      const mine = Promise.allSettled(before).then(work);
      lastAlone = mine.catch(() => {});
      return mine;
    },
  };
}
