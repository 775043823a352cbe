/** What a document hangs on by an import: a file (its path is the scope), the files of a scope, a definition, a dependency. */
export const importedKinds = ['file', 'scope', 'definition', 'external'] as const;

export interface ImportedSymbol {
  readonly kind: (typeof importedKinds)[number];
  /** Its number; of a file and of a scope that of the symbol with an empty tail there. */
  readonly symbol: number;
}

/** One word; 0 where nothing is known. */
export function packImport(one: ImportedSymbol | undefined): number {
  return one === undefined ? 0 : 1 + one.symbol * importedKinds.length + importedKinds.indexOf(one.kind);
}

export function unpackImport(packed: number): ImportedSymbol | undefined {
  if (packed === 0) return undefined;
  const symbol = Math.floor((packed - 1) / importedKinds.length);
  return { symbol, kind: importedKinds[(packed - 1) % importedKinds.length]! };
}
