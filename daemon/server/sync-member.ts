import { hash } from 'node:crypto';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import type { IndexEngine } from '../jobs/engine.ts';
import { contractFactsVersion } from '../jobs/federation/facts-version.ts';
import { indexAtRest } from '../jobs/index-at-rest.ts';
import { rootGone } from '../jobs/standing-root.ts';
import { afterLook, closedAmong, type UnlistedPath } from '../jobs/unlisted.ts';
import type { MemberDecision, MemberRows } from '../model/federation.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { FederationPool } from '../operations/federation/federation-pool.ts';
import type { IndexRows } from '../operations/federation/member-rows.ts';
import type { MemberSynced } from '../operations/federations.ts';
import type { HistorySettings } from '../operations/history/historical.ts';
import type { Histories, HistoryAt } from '../operations/history/histories.ts';
import { ignoredRevisions, noRevisions } from '../operations/history/ignored-revisions.ts';
import { mendHistory } from '../operations/history/mend-history.ts';
import type { ReadPool } from '../operations/readers/read-pool.ts';
import { notIndexed } from '../operations/repository-faults.ts';
import { isGone } from '../operations/served-repository.ts';
import type { Asked } from '../operations/symbols/answers.ts';
import { isBeyondRepair, makeFolderOf } from '../store/quarantine.ts';
import { StoreError } from '../store/store-faults.ts';
import type { MemberPlaces, PlacedMember } from './member-places.ts';

export interface SyncMemberOptions {
  readonly places: Pick<MemberPlaces, 'recordOf' | 'forgetIndex'>;
  readonly pool: FederationPool;
  readonly readPool: Pick<ReadPool, 'memberRows' | 'decisions'>;
  readonly histories: Pick<Histories, 'at' | 'damaged'>;
  readonly engine: Pick<IndexEngine, 'index'>;
  readonly settings: () => HistorySettings;
  readonly decisionsFolder: () => string;
  readonly clock: Clock;
  /** To be told that what was read of the index of a registered repository is damaged. */
  readonly damagedAt: (repo: string, error: StoreError) => void;
}

