import { createHash } from 'node:crypto';
import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import { dialectOf, dialectOfFile } from '../../extract/dialect.ts';
import { contentHash, readRepositoryFile } from '../../extract/read-file.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { once } from '../../model/once.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { CommitTrees, CommittedFile } from '../commit-tree.ts';
import type { DeltaSite } from './check-delta.ts';
import { type DeltaProblem, isPathInside, mostProblems } from './read-artifact.ts';

/** The files that an artifact names, as disk or git have them. */
export interface NamedFiles {
  /** Undefined for those that it says are deleted. */
  readonly lines: ReadonlyMap<RepoPath, ManifestLine | undefined>;
  /** Under which name git has or would have each content, where the artifact names a commit. */
  readonly blobs: ReadonlyMap<RepoPath, string>;
  /** The commits in which some of them were found, the disk having them otherwise. */
  readonly sources: readonly string[];
  /** Those that neither has so. */
  readonly problems: readonly DeltaProblem[];
}

export async function namedFiles({ deltas, commit }: DeltaArtifact, site: DeltaSite): Promise<NamedFiles> {
  const { files } = deltas;
  const lines = new Map<RepoPath, ManifestLine | undefined>();
  const blobs = new Map<RepoPath, string>();
  const problems: DeltaProblem[] = [];
  const sources = new Set<string>();
  const commits = once(() => commitsToAsk(commit, site));
  const differs = (path: string, message: string) => problems.push({ reason: 'tree_differs', path, message });
  for (const some of inChunks([...files.added, ...files.modified].filter(isInside))) {
    site.signal.throwIfAborted();
    if (problems.length >= mostProblems) break;
    const found = await filesWith(some, commits, site);
    for (const { path } of some) {
      const file = found.get(path)!;
      if (typeof file === 'string') {
        differs(path, file);
        continue;
      }
      if (file.commit !== undefined) sources.add(file.commit);
      lines.set(path, await site.desk.lineOf(file.line, file.bytes));
      if (commit !== undefined && file.bytes !== undefined) blobs.set(path, blobName(file.bytes, commit));
    }
  }
  for (const path of files.deleted) {
    if (problems.length >= mostProblems) break;
    // A path that is named twice is refused as such.
    if (!isPathInside(path) || lines.has(path)) continue;
    const goneIn = onDisk(path, site) === undefined ? 'disk' : await goneInCommit(commits, path, site);
    if (goneIn === undefined) differs(path, `is still there, in the work tree and ${nowhereIn(await commits())}`);
    else lines.set(path, undefined);
    if (goneIn !== undefined && goneIn !== 'disk') sources.add(goneIn);
  }
  return { lines, blobs, sources: [...sources], problems };
}

/** So many files are in memory together. */
const filesAtOnce = 64;

function inChunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / filesAtOnce) }, (_, at) => at * filesAtOnce);
  return starts.map(start => items.slice(start, start + filesAtOnce));
}

/**
 * What speaks against the commits that an artifact names, where the repository has them: `commit` must have the files as
 * the artifact has them, `base_commit` those that it modifies and deletes, and none of those that it adds.
 */
export async function commitProblems(
  { deltas: { files }, commit, base_commit: base }: DeltaArtifact,
  { blobs }: NamedFiles,
  { commits, tree }: DeltaSite,
): Promise<readonly DeltaProblem[]> {
  if (commits === undefined) return [];
  const there = new Map([...files.added, ...files.modified].filter(isInside).map(({ path, hash }) => [path, hash]));
  const added = files.added.filter(isInside).map(({ path }) => path);
  const kept = [...files.modified.filter(isInside).map(({ path }) => path), ...files.deleted.filter(isPathInside)];
  const deleted = files.deleted.filter(isPathInside);
  const [after, before] = await Promise.all([
    filesOf(commit, [...there.keys(), ...deleted], commits),
    filesOf(base, [...added, ...kept], commits),
  ]);
  const strays: RepoPath[] = [];
  if (after !== undefined) {
    strays.push(...deleted.filter(path => after.has(path)), ...[...there.keys()].filter(path => !after.has(path)));
    const named = [...there].filter(([path]) => after.has(path) && after.get(path)!.hash !== blobs.get(path));
    for (const some of inChunks(named)) strays.push(...(await othersIn(commit!, some, { commits, tree })));
  }
  const others =
    before === undefined ? [] : [...added.filter(path => before.has(path)), ...kept.filter(path => !before.has(path))];
  return [
    ...otherCommit('commit', 'has not what the artifact leads to', strays),
    ...otherCommit('base_commit', 'has not what the artifact begins with', others),
  ];
}

function isInside<File extends { readonly path: string }>(file: File): file is File & { readonly path: RepoPath } {
  return isPathInside(file.path);
}

/** Undefined of a commit that can't be looked into here. */
async function filesOf(commit: string | undefined, paths: readonly RepoPath[], commits: CommitTrees) {
  return commit === undefined || paths.length === 0 ? undefined : commits.filesAt(commit, paths);
}

/**
 * Which files a commit has with other content than said: neither as git would check them out, nor as they lie in the tree
 * where git calls them clean. What git has lost, or would have a filter make, can't be held against anybody.
 */
