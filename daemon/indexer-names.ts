/** The indexers that there are, as configuration, doctor and logs call them. */
export const indexerNames = [
  'scip-typescript',
  'scip-python',
  'scip-go',
  'rust-analyzer',
  'scip-java',
  'scip-clang',
  'scip-ruby',
  'scip-dotnet',
  'scip-php',
  'scip-dart',
] as const;
export type IndexerName = (typeof indexerNames)[number];
