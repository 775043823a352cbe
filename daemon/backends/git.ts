import { performance } from 'node:perf_hooks';
import type { BlameRun, CommitFacts, FileDiff, LineCounts, Person } from '../model/history.ts';
import { type AttributeTools, conversionsOf, diffAttributesOf } from './git-attributes.ts';
import { blame } from './git-blame.ts';
import { writeCommitGraph } from './git-commit-graph.ts';
import { type CommittedFiles, committedAmong, committedFiles } from './git-committed.ts';
import { checkoutSettingsOf, type ExcludeFiles, excludeFilesOf } from './git-config.ts';
import type { Conversion } from './git-conversion.ts';
import { type DiffAsked, diff } from './git-diff.ts';
import { coAuthorsOf, type IndexedFile, indexedFiles, isJustAbove } from './git-head.ts';
import { changedBetween, commitsHere, cutCommits, isShallow, mergeBases, type TreeChange } from './git-history.ts';
import { lineCounts } from './git-lines.ts';
import { commitsFrom } from './git-log.ts';
import { askGit, GitFailed, wholeOutput } from './git-process.ts';
import { type GitHead, nearbyCommits, readHead } from './git-refs.ts';
import type { GitRepository } from './git-repository.ts';
import { createRunner, type GitCall, type GitOptions, type Runner } from './git-runner.ts';
import { type TreeFile, treeOf } from './git-trees.ts';
import { createObjectMemory } from './object-memory.ts';
import { rememberedTracked } from './tracked-memory.ts';

/** git as a program: there, or why not. */
export type GitAvailability =
  | { readonly available: true; readonly version: string; readonly latencyMs: number }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'failed' | 'too_old';
      /** Where it was not git that failed, but what it takes to ask it. */
      readonly cause?: unknown;
    };

/** One line of git's index. */
export interface TrackedEntry {
  readonly path: string;
  /** Octal mode as git writes it: `100644`, `100755`, `120000`; `160000` is a submodule's place. */
  readonly mode: string;
  readonly hash: string;
}

/**
 * git, run so that nothing of a repository's configuration, attributes or hooks ever runs: through a git folder of our
 * own that borrows the repository's objects, with a clean environment, and without any command that compares the
 * work tree. Calls reject with `GitFailed`; where git is not installed nothing counts as tracked, and trees are read by
 * their ignore files alone.
 */
