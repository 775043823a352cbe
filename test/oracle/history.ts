import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../client/protocol/faults.ts';
import { type CanonicalDump, canonicalDump } from '../../daemon/jobs/dump.ts';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';
import { describe, type Operation, operate } from './operations.ts';
import { furnish, project } from './project.ts';

/** What came of a history. A barrier compares the index that a synced answer spoke of with a fresh one of the same tree. */
export interface Outcome {
  readonly compared: number;
  /** Barriers at which the daemon said that it could not vouch for its index, and why. */
  readonly stale: readonly string[];
  /** The first barrier that did not hold; undefined for a good history. */
  readonly failure: Failure | undefined;
}

export interface Failure {
  /** Index of the operation. */
  readonly at: number;
  readonly what: string;
}

/** Runs a history over a real repository and a real daemon, both of its own. */
export async function run(operations: readonly Operation[]): Promise<Outcome> {
  const scope = openScope();
  try {
    const workspace = gitRepository(scope, project);
    furnish(workspace);
    const daemon = await watchedBy(scope, workspace);
    return await replay(operations, workspace, daemon, freshIndexes(scope, workspace));
  } finally {
    await scope.end();
  }
}

async function replay(
  operations: readonly Operation[],
  workspace: Workspace,
  daemon: Daemon,
  fresh: () => Promise<CanonicalDump>,
): Promise<Outcome> {
  let compared = 0;
  const stale: string[] = [];
  for (const [at, operation] of operations.entries()) {
    operate(workspace, operation);
    try {
      await daemon.undergo(operation);
      if (operation.kind !== 'barrier') continue;
      const answer = await daemon.published();
      if (answer.kind === 'stale') stale.push(answer.reason);
      else {
        compared++;
        const difference = differenceOf(answer, await fresh());
        if (difference !== undefined) return { compared, stale, failure: { at, what: difference } };
      }
    } catch (error) {
      return { compared, stale, failure: { at, what: `${describe(operation)}: ${(error as Error).stack}` } };
    }
  }
  return { compared, stale, failure: undefined };
}

type Answer =
  | {
      readonly kind: 'synced';
      readonly snapshotId: string;
      readonly found: readonly string[];
      readonly dump: CanonicalDump;
    }
  | { readonly kind: 'stale'; readonly reason: string };

interface Daemon {
  /** What an operation does to the process. */
  undergo(operation: Operation): Promise<void>;
  /** A synced answer, and the index that it spoke of. */
  published(): Promise<Answer>;
}

const id = 'oracle';
/** A name that many files define, to compare what is answered with what is stored. */
const askedName = 'thing';

async function watchedBy(scope: Cleanup, workspace: Workspace): Promise<Daemon> {
  const home = temporaryHome(scope, { SVC_HTTP_ENABLED: 'false' });
  let running = await startDaemon(scope, home);
  let isFrozen = false;
  await running.client.daemon.addRepo({ root: workspace.root, id });
  await until('the repository is indexed', async () => {
    const { repos } = await running.client.daemon.listRepos({});
    return repos[0]?.status === 'ready';
  });
  const thaw = () => {
    if (isFrozen) running.process.kill('SIGCONT');
    isFrozen = false;
  };
  const begin = async (end: (daemon: TestDaemon) => Promise<unknown>) => {
    thaw();
    await end(running);
    await running.caller.close();
    running = await startDaemon(scope, home);
  };
  return {
    async undergo(operation) {
      if (operation.kind === 'pause') await new Promise(resolve => setTimeout(resolve, operation.ms));
      if (operation.kind === 'freeze') isFrozen = running.process.kill('SIGSTOP');
      if (operation.kind === 'thaw' || operation.kind === 'barrier') thaw();
      if (operation.kind === 'restart') await begin(daemon => daemon.stop());
      if (operation.kind === 'kill') {
        await begin(daemon => {
          daemon.process.kill('SIGKILL');
          return daemon.ended;
        });
      }
    },
    async published() {
      try {
        const { snapshotId, results } = await synced(running);
        const found = results.filter(({ name }) => name === askedName).map(symbol => symbol.id.slice(-32));
        return { kind: 'synced', snapshotId, found, dump: dumpBelow(home.places.repos) };
      } catch (error) {
        if (error instanceof Fault && error.reason === 'indexStale')
          return { kind: 'stale', reason: String(error.extras.details?.['reason']) };
        throw error;
      }
    },
  };
}

