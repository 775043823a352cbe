import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeSet } from '../../watch/change-set.ts';
import { dialectOf } from '../extract/dialect.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import { type ContentHash, type Dialect, isFinal, type SkipReason } from '../model/document.ts';
import { emptyTables } from '../model/facts.ts';
import { FactsView } from '../model/facts-codec.ts';
import { fileStatOf, sameFileStat, unproven } from '../model/file-stat.ts';
import { hasFacts, type ManifestLine, type TreeManifest } from '../model/manifest.ts';
import { mount } from '../model/mount.ts';
import type { RepoPath } from '../model/paths.ts';
import type { FactKey, FactRow } from '../store/publication.ts';
import type { Extracted, HashedFile } from './extract-service.ts';
import { factKeyOf, factKeyText } from './fact-key.ts';
import { inParallel } from './in-parallel.ts';
import type { FoundFile } from './tree-entries.ts';

/** What gathering needs of the world. */
export interface Sources {
  /** Every file of the tree. */
  listFiles(): Promise<readonly FoundFile[]>;
  /** What stands at some paths. */
  lookAt(paths: ReadonlySet<string>): Promise<readonly FoundFile[]>;
  hash(paths: readonly RepoPath[]): Promise<readonly HashedFile[]>;
  /** In the same order. */
  extract(files: readonly FileToRead[]): Promise<readonly Extracted[]>;
  missingFacts(keys: Iterable<FactKey>): readonly FactKey[];
  putFacts(rows: Iterable<FactRow>): void;
  facts(key: FactKey): Uint8Array | undefined;
  /** Past these `hash` says that a file is not to be parsed. */
  readonly sourceLimits: SourceLimits;
  /** Of the extractor that a dialect has. */
  versionOf(dialect: Dialect): number;
  /** Reads and parses at once at most. */
  readonly parallel: number;
}

/** A file whose facts, under that key, are wanted. */
export interface FileToRead {
  readonly path: RepoPath;
  readonly key: FactKey;
}

export interface GatherRequest {
  readonly tree: TreeManifest;
  readonly changes: ChangeSet;
  readonly force: boolean;
  /** Mounting may have changed, and what is read: neither what is known of a document's scope nor stat data count. */
  readonly remount: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: 'discover' | 'hash' | 'extract', fraction: number) => void;
}

export interface Gathered {
  /** What the tree now has at each path that was looked at; undefined where nothing is. */
  readonly found: ReadonlyMap<RepoPath, ManifestLine | undefined>;
  readonly filesParsed: number;
  /** Paths that kept changing under our eyes: their lines are what they were, and somebody must come back. */
  readonly unsettled: readonly RepoPath[];
  /** Paths of files without facts whose next reading may end otherwise. */
  readonly toRetry: readonly RepoPath[];
}

const hashBatch = 32;
const rounds = 4;

/** Looks at what may have changed, reads what did, and sees to it that the facts of all of it are stored. */
export async function gatherChanges(request: GatherRequest, sources: Sources): Promise<Gathered> {
  const { tree, onProgress, signal } = request;
  onProgress('discover', 0);
  const { gone, suspects } = await candidates(request, sources);
  const found = new Map<RepoPath, ManifestLine | undefined>(gone.map(path => [path, undefined]));
  const reparsed = request.force ? new Set<string>() : undefined;
  let filesParsed = 0;
  let pending: readonly RepoPath[] = suspects;
  for (let round = 0; pending.length > 0 && round < rounds; round++) {
    if (round > 0) await pause(10 << round, undefined, { signal });
    const { files, again } = await hashAll(pending, request, sources);
    const facts = await provideFacts(files, reparsed, request, sources);
    filesParsed += facts.parsed;
    for (const path of facts.differing) files.delete(path); // there are no facts of what was hashed
    for (const file of files.values()) found.set(file.path, lineOf(file, facts.skipped, request, sources));
    pending = [...again, ...facts.differing];
  }
  for (const path of pending) found.delete(path);
  if (request.remount) remount(found, tree, sources);
  return { found, filesParsed, unsettled: pending, toRetry: toRetry(found) };
}

