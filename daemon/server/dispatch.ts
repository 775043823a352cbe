import { hash } from 'node:crypto';
import type { Daemon, DaemonEvent, Principal, Progress, Reply, Request } from '../../client/protocol/caller.ts';
import { namesEtag } from '../../client/protocol/etag.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { InputOf, Operation, OutputOf } from '../../client/protocol/operation.ts';
import { findOperation, type OperationName } from '../../client/protocol/registry.ts';
import { serialiseOutput } from '../../client/protocol/serialise.ts';
import { validateInput } from '../../client/protocol/validate.ts';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import { stale } from '../jobs/follow/stale.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import { contentDigest } from '../operations/content-digest.ts';
import {
  type ConnectionScope,
  encodedBodyOf,
  type Handler,
  type Handlers,
  type PublishedSnapshot,
  type RequestContext,
  treeIdOf,
  type WithoutRepository,
} from '../operations/handler.ts';
import { notIndexed, noWorkTree } from '../operations/repository-faults.ts';
import { isHosted, type ServedRepository } from '../operations/served-repository.ts';
import { storeError } from '../store/connection.ts';
import type { StoredSnapshot } from '../store/publication.ts';
import { StoreError } from '../store/store-faults.ts';
import { authorise } from './authorise.ts';
import { Deadline } from './deadline.ts';
import type { LeadersWork } from './leaders-work.ts';
import type { Repositories } from './repositories.ts';
import { resolveIfAny, resolveRepository } from './resolve-repository.ts';
import { storeFault } from './store-fault.ts';

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
  readonly limits: () => DispatchLimits;
  readonly subscribe: (listener: (event: DaemonEvent) => void, after?: number) => () => void;
  /** Changes with what is known of a repository's calls in production; undefined where nothing is. */
  readonly callsVersion: (repo: string) => string | undefined;
  readonly leadersWork: Pick<LeadersWork, 'begin'>;
  /** Told of each question about a repository, before what is known of its index is taken for what there is. */
  readonly lookAt: (repo: string) => void;
}

export interface DispatchLimits {
  readonly queryMs: number;
  readonly jobWaitMs: number;
  readonly answerBytes: number;
}

/** Operations whose request waits for the job that they begin. */
const awaitsItsJob: ReadonlySet<string> = new Set<OperationName>([
  'docs.index',
  'indexing.index',
  'refresh.run',
  'remote.add',
  'remote.sync',
  'federation.sync',
]);

/** Operations whose request may bring more than any time is enough for: they bound what they wait for themselves. */
const takesItsTime: ReadonlySet<string> = new Set<OperationName>(['indexServer.upload']);

/** Operations whose request waits for work over a whole tree. */
const worksOverTree: ReadonlySet<string> = new Set<OperationName>(['delta.validate', 'delta.ingest', 'delta.build']);

/** They hold an artifact against the tree: what one finds true a moment before the watcher speaks, the other would refuse. */
const judgesTheTree: ReadonlySet<string> = new Set<OperationName>(['delta.validate', 'delta.ingest']);

/** What production calls is a part of the answer, beside the snapshot. */
const restsOnCalls: ReadonlySet<string> = new Set<OperationName>(['analysis.impact', 'analysis.unwired']);

/** They bring up to date what is made of the tree, which is that of now wherever it is watched. */
const bringsUpToDate: ReadonlySet<string> = new Set<OperationName>(['refresh.run', 'docs.index']);

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
      const told: { repo: string | undefined } = { repo: undefined };
      const finished = (outcome: 'ok' | 'unchanged' | Fault['reason'], bytes: number, cause?: unknown) =>
        observe({
          kind: 'request.finished',
          requestId: request.requestId,
          operation: request.operation,
          transport: request.connection === undefined ? 'http' : 'socket',
          outcome,
          durationMs: Math.round((clock.monotonicMs() - startedMs) * 1000) / 1000,
          bytes,
          repo: told.repo,
          cause,
        });
      inFlight++;
      const ended = isLeaders(request.operation) ? options.leadersWork.begin() : undefined;
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
        ended?.();
      }
    },
  };
}

