import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { closedFolder } from '../../watch/file-system.ts';
import type { FollowedRepository } from '../jobs/follow/follow-repository.ts';
import type { UnlistedPath } from '../jobs/unlisted.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { RegisteredRepository } from '../store/daemon-db.ts';
import type { StoredSnapshot } from '../store/publication.ts';
import type { RequestContext } from './handler.ts';

/** A registered repository as it stands. Whoever keeps it indexed changes it; whoever answers reads. */
export interface ServedRepository {
  readonly record: RepositoryRecord;
  readonly registered: RegisteredRepository;
  /** The newest published snapshot; undefined before the first. */
  readonly snapshot: StoredSnapshot | undefined;
  /** What tells the index file that it is in from any that was in its place; '' before the first. */
  readonly epoch: string;
  /** Milliseconds since a run of this process last compared the tree with the index; a comparison that found nothing counts. */
  readonly sinceComparedMs: (() => number) | undefined;
  readonly follow: Pick<FollowedRepository, 'status' | 'sync' | 'hearOut'> | undefined;
  /** What the first or a forced run has come to; undefined when none is under way. */
  readonly progress: { readonly phase: string; readonly fraction: number } | undefined;
  /** What lies in the tree and can't be listed, as the last looks at it and at paths in it found. */
  readonly unlisted: readonly UnlistedPath[];
  /** Why the last run failed, in public words; undefined after a good one. */
  readonly failure: string | undefined;
  /** Why the last run could not write, in public words; undefined once one could. */
  readonly notWritten: string | undefined;
  /** When its rows were last compared with their digests, milliseconds, and what did not hold since; undefined before the first time. */
  readonly verified: { readonly at: number | undefined; readonly trouble: string | undefined } | undefined;
}

/** The registered repositories. */
export interface ServedRepositories {
  list(): readonly ServedRepository[];
  get(id: string): ServedRepository | undefined;
  defaultId(): string | undefined;
  /**
   * Registers a root: the same root again gives what is there. Throws `invalidBody`, `preconditionFailed`, `unsafeOwner`,
   * `rateLimited` past the limit.
   */
  add(root: string, id: string | undefined): { readonly repository: ServedRepository; readonly created: boolean };
  /** Undefined: none answers where none is named. */
  setDefault(id: string | undefined): void;
  setTrusted(id: string, trusted: boolean): void;
}

/** The repository that a request is about. Throws `resourceNotFound` where it has been removed since. */
export function servedOf(repositories: Pick<ServedRepositories, 'get'>, context: RequestContext): ServedRepository {
  return stillRegistered(repositories, context.repository.id);
}

/** The repository of an id. Throws `resourceNotFound` where it has been removed. */
export function stillRegistered<Repository>(
  repositories: { get(id: string): Repository | undefined },
  id: string | undefined,
): Repository {
  const found = id === undefined ? undefined : repositories.get(id);
  if (found === undefined) throw new Fault('resourceNotFound', 'The repository was removed');
  return found;
}

export function idsOf(repositories: Pick<ServedRepositories, 'list'>): readonly string[] {
  return repositories.list().map(({ record }) => record.id);
}

/** Whether it has no work tree here: its index was uploaded or mirrored. */
export function isHosted({ record }: Pick<ServedRepository, 'record'>): boolean {
  return record.root === '';
}

/**
 * Those about which nothing can be asked: before their first index, or while a damaged one is made anew. Of those without a
 * work tree a damaged one comes back when somebody sends it again, which nobody waits for.
 */
export function withoutIndex(repositories: Pick<ServedRepositories, 'list'>): readonly ServedRepository[] {
  return repositories.list().filter(one => one.snapshot === undefined && !isHosted(one));
}

/** Those without a work tree whose index is lost. */
export function lostIndexes(repositories: Pick<ServedRepositories, 'list'>): readonly ServedRepository[] {
  return repositories.list().filter(one => one.failure !== undefined && isHosted(one));
}

/** Whether an indexer says where its references point: of what was uploaded or mirrored nobody else does. */
export function isPrecise({ registered, snapshot }: Pick<ServedRepository, 'registered' | 'snapshot'>): boolean {
  return snapshot !== undefined && (snapshot.evidenceId !== '' || registered.source !== 'tree');
}

export function statusOf(repository: ServedRepository): 'queued' | 'indexing' | 'ready' | 'failed' | 'missing' {
  if (isGone(repository)) return 'missing';
  if (repository.snapshot !== undefined) return isWriting(repository) ? 'indexing' : 'ready';
  if (repository.progress !== undefined) return repository.progress.phase === 'queued' ? 'queued' : 'indexing';
  return repository.failure === undefined ? 'queued' : 'failed';
}

/** Why the index is not fresh; undefined when it is. */
export async function staleness(
  repository: ServedRepository,
  thresholdMinutes: number,
  now: Date,
): Promise<string | undefined> {
  // Asked first: while it answers, a run may end.
  const isHeard = await repository.follow?.hearOut();
  const { snapshot, failure, follow } = repository;
  if (snapshot === undefined) return failure ?? 'there is no index yet';
  if (failure !== undefined) return failure;
  if (isHosted(repository)) return staleByAge(repository, thresholdMinutes, now);
  if (follow === undefined || isHeard === undefined) return 'the tree is not watched yet';
  if (isGone(repository)) return goneRoot(repository.record);
  if (!isHeard) return 'the watcher does not answer';
  const { failing, pendingChanges, watch } = follow.status();
  if (failing) return 'the last run over the changes failed; the log has the cause';
  if (pendingChanges > 0) return `${amount(pendingChanges, 'change is', 'changes are')} being taken in`;
  if (watch.crawling) return 'the tree is looked at anew: events may have been missed';
  return staleByAge(repository, thresholdMinutes, now);
}

function goneRoot({ root }: RepositoryRecord): string {
  return closedFolder(root) === undefined
    ? 'the repository’s folder is gone'
    : 'the repository’s folder can’t be looked into';
}

function staleByAge(repository: ServedRepository, thresholdMinutes: number, now: Date): string | undefined {
  return ageMinutes(repository, now) > thresholdMinutes
    ? `older than ${amount(thresholdMinutes, 'minute')}`
    : undefined;
}

/** When what the index holds was published; undefined without an index. */
export function lastIndexed({ snapshot }: ServedRepository): Date | undefined {
  return snapshot === undefined ? undefined : new Date(snapshot.publishedAt);
}

/** Whole minutes since it was last known to be the tree's; never below zero, whatever the clock did. 0 without an index. */
export function ageMinutes({ snapshot, sinceComparedMs }: ServedRepository, now: Date): number {
  if (snapshot === undefined) return 0;
  return Math.max(0, Math.floor((sinceComparedMs?.() ?? now.getTime() - snapshot.publishedAt) / 60_000));
}

/** Whether the watcher has looked for the root and found none, or none that may be looked into. */
export function isGone({ follow }: ServedRepository): boolean {
  if (follow === undefined) return false;
  const { watching, watch } = follow.status();
  return watching === 'off' && !watch.crawling;
}

export function isWriting(repository: ServedRepository): boolean {
  return repository.progress !== undefined || repository.follow?.status().indexing === true;
}
