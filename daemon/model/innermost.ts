import type { FactsView } from './facts-codec.ts';

/** Slot of the innermost definition around a place, -1 at the top. Line and column 0-based. */
export function innermostAt(
  facts: Pick<FactsView, 'definitionCount' | 'definitionRange'>,
  line: number,
  column: number,
): number {
  let innermost = -1;
  for (let slot = 0; slot < facts.definitionCount; slot++) {
    const { startLine, startColumn, endLine, endColumn } = facts.definitionRange(slot);
    const isInside =
      (startLine < line || (startLine === line && startColumn <= column)) &&
      (endLine > line || (endLine === line && endColumn > column));
    if (isInside) innermost = slot;
  }
  return innermost;
}