async function answer(
  options: DispatchOptions,
  request: DispatchRequest,
  told: { repo: string | undefined },
): Promise<Outcome> {
  const operation = findOperation(request.operation);
  if (operation === undefined) throw new Fault('methodNotFound', 'There is no such operation');
  authorise(operation, request.principal, request.input);
  if (request.refusal !== undefined) throw request.refusal;
  refuseOtherProtocols(request, options.version);
  const input = validateInput(operation, request) as Readonly<Record<string, unknown>>;
  const isScoped = operation.scope === 'repository';
  // An operation of the daemon may have a `repo` of its own, which names no scope.
  const { repo: named, sync, ...rest } = input;
  const ours = isScoped ? rest : input;
  // Where it is a field of what is asked about a repository, it says which one, as `repo` does.
  const alsoNamed = isScoped ? rest['repoId'] : undefined;
  const repo = named ?? alsoNamed;
  const otherRepos = [
    ...(request.otherRepos ?? []),
    ...(named === undefined || alsoNamed === undefined ? [] : [{ place: 'repoId', name: alsoNamed }]),
  ];
  const resolve = operation.standsAlone ? resolveIfAny : resolveRepository;
  const repository = isScoped
    ? resolve(options.repositories, { ...request, otherRepos }, repo as string | undefined, ours)
    : undefined;
  told.repo = repository?.record.id;
  if (repository !== undefined) options.lookAt(repository.record.id);

  const limits = options.limits();
  const longestMs = longestWaitMs(request, input, limits);
  const deadline = new Deadline(options.clock, request.abort, Math.min(longestMs, request.deadlineMs ?? longestMs));
  try {
    if (repository !== undefined && (operation.needs === 'work tree' || isOfHead(ours))) refuseTreeless(repository);
    if (repository !== undefined && operation.faults.includes('notReady')) refuseUnindexed(repository);
    const isToCatchUp =
      sync === true ||
      (input['refresh'] === true && isScoped) ||
      judgesTheTree.has(request.operation) ||
      (bringsUpToDate.has(request.operation) && repository?.follow !== undefined);
    if (repository !== undefined && isToCatchUp) await catchUp(repository, deadline, options.leadersWork);
    const snapshot = publishedOf(repository?.snapshot);
    // What is tagged by what it says says how far it is behind, too, where that matters.
    const behind = repository === undefined || operation.cacheable === 'content' ? [] : behindBy(repository);
    const calls =
      restsOnCalls.has(request.operation) && repository !== undefined
        ? options.callsVersion(repository.record.id)
        : undefined;
    const tagOf = (treeId: string): string =>
      etagOf(
        repository!,
        treeId,
        snapshot!.evidenceId,
        request.operation,
        ours,
        calls === undefined ? behind : [...behind, calls],
      );
    const isHeld = (tag: string): boolean => request.ifNoneMatch !== undefined && namesEtag(request.ifNoneMatch, tag);
    const isOfSnapshot =
      operation.cacheable === 'snapshot' &&
      snapshot !== undefined &&
      !isOfHead(ours) &&
      !isOfServers(request.operation, ours);
    const tag = isOfSnapshot ? tagOf(snapshot.snapshotId) : undefined;
    if (tag !== undefined && isHeld(tag)) return { reply: { kind: 'unchanged', etag: tag }, bytes: 0 };
    const handler = options.handlers()[request.operation] as Handler<OperationName>;
    const holds = isOfHead(ours) && request.ifNoneMatch !== undefined ? (id: string) => isHeld(tagOf(id)) : undefined;
    const context = new Context(request, repository, snapshot, holds, deadline, options.clock.now(), sync === true);
    const produced = handler(ours as InputOf<never>, context);
    const output = produced instanceof Promise ? await deadline.race(produced) : produced;
    const encoded = encodedBodyOf(output);
    const isOfContent = operation.cacheable === 'content' && encoded === undefined;
    const treeId = isOfContent ? contentDigest(output as object) : treeIdOf(output);
    const etag = treeId === undefined ? tag : tagOf(treeId);
    if (treeId !== undefined && isHeld(etag!)) return { reply: { kind: 'unchanged', etag: etag! }, bytes: 0 };
    const body = encoded ?? serialiseOutput(operation, output as OutputOf<Operation>);
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    if (bytes > limits.answerBytes) throw answerTooLarge(bytes, limits.answerBytes);
    const lastModified = isOfSnapshot ? snapshot.publishedAt : undefined;
    return { bytes, reply: { kind: 'document', body, etag, lastModified } };
  } finally {
    deadline.end();
  }
}

/** Whether it takes the writer: one that only reads needs the leader no longer than its tree is caught up with. */
function isLeaders(operation: OperationName): boolean {
  return findOperation(operation)?.effect === 'write' || worksOverTree.has(operation);
}

function longestWaitMs(
  { operation, onProgress }: DispatchRequest,
  input: Readonly<Record<string, unknown>>,
  { queryMs, jobWaitMs }: DispatchLimits,
): number {
  const waitsForJob = awaitsItsJob.has(operation) || (operation === 'jobs.get' && input['wait'] === true);
  if (takesItsTime.has(operation)) return longestTimerMs;
  // Who is told how far a job is can see that it goes on, and when to give up.
  if (waitsForJob && onProgress !== undefined) return longestTimerMs;
  return waitsForJob || worksOverTree.has(operation) ? jobWaitMs : queryMs;
}

const longestTimerMs = 2 ** 31 - 1;

