import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { exitFailure, type GitRun, type Leash, leashFor } from './git-process.ts';

/** What git has under a name. */
export interface GitObject {
  /** Its full hash. */
  readonly hash: string;
  /** `commit`, `tree`, `blob` or `tag`. */
  readonly type: string;
  readonly size: number;
  /** Undefined of one that is larger than was asked for. */
  readonly bytes: Buffer | undefined;
}

export interface ObjectLimits {
  /** A longer one is not read: its size is told. */
  readonly eachBytes: number;
  readonly allBytes: number;
}

export interface ObjectRun extends GitRun {
  /** Changes where objects are looked for in other folders than before: a process that was started earlier doesn't know. */
  readonly stores: string;
}

/**
 * Reads objects by way of `git cat-file --batch`, one process for each repository, which stays for a while: to start one
 * is to copy the page tables of this process, 0.1 ms for each megabyte resident. It holds open packs and nothing else, and
 * ends when its stdin does, however this process may have ended.
 */
export interface ObjectReader {
  /**
   * What git has under some names, in their order; undefined where nothing, or several. A name is a hash or the start of
   * one, with what git knows of ancestors and peeling (`~2`, `^{tree}`): nothing that a repository or a caller chose.
   * `run` says where, and bounds the call: a process that fails its bounds, or whose caller gave up, is ended. Rejects with
   * `GitFailed`.
   */
  read(run: ObjectRun, names: readonly string[], limits: ObjectLimits): Promise<readonly (GitObject | undefined)[]>;
  /** Resolves when all processes have gone. Those that are asked later are started as ever. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** A process that nothing is asked of ends after this long; default 15 s. */
  readonly idleMs?: number;
  /** Further repositories take the place of the one that waits longest; default 4. */
  readonly processes?: number;
}

export function createObjectReader({ idleMs = 15_000, processes = 4 }: ReaderOptions = {}): ObjectReader {
  /** The least recently used first. */
  const desks = new Map<string, Desk>();
  return {
    read(run, names, limits) {
      if (names.length === 0) return Promise.resolve([]);
      const desk = desks.get(run.cwd) ?? new Desk(idleMs);
      desks.delete(run.cwd);
      for (const [folder, other] of desks) {
        if (desks.size < processes) break;
        if (other.isBusy) continue;
        other.end();
        desks.delete(folder);
      }
      desks.set(run.cwd, desk);
      return desk.read(run, names, limits);
    },
    async close() {
      await Promise.all([...desks.values()].map(desk => desk.end()));
    },
  };
}

/** Where one repository is asked: one call after the other. */
class Desk {
  readonly #idleMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #process: BatchProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  async read(run: ObjectRun, names: readonly string[], limits: ObjectLimits): Promise<(GitObject | undefined)[]> {
    clearTimeout(this.#idleTimer);
    const leash = leashFor(run, limits.allBytes);
    this.#waiting++;
    const mine = this.#last.then(() => this.#answers(run, names, limits, leash));
    this.#last = mine.catch(() => {});
    try {
      return await Promise.race([mine, leash.broken]);
    } finally {
      leash.end();
      if (--this.#waiting === 0) this.#idleTimer = setTimeout(() => void this.end(), this.#idleMs).unref();
    }
  }

  end(): Promise<unknown> {
    clearTimeout(this.#idleTimer);
    const process = this.#process;
    this.#process = undefined;
    return process?.end() ?? Promise.resolve();
  }

  async #answers(run: ObjectRun, names: readonly string[], limits: ObjectLimits, leash: Leash) {
    const found: (GitObject | undefined)[] = [];
    const end = (): void => void this.end();
    leash.signal.addEventListener('abort', end, { once: true });
    try {
      while (found.length < names.length) {
        leash.signal.throwIfAborted();
        const isFresh = this.#process?.isAlive !== true || this.#process.stores !== run.stores;
        if (isFresh) await this.end();
        this.#process ??= new BatchProcess(run);
        const before = found.length;
        const outcome = await this.#process.exchange(names.slice(before), limits.eachBytes, leash, found);
        leash.signal.throwIfAborted();
        if (outcome === 'answered') continue;
        this.#process = undefined;
        // One that died while nobody asked is nobody's failure: another takes its place.
        if (outcome !== 'left' && (isFresh || found.length > before)) throw exitFailure(run, outcome);
      }
      return found;
    } finally {
      leash.signal.removeEventListener('abort', end);
    }
  }
}

/** `answered`: all of it; `left`: it was ended before the last, as what followed was too long; else how it ended. */
type Outcome = 'answered' | 'left' | number | null;

/** What is too long to be kept, and no longer than this, is let pass; of anything longer the process is rid of sooner. */
const letPassBytes = 4 * 1024 * 1024;
const longestHeader = 512;

class BatchProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #exchange: Exchange | undefined;
  readonly stores: string;
  isAlive = true;

