import type { Awaited, ContentAt, TakenDelta } from '../../store/taken-deltas.ts';
import { type CommitTools, commitsFor, deskFor } from '../commit-desk.ts';
import type { CommitTrees } from '../commit-tree.ts';
import { isFullHash } from './delta-files.ts';

/**
 * What an artifact waits for once it is taken in. One whose commit is not here has its files on disk or in
 * a commit at hand, or it would have been refused.
 */
export async function awaitedOf(
  commit: string | undefined,
  files: readonly ContentAt[],
  commits: CommitTrees | undefined,
): Promise<Awaited | undefined> {
  if (commit === undefined || !isFullHash(commit)) return undefined;
  const known = await commits?.commitOf(commit);
  return known === undefined ? undefined : { commit: known, files };
}

/**
 * Notes which artifacts wait no more: HEAD has come to their commit, whatever lies uncommitted, or the tree has all their
 * files. An edit brings none of them nearer and takes none away.
 */
export async function settleDeltas(tools: CommitTools): Promise<void> {
  const { writer, tree } = tools;
  const key = tools.repo.worktreeKey;
  const taken = writer.takenDeltas(key);
  if (taken.every(({ awaited }) => awaited === undefined)) return;
  const here = commitsFor(deskFor(tools), tools);
  const head = await here?.head();
  const hasFiles = (files: readonly ContentAt[]): boolean =>
    files.every(([path, hash]) => (tree.get(path)?.entry.hash ?? null) === hash);
  const waiting = new Set<string>();
  const settled: TakenDelta[] = [];
  for (const one of taken) {
    const awaited = await stillAwaited(one, {
      hasFiles: files => !waiting.has(one.base) && hasFiles(files),
      here,
      head,
    });
    if (awaited !== undefined) waiting.add(one.snapshotId);
    settled.push(awaited === one.awaited ? one : { ...one, awaited });
  }
  if (settled.some((one, at) => one !== taken[at])) writer.keepDeltas(key, settled);
}

interface Place {
  /** Of one that follows on another that waits, the files may be what they were before either. */
  readonly hasFiles: (files: readonly ContentAt[]) => boolean;
  readonly here: CommitTrees | undefined;
  readonly head: string | undefined;
}

async function stillAwaited({ awaited }: TakenDelta, { hasFiles, here, head }: Place): Promise<Awaited | undefined> {
  if (awaited === undefined || hasFiles(awaited.files)) return undefined;
  if (here === undefined || head === undefined || head === awaited.head) return awaited;
  return (await here.isReached(awaited.commit, head)) ? undefined : { ...awaited, head };
}
