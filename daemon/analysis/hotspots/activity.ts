import type { FileHistory } from '../../model/history.ts';
import { mostFilesTogether } from '../history/co-changes.ts';

/** What happened to files in a window of time, by their numbers. */
export interface Activity {
  readonly commits: Int32Array;
  /** People who changed it, bots aside. */
  readonly authors: Int32Array;
  /** Files that changed together with it more than once. */
  readonly coupled: Int32Array;
}

export interface Window {
  /** Unix seconds; of commits, as `git log --since` counts. The end is not in it. */
  readonly from: number;
  readonly until: number;
}

/** `personOf` numbers people by the number of a commit's author; undefined of a bot. */
export function activityIn(
  history: FileHistory,
  { from, until }: Window,
  personOf: (author: number) => number | undefined,
): Activity {
  const [commits, authors, coupled] = [0, 1, 2].map(() => new Int32Array(history.fileCount)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const met = new Set<number>();
  const pairs = new Map<number, number>();
  for (let at = 0; at < history.commitCount; at++) {
    const { committedAt, author } = history.commit(at);
    if (committedAt < from || committedAt >= until) continue;
    const files = history.filesOf(at);
    const person = personOf(author);
    for (const file of files) {
      commits[file]!++;
      const meeting = (person ?? 0) * history.fileCount + file;
      if (person === undefined || met.has(meeting)) continue;
      met.add(meeting);
      authors[file]!++;
    }
    if (files.length <= mostFilesTogether) countPairs(files, history.fileCount, pairs);
  }
  for (const [pair, together] of pairs) {
    if (together < 2) continue;
    coupled[Math.floor(pair / history.fileCount)]!++;
    coupled[pair % history.fileCount]!++;
  }
  return { commits, authors, coupled };
}

function countPairs(files: Int32Array, fileCount: number, pairs: Map<number, number>): void {
  for (let one = 1; one < files.length; one++) {
    for (let other = 0; other < one; other++) {
      const [low, high] = files[one]! < files[other]! ? [files[one]!, files[other]!] : [files[other]!, files[one]!];
      const pair = high * fileCount + low;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }
}
