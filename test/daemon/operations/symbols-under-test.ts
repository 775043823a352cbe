import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Fault, type FaultReason } from '../../../client/protocol/faults.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { systemClock } from '../../../daemon/clock.ts';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash, symbolId } from '../../../daemon/model/identity.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { encodedBodyOf, type RequestContext } from '../../../daemon/operations/handler.ts';
import { createReadPool, type ReadPool } from '../../../daemon/operations/readers/read-pool.ts';
import { type SymbolsHandlers, symbolsHandlers } from '../../../daemon/operations/symbols.ts';
import type { Tombstone } from '../../../daemon/store/daemon-records.ts';
import { type IndexWriter, openIndexWriter } from '../../../daemon/store/index-db.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { plainSearch } from '../../support/plain-search.ts';
import { type HandMade, made, symbolTarget } from '../../support/synthetic.ts';

export const folder = mkdtempSync(join(tmpdir(), 'svc-symbols-'));
export const file = join(folder, 'index.db');
export const now = new Date(1_700_000_000_000);
export let writer: IndexWriter;
export let pool: ReadPool;
export let handlers: SymbolsHandlers;
let dirtyFiles = 3;

export function pretendDirty(files: number): void {
  dirtyFiles = files;
}

export const documents: readonly HandMade[] = [
  {
    path: 'src/server.ts',
    definitions: [
      { name: 'Server', kind: 'class', tail: 'Server#', documentation: 'Serves.' },
      { name: 'close', kind: 'method', tail: 'Server#close().', container: 0, line: 3 },
      { name: 'parsePort', line: 7 },
    ],
  },
  {
    path: 'src/client.ts',
    definitions: [
      { name: 'Client', kind: 'class', tail: 'Client#' },
      // Outside of the class that its tail names, as a method in an `impl` block or behind a receiver is.
      { name: 'close', kind: 'method', tail: 'Client#close().', line: 2 },
      { name: 'parseHost', line: 5, exported: false },
    ],
    uses: Array.from({ length: 12 }, (_, line) => ({
      name: 'parsePort',
      line,
      enclosing: 1,
      target: symbolTarget('src/server.ts', 'parsePort().'),
    })),
    text: 'parsePort()\n'.repeat(12),
  },
  { path: 'test/server.test.ts', isTest: true, definitions: [{ name: 'parseFixture' }] },
  { path: 'crates/kept/Cargo.toml', language: 'configuration', scope: 'cargo:well-kept' },
  {
    path: 'crates/kept/src/deep/mod.rs',
    language: 'rust',
    definitions: [{ name: 'Wand', kind: 'struct', tail: 'Wand#' }],
  },
];

/** Symbols that an earlier snapshot had: one with an heir, and one without. */
const tombstones: readonly Tombstone[] = [
  { symbolHash: '0'.repeat(32), replacedBy: '1'.repeat(32), goneAt: 5 },
  { symbolHash: '2'.repeat(32), replacedBy: undefined, goneAt: 5 },
];

before(() => {
  writer = openIndexWriter(file);
  publish(documents);
  pool = createReadPool({ idleMs: 1_000 });
  handlers = symbolsHandlers({
    clock: systemClock,
    readPool: pool,
    serverMs: () => 1000,
    lsp: { references: () => assert.fail('nobody asked for what servers say') },
    cursorSecret: 'ab'.repeat(32),
    tombstone: (_, hash) => tombstones.find(({ symbolHash }) => symbolHash === hash),
    dirtyFiles: () => dirtyFiles,
    headSettings: () => ({
      root: folder,
      shadowFolder: join(folder, 'shadow'),
      sourceLimits: defaultSourceLimits,
      parseSteps: defaultParseSteps,
      quarantined: [],
    }),
  });
});
after(async () => {
  handlers.close();
  await pool.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

export function publish(list: readonly HandMade[], removed: readonly string[] = [], publishedAt = now.getTime()): void {
  const all = list.map(made);
  writer.publish('main', {
    facts: all.map(one => one.fact),
    entries: all.map(one => one.entry),
    removed: removed as RepoPath[],
    linked: [linkBatch(all.map(one => one.linked))],
    snapshotId: `sha256:${publishedAt}`,
    publishedAt,
  });
}

export function context(): RequestContext {
  const snapshot = writer.snapshot('main')!;
  return {
    requestId: 'test',
    signal: new AbortController().signal,
    principal: { kind: 'owner' },
    repository: { id: 'app', root: folder, indexFile: file, worktreeKey: 'main', trusted: false },
    snapshot: { ...snapshot, publishedAt: new Date(snapshot.publishedAt) },
    now,
    onProgress: () => {},
    connection: undefined,
  };
}

export function decoded<Output>(answer: unknown): Output {
  const body = encodedBodyOf(answer);
  return (body === undefined ? answer : JSON.parse(Buffer.from(body as Uint8Array).toString())) as Output;
}

export const get = async (id: string) =>
  decoded<OutputOf<Operations['symbols.get']>>(
    await handlers['symbols.get']({ id, repoStateMode: 'full', sync: false }, context()),
  );
export const search = async (q: string, more: Partial<Parameters<SymbolsHandlers['symbols.search']>[0]> = {}) => {
  const input = { q, limit: 50, ...plainSearch, ...more };
  return decoded<OutputOf<Operations['symbols.search']>>(await handlers['symbols.search'](input, context()));
};
export const refs = async (id: string, more: Partial<Parameters<SymbolsHandlers['symbols.refs']>[0]> = {}) => {
  const input = {
    id,
    limit: 500,
    includeTests: true,
    includeDefinition: false,
    merge: 'prefer-first',
    sync: false,
    ...more,
  } as const;
  return decoded<OutputOf<Operations['symbols.refs']>>(await handlers['symbols.refs'](input, context()));
};
export const idOf = (path: string, tail: string): string => symbolId('app', symbolHash(path as ScopeKey, tail));

export const isFault =
  (reason: FaultReason, check: (fault: Fault) => boolean = () => true) =>
  (error: unknown) =>
    error instanceof Fault && error.reason === reason && check(error);
