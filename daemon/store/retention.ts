import type { Prepare } from './rows.ts';

/** Replaced versions stay readable at least this long, and for this many publications: cursors go on over them. */
export const retention = { ms: 15 * 60_000, publications: 5 } as const;

/** Time that nobody sets, in milliseconds, for what the time of day is stored of. */
export interface RetentionClock {
  nowMs(): number;
  /** When that was which happened at a time of day, as far as the clock now says. Nothing happened later than now. */
  timeOf(atMs: number): number;
}

export function retentionClock(clock: { now(): Date; monotonicMs(): number }): RetentionClock {
  const nowMs = (): number => clock.monotonicMs();
  return { nowMs, timeOf: atMs => nowMs() - Math.max(0, clock.now().getTime() - atMs) };
}

/**
 * When snapshots were published. Those that this process published are as old as they are, whatever has been done to the clock
 * since; those that it found are as old as the clock said by then. Without a clock the stored times are those that count.
 */
export class PublicationTimes {
  readonly #prepare: Prepare;
  readonly #clock: RetentionClock | undefined;
  /** By repository and sequence. */
  readonly #known = new Map<number, Map<number, number>>();

  constructor(prepare: Prepare, clock: RetentionClock | undefined) {
    this.#prepare = prepare;
    this.#clock = clock;
  }

  /** The next snapshot of a repository is being published. Where that fails, the one that follows is as old at most. */
  note(repo: number, publishedAt: number): void {
    const times = this.#timesOf(repo);
    const last = this.#prepare<[number], { seq: number | null }>('SELECT max(seq) AS seq FROM snapshot WHERE repo = ?');
    times.set((last.get(repo)?.seq ?? 0) + 1, this.#clock?.nowMs() ?? publishedAt);
  }

  /** The oldest sequence that may still be read: the retention runs from when a snapshot was replaced. */
  oldestReadable(repo: number, timeOfDayMs: number): number | undefined {
    const times = this.#timesOf(repo);
    const nowMs = this.#clock?.nowMs() ?? timeOfDayMs;
    const sequences = [...times.keys()].sort((a, b) => a - b);
    const recent = sequences.find(seq => times.get(seq)! >= nowMs - retention.ms) ?? Number.POSITIVE_INFINITY;
    const oldest = sequences.at(-retention.publications) ?? sequences[0];
    return sequences.find(seq => seq >= recent - 1 || seq >= oldest!);
  }

  forget(): void {
    this.#known.clear();
  }

  /** Brought to what is stored. */
  #timesOf(repo: number): Map<number, number> {
    const known = this.#known.get(repo);
    const times = new Map<number, number>();
    const rows = this.#prepare<[number], { seq: number; published_at: number }>(
      'SELECT seq, published_at FROM snapshot WHERE repo = ?',
    );
    for (const { seq, published_at } of rows.all(repo))
      times.set(seq, known?.get(seq) ?? this.#clock?.timeOf(published_at) ?? published_at);
    this.#known.set(repo, times);
    return times;
  }
}

export interface RetainedSnapshots {
  /** Those that can be read. */
  readonly count: number;
  /** When the oldest of them was published, in milliseconds since 1970. */
  readonly oldestAt: number | undefined;
  /** Those that are past the retention, and still lie in the file. */
  readonly expired: number;
}

/** What is kept of a repository, at a time of day. */
export function retainedAt(repo: number, nowMs: number, prepare: Prepare): RetainedSnapshots {
  const oldest = new PublicationTimes(prepare, undefined).oldestReadable(repo, nowMs) ?? 0;
  const { count, oldestAt, total } = prepare<
    [number, number, number],
    { count: number; oldestAt: number | null; total: number }
  >(
    `SELECT count(*) FILTER (WHERE seq >= ?) AS count, min(published_at) FILTER (WHERE seq >= ?) AS oldestAt,
     count(*) AS total FROM snapshot WHERE repo = ?`,
  ).get(oldest, oldest, repo)!;
  return { count, oldestAt: oldestAt ?? undefined, expired: total - count };
}
