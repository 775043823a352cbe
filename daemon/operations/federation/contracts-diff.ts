import { Fault } from '../../../client/protocol/faults.ts';
import type { Git } from '../../backends/git.ts';
import { findRepository, type GitRepository, prefixIn } from '../../backends/git-repository.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { mostReferenced } from '../../model/contract.ts';
import { repoPath } from '../../model/paths.ts';
import { federationNamed, memberNamed } from '../federation.ts';
import type { Federations } from '../federations.ts';
import { encodedAnswer, type Handlers } from '../handler.ts';
import { commitNamed } from '../readers/revisions.ts';

export interface ContractsDiff {
  readonly federations: Pick<Federations, 'get' | 'list' | 'marks' | 'rootOf' | 'diff' | 'referencedFiles'>;
  readonly git: Git;
}

/** One side of a comparison: files by path, as they are committed. */
export interface CommittedSide {
  readonly revision: string;
  /** Full hash. */
  readonly commit: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const limits = { eachBytes: 4 * 2 ** 20, allBytes: 64 * 2 ** 20 } as const;
const mostFiles = 10_000;

/** Revisions are read here, by git; what differs the federation's worker tells, who consumes it known. */
export function contractsDiff({ federations, git }: ContractsDiff): Handlers['contracts.diff'] {
  return async (input, { now, signal }) => {
    const { name, repoId, path } = input;
    const federation = federationNamed(federations, name);
    if (repoPath(path) === undefined) throw new Fault('fileNotFound', 'A contract’s path leads down from the root');
    const member = memberNamed(federation, repoId);
    const root = federations.rootOf(member);
    const referencedFiles: Place['referencedFiles'] = files => federations.referencedFiles(files, signal);
    const place = { git, referencedFiles, ...repositoryAt(root) };
    const before = await sideOf(input.base, path, place);
    const after = input.head === undefined ? undefined : await sideOf(input.head, path, place);
    const call = { input, federation, marks: federations.marks(federation), now: now.getTime(), root, before, after };
    return encodedAnswer(await federations.diff(call, signal));
  };
}

interface Place {
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
  /** The root's path from the top of its work tree, '' or ending in `/`. */
  readonly prefix: string;
  /** The paths that OpenAPI documents refer to: to read them may take long, and is done elsewhere. */
  readonly referencedFiles: (files: ReadonlyMap<string, Uint8Array>) => Promise<readonly string[]>;
}

function repositoryAt(root: string): Pick<Place, 'repository' | 'prefix'> {
  const found = findRepository(root);
  if (found.found === 'repository' && found.repository.workTree !== undefined) {
    const { workTree } = found.repository;
    return { repository: { ...found.repository, workTree }, prefix: prefixIn(workTree, root) };
  }
  throw new Fault('preconditionFailed', 'It is no git repository, so that it has no revisions to compare', {
    details: { reason: 'no_git' },
  });
}

/**
 * The contract, and of protobuf all files that it may import, of OpenAPI those that it refers to, directly or through others.
 * Throws `resourceNotFound` for a revision that is not here.
 */
async function sideOf(revision: string, path: string, place: Place): Promise<CommittedSide> {
  const { git, repository, prefix, referencedFiles } = place;
  const commit = await commitNamed(revision, place);
  const tree = await toldByGit(git.treeOf(repository, commit));
  const hashes = new Map<string, string>();
  for (const [at, { hash, mode }] of tree)
    if (at.startsWith(prefix) && mode.startsWith('100')) hashes.set(at.slice(prefix.length), hash);
  const read = async (paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
    const wanted = [...new Set(paths.flatMap(one => hashes.get(one) ?? []))];
    const blobs = await toldByGit(git.blobs(repository, wanted, limits));
    const files = new Map<string, Uint8Array>();
    for (const own of paths) {
      const blob = blobs.get(hashes.get(own) ?? '');
      if (blob?.kind === 'bytes') files.set(own, new Uint8Array(blob.bytes));
    }
    return files;
  };
  if (path.endsWith('.proto')) {
    const protos = [...hashes.keys()].filter(own => own.endsWith('.proto')).slice(0, mostFiles);
    return { revision, commit, files: await read(protos) };
  }
  const files = new Map<string, Uint8Array>();
  for (let next: readonly string[] = [path]; next.length > 0; ) {
    const found = await read(next.slice(0, mostReferenced - files.size));
    for (const [own, bytes] of found) files.set(own, bytes);
    const named = await referencedFiles(found);
    next = [...new Set(named)].filter(own => hashes.has(own) && !files.has(own));
    if (files.size >= mostReferenced || found.size === 0) break;
  }
  return { revision, commit, files };
}
