import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Places } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type CanonicalDump, canonicalDump } from '../../daemon/jobs/dump.ts';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { patienceMs, type TestDaemon, until, WaitedInVain } from '../support/daemon.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

/** What the index file of a daemon's only repository holds, whether the daemon lives or not; no lines before the first snapshot. */
export function storedIndex(places: Places): CanonicalDump {
  return indexIn(onlyIndexFile(places));
}

/** The index file of a daemon of one repository, or of worktrees of one. */
function onlyIndexFile(places: Places): string {
  const [name, ...others] = readdirSync(places.repos);
  if (name === undefined || others.length > 0) throw new Error(`one index was expected in ${places.repos}`);
  return join(places.repos, name, 'index.db');
}

/** What an index file of one repository holds. */
export function indexIn(file: string): CanonicalDump {
  const key = rowIn<{ key: string }>(file, 'SELECT key FROM repo')?.key;
  return canonicalDump(file, key ?? '');
}

/** The same of a worktree, which shares its file with others, by the id that it is registered under. */
export function storedWorktree(places: Places, id: string): CanonicalDump {
  const { uid } = rowIn<{ uid: string }>(places.daemonDb, 'SELECT uid FROM repository WHERE id = ?', id)!;
  return canonicalDump(onlyIndexFile(places), uid);
}

function rowIn<Row>(file: string, query: string, ...values: readonly string[]): Row | undefined {
  const connection = new Database(file, { readonly: true });
  try {
    return connection.prepare(query).get(...values) as Row | undefined;
  } finally {
    connection.close();
  }
}

/** An index file that nobody has open, and the repository in it. */
export type FreshIndex = Pick<RepositoryRecord, 'indexFile' | 'worktreeKey'>;

/** Indexes a tree from nothing, each time into a file of its own. */
export function freshIndexes(scope: Cleanup, root: string): () => Promise<CanonicalDump> {
  const make = freshFiles(scope, root);
  return async () => {
    const index = await make();
    return canonicalDump(index.indexFile, index.worktreeKey);
  };
}

/** The files of `freshIndexes`. */
export function freshFiles(scope: Cleanup, root: string): () => Promise<FreshIndex> {
  const folder = temporaryFolder(scope, '', inMemory);
  const engine = sharedEngine(scope);
  let count = 0;
  return async () => {
    // What was made before has been read.
    if (count > 0) rmSync(folder.path(`${count}.db`), { force: true });
    const repo = { id: 'fresh', root, indexFile: folder.path(`${++count}.db`), worktreeKey: 'fresh', trusted: false };
    for (let attempt = 0; attempt < 10; attempt++) {
      const { unsettled } = await engine.index(repo, { kind: 'recrawl', reason: 'start' }, { evenIfHeld: true });
      if (unsettled.length === 0) break;
    }
    await engine.release(repo.indexFile);
    return repo;
  };
}

/** A folder for what has to outlive processes and no machine: there nobody waits for a disk. */
export const inMemory: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let shared: { readonly engine: IndexEngine; readonly close: () => Promise<void>; users: number } | undefined;

/** One engine for all who index from nothing at a time: it keeps its parsers, and nothing of a file that it has released. */
function sharedEngine(scope: Cleanup): IndexEngine {
  shared ??= openShared();
  const used = shared;
  used.users++;
  scope.after(async () => {
    if (--used.users > 0) return;
    if (shared === used) shared = undefined;
    await used.close();
  });
  return used.engine;
}

function openShared(): NonNullable<typeof shared> {
  const closers: (() => unknown)[] = [];
  const folder = temporaryFolder({ after: close => closers.push(close as () => unknown) } as Cleanup, '', inMemory);
  const engine = createIndexEngine({ extractWorkers: 1, shadowFolder: folder.path('shadow') });
  const close = async () => {
    await engine.close();
    for (const remove of closers) await remove();
  };
  return { engine, close, users: 0 };
}

/** The first lines in which two dumps differ, for people; undefined where there are none. */
export function differenceOf(own: CanonicalDump, other: CanonicalDump): string | undefined {
  if (own.hash === other.hash) return undefined;
  const [mine, theirs] = [new Set(own.lines), new Set(other.lines)];
  const lines = [
    ...own.lines.filter(line => !theirs.has(line)).map(line => `- ${line}`),
    ...other.lines.filter(line => !mine.has(line)).map(line => `+ ${line}`),
  ];
  return lines.slice(0, 30).join('\n');
}

/** Waits until every registered repository has been indexed. */
export async function ready({ client }: Pick<TestDaemon, 'client'>, deadlineMs = patienceMs): Promise<void> {
  await until(
    'the repositories are indexed',
    async () => {
      const { repos } = await client.daemon.listRepos({});
      return repos.length > 0 && repos.every(({ status }) => status === 'ready');
    },
    deadlineMs,
  );
}

/** A synced search. A daemon that has just begun may not watch yet, or not have caught up in time, and says so; it must come to it. */
export function synced(
  { client }: Pick<TestDaemon, 'client'>,
  asked: { readonly repo: string; readonly q: string },
): Promise<Found> {
  return patiently('the tree is watched', () => client.symbols.search({ ...asked, sync: true, limit: 1000 }));
}

type Found = Awaited<ReturnType<TestDaemon['client']['symbols']['search']>>;

/** Asks until the answer is another than that there was no time yet. */
export async function patiently<T>(what: string, ask: () => Promise<T>): Promise<T> {
  let answer: { readonly is: T } | undefined;
  const isAnswered = async () => {
    try {
      answer = { is: await ask() };
      return true;
    } catch (error) {
      if (!isForTime(error)) throw error;
      return false;
    }
  };
  await until(what, isAnswered);
  return answer!.is;
}

/** Whether a run was ended by time alone: what a machine has no room for is no difference. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof WaitedInVain || isForTime(error);
}

/** Faults that say that something has not come to its end yet. */
function isForTime(error: unknown): boolean {
  if (!(error instanceof Fault)) return false;
  const reason = error.reason === 'indexStale' ? error.extras.details?.['reason'] : error.reason;
  return ['not_watched', 'deadline', 'notReady', 'timeout'].includes(String(reason));
}
