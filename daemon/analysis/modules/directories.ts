import { isCode } from '../../model/families.ts';
import { isTestPath } from '../../model/mount.ts';
import { baseName } from '../../model/paths.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * The folders into which a package's folder falls apart, at most `levels` below it: those that code begins to differ at.
 *
 * - A folder that only holds others is passed through where it has one alone (`com/example`), or is one that every project
 *   of its kind has (`src`, `packages`, `main/java`): it is no module and no level. Else it is both.
 * - A folder of tests, and one of code that was taken in, is one module, whatever it has inside.
 * - Folders whose names begin with a dot, and those of other packages (`isPackage`), are none.
 */
export function foldersOf(
  tree: SourceTree,
  top: string,
  levels: number,
  isPackage: (directory: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  const waiting: { readonly directory: string; readonly levels: number }[] = [{ directory: top, levels }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.levels <= 0) continue;
    for (const directory of tree.codeDirectoriesIn(next.directory)) {
      if (isPackage(directory) || baseName(directory).startsWith('.')) continue;
      if (isPassedThrough(tree, directory)) {
        waiting.push({ directory, levels: next.levels });
        continue;
      }
      found.push(directory);
      if (!isOneWhole(directory)) waiting.push({ directory, levels: next.levels - 1 });
    }
  }
  return found;
}

function isPassedThrough(tree: SourceTree, directory: string): boolean {
  if (isOneWhole(directory) || tree.filesIn(directory).some(file => isCode(file.language))) return false;
  return tree.codeDirectoriesIn(directory).length === 1 || containers.has(baseName(directory));
}

function isOneWhole(directory: string): boolean {
  return (
    isTestPath(`${directory}/`) ||
    /^(?:vendor|node_modules|third[_-]party|bower_components)$/i.test(baseName(directory))
  );
}

/** Folders that hold parts and are none, as the layouts of build tools and of monorepos have them. */
const containers: ReadonlySet<string> = new Set(
  `src source sources lib libs libraries packages package pkg pkgs crates apps applications projects modules components
  internal cmd services plugins extensions main java kotlin python csharp commonMain jvmMain com org net io dev
  Sources`.split(/\s+/),
);
