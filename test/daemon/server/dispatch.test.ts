import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../../client/protocol/caller.ts';
import { Fault, type FaultReason } from '../../../client/protocol/faults.ts';
import type { OperationName } from '../../../client/protocol/registry.ts';
import type { Observation } from '../../../daemon/events.ts';
import { encodedAnswer, type Handlers, type RequestContext } from '../../../daemon/operations/handler.ts';
import { createDispatcher, type Dispatcher, type DispatchRequest } from '../../../daemon/server/dispatch.ts';
import { leadersWork } from '../../../daemon/server/leaders-work.ts';
import { createRepositories, type Repositories } from '../../../daemon/server/repositories.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { StoredSnapshot } from '../../../daemon/store/publication.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';

interface Bench {
  readonly dispatcher: Dispatcher;
  readonly repositories: Repositories;
  readonly clock: FakeClock;
  readonly seen: Observation[];
  /** Registers a fresh folder; with a snapshot unless told otherwise. */
  register(id: string, state?: 'indexed' | 'new'): string;
  /** The next look at the repository finds its index file gone. */
  losesIndex(id: string): void;
  ask(
    operation: OperationName,
    input?: Record<string, unknown>,
    more?: Partial<DispatchRequest>,
  ): ReturnType<Dispatcher['dispatch']>;
}

const owner: Principal = { kind: 'owner' };

function bench(context: Cleanup, handlers: Partial<Handlers> = {}, answerBytes = 10_000): Bench {
  const { root } = temporaryFolder(context);
  const clock = fakeClock();
  const database = openDaemonDatabase(`${root}/daemon.db`);
  context.after(() => database.close());
  const repositories = createRepositories({
    database,
    reposFolder: `${root}/repos`,
    ownFolders: [root],
    uid: process.getuid?.() ?? 0,
    limit: () => 10,
    configuredDefault: () => '',
    now: clock.now,
    commonFolderOf: () => '',
  });
  const seen: Observation[] = [];
  const lost = new Set<string>();
  const work = leadersWork(clock);
  const dispatcher = createDispatcher({
    handlers: () => handlers as Handlers,
    repositories,
    clock,
    observe: observation => void seen.push(observation),
    version: '0.1.0',
    limits: () => ({ queryMs: 30_000, jobWaitMs: 600_000, answerBytes }),
    subscribe: () => () => {},
    callsVersion: () => undefined,
    leadersWork: work,
    lookAt(repo) {
      if (lost.has(repo)) repositories.get(repo)!.snapshot = undefined;
    },
  });
  return {
    dispatcher,
    repositories,
    clock,
    seen,
    register(id, state = 'indexed') {
      const folder = temporaryFolder(context).root;
      const { repository } = repositories.add(folder, id);
      if (state === 'indexed') repository.snapshot = snapshot(1);
      return repository.record.root;
    },
    losesIndex: id => void lost.add(id),
    ask: (operation, input = {}, more = {}) =>
      dispatcher.dispatch({
        operation,
        input,
        requestId: 'r',
        principal: owner,
        abort: new AbortController(),
        invalidAs: () => 'invalidParameter',
        ...more,
      }),
  };
}

function snapshot(seq: number): StoredSnapshot {
  const counts = {
    symbols: 1,
    references: 1,
    files: 1,
    documents: 1,
    skipped: 0,
    failed: 0,
    partial: 0,
    precise: 0,
    languages: {},
    unread: {},
    inputs: {},
  };
  return { seq, snapshotId: `sha256:${seq}`, evidenceId: '', publishedAt: 0, counts };
}

/** Tells which repository was resolved, by way of an answer's own field. */
const whichRepository: Partial<Handlers> = {
  'delta.status': (_, { repository }) => delta(repository.id),
};
function delta(id: string) {
  return {
    enabled: true,
    schemaVersion: 1,
    activeSnapshotId: id,
    lastDeltaIngested: null,
    pendingDeltas: 0,
    timestamp: '2030-01-01T00:00:00.000Z',
  };
}
async function bodyOf(reply: ReturnType<Dispatcher['dispatch']>): Promise<Record<string, unknown>> {
  const answer = await reply;
  assert.equal(answer.kind, 'document');
  return JSON.parse(String((answer as { body: string }).body)) as Record<string, unknown>;
}

