import { directoryOf } from '../model/paths.ts';

/**
 * What lies in the tree and can't be listed. `path` is for people: what can't be shown of a name is escaped. Of a folder that is
 * closed nothing below it is told. Of a closed git what it tracks although it is ignored can't be listed.
 */
export interface UnlistedPath {
  readonly path: string;
  readonly reason: 'name_not_utf8' | 'too_deep' | 'unreadable' | 'git_unreadable';
}

/** Those that nobody of ours may look at or into: what lies there may be anything. */
export function closedAmong(unlisted: readonly UnlistedPath[]): readonly string[] {
  return unlisted
    .filter(({ reason }) => reason === 'unreadable' || reason === 'git_unreadable')
    .map(({ path }) => path);
}

/** As many are told of at most. */
export const mostUnlisted = 1000;

/** What one look could not list, at or below which paths; '' is the whole tree. */
export interface UnlistedLook {
  readonly looked: readonly string[];
  readonly unlisted: readonly UnlistedPath[];
}

/** What can't be listed after one more look, which says all there is to say of the paths that it was at. */
export function afterLook(
  before: readonly UnlistedPath[],
  { looked, unlisted }: UnlistedLook,
): readonly UnlistedPath[] {
  const paths = new Set(looked);
  const anew = new Set(unlisted.map(({ path }) => path));
  const standing = before.filter(({ path }) => !anew.has(path) && !isAtOrBelow(path, paths));
  return [...standing, ...unlisted].slice(0, mostUnlisted);
}

function isAtOrBelow(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = directoryOf(at)) if (paths.has(at)) return true;
  return paths.has('');
}