async function othersIn(
  commit: string,
  said: readonly (readonly [path: RepoPath, hash: string])[],
  { commits, tree }: { readonly commits: CommitTrees; readonly tree: DeltaSite['tree'] },
): Promise<readonly RepoPath[]> {
  const paths = said.map(([path]) => path);
  const files = await commits.filesIn(commit, paths);
  const others = said.filter(([path, hash]) => files.has(path) && files.get(path)!.line.entry.hash !== hash);
  if (others.length === 0) return [];
  const unknown = await commits.unknownIn(commit);
  const toCommit = await commits.difference(commit).catch(() => undefined);
  const inTree = (path: RepoPath) => (toCommit?.has(path) ? toCommit.get(path)!.after : tree.get(path));
  const isStray = ([path, hash]: readonly [path: RepoPath, hash: string]) =>
    !unknown.has(path) && toCommit !== undefined && inTree(path)?.entry.hash !== hash;
  return others.filter(isStray).map(([path]) => path);
}

function otherCommit(field: string, what: string, paths: readonly RepoPath[]): readonly DeltaProblem[] {
  if (paths.length === 0) return [];
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  const message = `${what}, by ${paths.slice(0, 5).join(', ')}${more}: build the artifact anew from its commits`;
  return [{ reason: 'invalid', path: field, message }];
}

/** As git names content in a repository whose commits have names of that length. */
function blobName(bytes: Uint8Array, commit: string): string {
  const hash = createHash(commit.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Where files are looked for that the tree has not: in the commit that is named, or else in those at hand. */
interface CommitsToAsk {
  readonly named: string | undefined;
  /** Whether `named` is here. */
  readonly isHere: boolean;
  readonly all: readonly string[];
}

async function commitsToAsk(named: string | undefined, { commits }: DeltaSite): Promise<CommitsToAsk> {
  const known = named === undefined ? undefined : await commits?.commitOf(named);
  const nearby = (await commits?.nearby()) ?? [];
  return { named, isHere: known !== undefined, all: [...new Set(known === undefined ? nearby : [known, ...nearby])] };
}

/** Where was looked besides, and what would bring what is missing. */
function nowhereIn({ named, isHere }: CommitsToAsk): string {
  if (isHere) return 'in the commit that the artifact names';
  return named === undefined
    ? 'in the commits at hand, and the artifact names none in which to look: fetch or check out what it leads to'
    : 'in the commits at hand, and git has not the one that the artifact names: fetch the commit, or check it out';
}

async function goneInCommit(
  asked: () => Promise<CommitsToAsk>,
  path: RepoPath,
  { commits }: DeltaSite,
): Promise<string | undefined> {
  for (const commit of (await asked()).all) {
    if ((await commits!.filesAt(commit, [path]))?.has(path) === false) return commit;
  }
  return undefined;
}

interface FoundFile extends CommittedFile {
  /** Undefined of one on disk. */
  readonly commit?: string | undefined;
}

/** Files with the content that is named, from the disk or a commit; or else why they can't be had. */
async function filesWith(
  named: readonly { readonly path: RepoPath; readonly hash: string }[],
  asked: () => Promise<CommitsToAsk>,
  site: DeltaSite,
): Promise<ReadonlyMap<RepoPath, FoundFile | string>> {
  const found = new Map<RepoPath, FoundFile | string>();
  let missing = named;
  const take = (from: (path: RepoPath) => CommittedFile | undefined, commit?: string) => {
    missing = missing.filter(({ path, hash }) => {
      const file = from(path);
      if (file?.line.entry.hash !== hash) return true;
      found.set(path, { ...file, commit });
      return false;
    });
  };
  take(path => onDisk(path, site));
  const near = new Map<RepoPath, CommittedFile>();
  for (const commit of missing.length === 0 ? [] : (await asked()).all) {
    const files = await site.commits!.filesIn(
      commit,
      missing.map(({ path }) => path),
    );
    for (const [path, file] of files) if (!near.has(path)) near.set(path, file);
    take(path => files.get(path), commit);
    if (missing.length === 0) break;
  }
  for (const { path, hash } of missing) found.set(path, whyNot(hash, near.get(path), await asked()));
  return found;
}

/** `near`: what the likeliest commit has at the path. */
function whyNot(hash: string, near: CommittedFile | undefined, asked: CommitsToAsk): string {
  const { named, isHere } = asked;
  if (near?.by !== undefined && (isHere || named === undefined)) {
    return `is converted by ${near.by} when it is checked out, which svc does not do: check the commit out`;
  }
  if (near?.bytes !== undefined && hasOtherLineEnds(near.bytes, hash)) {
    return 'has the content with other line ends here (core.autocrlf or core.eol differ from where the artifact was built): build it in a clone that has them alike, or say eol=lf or eol=crlf in .gitattributes';
  }
  return `has other content in the work tree and ${nowhereIn(asked)}`;
}

function hasOtherLineEnds(bytes: Uint8Array, hash: string): boolean {
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
  return [text, text.replaceAll('\n', '\r\n')].some(one => contentHash(Buffer.from(one, 'latin1')) === hash);
}

/** A file of the work tree as a manifest has it; undefined where there is none. */
export function onDisk(path: RepoPath, { root, limits, versionOf }: DeltaSite): CommittedFile | undefined {
  const read = readRepositoryFile(root, path, undefined, limits);
  if (read.kind === 'gone' || read.kind === 'changing') return undefined;
  const dialect = read.kind === 'text' ? dialectOfFile(path, read.bytes) : dialectOf(path);
  const skip = read.kind === 'skipped' ? read.reason : dialect === '' ? 'unsupported' : '';
  const version = dialect === '' ? 0 : versionOf(dialect);
  const line: ManifestLine = { entry: { path, hash: read.hash, dialect, skip }, version, scope: '', stat: undefined };
  return { line, bytes: read.bytes };
}
