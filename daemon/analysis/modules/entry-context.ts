import { isCode } from '../../model/families.ts';
import type { Entrypoint } from '../../model/module.ts';
import { baseName, join } from '../../model/paths.ts';
import type { Configurations, Package } from './packages.ts';
import type { SourceTree } from './source-tree.ts';

/** What entrypoints are found with. */
export interface EntryContext {
  readonly tree: SourceTree;
  readonly packages: readonly Package[];
  readonly configuration: Configurations;
  /** The source that stands at a path without or with an extension, or is built to what would be there; of JavaScript and TypeScript. */
  readonly sourceAt: (path: string) => string | undefined;
}

/** An entrypoint before it is known which module it is in. */
export interface Found extends Omit<Entrypoint, 'moduleId' | 'path'> {
  readonly path: string;
}

/** The file's name without its extension. */
export function stemOf(path: string): string {
  return baseName(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** The path in a directory where a file of code is; undefined where it isn't. */
export function codeAt(tree: SourceTree, directory: string, relative: string): string | undefined {
  const path = join(directory, relative);
  const file = path === undefined ? undefined : tree.file(path);
  return file !== undefined && isCode(file.language) ? file.path : undefined;
}

/** Files of code directly in a directory, which hold no tests; sorted. */
export function codeIn(tree: SourceTree, directory: string): readonly string[] {
  return tree.filesIn(directory).flatMap(file => (isCode(file.language) && !file.isTest ? [file.path] : []));
}

/** The package of an ecosystem that a path lies in: the innermost. */
export function packageAround(
  { packages }: EntryContext,
  ecosystem: Package['ecosystem'],
  path: string,
): Package | undefined {
  let found: Package | undefined;
  for (const one of packages) {
    if (one.ecosystem !== ecosystem) continue;
    const isAround = one.directory === '' || path.startsWith(`${one.directory}/`);
    if (isAround && (found === undefined || one.directory.length > found.directory.length)) found = one;
  }
  return found;
}
