import { Fault } from '../../client/protocol/faults.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';
import { arrivals } from './arrivals.ts';
import { type EvidencedIndexes, evidencedIndexes } from './evidence.ts';
import { askedFile, describe, type Operation, operate } from './operations.ts';
import { furnish, project } from './project.ts';
import { standIn } from './stand-in.ts';
import { differenceOf, isTooSlow, patiently, ready, storedIndex, synced } from './stored.ts';

/** What came of a history. A barrier compares the index that a synced answer spoke of with a fresh one of the same tree. */
export interface Outcome {
  readonly compared: number;
  /** Documents of which an indexer had a say, over all comparisons. */
  readonly precise: number;
  /** Barriers at which the daemon said that it could not vouch for its index, and why. */
  readonly stale: readonly string[];
  /** The first barrier that did not hold; undefined for a good history. */
  readonly failure: Failure | undefined;
  /** The operation at which a time limit ended the run, which says nothing of what had not been compared by then. */
  readonly tooSlow: Failure | undefined;
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
  const outcome = (failure?: Failure, tooSlow?: Failure) => ({ compared, precise, stale, failure, tooSlow });
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
        if (fault !== undefined) return outcome({ at, what: fault });
      }
    } catch (error) {
      const failure = { at, what: `${describe(operation)}: ${(error as Error).stack}` };
      return isTooSlow(error) ? outcome(undefined, failure) : outcome(failure);
    }
  }
  return outcome();
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
  /** What an operation does to the process. Throws where it says of its index what does not hold. */
  undergo(operation: Operation): Promise<void>;
  /** A synced answer, and the index that it spoke of. */
  published(): Promise<Answer>;
}

const id = 'oracle';
/** Names that come and go, to compare what is answered with what is stored: searches go through what each save changes. */
const askedNames = ['thing', 'a', 'b', 'tool', 'Widget', 'made', 'draw', 'below'];

/**
 * A daemon lives for seconds here: an optimising compiler and threads that collect garbage cost more than they bring. The
 * words after `$0` are the program and its arguments.
 */
const shortLived = ['--no-opt', '--liftoff-only', '--no-sparkplug', '--single-threaded-gc', '--min-semi-space-size=16'];
const startsQuickly = ['/bin/sh', '-c', `exec "$0" ${shortLived.join(' ')} "$@"`];

async function watchedBy(scope: Cleanup, workspace: Workspace, fresh: EvidencedIndexes): Promise<Daemon> {
  const home = temporaryHome(scope, {
    ...{ SVC_HTTP_ENABLED: 'false', SVC_INDEX_USE_INDEXERS: 'scip-typescript', SVC_INDEX_BACKGROUND_INDEXERS: 'false' },
  });
  const indexer = standIn(scope);
  home.configure(`[index.indexers.scip-typescript]\npath = "${indexer.program}"\n`);
  let running = await startDaemon(scope, home, startsQuickly);
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
    running = await startDaemon(scope, home, startsQuickly);
  };
  const killed = () =>
    begin(daemon => {
      daemon.process.kill('SIGKILL');
      return daemon.ended;
    });
  const arriving = arrivals(scope, workspace, indexer, fresh, {
    async index(input) {
      thaw();
      // What is not forced goes by the index as it is: that must be one of this tree.
      if (input.force !== true) await synced(running, { repo: id, q: askedNames[0]! });
      const answer = await running.client.indexing.index({ repo: id, ...input });
      return 'scip' in answer ? (answer.scip?.joined ?? 0) : 0;
    },
    kill: killed,
  });
  return {
    async undergo(operation) {
      if (operation.kind === 'scip') await arriving.arrive(operation);
      if (operation.kind === 'commit') arriving.committed();
      if (operation.kind === 'pause') await new Promise(resolve => setTimeout(resolve, operation.ms));
      if (operation.kind === 'freeze') isFrozen = running.process.kill('SIGSTOP');
      if (operation.kind === 'thaw' || operation.kind === 'barrier' || operation.kind === 'ask') thaw();
      if (operation.kind === 'ask') await tells(running, operation.number);
      if (operation.kind === 'restart') await begin(daemon => daemon.stop());
      if (operation.kind === 'kill') await killed();
    },
    published: () => answerOf(running),
  };
}

/** Throws where a daemon does not tell of a function that has just been written, or still tells of the one before it. */
async function tells(daemon: TestDaemon, number: number): Promise<void> {
  const { results } = await synced(daemon, { repo: id, q: 'asked' });
  const found = results.filter(({ name }) => /^asked\d+$/.test(name));
  const names = found.map(({ name }) => name).join(' ');
  if (names !== `asked${number}`) throw new Error(`asked${number} is defined, found was: ${names}`);
  const { references } = await daemon.client.symbols.refs({ repo: id, id: found[0]!.id });
  const places = references.map(({ location: { file, line } }) => `${file}:${line}`).join(' ');
  if (places !== `${askedFile}:2`) throw new Error(`asked${number} is used in ${askedFile}:2, found was: ${places}`);
}

async function answerOf(daemon: TestDaemon): Promise<Answer> {
  try {
    const { snapshotId } = await synced(daemon, { repo: id, q: askedNames[0]! });
    const found = new Map<string, string>();
    for (const asked of askedNames) {
      const { results } = await patiently(`a search for ${asked}`, () =>
        daemon.client.symbols.search({ repo: id, q: asked, limit: 1000 }),
      );
      const hashes = results.filter(({ name }) => name === asked).map(symbol => symbol.id.slice(-32));
      found.set(asked, distinct(hashes));
    }
    return { kind: 'synced', snapshotId, found, dump: storedIndex(daemon.home.places) };
  } catch (error) {
    if (error instanceof Fault && error.reason === 'indexStale')
      return { kind: 'stale', reason: String(error.extras.details?.['reason']) };
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
