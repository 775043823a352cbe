import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { closedFolder, inodeOf } from '../../watch/file-system.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { wayInto } from './way-in.ts';

/**
 * Remembers which folder a root is, for a check before what was read below it is published: it throws where the folder
 * has gone, may not be looked into any more, or another has taken its place. Without it, files that were not to be found
 * would be taken for deleted ones. Throws at once where there is none.
 */
export function watchRoot(repo: RepositoryRecord): () => void {
  const before = print(repo);
  return () => {
    if (print(repo) !== before) throw rootGone(repo);
  };
}

/** 412: nothing can be indexed where nothing is, or nobody may look. What is known of it stays. */
export function rootGone({ id, root }: RepositoryRecord): Fault {
  const closed = closedFolder(root);
  if (closed !== undefined) {
    const { why, fixes } = wayInto(closed, root);
    return new Fault('preconditionFailed', `${root} can’t be looked into: ${why}`, {
      details: { reason: 'root_unreadable' },
      suggestedFixes: fixes,
    });
  }
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
