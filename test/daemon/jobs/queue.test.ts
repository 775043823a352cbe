import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { bench, turn } from './queue-bench.ts';

const never = new AbortController().signal;

test('a job is queued, runs, reports and completes', async context => {
  const { queue, runs } = bench(context);
  const { id } = queue.add('test', { repo: 'r', input: { a: 1 } });
  assert.equal(queue.get(id)?.state, 'queued');
  await turn();
  assert.equal(queue.get(id)?.state, 'running');
  runs.get(id)!.context.report(0.5, 'half');
  assert.deepEqual([queue.get(id)?.progress, queue.get(id)?.message], [50, 'half']);
  runs.get(id)!.context.report(0.2, 'back');
  assert.equal(queue.get(id)?.progress, 50, 'progress never falls');
  const ended = queue.ended(id, never);
  runs.get(id)!.succeed();
  const job = await ended;
  assert.deepEqual([job.state, job.progress, job.result], ['completed', 100, { done: id }]);
  assert.ok(job.createdAt <= job.startedAt! && job.startedAt! <= job.completedAt!);
});

test('background jobs run one at a time and take no place of the others', async context => {
  const { queue, runs } = bench(context);
  const [first, second] = [1, 2].map(n => queue.add('background', { input: { n } }).id);
  const [a, b, c] = [3, 4, 5].map(n => queue.add('test', { input: { n } }).id);
  await turn();
  assert.deepEqual([...runs.keys()], [first, a, b]);
  runs.get(a!)!.succeed();
  await queue.ended(a!, never);
  await turn();
  assert.ok(runs.has(c!) && !runs.has(second!));
  runs.get(first!)!.succeed();
  await queue.ended(first!, never);
  await turn();
  assert.ok(runs.has(second!));
});

test('a job that waits says for what, and how many are before it', async context => {
  const { queue, runs } = bench(context);
  const [first, second, third] = ['a', 'b', 'c'].map(repo => queue.add('background', { repo }).id);
  const message = (id: string) => queue.get(id)?.message;
  await turn();
  assert.deepEqual(
    [first, second, third].map(id => message(id!)),
    [undefined, 'Waiting for background in a', 'Waiting for background in a, then for 1 job before this one'],
  );
  runs.get(first!)!.context.report(0.1, 'scip-go');
  assert.equal(message(second!), 'Waiting for scip-go in a');
  const large = ['d', 'e'].map(repo => queue.add('test', { repo, input: { large: true } }).id);
  const small = ['f', 'g'].map(repo => queue.add('test', { repo }).id);
  await turn();
  const listed = queue.list({ state: 'queued', limit: 10 }).jobs;
  assert.deepEqual(Object.fromEntries(listed.map(job => [job.repo, job.message])), {
    b: 'Waiting for scip-go in a',
    c: 'Waiting for scip-go in a, then for 1 job before this one',
    e: 'Waiting for test in d',
    g: 'Waiting for test in d, then for 1 job before this one',
  });
  assert.deepEqual(
    [large[0], small[0]].map(id => message(id!)),
    [undefined, undefined],
  );
});

test('what only those who wait want does not begin once they have left', async context => {
  const { queue, runs } = bench(context);
  const input = { n: 1 };
  const ask = (repo: string, isForWaiters: boolean) => queue.addOnce('background', { repo, input, isForWaiters }).id;
  const [running, wanted, left, kept] = ['a', 'b', 'c', 'd'].map(repo => ask(repo, true));
  const waiters = [running, wanted, wanted, left, kept].map(id => {
    const controller = new AbortController();
    const ended = queue.ended(id!, controller.signal);
    return { ended, leave: () => controller.abort(), id };
  });
  assert.equal(ask('d', false), kept, 'somebody wants it, whoever waits');
  await turn();
  for (const at of [0, 1, 3, 4]) {
    waiters[at]!.leave();
    await assert.rejects(waiters[at]!.ended);
  }
  await turn();
  const states = [running, wanted, left, kept].map(id => queue.get(id!)?.state);
  assert.deepEqual(states, ['running', 'queued', 'cancelled', 'queued']);
  runs.get(running!)!.succeed();
  await queue.ended(running!, never);
  await turn();
  assert.equal(queue.get(wanted!)?.state, 'running');
  runs.get(wanted!)!.succeed();
  await waiters[2]!.ended;
});

