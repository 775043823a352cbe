import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { systemClock } from '../../../daemon/clock.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { complexityAnswer } from '../../../daemon/operations/analysis/complexity.ts';
import { encodedBodyOf, type RequestContext } from '../../../daemon/operations/handler.ts';
import { createReadPool } from '../../../daemon/operations/readers/read-pool.ts';
import { symbolsHandlers } from '../../../daemon/operations/symbols.ts';
import { plainSearch } from '../../support/plain-search.ts';
import { documents, hashOf, place } from '../jobs/uploads.ts';

test('search, symbol and references of an upload say that an indexer said so', async context => {
  const at = place(context);
  await at.upload({ documents });
  const pool = createReadPool({ idleMs: 1_000 });
  const handlers = symbolsHandlers({
    ...{ clock: systemClock, readPool: pool, cursorSecret: 'ab'.repeat(32) },
    ...{ tombstone: () => undefined, dirtyFiles: () => 0 },
    headSettings: () => assert.fail('there is no tree'),
    serverMs: () => 1000,
    lsp: { references: () => assert.fail('there is no tree') },
  });
  context.after(async () => {
    handlers.close();
    await pool.close();
  });
  const snapshot = at.reading(reader => reader.snapshot('main')!);
  const asked: RequestContext = {
    ...{ requestId: 'test', signal: new AbortController().signal, principal: { kind: 'owner' }, connection: undefined },
    repository: { id: 'acme/x', root: '', indexFile: at.indexFile, worktreeKey: 'main', trusted: false },
    snapshot: { ...snapshot, publishedAt: new Date(snapshot.publishedAt) },
    ...{ now: new Date(snapshot.publishedAt), onProgress: () => {} },
  };
  const id = symbolId('acme/x', hashOf('src/lib.ts', 'helper().'));
  const got = await handlers['symbols.get']({ id, repoStateMode: 'full', sync: false }, asked);
  const symbol = decoded<OutputOf<Operations['symbols.get']>>(got);
  assert.deepEqual([symbol.name, symbol.source, symbol.confidence], ['helper', 'scip', 1]);
  const search = { q: 'helper', limit: 5, ...plainSearch } as const;
  const { results } = decoded<OutputOf<Operations['symbols.search']>>(await handlers['symbols.search'](search, asked));
  assert.deepEqual(
    results.map(({ id: found, source }) => [found, source]),
    [[id, 'scip']],
  );
  for (const limit of [10, 10_000]) {
    const input = {
      id,
      limit,
      includeTests: true,
      includeDefinition: true,
      merge: 'prefer-first',
      sync: false,
    } as const;
    const { references } = decoded<OutputOf<Operations['symbols.refs']>>(await handlers['symbols.refs'](input, asked));
    assert.deepEqual(
      references.map(({ location, kind, source, confidence }) => [location.file, kind, source, confidence]),
      [
        ['src/lib.ts', 'call', 'scip', 1],
        ['src/lib.ts', 'definition', 'scip', 1],
        ['src/use.ts', 'call', 'scip', 1],
      ],
    );
  }
});

test('of an upload nothing was measured, which is no answer of zero', async context => {
  const at = place(context);
  await at.upload({ documents });
  const complexityOf = (path: string) => () =>
    at.reading(reader => {
      const { seq, snapshotId } = reader.snapshot('main')!;
      const repo = { id: 'acme/x', indexFile: at.indexFile, key: 'main' };
      const asked = { repo, current: { seq, snapshotId }, cursorSecret: '', dirtyFiles: 0, now: 0 };
      const input = { path, includeFunctions: true, limit: 20, sortBy: 'cyclomatic', sync: false } as const;
      return complexityAnswer(reader, asked, input);
    });
  assert.throws(complexityOf('src/lib.ts'), { reason: 'preconditionFailed' });
  assert.throws(complexityOf('src/gone.ts'), { reason: 'fileNotFound' });
});

function decoded<Output>(answer: unknown): Output {
  const body = encodedBodyOf(answer);
  return (body === undefined ? answer : JSON.parse(Buffer.from(body as Uint8Array).toString())) as Output;
}