export interface Git extends CommittedFiles {
  availability(call?: GitCall): Promise<GitAvailability>;
  head(repository: GitRepository): Promise<GitHead>;
  /** The entries of git's index, each path once, in its order; none of an index that git can't read (see `indexTrouble`). */
  tracked(repository: GitRepository, call?: GitCall): Promise<readonly TrackedEntry[]>;
  /** Which of these paths (from the work tree) git's index holds. */
  trackedAmong(repository: GitRepository, paths: readonly string[], call?: GitCall): Promise<ReadonlySet<string>>;
  /** Commits at hand, the likeliest to be meant first: HEAD, what was fetched, what the branch follows, where HEAD was. */
  nearbyCommits(repository: GitRepository): Promise<readonly string[]>;
  /** Whom commits name as their authors besides: full hashes, of which those count that are here. */
  coAuthors(repository: GitRepository, commits: readonly string[], call?: GitCall): Promise<readonly Person[]>;
  /** Whether a commit is another, or one that it came from. Both are full hashes. */
  isReached(repository: GitRepository, commit: string, from: string, call?: GitCall): Promise<boolean>;
  /** The best common ancestors of two commits, the one that git compares from first. Full hashes. */
  mergeBases(repository: GitRepository, one: string, other: string, call?: GitCall): Promise<readonly string[]>;
  /** Whether the repository has less than all of its history. */
  isShallow(repository: GitRepository): boolean;
  /** Of a shallow clone the commits, full hashes, whose parents it was told not to have. */
  cutCommits(repository: GitRepository): ReadonlySet<string>;
  /** The paths at which the trees of two commits differ, and whether the second has anything there. Full hashes. */
  changedBetween(
    repository: GitRepository,
    before: string,
    after: string,
    call?: GitCall,
  ): Promise<ReadonlyMap<string, TreeChange>>;
  /** The files of a commit's tree by path, those of submodules not among them. */
  treeOf(repository: GitRepository, commit: string, call?: GitCall): Promise<ReadonlyMap<string, TreeFile>>;
  /** What git's index notes of each file, by path; without those in conflict. */
  indexedFiles(repository: GitRepository, call?: GitCall): Promise<ReadonlyMap<string, IndexedFile>>;
  /**
   * What git would do to files of a commit in checking them out, by path; those that stay as they are are left out.
   * `attributeFiles`: the commit's files named `.gitattributes`, of the folders above the paths at least.
   */
  conversions(
    repository: GitRepository,
    attributeFiles: ReadonlyMap<string, TreeFile>,
    paths: readonly string[],
    call?: GitCall,
  ): Promise<ReadonlyMap<string, Conversion>>;
  /** Which files are said to be text (`set`) or binary (`unset`) to a diff, by path; `attributeFiles` as above. */
  diffAttributes(
    repository: GitRepository,
    attributeFiles: ReadonlyMap<string, TreeFile>,
    paths: readonly string[],
    call?: GitCall,
  ): Promise<ReadonlyMap<string, 'set' | 'unset'>>;
  excludeFiles(repository: GitRepository | undefined, call?: GitCall): Promise<ExcludeFiles>;
  /** Which of these commits are here. Full hashes. */
  commitsHere(repository: GitRepository, hashes: readonly string[], call?: GitCall): Promise<ReadonlySet<string>>;
  /**
   * Commits that `from` came from and none of `not` did, in the order of `git log`, as they are read. Full hashes, all of
   * them here. In a partial clone renames are told of files alone that moved unchanged.
   */
  commitsFrom(
    repository: GitRepository,
    from: string,
    not: readonly string[],
    onCommit: (commit: CommitFacts) => void,
    call?: GitCall,
  ): Promise<void>;
  /**
   * How many lines each of these commits changed in which file, in their order; of a merge nothing. Full hashes. `onCommit`
   * is not called for a commit of which not all is here.
   */
  lineCounts(
    repository: GitRepository,
    commits: readonly string[],
    onCommit: (hash: string, counts: readonly LineCounts[]) => void,
    call?: GitCall,
  ): Promise<void>;
  /**
   * Which commit last wrote each line of a commit's file; runs by line, covering the file. Undefined where it has no such
   * file, or a submodule there, or not the content that `blob` names. `ignored`: commits that count as if they had changed nothing, here or not. Full hashes.
   * Rejects as `incomplete` where a partial clone lacks what it takes.
   */
  blame(
    repository: GitRepository,
    commit: string,
    path: string,
    ignored: readonly string[],
    call?: GitCall & { readonly blob?: string },
  ): Promise<readonly BlameRun[] | undefined>;
  /**
   * What differs between the trees of two commits, renames found, with hunks. Full hashes. Rejects as `incomplete` as
   * blame does.
   */
  diff(
    repository: GitRepository,
    before: string,
    after: string,
    call?: GitCall & DiffAsked,
  ): Promise<readonly FileDiff[]>;
  /** Keeps a commit-graph over the history of these commits in our own git folder: log and blame are quicker by it. */
  writeCommitGraph(repository: GitRepository, tips: readonly string[], call?: GitCall): Promise<void>;
  /** For whoever asks several repositories one after the other: not one process each, but one for all that stays. */
  among(repositories: readonly GitRepository[]): CommittedFiles;
  /** Resolves when no process is left that waits for further questions. */
  close(): Promise<void>;
}

/** `--end-of-options` came with 2.24. */
const oldestVersion = [2, 24];