function toRetry(found: ReadonlyMap<RepoPath, ManifestLine | undefined>): readonly RepoPath[] {
  return [...found.values()].flatMap(line =>
    line !== undefined && !isFinal(line.entry.skip) ? [line.entry.path] : [],
  );
}

interface Candidates {
  readonly gone: readonly RepoPath[];
  readonly suspects: readonly RepoPath[];
}

async function candidates(request: GatherRequest, sources: Sources): Promise<Candidates> {
  const { tree, changes, remount } = request;
  if (changes.kind === 'recrawl') {
    const files = await sources.listFiles();
    const present = new Set(files.map(file => file.path));
    const missing = new Set(sources.missingFacts(keysOf(tree)).map(factKeyText));
    return {
      gone: [...tree.lines()].map(line => line.entry.path).filter(path => !present.has(path)),
      suspects: files
        .filter(file => remount || isSuspect(file, tree.get(file.path), sources, missing))
        .map(file => file.path),
    };
  }
  const named = await sources.lookAt(changes.paths);
  const present = new Set(named.map(file => file.path));
  const gone = new Set<RepoPath>();
  for (const path of changes.paths) {
    for (const below of tree.under(path)) if (!present.has(below)) gone.add(below);
  }
  const twins = otherNames(named, gone, changes, tree);
  const files = twins.size === 0 ? named : [...named, ...(await sources.lookAt(twins))];
  return {
    gone: [...gone],
    // A path that was named is read whatever its stat data say; below a named folder, and of other names, they decide.
    suspects: files
      .filter(file => changes.paths.has(file.path) || isSuspect(file, tree.get(file.path), sources))
      .map(file => file.path),
  };
}

/**
 * Paths of files that may be among those found or gone, under another name: a write tells of the name alone that it went
 * through, and that name may be gone by now, or another file's. One that came and went unseen may have been any file's,
 * and so may one that was written to before it went: something else may have stood there by then.
 */
function otherNames(
  found: readonly FoundFile[],
  gone: ReadonlySet<RepoPath>,
  { paths, written }: Extract<ChangeSet, { kind: 'paths' }>,
  tree: TreeManifest,
): ReadonlySet<RepoPath> {
  const present = new Set<string>(found.map(file => file.path));
  const inodes = new Set(found.filter(file => file.nlink > 1n).map(file => fileStatOf(file).inode));
  for (const file of found) {
    const before = tree.get(file.path)?.stat?.inode;
    if (before !== undefined && before !== fileStatOf(file).inode) inodes.add(before);
  }
  for (const path of gone) inodes.add((written?.has(path) ? undefined : tree.get(path)?.stat?.inode) ?? anyInode);
  for (const path of paths) {
    if (!present.has(path) && dialectOf(path) !== '' && tree.under(path).next().done === true) inodes.add(anyInode);
  }
  const twins = new Set<RepoPath>();
  if (inodes.size === 0) return twins;
  const isAny = inodes.has(anyInode);
  for (const { entry, stat } of tree.lines()) {
    const mayBe = isAny || stat === undefined || inodes.has(stat.inode);
    if (mayBe && !present.has(entry.path) && !gone.has(entry.path)) twins.add(entry.path);
  }
  return twins;
}

const anyInode = -1;

function* keysOf(tree: TreeManifest): Iterable<FactKey> {
  for (const line of tree.lines()) {
    const key = factKeyOf(line);
    if (key !== undefined) yield key;
  }
}

/** Whether a file must be read: its stat data differ or prove nothing, an extractor has changed, or its facts are lost. */
function isSuspect(
  file: FoundFile,
  line: ManifestLine | undefined,
  { versionOf }: Pick<Sources, 'versionOf'>,
  missing: ReadonlySet<string> = none,
): boolean {
  if (line?.stat === undefined || !sameFileStat(line.stat, fileStatOf(file))) return true;
  const dialect = dialectOf(file.path);
  if (dialect !== '' && dialect !== line.entry.dialect) return true;
  if (line.entry.dialect !== '' && line.version !== versionOf(line.entry.dialect)) return true;
  const key = missing.size > 0 ? factKeyOf(line) : undefined;
  return key !== undefined && missing.has(factKeyText(key));
}

