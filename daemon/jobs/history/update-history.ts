import { createHash } from 'node:crypto';
import { isWhole, logOrder } from '../../analysis/history/log-order.ts';
import type { Git } from '../../backends/git.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import type { TreeFile } from '../../backends/git-trees.ts';
import type { CommitFacts } from '../../model/history.ts';
import type { HistoryWriter } from '../../store/history/history-writer.ts';
import { knownHead } from '../known-head.ts';
import { uncountedCommits } from './count-lines.ts';
import { mostChangedPaths, type UpdateCall, type UpdatedHistory } from './history-calls.ts';

const storedAtOnce = 1000;
/** A branch that parted from HEAD's longer ago is none to be merged. */
const mostIncluded = 100_000;

/**
 * Brings what is stored up to HEAD: the commits that it came from and no HEAD that is stored, read as git tells them. HEAD
 * itself is noted last, so that a walk that was cut short is done again.
 */
export async function updateHistory(
  git: Git,
  repository: GitRepository,
  { stored, renew }: { readonly stored: HistoryWriter; readonly renew: () => HistoryWriter },
  { worktree, mostCommits }: UpdateCall,
  signal: AbortSignal,
): Promise<UpdatedHistory> {
  const { commit: head } = await knownHead(git.head(repository), repository);
  if (head === undefined) {
    stored.dropHead(worktree);
    const unborn = { epoch: stored.epoch, head, commits: 0, uncounted: 0, cut: undefined };
    return { stored: unborn, added: 0, changedPaths: [] };
  }
  const boundary = boundaryOf(git, repository, mostCommits);
  // Commits at a boundary look as if they came from none: with another, what is stored of them is wrong.
  const isOther = stored.heads().some(one => one.boundary !== boundary);
  const writer = isOther ? renew() : stored;
  const isKnown = writer.head(worktree)?.hash === head;
  const fresh = isKnown ? [] : await walk(git, repository, writer, { head, mostCommits }, signal);
  const columns = writer.columns();
  const order = logOrder(columns, columns.numberOf(head) ?? 0);
  if (!isKnown) {
    const tree = await git.treeOf(repository, head, { signal });
    writer.setHead(worktree, { hash: head, boundary, commits: order.length }, blobsOf(tree));
  }
  const changed = new Set(fresh.flatMap(({ changes }) => changes.map(({ path }) => path)));
  return {
    stored: {
      epoch: writer.epoch,
      head,
      commits: order.length,
      uncounted: uncountedCommits(columns, order).length,
      cut: git.isShallow(repository) ? 'shallow' : order.length >= mostCommits ? 'bound' : undefined,
    },
    added: fresh.length,
    changedPaths: changed.size > mostChangedPaths ? [] : [...changed],
  };
}

/** Stores what some commits came from, as far as it is not stored yet. */
export async function includeCommits(
  git: Git,
  repository: GitRepository,
  writer: HistoryWriter,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const head of commits) {
    const number = writer.columns().numberOf(head);
    // A walk that was cut short has stored the newest alone.
    if (number !== undefined && isWhole(writer.columns(), number)) continue;
    await walk(git, repository, writer, { head, mostCommits: mostIncluded }, signal);
  }
}

/** Where what is stored of this clone ends: with another boundary, HEADs that were stored whole may not be. */
function boundaryOf(git: Git, repository: GitRepository, mostCommits: number): string {
  const cuts = [...git.cutCommits(repository)].join();
  return createHash('sha256').update(`${mostCommits}\n${cuts}`).digest('hex').slice(0, 16);
}

interface Walk {
  readonly head: string;
  readonly mostCommits: number;
}

/** Stores what is not stored yet. Returns those commits, as many as may be looked at one by one. */
async function walk(
  git: Git,
  repository: GitRepository,
  writer: HistoryWriter,
  { head, mostCommits }: Walk,
  signal: AbortSignal,
): Promise<readonly CommitFacts[]> {
  const heads = writer.heads().map(({ hash }) => hash);
  const not = heads.length === 0 ? new Set<string>() : await git.commitsHere(repository, heads, { signal });
  const enough = new AbortController();
  const first: CommitFacts[] = [];
  let waiting: CommitFacts[] = [];
  let count = 0;
  const cuts = git.cutCommits(repository);
  const take = (told: CommitFacts): void => {
    if (count >= mostCommits) return;
    count++;
    // What it changed is not known.
    const commit = cuts.has(told.hash) ? { ...told, changes: [] } : told;
    if (first.length < mostChangedPaths) first.push(commit);
    waiting.push(commit);
    if (waiting.length >= storedAtOnce) {
      writer.putCommits(waiting);
      waiting = [];
    }
    if (count >= mostCommits) enough.abort();
  };
  try {
    await git.commitsFrom(repository, head, [...not], take, { signal: AbortSignal.any([signal, enough.signal]) });
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  }
  writer.putCommits(waiting);
  return first;
}

/** Of regular files. */
function blobsOf(tree: ReadonlyMap<string, TreeFile>): ReadonlyMap<string, string> {
  return new Map([...tree].flatMap(([path, { mode, hash }]) => (mode.startsWith('100') ? [[path, hash]] : [])));
}
