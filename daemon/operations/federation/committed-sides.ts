import { Fault } from '../../../client/protocol/faults.ts';
import type { Git } from '../../backends/git.ts';
import type { CommittedFiles } from '../../backends/git-committed.ts';
import type { Blob } from '../../backends/git-objects.ts';
import { GitFailed } from '../../backends/git-process.ts';
import { findRepository, type GitRepository, prefixIn } from '../../backends/git-repository.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { withoutGit } from '../../jobs/git-trouble.ts';
import { mostContractBytes, mostReferenced } from '../../model/contract.ts';
import type { Federation, Member } from '../../model/federation.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { Federations } from '../federations.ts';
import { commitNamed } from '../readers/revisions.ts';

/** One side of a comparison: files by path, as they are committed. */
export interface CommittedSide {
  readonly revision: string;
  /** Full hash. */
  readonly commit: string;
  /** In memory that threads share: there may be thousands, which would take long to copy. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface SidesOptions {
  readonly federations: Pick<Federations, 'rootOf' | 'referencedFiles'>;
  readonly git: Git;
}

/** Where a member's contracts are committed. */
export interface CommittedPlace {
  /** git, of whatever members it is asked. */
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
  /** The root's path from the top of its work tree, '' or ending in `/`. */
  readonly prefix: string;
}

/** Contracts as commits have them. What was read last is remembered: a commit stays as it is. */
export interface CommittedSides {
  /** `root`: of the member's work tree. Throws `preconditionFailed` where it is in no repository. */
  placeOf(federation: Federation, member: Member, root: string): CommittedPlace;
  /**
   * The contract, and of protobuf all files that it may import, of OpenAPI those that it refers to, directly or through others.
   * Throws `resourceNotFound` for a revision that is not here.
   */
  at(place: CommittedPlace, revision: string, path: string, signal: AbortSignal): Promise<CommittedSide>;
}

const limits = { eachBytes: mostContractBytes, allBytes: 256 * 2 ** 20 } as const;
const mostFiles = 50_000;
/** So many sides are remembered, with so many bytes, and for so long after the last question. */
const mostRemembered = { sides: 256, bytes: 96 * 2 ** 20, ms: 120_000 } as const;
/**
 * Members of a federation, in its order, that one process of git is asked of: of each object that no pack has it looks in all
 * of them.
 */
const together = 16;
const mostGroups = 64;

export function committedSides({ federations, git }: SidesOptions): CommittedSides {
  const remembered = new Map<string, Files>();
  let atRest: NodeJS.Timeout | undefined;
  const groups = new Map<string, Group>();
  const groupOf = ({ uid, members }: Federation, member: Member, repository: GitRepository): Group => {
    const from = members.indexOf(member) - (members.indexOf(member) % together);
    const key = `${uid} ${from}`;
    const known = groups.get(key);
    if (known?.folders.has(repository.commonDir) === true) return keepNewest(groups, key, known, mostGroups);
    const near = members.slice(from, from + together).flatMap(one => repositoriesOf(one, federations));
    const all = new Map([repository, ...near].map(one => [one.commonDir, one]));
    const made = { folders: new Set(all.keys()), git: { ...git, ...git.among([...all.values()]) } };
    return keepNewest(groups, key, made, mostGroups);
  };
  return {
    placeOf: (federation, member, root) => {
      const { repository, prefix } = repositoryAt(root);
      return { git: groupOf(federation, member, repository).git, repository, prefix };
    },
    at: async (place, revision, path, signal) => {
      const commit = await commitNamed(revision, place);
      const isProto = path.endsWith('.proto');
      const key = JSON.stringify([place.repository.commonDir, commit, place.prefix, isProto ? '' : path]);
      const files =
        remembered.get(key) ??
        (await (isProto ? protosAt(place, commit, signal) : documentsAt(place, commit, path, federations, signal)));
      keepNewest(remembered, key, files, mostRemembered.sides);
      forgetOldest(remembered);
      clearTimeout(atRest);
      atRest = setTimeout(() => remembered.clear(), mostRemembered.ms).unref();
      return { revision, commit, files: files.byPath };
    },
  };
}

interface Group {
  readonly git: Git;
  /** Of their repositories. */
  readonly folders: ReadonlySet<string>;
}

/** Of a member that has none here there is nothing to be asked. */
function repositoriesOf(member: Member, federations: Pick<Federations, 'rootOf'>): readonly GitRepository[] {
  try {
    const found = findRepository(federations.rootOf(member));
    return found.found === 'repository' ? [found.repository] : [];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function repositoryAt(root: string): Pick<CommittedPlace, 'repository' | 'prefix'> {
  const found = findRepository(root);
  if (found.found === 'repository' && found.repository.workTree !== undefined) {
    const { workTree } = found.repository;
    return { repository: { ...found.repository, workTree }, prefix: prefixIn(workTree, root) };
  }
  if (found.found !== 'none') throw withoutGit(found, root, 'no revisions to compare');
  throw new Fault('preconditionFailed', 'It is no git repository, so that it has no revisions to compare', {
    details: { reason: 'no_git' },
  });
}

interface Files {
  readonly byPath: ReadonlyMap<string, Uint8Array>;
  readonly bytes: number;
}

async function protosAt(place: CommittedPlace, commit: string, signal: AbortSignal): Promise<Files> {
  const { git, repository, prefix } = place;
  const wanted = { folder: prefix, suffix: '.proto', mostFiles };
  return filesOf(
    ownFiles(prefix, await told(commit, git.contentsBelow(repository, commit, wanted, limits, { signal }))),
  );
}

async function documentsAt(
  place: CommittedPlace,
  commit: string,
  path: string,
  federations: Pick<Federations, 'referencedFiles'>,
  signal: AbortSignal,
): Promise<Files> {
  const { git, repository, prefix } = place;
  const files = new Map<string, Uint8Array>();
  const asked = new Set<string>();
  for (let next: readonly string[] = [path]; next.length > 0 && files.size < mostReferenced; ) {
    for (const own of next) asked.add(own);
    const wanted = next.slice(0, mostReferenced - files.size).map(own => prefix + own);
    const at = await toldByGit(git.filesAt(repository, commit, wanted, { signal }));
    const found = ownFiles(prefix, await contentsOf(place, commit, at, signal));
    for (const [own, bytes] of found) files.set(own, bytes);
    const named = await federations.referencedFiles(found, signal);
    next = [...new Set(named)].filter(own => !asked.has(own));
  }
  return filesOf(files);
}

/** Without links and submodules. */
async function contentsOf(
  { git, repository }: CommittedPlace,
  commit: string,
  found: Awaited<ReturnType<CommittedFiles['filesAt']>>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Blob>> {
  const regular = [...found].filter(([, { mode }]) => mode.startsWith('100'));
  const hashes = new Set(regular.map(([, { hash }]) => hash));
  const blobs = await told(commit, git.blobs(repository, [...hashes], limits, { signal }));
  return new Map(
    regular.flatMap(([path, { hash }]) => {
      const blob = blobs.get(hash);
      return blob === undefined ? [] : [[path, blob]];
    }),
  );
}

function told<Answer>(commit: string, asked: Promise<Answer>): Promise<Answer> {
  return asked.catch(error => {
    if (error instanceof GitFailed && error.reason === 'output_too_large') throw tooMuch(commit);
    return toldByGit(Promise.reject(error));
  });
}

/** By their paths from the member's root; without what is too long. */
function ownFiles(prefix: string, contents: ReadonlyMap<string, Blob>): Files['byPath'] {
  return shared(
    new Map(
      [...contents].flatMap(([path, blob]) => (blob.kind === 'bytes' ? [[path.slice(prefix.length), blob.bytes]] : [])),
    ),
  );
}

function shared(files: Files['byPath']): Files['byPath'] {
  const memory = new SharedArrayBuffer([...files.values()].reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  const views = new Map<string, Uint8Array>();
  for (const [path, bytes] of files) {
    const view = new Uint8Array(memory, from, bytes.length);
    view.set(bytes);
    views.set(path, view);
    from += bytes.length;
  }
  return views;
}

function filesOf(byPath: Files['byPath']): Files {
  return { byPath, bytes: [...byPath.values()].reduce((sum, { length }) => sum + length, 0) };
}

function tooMuch(commit: string): Fault {
  const message = `The contract can’t be compared: commit ${commit} has too many files that it may import`;
  return new Fault('preconditionFailed', message, {
    details: { reason: 'too_many_files', commit, mostFiles, mostBytes: limits.allBytes },
  });
}

function forgetOldest(remembered: Map<string, Files>): void {
  let left = mostRemembered.bytes;
  for (const [key, { bytes }] of [...remembered].reverse()) {
    left -= bytes;
    if (left < 0) remembered.delete(key);
  }
}
