import { closedStore, firstClosed } from './git-files.ts';
import { type Blob, blobsOf, type GitObject, type ObjectLimits, type ReadObjects } from './git-objects.ts';
import { GitClosed, GitFailed } from './git-process.ts';
import { filesNaming, resolveName } from './git-refs.ts';
import type { GitRepository } from './git-repository.ts';
import type { GitCall, Runner } from './git-runner.ts';
import { type ContentLimits, contentsBelow, filesAt, type TreeFile, type WantedBelow } from './git-trees.ts';
import type { ObjectMemory } from './object-memory.ts';

/** What objects alone tell of a repository, by a process that stays for a while. Calls reject with `GitFailed`. */
export interface CommittedFiles {
  /**
   * The commit that a revision names (`main`, `v1.2~3`, a hash or the start of one); undefined where none here. Rejects as
   * `closed` where none is found, and what would tell of it may not be read.
   */
  commitOf(repository: GitRepository, revision: string, call?: GitCall): Promise<string | undefined>;
  /** The files that a commit has at some paths; `commit` is a full hash. */
  filesAt(
    repository: GitRepository,
    commit: string,
    paths: readonly string[],
    call?: GitCall,
  ): Promise<ReadonlyMap<string, TreeFile>>;
  /** What the regular files of a commit, a full hash, say that are in a folder or below and whose names end in some way, by path. */
  contentsBelow(
    repository: GitRepository,
    commit: string,
    wanted: WantedBelow,
    limits: ContentLimits,
    call?: GitCall,
  ): Promise<ReadonlyMap<string, Blob>>;
  /** Blobs by hash; those that the repository has not are left out. */
  blobs(
    repository: GitRepository,
    hashes: readonly string[],
    limits: ObjectLimits,
    call?: GitCall,
  ): Promise<ReadonlyMap<string, Blob>>;
}

export function committedFiles({ objectsOf }: Pick<Runner, 'objectsOf'>): CommittedFiles {
  return {
    commitOf: async (repository, revision, call = {}) => {
      const asked = askedFor(revision);
      const object = asked && ((await refOf(repository, asked)) ?? asked.hash);
      const commit = object && (await peeled(objectsOf(repository, call), `${object}${asked!.ancestor}`));
      const closed =
        asked === undefined || commit !== undefined
          ? undefined
          : (firstClosed(filesNaming(repository, asked.name)) ?? (object && closedStore(repository)));
      if (closed !== undefined) throw new GitClosed(closed, repository);
      return commit;
    },
    ...filesBy(objectsOf),
  };
}

/** The same, where all of some repositories are asked one after the other: one process knows what any of them has. */
export function committedAmong(
  runner: Runner,
  memory: ObjectMemory,
  repositories: readonly GitRepository[],
): CommittedFiles {
  const among = runner.objectsAmong(repositories);
  const objectsOf: Runner['objectsOf'] = (repository, call) => memory.through(among(repository, call));
  return {
    commitOf: async (repository, revision, call = {}) => {
      const asked = askedFor(revision);
      const object = asked && (await refOf(repository, asked));
      // Whether it has what is named by a hash, a repository has to say itself.
      if (object === undefined) return committedFiles(runner).commitOf(repository, revision, call);
      return peeledWithTree(objectsOf(repository, call), memory, `${object}${asked!.ancestor}`);
    },
    ...filesBy(objectsOf),
  };
}

function filesBy(objectsOf: Runner['objectsOf']): Omit<CommittedFiles, 'commitOf'> {
  return {
    filesAt: (repository, commit, paths, call = {}) => filesAt(objectsOf(repository, call), commit, paths),
    contentsBelow: (repository, commit, wanted, limits, call = {}) =>
      contentsBelow(objectsOf(repository, call), commit, wanted, limits),
    blobs: (repository, hashes, limits, call = {}) => blobsOf(objectsOf(repository, call), hashes, limits),
  };
}

interface AskedFor {
  readonly name: string;
  /** The name, where it may be a hash or the start of one. */
  readonly hash: string | undefined;
  /** What is said behind it of ancestors and peeling. */
  readonly ancestor: string;
}

function askedFor(revision: string): AskedFor | undefined {
  const found = /^([^~^]{1,512})((?:[~^]\d{0,6}|\^\{(?:commit)?\}){0,20})$/s.exec(revision);
  if (found === null) return undefined;
  const [, name = '', ancestor = ''] = found;
  return { name, hash: /^[0-9a-f]{4,64}$/i.test(name) ? name.toLowerCase() : undefined, ancestor };
}

/** The object of a name that is no whole hash. Names are looked up by us and git is given hashes, so that no text of a caller's is ever an option or a path to it. */
async function refOf(repository: GitRepository, { name, hash }: AskedFor): Promise<string | undefined> {
  const isWhole = hash !== undefined && (hash.length === 40 || hash.length === 64);
  return isWhole ? undefined : resolveName(repository, name);
}

async function peeled(read: ReadObjects, name: string): Promise<string | undefined> {
  const [commit] = await foundBy(read, [`${name}^{commit}`], 0);
  return commit?.hash;
}

/** What is asked of a commit next is its tree. */
async function peeledWithTree(read: ReadObjects, memory: ObjectMemory, name: string): Promise<string | undefined> {
  const [commit, tree] = await foundBy(read, [`${name}^{commit}`, `${name}^{tree}`], mostOfTree);
  if (commit !== undefined && tree !== undefined) memory.keep(`${commit.hash}^{tree}`, tree);
  return commit?.hash;
}

const mostOfTree = 64 * 1024;

/** Nothing, where git has none of it. */
async function foundBy(
  read: ReadObjects,
  names: readonly string[],
  bytes: number,
): Promise<readonly (GitObject | undefined)[]> {
  try {
    return await read(names, { eachBytes: type => (type === 'tree' ? bytes : 0), allBytes: bytes });
  } catch (error) {
    if (error instanceof GitFailed && error.reason === 'failed') return [];
    throw error;
  }
}
