import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closedFolder, closedWay, isClosed } from '../../watch/file-system.ts';
import {
  defaultIgnores,
  type IgnoreRules,
  type IgnoreScope,
  type IgnoreSources,
  isBelow,
  openIgnoreRules,
} from '../../watch/ignore.ts';
import type { Git } from '../backends/git.ts';
import { type FoundRepository, findRepository, type GitRepository, prefixIn } from '../backends/git-repository.ts';
import { baseName, directoryOf, repoPath } from '../model/paths.ts';
import { entriesOf, type FoundFile, fileAt, isDirectory } from './tree-entries.ts';
import { mostUnlisted, type UnlistedPath } from './unlisted.ts';

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
  const walk = walkIn(surroundings, options);
  const [tracked] = await Promise.all([
    trackedPaths(surroundings, options),
    walk.below(rulesOf(surroundings.sources).root),
  ]);
  const trackedButIgnored = walk.addMissing(tracked, scopesOf(rulesOf(surroundings.sources)));
  return { files: sorted(walk.files), unlisted: walk.unlisted, trackedButIgnored };
}

/**
 * What now stands at the paths of a ChangeSet, by the same rules: files themselves, for a folder all files below it.
 * Whatever a manifest holds at or below one of `paths` and is not in the answer is gone, or not to be listed.
 */
export async function lookAt(
  root: string,
  paths: Iterable<string>,
  options: DiscoverOptions = {},
): Promise<Pick<Discovery, 'files' | 'unlisted'>> {
  const surroundings = await surroundingsOf(root, options);
  const asked = withoutNested(paths);
  const exceptions = await ignoredButTracked(surroundings, asked, options);
  const rules = rulesOf({ ...surroundings.sources, exceptions });
  const walk = walkIn(surroundings, options);
  const scopeAt = scopesOf(rules);
  for (const path of asked) {
    if (path !== '' && (repoPath(path) === undefined || !walk.reaches(directoryOf(path)))) continue;
    if (walk.reaches(path)) await walk.below(scopeAt(path));
    else if (!isIgnored(path, scopeAt)) walk.add(path);
  }
  return { files: sorted(walk.files), unlisted: walk.unlisted };
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
  /** What keeps us out of a git that may be there, or leads to none, from the root; undefined where nothing does. */
  readonly closedGit: string | undefined;
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
      closedGit: closedIn(found, real),
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
    closedGit: undefined,
    prefix,
    sources: { root: real, workTree, excludeFiles, ignoresCase, closed },
    configuration,
  };
}

function closedIn(found: FoundRepository, root: string): string | undefined {
  if (found.found === 'unusable') return relative(root, found.path);
  return found.found === 'unreadable' ? relative(root, closedWay(found.path) ?? found.path) : undefined;
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
  if (asked.some(path => mayBeFolder(join(root, path)))) {
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

function walkIn({ root, closedGit }: Surroundings, { git, signal }: DiscoverOptions): Walk {
  const walk = new Walk(root, signal);
  if (git !== undefined && closedGit !== undefined) walk.leaveOut(closedGit, 'git_unreadable');
  return walk;
}

/** PATH_MAX allows 2,048 nested folders; real trees have a few dozen. */
const deepest = 200;
const sliceMs = 8;

/** One look at what lies below a root. */
class Walk {
  readonly files: FoundFile[] = [];
  readonly unlisted: UnlistedPath[] = [];
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #seen = new Set<string>();
  readonly #leftOut = new Set<string>();
  /** Folders by whether they can be reached. */
  readonly #reached = new Map<string, boolean>([['', true]]);

  constructor(root: string, signal: AbortSignal | undefined) {
    this.#root = root;
    this.#signal = signal;
  }

  add(path: string): void {
    const file = this.#seen.has(path) ? undefined : this.#allowed(path, () => fileAt(this.#root, path));
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
    const isThere = (): boolean => isDirectory(join(this.#root, directory));
    const answer = known ?? (this.reaches(directoryOf(directory)) && this.#allowed(directory, isThere) === true);
    this.#reached.set(directory, answer);
    return answer;
  }

  #enter(scope: IgnoreScope, folders: IgnoreScope[]): void {
    const leaveOut = (path: string, reason: UnlistedPath['reason']): void => this.leaveOut(path, reason);
    const { directory } = scope;
    const entries = this.#allowed(directory, () => entriesOf(this.#root, directory, leaveOut)) ?? [];
    for (const entry of entries) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
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

  /** What a look at a path gives; undefined where somebody's rights keep us from it, and then the folder that does so is left out. */
  #allowed<Seen>(path: string, look: () => Seen): Seen | undefined {
    try {
      return look();
    } catch (error) {
      if (!isClosed(error)) throw error;
      const folder = closedFolder(join(this.#root, directoryOf(path))) ?? join(this.#root, path);
      if (folder.length <= this.#root.length) throw error; // what is in the root is not gone
      this.leaveOut(folder.slice(this.#root.length + 1), 'unreadable');
      return undefined;
    }
  }

  leaveOut(path: string, reason: UnlistedPath['reason']): void {
    if (this.#leftOut.has(path) || this.#leftOut.size >= mostUnlisted) return;
    this.#leftOut.add(path);
    this.unlisted.push({ path, reason });
  }
}

function mayBeFolder(absolute: string): boolean {
  try {
    return isDirectory(absolute);
  } catch {
    return true;
  }
}

function sorted(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
