import type { Worker } from 'node:worker_threads';
import { type Calls, type Port, PortClosed, unexpectedEnd } from '../workers/port.ts';

export interface PassingWorkerOptions<All extends Calls> {
  readonly start: () => { readonly worker: Worker; readonly port: Port<All> };
  readonly idleMs: number;
  /** Has it end what it has open, before it goes. */
  readonly close: (port: Port<All>) => Promise<unknown>;
  /** What it does, as people are told of its unexpected end: `Indexing`. */
  readonly work: string;
  /** It died in the midst of its work; the next call starts another. */
  readonly onCrash: () => void;
}

/** A worker that comes with the first call and goes when nothing has happened for a while. */
export class PassingWorker<All extends Calls> {
  readonly #options: PassingWorkerOptions<All>;
  #running: { readonly worker: Worker; readonly port: Port<All> } | undefined;
  #ending: Promise<void> = Promise.resolve();
  #active = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: PassingWorkerOptions<All>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** `check` throws where nothing is to be asked any more. */
  async call<T>(ask: (port: Port<All>) => Promise<T>, check: () => void): Promise<T> {
    this.#active++;
    clearTimeout(this.#idleTimer);
    try {
      await this.#ending;
      check();
      return await ask(this.#started());
    } catch (error) {
      if (!(error instanceof PortClosed)) throw error;
      throw unexpectedEnd(this.#options.work, error);
    } finally {
      if (--this.#active === 0) {
        this.#idleTimer = setTimeout(() => void this.end(), this.#options.idleMs).unref();
      }
    }
  }

  /** Ends it in good order; a call that comes meanwhile waits and then starts a new one. */
  end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const running = this.#running;
    if (running === undefined) return this.#ending;
    this.#running = undefined;
    this.#ending = (async () => {
      await this.#options.close(running.port).catch(() => {});
      await running.worker.terminate();
    })();
    return this.#ending;
  }

  #started(): Port<All> {
    if (this.#running !== undefined) return this.#running.port;
    const started = this.#options.start();
    this.#running = started;
    started.worker.once('exit', () => {
      if (this.#running !== started) return;
      this.#running = undefined;
      this.#options.onCrash();
    });
    return started.port;
  }
}
