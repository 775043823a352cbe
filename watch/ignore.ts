import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isShortage } from './budget.ts';
import { isRepository } from './nested-repository.ts';
import {
  type LetterCase,
  type PathMatcher,
  pathMatcher,
  type SegmentMatcher,
  segmentMatcher,
  subjectOf,
} from './wildmatch.ts';

/** What decides which entries of a tree are looked at. */
export interface IgnoreSources {
  /** Absolute path of the tree. */
  readonly root: string;
  /** The work tree that it lies in, whose ignore files hold too; default the root. */
  readonly workTree?: string;
  /** Absolute paths of files with patterns for the whole work tree (info/exclude, core.excludesFile), the weakest first. */
  readonly excludeFiles?: readonly string[];
  /** The case of letters makes no difference (core.ignoreCase). */
  readonly ignoresCase?: boolean;
  /** Patterns weaker than every file, for trees without a repository. */
  readonly defaults?: readonly string[];
  /** Paths that stay in, whatever the rules say: files that git tracks although they are ignored. */
  readonly exceptions?: readonly string[];
  /** Real paths of folders in which nothing is looked at, exceptions included. */
  readonly closed?: readonly string[];
}

export type EntryKind = 'file' | 'directory';

/** The rules in force among the entries of one folder, which stay what they were when they were asked first. */
export interface IgnoreScope {
  /** Relative to the root, '' for the root itself. */
  readonly directory: string;
  /** `exceptions`: the folder is ignored or a repository of its own, and nothing in it is looked at but those. */
  readonly holds: 'files' | 'exceptions';
  ignores(name: string, kind: EntryKind): boolean;
  /**
   * The rules inside one of its folders; undefined where nothing in there is looked at: an ignored folder, `.git`,
   * a repository of its own. That folder's ignore file is read when the rules inside are asked first: whoever watches the
   * folder before misses no change of it.
   */
  enter(name: string): IgnoreScope | undefined;
}

export interface IgnoreRules {
  readonly root: IgnoreScope;
  /** Replaces the exceptions, in scopes that exist already too. */
  setExceptions(paths: readonly string[]): void;
}

/** What is left out of trees that are no git repository, where nobody has said so. */
export const defaultIgnores: readonly string[] = [
  'node_modules/',
  'bower_components/',
  '.hg/',
  '.svn/',
  '.bzr/',
  'CVS/',
  '.jj/',
  '__pycache__/',
  '.venv/',
  '.tox/',
  '.mypy_cache/',
  '.pytest_cache/',
  '.gradle/',
  '.dart_tool/',
  '.next/',
  '.cache/',
  '.DS_Store',
];

/**
 * git's rules of what is ignored (gitignore(5)), except that no configuration is read: the caller names the files.
 * `onShortage` hears of an ignore file that could not be read because no descriptor was to be had, now or when a folder's
 * rules are asked; what it says is unknown, and counts for nothing.
 */
export function openIgnoreRules(sources: IgnoreSources, onShortage: (error: unknown) => void): IgnoreRules {
  const { root, closed = [], ignoresCase = false } = sources;
  const keptOf = (paths: readonly string[]) => keptPaths(paths.filter(path => !isBelow(join(root, path), closed)));
  const tree: Tree = {
    root,
    kept: keptOf(sources.exceptions ?? []),
    closed: new Set(closed),
    letterCase: ignoresCase ? 'any' : 'exact',
    onShortage,
  };
  const general = [
    (sources.defaults ?? []).join('\n'),
    ...(sources.excludeFiles ?? []).map(file => readPatterns(file, 'follow', onShortage)),
  ]
    .map(text => parsePatterns(text, tree.letterCase))
    .filter(patterns => patterns.length > 0);
  const lists: readonly PatternList[] = general.map(patterns => ({ depth: 0, patterns }));

  let place: Place = { lists, segments: [] };
  const above = foldersAbove(sources);
  for (const [depth, folder] of above.entries()) {
    const inside = above[depth + 1] ?? sources.root;
    const segments = [...place.segments, subjectOf(basename(inside), tree.letterCase)];
    place = { lists: withIgnoreFile(place, folder, tree).lists, segments };
  }
  return {
    root: scopeOf(tree, '', place),
    setExceptions(paths) {
      tree.kept = keptOf(paths);
    },
  };
}

/** Whether a path is one of some folders or lies in one. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some(folder => path === folder || path.startsWith(`${folder}/`));
}

/** The ignore files of the work tree that lie above the root: there or not, they hold in the tree. */
export function ignoreFilesAbove(sources: IgnoreSources): readonly string[] {
  return foldersAbove(sources).map(folder => join(folder, '.gitignore'));
}

/** From the work tree down to the root, without it. */
function foldersAbove({ root, workTree = root }: IgnoreSources): readonly string[] {
  const names = root.slice(workTree.length + 1).split('/');
  return root === workTree ? [] : names.map((_, depth) => join(workTree, ...names.slice(0, depth)));
}

interface PatternList {
  /** How many segments of the work tree's path lie above the file that holds them. */
  readonly depth: number;
  readonly patterns: readonly Pattern[];
}

interface Place {
  /** The weakest list first. */
  readonly lists: readonly PatternList[];
  /** The folder's path from the work tree, as patterns are held against it. */
  readonly segments: readonly string[];
}

interface Tree {
  readonly root: string;
  kept: Kept;
  readonly closed: ReadonlySet<string>;
  readonly letterCase: LetterCase;
  readonly onShortage: (error: unknown) => void;
}

