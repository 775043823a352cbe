import type { EdgeMark, Federation, Member } from '../model/federation.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import type { MemberState } from '../store/member-file.ts';
import type { ConsumerUses, NoteCallsCall, UsesCall } from './federation/consumer-calls.ts';
import type { DiffCall } from './federation/diff-answer.ts';
import type { FederatedCall } from './federation/member-view.ts';

/** Who keeps the federations. */
export interface Federations {
  list(): readonly Federation[];
  get(name: string): Federation | undefined;
  /** Throws `preconditionFailed` for a name that is taken, `rateLimited` past the limit. */
  create(name: string, description: string): Federation;
  /** Of one that is there. Throws as `create` does. */
  rename(name: string, newName: string): Federation;
  remove(name: string): Promise<void>;
  /** Throws `preconditionFailed` for an id or a repository that is a member already, `resourceNotFound`, `unsafeOwner`, `invalidBody`. */
  addMember(name: string, member: NewMember): Member;
  removeMember(name: string, repoId: string): Promise<void>;
  sourceOf(member: Member): MemberSource;
  states(): Promise<readonly MemberState[]>;
  compatibilityOf(member: Member): Compatibility;
  marks(federation: Federation): readonly EdgeMark[];
  mark(federation: Federation, mark: EdgeMark): void;
  unmark(federation: Federation, edgeId: number, mark: EdgeMark['mark']): void;
  answer(call: FederatedCall, signal: AbortSignal): Promise<Uint8Array>;
  /** The root of a member's work tree. Throws `preconditionFailed` where it has none, `resourceNotFound` where it is gone, `unsafeOwner`. */
  rootOf(member: Member): string;
  diff(call: DiffCall, signal: AbortSignal): Promise<Uint8Array>;
  /** Where consumers of some repositories use the contract that such an answer is about. */
  usesIn(call: UsesCall, signal: AbortSignal): Promise<readonly ConsumerUses[]>;
  /** The answer with how often production called the code of these. */
  withCalls(call: NoteCallsCall, signal: AbortSignal): Promise<Uint8Array>;
  /** The paths of a repository that OpenAPI documents refer to. */
  referencedFiles(files: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<readonly string[]>;
  /** Queues the synchronisation of some of its members, once those are indexed that are about to be. */
  sync(federation: Federation, input: SyncJobInput, signal: AbortSignal): Promise<StoredJob>;
}

export interface NewMember {
  /** Absolute. */
  readonly path: string | undefined;
  readonly repoId: string | undefined;
  readonly tags: readonly string[];
}

/** What a member is: a repository that is registered here, of whatever kind, or a folder. */
export type MemberSource = 'registered' | 'mirror' | 'upload' | 'path';

export interface Compatibility {
  readonly status: 'ok' | 'needs_refresh' | 'incompatible' | 'missing';
  readonly schemaVersion: number | undefined;
  readonly requiredVersion: number;
  readonly message: string;
}

export const syncFederationJobType = 'sync-federation';

/** What the job takes, as its `input` holds it. */
export interface SyncJobInput {
  readonly federation: string;
  /** Undefined: all. */
  readonly repoUids: readonly string[] | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** What it comes to, as its `result` holds it. */
export interface FederationSynced {
  readonly members: readonly MemberSynced[];
}

export interface MemberSynced {
  readonly repoId: string;
  readonly status: 'success' | 'skipped' | 'failed';
  readonly modulesSynced: number;
  readonly ownershipSynced: number;
  readonly hotspotsSynced: number;
  readonly decisionsSynced: number;
  readonly contractsSynced: number;
  readonly durationMs: number;
  /** `unchanged`, `untrusted_owner`, or in public words what went wrong. */
  readonly reason: string | undefined;
}
