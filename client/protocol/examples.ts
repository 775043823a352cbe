/** Values that the examples of several operations share. */
export const exampleTime = '2026-03-01T09:30:00.000Z';
export const exampleSnapshot = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const exampleId = 'svc:app:sym:4bf92f3577b34da6a3ce929d0e0e4736';

export const exampleSymbol = {
  id: exampleId,
  name: 'parseConfig',
  kind: 'function' as const,
  location: { file: 'src/config.ts', line: 12, column: 17, endLine: 12, endColumn: 28 },
  module: 'src',
  signature: 'parseConfig(text: string): Config',
  documentation: 'Reads a configuration; throws ConfigError.',
  visibility: 'public' as const,
  container: '',
  language: 'typescript',
  exported: true,
  source: 'tree-sitter' as const,
  confidence: 0.9,
  snapshotId: exampleSnapshot,
};

export const exampleCompleteness = {
  dirtyFiles: 0,
  skippedFiles: 1,
  failedFiles: 0,
  partialFiles: 0,
  unresolvedCandidates: 3,
  languagesWithoutIndexer: [],
};

export const exampleJob = {
  id: '7c1e4b0a-93d2-4f6e-8a55-2b9d0f3c6e17',
  type: 'index-repository',
  status: 'running' as const,
  progress: 40,
  createdAt: exampleTime,
  startedAt: exampleTime,
  repo: 'app',
  message: 'Reading files',
};

export const exampleRepo = {
  id: 'app',
  source: 'tree' as const,
  root: '/home/me/src/app',
  status: 'ready' as const,
  snapshotId: exampleSnapshot,
  symbolCount: 48_210,
  fileCount: 2_417,
  pendingChanges: 0,
  watching: 'native' as const,
  trusted: false,
  isDefault: true,
};

export const exampleRests = {
  snapshotId: exampleSnapshot,
  completeness: exampleCompleteness,
  timestamp: exampleTime,
};
