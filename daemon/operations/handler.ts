import type { Principal, Progress } from '../../client/protocol/caller.ts';
import type { InputOf, OutputOf } from '../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../client/protocol/registry.ts';
import type { RepositoryRecord } from '../model/repository.ts';

/**
 * Answers one operation: validated input in, the output of its definition back. Throws `Fault` for what the caller may
 * be told; whatever else it throws becomes `operationFailed`.
 */
export type Handler<N extends OperationName> = (
  input: InputOf<Operations[N]>,
  context: RequestContext,
) => OutputOf<Operations[N]> | EncodedAnswer | Promise<OutputOf<Operations[N]> | EncodedAnswer>;

/** One handler for each of the names. */
export type Handlers<N extends OperationName = OperationName> = { readonly [Name in N]: Handler<Name> };

/** What a handler knows of the request beside its input. */
export interface RequestContext {
  readonly requestId: string;
  /** Fires when the caller cancels or goes away, and at the deadline. */
  readonly signal: AbortSignal;
  readonly principal: Principal;
  /** The repository asked about. Reading it in an operation whose scope is not `repository` throws. */
  readonly repository: RepositoryRecord;
  /** Set where an operation that stands alone is asked and no registered repository is meant. */
  readonly withoutRepository?: WithoutRepository | undefined;
  /** What was published of that repository when the request began; undefined before its first snapshot. */
  readonly snapshot: PublishedSnapshot | undefined;
  /** Whether the caller holds the answer about a tree already, so that it need not be made; undefined where it holds none. */
  readonly holds?: ((treeId: string) => boolean) | undefined;
  /** Whether the caller asked with `sync`: would rather wait than hear of what is not known yet. */
  readonly isSynced?: boolean | undefined;
  /** The wall clock of this request, for `timestamp` fields. */
  readonly now: Date;
  readonly onProgress: (progress: Progress) => void;
  /** The transport connection, for what must end with it (`daemon.openListener`); undefined where there is none. */
  readonly connection: ConnectionScope | undefined;
  /** Which index server was asked; undefined for the configured one. */
  readonly indexServer?: string | undefined;
}

export interface WithoutRepository {
  /** Where the caller stands. */
  readonly directory: string | undefined;
  /** The path that it named as a repository. */
  readonly named: string | undefined;
}

/** The pair that answers, ETags, caches and cursors bind. */
export interface PublishedSnapshot {
  readonly seq: number;
  readonly snapshotId: string;
  /** Changes when precise facts do without the tree. */
  readonly evidenceId: string;
  readonly publishedAt: Date;
}

/** Something that ends: `onClose` listeners run once, when it does. */
export interface ConnectionScope {
  onClose(listener: () => void): void;
}

const encodedBody = Symbol('encoded body');

/** An answer that is JSON (or text) already, as a read worker made it: it goes to the wire untouched. */
export interface EncodedAnswer {
  readonly [encodedBody]: Uint8Array | string;
  /** The tree that it is of, where that is not the published snapshot: the same question about the same tree has this answer. */
  readonly treeId?: string | undefined;
}

export function encodedAnswer(body: Uint8Array | string, treeId?: string): EncodedAnswer {
  return { [encodedBody]: body, treeId };
}

/** The tree of an answer, where it tells of one. */
export function treeIdOf(answer: unknown): string | undefined {
  return encodedBodyOf(answer) === undefined ? undefined : (answer as EncodedAnswer).treeId;
}

/** The bytes of an encoded answer; undefined for an answer that is a value still. */
export function encodedBodyOf(answer: unknown): Uint8Array | string | undefined {
  return typeof answer === 'object' && answer !== null && encodedBody in answer
    ? (answer as EncodedAnswer)[encodedBody]
    : undefined;
}
