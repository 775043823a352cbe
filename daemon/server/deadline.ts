import { setMaxListeners } from 'node:events';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';

/**
 * The time that a request has. Its clock starts to run with whoever first asks for the signal or waits for something: what
 * is answered at once needs none. To be ended by whoever began it.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #asker: Pick<AbortController, 'signal'>;
  readonly #allowedMs: number;
  readonly #startedMs: number;
  #running: { readonly signal: AbortSignal; stop(): void } | undefined;

  constructor(clock: Clock, asker: Pick<AbortController, 'signal'>, allowedMs: number) {
    this.#clock = clock;
    this.#asker = asker;
    this.#allowedMs = allowedMs;
    this.#startedMs = clock.monotonicMs();
  }

  /** Fires with the fault that ends the request: `cancelled` or `timeout`. */
  get signal(): AbortSignal {
    this.#running ??= run(this.#clock, this.#asker.signal, this.#allowedMs);
    return this.#running.signal;
  }

  leftMs(): number {
    return Math.max(1, this.#startedMs + this.#allowedMs - this.#clock.monotonicMs());
  }

  /** The promise, or the fault of whoever is first to end the request. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(signal.reason);
      if (signal.aborted) onEnd();
      else signal.addEventListener('abort', onEnd, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onEnd));
    });
  }

  end(): void {
    this.#running?.stop();
  }
}

function run(clock: Clock, asker: AbortSignal, allowedMs: number) {
  const abort = new AbortController();
  // Every part of a long walk may listen; that is no leak.
  setMaxListeners(0, abort.signal);
  const onAbort = () => abort.abort(new Fault('cancelled', 'The request was cancelled'));
  if (asker.aborted) onAbort();
  else asker.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = clock.after(allowedMs, () =>
    abort.abort(new Fault('timeout', `No answer within ${allowedMs / 1000} s`, { details: { timeoutMs: allowedMs } })),
  );
  return {
    signal: abort.signal,
    stop() {
      cancelTimer();
      asker.removeEventListener('abort', onAbort);
    },
  };
}
