import type { Git } from '../../backends/git.ts';
import { GitFailed } from '../../backends/git-process.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import type { BlamedContent, HistoryWriter, StoredBlame } from '../../store/history/history-writer.ts';
import type { BlameCall, Blamed } from './history-calls.ts';

const storedAtOnce = 40;
/** Processes of git: somebody who waits has all of a small machine, the background half of it. */
const awaitedAtOnce = 2;

/** No commit: what one has that looks as if it came from none may be older. */
const nobody = '';

/** Finds out who wrote the lines of files of a commit, and stores it. What is stored already is left. */
export async function blameFiles(
  git: Git,
  repository: GitRepository,
  writer: HistoryWriter,
  { head, contents, ignored, isAwaited, dropsOthers }: BlameCall,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<Blamed> {
  if (dropsOthers) writer.dropBlames();
  const cuts = git.cutCommits(repository);
  const wanted = contents.filter(one => !writer.hasBlame(one));
  const failed: string[] = [];
  let found: StoredBlame[] = [];
  let [next, done] = [0, 0];
  const store = (): void => {
    writer.putBlames(found);
    found = [];
  };
  const blameOne = async (one: BlamedContent): Promise<void> => {
    const call = { signal, ...(isAwaited ? {} : { priority: 'background' as const }) };
    const runs = await quietly(git.blame(repository, head, one.path, ignored, call));
    if (runs === undefined) failed.push(one.path);
    else found.push({ ...one, runs: runs.map(run => (cuts.has(run.commit) ? { ...run, commit: nobody } : run)) });
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
  return { blamed: done - failed.length, failed };
}

/** A file that git can't tell of, for want of contents or time, is no reason to tell of none. */
async function quietly<T>(blame: Promise<T>): Promise<T | undefined> {
  try {
    return await blame;
  } catch (error) {
    if (error instanceof GitFailed && ['failed', 'incomplete', 'timeout'].includes(error.reason)) return undefined;
    throw error;
  }
}
