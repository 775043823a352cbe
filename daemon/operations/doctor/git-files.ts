import { basename, join } from 'node:path';
import { quote, removalOf } from '../../../client/paths.ts';
import type { SuggestedFix } from '../../../client/protocol/faults.ts';
import { closedWay } from '../../../watch/file-system.ts';
import {
  alternatesTrouble,
  closedStore,
  firstClosed,
  indexTrouble,
  missingLender,
  oddFile,
} from '../../backends/git-files.ts';
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
    const message = `${trouble.why}; git is not read: no history is known, what it tracks though ignore rules match it is left out, and what only its own rules ignore is not`;
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
  const lender = missingLender(found.repository);
  const odd = oddFile(found.repository);
  if ([index, alternates, lender, odd].every(one => one === undefined))
    return { check, status: 'pass', message: 'can be read' };
  const messages = [
    ...(odd === undefined ? [] : [`${odd} is no regular file, and is not read: put the file itself there`]),
    ...(lender === undefined
      ? []
      : [
          `${lender.folder}, where ${lender.by} borrows objects, is no folder: bring it back, or name there where it is now`,
        ]),
    ...(index === undefined
      ? []
      : [`git’s index ${index}: what git tracks though ignore rules match it is not known, and left out`]),
    ...(alternates === undefined ? [] : [`${alternates}: git’s objects are not read, and no history is known`]),
  ];
  const closed = closedWay(join(found.repository.gitDir, 'index'));
  const anew = index === undefined ? [] : [fix('git reset', 'Have git make its index anew', false)];
  // git can't make anew what it may not read.
  const forIndex = closed === undefined ? anew : wayInto(closed, root).fixes;
  const fixes = [...forIndex, ...(odd === undefined ? [] : [withoutOdd(odd, found.repository)])];
  return { check, status: 'warn', message: messages.join('; '), fixes };
}

/** Of names that stood in such a file git's log has where HEAD was, and others have what was fetched. */
function withoutOdd(odd: string, { gitDir, workTree = gitDir }: GitRepository): SuggestedFix {
  const away = removalOf(odd);
  if (basename(odd) !== 'packed-refs') return fix(away, 'Do without: it says nothing', false);
  const last = `"$(tail -n 1 ${quote(join(gitDir, 'logs/HEAD'))} | cut -d ' ' -f 2)"`;
  return fix(
    `${away} && git -C ${quote(workTree)} update-ref HEAD ${last}`,
    'Put HEAD back to where it was last',
    false,
  );
}

/** What names and objects are read by, as far as that is the same whatever is asked for. */
function closedPart(repository: GitRepository): string | undefined {
  const folders = ['refs', 'refs/heads', 'refs/tags', 'refs/remotes'].map(name => join(repository.commonDir, name));
  return firstClosed([...filesNaming(repository, 'HEAD'), ...folders]) ?? closedStore(repository);
}