export interface SyncRequest {
  readonly force: boolean;
  /** Finds out everything and keeps nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly tell: (fraction: number, message: string) => void;
}

/** Brings what is known of one member up to what it is. Rejects with `Fault`, `StoreError`. */
export type SyncMember = (
  placed: PlacedMember,
  request: SyncRequest,
) => Promise<Omit<MemberSynced, 'repoId' | 'durationMs'>>;

/** Rises whenever the same repository would be told of otherwise. */
const rowsVersion = 4;
/** So long what was written before is waited for. */
const catchUpMs = 5_000;

export function memberSync(options: SyncMemberOptions): SyncMember {
  const sync = syncOnce(options);
  return async (placed, request) => {
    try {
      return await sync(placed, request);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { member, repository } = placed;
      if (repository !== undefined) options.damagedAt(repository.record.id, error);
      if (repository !== undefined || !isBeyondRepair(error, options.places.recordOf(member).indexFile)) throw error;
      // Nobody but a synchronisation looks after the index of a folder.
      await options.places.forgetIndex(member);
      return await sync(placed, request);
    }
  };
}

function syncOnce(options: SyncMemberOptions): SyncMember {
  const { pool, clock, settings } = options;
  return async (placed, { force, dryRun, signal, tell }) => {
    const { repoUid } = placed.member;
    tell(0, 'looking what has changed');
    const indexed = await standing(placed, options, signal, tell);
    const at = await historyOf(indexed.record, options);
    const stamp = stampOf(indexed, at, settings());
    const known = await pool.stateOf(repoUid);
    if (!force && known?.stamp === stamp && known.problem === undefined) {
      return { status: 'skipped', ...countsOf(undefined, 0), reason: 'unchanged' };
    }
    const { record } = indexed;
    tell(0.3, 'reading contracts');
    const { closed } = indexed;
    const place = { repoUid, indexFile: record.indexFile, key: record.worktreeKey, root: record.root, closed };
    const { contracts, files } = await pool.scan({ ...place, force }, signal);
    tell(0.6, 'reading modules, owners and hotspots');
    const rows = await rowsOf(indexed, files, options, signal);
    tell(0.9, 'reading decisions');
    const all: MemberRows = { ...rows, decisions: await decisionsOf(record, options, signal) };
    signal.throwIfAborted();
    const found = { repoUid, stamp, syncedAt: clock.now().getTime(), rows: all };
    if (!dryRun && !(await pool.keep(found))) {
      // Of a large repository the rows take longer than the worker waits for: what it had read went with it.
      await pool.scan({ ...place, force }, signal);
      await pool.keep(found);
    }
    return { status: 'success', ...countsOf(all, contracts.declared.length), reason: undefined };
  };
}

/** A member's index, with what was published of it. */
interface Indexed {
  readonly record: RepositoryRecord;
  readonly snapshot: { readonly seq: number; readonly snapshotId: string; readonly evidenceId: string };
  /** What of the tree nobody of ours may look into. */
  readonly closed: readonly string[];
}

/** A folder that nobody follows is indexed now; any other has an index that its watcher keeps. */
async function standing(
  { member, repository }: PlacedMember,
  { places, engine, clock }: SyncMemberOptions,
  signal: AbortSignal,
  tell: SyncRequest['tell'],
): Promise<Indexed> {
  if (repository === undefined && member.kind === 'repository') {
    throw new Fault('resourceNotFound', 'It is not registered here any more');
  }
  if (repository !== undefined) {
    if (isGone(repository)) throw rootGone(repository.record);
    // What is not seen by then is in the next publication, which is synchronised by itself.
    await repository.follow?.sync(catchUpMs).catch(() => {});
    const { record, snapshot } = repository;
    if (snapshot === undefined) throw notIndexed(repository);
    return { record, snapshot, closed: closedAmong(repository.unlisted) };
  }
  const record = places.recordOf(member);
  makeFolderOf(record.indexFile);
  const onProgress = ({ fraction }: { readonly fraction: number }): void => tell(fraction * 0.3, 'indexing');
  const changes = { kind: 'recrawl', reason: 'requested' } as const;
  const {
    seq,
    snapshotId,
    evidenceId,
    unlisted = [],
  } = await indexAtRest({ engine, clock }, record, changes, { signal, onProgress });
  const closed = closedAmong(unlisted.reduce<readonly UnlistedPath[]>(afterLook, []));
  return { record, snapshot: { seq, snapshotId, evidenceId }, closed };
}

/** Undefined where nothing has been committed, or there is no git. */
async function historyOf(record: RepositoryRecord, { histories }: SyncMemberOptions): Promise<HistoryAt | undefined> {
  if (record.root === '') return undefined;
  try {
    const at = await histories.at(record);
    return at.head === undefined ? undefined : at;
  } catch (error) {
    if (error instanceof Fault && error.reason === 'preconditionFailed') return undefined;
    throw error;
  }
}

/** A history that proves damaged is made anew, once. */
async function rowsOf(
  indexed: Indexed,
  files: readonly string[],
  options: SyncMemberOptions,
  signal: AbortSignal,
): Promise<IndexRows> {
  const { readPool, histories, clock, settings } = options;
  const { record } = indexed;
  const asked = askedOf(indexed, clock);
  const read = (at: HistoryAt | undefined): Promise<IndexRows> => {
    const ignored = at === undefined ? noRevisions : ignoredRevisions(at.top);
    return readPool.memberRows({ asked, at, ignored, settings: settings(), root: record.root, files }, signal);
  };
  const at = await historyOf(record, options);
  if (at === undefined) return read(at);
  try {
    return await read(at);
  } catch (error) {
    await mendHistory(histories, at, error);
    return read(await historyOf(record, options));
  }
}

function stampOf({ record, snapshot, closed }: Indexed, at: HistoryAt | undefined, settings: HistorySettings): string {
  const { halfPoints, people } = settings;
  const configured = JSON.stringify([halfPoints, people.bots ?? null, [...people.teams], [...people.people]]);
  const versions = `${contractFactsVersion}.${rowsVersion}`;
  const parts = [versions, record.root, snapshot.snapshotId, snapshot.evidenceId, at?.head ?? '', configured, closed];
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function askedOf({ record, snapshot }: Indexed, clock: Clock): Asked {
  return {
    repo: { id: record.id, indexFile: record.indexFile, key: record.worktreeKey },
    current: snapshot,
    ...{ cursorSecret: '', dirtyFiles: 0, now: clock.now().getTime() },
  };
}

async function decisionsOf(
  repo: RepositoryRecord,
  { readPool, decisionsFolder, clock }: SyncMemberOptions,
  signal: AbortSignal,
): Promise<readonly MemberDecision[]> {
  if (repo.root === '') return [];
  const call = { repo, folder: decisionsFolder(), now: clock.now().toISOString(), question: { kind: 'all' } as const };
  const { bytes } = await readPool.decisions(call, signal);
  return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly all: readonly MemberDecision[] }).all;
}

function countsOf(rows: MemberRows | undefined, contracts: number) {
  return {
    modulesSynced: rows?.modules.length ?? 0,
    ownershipSynced: rows?.ownership.length ?? 0,
    hotspotsSynced: rows?.hotspots.length ?? 0,
    decisionsSynced: rows?.decisions.length ?? 0,
    contractsSynced: contracts,
  };
}
