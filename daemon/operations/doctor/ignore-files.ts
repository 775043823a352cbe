import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closedWay } from '../../../watch/file-system.ts';
import { findRepository } from '../../backends/git-repository.ts';
import { wayInto } from '../../jobs/way-in.ts';
import type { Finding } from '../finding.ts';

const largest = 1024 * 1024;

/** Whether the ignore files of the whole tree can be followed; one that can't is passed over, and its rules with it. */
export function ignoreFilesCheck(root: string): Finding {
  const found = findRepository(root);
  const commonDir = found.found === 'repository' ? found.repository.commonDir : undefined;
  const own = join(root, '.gitignore');
  const exclude = commonDir === undefined ? [] : [join(commonDir, 'info/exclude')];
  // Like git: a link in the tree is not followed, one in its own folder is.
  const troubles = [
    { file: own, trouble: troubleWith(own, lstatSync) },
    ...exclude.map(file => ({ file, trouble: troubleWith(file, statSync) })),
  ].filter(one => one.trouble !== undefined);
  if (troubles.length === 0) return { check: 'repository.ignore-files', status: 'pass', message: 'can be read' };
  return {
    check: 'repository.ignore-files',
    status: 'warn',
    message: `${troubles.map(one => `${one.file} ${one.trouble}`).join(', ')}: its rules are not followed`,
    fixes: troubles.flatMap(({ file }) => closedWay(file) ?? []).flatMap(closed => wayInto(closed, root).fixes),
  };
}

function troubleWith(file: string, look: typeof statSync | typeof lstatSync): string | undefined {
  try {
    const stat = look(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) return 'is no regular file';
    if (stat.size > largest) return 'is larger than 1 MiB';
    return closedWay(file) === undefined ? undefined : 'can’t be read';
  } catch {
    return 'can’t be read';
  }
}
