import { writeFileSync } from 'node:fs';
import { Fault } from '../../client/protocol/faults.ts';
import { type Cleanup, temporaryFolder, type Workspace } from '../support/repository.ts';
import type { EvidencedIndexes } from './evidence.ts';
import { indexTree } from './indexer.ts';
import type { Operation } from './operations.ts';
import type { StandIn } from './stand-in.ts';

type ScipOperation = Extract<Operation, { readonly kind: 'scip' }>;

/** What arrivals ask of a daemon. */
export interface IndexingDaemon {
  /** Brings the index up to date, then runs indexers, or takes in `scip`: of how many documents. */
  index(input: IndexInput): Promise<number>;
  /** Kills it and starts another. */
  kill(): Promise<void>;
}

interface IndexInput {
  readonly force?: boolean;
  readonly scip?: string;
  readonly commit?: string;
}

/** Has SCIP indexes arrive at a daemon and at the fresh side, by an indexer that runs or by somebody who brings one. */
export interface Arrivals {
  /** Takes note of what an indexer would say of the tree that has been committed just now. */
  committed(): void;
  /** Throws where the daemon says otherwise of the index than the fresh side. */
  arrive(operation: ScipOperation): Promise<void>;
}

export function arrivals(
  scope: Cleanup,
  workspace: Workspace,
  indexer: StandIn,
  fresh: EvidencedIndexes,
  daemon: IndexingDaemon,
): Arrivals {
  const brought = temporaryFolder(scope).path('brought.scip');
  let made: Uint8Array | undefined;
  let atCommit: CommittedIndex | undefined;

  /** A daemon that is killed over it may have taken the index in or not: it does so again. */
  const killedOver = async ({ seed, isKilled }: ScipOperation, input: IndexInput) => {
    if (!isKilled) return;
    const ended = daemon.index(input).catch(() => {});
    await new Promise(resolve => setTimeout(resolve, seed * 150));
    await daemon.kill();
    await ended;
  };
  const run = async (operation: ScipOperation, bytes: Uint8Array) => {
    const force = operation.isKilled || operation.seed === 0;
    const file = indexer.prepare(bytes);
    await killedOver(operation, { force });
    await daemon.index({ force });
    // Nothing of its languages, or nothing new in them: then nobody has run it.
    if (indexer.hasRun()) await fresh.arrive(file, { by: force ? 'forced run' : 'run', seen: 'tree' });
  };
  const bring = async (operation: ScipOperation, bytes: Uint8Array, of: CommittedIndex | undefined) => {
    writeFileSync(brought, bytes);
    const input = { scip: brought, ...(of === undefined ? {} : { commit: of.commit }) };
    await killedOver(operation, input);
    const told = await outcomeOf(() => daemon.index(input));
    const seen = of === undefined ? 'evident' : of;
    const expected = await outcomeOf(() => fresh.arrive(brought, { by: 'import', seen }));
    if (told !== expected) throw new Error(`of an index that was brought the daemon says: ${told}, not: ${expected}`);
  };
  return {
    committed() {
      atCommit = committedIndex(workspace);
    },
    async arrive(operation) {
      const { seed, isLate, way, harm } = operation;
      const now = indexTree(workspace.root, seed);
      if (!isLate || made === undefined) made = now;
      if (way === 'run') await run(operation, made);
      else if (way === 'damaged') await bring(operation, damaged(made, harm), undefined);
      else if (way === 'commit' && atCommit !== undefined) await bring(operation, atCommit.bytes, atCommit);
      else await bring(operation, made, undefined);
    },
  };
}

/** How many documents were joined, or why none were. */
async function outcomeOf(joined: () => Promise<number>): Promise<string> {
  try {
    const count = await joined();
    return count === 0 ? 'preconditionFailed' : `${count} joined`;
  } catch (error) {
    if (error instanceof Fault && isRefusal.has(error.reason)) return error.reason;
    throw error;
  }
}

const isRefusal: ReadonlySet<string> = new Set(['invalidBody', 'tooLarge', 'preconditionFailed']);

/** `harm`, 0 to 1, is where: cut off there, or one byte turned over. */
function damaged(bytes: Uint8Array, harm: number): Uint8Array {
  const at = Math.floor(harm * bytes.length);
  if (at % 2 === 0) return bytes.subarray(0, at);
  return bytes.map((byte, index) => (index === at ? byte ^ 0xff : byte));
}

interface CommittedIndex {
  readonly bytes: Uint8Array;
  readonly commit: string;
}

/** What an indexer would say of the work tree as if it were the commit's: where the two differ it is wrong. */
function committedIndex({ root, git }: Workspace): CommittedIndex {
  return { bytes: indexTree(root, 1), commit: git('rev-parse', 'HEAD') };
}
