import { randomUUID } from 'node:crypto';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import type { Observation, Observe } from '../events.ts';
import { indexJobType } from '../jobs/index-job.ts';
import type { JobContext, JobQueue } from '../jobs/queue.ts';
import type { EdgeMark, Federation, Member } from '../model/federation.ts';
import type { ConsumerUses, NoteCallsCall, UsesCall } from '../operations/federation/consumer-calls.ts';
import type { DiffCall } from '../operations/federation/diff-answer.ts';
import type { FederationPool } from '../operations/federation/federation-pool.ts';
import type { FederatedCall } from '../operations/federation/member-view.ts';
import {
  type Compatibility,
  type FederationSynced,
  type Federations,
  type MemberSource,
  type MemberSynced,
  type NewMember,
  type SyncJobInput,
  syncFederationJobType,
} from '../operations/federations.ts';
import type { DaemonDatabase, StoredJob } from '../store/daemon-db.ts';
import type { MemberState } from '../store/member-file.ts';
import { StoreError } from '../store/store-faults.ts';
import type { MemberPlaces, PlacedMember } from './member-places.ts';
import type { KeptRepository, Repositories } from './repositories.ts';
import { storeFault } from './store-fault.ts';
import type { SyncMember } from './sync-member.ts';

export interface KeepFederationsOptions {
  readonly database: Pick<
    DaemonDatabase,
    | 'federations'
    | 'federation'
    | 'saveFederation'
    | 'removeFederation'
    | 'saveMember'
    | 'removeMember'
    | 'edgeMarks'
    | 'saveEdgeMark'
    | 'removeEdgeMark'
  >;
  readonly repositories: Pick<Repositories, 'get' | 'list' | 'at'>;
  readonly places: MemberPlaces;
  readonly pool: FederationPool;
  readonly syncMember: SyncMember;
  readonly jobs: () => Pick<JobQueue, 'add' | 'addOnce' | 'findActive' | 'ended'>;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** Keeps federations, and what is known of their members up to these. */
export interface KeepFederations extends Federations {
  /** The run of a job of type `sync-federation`. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  /** A member whose snapshot moves is synchronised by itself. */
  hear(seen: Observation): void;
  /** What was known of members is lost, or some of it: all of them are synchronised again. */
  damaged(what: string): void;
  close(): Promise<void>;
}

const mostFederations = 1_000;
const mostMembers = 1_000;
/** Publications that follow one another are synchronised together. */
const settleMs = 500;
/** No repository's id. */
const everything = '';

export function keepFederations(options: KeepFederationsOptions): KeepFederations {
  return new FederationKeeper(options);
}

class FederationKeeper implements KeepFederations {
  readonly #options: KeepFederationsOptions;
  /** By repository's uid: its last synchronisation, for which the next one waits. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** Jobs behind which another of the same is to be queued. */
  readonly #followed = new Set<string>();
  readonly #closing = new AbortController();
  /** By the repository's id, or for `everything`: calls off what waits. */
  readonly #settling = new Map<string, () => void>();

  constructor(options: KeepFederationsOptions) {
    this.#options = options;
  }

  list(): readonly Federation[] {
    return this.#options.database.federations();
  }

  get(name: string): Federation | undefined {
    return this.#options.database.federation(name);
  }

  create(name: string, description: string): Federation {
    const { database, clock } = this.#options;
    this.#refuseTaken(name);
    if (this.list().length >= mostFederations) throw tooMany(`${mostFederations} federations`);
    const made = { uid: randomUUID(), name, description, createdAt: clock.now().getTime() };
    database.saveFederation(made);
    return { ...made, members: [] };
  }

  rename(name: string, newName: string): Federation {
    const { members: _, ...federation } = this.get(name)!;
    if (newName !== name) this.#refuseTaken(newName);
    this.#options.database.saveFederation({ ...federation, name: newName });
    return this.get(newName)!;
  }

  async remove(name: string): Promise<void> {
    const { uid } = this.get(name)!;
    this.#options.database.removeFederation(uid);
    await this.#forgetOthers();
  }

  addMember(name: string, wanted: NewMember): Member {
    const { database, places, clock } = this.#options;
    const federation = this.get(name)!;
    const member = places.placeNew(wanted, clock.now().getTime());
    const { members } = federation;
    const same = members.find(({ repoUid }) => repoUid === member.repoUid);
    if (same !== undefined) throw taken(`It is ${same.repoId} of ${name} already`, 'member', same.repoId);
    if (members.some(({ repoId }) => repoId === member.repoId)) {
      throw taken(
        `${name} has another repository ${member.repoId}: give it an id with --repo-id`,
        'id_taken',
        member.repoId,
      );
    }
    if (members.length >= mostMembers) throw tooMany(`${mostMembers} repositories in a federation`);
    database.saveMember(federation.uid, member);
    return member;
  }

