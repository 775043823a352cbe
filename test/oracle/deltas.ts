import { readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { mutated } from '../daemon/jobs/mutated-deltas.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import type { Operation } from './operations.ts';
import { differenceOf, patiently } from './stored.ts';

type DeltaOperation = Extract<Operation, { readonly kind: 'delta' }>;

/** What artifacts ask of a worktree and its daemon. */
export interface DeltaWorktree {
  readonly id: string;
  /** Of the daemon that runs now. */
  client(): Client;
  /** Brings the index up to date; the active snapshot's id. */
  synced(): Promise<string>;
  stored(): CanonicalDump;
  /** Kills the daemon and starts another. */
  kill(): Promise<void>;
}

/** Artifacts that are built at some time and taken in at another, in any of the worktrees. */
export interface Deltas {
  /** Throws where the daemon refuses what it must take, takes what it must refuse, or says one thing and does another. */
  take(operation: DeltaOperation, worktree: DeltaWorktree): Promise<void>;
}

interface Artifact {
  readonly text: Buffer;
  readonly base: string;
  readonly after: string;
}

/** Artifacts that are kept for later. */
const mostKept = 4;

export function deltas(scope: Cleanup): Deltas {
  const folder = temporaryFolder(scope);
  const kept: Artifact[] = [];
  const given = folder.path('given.json');
  return {
    async take(operation, worktree) {
      const { isLate, harm } = operation;
      if (operation.isSynced) await worktree.synced();
      const base = operation.base === 'indexed' ? await worktree.synced() : operation.base;
      const artifact = isLate ? kept[0] : await built(base, folder.path('built.json'), worktree);
      if (artifact === undefined) return;
      if (!isLate) kept.push(artifact);
      if (kept.length > mostKept) kept.shift();
      writeFileSync(given, harm === undefined ? artifact.text : mutated(artifact.text, randomFrom(harm)));
      const due =
        harm === undefined && operation.isSynced ? await dueOf(artifact, folder.path('head.json'), worktree) : 'either';
      await asked(given, operation, due, worktree);
    },
  };
}

/** Undefined where the base is no commit. */
async function built(base: string, output: string, { id, client }: DeltaWorktree): Promise<Artifact | undefined> {
  try {
    const told = await patiently('an artifact is built', () => client().delta.build({ repo: id, base, output }));
    return { text: readFileSync(output), base: told.baseSnapshotId, after: told.newSnapshotId };
  } catch (error) {
    if (error instanceof Fault && error.reason === 'resourceNotFound') return undefined;
    throw error;
  }
}

/**
 * An artifact is good where the index or HEAD stands at its base, and nowhere but where one of them stands at an end of
 * it, or where another one waits, on which it may follow.
 */
async function dueOf({ base, after }: Artifact, output: string, worktree: DeltaWorktree): Promise<Due> {
  const head = await built('HEAD', output, worktree);
  const here = [await worktree.synced(), head?.base];
  if (here.includes(base)) return 'taken';
  const { pendingDeltas } = await worktree.client().delta.status({ repo: worktree.id });
  return here.includes(after) || pendingDeltas > 0 ? 'either' : 'refused';
}

type Due = 'taken' | 'refused' | 'either';

async function asked(
  file: string,
  { isSynced, isKilled }: DeltaOperation,
  due: Due,
  worktree: DeltaWorktree,
): Promise<void> {
  const given = { repo: worktree.id, file };
  const before = isSynced ? worktree.stored() : undefined;
  const unchanged = (what: string) => {
    const difference = before === undefined ? undefined : differenceOf(before, worktree.stored());
    if (difference !== undefined) throw new Error(`${what} changed the index\n- before, + after\n${difference}`);
  };
  const verdict = await outcomeOf(async () => {
    const told = await worktree.client().delta.validate(given);
    return told.valid ? [] : told.errors;
  });
  unchanged('asking about an artifact');
  if (due !== 'either' && (verdict === taken) !== (due === 'taken')) throw new Error(`${due} was due, but: ${verdict}`);
  const ingest = () => worktree.client().delta.ingest(given);
  if (isKilled) await killedOver(ingest, worktree);
  const answer = await outcomeOf(async () => {
    await ingest();
    return [];
  });
  if (answer !== verdict) throw new Error(`asked about, an artifact is ${verdict}; taken in, it is ${answer}`);
  unchanged(`an artifact that is ${answer}`);
  if (answer !== taken) return;
  const again = await patiently('an artifact is taken in again', ingest);
  if (again.outcome === 'applied' || again.published)
    throw new Error(`taken in again, it changed ${JSON.stringify(again)}`);
}

const taken = 'taken';

/** What is said of an artifact, or why it is not even read. */
async function outcomeOf(ask: () => Promise<readonly string[]>): Promise<string> {
  try {
    const errors = await patiently('an artifact is looked at', ask);
    return errors.length === 0 ? taken : `refused: ${errors.join('\n')}`;
  } catch (error) {
    if (!(error instanceof Fault) || !isRefusal.has(error.reason)) throw error;
    const errors = error.extras.details?.['errors'];
    return Array.isArray(errors) ? `refused: ${errors.join('\n')}` : `no artifact: ${error.message}`;
  }
}

const isRefusal: ReadonlySet<string> = new Set(['preconditionFailed', 'invalidBody', 'invalidParameter', 'tooLarge']);

/** A daemon that is killed over it may have taken it in or not. */
async function killedOver(ingest: () => Promise<unknown>, worktree: DeltaWorktree): Promise<void> {
  const ended = ingest().catch(() => {});
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 20))]);
  await worktree.kill();
  await ended;
}
