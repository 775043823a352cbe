import type { Range } from '../../model/facts.ts';

/** By where they begin; of two that begin at one place, the longer first: it may hold the other. */
export function compareRanges(a: Range, b: Range): number {
  return (
    a.startLine - b.startLine || a.startColumn - b.startColumn || b.endLine - a.endLine || b.endColumn - a.endColumn
  );
}
