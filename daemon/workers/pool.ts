import { type ResourceLimits, Worker } from 'node:worker_threads';
import { isShortage } from '../model/shortage.ts';
import { type Calls, openPort, type Port, PortClosed } from './port.ts';
import type { ToPool } from './thread.ts';
import { createWatchdog, threadCpuMs, type Watchdog } from './watchdog.ts';

/** What every answer of a pooled worker says about the worker itself: it has done its share and wants to be replaced. */
export interface Wear {
  /** `at once`: what waits at its door must be given to another, for it will do no more. */
  readonly retire: boolean | 'at once';
}

export type PoolCalls = { readonly [name: string]: (input: never) => Wear };

export interface PoolOptions {
  /** The compiled file that the workers run. */
  readonly entry: URL;
  readonly size: number;
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** A worker without work ends after this long. */
  readonly idleMs: number;
  /** A worker that takes so much processor time over one task is stuck and is ended. */
  readonly stuckAfterMs: number;
  /** Processor time of a thread of this process; default: what the kernel says. */
  readonly threadCpuMs?: (thread: number) => number | undefined;
}

export interface RunOptions {
  /** Tasks of one lane run in order of arrival; lanes take turns. */
  readonly lane: string;
  readonly signal?: AbortSignal | undefined;
  /** The task goes to a worker; `place`, below twice the pool's size, is this task's alone until `onLand`. Both come again when it must be repeated. */
  readonly onStart?: (place: number) => void;
  readonly onLand?: (place: number) => void;
}

export interface WorkerPool<Theirs extends PoolCalls> {
  /**
   * Rejects with `WorkerLost` where the worker ended or got stuck in this very task, with the signal's reason on abort,
   * and like `Port.ask` otherwise. Tasks that waited behind a fatal one are run again by another worker.
   */
  run<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    options: RunOptions,
  ): Promise<ReturnType<Theirs[Name]>>;
  close(): Promise<void>;
}

/** The task cost its worker's life. */
export class WorkerLost extends Error {
  readonly how: 'crashed' | 'stuck';

  constructor(how: 'crashed' | 'stuck', cause: unknown) {
    super(`the worker ${how === 'stuck' ? 'got stuck' : 'crashed'}`, { cause });
    this.how = how;
  }
}

/** Starts workers as tasks arrive, ends them when they idle, replaces those that retire, crash or get stuck. */
export function createWorkerPool<Theirs extends PoolCalls>(options: PoolOptions): WorkerPool<Theirs> {
  return new Pool<Theirs>(options);
}

/** One task in work and one at the worker's door, so that it never waits for a busy dispatcher. */
const depth = 2;
/** So many workers dying young are no file's fault: the tasks fail as a whole, and no file is blamed. */
const maxStillborn = 8;
const tickMs = 500;

interface Task {
  readonly name: string;
  readonly input: unknown;
  readonly options: RunOptions;
  readonly resolve: (value: Wear) => void;
  readonly reject: (reason: unknown) => void;
  /** Its place at the worker's, 0 to depth − 1. */
  place: number;
  /** Workers that died in it before they had answered anything: their start may be to blame, not the task. */
  deaths: number;
}

interface Member {
  readonly number: number;
  readonly worker: Worker;
  readonly port: Port<Calls>;
  thread: number | undefined;
  /** Oldest first: the first is the one that the worker is at. */
  readonly tasks: Task[];
  /** Has answered at least once, so its start did not fail. */
  proven: boolean;
  retiring: boolean;
  /** No task is to blame for its end. */
  unfit: boolean;
  stuck: boolean;
  idleSinceMs: number;
}

