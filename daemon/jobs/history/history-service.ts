import { Fault } from '../../../client/protocol/faults.ts';
import { createGit } from '../../backends/git.ts';
import { findRepository, type GitRepository } from '../../backends/git-repository.ts';
import type { Handlers } from '../../workers/port.ts';
import { toldByGit } from '../commit-tree.ts';
import { withoutGit } from '../git-trouble.ts';
import { blameFiles } from './blame-files.ts';
import { countLines } from './count-lines.ts';
import type { HistoryCalls, HistoryNotices, HistoryOptions } from './history-calls.ts';
import { openHistories } from './open-histories.ts';
import { includeCommits, updateHistory } from './update-history.ts';

type Tell = (notice: Parameters<HistoryNotices['progress']>[0]) => void;

/** What the history worker serves: the one writer of history files, and who asks git what is in them. */
export function createHistoryService({ shadowFolder }: HistoryOptions, tell: Tell): Handlers<HistoryCalls> {
  const git = createGit({ shadowFolder });
  const files = openHistories(Date.now);
  return {
    update: (call, { signal }) =>
      files.inTurn(call.historyFile, (writer, renew) =>
        told(updateHistory(git, repositoryAt(call.root), { stored: writer, renew }, call, signal), signal),
      ),
    include: (call, { signal }) =>
      files.inTurn(call.historyFile, writer =>
        told(includeCommits(git, repositoryAt(call.root), writer, call.commits, signal), signal),
      ),
    countLines: (call, { signal }) =>
      files.use(call.historyFile, writer =>
        told(countLines(git, repositoryAt(call.root), writer, call, signal), signal),
      ),
    blame: (call, { signal }) =>
      files.use(call.historyFile, writer => {
        const onProgress = (done: number, total: number) => tell({ run: call.run, done, total });
        return told(blameFiles(git, repositoryAt(call.root), writer, call, { signal, onProgress }), signal);
      }),
    speedUp: async ({ root }, { signal }) => {
      const repository = repositoryAt(root);
      const { commit } = await git.head(repository);
      if (commit === undefined) return;
      await told(git.writeCommitGraph(repository, [commit], { signal, priority: 'background' }), signal);
    },
    refreshed: ({ historyFile, worktree, scope, entries, keeps }) =>
      files.use(historyFile, async writer => {
        const before = writer.refreshed(worktree, scope);
        if (keeps) writer.setRefreshed(worktree, scope, entries);
        return differences(before, entries);
      }),
    // Before the first there is a place for nobody.
    authors: historyFile => files.use(historyFile, async writer => writer.columns().people.slice(1)),
    discard: historyFile => files.discard(historyFile),
    release: historyFile => files.release(historyFile),
    close: async () => {
      files.close();
      await git.close();
    },
  };
}

/** How many came, went or changed. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name) !== after.get(name)).length;
}

function repositoryAt(root: string): GitRepository {
  const found = findRepository(root);
  if (found.found === 'repository') return found.repository;
  throw withoutGit(found, root, 'no history');
}

/** What git could not tell, as callers are told of it. */
async function told<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  try {
    return await toldByGit(answer);
  } catch (error) {
    if (signal.aborted) throw new Fault('cancelled', 'Cancelled', { cause: error });
    throw error;
  }
}
