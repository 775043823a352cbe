/** A path inside a repository: relative, `/` between segments, no `.`, `..` or empty segment. Born in `repoPath` alone. */
export type RepoPath = string & { readonly __brand: 'RepoPath' };

/** A valid repository path, or undefined where the text is absolute, escapes the root, or holds NUL or a backslash-only spelling. */
export function repoPath(text: string): RepoPath | undefined {
  if (text === '' || text.length > 4096 || text.includes('\0') || text.startsWith('/')) return undefined;
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') return undefined;
  }
  return text as RepoPath;
}

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `join('a/b', '../c')` is `a/c`; undefined where it climbs out of the repository. */
export function join(directory: string, relative: string): string | undefined {
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else segments.push(segment);
  }
  return segments.join('/');
}
