import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openPeer, placesIn, type Script, temporaryHome } from '../client/peer.ts';

export const symbolId = `svc:app:sym:${'a'.repeat(32)}`;
export const where = { file: 'src/a.ts', line: 3, column: 5, endLine: 3, endColumn: 9 };
const symbol = {
  id: symbolId,
  name: 'parse',
  kind: 'function',
  location: where,
  module: 'src',
  signature: 'function parse(text: string)\u001b[2J\u202e',
  documentation: 'Reads\nlines.',
  visibility: 'public',
  container: '',
  language: 'typescript',
  exported: true,
  source: 'tree-sitter',
  confidence: 0.9,
  snapshotId: 'sha256:0',
};
const completeness = {
  dirtyFiles: 0,
  skippedFiles: 0,
  failedFiles: 0,
  partialFiles: 0,
  unresolvedCandidates: 2,
  syntaxOnly: 3,
  languagesWithoutIndexer: [],
};
export const found = {
  query: 'parse',
  results: [{ ...symbol, score: 1, match: 'exact' }],
  total: 7,
  hasMore: true,
  cursor: 'abc',
  snapshotId: 'sha256:0',
  completeness,
  timestamp: '2026-01-01T00:00:00Z',
};
const reference = {
  location: where,
  kind: 'call',
  context: '  parse(text);',
  isTest: false,
  enclosingSymbol: { id: symbolId, name: 'main' },
  source: 'tree-sitter',
  confidence: 0.9,
};
const used = {
  symbolId,
  references: [reference, { ...reference, enclosingSymbol: null, confidence: 0.5 }],
  total: 2,
  hasMore: false,
  snapshotId: 'sha256:0',
  completeness,
  timestamp: '2026-01-01T00:00:00Z',
};
const repo = {
  id: 'app',
  root: '/src/app',
  status: 'ready',
  snapshotId: null,
  symbolCount: 1,
  fileCount: 1,
  pendingChanges: 0,
  watching: 'native',
  trusted: false,
  isDefault: true,
};

/** By method. */
export const answers: Readonly<Record<string, unknown>> = {
  'symbols.search': found,
  'symbols.get': symbol,
  'symbols.refs': used,
  'analysis.trace': {
    ...{
      from: symbolId,
      to: symbolId,
      found: false,
      path: [],
      confidence: 0,
      reached: 1,
      truncated: false,
      stops: [],
      limitations: [],
    },
    ...{ snapshotId: 'sha256:0', completeness, timestamp: found.timestamp },
  },
  'daemon.listRepos': { repos: [repo], total: 1, timestamp: found.timestamp },
  'daemon.addRepo': { repo, created: true, jobId: 'job-1', timestamp: found.timestamp },
  'daemon.stop': { status: 'stopping', pid: 99_999_999, timestamp: found.timestamp },
  'system.metrics': '# HELP svc_x x\nsvc_x 1\n',
  'jobs.list': {
    jobs: [{ id: 'job-1', type: 'index', status: 'running', progress: 5, createdAt: found.timestamp }],
    total: 1,
  },
};

export interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A daemon that answers as it is told in a script, else in the same words each time; and what it was asked. */
export async function withPeer(test: TestContext, script: Script = () => undefined) {
  const home = temporaryHome(test);
  const places = placesIn(home);
  const asked: Asked[] = [];
  const peer = await openPeer(test, {
    places,
    script: (method, params, line) => {
      if (method !== 'initialize') asked.push({ method, params });
      return script(method, params, line) ?? answers[method];
    },
  });
  const folder = join(home, 'folder');
  mkdirSync(folder);
  return { home, places, peer, asked, folder };
}