test('large jobs run one after the other, and the others pass them by', async context => {
  const { queue, runs } = bench(context);
  const [first, second, third] = [1, 2, 3].map(n => queue.add('test', { input: { large: true, n } }).id);
  const [small, smaller] = [4, 5].map(n => queue.add('test', { input: { n } }).id);
  await turn();
  assert.deepEqual([...runs.keys()], [first, small]);
  runs.get(small!)!.succeed();
  await queue.ended(small!, never);
  await turn();
  assert.deepEqual([...runs.keys()], [first, small, smaller]);
  runs.get(first!)!.succeed();
  await queue.ended(first!, never);
  await turn();
  assert.deepEqual([...runs.keys()], [first, small, smaller, second]);
  assert.equal(queue.get(third!)?.state, 'queued');
});

test('what a job is told failed is public; anything else stays in the log', async context => {
  const { queue, runs, faults } = bench(context);
  const [fault, crash, full] = [1, 2, 3].map(n => queue.add('test', { input: { n } }));
  await turn();
  const bug = new Error('/secret/path');
  const noRoom = new StoreError('diskFull', '/secret/path');
  runs.get(fault!.id)!.fail(new Fault('storageFailed', 'no space'));
  assert.deepEqual((await queue.ended(fault!.id, never)).error, { code: 'BACKEND_UNAVAILABLE', message: 'no space' });
  runs.get(crash!.id)!.fail(bug);
  const { error } = await queue.ended(crash!.id, never);
  assert.equal(error?.code, 'OPERATION_FAILED');
  assert.ok(!error?.message.includes('secret'));
  await turn();
  runs.get(full!.id)!.fail(noRoom);
  const message = 'The index could not be written: the disk is full';
  assert.deepEqual((await queue.ended(full!.id, never)).error, {
    ...{ code: 'BACKEND_UNAVAILABLE', message, reason: 'disk_full' },
  });
  assert.deepEqual(faults, [bug, noRoom]);
});

test('what the disk had no room for is told as it is, and saved once there is room (P22, P49)', async context => {
  const clock = fakeClock();
  const { queue, runs, database, faults, dieAndRecover } = bench(context, { clock });
  const kept = queue.add('test', { repo: 'a' }).id;
  const { id } = queue.add('test', { repo: 'b' });
  await turn();
  const noRoom = new StoreError('diskFull', 'no room');
  const { mock } = context.mock.method(database, 'saveJob', () => {
    throw noRoom;
  });
  runs.get(id)!.fail(new Fault('storageFailed', 'the disk is full'));
  assert.equal((await queue.ended(id, never)).state, 'failed');
  const unheard = queue.add('background', { repo: 'c' }).id;
  await turn();
  assert.deepEqual([queue.get(id)?.state, database.job(id)?.state], ['failed', 'running']);
  assert.deepEqual(await queue.ended(id, never), queue.get(id));
  assert.throws(() => queue.cancel(id), { message: 'The job is failed already' });
  const told = (filter: { readonly state?: 'running' | 'failed'; readonly limit?: number }) => {
    const { jobs, total } = queue.list({ limit: 10, ...filter });
    return [total, new Set(jobs.map(job => job.id))];
  };
  assert.deepEqual(told({ state: 'failed' }), [1, new Set([id])]);
  assert.deepEqual(told({ state: 'running' }), [2, new Set([kept, unheard])]);
  assert.deepEqual(told({}), [3, new Set([kept, id, unheard])]);
  assert.equal(queue.list({ limit: 1 }).jobs.length, 1);
  mock.restore();
  await clock.advance(60_000);
  assert.deepEqual([database.job(id)?.error?.message, database.job(unheard)?.state], ['the disk is full', 'running']);
  assert.deepEqual([told({})[0], new Set(faults)], [3, new Set([noRoom])]);
  dieAndRecover();
  assert.equal(database.job(id)?.error?.message, 'the disk is full', 'it was not interrupted');
});

