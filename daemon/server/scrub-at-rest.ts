import { existsSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import { type ScrubPlace, scrub } from '../store/scrub.ts';
import { isSealed } from '../store/seal.ts';
import { StoreError } from '../store/store-faults.ts';
import type { KeptRepository, Repositories } from './repositories.ts';

export interface ScrubAtRestOptions {
  readonly repositories: Pick<Repositories, 'list'>;
  readonly clock: Clock;
  /** Nobody is waiting for an answer, and nothing is being indexed. */
  readonly isAtRest: () => boolean;
  /** To be told of damage: the index is built anew. */
  readonly damagedAt: (repo: string, error: StoreError) => void;
  readonly observe: Observe;
}

/** What nobody asks about rots unnoticed. So much processor time, once in so long, finds it: a twentieth of a second a minute. */
const sliceMs = 4;
const betweenSlicesMs = 5000;
/** While there is a file that nobody has compared since its writer died. */
const betweenHurriedSlicesMs = 100;
/** From the end of one comparison of a file to the beginning of the next. */
const betweenPassesMs = 60 * 60_000;

/**
 * Compares all index files with their digests, bit by bit while the daemon rests; to be called before any is written to,
 * for those that lie there unsealed come first. The returned function ends it.
 */
export function scrubAtRest(options: ScrubAtRestOptions): () => void {
  const { clock, repositories } = options;
  const places = new Map<string, ScrubPlace>();
  /** When each file was compared to its end, monotonic. */
  const doneMs = new Map<string, number>();
  const unsealed = new Set(
    repositories
      .list()
      .map(({ record }) => record.indexFile)
      .filter(file => existsSync(file) && !isSealed(file)),
  );

  function slice(): void {
    if (!options.isAtRest()) return;
    forgetGone();
    const nowMs = clock.monotonicMs();
    const isDue = ({ record, snapshot }: KeptRepository): boolean =>
      snapshot !== undefined && nowMs - (doneMs.get(record.indexFile) ?? Number.NEGATIVE_INFINITY) >= betweenPassesMs;
    const due = repositories.list().filter(isDue);
    const first = due.find(({ record }) => unsealed.has(record.indexFile));
    for (const file of unsealed) if (!isAwaited(file)) unsealed.delete(file);
    const repository = first ?? due[0];
    if (repository === undefined) return;
    const { indexFile, id } = repository.record;
    try {
      const place = scrub(indexFile, places.get(indexFile), () => clock.monotonicMs() - nowMs >= sliceMs);
      if (place === undefined) finish(indexFile, nowMs);
      else places.set(indexFile, place);
    } catch (error) {
      fail(indexFile, id, error);
    }
  }

  function forgetGone(): void {
    const there = new Set(repositories.list().map(({ record }) => record.indexFile));
    for (const known of [places, doneMs]) for (const file of known.keys()) if (!there.has(file)) known.delete(file);
  }

  /** What is in it is being read or made anew; where that failed there is nothing to hurry for. */
  function isAwaited(indexFile: string): boolean {
    return sharers(indexFile).some(({ snapshot, failure }) => snapshot !== undefined || failure === undefined);
  }

  function finish(indexFile: string, nowMs: number): void {
    places.delete(indexFile);
    unsealed.delete(indexFile);
    doneMs.set(indexFile, nowMs);
    for (const repository of sharers(indexFile))
      repository.verified = { at: clock.now().getTime(), trouble: undefined };
  }

  function fail(indexFile: string, repo: string, error: unknown): void {
    places.delete(indexFile);
    if (!(error instanceof StoreError))
      options.observe({ kind: 'daemon.fault', what: 'comparing an index', cause: error });
    else if (error.trouble !== 'busy') {
      if (error.trouble === 'corrupt') {
        for (const repository of sharers(indexFile))
          repository.verified = { at: repository.verified?.at, trouble: error.message };
      } else leave(indexFile);
      options.damagedAt(repo, error);
    }
  }

  /** What can't be read now keeps the others from nothing: it has its turn again when they have had theirs. */
  function leave(indexFile: string): void {
    unsealed.delete(indexFile);
    doneMs.set(indexFile, clock.monotonicMs());
  }

  function sharers(indexFile: string): readonly KeptRepository[] {
    return repositories.list().filter(({ record }) => record.indexFile === indexFile);
  }

  const next = (): (() => void) =>
    clock.after(unsealed.size > 0 ? betweenHurriedSlicesMs : betweenSlicesMs, () => {
      slice();
      cancel = next();
    });
  let cancel = next();
  return () => cancel();
}