export function createGit(options: GitOptions): Git {
  const runner = createRunner(options);
  const tracked = rememberedTracked(async (repository, call = {}) => {
    const lines = await runner.inShadow(repository, ['ls-files', '--cached', '--stage', '-z'], call, wholeOutput);
    return entriesOf(lines);
  });
  const trackedAmong = async (repository: GitRepository, paths: readonly string[], call: GitCall = {}) => {
    if (paths.length === 0) return new Set<string>();
    if (paths.length > 200) {
      const all = new Set((await tracked(repository, call)).map(entry => entry.path));
      return new Set(paths.filter(path => all.has(path)));
    }
    const literal = paths.map(path => `:(top,literal)${path}`);
    const asking = ['ls-files', '--cached', '--stage', '-z', '--', ...literal];
    const lines = await runner.inShadow(repository, asking, call, askGit);
    const found = new Set(entriesOf(lines).map(entry => entry.path));
    return new Set(paths.filter(path => found.has(path)));
  };
  const memory = createObjectMemory();
  const attributeTools = async (repository: GitRepository, call: GitCall): Promise<AttributeTools> => {
    const settings = await checkoutSettingsOf(runner.readConfig, runner.environment, repository, call.signal);
    return {
      settings,
      objects: runner.objectsOf(repository, call),
      run: () => runner.withAttributes(repository, settings, call),
      hold: (run, basis, dialogue) => runner.hold(repository, run, basis, dialogue),
    };
  };
  return {
    ...committedFiles(runner),
    among: repositories => committedAmong(runner, memory, repositories),
    availability: call => availabilityOf(runner, call ?? {}),
    head: readHead,
    nearbyCommits,
    tracked,
    trackedAmong,
    coAuthors: (repository, commits, call = {}) => coAuthorsOf(runner.objectsOf(repository, call), commits),
    isReached: async (repository, commit, from, call = {}) => {
      // Mostly it is one that is still to come, which objects tell: a process is started for the others alone.
      if (await isJustAbove(runner.objectsOf(repository, call), from, commit)) return commit === from;
      const asking = ['rev-list', '--max-count=1', commit, `^${from}`];
      return (await runner.overObjects(call)(repository, asking, askGit)).trim() === '';
    },
    mergeBases: (repository, one, other, call = {}) => mergeBases(runner.overHistory(call), repository, one, other),
    isShallow,
    cutCommits,
    changedBetween: (repository, before, after, call = {}) =>
      changedBetween(runner.overObjects(call), repository, before, after),
    treeOf: (repository, commit, call = {}) => treeOf(runner.overObjects(call), repository, commit),
    indexedFiles: (repository, call = {}) =>
      indexedFiles((args, shape) => runner.inShadow(repository, args, call, shape), repository),
    conversions: async (repository, attributeFiles, paths, call = {}) =>
      conversionsOf(await attributeTools(repository, call), attributeFiles, paths),
    diffAttributes: async (repository, attributeFiles, paths, call = {}) =>
      diffAttributesOf(await attributeTools(repository, call), attributeFiles, paths),
    excludeFiles: (repository, call) => excludeFilesOf(runner.readConfig, runner.environment, repository, call?.signal),
    commitsHere: (repository, hashes, call = {}) => commitsHere(runner.overObjects(call), repository, hashes),
    commitsFrom: (repository, from, not, onCommit, call = {}) =>
      commitsFrom(runner.overHistory(call), repository, from, not, onCommit),
    lineCounts: (repository, commits, onCommit, call = {}) =>
      lineCounts(runner.overHistory(call), repository, commits, onCommit),
    blame: (repository, commit, path, ignored, call = {}) =>
      blame(
        { run: runner.overHistory(call), read: runner.objectsOf(repository, call) },
        repository,
        commit,
        path,
        ignored,
        call.blob,
      ),
    diff: (repository, before, after, call = {}) =>
      diff(
        { run: runner.overHistory(call), hold: runner.holding(call), objects: runner.objectsOf(repository, call) },
        repository,
        [before, after],
        call,
      ),
    writeCommitGraph: (repository, tips, call = {}) => writeCommitGraph(runner.overHistory(call), repository, tips),
    close: runner.close,
  };
}

/** `<mode> <hash> <stage>\t<path>`, each ended by NUL. A path in conflict stands there once for each stage. */
function entriesOf(lines: string): readonly TrackedEntry[] {
  const entries: TrackedEntry[] = [];
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf('\0', from);
    const tab = lines.indexOf('\t', from);
    const path = lines.slice(tab + 1, end);
    if (entries.at(-1)?.path !== path) {
      entries.push({ path, mode: lines.slice(from, from + 6), hash: lines.slice(from + 7, tab - 2) });
    }
    from = end + 1;
  }
  return entries;
}

async function availabilityOf(runner: Runner, call: GitCall): Promise<GitAvailability> {
  const started = performance.now();
  try {
    const version = /\d+(\.\d+)+/.exec(await runner.blank(['version'], call, 5000))?.[0];
    if (version === undefined) return { available: false, reason: 'failed' };
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < oldestVersion[0]! || (major === oldestVersion[0] && minor < oldestVersion[1]!)) {
      return { available: false, reason: 'too_old' };
    }
    return { available: true, version, latencyMs: Math.round(performance.now() - started) };
  } catch (error) {
    if (!(error instanceof GitFailed)) return { available: false, reason: 'failed', cause: error };
    return { available: false, reason: error.reason === 'missing' ? 'missing' : 'failed' };
  }
}
