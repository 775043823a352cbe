import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { patienceMs } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';
import { evidencedIndexes } from './evidence.ts';
import { describe, type Operation, operate } from './operations.ts';
import { besides, furnish, project } from './project.ts';
import { differenceOf, isTooSlow } from './stored.ts';
import { type Answer, distinct, type Tree, type TreesDaemon, watchedBy } from './trees-daemon.ts';

/** What came of a history. A barrier compares the index that a synced answer spoke of with a fresh one of the same tree. */
export interface Outcome {
  readonly compared: number;
  /** Documents of which an indexer had a say, over all comparisons. */
  readonly precise: number;
  /** Barriers at which the kernel refused something. */
  readonly spoilt: number;
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

/** Runs a history over two worktrees of a real repository and a real daemon, all of its own. */
export async function run(operations: readonly Operation[]): Promise<Outcome> {
  const scope = openScope();
  try {
    const first = gitRepository(scope, project);
    furnish(first);
    const beside = besides(scope, first);
    const trees = [first, beside].map((workspace, at) => ({
      id: at === 0 ? 'first' : 'beside',
      workspace,
      fresh: evidencedIndexes(scope, workspace),
    }));
    return await replay(operations, trees, await watchedBy(scope, trees));
  } finally {
    await scope.end();
  }
}

async function replay(operations: readonly Operation[], trees: readonly Tree[], daemon: TreesDaemon): Promise<Outcome> {
  let compared = 0;
  let precise = 0;
  let spoilt = 0;
  const stale: string[] = [];
  const outcome = (failure?: Failure, tooSlow?: Failure) => ({ compared, precise, spoilt, stale, failure, tooSlow });
  for (const [at, operation] of operations.entries()) {
    const tree = trees[operation.isBeside === true ? 1 : 0]!;
    operate(tree.workspace, operation);
    try {
      await daemon.undergo(operation, tree);
      if (operation.kind !== 'barrier') continue;
      if (daemon.isSpoilt()) spoilt++;
      const isLast = at >= operations.length - trees.length;
      const answer = await (isLast ? settled(daemon, tree) : daemon.published(tree));
      if (answer.kind === 'stale') stale.push(answer.reason);
      else {
        compared++;
        precise += answer.dump.lines.filter(line => line.startsWith('precise\t')).length;
        const fault = faultIn(answer, await tree.fresh.dump());
        if (fault !== undefined) return outcome({ at, what: fault });
      }
    } catch (error) {
      const failure = { at, what: `${describe(operation)}: ${(error as Error).stack}\n${daemon.lastWords()}` };
      return isTooSlow(error) ? outcome(undefined, failure) : outcome(failure);
    }
  }
  return outcome();
}

/** Whatever happened: where nothing is amiss any more, the index comes to be the tree's unasked. */
async function settled(daemon: TreesDaemon, tree: Tree): Promise<Answer> {
  let answer = await daemon.published(tree);
  for (const endsMs = performance.now() + patienceMs; answer.kind === 'stale' && performance.now() < endsMs; ) {
    await new Promise(resolve => setTimeout(resolve, 200));
    answer = await daemon.published(tree);
  }
  if (answer.kind === 'stale') throw new Error(`at the end the index is behind still: ${answer.reason}`);
  return answer;
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
