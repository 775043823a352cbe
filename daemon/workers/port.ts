import type { MessagePort, TransferListItem, Worker } from 'node:worker_threads';
import { Fault, type FaultExtras, type FaultReason } from '../../client/protocol/faults.ts';
import { isShortage } from '../model/shortage.ts';

/**
 * Typed calls between two threads. A thread's interface is a type of functions from one structured-clonable value to
 * another, e.g. `{ hash: (paths: string[]) => Hashed[] }`; either side may serve one and call the other's.
 */
export type Calls = { readonly [name: string]: (input: never) => unknown };

export interface CallContext {
  /** Fires when the asker lost interest, or the port closed. */
  readonly signal: AbortSignal;
}

export type Handlers<Ours extends Calls> = {
  readonly [Name in keyof Ours]: (
    input: Parameters<Ours[Name]>[0],
    context: CallContext,
  ) => Reply<ReturnType<Ours[Name]>> | Promise<Reply<ReturnType<Ours[Name]>>>;
};

type Reply<Value> = Value | Transferred<Value>;

/** A value that crosses threads with its buffers moved instead of copied. */
export class Transferred<Value> {
  readonly value: Value;
  readonly buffers: readonly TransferListItem[];

  constructor(value: Value, buffers: readonly TransferListItem[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly TransferListItem[];
  /** On abort: `now` rejects at once and drops the late answer; `answered` waits for what the other side says. Default `now`. */
  readonly settles?: 'now' | 'answered';
}

export interface Port<Theirs extends Calls> {
  /**
   * Calls the other side. Rejects with the `Fault` that it threw, with `RemoteError` for anything else, with
   * `PortClosed` when the other side ended, with the signal's reason on abort.
   */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    options?: AskOptions,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Calls without waiting for an answer; lost when the other side has ended. */
  tell<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    transfer?: readonly TransferListItem[],
  ): void;
  /** Calls that have no answer yet. */
  readonly pending: number;
  close(): void;
}

export interface PortOptions {
  /** Calls in flight at most; later ones wait their turn here. Default 64. */
  readonly window?: number;
}

/** The other side ended, by itself or by a crash, before it answered. */
export class PortClosed extends Error {
  /** The system's, where the worker could not begin for want of something. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** What the other side threw, where it was no Fault. */
export class RemoteError extends Error {
  /** The system's or SQLite's, where it had one. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly kind: 'tell'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure };

type Failure =
  | { readonly fault: FaultReason; readonly message: string; readonly extras: FaultExtras }
  | {
      readonly fault: '';
      readonly name: string;
      readonly message: string;
      readonly stack: string;
      readonly code: string | undefined;
    };

interface Call {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  readonly transfer: readonly TransferListItem[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly detach: () => void;
}

/** Opens one end over a worker, a worker's `parentPort` or a `MessagePort`, serving `handlers` to the other end. */
export function openPort<Ours extends Calls, Theirs extends Calls>(
  endpoint: MessagePort | Worker,
  handlers: Handlers<Ours>,
  options: PortOptions = {},
): Port<Theirs> {
  return new OpenPort<Ours, Theirs>(endpoint, handlers, options.window ?? 64);
}

class OpenPort<Ours extends Calls, Theirs extends Calls> implements Port<Theirs> {
  readonly #endpoint: MessagePort | Worker;
  readonly #handlers: ReadonlyMap<string, Handlers<Calls>[string]>;
  readonly #window: number;
  /** Asked over there, not answered yet. */
  readonly #sent = new Map<number, Call>();
  /** Asked here, held back until the window has room; first come, first sent. */
  readonly #held = new Set<Call>();
  /** Asked by the other side, still worked on here. */
  readonly #serving = new Map<number, AbortController>();
  #lastId = 0;
  #closed: PortClosed | undefined;

  constructor(endpoint: MessagePort | Worker, handlers: Handlers<Ours>, window: number) {
    this.#endpoint = endpoint;
    this.#handlers = new Map(Object.entries(handlers));
    this.#window = window;
    endpoint.on('message', (message: Message) => this.#hear(message));
    endpoint.on('close', () => this.#shut('the port was closed'));
    endpoint.on('exit', (code: number) => this.#shut(`the worker ended with code ${code}`));
    endpoint.on('error', (error: Error) => this.#shut(`the worker crashed: ${error.message}`, systemCode(error)));
  }

  get pending(): number {
    return this.#sent.size + this.#held.size;
  }

  ask<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    options: AskOptions = {},
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      if (options.signal?.aborted) return reject(options.signal.reason);
      const call: Call = {
        id: ++this.#lastId,
        name,
        input,
        transfer: options.transfer ?? [],
        resolve: resolve as (value: unknown) => void,
        reject,
        detach: () => options.signal?.removeEventListener('abort', abandon),
      };
      const abandon = (): void => this.#abandon(call, options.signal?.reason, options.settles ?? 'now');
      options.signal?.addEventListener('abort', abandon, { once: true });
      this.#held.add(call);
      this.#sendHeld();
    });
  }

  tell<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
    transfer: readonly TransferListItem[] = [],
  ): void {
    this.#post({ kind: 'tell', name, input }, transfer);
  }

