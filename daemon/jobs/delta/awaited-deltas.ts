import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import type { ContentHash } from '../../model/document.ts';
import type { TreeManifest } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { Awaited, ContentAt, TakenDelta } from '../../store/taken-deltas.ts';
import { type CommitTools, commitsFor, deskFor } from '../commit-desk.ts';
import type { CommitTrees } from '../commit-tree.ts';

/**
 * What an artifact waits for once it is taken in. One whose commit is not here has its files on disk or in commits at hand
 * (`sources`), or it would have been refused: it waits for one of these. Where HEAD is past them all, as it is where an
 * artifact leads back, its coming to them says nothing: the files are awaited alone.
 */
export async function awaitedOf(
  commit: string | undefined,
  { sources, files }: { readonly sources: readonly string[]; readonly files: readonly ContentAt[] },
  commits: CommitTrees | undefined,
): Promise<Awaited | undefined> {
  if (commits === undefined) return undefined;
  const named = commit === undefined ? undefined : await commits.commitOf(commit);
  const candidates = named === undefined ? sources : [named];
  const head = await commits.head();
  for (const one of candidates) {
    const isPast = head !== undefined && head !== named && (await commits.isReached(one, head));
    if (!isPast) return { commit: one, files };
  }
  return candidates.length === 0 ? undefined : { files };
}

/** Whether the index has all files as an artifact leaves them. */
export function hasOutcome(tree: TreeManifest, { deltas: { files } }: DeltaArtifact): boolean {
  const gone = files.deleted.map(path => [path as RepoPath, null] as const);
  const there = [...files.added, ...files.modified].map(
    ({ path, hash }) => [path as RepoPath, hash as ContentHash | ''] as const,
  );
  return hasContents(tree, [...there, ...gone]);
}

function hasContents(tree: TreeManifest, files: readonly ContentAt[]): boolean {
  return files.every(([path, hash]) => (tree.get(path)?.entry.hash ?? null) === hash);
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
  const waiting = new Set<string>();
  const settled: TakenDelta[] = [];
  for (const one of taken) {
    const awaited = await stillAwaited(one, {
      mayHave: !waiting.has(one.base),
      tree,
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
  readonly mayHave: boolean;
  readonly tree: TreeManifest;
  readonly here: CommitTrees | undefined;
  readonly head: string | undefined;
}

async function stillAwaited({ awaited }: TakenDelta, place: Place): Promise<Awaited | undefined> {
  const { mayHave, tree, here, head } = place;
  if (awaited === undefined || (mayHave && hasContents(tree, awaited.files))) return undefined;
  if (here === undefined || head === undefined || head === awaited.head) return awaited;
  const { commit, files } = awaited;
  const isThere =
    commit === undefined
      ? mayHave && (await hasFiles(here, head, files).catch(() => false))
      : await here.isReached(commit, head);
  return isThere ? undefined : { ...awaited, head };
}

async function hasFiles(commits: CommitTrees, commit: string, files: readonly ContentAt[]): Promise<boolean> {
  const paths = files.map(([path]) => path);
  const [names, contents] = await Promise.all([commits.filesAt(commit, paths), commits.filesIn(commit, paths)]);
  const hasFile = ([path, hash]: ContentAt) =>
    hash === null ? names?.has(path) === false : contents.get(path)?.line.entry.hash === hash;
  return files.every(hasFile);
}
