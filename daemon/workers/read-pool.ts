import type { OperationName } from '../../client/protocol/registry.ts';

/** One question for the read worker, as plain values: it crosses to another thread. */
export interface ReadRequest {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly repo: { readonly id: string; readonly indexFile: string; readonly key: string };
  readonly cursorSecret: string;
  readonly dirtyFiles: number;
  readonly now: number;
}

/** The main thread's side of the read worker. */
export interface ReadPool {
  /** Encoded JSON of the answer. Rejects with `Fault`; on abort with the signal's reason. */
  ask(request: ReadRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the worker; what is under way is rejected. */
  close(): Promise<void>;
}

export interface ReadPoolOptions {
  /** The worker ends after this long without a question; it starts again with the next. */
  readonly idleMs: number;
}

export function createReadPool(options: ReadPoolOptions): ReadPool {
  throw new Error(`not built yet: ${options.idleMs}`);
}
