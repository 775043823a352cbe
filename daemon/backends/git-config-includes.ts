import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type LetterCase, plainPathMatcher, subjectOf } from '../../watch/wildmatch.ts';
import type { ConfigLines } from './git-config-file.ts';
import { branchName, headFile } from './git-refs.ts';
import type { GitRepository } from './git-repository.ts';

/**
 * What the user's configuration includes (git-config(1), "Includes"), and on which conditions. git itself would hold
 * these against a repository whose own configuration it reads and obeys for that; here it is asked for single files alone.
 */

export interface Taken {
  readonly lines: ConfigLines[number][];
  /** What decides which lines these are: each file that is named and counts, there or not. */
  readonly files: string[];
}

interface Includes {
  readonly read: (file: string) => Promise<ConfigLines>;
  readonly home: string;
  readonly repository: GitRepository | undefined;
}

/** git goes as deep. */
const deepest = 10;
const mostFiles = 1000;

/** Adds what a file says, with what it includes in its place. Rejects where git would end; what was added till then stays. */
export async function addWithIncludes(taken: Taken, file: string, includes: Includes, depth = 0): Promise<void> {
  if (depth > deepest || taken.files.length >= mostFiles) throw new Error('Configuration includes too much');
  taken.files.push(file);
  for (const line of await includes.read(file)) {
    taken.lines.push(line);
    const [key, value] = line;
    const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
    if (condition?.startsWith('onbranch:') && includes.repository !== undefined)
      taken.files.push(headFile(includes.repository));
    if (key === 'include.path' || (condition !== undefined && holds(condition, file, includes)))
      await addWithIncludes(taken, fromFolder(dirname(file), value, includes.home), includes, depth + 1);
  }
}

/** The file that a value names. */
export function fromFolder(folder: string, named: string, home: string): string {
  const path = named.replace(/^~(?=\/|$)/, () => home);
  return isAbsolute(path) ? path : join(folder, path);
}

/** Whether a condition holds that stands in this file. Those that ask for remotes (`hasconfig`) don't, nor those of versions to come. */
function holds(condition: string, file: string, { home, repository }: Includes): boolean {
  if (repository === undefined) return false;
  const [, by, pattern = ''] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? [];
  if (by === undefined) return false;
  if (by === 'onbranch') {
    const branch = branchName(repository);
    return branch !== undefined && fits(pattern, branch, 'exact');
  }
  const letterCase = by === 'gitdir' ? 'exact' : 'any';
  if (!pattern.startsWith('./')) {
    const path = pattern.replace(/^~(?=\/)/, () => realpathSync(home));
    return fits(isAbsolute(path) ? path : `**/${path}`, repository.gitDir, letterCase);
  }
  const beside = `${dirname(realpathSync(file))}/`;
  const start = subjectOf(repository.gitDir.slice(0, beside.length), letterCase);
  const below = repository.gitDir.slice(beside.length);
  return start === subjectOf(beside, letterCase) && fits(pattern.slice('.'.length), `/${below}`, letterCase);
}

/** A folder stands for all that is below it. */
function fits(pattern: string, path: string, letterCase: LetterCase): boolean {
  const bytes = subjectOf(pattern.endsWith('/') ? `${pattern}**` : pattern, 'exact');
  return plainPathMatcher(bytes, letterCase)(subjectOf(path, letterCase).split('/'));
}
