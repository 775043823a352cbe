import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault, type FaultReason } from '../../../client/protocol/faults.ts';
import type { StoredJob, StoredJobState } from '../../../daemon/store/daemon-db.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { randomFrom } from '../../support/synthetic.ts';
import { type Bench, bench } from './queue-bench.ts';

/** What is promised of the default configuration. */
const mostQueued = 1000;
const endedKept = 1000;

/** A job as it ought to be. */
interface ModelJob {
  readonly id: string;
  readonly type: 'test' | 'background';
  readonly large: boolean;
  readonly createdAt: number;
  state: StoredJobState;
  /** The first ending that its run was told; it takes effect when promises settle, unless the job is cancelled before. */
  ending: 'completed' | 'failed' | undefined;
  completedAt: number | undefined;
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  '': ['queued'],
  queued: ['running', 'cancelled'],
  running: ['running', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

test('ten thousand random events, deaths of the process among them, leave each job as the model has it (P49)', async context => {
  const clock = fakeClock();
  const table = bench(context, { clock, maxQueued: mostQueued });
  const random = randomFrom(7);
  const model = new Map<string, ModelJob>();
  const ids: string[] = [];
  const seen = { refused: 0, cancelled: 0, learned: 0, interrupted: 0 };
  for (let step = 0; step < 10_000; step++) {
    // Twice a flood of new jobs fills the queue, and what comes between empties it.
    const isFlood = step % 5000 < 1300;
    const job = model.get(someId(table, ids, random));
    const choice = random();
    if (choice < (isFlood ? 0.9 : 0.1)) seen.refused += add(table, model, ids, random, clock) ? 0 : 1;
    else if (choice < 0.92) {
      const wasActive = isActive(job);
      cancelOrLearn(table, job, clock);
      seen[wasActive ? 'cancelled' : 'learned']++;
    } else if (choice < 0.979) endSomeRun(table, model, random);
    else if (choice < 0.98) seen.interrupted += await die(table, model, clock);
    else await settle(table, model, clock, random() * 5000);
  }
  await settle(table, model, clock, 1);
  const kept = keptOf([...model.values()]);
  for (const job of model.values()) assertAsModelled(table, job, kept.has(job.id));
  assertAllowedWays(table);
  assert.ok(
    seen.refused > 100 && seen.cancelled > 100 && seen.learned > 100 && seen.interrupted > 5,
    JSON.stringify(seen),
  );
});

/** One whose run has begun, or any: old jobs have ended, most of them, so that the new ones are looked at more often. */
function someId({ runs }: Bench, ids: readonly string[], random: () => number): string {
  const [from, skew] = random() < 0.5 ? [[...runs.keys()], 0.02] : [ids, 0.1];
  return from[Math.floor(random() ** skew * from.length)] ?? '';
}

/** Queues a job where there is room, and is refused where there is none; whether it was queued. */
function add(
  { queue }: Bench,
  model: Map<string, ModelJob>,
  ids: string[],
  random: () => number,
  clock: FakeClock,
): boolean {
  const type = random() < 0.2 ? 'background' : 'test';
  const large = random() < 0.2;
  const waiting = [...model.values()].filter(({ state }) => state === 'queued').length;
  if (waiting >= mostQueued) {
    assert.throws(() => queue.add(type, { input: { large } }), isFault('rateLimited', 429));
    return false;
  }
  const { id } = queue.add(type, { input: { large } });
  const createdAt = clock.now().getTime();
  model.set(id, { id, type, large, createdAt, state: 'queued', ending: undefined, completedAt: undefined });
  ids.push(id);
  return true;
}

/** A job that waits or runs is cancelled at once, its run told so; of one that has ended, a cancelled one included, its state is told. */
function cancelOrLearn({ queue, runs }: Bench, job: ModelJob | undefined, clock: FakeClock): void {
  if (job === undefined) {
    assert.throws(() => queue.cancel('none'), isFault('resourceNotFound', 404));
    return;
  }
  if (!isActive(job)) {
    const refusal = queue.get(job.id) === undefined ? isFault('resourceNotFound', 404) : isEnded(job.state);
    assert.throws(() => queue.cancel(job.id), refusal);
    return;
  }
  queue.cancel(job.id);
  job.state = 'cancelled';
  job.completedAt = clock.now().getTime();
  const { state, completedAt } = queue.get(job.id)!;
  assert.deepEqual([state, completedAt], ['cancelled', job.completedAt]);
  assert.notEqual(runs.get(job.id)?.context.signal.aborted, false);
}

/** Has a run report, succeed or fail, or tell another ending after its first, which must change nothing. */
function endSomeRun({ runs }: Bench, model: ReadonlyMap<string, ModelJob>, random: () => number): void {
  const told = [...runs].filter(([id]) => model.get(id)!.state === 'running' || random() < 0.02);
  const [id, run] = told[Math.floor(random() * told.length)] ?? [];
  if (id === undefined || run === undefined) return;
  const job = model.get(id)!;
  const choice = random();
  run.context.report(random(), 'phase');
  if (choice < 0.2) return;
  const ending = choice < 0.8 ? 'completed' : 'failed';
  if (ending === 'completed') run.succeed();
  else run.fail(new Error('broken'));
  job.ending ??= ending;
}

/** What ran when the process dies has failed, and what waited waits; how many ran. */
async function die(table: Bench, model: Map<string, ModelJob>, clock: FakeClock): Promise<number> {
  await settle(table, model, clock, 1);
  const ran = [...model.values()].filter(({ state }) => state === 'running');
  table.dieAndRecover();
  for (const job of ran) {
    job.state = 'failed';
    job.completedAt = clock.now().getTime();
    assert.equal(table.queue.get(job.id)?.error?.code, 'interrupted');
  }
  await settle(table, model, clock, 1);
  return ran.length;
}

/** Lets promises settle and time pass; then what was told to end has ended, and what may run does. */
async function settle(table: Bench, model: Map<string, ModelJob>, clock: FakeClock, ms: number): Promise<void> {
  const atMs = clock.now().getTime();
  await clock.advance(ms);
  for (const job of model.values()) {
    if (job.ending !== undefined && job.state === 'running') {
      job.state = job.ending;
      job.completedAt = atMs;
    } else if (job.state === 'queued' && table.runs.has(job.id)) job.state = 'running';
  }
  assertFairness([...model.values()]);
  const { running, queued } = counted(model.values());
  assert.deepEqual(table.queue.counts(), { running, queued });
}

/** No more run than may, none waits that could run, and of its kind the oldest begins first. */
function assertFairness(jobs: readonly ModelJob[]): void {
  for (const [type, width] of [
    ['test', 2],
    ['background', 1],
  ] as const) {
    const own = jobs.filter(job => job.type === type);
    const running = own.filter(({ state }) => state === 'running');
    const isLargeRunning = running.some(({ large }) => large);
    assert.ok(running.length <= width && running.filter(({ large }) => large).length <= 1);
    for (const large of [true, false]) {
      const kind = own.filter(job => job.large === large);
      const firstWaiting = kind.findIndex(({ state }) => state === 'queued');
      if (firstWaiting < 0) continue;
      assert.ok(running.length === width || (large && isLargeRunning), 'it could run');
      assert.ok(!kind.slice(firstWaiting).some(({ state }) => state === 'running'), 'it was passed by');
    }
  }
}

function counted(jobs: Iterable<ModelJob>): { readonly running: number; readonly queued: number } {
  const states = [...jobs].map(({ state }) => state);
  return {
    running: states.filter(state => state === 'running').length,
    queued: states.filter(state => state === 'queued').length,
  };
}

/** Those that wait or run, and of the others the last to end. */
function keptOf(jobs: readonly ModelJob[]): ReadonlySet<string> {
  const ended = jobs.filter(job => !isActive(job));
  const last = ended.sort(
    (a, b) => b.completedAt! - a.completedAt! || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  );
  return new Set([...jobs.filter(isActive), ...last.slice(0, endedKept)].map(({ id }) => id));
}

/** In memory and in the file. */
function assertAsModelled({ queue, database }: Bench, job: ModelJob, isKept: boolean): void {
  if (!isKept) {
    assert.equal(queue.get(job.id), undefined);
    return;
  }
  for (const found of [queue.get(job.id), database.job(job.id)] as StoredJob[]) {
    assert.deepEqual(
      [found.state, found.createdAt, found.completedAt],
      [job.state, job.createdAt, job.completedAt],
      job.id,
    );
    const { startedAt = found.createdAt, completedAt = startedAt } = found;
    assert.ok(found.createdAt <= startedAt && startedAt <= completedAt);
    assert.equal(found.progress === 100, found.state === 'completed');
    assert.equal(found.error !== undefined, found.state === 'failed');
  }
}

function assertAllowedWays({ states }: Bench): void {
  const last = new Map<string, string>();
  for (const { id, state } of states) {
    const from = last.get(id) ?? '';
    assert.ok(allowed[from]!.includes(state), `${id}: ${from} → ${state}`);
    last.set(id, state);
  }
}

function isActive(job: ModelJob | undefined): boolean {
  return job?.state === 'queued' || job?.state === 'running';
}

function isEnded(status: StoredJobState) {
  return isFault('preconditionFailed', 412, { status });
}

function isFault(reason: FaultReason, status: number, details?: object) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault);
    assert.deepEqual([error.reason, error.row.status], [reason, status]);
    if (details !== undefined) assert.deepEqual(error.extras.details, details);
    return true;
  };
}
