import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type CanonicalDump, canonicalDump } from '../../daemon/jobs/dump.ts';
import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { patienceMs, type TestDaemon, until, WaitedInVain } from '../support/daemon.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

/** What the index file of a daemon's only repository holds, whether the daemon lives or not; no lines before the first snapshot. */
export function storedIndex(places: Places): CanonicalDump {
  const [name, ...others] = readdirSync(places.repos);
  if (name === undefined || others.length > 0) throw new Error(`one index was expected in ${places.repos}`);
  return indexIn(join(places.repos, name, 'index.db'));
}

/** What an index file of one repository holds. */
export function indexIn(file: string): CanonicalDump {
  const connection = new Database(file, { readonly: true });
  try {
    const repo = connection.prepare('SELECT key FROM repo').get() as { key: string } | undefined;
    return canonicalDump(file, repo?.key ?? '');
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
    const { indexFile, worktreeKey } = await make();
    return canonicalDump(indexFile, worktreeKey);
  };
}

/** The files of `freshIndexes`. */
export function freshFiles(scope: Cleanup, root: string): () => Promise<FreshIndex> {
  const folder = temporaryFolder(scope);
  const engine = createIndexEngine({ extractWorkers: 1, shadowFolder: folder.path('shadow') });
  scope.after(() => engine.close());
  let count = 0;
  return async () => {
    const repo = { id: 'fresh', root, indexFile: folder.path(`${++count}.db`), worktreeKey: 'fresh', trusted: false };
    for (let attempt = 0; attempt < 10; attempt++) {
      const { unsettled } = await engine.index(repo, { kind: 'recrawl', reason: 'start' }, { evenIfHeld: true });
      if (unsettled.length === 0) break;
    }
    await engine.release(repo.indexFile);
    return repo;
  };
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