test('cancelling acts at once, and an ended job cannot be cancelled', async context => {
  const { queue, runs, faults } = bench(context);
  const { id } = queue.add('test', {});
  await turn();
  assert.equal(queue.cancel(id).state, 'cancelled');
  assert.equal(runs.get(id)!.context.signal.aborted, true);
  runs.get(id)!.fail(runs.get(id)!.context.signal.reason as Error);
  await turn();
  assert.equal(queue.get(id)?.state, 'cancelled', 'the late end of its run changes nothing');
  assert.deepEqual(faults, [], 'and is no fault');
  assert.throws(
    () => queue.cancel(id),
    (error: unknown) =>
      error instanceof Fault &&
      error.reason === 'preconditionFailed' &&
      error.extras.details?.['status'] === 'cancelled',
  );
  assert.throws(
    () => queue.cancel('no-such'),
    (error: unknown) => error instanceof Fault && error.reason === 'resourceNotFound',
  );
});

test('the queue has a bound, and two run at a time', async context => {
  const { queue, runs } = bench(context, { maxQueued: 3 });
  const added = [0, 1, 2].map(() => queue.add('test', {}));
  assert.throws(
    () => queue.add('test', {}),
    (error: unknown) => error instanceof Fault && error.reason === 'rateLimited',
  );
  await turn();
  assert.deepEqual(queue.counts(), { queued: 1, running: 2 });
  runs.get(added[0]!.id)!.succeed();
  await queue.ended(added[0]!.id, never);
  await turn();
  assert.deepEqual(queue.counts(), { queued: 0, running: 2 });
});

test('the same work that waits or runs is found', async context => {
  const { queue } = bench(context);
  const { id } = queue.add('test', { repo: 'r', input: { force: false } });
  assert.equal(queue.findActive('test', 'r', { force: false })?.id, id);
  assert.equal(queue.findActive('test', 'r', { force: true }), undefined);
  assert.equal(queue.findActive('test', 'other', { force: false }), undefined);
});

test('after a death what ran is interrupted and what waited runs', async context => {
  const file = `${temporaryFolder(context).root}/daemon.db`;
  const before = bench(context, { file });
  const jobs = [0, 1, 2].map(() => before.queue.add('test', { repo: 'r' }));
  await turn();
  const after = bench(context, { file });
  after.queue.recover();
  for (const job of jobs.slice(0, 2)) {
    const found = after.queue.get(job.id);
    assert.deepEqual([found?.state, found?.error?.code], ['failed', 'interrupted']);
  }
  await turn();
  assert.equal(after.queue.get(jobs[2]!.id)?.state, 'running');
});

test('how far a job was outlives the process, and costs a write a second at most', async context => {
  const file = `${temporaryFolder(context).root}/daemon.db`;
  const clock = fakeClock();
  const { queue, runs, database } = bench(context, { file, clock });
  const { id } = queue.add('test', {});
  await turn();
  const { report } = runs.get(id)!.context;
  const noted = () => [database.job(id)?.progress, database.job(id)?.message];
  report(0.1, 'extract');
  await clock.advance(999);
  assert.deepEqual(noted(), [0, undefined]);
  report(0.25, 'extract');
  await clock.advance(1);
  assert.deepEqual(noted(), [25, 'extract']);
  report(0.251, 'extract');
  report(0.3, 'link');
  await clock.advance(999);
  assert.deepEqual(noted(), [25, 'extract']);
  await clock.advance(1);
  assert.deepEqual(noted(), [30, 'link']);
  report(0.4, 'link');
  const next = bench(context, { file });
  next.queue.recover();
  assert.deepEqual([next.queue.get(id)?.state, next.queue.get(id)?.progress], ['failed', 30]);
});