const none: ReadonlySet<string> = new Set();

type Settled = Exclude<HashedFile, { kind: 'changing' }>;
type FileThere = Extract<HashedFile, { kind: 'file' }>;

async function hashAll(
  paths: readonly RepoPath[],
  { signal, onProgress }: GatherRequest,
  sources: Sources,
): Promise<{ files: Map<RepoPath, Settled>; again: RepoPath[] }> {
  const files = new Map<RepoPath, Settled>();
  const again: RepoPath[] = [];
  const batches: (readonly RepoPath[])[] = [];
  for (let start = 0; start < paths.length; start += hashBatch) batches.push(paths.slice(start, start + hashBatch));
  let done = 0;
  await inParallel(batches, sources.parallel, signal, async batch => {
    for (const file of await sources.hash(batch)) {
      if (file.kind === 'changing') again.push(file.path);
      else files.set(file.path, file);
    }
    onProgress('hash', ++done / batches.length);
  });
  return { files, again };
}

interface Provided {
  readonly parsed: number;
  /** Keys that have no facts, and why. */
  readonly skipped: ReadonlyMap<string, SkipReason>;
  readonly differing: readonly RepoPath[];
}

/** Sees to it that facts of every file are stored, parsing each distinct content once. With `reparsed`, stored facts don't count until they are in it. */
async function provideFacts(
  files: ReadonlyMap<RepoPath, Settled>,
  reparsed: Set<string> | undefined,
  { tree, signal, onProgress }: GatherRequest,
  sources: Sources,
): Promise<Provided> {
  const wanted = eachContentOnce(files, sources);
  const keys = [...wanted.values()].map(one => one.key);
  const skipped = new Map<string, SkipReason>();
  const isHopeless = ({ path, key }: FileToRead): boolean => {
    const reason = outcomeOf(tree.get(path), key);
    if (reason !== undefined) skipped.set(factKeyText(key), reason);
    return reason !== undefined;
  };
  const unknown = reparsed ? keys.filter(key => !reparsed.has(factKeyText(key))) : sources.missingFacts(keys);
  const unread = unknown.map(key => wanted.get(factKeyText(key))!);
  const missing = reparsed ? unread : unread.filter(file => !isHopeless(file));
  const differing: RepoPath[] = [];
  const batch = createFactBatch(sources);
  let done = 0;
  const take = ({ path, key }: FileToRead, result: Extracted): void => {
    if (result.kind === 'facts') batch.add({ ...key, facts: result.facts, text: result.text });
    else if (result.kind === 'differs') differing.push(path);
    // Facts of these very bytes are as good as ever, whatever befell the parser this time.
    else if (sources.missingFacts([key]).length > 0) skipped.set(factKeyText(key), result.reason);
    reparsed?.add(factKeyText(key));
    onProgress('extract', ++done / missing.length);
  };
  await inParallel(inPortions(missing), sources.parallel, signal, async portion => {
    const results = await sources.extract(portion);
    portion.forEach((file, index) => {
      take(file, results[index]!);
    });
  });
  batch.flush();
  const lost = new Set(differing.map(path => factKeyText(keyOf(files.get(path) as FileThere, sources)!)));
  const stranded = [...files.values()].filter(file => file.kind === 'file' && lost.has(keyTextOf(file, sources)));
  return { parsed: done, skipped, differing: stranded.map(file => file.path) };
}

interface SizedFile extends FileToRead {
  readonly bytes: number;
}

/** One file, by `factKeyText`, of those that the same facts are for. */
function eachContentOnce(files: ReadonlyMap<RepoPath, Settled>, sources: Sources): ReadonlyMap<string, SizedFile> {
  const wanted = new Map<string, SizedFile>();
  for (const file of files.values()) {
    const key = file.kind === 'file' ? keyOf(file, sources) : undefined;
    if (file.kind !== 'file' || key === undefined || wanted.has(factKeyText(key))) continue;
    wanted.set(factKeyText(key), { key, path: file.path, bytes: file.stat?.size ?? portionBytes });
  }
  return wanted;
}

