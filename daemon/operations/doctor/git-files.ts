import { join } from 'node:path';
import { closedWay } from '../../../watch/file-system.ts';
import { alternatesTrouble, closedStore, firstClosed, indexTrouble } from '../../backends/git-files.ts';
import { filesNaming } from '../../backends/git-refs.ts';
import { findRepository, type GitRepository } from '../../backends/git-repository.ts';
import { gitTrouble } from '../../jobs/git-trouble.ts';
import { wayInto } from '../../jobs/way-in.ts';
import { type Finding, fix } from '../finding.ts';

const check = 'repository.git-files';

/** Whether git's own files can be read: without its index or its objects a tree is indexed all the same, and less is known of it. */
export function gitFilesCheck(root: string): Finding {
  const found = findRepository(root);
  const trouble = gitTrouble(found, root);
  if (trouble !== undefined) {
    const message = `${trouble.why}; git is not read: no history is known, and what it tracks though ignore rules match it is left out`;
    return { check, status: 'fail', message, fixes: trouble.fixes };
  }
  if (found.found !== 'repository') return { check, status: 'pass', message: 'there are none' };
  const shut = closedPart(found.repository);
  if (shut !== undefined) {
    const { why, fixes } = wayInto(closedWay(shut) ?? shut, root);
    return { check, status: 'fail', message: `${why}: branches, tags or commits can’t be asked for`, fixes };
  }
  const index = indexTrouble(found.repository);
  const alternates = alternatesTrouble(found.repository);
  if (index === undefined && alternates === undefined) return { check, status: 'pass', message: 'can be read' };
  const messages = [
    ...(index === undefined
      ? []
      : [`git’s index ${index}: what git tracks though ignore rules match it is not known, and left out`]),
    ...(alternates === undefined ? [] : [`${alternates}: git’s objects are not read, and no history is known`]),
  ];
  const closed = closedWay(join(found.repository.gitDir, 'index'));
  const anew = index === undefined ? [] : [fix('git reset', 'Have git make its index anew', false)];
  // git can't make anew what it may not read.
  const fixes = closed === undefined ? anew : wayInto(closed, root).fixes;
  return { check, status: 'warn', message: messages.join('; '), fixes };
}

/** What names and objects are read by, as far as that is the same whatever is asked for. */
function closedPart(repository: GitRepository): string | undefined {
  const folders = ['refs', 'refs/heads', 'refs/tags', 'refs/remotes'].map(name => join(repository.commonDir, name));
  return firstClosed([...filesNaming(repository, 'HEAD'), ...folders]) ?? closedStore(repository);
}
