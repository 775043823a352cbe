import type { Git } from '../../backends/git.ts';
import { GitFailed } from '../../backends/git-process.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import type { BlamedContent } from '../../model/history.ts';
import type { HistoryWriter, StoredBlame } from '../../store/history/history-writer.ts';
import type { BlameCall, Blamed } from './history-calls.ts';

const storedAtOnce = 40;
/** Processes of git: somebody who waits has all of a small machine, the background half of it. */
const awaitedAtOnce = 2;

/** Finds out who wrote the lines of files of a commit, and stores it. What is stored already is left. */
export async function blameFiles(
  git: Git,
  repository: GitRepository,
  writer: HistoryWriter,
  { head, contents, ignored, isAwaited, anew }: BlameCall,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<Blamed> {
  const isNobodys = cutOff(git, repository, writer, head);
  const wanted = contents.filter(one => anew || !writer.hasBlame(one));
  const failed: string[] = [];
  let found: StoredBlame[] = [];
  let [next, done] = [0, 0];
  const store = (): void => {
    writer.putBlames(found);
    found = [];
  };
  const blameOne = async (one: BlamedContent): Promise<void> => {
    const call = { signal, blob: one.blob, ...(isAwaited ? {} : { priority: 'background' as const }) };
    const runs = await quietly(git.blame(repository, head, one.path, ignored, call));
    if (runs === 'untold' || (runs === undefined && isNoText(one.path))) failed.push(one.path);
    else if (runs !== undefined)
      found.push({ ...one, runs: runs.map(run => (isNobodys(run.commit) ? { ...run, commit: '' } : run)) });
    if (found.length >= storedAtOnce) store();
    onProgress(++done, wanted.length);
  };
  const inTurn = async (): Promise<void> => {
    while (next < wanted.length) {
      signal.throwIfAborted();
      await blameOne(wanted[next++]!);
    }
  };
  try {
    await Promise.all(Array.from({ length: isAwaited ? awaitedAtOnce : 1 }, inTurn));
  } finally {
    store();
  }
  return { failed };
}

/** Whether a commit is where history is cut off, or behind that: what it seems to have written may be older. */
function cutOff(git: Git, repository: GitRepository, writer: HistoryWriter, head: string): (commit: string) => boolean {
  const cuts = git.cutCommits(repository);
  // All that is ever stored of that history is.
  const isSettled = writer.heads().some(({ hash }) => hash === head);
  return commit => cuts.has(commit) || (isSettled && writer.columns().numberOf(commit) === undefined);
}

/** Whether a path is what became of bytes that are no UTF-8, which git can't be asked about. */
function isNoText(path: string): boolean {
  return path.includes('\ufffd');
}

/** A file that git can't tell of, for want of contents or time, is no reason to tell of none. */
async function quietly<T>(blame: Promise<T>): Promise<T | 'untold'> {
  try {
    return await blame;
  } catch (error) {
    if (error instanceof GitFailed && ['failed', 'incomplete', 'timeout'].includes(error.reason)) return 'untold';
    throw error;
  }
}