/** A daemon that has just begun may not watch yet, and says so; it must come to it. */
async function synced({ client }: TestDaemon) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await client.symbols.search({ q: askedName, repo: id, sync: true, limit: 1000 });
    } catch (error) {
      const reason = error instanceof Fault ? (error.extras.details?.['reason'] ?? error.reason) : '';
      if ((reason !== 'not_watched' && reason !== 'notReady') || attempt > 200) throw error;
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }
}

/** The one repository of the one index file. */
function dumpBelow(folder: string): CanonicalDump {
  const [name, ...others] = readdirSync(folder);
  if (name === undefined || others.length > 0) throw new Error(`one index was expected in ${folder}`);
  const file = join(folder, name, 'index.db');
  const connection = new Database(file, { readonly: true });
  try {
    const { key } = connection.prepare('SELECT key FROM repo').get() as { key: string };
    return canonicalDump(file, key);
  } finally {
    connection.close();
  }
}

/** Indexes the tree from nothing, each time into a file of its own. */
function freshIndexes(scope: Cleanup, workspace: Workspace): () => Promise<CanonicalDump> {
  const folder = temporaryFolder(scope);
  const engine: IndexEngine = createIndexEngine({ extractWorkers: 1, shadowFolder: folder.path('shadow') });
  scope.after(() => engine.close());
  let count = 0;
  return async () => {
    const indexFile = folder.path(`${++count}.db`);
    const repo = { id, root: workspace.root, indexFile, worktreeKey: 'fresh', trusted: false };
    for (let attempt = 0; attempt < 10; attempt++) {
      const { unsettled } = await engine.index(repo, { kind: 'recrawl', reason: 'start' });
      if (unsettled.length === 0) break;
    }
    const dump = canonicalDump(indexFile, repo.worktreeKey);
    await engine.release(indexFile);
    return dump;
  };
}

function differenceOf(
  { dump, snapshotId, found }: Extract<Answer, { kind: 'synced' }>,
  fresh: CanonicalDump,
): string | undefined {
  if (dump.hash !== fresh.hash) {
    const [own, other] = [new Set(dump.lines), new Set(fresh.lines)];
    const lines = [
      ...dump.lines.filter(line => !other.has(line)).map(line => `- ${line}`),
      ...fresh.lines.filter(line => !own.has(line)).map(line => `+ ${line}`),
    ];
    return `- the daemon's index, + a fresh one\n${lines.slice(0, 30).join('\n')}`;
  }
  if (!fresh.lines.includes(`snapshot\t${snapshotId}\t`))
    return `the answer speaks of ${snapshotId}, the index holds another`;
  const stored = distinct(fresh.lines.filter(isAsked).map(line => line.split('\t')[3]!));
  const answered = distinct(found);
  return stored === answered ? undefined : `stored: ${stored}\nanswered: ${answered}`;
}

function distinct(hashes: readonly string[]): string {
  return [...new Set(hashes)].sort().join(' ');
}

function isAsked(line: string): boolean {
  return line.startsWith('definition\t') && line.split('\t')[4] === askedName;
}

/** Something that a test closes itself after, for runs that are no tests. */
function openScope(): Cleanup & { end(): Promise<void> } {
  const closers: (() => unknown)[] = [];
  return {
    after: (closer => {
      if (closer !== undefined) closers.push(closer as () => unknown);
    }) as Cleanup['after'],
    async end() {
      for (const close of closers.reverse()) await close();
    },
  };
}