/** `around`: the folder's place, without its own ignore file. */
function scopeOf(tree: Tree, directory: string, around: Place): IgnoreScope {
  let known: Place | undefined;
  const place = (): Place => {
    known ??= withIgnoreFile(around, join(tree.root, directory), tree);
    return known;
  };
  const pathOf = (name: string) => (directory === '' ? name : `${directory}/${name}`);
  const subject = (name: string) => subjectOf(name, tree.letterCase);
  const matched = (name: string, kind: EntryKind) => verdict(place(), subject(name), kind) === 'ignored';
  return {
    directory,
    holds: 'files',
    ignores(name, kind) {
      if (subject(name) === '.git') return true;
      if (!matched(name, kind)) return false;
      return !(kind === 'file' ? tree.kept.files : tree.kept.folders).has(pathOf(name));
    },
    enter(name) {
      if (subject(name) === '.git') return undefined;
      const path = pathOf(name);
      const absolute = join(tree.root, path);
      if (tree.closed.has(absolute)) return undefined;
      if (matched(name, 'directory') || isRepository(absolute)) return keptScope(tree, path);
      return scopeOf(tree, path, { lists: place().lists, segments: [...around.segments, subject(name)] });
    },
  };
}

/** Inside an ignored folder only exceptions count; the ignore files in there don't. */
function keptScope(tree: Tree, directory: string): IgnoreScope | undefined {
  if (!tree.kept.folders.has(directory)) return undefined;
  return {
    directory,
    holds: 'exceptions',
    ignores: (name, kind) => !(kind === 'file' ? tree.kept.files : tree.kept.folders).has(`${directory}/${name}`),
    enter: name => keptScope(tree, `${directory}/${name}`),
  };
}

interface Kept {
  readonly files: ReadonlySet<string>;
  /** Every folder above one of the files. */
  readonly folders: ReadonlySet<string>;
}

function keptPaths(exceptions: readonly string[]): Kept {
  const folders = new Set<string>();
  for (const path of exceptions) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files: new Set(exceptions), folders };
}

function withIgnoreFile(place: Place, directory: string, { letterCase, onShortage }: Tree): Place {
  const patterns = parsePatterns(readPatterns(join(directory, '.gitignore'), 'refuse links', onShortage), letterCase);
  if (patterns.length === 0) return place;
  return { lists: [...place.lists, { depth: place.segments.length, patterns }], segments: place.segments };
}

/** The last pattern that matches decides, in the strongest list that has one. */
function verdict(place: Place, name: string, kind: EntryKind): 'ignored' | 'kept' | 'unsaid' {
  for (let list = place.lists.length - 1; list >= 0; list--) {
    const { depth, patterns } = place.lists[list]!;
    let segments: readonly string[] | undefined;
    for (let index = patterns.length - 1; index >= 0; index--) {
      const pattern = patterns[index]!;
      if (pattern.directoriesOnly && kind !== 'directory') continue;
      if (pattern.by === 'path') segments ??= [...place.segments.slice(depth), name];
      const matches = pattern.by === 'name' ? pattern.matches(name) : pattern.matches(segments ?? []);
      if (matches) return pattern.means;
    }
  }
  return 'unsaid';
}

type Pattern = { readonly means: 'ignored' | 'kept'; readonly directoriesOnly: boolean } & (
  | { readonly by: 'name'; readonly matches: SegmentMatcher }
  | { readonly by: 'path'; readonly matches: PathMatcher }
);

const longestPattern = 4096;
const mostPatterns = 20_000;

function parsePatterns(text: string, letterCase: LetterCase): readonly Pattern[] {
  if (text === '') return [];
  const patterns: Pattern[] = [];
  for (const line of text.replace(/^\xef\xbb\xbf/, '').split('\n')) {
    const pattern = parsePattern(line, letterCase);
    if (pattern !== undefined) patterns.push(pattern);
    if (patterns.length === mostPatterns) break;
  }
  return patterns;
}

function parsePattern(line: string, letterCase: LetterCase): Pattern | undefined {
  let text = withoutTrailingSpaces(line.endsWith('\r') ? line.slice(0, -1) : line);
  if (text === '' || text.startsWith('#') || text.length > longestPattern) return undefined;
  const means = text.startsWith('!') ? 'kept' : 'ignored';
  if (means === 'kept') text = text.slice(1);
  const directoriesOnly = text.endsWith('/');
  if (directoriesOnly) text = text.slice(0, -1);
  if (text === '') return undefined;
  if (!text.includes('/')) return { means, directoriesOnly, by: 'name', matches: segmentMatcher(text, letterCase) };
  const path = text.startsWith('/') ? text.slice(1) : text;
  return { means, directoriesOnly, by: 'path', matches: pathMatcher(path, letterCase) };
}

/** Spaces at the end don't count unless a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (end - backslashes > 0 && line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

const largestIgnoreFile = 1024 * 1024;

/**
 * The file's bytes; '' where there is none. Like git, a `.gitignore` that is a symbolic link is not followed; a pipe
 * must not stop us, and a file larger than 1 MiB is none.
 */
function readPatterns(file: string, links: 'follow' | 'refuse links', onShortage: Tree['onShortage']): string {
  let descriptor: number;
  try {
    if (links === 'refuse links' && lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return '';
    const noFollow = links === 'follow' ? 0 : constants.O_NOFOLLOW;
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    if (isShortage(error)) onShortage(error);
    return '';
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > largestIgnoreFile) return '';
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, stat.size, 0));
  } catch {
    return '';
  } finally {
    closeSync(descriptor);
  }
}