  close(): void {
    this.#shut('the port was closed here');
    if ('close' in this.#endpoint) this.#endpoint.close();
  }

  #sendHeld(): void {
    for (const call of this.#held) {
      if (this.#sent.size >= this.#window) return;
      this.#held.delete(call);
      this.#sent.set(call.id, call);
      try {
        this.#post({ kind: 'ask', id: call.id, name: call.name, input: call.input }, call.transfer);
      } catch (uncloneable) {
        this.#settle(call.id)?.reject(uncloneable);
      }
    }
  }

  #abandon(call: Call, reason: unknown, settles: 'now' | 'answered'): void {
    if (this.#held.delete(call)) {
      call.detach();
      call.reject(reason);
      return;
    }
    this.#post({ kind: 'cancel', id: call.id });
    if (settles === 'now') this.#settle(call.id)?.reject(reason);
  }

  #settle(id: number): Call | undefined {
    const call = this.#sent.get(id);
    if (call === undefined) return undefined;
    this.#sent.delete(id);
    call.detach();
    this.#sendHeld();
    return call;
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'ask':
        void this.#serve(message.id, message.name, message.input);
        return;
      case 'tell':
        void this.#handlers.get(message.name)?.(message.input as never, { signal: neverAborted });
        return;
      case 'cancel':
        this.#serving.get(message.id)?.abort(new Fault('cancelled', 'Cancelled'));
        return;
      case 'answer':
        this.#settle(message.id)?.resolve(message.value);
        return;
      case 'failure':
        this.#settle(message.id)?.reject(thrownFrom(message.failure));
        return;
    }
  }

  async #serve(id: number, name: string, input: unknown): Promise<void> {
    const controller = new AbortController();
    this.#serving.set(id, controller);
    try {
      const handler = this.#handlers.get(name);
      if (handler === undefined) throw new Error(`no handler for ${name}`);
      const reply = await handler(input as never, { signal: controller.signal });
      if (reply instanceof Transferred) this.#post({ kind: 'answer', id, value: reply.value }, reply.buffers);
      else this.#post({ kind: 'answer', id, value: reply });
    } catch (thrown) {
      this.#post({ kind: 'failure', id, failure: failureOf(thrown) });
    } finally {
      this.#serving.delete(id);
    }
  }

  #post(message: Message, transfer: readonly TransferListItem[] = []): void {
    if (this.#closed === undefined) this.#endpoint.postMessage(message, transfer);
  }

  #shut(reason: string, code?: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = new PortClosed(reason, code);
    for (const controller of this.#serving.values()) controller.abort(this.#closed);
    for (const call of [...this.#sent.values(), ...this.#held]) {
      call.detach();
      call.reject(this.#closed);
    }
    this.#sent.clear();
    this.#held.clear();
  }
}

const neverAborted = new AbortController().signal;

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Fault) {
    const { cause: _, ...extras } = thrown.extras;
    return { fault: thrown.reason, message: thrown.message, extras };
  }
  if (thrown instanceof Error) {
    return {
      fault: '',
      name: thrown.name,
      message: thrown.message,
      stack: thrown.stack ?? '',
      code: systemCode(thrown),
    };
  }
  return { fault: '', name: 'Error', message: String(thrown), stack: '', code: undefined };
}

function thrownFrom(failure: Failure): Error {
  if (failure.fault !== '') return new Fault(failure.fault, failure.message, failure.extras);
  const error = new RemoteError(failure.message, failure.code);
  error.stack = failure.stack;
  return error;
}

/** A thread that got nothing to listen with has the system's code in its message alone. */
export function systemCode(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === 'ERR_WORKER_INIT_FAILED' ? error.message.split(' ').at(-1) : code;
}

/** What is told where a worker ended in the midst of its work; where it could not begin for want of something, that. */
export function unexpectedEnd(work: string, cause: PortClosed): Error {
  return isShortage(cause) ? cause : new Fault('operationFailed', `${work} ended unexpectedly`, { cause });
}
