import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  defaultIgnores,
  type IgnoreRules,
  type IgnoreScope,
  type IgnoreSources,
  isBelow,
  openIgnoreRules,
} from '../../watch/ignore.ts';
import type { Git } from '../backends/git.ts';
import { findRepository, type GitRepository, prefixIn } from '../backends/git-repository.ts';
import { baseName, directoryOf, type RepoPath, repoPath } from '../model/paths.ts';
import { isShortage } from '../model/shortage.ts';

/** A file of a tree with what `lstat` says of it. Symbolic links are listed as themselves and never followed. */
export interface FoundFile {
  readonly path: RepoPath;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  /** How many names the file has, here or elsewhere. */
  readonly nlink: bigint;
  /** As in `stat`: type and permission bits. */
  readonly mode: number;
}

/** What lies in the tree and can't be listed. `path` is for people: what can't be shown of a name is escaped. */
export interface UnlistedPath {
  readonly path: string;
  readonly reason: 'name_not_utf8' | 'too_deep' | 'unreadable';
}

export interface Discovery {
  /** Sorted by path (UTF-16 code units). */
  readonly files: readonly FoundFile[];
  /** At most 1,000. */
  readonly unlisted: readonly UnlistedPath[];
  /** Tracked paths that ignore rules match, sorted: the watcher must be told of them. */
  readonly trackedButIgnored: readonly string[];
}

