import type { ManifestDelta } from './delta.ts';
import type { ManifestEntry, ScopeKey } from './document.ts';
import { isCode } from './families.ts';
import type { FileStat } from './file-stat.ts';
import { packageOfScope } from './mount.ts';
import { baseName, directoryOf, type RepoPath } from './paths.ts';
import { SnapshotHash, type SnapshotId, type SnapshotMaking } from './snapshot.ts';

/** One line of a manifest with what is known beside: nothing of it needs the file or its facts to be opened. */
export interface ManifestLine {
  readonly entry: ManifestEntry;
  /** Of the extractor that the dialect had, 0 without one. */
  readonly version: number;
  /** Scope of the mounted document, '' where the entry has no facts. */
  readonly scope: ScopeKey | '';
  /** Undefined where it proves nothing: the file must be read again at the next look. */
  readonly stat: FileStat | undefined;
}

/** Whether the entry's document takes part in linking. */
export function hasFacts({ entry }: ManifestLine): boolean {
  return entry.dialect !== '' && entry.hash !== '' && entry.skip === '';
}

/** The files of a snapshot, indexed for the linker, moved on by deltas. */
export class TreeManifest {
  readonly #lines = new Map<RepoPath, ManifestLine>();
  readonly #directories = new Grouping();
  readonly #names = new Grouping();
  readonly #scopes = new Grouping();
  readonly #hash = new SnapshotHash();
  #structure = 0;

  constructor(lines: Iterable<ManifestLine>) {
    for (const line of lines) this.#put(line.entry.path, line);
  }

  get size(): number {
    return this.#lines.size;
  }

  get(path: string): ManifestLine | undefined {
    return this.#lines.get(path as RepoPath);
  }

  lines(): IterableIterator<ManifestLine> {
    return this.#lines.values();
  }

  /** Another number whenever a file came or went, took on another scope, or is configuration and says something else. */
  get structure(): number {
    return this.#structure;
  }

  /** Files directly in a directory (`''` is the root), sorted. */
  filesIn(directory: string): readonly RepoPath[] {
    return this.#directories.members(directory);
  }

  /** Files of that name, whatever their directories, sorted. */
  filesNamed(name: string): readonly RepoPath[] {
    return this.#names.members(name);
  }

  /** Documents with facts whose definitions live in a scope, or in a package that has several, sorted. */
  documentsOf(scope: string): readonly RepoPath[] {
    return this.#scopes.members(scope);
  }

  /** The path itself and every path below it. */
  *under(path: string): IterableIterator<RepoPath> {
    if (this.#lines.has(path as RepoPath)) yield path as RepoPath;
    const prefix = path === '' ? '' : `${path}/`;
    for (const directory of this.#directories.names()) {
      if (directory === path || directory.startsWith(prefix)) yield* this.#directories.members(directory);
    }
  }

  apply(delta: ManifestDelta): void {
    for (const { path, before, after } of delta.values()) {
      if (!isSameButForCode(before, after)) this.#structure++;
      if (before !== undefined) this.#remove(path, before);
      if (after !== undefined) this.#put(path, after);
    }
  }

  /** New stat data for a line whose content stands. */
  touch(path: RepoPath, stat: FileStat | undefined): void {
    const line = this.#lines.get(path);
    if (line !== undefined) this.#lines.set(path, { ...line, stat });
  }

  /** A stored id that differs from this one of the same tree was made by another linker, or with other limits. */
  snapshotId(making: SnapshotMaking): SnapshotId {
    return this.#hash.id(making);
  }

  #put(path: RepoPath, line: ManifestLine): void {
    this.#lines.set(path, line);
    this.#directories.add(directoryOf(path), path);
    this.#names.add(baseName(path), path);
    for (const scope of scopesOf(line)) this.#scopes.add(scope, path);
    this.#hash.set(line);
  }

  #remove(path: RepoPath, line: ManifestLine): void {
    this.#lines.delete(path);
    this.#directories.remove(directoryOf(path), path);
    this.#names.remove(baseName(path), path);
    for (const scope of scopesOf(line)) this.#scopes.remove(scope, path);
    this.#hash.delete(path);
  }
}

function isSameButForCode(before: ManifestLine | undefined, after: ManifestLine | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const isSame = before.entry.dialect === after.entry.dialect && before.scope === after.scope;
  return isSame && hasFacts(before) === hasFacts(after) && isCode(after.entry.dialect);
}

/** The scope that a line's document has, and the package that it is found by. */
function scopesOf({ scope }: ManifestLine): readonly string[] {
  return [scope, packageOfScope(scope)].filter(one => one !== '');
}

/** Paths by group, each group sorted when it is first asked for after a change. */
class Grouping {
  /** Most groups have one path: a set for each would take as much as all else. */
  readonly #groups = new Map<string, RepoPath | Set<RepoPath>>();
  readonly #sorted = new Map<string, readonly RepoPath[]>();

  add(name: string, path: RepoPath): void {
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, path);
    else if (typeof group !== 'string') group.add(path);
    else if (group !== path) this.#groups.set(name, new Set([group, path]));
    this.#sorted.delete(name);
  }

  remove(name: string, path: RepoPath): void {
    const group = this.#groups.get(name);
    if (typeof group === 'object') group.delete(path);
    if (group === path || (typeof group === 'object' && group.size === 0)) this.#groups.delete(name);
    this.#sorted.delete(name);
  }

  names(): Iterable<string> {
    return this.#groups.keys();
  }

  members(name: string): readonly RepoPath[] {
    const group = this.#groups.get(name);
    if (group === undefined) return [];
    if (typeof group === 'string') return [group];
    const known = this.#sorted.get(name);
    if (known !== undefined) return known;
    const sorted = [...group].sort();
    this.#sorted.set(name, sorted);
    return sorted;
  }
}
