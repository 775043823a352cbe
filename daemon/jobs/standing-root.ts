import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { inodeOf } from '../../watch/file-system.ts';
import type { RepositoryRecord } from '../model/repository.ts';

/**
 * Remembers which folder a root is, for a check before what was read below it is published: it throws where the folder
 * has gone, or another has taken its place. Without it, files that were not to be found would be taken for deleted ones.
 * Throws at once where there is none.
 */
export function watchRoot(repo: RepositoryRecord): () => void {
  const before = print(repo);
  return () => {
    if (print(repo) !== before) throw rootGone(repo);
  };
}

/** 412: nothing can be indexed where nothing is. */
export function rootGone({ id, root }: RepositoryRecord): Fault {
  const command = `svc repo remove ${quote(id)}`;
  return new Fault('preconditionFailed', `${root} is gone`, {
    details: { reason: 'root_missing' },
    suggestedFixes: [{ type: 'run-command', command, description: 'Forget the repository', safe: false }],
  });
}

function print(repo: RepositoryRecord): string {
  const inode = inodeOf(repo.root);
  if (inode === undefined) throw rootGone(repo);
  return inode;
}
