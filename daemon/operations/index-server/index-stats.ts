import type { SnapshotCounts } from '../../store/publication.ts';

/** How many rows the lists of a snapshot have. */
export interface IndexStats {
  readonly files: number;
  readonly symbols: number;
  readonly refs: number;
  readonly call_edges: number;
}

export function statsOf({ documents, symbols, languages }: SnapshotCounts): IndexStats {
  const all = Object.values(languages);
  return {
    files: documents,
    symbols,
    refs: all.reduce((sum, { uses }) => sum + uses, 0),
    call_edges: all.reduce((sum, { callEdges }) => sum + callEdges, 0),
  };
}

/** The one with most symbols first. */
export function languagesOf({ languages }: SnapshotCounts): string[] {
  return Object.entries(languages)
    .sort(([a, one], [b, other]) => other.symbols - one.symbols || (a < b ? -1 : 1))
    .map(([language]) => language);
}