const rejects = (reply: Promise<unknown>, reason: FaultReason, check: (fault: Fault) => void = () => {}) =>
  assert.rejects(reply, (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.reason, reason, error.message);
    check(error);
    return true;
  });

test('the repository: by id, by root, by a path inside, the listener’s, the folder’s, the only one', async context => {
  const { ask, register, repositories } = bench(context, whichRepository);
  const which = async (input: Record<string, unknown>, more: Partial<DispatchRequest> = {}) =>
    (await bodyOf(ask('delta.status', input, more)))['activeSnapshotId'];
  await rejects(ask('delta.status'), 'invalidParameter');
  const a = register('a');
  assert.equal(await which({}), 'a');
  const b = register('b');
  await rejects(ask('delta.status'), 'invalidParameter', fault => assert.match(fault.message, /a, b/));
  assert.equal(await which({ repo: 'b' }), 'b');
  assert.equal(await which({ repo: a }), 'a');
  assert.equal(await which({ repo: `${b}/src/deep` }), 'b');
  assert.equal(await which({}, { defaultRepo: 'b' }), 'b');
  assert.equal(await which({}, { directory: `${a}/src` }), 'a');
  assert.equal(await which({ repo: 'a' }, { defaultRepo: 'b' }), 'a');
  await rejects(ask('delta.status', { repo: 'c' }), 'resourceNotFound');
  await rejects(ask('delta.status', { repo: `${a}-evil` }), 'resourceNotFound');
  repositories.setDefault('b');
  assert.equal(await which({}), 'b');
});

test('an artifact is judged, and taken in, by an index that has seen what was written before', async context => {
  const steps: string[] = [];
  const told = (name: string) => () => {
    steps.push(name);
    throw new Fault('preconditionFailed', name);
  };
  const { ask, register, repositories } = bench(context, {
    'delta.validate': told('delta.validate'),
    'delta.ingest': told('delta.ingest'),
  });
  register('a');
  repositories.get('a')!.follow = {
    sync: async () => void steps.push('synced'),
    status: () => ({ pendingChanges: 0 }),
  } as never;
  for (const operation of ['delta.validate', 'delta.ingest'] as const) {
    await rejects(ask(operation, { artifact: '{}' }), 'preconditionFailed');
  }
  assert.deepEqual(steps, ['synced', 'delta.validate', 'synced', 'delta.ingest']);
});

test('a symbol id names its own repository, and another name beside it is a contradiction', async context => {
  const seen: string[] = [];
  const { ask, register } = bench(context, {
    'symbols.get': (_, { repository }) => {
      seen.push(repository.id);
      throw new Fault('symbolNotFound', 'none');
    },
  });
  register('a');
  register('b');
  const id = `svc:b:sym:${'0'.repeat(32)}`;
  await rejects(ask('symbols.get', { id }), 'symbolNotFound');
  await rejects(ask('symbols.get', { id, repo: 'a' }), 'invalidParameter');
  await rejects(ask('symbols.get', { id: `svc:none:sym:${'0'.repeat(32)}` }), 'resourceNotFound');
  assert.deepEqual(seen, ['b']);
});

