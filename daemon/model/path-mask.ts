import { baseName } from './paths.ts';
import type { Privacy } from './privacy.ts';
import type { SymbolKind } from './symbol.ts';

/** Takes out of texts what they tell of paths that are kept back. */
export interface PathMask {
  /** A documentation, a signature or a name, with paths and dotted names of modules cut to what is shown of a path. */
  text(text: string): string;
  /** What something is called: as its file's base name, where it is called as the file or the folder that it stands for. */
  name(of: Named): string;
}

export interface Named {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
}

const noMask: PathMask = { text: text => text, name: ({ name }) => name };

/** Files whose module is called as their folder. */
const folderModules: ReadonlySet<string> = new Set(['__init__', 'index', 'mod', 'lib']);

const separators = /([./\\]+)/;

/** Words with separators between them. */
const joined =
  /(?<![\p{L}\p{N}_@$./\\-])[\p{L}\p{N}_@$-]*(?:[./\\]+[\p{L}\p{N}_@$-]+|[/\\](?:\[[\p{L}\p{N}_-]+\]|\([\p{L}\p{N}_-]+\)))+/gu;

/** The mask of an index with files at some paths, which are read when there is a text to be masked. */
export function pathMask(paths: () => Iterable<string>, { exposePaths, pathPrefixStrip }: Privacy): PathMask {
  if (exposePaths && pathPrefixStrip === '') return noMask;
  if (exposePaths) return prefixMask(pathPrefixStrip);
  let made: Neighbours | undefined;
  const text = (of: string): string =>
    of.replace(joined, found => {
      made ??= neighbours(paths());
      return cut(found, made);
    });
  return { text, name: of => (isCalledAsItsPlace(of) ? baseName(of.path) : text(of.name)) };
}

/** Words that stand one behind the other in paths, and what the pair is cut to: '' where it is two folders. */
type Neighbours = ReadonlyMap<string, string>;

function neighbours(paths: Iterable<string>): Neighbours {
  const pairs = new Map<string, string>();
  for (const path of paths) {
    const { folders, stem } = placeOf(path);
    for (let at = 1; at < folders.length; at++) {
      const pair = `${folders[at - 1]}/${folders[at]}`;
      const isModule = at === folders.length - 1 && folderModules.has(stem);
      if (isModule || !pairs.has(pair)) pairs.set(pair, isModule ? stem : '');
    }
    if (folders.length > 0) pairs.set(`${folders.at(-1)}/${stem}`, stem);
  }
  return pairs;
}

function placeOf(path: string): { readonly folders: readonly string[]; readonly stem: string } {
  const words = (text: string): string[] => text.split(/[./]+/).filter(word => word !== '');
  const base = baseName(path);
  return { folders: words(path.slice(0, path.length - base.length)), stem: words(base)[0] ?? '' };
}

/**
 * Without all up to the last two words that are neighbours in a path. Two folders with nothing but dots between them
 * are the name of a package, which is part of the language.
 */
function cut(found: string, pairs: Neighbours): string {
  const parts = found.split(separators);
  for (let at = parts.length - 1; at >= 2; at -= 2) {
    const rest = pairs.get(`${parts[at - 2]}/${parts[at]}`);
    if (rest === undefined || (rest === '' && !/[/\\]/.test(parts[at - 1]!))) continue;
    return (rest === '' ? '…' : rest) + parts.slice(at + 1).join('');
  }
  return found;
}

const moduleKinds: ReadonlySet<SymbolKind> = new Set(['module', 'namespace', 'package']);

function isCalledAsItsPlace({ name, kind, path }: Named): boolean {
  if (!moduleKinds.has(kind)) return false;
  const { folders, stem } = placeOf(path);
  const [last, around] = name
    .split(separators)
    .reverse()
    .filter(part => !separators.test(part));
  if (folderModules.has(stem) && last !== undefined && last === folders.at(-1)) return true;
  return around !== undefined && last === stem && around === folders.at(-1);
}

/** A folder of several words is taken out wherever it stands; a single one is a word like others, unless something is in it. */
function prefixMask(prefix: string): PathMask {
  const words = prefix.split(/[./]+/).filter(word => word !== '');
  const text = prefix.endsWith('/')
    ? (of: string): string => of.replace(joined, found => without(found, words))
    : (of: string): string => of.replaceAll(prefix, '');
  return { text, name: ({ name }) => text(name) };
}

function without(found: string, words: readonly string[]): string {
  const parts = found.split(separators);
  for (let at = 0; at + words.length * 2 - 1 <= parts.length; at += 2) {
    const end = at + words.length * 2;
    const isThere = words.every((word, index) => parts[at + index * 2] === word);
    if (isThere && (words.length > 1 || end < parts.length))
      return [...parts.slice(0, at), ...parts.slice(end)].join('');
  }
  return found;
}
