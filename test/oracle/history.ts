import { Fault } from '../../client/protocol/faults.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';
import { type EvidencedIndexes, evidencedIndexes } from './evidence.ts';
import { describe, type Operation, operate } from './operations.ts';
import { furnish, project } from './project.ts';
import { standIn } from './stand-in.ts';
import { differenceOf, ready, storedIndex, synced } from './stored.ts';

/** What came of a history. A barrier compares the index that a synced answer spoke of with a fresh one of the same tree. */
export interface Outcome {
  readonly compared: number;
  /** Documents of which an indexer had a say, over all comparisons. */
  readonly precise: number;
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
    const fresh = evidencedIndexes(scope, workspace.root);
    const daemon = await watchedBy(scope, workspace, fresh);
    return await replay(operations, workspace, daemon, fresh);
  } finally {
    await scope.end();
  }
}

async function replay(
  operations: readonly Operation[],
  workspace: Workspace,
  daemon: Daemon,
  fresh: EvidencedIndexes,
): Promise<Outcome> {
  let compared = 0;
  let precise = 0;
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
        precise += answer.dump.lines.filter(line => line.startsWith('precise\t')).length;
        const fault = faultIn(answer, await fresh.dump());
        if (fault !== undefined) return { compared, precise, stale, failure: { at, what: fault } };
      }
    } catch (error) {
      return { compared, precise, stale, failure: { at, what: `${describe(operation)}: ${(error as Error).stack}` } };
    }
  }
  return { compared, precise, stale, failure: undefined };
}

type Answer =
  | {
      readonly kind: 'synced';
      readonly snapshotId: string;
      /** By each name that was asked for, the hashes of the symbols found. */
      readonly found: ReadonlyMap<string, string>;
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
/** Names that come and go, to compare what is answered with what is stored: searches go through what each save changes. */
const askedNames = ['thing', 'a', 'b', 'tool', 'Widget', 'made', 'draw', 'below'];

async function watchedBy(scope: Cleanup, workspace: Workspace, fresh: EvidencedIndexes): Promise<Daemon> {
  const home = temporaryHome(scope, {
    ...{ SVC_HTTP_ENABLED: 'false', SVC_INDEX_USE_INDEXERS: 'scip-typescript', SVC_INDEX_BACKGROUND_INDEXERS: 'false' },
  });
  const indexer = standIn(scope);
  home.configure(`[index.indexers.scip-typescript]\npath = "${indexer.program}"\n`);
  let running = await startDaemon(scope, home);
  let isFrozen = false;
  await running.client.daemon.addRepo({ root: workspace.root, id });
  await ready(running);
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
  const killed = () =>
    begin(daemon => {
      daemon.process.kill('SIGKILL');
      return daemon.ended;
    });
  /** What is not forced goes by the index as it is: that must be one of this tree. */
  const index = async (wanted: boolean) => {
    thaw();
    const force = wanted || (await answerOf(running)).kind === 'stale';
    await running.client.indexing.index({ repo: id, force });
  };
  return {
    async undergo(operation) {
      if (operation.kind === 'scip') await indexer.hand(workspace.root, operation, fresh, index, killed);
      if (operation.kind === 'pause') await new Promise(resolve => setTimeout(resolve, operation.ms));
      if (operation.kind === 'freeze') isFrozen = running.process.kill('SIGSTOP');
      if (operation.kind === 'thaw' || operation.kind === 'barrier') thaw();
      if (operation.kind === 'restart') await begin(daemon => daemon.stop());
      if (operation.kind === 'kill') await killed();
    },
    published: () => answerOf(running),
  };
}

async function answerOf(daemon: TestDaemon): Promise<Answer> {
  try {
    const { snapshotId } = await synced(daemon, { repo: id, q: askedNames[0]! });
    const found = new Map<string, string>();
    for (const asked of askedNames) {
      const { results } = await daemon.client.symbols.search({ repo: id, q: asked, limit: 1000 });
      const hashes = results.filter(({ name }) => name === asked).map(symbol => symbol.id.slice(-32));
      found.set(asked, distinct(hashes));
    }
    return { kind: 'synced', snapshotId, found, dump: storedIndex(daemon.home.places) };
  } catch (error) {
    if (error instanceof Fault && error.reason === 'indexStale')
      return { kind: 'stale', reason: String(error.extras.details?.['reason']) };
    if (error instanceof Fault && error.reason === 'timeout') return { kind: 'stale', reason: 'timeout' };
    throw error;
  }
}

/** What is wrong with an answer; undefined when nothing is. */
function faultIn({ dump, snapshotId, found }: Extract<Answer, { kind: 'synced' }>, fresh: CanonicalDump) {
  const difference = differenceOf(dump, fresh);
  if (difference !== undefined) return `- the daemon's index, + a fresh one\n${difference}`;
  if (!fresh.lines.some(line => line.startsWith(`snapshot\t${snapshotId}\t`)))
    return `the answer speaks of ${snapshotId}, the index holds another`;
  const defined = fresh.lines.filter(line => line.startsWith('definition\t')).map(line => line.split('\t'));
  for (const [asked, answered] of found) {
    const stored = distinct(defined.filter(([, , , , name]) => name === asked).map(([, , , hash]) => hash!));
    if (stored !== answered) return `${asked} stored: ${stored}\nanswered: ${answered}`;
  }
  return undefined;
}

function distinct(hashes: readonly string[]): string {
  return [...new Set(hashes)].sort().join(' ');
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
