import type { CommitColumns } from '../../model/history.ts';

/**
 * The commits that one came from, and itself first, as `git log` lists them: always the latest by date of those whose child has been
 * listed, of two at the same second the one that was met first.
 */
export function logOrder({ count, parent, parentStart, committedAt }: CommitColumns, start: number): Int32Array {
  const seen = new Uint8Array(count);
  const waiting = new Latest(committedAt);
  const order: number[] = [];
  seen[start] = 1;
  waiting.add(start);
  while (waiting.size > 0) {
    const commit = waiting.take();
    order.push(commit);
    for (let at = parentStart[commit]!; at < parentStart[commit + 1]!; at++) {
      const next = parent[at]!;
      if (next < 0 || seen[next] === 1) continue;
      seen[next] = 1;
      waiting.add(next);
    }
  }
  return Int32Array.from(order);
}

/** 1 at the number of each commit that one came from, and at its own. */
export function ancestorsOf({ count, parent, parentStart }: CommitColumns, commit: number): Uint8Array {
  const found = new Uint8Array(count);
  const waiting = [commit];
  found[commit] = 1;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (let at = parentStart[next]!; at < parentStart[next + 1]!; at++) {
      const one = parent[at]!;
      if (one < 0 || found[one] === 1) continue;
      found[one] = 1;
      waiting.push(one);
    }
  }
  return found;
}

/** Whether all that a commit came from is stored. */
export function isWhole(columns: CommitColumns, commit: number): boolean {
  if (columns.hasAllParents) return true;
  const { parent, parentStart, count } = columns;
  const seen = ancestorsOf(columns, commit);
  for (let one = 1; one < count; one++) {
    if (seen[one] !== 1) continue;
    for (let at = parentStart[one]!; at < parentStart[one + 1]!; at++) if (parent[at]! < 0) return false;
  }
  return true;
}

/** The commits that one came from, itself as well, and none of those that are old, nor what these came from. */
export function reachedFrom(
  { count, parent, parentStart }: CommitColumns,
  start: number,
  isOld: (commit: number) => boolean,
): readonly number[] {
  if (isOld(start)) return [];
  const seen = new Uint8Array(count);
  const found = [start];
  seen[start] = 1;
  for (let next = 0; next < found.length; next++) {
    const commit = found[next]!;
    for (let at = parentStart[commit]!; at < parentStart[commit + 1]!; at++) {
      const one = parent[at]!;
      if (one < 0 || seen[one] === 1 || isOld(one)) continue;
      seen[one] = 1;
      found.push(one);
    }
  }
  return found;
}

/** A heap. */
class Latest {
  readonly #committedAt: Float64Array;
  readonly #commits: number[] = [];
  readonly #turns: number[] = [];
  #turn = 0;

  constructor(committedAt: Float64Array) {
    this.#committedAt = committedAt;
  }

  get size(): number {
    return this.#commits.length;
  }

  add(commit: number): void {
    let at = this.#commits.push(commit) - 1;
    this.#turns.push(this.#turn++);
    while (at > 0 && this.#isBefore(at, (at - 1) >> 1)) {
      this.#swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  }

  take(): number {
    this.#swap(0, this.#commits.length - 1);
    const taken = this.#commits.pop()!;
    this.#turns.pop();
    for (let at = 0; ; ) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#commits.length && this.#isBefore(child, first)) first = child;
      }
      if (first === at) return taken;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const later = this.#committedAt[this.#commits[one]!]! - this.#committedAt[this.#commits[other]!]!;
    return later > 0 || (later === 0 && this.#turns[one]! < this.#turns[other]!);
  }

  #swap(one: number, other: number): void {
    for (const column of [this.#commits, this.#turns]) [column[one], column[other]] = [column[other]!, column[one]!];
  }
}