/** Why these very bytes could not be read before, where they can't be now either. */
function outcomeOf(line: ManifestLine | undefined, { hash, dialect, version }: FactKey): SkipReason | undefined {
  if (line === undefined || line.version !== version) return undefined;
  const { entry } = line;
  const isSettled = entry.skip !== '' && entry.skip !== 'quarantined' && isFinal(entry.skip);
  return isSettled && entry.hash === hash && entry.dialect === dialect ? (entry.skip as SkipReason) : undefined;
}

/** Of small files a message takes longer than their parsing: they go to a worker together. */
const portionFiles = 16;
const portionBytes = 32 * 1024;

function inPortions(files: readonly SizedFile[]): readonly (readonly SizedFile[])[] {
  const portions: SizedFile[][] = [];
  let room = 0;
  for (const file of files) {
    const last = portions.at(-1);
    if (last === undefined || last.length === portionFiles || file.bytes > room) {
      portions.push([file]);
      room = portionBytes - file.bytes;
    } else {
      last.push(file);
      room -= file.bytes;
    }
  }
  return portions;
}

/** Rows wait until they are worth a transaction. */
function createFactBatch(sources: Sources): { add(row: FactRow): void; flush(): void } {
  let rows: FactRow[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (rows.length > 0) sources.putFacts(rows);
    rows = [];
    bytes = 0;
  };
  return {
    add(row) {
      rows.push(row);
      bytes += row.facts.byteLength + row.text.byteLength;
      if (rows.length >= 128 || bytes > 4 * 1024 * 1024) flush();
    },
    flush,
  };
}

function lineOf(
  file: Settled,
  skipped: ReadonlyMap<string, SkipReason>,
  { tree, remount }: GatherRequest,
  sources: Sources,
): ManifestLine | undefined {
  if (file.kind === 'gone') return undefined;
  const { path, hash, dialect } = file;
  const skip = file.skip === '' ? (skipped.get(keyTextOf(file, sources)) ?? '') : file.skip;
  const version = dialect === '' ? 0 : sources.versionOf(dialect);
  const stat = (file.racy || !isFinal(skip)) && file.stat !== undefined ? unproven(file.stat) : file.stat;
  const line: ManifestLine = { entry: { path, hash, dialect, skip }, version, scope: '', stat };
  if (!hasFacts(line)) return line;
  const known = tree.get(path);
  const isKnown =
    !remount &&
    known !== undefined &&
    known.scope !== '' &&
    known.entry.hash === hash &&
    known.entry.dialect === dialect &&
    known.version === version;
  return { ...line, scope: isKnown ? known.scope : scopeOf(line, sources) };
}

/** Gives the documents that nobody looked at the scopes that their facts give them now. */
function remount(found: Map<RepoPath, ManifestLine | undefined>, tree: TreeManifest, sources: Sources): void {
  for (const line of tree.lines()) {
    const { path } = line.entry;
    if (hasFacts(line) && !found.has(path)) found.set(path, { ...line, scope: scopeOf(line, sources) });
  }
}

/** The scope that the document's facts give it at its place. Only language and package clause are read. */
function scopeOf(line: ManifestLine, sources: Sources): ManifestLine['scope'] {
  const blob = sources.facts(factKeyOf(line)!);
  if (blob === undefined) throw new Error('facts that were just stored are not there');
  const { language, packageName, standalone } = new FactsView(blob);
  const header = { language, packageName, standalone, lineCount: 0, configuration: '', parseErrors: 0 };
  return mount(line.entry.path, { ...header, ...emptyTables }).scope;
}

function keyOf(file: FileThere, { versionOf }: Pick<Sources, 'versionOf'>): FactKey | undefined {
  if (file.skip !== '' || file.dialect === '' || file.hash === '') return undefined;
  const dialect: Dialect = file.dialect;
  const hash: ContentHash = file.hash;
  return { hash, dialect, version: versionOf(dialect) };
}

function keyTextOf(file: FileThere, sources: Pick<Sources, 'versionOf'>): string {
  const key = keyOf(file, sources);
  return key === undefined ? '' : factKeyText(key);
}
