import type { ReferenceFact } from './facts.ts';

/**
 * What an indexer says of one document: where its references point. Targets go by number. An index below `referenceCount`
 * is that of a reference of the document's facts, one from there on that of an extra.
 */
export interface PreciseContent {
  /** References of the document's facts. */
  readonly referenceCount: number;
  /**
   * Pairs, each once: target, index of a reference or an extra * 2, + 1 where syntax had the reference point there too, by
   * more than a guess: it is known which way leads there, and as long as it does the occurrence counts.
   */
  readonly occurrences: ArrayLike<number>;
  /**
   * Pairs, each once: index of a reference, target * 2, + 1 as above. All that the indexer says at a reference's place, so
   * that syntax has no say there.
   */
  readonly covered: ArrayLike<number>;
  readonly extras: readonly ExtraReference[];
  /** Slots of the document's definitions that the indexer names, ascending. */
  readonly named: ArrayLike<number>;
}

/** An occurrence that syntax does not list. */
export type ExtraReference = Pick<ReferenceFact, 'kind' | 'line' | 'column' | 'endLine' | 'endColumn' | 'enclosing'>;