class Pool<Theirs extends PoolCalls> implements WorkerPool<Theirs> {
  readonly #options: PoolOptions;
  readonly #members = new Set<Member>();
  readonly #lanes = new Map<string, Task[]>();
  readonly #watchdog: Watchdog;
  #ticking: NodeJS.Timeout | undefined;
  #closed = false;
  /** Workers in a row that died without an answer. */
  #stillborn = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { stuckAfterMs } = options;
    this.#watchdog = createWatchdog({ stuckAfterMs, tickMs, threadCpuMs: options.threadCpuMs ?? threadCpuMs });
  }

  run<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    options: RunOptions,
  ): Promise<ReturnType<Theirs[Name]>> {
    const { signal } = options;
    return new Promise<Wear>((resolve, reject) => {
      if (this.#closed) return reject(new PortClosed('the pool is closed'));
      if (signal?.aborted) return reject(signal.reason);
      // A worker can't be called off in mid-parse: it goes on, and nobody waits for it.
      const abandon = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', abandon, { once: true });
      const settled = (): void => signal?.removeEventListener('abort', abandon);
      const task: Task = {
        name,
        input,
        options,
        resolve: value => {
          settled();
          resolve(value);
        },
        reject: reason => {
          settled();
          reject(reason);
        },
        place: 0,
        deaths: 0,
      };
      const lane = this.#lanes.get(options.lane) ?? [];
      this.#lanes.set(options.lane, lane);
      lane.push(task);
      this.#dispatch();
    }) as Promise<ReturnType<Theirs[Name]>>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#ticking);
    const closed = new PortClosed('the pool was closed');
    for (const task of [...this.#lanes.values()].flat()) task.reject(closed);
    this.#lanes.clear();
    await Promise.all([...this.#members].map(member => member.worker.terminate()));
  }

  #dispatch(): void {
    while (this.#lanes.size > 0) {
      const member = this.#freest();
      if (member === undefined) return;
      const task = this.#nextTask();
      if (task === undefined) return;
      if (task.options.signal?.aborted) task.reject(task.options.signal.reason);
      else void this.#give(member, task);
    }
  }

  /** The lane whose turn it is goes to the back of the queue. */
  #nextTask(): Task | undefined {
    for (const [name, lane] of this.#lanes) {
      this.#lanes.delete(name);
      const task = lane.shift();
      if (lane.length > 0) this.#lanes.set(name, lane);
      if (task !== undefined) return task;
    }
    return undefined;
  }

  #freest(): Member | undefined {
    let best: Member | undefined;
    for (const member of this.#members) {
      if (member.retiring || member.tasks.length >= depth) continue;
      if (best === undefined || member.tasks.length < best.tasks.length) best = member;
    }
    if (best !== undefined && best.tasks.length === 0) return best;
    return this.#members.size < this.#options.size ? this.#hire() : best;
  }

  #hire(): Member {
    const worker = new Worker(this.#options.entry, {
      workerData: this.#options.workerData,
      ...(this.#options.resourceLimits === undefined ? {} : { resourceLimits: this.#options.resourceLimits }),
    });
    const taken = new Set([...this.#members].map(member => member.number));
    let number = 0;
    while (taken.has(number)) number++;
    const port = openPort<ToPool, Calls>(worker, {
      thread: told => {
        member.thread = told;
      },
    });
    const member: Member = {
      number,
      worker,
      port,
      thread: undefined,
      tasks: [],
      proven: false,
      retiring: false,
      unfit: false,
      stuck: false,
      idleSinceMs: performance.now(),
    };
    this.#members.add(member);
    worker.once('exit', () => {
      this.#members.delete(member);
      this.#dispatch();
    });
    this.#ticking ??= setInterval(() => this.#watch(), tickMs).unref();
    return member;
  }

  async #give(member: Member, task: Task): Promise<void> {
    task.place = [...Array(depth).keys()].find(place => !member.tasks.some(other => other.place === place)) ?? 0;
    member.tasks.push(task);
    const place = member.number * depth + task.place;
    task.options.onStart?.(place);
    try {
      const answer = (await member.port.ask(task.name, task.input as never)) as Wear;
      task.options.onLand?.(place);
      member.proven = true;
      this.#stillborn = 0;
      this.#done(member, task);
      if (answer.retire === 'at once') member.unfit = true;
      if (answer.retire !== false) this.#retire(member);
      task.resolve(answer);
    } catch (thrown) {
      task.options.onLand?.(place);
      if (thrown instanceof PortClosed) this.#lost(member, task, thrown);
      else {
        this.#done(member, task);
        task.reject(thrown);
      }
    }
    this.#dispatch();
  }

  /** The worker died: its first task is to blame, those behind it are innocent. */
  #lost(member: Member, task: Task, cause: PortClosed): void {
    member.retiring = true;
    if (this.#closed) task.reject(cause);
    else if (member.unfit || member.tasks[0] !== task) this.#again(task);
    else if (member.proven || member.stuck) task.reject(new WorkerLost(member.stuck ? 'stuck' : 'crashed', cause));
    else if (++this.#stillborn > maxStillborn || isShortage(cause)) task.reject(cause);
    else if (++task.deaths < 2) this.#again(task);
    else task.reject(new WorkerLost('crashed', cause));
  }

  #done(member: Member, task: Task): void {
    member.tasks.splice(member.tasks.indexOf(task), 1);
    member.idleSinceMs = performance.now();
    if (member.retiring && member.tasks.length === 0) void member.worker.terminate();
  }

  #retire(member: Member): void {
    member.retiring = true;
    if (member.unfit || member.tasks.length === 0) void member.worker.terminate();
  }

  #again(task: Task): void {
    this.#lanes.set(task.options.lane, [task, ...(this.#lanes.get(task.options.lane) ?? [])]);
  }

  #watch(): void {
    for (const member of this.#members) {
      const task = member.tasks[0];
      if (task === undefined) {
        if (performance.now() - member.idleSinceMs > this.#options.idleMs) this.#retire(member);
      } else if (this.#watchdog.isStuck({ thread: member.thread, task })) {
        member.stuck = true;
        void member.worker.terminate();
      }
    }
    if (this.#members.size === 0) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }
  }
}