test('progress that was about to be noted changes nothing of a job that has ended', async context => {
  const clock = fakeClock();
  const { queue, runs, database, faults } = bench(context, { clock });
  const { id } = queue.add('test', {});
  await turn();
  runs.get(id)!.context.report(0.5, 'half');
  runs.get(id)!.succeed();
  await queue.ended(id, never);
  await clock.advance(5000);
  assert.deepEqual([database.job(id)?.state, database.job(id)?.progress, faults], ['completed', 100, []]);
});

test('closing interrupts what runs', async context => {
  const { queue, database } = bench(context);
  const { id } = queue.add('test', {});
  await turn();
  await queue.close(0);
  assert.deepEqual([database.job(id)?.state, database.job(id)?.error?.code], ['failed', 'interrupted']);
  assert.throws(
    () => queue.add('test', {}),
    (error: unknown) => error instanceof Fault && error.reason === 'shuttingDown',
  );
});

test('whoever stops waiting leaves the job running', async context => {
  const { queue, runs } = bench(context);
  const { id } = queue.add('test', {});
  const patience = new AbortController();
  const ended = queue.ended(id, patience.signal);
  patience.abort(new Error('enough'));
  await assert.rejects(ended, /enough/);
  await turn();
  assert.equal(queue.get(id)?.state, 'running');
  runs.get(id)!.succeed();
  assert.equal((await queue.ended(id, never)).state, 'completed');
});

test('whoever waits when the queue closes is told that another daemon has it, or gets what ends in time', async context => {
  const clock = fakeClock();
  const { queue, database, runs } = bench(context, { clock });
  const [quick, slow, unawaited] = [1, 2, 3].map(n => queue.add('test', { input: { n } }));
  await turn();
  const ends = [quick, slow].map(job => queue.ended(job!.id, never));
  const waits = queue.ended(unawaited!.id, never);
  const closed = queue.close(5000);
  await assert.rejects(waits, { reason: 'shuttingDown' });
  assert.equal(database.job(unawaited!.id)?.state, 'queued');
  assert.throws(() => queue.add('test', {}), { reason: 'shuttingDown' });
  runs.get(quick!.id)!.succeed();
  assert.equal((await ends[0])!.state, 'completed');
  await turn();
  assert.equal(runs.size, 2, 'none begins any more');
  const told = assert.rejects(ends[1]!, { reason: 'shuttingDown' });
  await clock.advance(5000);
  await told;
  await closed;
  assert.equal(database.job(slow!.id)?.error?.code, 'interrupted');
  await assert.rejects(queue.ended(unawaited!.id, never), { reason: 'shuttingDown' });
});

test('a queue that winds down begins what somebody waits for, whenever it came, and nothing else', async context => {
  const { queue, database, runs } = bench(context);
  const ids = [1, 2, 3].map(n => queue.add('test', { input: { n } }).id);
  await turn();
  queue.windDown();
  const awaited = queue.add('test', {}).id;
  const late = queue.add('test', { input: { late: true } }).id;
  const ended = queue.ended(awaited, never);
  runs.get(ids[0]!)!.succeed();
  await turn();
  assert.deepEqual([...runs.keys()], [ids[0], ids[1], awaited]);
  runs.get(awaited)!.succeed();
  assert.equal((await ended).state, 'completed');
  await turn();
  const alsoEnded = queue.ended(late, never);
  assert.ok(runs.has(late), 'somebody waits for it now');
  runs.get(late)!.succeed();
  await alsoEnded;
  const background = [true, false].map(isForWaiters => queue.add('background', { isForWaiters }).id);
  for (const id of background) await assert.rejects(queue.ended(id, never), { reason: 'shuttingDown' });
  await queue.close(0);
  for (const id of [ids[2]!, ...background]) assert.equal(database.job(id)?.state, 'queued', 'the next daemon has it');
});

test('nobody is kept waiting for what nobody waits for', async context => {
  const { queue, database } = bench(context, { clock: fakeClock() });
  const { id } = queue.add('test', {});
  await turn();
  await queue.close(5000);
  assert.equal(database.job(id)?.error?.code, 'interrupted');
});