  async removeMember(name: string, repoId: string): Promise<void> {
    const { uid, members } = this.get(name)!;
    const member = members.find(one => one.repoId === repoId)!;
    this.#options.database.removeMember(uid, member.repoUid);
    await this.#forgetOthers();
  }

  sourceOf(member: Member): MemberSource {
    return this.#options.places.sourceOf(member);
  }

  compatibilityOf(member: Member): Compatibility {
    return this.#options.places.compatibilityOf(member);
  }

  states(): Promise<readonly MemberState[]> {
    return this.#options.pool.states();
  }

  marks({ uid }: Federation): readonly EdgeMark[] {
    return this.#options.database.edgeMarks(uid);
  }

  mark({ uid }: Federation, mark: EdgeMark): void {
    this.#options.database.saveEdgeMark(uid, mark);
  }

  unmark({ uid }: Federation, edgeId: number, mark: EdgeMark['mark']): void {
    this.#options.database.removeEdgeMark(uid, edgeId, mark);
  }

  answer(call: FederatedCall, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.pool.answer(call, signal);
  }

  rootOf(member: Member): string {
    return this.#options.places.rootOf(member);
  }

  referencedFiles(files: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<readonly string[]> {
    return this.#options.pool.referencedFiles(files, signal);
  }

  diff(call: DiffCall, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.pool.diff(call, signal);
  }

  usesIn(call: UsesCall, signal: AbortSignal): Promise<readonly ConsumerUses[]> {
    return this.#options.pool.usesIn(call, signal);
  }

  withCalls(call: NoteCallsCall, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.pool.withCalls(call, signal);
  }

  async sync(federation: Federation, input: SyncJobInput, signal: AbortSignal): Promise<StoredJob> {
    const { jobs } = this.#options;
    // A job that waited for these would hold up what it waits for.
    for (const { repository } of this.#placed(federation, input.repoUids)) {
      const first = repository?.snapshot === undefined ? this.#firstRunOf(repository) : undefined;
      if (first !== undefined) await jobs().ended(first.id, signal);
    }
    return jobs().add(syncFederationJobType, { input });
  }

  async run({ job, signal, report }: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const input = job.input as SyncJobInput;
    const federation = this.get(input.federation);
    if (federation === undefined) throw new Fault('resourceNotFound', 'The federation was deleted or renamed');
    const placed = this.#placed(federation, input.repoUids);
    const members: MemberSynced[] = [];
    for (const [at, one] of placed.entries()) {
      const tell = (fraction: number, message: string): void =>
        report((at + fraction) / placed.length, `${one.member.repoId}: ${message}`);
      members.push(await this.#inTurn(one.member.repoUid, () => this.#synced(one, { input, signal, tell })));
      signal.throwIfAborted();
    }
    return { members } satisfies FederationSynced;
  }

  hear(seen: Observation): void {
    if (seen.kind !== 'snapshot.published') return;
    const { repo } = seen;
    if (this.#membersOf(repo).length === 0) return;
    this.#settle(repo, () => {
      for (const one of this.#membersOf(repo)) this.#queue(repo, one);
    });
  }

  damaged(what: string): void {
    const cause = new StoreError('corrupt', what);
    this.#options.observe({ kind: 'daemon.fault', what: 'what is known of federations', cause });
    this.#settle(everything, () => {
      for (const { name, members } of this.list()) {
        const input: SyncJobInput = { federation: name, repoUids: undefined, force: false, dryRun: false };
        if (members.length > 0) unlessFull(() => this.#options.jobs().add(syncFederationJobType, { input }));
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const cancel of this.#settling.values()) cancel();
    this.#settling.clear();
    await this.#options.pool.close();
  }

  /** What follows within a moment is done at once with what came first. */
  #settle(what: string, work: () => void): void {
    if (this.#settling.has(what) || this.#closing.signal.aborted) return;
    const cancel = this.#options.clock.after(settleMs, () => {
      this.#settling.delete(what);
      work();
    });
    this.#settling.set(what, cancel);
  }

  #refuseTaken(name: string): void {
    if (this.get(name) !== undefined) throw taken(`There is a federation ${name} already`, 'name_taken', name);
  }

  #placed(federation: Federation, repoUids: readonly string[] | undefined): readonly PlacedMember[] {
    const asked = federation.members.filter(({ repoUid }) => repoUids?.includes(repoUid) !== false);
    return asked.map(member => this.#options.places.placed(member));
  }

  #firstRunOf(repository: KeptRepository | undefined): StoredJob | undefined {
    const { jobs } = this.#options;
    if (repository === undefined) return undefined;
    const active = [false, true].map(force => jobs().findActive(indexJobType, repository.record.id, { force }));
    return active.find(job => job !== undefined);
  }

