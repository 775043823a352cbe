import { isCode } from '../../model/families.ts';
import { baseName, directoryOf } from '../../model/paths.ts';

/** A file of the snapshot, whether something reads it or not. */
export interface TreeFile {
  readonly path: string;
  /** Of its facts; `configuration` for manifests and their like, '' where nothing reads it. */
  readonly language: string;
  readonly isTest: boolean;
}

/** Files by their places. */
export interface SourceTree {
  has(path: string): boolean;
  file(path: string): TreeFile | undefined;
  /** Files directly in a directory, sorted. */
  filesIn(directory: string): readonly TreeFile[];
  /** Directories directly in a directory that have code in them, at whatever depth; sorted. */
  codeDirectoriesIn(directory: string): readonly string[];
  /** Whether a directory has code in it, at whatever depth. */
  hasCodeBelow(directory: string): boolean;
  /** Files at or below a directory. */
  below(directory: string): Iterable<TreeFile>;
  /** Files of that name, sorted. */
  filesNamed(name: string): readonly TreeFile[];
  /** All of them, sorted. */
  readonly files: readonly TreeFile[];
}

export function sourceTree(unsorted: readonly TreeFile[]): SourceTree {
  const files = [...unsorted].sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map<string, TreeFile>(files.map(file => [file.path, file]));
  const byDirectory = groupedBy(files, file => directoryOf(file.path));
  const byName = groupedBy(files, file => baseName(file.path));
  const inside = new Map<string, string[]>();
  const withCode = new Set<string>();
  for (const file of files) {
    if (!isCode(file.language)) continue;
    for (let at = directoryOf(file.path); !withCode.has(at); at = directoryOf(at)) {
      withCode.add(at);
      if (at === '') break;
      const above = directoryOf(at);
      const known = inside.get(above);
      if (known === undefined) inside.set(above, [at]);
      else known.push(at);
    }
  }
  for (const directories of inside.values()) directories.sort();
  return {
    files,
    has: path => byPath.has(path),
    file: path => byPath.get(path),
    filesIn: directory => byDirectory.get(directory) ?? [],
    codeDirectoriesIn: directory => inside.get(directory) ?? [],
    hasCodeBelow: directory => withCode.has(directory),
    *below(directory) {
      if (directory === '') yield* files;
      else
        for (let at = firstBelow(files, directory); at < files.length; at++) {
          const file = files[at]!;
          if (file.path.startsWith(`${directory}/`)) yield file;
          else return;
        }
    },
    filesNamed: name => byName.get(name) ?? [],
  };
}

function groupedBy(
  files: readonly TreeFile[],
  keyOf: (file: TreeFile) => string,
): ReadonlyMap<string, readonly TreeFile[]> {
  const groups = new Map<string, TreeFile[]>();
  for (const file of files) {
    const key = keyOf(file);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return groups;
}

/** The first file of the sorted ones that may lie below a directory. */
function firstBelow(files: readonly TreeFile[], directory: string): number {
  const prefix = `${directory}/`;
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.path < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
