import { createHash } from 'node:crypto';
import type { DeltaArtifact } from '../../client/protocol/delta.ts';
import type { TreeFile } from '../backends/git-head.ts';
import { dialectOf, firstLineOf } from '../extract/dialect.ts';
import { readRepositoryFile } from '../extract/read-file.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { once } from '../model/once.ts';
import type { RepoPath } from '../model/paths.ts';
import type { DeltaSite } from './check-delta.ts';
import { type CommitTrees, type CommittedFile, isLink } from './commit-tree.ts';
import { type DeltaProblem, isPathInside } from './read-artifact.ts';

/** The files that an artifact names, as disk or git have them. */
export interface NamedFiles {
  /** Undefined for those that it says are deleted. */
  readonly lines: ReadonlyMap<RepoPath, ManifestLine | undefined>;
  /** Under which name git has or would have each content, where the artifact names a commit. */
  readonly blobs: ReadonlyMap<RepoPath, string>;
  /** Those that neither has so. */
  readonly problems: readonly DeltaProblem[];
}

export async function namedFiles({ deltas, commit }: DeltaArtifact, site: DeltaSite): Promise<NamedFiles> {
  const { files } = deltas;
  const lines = new Map<RepoPath, ManifestLine | undefined>();
  const blobs = new Map<RepoPath, string>();
  const problems: DeltaProblem[] = [];
  const commits = once(() => commitsToAsk(commit, site));
  const differs = (path: string, message: string) => problems.push({ reason: 'tree_differs', path, message });
  for (const { path, hash } of [...files.added, ...files.modified]) {
    site.signal.throwIfAborted();
    if (!isPathInside(path)) continue;
    const file = await fileWith(hash, path, commits, site);
    if (file === undefined) {
      differs(path, 'has other content in the work tree, and git has no such file: fetch the commit, or check it out');
      continue;
    }
    lines.set(path, await site.desk.lineOf(file.line, file.bytes));
    if (commit !== undefined && file.bytes !== undefined) blobs.set(path, blobName(file.bytes, commit));
  }
  for (const path of files.deleted) {
    // A path that is named twice is refused as such.
    if (!isPathInside(path) || lines.has(path)) continue;
    const isGone = onDisk(path, site) === undefined || (await isGoneIn(commits, path, site));
    if (isGone) lines.set(path, undefined);
    else differs(path, 'is still there, in the work tree and in git: fetch the commit, or check it out');
  }
  return { lines, blobs, problems };
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
    strays.push(...deleted.filter(path => after.has(path)));
    for (const [path, hash] of there) {
      const isThere =
        (await isContent(path, hash, after.get(path), blobs.get(path), commits)) ||
        (after.has(path) && (await isCheckedOut(path, hash, commit!, commits, tree)));
      if (!isThere) strays.push(path);
    }
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
  return commit === undefined || !isFullHash(commit) || paths.length === 0 ? undefined : commits.filesAt(commit, paths);
}

/** `blob`: git's name for the content that was found elsewhere. What git has lost can't be held against anybody. */
async function isContent(
  path: RepoPath,
  hash: string,
  file: TreeFile | undefined,
  blob: string | undefined,
  commits: CommitTrees,
): Promise<boolean> {
  if (file === undefined) return false;
  if (isLink(file)) return hash === '';
  if (file.hash === blob) return true;
  const committed = await commits.blob(path, file.hash);
  return committed === undefined || committed.line.entry.hash === hash;
}

/** What git makes of a blob in a work tree (line ends, filters) is known of files that it calls clean there. */
async function isCheckedOut(
  path: RepoPath,
  hash: string,
  commit: string,
  commits: CommitTrees,
  tree: DeltaSite['tree'],
): Promise<boolean> {
  const toCommit = await commits.difference(commit).catch(() => undefined);
  if (toCommit === undefined) return true;
  const line = toCommit.has(path) ? toCommit.get(path)!.after : tree.get(path);
  return line?.entry.hash === hash;
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

export function isFullHash(commit: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(commit);
}

async function commitsToAsk(commit: string | undefined, { commits }: DeltaSite): Promise<readonly string[]> {
  const named = commit === undefined || !isFullHash(commit) ? undefined : await commits?.commitOf(commit);
  const head = await commits?.head();
  return [...new Set([named, head].filter(one => one !== undefined))];
}

type CommitsToAsk = () => Promise<readonly string[]>;

async function isGoneIn(asked: CommitsToAsk, path: RepoPath, { commits }: DeltaSite): Promise<boolean> {
  for (const commit of await asked()) if ((await commits!.file(commit, path)) === undefined) return true;
  return false;
}

async function fileWith(
  hash: string,
  path: RepoPath,
  asked: CommitsToAsk,
  site: DeltaSite,
): Promise<CommittedFile | undefined> {
  const file = onDisk(path, site);
  if (file?.line.entry.hash === hash) return file;
  for (const commit of await asked()) {
    const committed = await site.commits!.file(commit, path);
    if (committed?.line.entry.hash === hash) return committed;
  }
  return undefined;
}

/** A file of the work tree as a manifest has it; undefined where there is none. */
export function onDisk(path: RepoPath, { root, limits, versionOf }: DeltaSite): CommittedFile | undefined {
  const read = readRepositoryFile(root, path, undefined, limits);
  if (read.kind === 'gone' || read.kind === 'changing') return undefined;
  const dialect = dialectOf(path, read.kind === 'text' ? firstLineOf(read.bytes) : '');
  const skip = read.kind === 'skipped' ? read.reason : dialect === '' ? 'unsupported' : '';
  const version = dialect === '' ? 0 : versionOf(dialect);
  const line: ManifestLine = { entry: { path, hash: read.hash, dialect, skip }, version, scope: '', stat: undefined };
  return { line, bytes: read.bytes };
}
