import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { exitFailure, type GitRun, type Leash, leashFor, watchMemory } from './git-process.ts';

/** What one call asks a process that stays, and hears of it. */
export interface Dialogue {
  /** What has yet to be asked; undefined once all is answered. Asked again where another process has to go on. */
  question(): string | undefined;
  /** `left`: what follows is too long to be listened to, and the process not worth keeping. May throw. */
  hear(chunk: Buffer, leash: Leash): 'more' | 'answered' | 'left';
  /** Grows with what has been answered. */
  readonly answered: number;
}

export interface DialogueRun extends GitRun {
  /** Changes where objects are looked for in other folders than before: a process that was started earlier doesn't know. */
  readonly stores: string;
}

/**
 * Processes that are asked one thing after the other, one for each folder, which stay for a while: to start one is to copy
 * the page tables of this process, 0.02 to 0.1 ms for each megabyte resident. Each holds open packs and nothing else, and ends when
 * its stdin does, however this process may have ended.
 */
export interface Dialogues {
  /**
   * Resolves once all is answered. `run` says where, and bounds the call: a process that fails its bounds, or whose caller
   * gave up, is ended. Rejects with `GitFailed`, or with what the dialogue threw.
   */
  hold(run: DialogueRun, dialogue: Dialogue, mostBytes: number): Promise<void>;
  /** Resolves when all processes have gone. Those that are asked later are started as ever. */
  close(): Promise<void>;
}

export interface DialogueOptions {
  /** A process that nothing is asked of ends after this long. */
  readonly idleMs: number;
  /** Further folders take the place of the one that waits longest; default 4. */
  readonly processes?: number;
}

export function createDialogues({ idleMs, processes = 4 }: DialogueOptions): Dialogues {
  /** The least recently used first. */
  const desks = new Map<string, Desk>();
  return {
    hold(run, dialogue, mostBytes) {
      const desk = desks.get(run.cwd) ?? new Desk(idleMs);
      desks.delete(run.cwd);
      for (const [folder, other] of desks) {
        if (desks.size < processes) break;
        if (other.isBusy) continue;
        other.end();
        desks.delete(folder);
      }
      desks.set(run.cwd, desk);
      return desk.hold(run, dialogue, mostBytes);
    },
    async close() {
      await Promise.all([...desks.values()].map(desk => desk.end()));
    },
  };
}

/** Where one process is asked: one call after the other. */
class Desk {
  readonly #idleMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #process: StayingProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  async hold(run: DialogueRun, dialogue: Dialogue, mostBytes: number): Promise<void> {
    clearTimeout(this.#idleTimer);
    const leash = leashFor(run, mostBytes);
    this.#waiting++;
    const mine = this.#last.then(() => this.#through(run, dialogue, leash));
    this.#last = mine.catch(() => {});
    try {
      await Promise.race([mine, leash.broken]);
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

  async #through(run: DialogueRun, dialogue: Dialogue, leash: Leash): Promise<void> {
    const end = (): void => void this.end();
    leash.signal.addEventListener('abort', end, { once: true });
    try {
      for (let text = dialogue.question(); text !== undefined; text = dialogue.question()) {
        leash.signal.throwIfAborted();
        const isFresh = this.#process?.isAlive !== true || this.#process.stores !== run.stores;
        if (isFresh) await this.end();
        this.#process ??= new StayingProcess(run);
        const before = dialogue.answered;
        const outcome = await this.#process.exchange(text, run, dialogue, leash);
        leash.signal.throwIfAborted();
        if (outcome === 'answered') continue;
        this.#process = undefined;
        // One that died while nobody asked is nobody's failure: another takes its place.
        if (outcome !== 'left' && (isFresh || dialogue.answered > before)) throw exitFailure(run, outcome);
      }
    } finally {
      leash.signal.removeEventListener('abort', end);
    }
  }
}

/** `answered`: all of it; `left`: it was ended before the last, as what followed was too long; else how it ended. */
type Outcome = 'answered' | 'left' | number | null;

class StayingProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #hear: ((chunk: Buffer) => void) | undefined;
  readonly stores: string;
  isAlive = true;

  constructor({ program, arguments: words, cwd, env, stores }: DialogueRun) {
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
      if (this.#hear === undefined)
        void this.end(); // it speaks unasked
      else this.#hear(chunk);
    });
    this.#hold(false);
  }

  async exchange(text: string, run: GitRun, dialogue: Dialogue, leash: Leash): Promise<Outcome> {
    this.#hold(true);
    const unwatch = watchMemory(run, this.#child, leash);
    const outcome = new Promise<'answered' | 'left'>(resolve => {
      let isOver = false;
      this.#hear = chunk => {
        if (isOver || leash.signal.aborted) return;
        try {
          const how = dialogue.hear(chunk, leash);
          if (how === 'more') return;
          isOver = true;
          resolve(how);
        } catch (error) {
          leash.give(error);
        }
      };
    });
    this.#child.stdin?.write(text);
    const how = await Promise.race([outcome, this.#ended]);
    unwatch();
    this.#hear = undefined;
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