export interface DiscoverOptions {
  /** Without it tracked files that are ignored are not found, nor are the user's own ignore files read. */
  readonly git?: Git | undefined;
  /** Real paths of folders that are nobody's sources, whatever ignore files and git say of them. */
  readonly closed?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The files that belong to a tree: what `git ls-files --cached --others --exclude-standard` lists and exists. Without a
 * repository, what ignore files and the default ignores leave. Repositories inside (submodules among them) are not
 * entered. 50,000 files take about half a second, in steps of some milliseconds.
 */
export async function discover(root: string, options: DiscoverOptions = {}): Promise<Discovery> {
  const surroundings = await surroundingsOf(root, options);
  const walk = new Walk(surroundings.root, options.signal);
  const [tracked] = await Promise.all([
    trackedPaths(surroundings, options),
    walk.below(rulesOf(surroundings.sources).root),
  ]);
  const trackedButIgnored = walk.addMissing(tracked, scopesOf(rulesOf(surroundings.sources)));
  return { files: sorted(walk.files), unlisted: walk.unlisted, trackedButIgnored };
}

/**
 * What now stands at the paths of a ChangeSet, by the same rules: files themselves, for a folder all files below it.
 * Whatever a manifest holds at or below one of `paths` and is not in the answer is gone. Sorted by path.
 */
export async function lookAt(
  root: string,
  paths: Iterable<string>,
  options: DiscoverOptions = {},
): Promise<readonly FoundFile[]> {
  const surroundings = await surroundingsOf(root, options);
  const asked = withoutNested(paths);
  const exceptions = await ignoredButTracked(surroundings, asked, options);
  const rules = rulesOf({ ...surroundings.sources, exceptions });
  const walk = new Walk(surroundings.root, options.signal);
  const scopeAt = scopesOf(rules);
  for (const path of asked) {
    if (path !== '' && (repoPath(path) === undefined || !walk.reaches(directoryOf(path)))) continue;
    if (isDirectory(join(surroundings.root, path))) await walk.below(scopeAt(path));
    else if (!isIgnored(path, scopeAt)) walk.add(path);
  }
  return sorted(walk.files);
}

/** What the watcher must be told beside the ignore files: tracked paths that they match. */
export async function trackedButIgnored(
  surroundings: Surroundings,
  options: DiscoverOptions,
): Promise<readonly string[]> {
  const scopeAt = scopesOf(rulesOf(surroundings.sources));
  const tracked = await trackedPaths(surroundings, options);
  return tracked.filter(path => repoPath(path) !== undefined && isIgnored(path, scopeAt));
}

/** Tree, repository, and the sources of its ignore rules. */
export interface Surroundings {
  /** The tree's real path. */
  readonly root: string;
  readonly repository: GitRepository | undefined;
  /** The root's path from the work tree, '' or ending in `/`. */
  readonly prefix: string;
  readonly sources: IgnoreSources;
  /** git's configuration, as far as it says which files those are. */
  readonly configuration: readonly string[];
}

/** Where a tree lies and which files say what is ignored in it. */
export async function surroundingsOf(
  root: string,
  { git, closed = [], signal }: DiscoverOptions,
): Promise<Surroundings> {
  const real = realpathSync(root);
  const found = findRepository(real);
  const repository = found.found === 'repository' ? found.repository : undefined;
  const said = await git?.excludeFiles(repository, { signal });
  const excludeFiles = said?.patterns ?? infoExclude(repository);
  const ignoresCase = said?.ignoresCase ?? false;
  const configuration = said?.configuration ?? [];
  if (repository?.workTree === undefined) {
    return {
      root: real,
      repository: undefined,
      prefix: '',
      sources: { root: real, excludeFiles, ignoresCase, defaults: defaultIgnores, closed },
      configuration,
    };
  }
  const { workTree } = repository;
  const prefix = prefixIn(workTree, real);
  return {
    root: real,
    repository,
    prefix,
    sources: { root: real, workTree, excludeFiles, ignoresCase, closed },
    configuration,
  };
}

/** Without a descriptor to read an ignore file with, nobody knows what it says. */
function rulesOf(sources: IgnoreSources): IgnoreRules {
  return openIgnoreRules(sources, error => {
    throw error;
  });
}

function infoExclude(repository: GitRepository | undefined): readonly string[] {
  return repository === undefined ? [] : [join(repository.commonDir, 'info/exclude')];
}

const submodule = '160000';

/** Paths of git's index, from the root. */
async function trackedPaths(
  { repository, prefix, root }: Surroundings,
  options: DiscoverOptions,
): Promise<readonly string[]> {
  if (repository === undefined || options.git === undefined) return [];
  const entries = await options.git.tracked(repository, { signal: options.signal });
  const paths: string[] = [];
  for (const { path, mode } of entries) {
    if (mode !== submodule && path.startsWith(prefix)) paths.push(path.slice(prefix.length));
  }
  const { closed = [] } = options;
  return closed.length === 0 ? paths : paths.filter(path => !isBelow(join(root, path), closed));
}

/** The tracked ones among the asked paths that rules ignore; folders are asked about as a whole. Mostly asks git nothing. */
async function ignoredButTracked(
  surroundings: Surroundings,
  asked: readonly string[],
  options: DiscoverOptions,
): Promise<readonly string[]> {
  const { repository, prefix, root } = surroundings;
  if (repository === undefined || options.git === undefined) return [];
  const scopeAt = scopesOf(rulesOf(surroundings.sources));
  if (asked.some(path => isDirectory(join(root, path)))) {
    const tracked = await trackedPaths(surroundings, options);
    return tracked.filter(path => asked.some(above => covers(above, path)) && isIgnored(path, scopeAt));
  }
  const ignored = asked.filter(path => repoPath(path) !== undefined && isIgnored(path, scopeAt));
  const paths = ignored.map(path => prefix + path);
  const tracked = await options.git.trackedAmong(repository, paths, { signal: options.signal });
  return [...tracked].map(path => path.slice(prefix.length));
}

type ScopeAt = (directory: string) => IgnoreScope | undefined;

/** Each folder's scope, its ignore file read once. */
function scopesOf(rules: IgnoreRules): ScopeAt {
  const scopes = new Map<string, IgnoreScope | undefined>([['', rules.root]]);
  const scopeAt: ScopeAt = directory => {
    if (scopes.has(directory)) return scopes.get(directory);
    const scope = scopeAt(directoryOf(directory))?.enter(baseName(directory));
    scopes.set(directory, scope);
    return scope;
  };
  return scopeAt;
}

function isIgnored(path: string, scopeAt: ScopeAt): boolean {
  return scopeAt(directoryOf(path))?.ignores(baseName(path), 'file') !== false;
}

function covers(above: string, path: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`);
}

/** Without paths that lie below others, and each once. */
function withoutNested(paths: Iterable<string>): readonly string[] {
  const all = new Set(paths);
  return [...all].filter(path => {
    if (path === '') return true;
    if (all.has('')) return false;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (all.has(path.slice(0, at))) return false;
    }
    return true;
  });
}

/** PATH_MAX allows 2,048 nested folders; real trees have a few dozen. */
const deepest = 200;
const mostUnlisted = 1000;
const sliceMs = 8;

/** One look at what lies below a root. */
class Walk {
  readonly files: FoundFile[] = [];
  readonly unlisted: UnlistedPath[] = [];
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #seen = new Set<string>();
  /** Folders by whether they can be reached. */
  readonly #reached = new Map<string, boolean>([['', true]]);

  constructor(root: string, signal: AbortSignal | undefined) {
    this.#root = root;
    this.#signal = signal;
  }

  add(path: string): void {
    const file = this.#seen.has(path) ? undefined : fileAt(this.#root, path);
    if (file === undefined) return;
    this.#seen.add(path);
    this.files.push(file);
  }

  async below(start: IgnoreScope | undefined): Promise<void> {
    const folders = start === undefined ? [] : [start];
    let sliceEnd = performance.now() + sliceMs;
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      this.#enter(next, folders);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      this.#signal?.throwIfAborted();
      sliceEnd = performance.now() + sliceMs;
    }
  }

  /** Adds the tracked files that the walk did not meet; returns those of them that rules ignore, there or not. */
  addMissing(tracked: readonly string[], scopeAt: ScopeAt): readonly string[] {
    const ignored: string[] = [];
    for (const path of tracked) {
      if (this.#seen.has(path) || repoPath(path) === undefined) continue;
      if (isIgnored(path, scopeAt)) ignored.push(path);
      if (this.reaches(directoryOf(path))) this.add(path);
    }
    return ignored.sort();
  }

  /**
   * Whether a folder is there and no symbolic link lies on the way. git's index may name `link/x` from the time when
   * `link` was a folder.
   */
  reaches(directory: string): boolean {
    const known = this.#reached.get(directory);
    const answer = known ?? (this.reaches(directoryOf(directory)) && isDirectory(join(this.#root, directory)));
    this.#reached.set(directory, answer);
    return answer;
  }

  #enter(scope: IgnoreScope, folders: IgnoreScope[]): void {
    const leaveOut = (path: string, reason: UnlistedPath['reason']): void => this.#leaveOut(path, reason);
    for (const entry of entriesOf(this.#root, scope.directory, leaveOut)) {
      const path = scope.directory === '' ? entry.name : `${scope.directory}/${entry.name}`;
      if (!entry.isDirectory) {
        if (!scope.ignores(entry.name, 'file')) this.add(path);
        continue;
      }
      const inside = scope.enter(entry.name);
      if (inside === undefined) continue;
      if (path.split('/').length > deepest) leaveOut(path, 'too_deep');
      else folders.push(inside);
    }
  }

  #leaveOut(path: string, reason: UnlistedPath['reason']): void {
    if (this.unlisted.length < mostUnlisted) this.unlisted.push({ path, reason });
  }
}

interface Entry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Names that are no UTF-8 come back with U+FFFD in them; such a folder is read again as bytes, to tell those from real ones. */
function entriesOf(
  root: string,
  directory: string,
  leaveOut: (path: string, reason: UnlistedPath['reason']) => void,
): readonly Entry[] {
  const absolute = join(root, directory);
  try {
    const entries = readdirSync(absolute, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    }));
    if (!entries.some(entry => entry.name.includes('\ufffd'))) return entries;
    const real = new Set<string>();
    for (const name of readdirSync(absolute, { encoding: 'buffer' })) {
      const text = name.toString('utf8');
      if (Buffer.from(text, 'utf8').equals(name)) real.add(text);
      else leaveOut(directory === '' ? escaped(name) : `${directory}/${escaped(name)}`, 'name_not_utf8');
    }
    return entries.filter(entry => real.has(entry.name));
  } catch (error) {
    if (isShortage(error)) throw error; // what is in there is not gone
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM') leaveOut(directory, 'unreadable');
    return [];
  }
}

/** The bytes of a name that are printable ASCII as they are, the others as `\xff`. */
function escaped(name: Uint8Array): string {
  return [...name]
    .map(byte => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

/** Regular files and symbolic links, as git tracks them; pipes, sockets and devices are nobody's sources. */
function fileAt(root: string, path: string): FoundFile | undefined {
  const valid = repoPath(path);
  if (valid === undefined) return undefined;
  try {
    const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return undefined;
    return {
      path: valid,
      size: Number(stat.size),
      mtimeNs: stat.mtimeNs,
      ctimeNs: stat.ctimeNs,
      ino: stat.ino,
      nlink: stat.nlink,
      mode: Number(stat.mode),
    };
  } catch {
    return undefined;
  }
}

function isDirectory(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function sorted(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
