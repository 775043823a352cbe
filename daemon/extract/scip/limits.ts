/** What of a SCIP index is taken in at most. */
export interface ScipLimits {
  /** Of the index, inflated. */
  readonly bytes: number;
  readonly documents: number;
  /** Of one document or external symbol: what has to lie in memory at once. */
  readonly messageBytes: number;
  /** Of one document, as it lists them. */
  readonly occurrences: number;
  /** Distinct global symbols of the index; also external symbols. */
  readonly symbols: number;
  /** That the distinct symbols may take, what they share with others counted once. */
  readonly symbolBytes: number;
  /** How deep groups may lie in each other. */
  readonly nesting: number;
}

export const defaultScipLimits: ScipLimits = {
  bytes: 2 * 1024 ** 3,
  documents: 200_000,
  messageBytes: 32 * 1024 ** 2,
  occurrences: 300_000,
  symbols: 20_000_000,
  symbolBytes: 1024 ** 3,
  nesting: 100,
};

/** Where they are set in the configuration; no indexer writes groups. */
export const scipLimitKeys: Readonly<Record<Exclude<keyof ScipLimits, 'nesting'>, string>> = {
  bytes: 'limits.scip_bytes',
  documents: 'limits.scip_documents',
  messageBytes: 'limits.scip_document_bytes',
  occurrences: 'limits.scip_occurrences',
  symbols: 'limits.scip_symbols',
  symbolBytes: 'limits.scip_symbol_bytes',
};