  /** Of one repository one after the other, whichever federations ask for it. */
  #inTurn<Value>(repoUid: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#running.get(repoUid) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(work);
    const settled = mine
      .catch(() => {})
      .finally(() => {
        if (this.#running.get(repoUid) === settled) this.#running.delete(repoUid);
      });
    this.#running.set(repoUid, settled);
    return mine;
  }

  async #synced(
    placed: PlacedMember,
    { input, signal, tell }: { readonly input: SyncJobInput; readonly signal: AbortSignal; readonly tell: Tell },
  ): Promise<MemberSynced> {
    const { syncMember, clock, pool, observe } = this.#options;
    const { repoId, repoUid } = placed.member;
    const startedMs = clock.monotonicMs();
    try {
      const { force, dryRun } = input;
      const counts = await syncMember(placed, { force, dryRun, signal, tell });
      return { repoId, ...counts, durationMs: clock.monotonicMs() - startedMs };
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof Fault)) {
        observe({
          kind: 'daemon.fault',
          what: `the synchronisation of ${repoId} in ${input.federation}`,
          cause: error,
        });
      }
      const { status, reason } = whyNot(error);
      if (!input.dryRun) await pool.noteProblem(repoUid, reason).catch(() => {});
      return { repoId, status, ...nothingSynced, reason, durationMs: clock.monotonicMs() - startedMs };
    }
  }

  /** What a repository is in federations: once for each uid that it has there, for what is known of that is the same in all. */
  #membersOf(repo: string): readonly FederatedMember[] {
    const kept = this.#options.repositories.get(repo);
    if (kept === undefined) return [];
    const { registered, record } = kept;
    const found = new Map<string, FederatedMember>();
    for (const { name, members } of this.list()) {
      for (const { repoUid, path } of members) {
        // A folder may have been registered since it was added.
        const isMeant = repoUid === registered.uid || (path !== '' && path === record.root);
        if (isMeant && !found.has(repoUid)) found.set(repoUid, { federation: name, repoUid });
      }
    }
    return [...found.values()];
  }

  #queue(repo: string, member: FederatedMember): void {
    const { federation, repoUid } = member;
    const jobs = this.#options.jobs();
    const input: SyncJobInput = { federation, repoUids: [repoUid], force: false, dryRun: false };
    const active = jobs.findActive(syncFederationJobType, repo, input);
    if (active?.state !== 'running') {
      unlessFull(() => jobs.addOnce(syncFederationJobType, { repo, input }));
      return;
    }
    // It may have read what was there before.
    if (this.#followed.has(active.id)) return;
    this.#followed.add(active.id);
    const again = (): void => {
      this.#followed.delete(active.id);
      if (!this.#closing.signal.aborted) this.#queue(repo, member);
    };
    jobs.ended(active.id, this.#closing.signal).then(again, again);
  }

  async #forgetOthers(): Promise<void> {
    const { places, pool } = this.#options;
    const left = new Set(this.list().flatMap(({ members }) => members.map(({ repoUid }) => repoUid)));
    await places.forgetOthers(left);
    await pool.keepOnly([...left]);
  }
}

interface FederatedMember {
  /** The name of one that it is a member of. */
  readonly federation: string;
  readonly repoUid: string;
}

type Tell = (fraction: number, message: string) => void;

const nothingSynced = {
  ...{ modulesSynced: 0, ownershipSynced: 0, hotspotsSynced: 0, decisionsSynced: 0, contractsSynced: 0 },
} as const;

/** What is told of a member that could not be synchronised: of somebody else's folder nothing is read. */
function whyNot(error: unknown): { readonly status: 'failed' | 'skipped'; readonly reason: string } {
  if (error instanceof StoreError) return { status: 'failed', reason: storeFault(error).message };
  if (!(error instanceof Fault)) return { status: 'failed', reason: 'it failed; the log has the cause' };
  if (error.reason === 'unsafeOwner') return { status: 'skipped', reason: 'untrusted_owner' };
  return { status: 'failed', reason: error.message };
}

/** Where the queue is full, or the daemon about to leave: staleness tells, and the next publication asks again. */
function unlessFull(add: () => unknown): void {
  try {
    add();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

function taken(message: string, reason: string, id: string): Fault {
  return new Fault('preconditionFailed', message, { details: { reason, id } });
}

function tooMany(what: string): Fault {
  return new Fault('rateLimited', `At most ${what}`, { retryAfterSeconds: 60 });
}