function answerTooLarge(bytes: number, limit: number): Fault {
  return new Fault('tooLarge', `The answer has ${bytes} bytes; at most ${limit} are sent`, {
    details: { bytes, limit },
    suggestedFixes: [],
  });
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

function refuseTreeless(repository: ServedRepository): void {
  if (isHosted(repository)) throw noWorkTree(repository);
}

function refuseUnindexed(repository: ServedRepository): void {
  if (repository.snapshot === undefined) throw notIndexed(repository);
}

/** Of a question's time: what can't be vouched for by then is told with the reason, rather than by silence. */
const shareForCatchingUp = 0.9;

/** Waits until what was written before has been seen. Where there is no tree, nothing was. */
async function catchUp(
  repository: ServedRepository,
  deadline: Deadline,
  leadersWork: DispatchOptions['leadersWork'],
): Promise<void> {
  if (isHosted(repository)) return;
  const { follow, record } = repository;
  if (follow === undefined) throw stale(record, 'not_watched');
  const ended = leadersWork.begin();
  await deadline.race(follow.sync(deadline.leftMs() * shareForCatchingUp)).finally(ended);
}

/** Made once for each publication. */
function publishedOf(snapshot: StoredSnapshot | undefined): PublishedSnapshot | undefined {
  if (snapshot === undefined) return undefined;
  let published = publishedSnapshots.get(snapshot);
  if (published === undefined) {
    const { seq, snapshotId, evidenceId, publishedAt } = snapshot;
    published = { seq, snapshotId, evidenceId, publishedAt: new Date(publishedAt) };
    publishedSnapshots.set(snapshot, published);
  }
  return published;
}

const publishedSnapshots = new WeakMap<StoredSnapshot, PublishedSnapshot>();

/** HEAD and what differs from it change without a publication: which tree an answer is of is known with it. */
function isOfHead(input: Readonly<Record<string, unknown>>): boolean {
  return input['repoStateMode'] === 'head';
}

/** Language servers say what they say of the files as they are, and may be there or not. */
function isOfServers(operation: OperationName, input: Readonly<Record<string, unknown>>): boolean {
  return operation === 'symbols.refs' && input['merge'] === 'union';
}

/** What answers tell of how far the index is behind the tree, which changes before any snapshot does. */
function behindBy({ follow, unlisted }: ServedRepository): readonly (number | string)[] {
  return [follow?.status().pendingChanges ?? 0, ...unlisted.map(({ path }) => path)];
}

/** Validated input has its fields in one order and its defaults in place: the same question has the same tag. */
function etagOf(
  repository: ServedRepository,
  treeId: string,
  evidenceId: string,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  behind: readonly (number | string)[],
): string {
  const basis = JSON.stringify([repository.registered.uid, treeId, evidenceId, operation, input, behind]);
  return `W/"${hash('sha256', basis).slice(0, 40)}"`;
}

/** A class for the sake of its getters, which cost nothing until somebody looks. */
class Context implements RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  readonly snapshot: PublishedSnapshot | undefined;
  readonly holds: RequestContext['holds'];
  readonly now: Date;
  readonly isSynced: boolean;
  readonly connection: ConnectionScope | undefined;
  readonly indexServer: string | undefined;
  readonly #request: DispatchRequest;
  readonly #repository: ServedRepository | undefined;
  readonly #deadline: Deadline;

  constructor(
    request: DispatchRequest,
    repository: ServedRepository | undefined,
    snapshot: PublishedSnapshot | undefined,
    holds: RequestContext['holds'],
    deadline: Deadline,
    now: Date,
    isSynced: boolean,
  ) {
    this.requestId = request.requestId;
    this.principal = request.principal;
    this.snapshot = snapshot;
    this.holds = holds;
    this.now = now;
    this.isSynced = isSynced;
    this.connection = request.connection;
    this.indexServer = request.indexServer;
    this.#request = request;
    this.#repository = repository;
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get repository(): RepositoryRecord {
    if (this.#repository === undefined) throw new Error(`${this.#request.operation} is not scoped to a repository`);
    return this.#repository.record;
  }

  get withoutRepository(): WithoutRepository | undefined {
    if (this.#repository !== undefined) return undefined;
    const { directory, input } = this.#request;
    return { directory, named: input['repo'] as string | undefined };
  }

  get onProgress(): (progress: Progress) => void {
    return this.#request.onProgress ?? unheard;
  }
}

const unheard = (): void => {};

/** What the caller is told of something thrown. Only faults carry public words. */
function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const trouble = isOutOfDescriptors(error) ? storeError(error) : error;
  if (trouble instanceof StoreError) return storeFault(trouble);
  return new Fault('operationFailed', 'The operation failed; the log has the cause under this request id', {
    cause: error,
  });
}
