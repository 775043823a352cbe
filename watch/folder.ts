import type { IgnoreScope } from './ignore.ts';
import type { KernelWatch } from './kernel-watch.ts';

/** A folder of a watched tree, with those below it that are looked at. */
export interface Folder {
  readonly name: string;
  /** Relative to the root, '' for the root itself. */
  readonly path: string;
  readonly parent: Folder | undefined;
  readonly scope: IgnoreScope;
  readonly children: Map<string, Folder>;
  watch: KernelWatch | undefined;
  /** What happens in it from now on is told of. */
  isWatched: boolean;
  /** Dropped: another may stand for the same path by now. */
  closed: boolean;
}

export function folderOf(parent: Folder | undefined, name: string, scope: IgnoreScope): Folder {
  return {
    name,
    path: scope.directory,
    parent,
    scope,
    children: new Map(),
    watch: undefined,
    isWatched: false,
    closed: false,
  };
}

/** The folder of a path, where it is known. */
export function folderAt(top: Folder | undefined, path: string): Folder | undefined {
  let folder = top;
  for (const name of path === '' ? [] : path.split('/')) folder = folder?.children.get(name);
  return folder;
}

/** The folder that holds a path, or the innermost one above it that is known, with the name to look at there. */
export function nearestTo(
  top: Folder | undefined,
  path: string,
): { readonly folder: Folder; readonly name: string } | undefined {
  const names = path.split('/');
  let folder = top;
  for (const [index, name] of names.entries()) {
    if (folder === undefined) return undefined;
    const child = folder.children.get(name);
    if (child === undefined || index === names.length - 1) return { folder, name };
    folder = child;
  }
  return undefined;
}
