import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../commands.ts';
import { lookedAt, unreadable } from '../looked-at.ts';

/** A file that is to be measured. */
export interface AskedFile {
  /** From the repository's root. */
  readonly path: string;
  /** It was named itself, and not by a folder that it lies in. */
  readonly isNamed: boolean;
}

export interface FoundFiles {
  readonly files: readonly AskedFile[];
  /** Folders from the repository's root, such as another user's, whose files nobody here knows. */
  readonly closed: readonly string[];
}

/**
 * How files of code end, of languages whose functions are measured and of others, so that those are told of: the rest of a
 * folder is not even asked about.
 */
const code =
  /\.(?:go|[cm]?[jt]s|[jt]sx|pyi?|pyw|rs|java|kts?|c|h|cc|cpp|cxx|c\+\+|hh|hpp|hxx|ipp|dart|rb|rake|gemspec|cs|php|phtml)$/i;
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * The files that paths mean, in the repository of a root: as seen from the folder that the caller stands in where that lies in
 * it, else from the root. Of a folder all files of code below; links are not followed. Each once, sorted. Throws `UsageError`
 * for what lies outside, and for what can’t be read and was named itself.
 */
export function filesOf(paths: readonly string[], root: string, directory: string | undefined): FoundFiles {
  const base = realPath(root);
  const here = directory === undefined ? base : realPath(directory);
  const from = here === base || here.startsWith(`${base}/`) ? here : base;
  const found = new Map<string, AskedFile>();
  const closed = new Set<string>();
  for (const path of paths) {
    const absolute = resolve(from, path);
    const place = relative(base, absolute);
    if (path === '' || place === '..' || place.startsWith('../'))
      throw new UsageError(`${path}: lies outside of ${root}`);
    if (lookedAt(absolute, path)?.isDirectory() !== true) {
      found.set(place, { path: place, isNamed: true });
      continue;
    }
    const keptOut = (folder: string, error: unknown): void => {
      if (folder === absolute) throw unreadable(path, error);
      closed.add(relative(base, folder));
    };
    for (const below of filesBelow(absolute, keptOut)) {
      const inside = relative(base, below);
      if (!found.has(inside)) found.set(inside, { path: inside, isNamed: false });
    }
  }
  return { files: [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), closed: [...closed].sort() };
}

type KeptOut = (folder: string, error: unknown) => void;

function* filesBelow(folder: string, keptOut: KeptOut): Generator<string> {
  for (const entry of entriesOf(folder, keptOut)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!passedOver.has(entry.name)) yield* filesBelow(path, keptOut);
    } else if (entry.isFile() && code.test(entry.name)) yield path;
  }
}

function entriesOf(folder: string, keptOut: KeptOut): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'EACCES' || code === 'EPERM') keptOut(folder, error);
    else if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    return [];
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