test('of two symbols each names its own repository, a name of a symbol none, and disagreement is refused by field', async context => {
  const seen: string[] = [];
  const { ask, register } = bench(context, {
    'analysis.trace': (_, { repository }) => {
      seen.push(repository.id);
      throw new Fault('symbolNotFound', 'none');
    },
  });
  register('a');
  register('b');
  const [inA, inB] = ['a', 'b'].map(repo => `svc:${repo}:sym:${'0'.repeat(32)}`);
  for (const [from, to] of [
    [inB, inB],
    [inB, 'main'],
    ['main', inB],
  ]) {
    await rejects(ask('analysis.trace', { from, to }), 'symbolNotFound');
  }
  assert.deepEqual(seen, ['b', 'b', 'b']);
  const refused: readonly (readonly [string, object])[] = [
    ['to', { from: inA, to: inB }],
    ['repo', { from: 'main', to: inB, repo: 'a' }],
    ['repo', { from: inA, to: inA, repo: 'b' }],
    ['to', { from: inA, to: 'svc:a:sym:0' }],
  ];
  for (const [path, input] of refused) {
    await rejects(ask('analysis.trace', { ...input }), 'invalidParameter', ({ extras }) => {
      const [problem] = extras.details!['problems'] as { path: string }[];
      assert.equal(problem?.path, path, JSON.stringify(input));
    });
  }
});

test('before the first snapshot a query is told to come back, with the progress', async context => {
  const { ask, register, repositories } = bench(context, whichRepository);
  register('a', 'new');
  repositories.get('a')!.progress = { phase: 'extract', fraction: 0.4 };
  await rejects(ask('symbols.search', { q: 'x' }), 'notReady', ({ extras }) => {
    assert.equal(extras.retryAfterSeconds, 1);
    assert.deepEqual(extras.details, { progress: { phase: 'extract', fraction: 0.4 } });
  });
  assert.equal((await bodyOf(ask('delta.status')))['activeSnapshotId'], 'a', 'what tells of the index is answered');
  repositories.get('a')!.snapshot = snapshot(1);
  await rejects(ask('symbols.search', { q: 'x', sync: true }), 'indexStale');
});

test('an index is looked at before each question, and none that is gone is asked (P11)', async context => {
  const { ask, register, losesIndex } = bench(context, { 'symbols.search': () => emptySearch });
  register('a');
  await ask('symbols.search', { q: 'x' });
  losesIndex('a');
  await rejects(ask('symbols.search', { q: 'x' }), 'notReady');
});

test('an entity tag binds repository, snapshot, evidence, operation and parameters', async context => {
  const { ask, register, repositories } = bench(context, { 'symbols.search': () => emptySearch });
  register('a');
  register('b');
  const tag = async (input: Record<string, unknown>) => {
    const reply = await ask('symbols.search', input);
    return reply.kind === 'document' ? reply.etag! : '';
  };
  const first = await tag({ q: 'x', repo: 'a' });
  assert.match(first, /^W\/"[\w-]+"$/);
  assert.equal(await tag({ repo: 'a', q: 'x', limit: 50 }), first, 'a default said aloud is the same question');
  const reply = await ask('symbols.search', { q: 'x', repo: 'a' }, { ifNoneMatch: `"other", ${first}` });
  assert.deepEqual(reply, { kind: 'unchanged', etag: first });
  const others = [await tag({ q: 'y', repo: 'a' }), await tag({ q: 'x', repo: 'b' })];
  repositories.get('a')!.snapshot = snapshot(2);
  others.push(await tag({ q: 'x', repo: 'a' }));
  repositories.get('a')!.snapshot = { ...snapshot(1), evidenceId: 'e' };
  others.push(await tag({ q: 'x', repo: 'a' }));
  repositories.get('a')!.snapshot = snapshot(1);
  for (const pendingChanges of [1, 2]) {
    repositories.get('a')!.follow = { status: () => ({ pendingChanges }) } as never;
    others.push(await tag({ q: 'x', repo: 'a' }));
  }
  assert.equal(new Set([first, ...others]).size, 7, 'and how far the index is behind the tree, which answers tell');
});