  constructor({ program, arguments: words, cwd, env, stores }: ObjectRun) {
    this.stores = stores;
    const child = spawn(program, words, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    this.#ended = new Promise(resolve => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(error.errno ?? null));
      child.once('close', resolve);
    });
    void this.#ended.then(() => {
      this.isAlive = false;
    });
    // A program that could not be started, for want of descriptors, has no streams.
    child.stdin?.on('error', () => {}); // how it ended tells
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#exchange === undefined)
        void this.end(); // it speaks unasked
      else this.#exchange.take(chunk);
    });
    this.#hold(false);
  }

  /** Asks and adds what is answered to `found`, in order. */
  async exchange(
    names: readonly string[],
    eachBytes: number,
    leash: Leash,
    found: (GitObject | undefined)[],
  ): Promise<Outcome> {
    this.#hold(true);
    const outcome = new Promise<'answered' | 'left'>(resolve => {
      this.#exchange = new Exchange(names.length, eachBytes, leash, found, resolve);
    });
    this.#child.stdin?.write(`${names.join('\n')}\n`);
    const how = await Promise.race([outcome, this.#ended]);
    this.#exchange = undefined;
    if (how === 'left') await this.end();
    else if (how === 'answered') this.#hold(false);
    return how;
  }

  async end(): Promise<void> {
    this.#hold(true);
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Whether the process that we are waits for this one. */
  #hold(waits: boolean): void {
    const parts = [this.#child, this.#child.stdin as Socket | null, this.#child.stdout as Socket | null];
    for (const part of parts) (waits ? part?.ref : part?.unref)?.call(part);
  }
}

/** What is said to a number of questions: `<hash> <type> <size>`, newline, the bytes, newline; or that there is no such. */
class Exchange {
  readonly #eachBytes: number;
  readonly #leash: Leash;
  readonly #found: (GitObject | undefined)[];
  readonly #done: (how: 'answered' | 'left') => void;
  #left: number;
  #header = '';
  #body: { readonly object: GitObject; readonly bytes: Buffer | undefined; at: number } | undefined;

  constructor(
    count: number,
    eachBytes: number,
    leash: Leash,
    found: (GitObject | undefined)[],
    done: (how: 'answered' | 'left') => void,
  ) {
    this.#left = count;
    this.#eachBytes = eachBytes;
    this.#leash = leash;
    this.#found = found;
    this.#done = done;
  }

  take(chunk: Buffer): void {
    for (let from = 0; from < chunk.length && this.#left > 0 && !this.#leash.signal.aborted; ) {
      from = this.#body === undefined ? this.#takeHeader(chunk, from) : this.#takeBody(chunk, from);
    }
  }

  #takeHeader(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(10, from);
    this.#header += chunk.toString('latin1', from, end < 0 ? undefined : end);
    if (this.#header.length > longestHeader) this.#leash.count(Number.POSITIVE_INFINITY);
    if (end < 0) return chunk.length;
    const [hash = '', type = '', length] = this.#header.split(' ');
    this.#header = '';
    const size = Number(length);
    if (length === undefined || !Number.isSafeInteger(size)) {
      this.#add(undefined); // `missing` or `ambiguous`, behind the name
      return end + 1;
    }
    const isWanted = size <= this.#eachBytes;
    if (isWanted) this.#leash.count(size);
    if (this.#leash.signal.aborted) return chunk.length;
    const bytes = isWanted ? Buffer.allocUnsafeSlow(size) : undefined;
    const object = { hash, type, size, bytes };
    if (isWanted || size <= letPassBytes) {
      this.#body = { object, bytes, at: 0 };
      return end + 1;
    }
    this.#found.push(object);
    this.#left = 0;
    this.#done('left');
    return chunk.length;
  }

  #takeBody(chunk: Buffer, from: number): number {
    const body = this.#body!;
    const { object, bytes } = body;
    const to = Math.min(chunk.length, from + object.size - body.at);
    if (bytes !== undefined) chunk.copy(bytes, body.at, from, to);
    body.at += to - from;
    if (body.at < object.size || to === chunk.length) return to;
    this.#body = undefined; // and past the newline
    this.#add(object);
    return to + 1;
  }

  #add(object: GitObject | undefined): void {
    this.#found.push(object);
    if (--this.#left === 0) this.#done('answered');
  }
}
