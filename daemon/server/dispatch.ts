import { hash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { quote } from '../../client/paths.ts';
import type { Daemon, DaemonEvent, Reply, Request } from '../../client/protocol/caller.ts';
import { namesEtag } from '../../client/protocol/etag.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { InputOf, Operation, OutputOf } from '../../client/protocol/operation.ts';
import { findOperation, type OperationName } from '../../client/protocol/registry.ts';
import { serialiseOutput } from '../../client/protocol/serialise.ts';
import { validateInput } from '../../client/protocol/validate.ts';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import {
  type ConnectionScope,
  encodedBodyOf,
  type Handler,
  type Handlers,
  type PublishedSnapshot,
  type RequestContext,
} from '../operations/handler.ts';
import { StoreError } from '../store/store-faults.ts';
import { authorise } from './authorise.ts';
import type { Repositories, ServedRepository } from './repositories.ts';
import { resolveIfAny, resolveRepository } from './resolve-repository.ts';

/** A request with what only the daemon's own socket can tell. */
export interface DispatchRequest extends Request {
  readonly connection?: ConnectionScope;
  /** The folder that the caller stands in: its repository is meant when none is named. */
  readonly directory?: string;
  /** Shorter than the configured deadline of queries, or, for jobs, their own. */
  readonly deadlineMs?: number;
}

export interface Dispatcher extends Daemon {
  dispatch(request: DispatchRequest): Promise<Reply>;
  readonly inFlight: () => number;
}

export interface DispatchOptions {
  /** Asked at each request: the handlers are composed after the door that they answer behind. */
  readonly handlers: () => Handlers;
  readonly repositories: Repositories;
  readonly clock: Clock;
  readonly observe: Observe;
  readonly version: string;
  readonly limits: () => { readonly queryMs: number; readonly jobWaitMs: number; readonly answerBytes: number };
  readonly subscribe: (listener: (event: DaemonEvent) => void, after?: number) => () => void;
}

/** Operations whose request waits for a job. */
const waitsForJob: ReadonlySet<string> = new Set<OperationName>(['indexing.index']);

interface Outcome {
  readonly reply: Reply;
  readonly bytes: number;
}

/** The one door to the operations. Its try/catch is the only one on the path of a request. */
export function createDispatcher(options: DispatchOptions): Dispatcher {
  const { clock, observe } = options;
  let inFlight = 0;
  return {
    subscribe: options.subscribe,
    inFlight: () => inFlight,
    async dispatch(request) {
      const startedMs = clock.monotonicMs();
      const told: { repo?: string } = {};
      const finished = (outcome: 'ok' | 'unchanged' | Fault['reason'], bytes: number, cause?: unknown) =>
        observe({
          kind: 'request.finished',
          requestId: request.requestId,
          operation: request.operation,
          transport: request.connection === undefined ? 'http' : 'socket',
          outcome,
          durationMs: Math.round((clock.monotonicMs() - startedMs) * 1000) / 1000,
          bytes,
          ...told,
          ...(cause === undefined ? {} : { cause }),
        });
      inFlight++;
      try {
        const { reply, bytes } = await answer(options, request, told);
        finished(reply.kind === 'unchanged' ? 'unchanged' : 'ok', bytes);
        return reply;
      } catch (error) {
        const fault = faultOf(error);
        finished(fault.reason, 0, fault === error ? fault.extras.cause : error);
        throw fault;
      } finally {
        inFlight--;
      }
    },
  };
}

async function answer(options: DispatchOptions, request: DispatchRequest, told: { repo?: string }): Promise<Outcome> {
  const operation = findOperation(request.operation);
  if (operation === undefined) throw new Fault('methodNotFound', 'There is no such operation');
  authorise(operation, request.principal);
  refuseOtherProtocols(request, options.version);
  const input = validateInput(operation, request) as Readonly<Record<string, unknown>>;
  const isScoped = operation.scope === 'repository';
  // An operation of the daemon may have a `repo` of its own, which names no scope.
  const { repo, sync, ...rest } = input;
  const ours = isScoped ? rest : input;
  const resolve = operation.standsAlone ? resolveIfAny : resolveRepository;
  const repository = isScoped ? resolve(options.repositories, request, repo as string | undefined, ours) : undefined;
  if (repository !== undefined) told.repo = repository.record.id;

  const deadline = startDeadline(options, request);
  try {
    if (repository !== undefined) await makeReady(operation, repository, sync === true, deadline);
    const snapshot = repository === undefined ? undefined : publishedOf(repository);
    const etag =
      operation.cacheable && snapshot !== undefined && !isOfHead(ours)
        ? etagOf(repository!, snapshot, request.operation, ours)
        : undefined;
    if (etag !== undefined && request.ifNoneMatch !== undefined && namesEtag(request.ifNoneMatch, etag))
      return { reply: { kind: 'unchanged', etag }, bytes: 0 };
    const context = contextOf(request, repository, snapshot, deadline, options.clock.now());
    const handler = options.handlers()[request.operation] as Handler<OperationName>;
    const produced = handler(ours as InputOf<never>, context);
    const output = produced instanceof Promise ? await deadline.race(produced) : produced;
    const body = encodedBodyOf(output) ?? serialiseOutput(operation, output as OutputOf<Operation>);
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const { answerBytes } = options.limits();
    if (bytes > answerBytes) {
      throw new Fault('tooLarge', `The answer has ${bytes} bytes; at most ${answerBytes} are sent`, {
        details: { bytes, limit: answerBytes },
        suggestedFixes: [],
      });
    }
    const lastModified = snapshot?.publishedAt;
    return {
      bytes,
      reply: {
        kind: 'document',
        body,
        ...(etag === undefined ? {} : { etag, ...(lastModified === undefined ? {} : { lastModified }) }),
      },
    };
  } finally {
    deadline.end();
  }
}

/** The handshake is checked before its schema, so that a foreign version hears of versions and not of a wrong field. */
function refuseOtherProtocols(request: DispatchRequest, version: string): void {
  if (request.operation !== 'daemon.initialize') return;
  const { protocol } = request.input;
  if (protocol === 1 || protocol === undefined) return;
  throw new Fault(
    'incompatibleVersion',
    `This daemon (${version}) speaks protocol 1; restart it with the newer svc: svc daemon restart`,
    {
      details: { server: version, protocol: 1, asked: typeof protocol === 'number' ? protocol : null },
    },
  );
}

async function makeReady(
  operation: Operation,
  repository: ServedRepository,
  isSynced: boolean,
  deadline: Deadline,
): Promise<void> {
  if (repository.snapshot === undefined && operation.faults.includes('notReady')) throw notIndexed(repository);
  if (!isSynced) return;
  if (repository.follow === undefined) {
    throw new Fault('indexStale', 'The repository is not watched yet', {
      details: { reason: 'not_watched' },
      retryAfterSeconds: 1,
    });
  }
  await deadline.race(repository.follow.sync(deadline.leftMs()));
}

/** With `details.progress` while waiting helps. */
function notIndexed({ record, progress, failure }: ServedRepository): Fault {
  if (progress === undefined && failure !== undefined) {
    const command = `svc index --repo ${quote(record.id)}`;
    return new Fault('notReady', `${record.id} has no index: ${failure}`, {
      suggestedFixes: [{ type: 'run-command', command, safe: true, description: 'Try again' }],
    });
  }
  return new Fault('notReady', `${record.id} is being indexed for the first time`, {
    retryAfterSeconds: 1,
    details: { progress: progress ?? { phase: 'queued', fraction: 0 } },
  });
}

function publishedOf({ snapshot }: ServedRepository): PublishedSnapshot | undefined {
  return snapshot === undefined
    ? undefined
    : {
        seq: snapshot.seq,
        snapshotId: snapshot.snapshotId,
        evidenceId: snapshot.evidenceId,
        publishedAt: new Date(snapshot.publishedAt),
      };
}

/** HEAD and what differs from it change without a publication. */
function isOfHead(input: Readonly<Record<string, unknown>>): boolean {
  return input['repoStateMode'] === 'head';
}

function etagOf(
  repository: ServedRepository,
  snapshot: PublishedSnapshot,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): string {
  const asked = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
  const basis = JSON.stringify([repository.registered.uid, snapshot.snapshotId, snapshot.evidenceId, operation, asked]);
  return `W/"${hash('sha256', basis, 'base64url').slice(0, 27)}"`;
}

function contextOf(
  request: DispatchRequest,
  repository: ServedRepository | undefined,
  snapshot: PublishedSnapshot | undefined,
  deadline: Deadline,
  now: Date,
): RequestContext {
  return {
    requestId: request.requestId,
    get signal() {
      return deadline.signal;
    },
    principal: request.principal,
    get repository() {
      if (repository === undefined) throw new Error(`${request.operation} is not scoped to a repository`);
      return repository.record;
    },
    ...(repository === undefined ? { withoutRepository: { folder: folderOf(request) } } : {}),
    snapshot,
    now,
    onProgress: request.onProgress ?? (() => {}),
    connection: request.connection,
  };
}

/** Where the caller stands, or what it named. */
function folderOf({ directory, input }: DispatchRequest): string | undefined {
  const { repo } = input;
  return directory ?? (typeof repo === 'string' && repo.startsWith('/') ? repo : undefined);
}

interface Deadline {
  readonly signal: AbortSignal;
  leftMs(): number;
  /** The promise, or the fault of whoever is first to end the request. */
  race<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** Begins with whoever first asks for the signal or waits for something: what is answered at once needs no clock. */
function startDeadline(options: DispatchOptions, request: DispatchRequest): Deadline {
  const { queryMs, jobWaitMs } = options.limits();
  const longestMs = waitsForJob.has(request.operation) ? jobWaitMs : queryMs;
  const allowedMs = Math.min(longestMs, request.deadlineMs ?? longestMs);
  const endsAtMs = options.clock.monotonicMs() + allowedMs;
  let running: { readonly signal: AbortSignal; stop(): void } | undefined;
  const signal = (): AbortSignal => {
    running ??= runDeadline(options.clock, request.signal, allowedMs);
    return running.signal;
  };
  return {
    get signal() {
      return signal();
    },
    leftMs: () => Math.max(1, endsAtMs - options.clock.monotonicMs()),
    race: promise =>
      new Promise((resolve, reject) => {
        const ended = signal();
        const onEnd = () => reject(ended.reason);
        if (ended.aborted) onEnd();
        else ended.addEventListener('abort', onEnd, { once: true });
        promise.then(resolve, reject).finally(() => ended.removeEventListener('abort', onEnd));
      }),
    end: () => running?.stop(),
  };
}

function runDeadline(clock: Clock, asker: AbortSignal, allowedMs: number) {
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

/** What the caller is told of something thrown. Only faults carry public words. */
function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof StoreError) return storeFault(error);
  return new Fault('operationFailed', 'The operation failed; the log has the cause under this request id', {
    cause: error,
  });
}

function storeFault(error: StoreError): Fault {
  const reasons = {
    corrupt: 'index_corrupt',
    newerSchema: 'newer_schema',
    diskFull: 'disk_full',
    ioError: 'io_error',
    busy: 'busy',
    unreadable: 'unreadable',
  } as const;
  const reason = reasons[error.trouble];
  return new Fault('storageFailed', `The index can't be used now (${reason})`, {
    details: { reason },
    retryAfterSeconds: 5,
    cause: error,
  });
}