test('what tells of the disk as well has an entity tag of what it says, whenever it says so', async context => {
  let recommendation = 'one';
  const { ask, register } = bench(context, {
    'environment.pythonEnv': (_, { now }) => ({
      ...{ activeVenv: '', isActive: false, detectedVenvs: [], hasPyproject: false, hasRequirements: false },
      ...{ hasPipfile: false, packageManager: 'none', recommendation, timestamp: now.toISOString() },
    }),
  });
  register('a');
  const { etag } = await ask('environment.pythonEnv');
  assert.match(etag!, /^W\/"/);
  assert.deepEqual(await ask('environment.pythonEnv', {}, { ifNoneMatch: etag }), { kind: 'unchanged', etag });
  recommendation = 'other';
  const second = await ask('environment.pythonEnv', {}, { ifNoneMatch: etag });
  assert.equal(second.kind, 'document');
  assert.notEqual(second.etag, etag);
});

test('an answer that was made elsewhere, of the disk, has the tag that came with it', async context => {
  let told = encodedAnswer('{"decisions":[],"timestamp":"1"}', 'one');
  const { ask, register } = bench(context, { 'decisions.list': () => told });
  register('a');
  const first = await ask('decisions.list');
  assert.deepEqual(
    [first.kind, first.kind === 'document' && first.body],
    ['document', '{"decisions":[],"timestamp":"1"}'],
  );
  told = encodedAnswer('{"decisions":[],"timestamp":"2"}', 'one');
  assert.equal((await ask('decisions.list', {}, { ifNoneMatch: first.etag })).kind, 'unchanged');
  told = encodedAnswer('{"decisions":[1],"timestamp":"2"}', 'two');
  assert.equal((await ask('decisions.list', {}, { ifNoneMatch: first.etag })).kind, 'document');
});

test('whether there is anything for * to name is known with the answer', async context => {
  const { ask, register } = bench(context, {
    'symbols.search': ({ q }) => {
      if (q === 'none') throw new Fault('symbolNotFound', 'There is none');
      return emptySearch;
    },
  });
  register('a');
  const any = { ifNoneMatch: '*' };
  await rejects(ask('symbols.search', { q: 'none' }, any), 'symbolNotFound');
  const { kind, etag } = await ask('symbols.search', { q: 'x' }, any);
  assert.deepEqual([kind, etag !== undefined], ['document', true]);
});

test('what was committed has the entity tag of the tree that answered, for it changes without a publication', async context => {
  let tree: string | undefined = 'one';
  let made = 0;
  const { ask, register } = bench(context, {
    'symbols.search': (_, { holds }) => {
      if (tree !== undefined && holds?.(tree)) return encodedAnswer('', tree);
      made++;
      return encodedAnswer(JSON.stringify(emptySearch), tree);
    },
  });
  register('a');
  const input = { q: 'x', repoStateMode: 'head' };
  const first = await ask('symbols.search', input);
  const { etag } = first;
  assert.equal(first.kind, 'document');
  assert.ok(etag !== undefined);
  assert.deepEqual(await ask('symbols.search', input, { ifNoneMatch: etag }), { kind: 'unchanged', etag });
  assert.equal(made, 1, 'a handler can know that its answer is held');
  tree = 'two';
  const second = await ask('symbols.search', input, { ifNoneMatch: etag });
  assert.equal(second.kind, 'document');
  assert.notEqual(second.etag, etag);
  tree = undefined;
  assert.equal((await ask('symbols.search', input, { ifNoneMatch: '*' })).etag, undefined, 'no tree, no tag');
});

const emptySearch = {
  query: 'x',
  results: [],
  total: 0,
  hasMore: false,
  snapshotId: 'sha256:1',
  completeness: {
    dirtyFiles: 0,
    skippedFiles: 0,
    failedFiles: 0,
    partialFiles: 0,
    unresolvedCandidates: 0,
    languagesWithoutIndexer: [],
  },
  timestamp: '2030-01-01T00:00:00.000Z',
};

test('a query that takes too long is told so, and its handler hears of it', async context => {
  let signal: AbortSignal | undefined;
  const slow = (_: unknown, context: RequestContext) => {
    signal = context.signal;
    return new Promise<never>(() => {});
  };
  const { ask, clock } = bench(context, { 'system.health': slow });
  const usual = rejects(ask('system.health'), 'timeout');
  await clock.advance(29_999);
  assert.equal(signal?.aborted, false);
  await clock.advance(1);
  await usual;
  assert.equal(signal?.aborted, true);
  const hasty = rejects(ask('system.health', {}, { deadlineMs: 50 }), 'timeout');
  await clock.advance(50);
  await hasty;
});

const awaited: readonly (readonly [operation: OperationName, input: Record<string, unknown>])[] = [
  ['indexing.index', {}],
  ['refresh.run', {}],
  ['jobs.get', { id: 'job-1', wait: true }],
];

test('a job is waited for as long as it takes by whom it tells how far it is, else for ten minutes', async context => {
  for (const [operation, input] of awaited) {
    const { ask, clock, register } = bench(context, { [operation]: () => new Promise<never>(() => {}) });
    register('a');
    const unheard = rejects(ask(operation, input), 'timeout', ({ extras }) => {
      assert.deepEqual(extras.details, { timeoutMs: 600_000 }, operation);
    });
    const abort = new AbortController();
    let isWaiting = true;
    const told = rejects(ask(operation, input, { abort, onProgress() {} }), 'cancelled').then(() => {
      isWaiting = false;
    });
    const hasty = rejects(ask(operation, input, { deadlineMs: 700_000, onProgress() {} }), 'timeout');
    await clock.advance(600_000);
    await unheard;
    await clock.advance(100_000);
    await hasty;
    await clock.advance(7 * 24 * 3_600_000);
    assert.equal(isWaiting, true);
    abort.abort();
    await told;
  }
});

test('a job that is only looked at has the time of any question', async context => {
  const { ask, clock } = bench(context, { 'jobs.get': () => new Promise<never>(() => {}) });
  const told = rejects(ask('jobs.get', { id: 'job-1' }, { onProgress() {} }), 'timeout');
  await clock.advance(30_000);
  await told;
});

test('a caller that goes away is told nothing more, and its handler hears of it', async context => {
  const { ask } = bench(context, { 'system.health': () => new Promise<never>(() => {}) });
  const gone = new AbortController();
  const reply = rejects(ask('system.health', {}, { abort: gone }), 'cancelled');
  gone.abort();
  await reply;
});

test('whatever else is thrown is no business of the caller’s; the log has it', async context => {
  const { ask, seen } = bench(context, {
    'system.health': () => {
      throw new TypeError('/home/me/secret');
    },
  });
  await rejects(ask('system.health'), 'operationFailed', fault => assert.ok(!fault.message.includes('secret')));
  const [observation] = seen;
  assert.ok(observation?.kind === 'request.finished' && observation.cause instanceof TypeError);
});

test('an answer past the budget is not sent', async context => {
  const long = { ...emptySearch, query: 'x'.repeat(10_000) };
  const { ask, register } = bench(context, { 'symbols.search': () => long });
  register('a');
  await rejects(ask('symbols.search', { q: 'x' }), 'tooLarge');
});

test('without the token only what is public is told', async context => {
  const { ask } = bench(context, {
    'system.health': (_, { now }) => ({ status: 'healthy', timestamp: now.toISOString(), version: '1' }),
  });
  const anonymous: Partial<DispatchRequest> = { principal: { kind: 'anonymous' } };
  assert.equal((await bodyOf(ask('system.health', {}, anonymous)))['status'], 'healthy');
  await rejects(ask('daemon.status', {}, anonymous), 'unauthorized');
  await rejects(ask('no.such' as OperationName), 'methodNotFound');
});

test('ids are slugs with a number on a clash; the same root is the same repository', context => {
  const { repositories } = bench(context);
  const [first, second] = [temporaryFolder(context).root, temporaryFolder(context).root];
  const added = repositories.add(first, undefined).repository;
  assert.match(added.record.id, /^[a-z0-9._-]+$/);
  assert.deepEqual(repositories.add(first, undefined), { repository: added, created: false });
  assert.throws(() => repositories.add(first, 'other'), Fault);
  assert.throws(() => repositories.add(second, added.record.id), Fault);
  assert.equal(repositories.add(second, 'mine').repository.record.id, 'mine');
});
