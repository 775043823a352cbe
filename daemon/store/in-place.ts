import { type BigIntStats, statSync } from 'node:fs';

/** Of a file whose path leads to nothing or to another one by now: what is written to it nobody will see. */
export const replacedWords = 'the file was removed, or another was put in its place';

/**
 * Remembers which file lies at a path. What it returns says whether it still does: true as well where that can't be told, for a
 * closed folder says nothing of what is in it.
 */
export function inPlace(file: string): () => boolean {
  const before = statsOf(file);
  return () => {
    const now = statsOf(file);
    if (before === undefined || now === undefined) return true;
    return before === 'none' || now === 'none' ? before === now : isSame(before, now);
  };
}

/** The number of a removed file may be given again: its birth tells them apart, where that is not the last change for want of it. */
function isSame(before: BigIntStats, now: BigIntStats): boolean {
  if (before.dev !== now.dev || before.ino !== now.ino) return false;
  return before.birthtimeNs === now.birthtimeNs || now.birthtimeNs === now.ctimeNs;
}

function statsOf(file: string): BigIntStats | 'none' | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? 'none';
  } catch {
    return undefined;
  }
}
