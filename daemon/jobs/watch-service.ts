import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ChangeSet } from '../../watch/change-set.ts';
import { fileSystemType } from '../../watch/file-system.ts';
import { type GitEvent, openGitState } from '../../watch/git-state.ts';
import type { IgnoreSources } from '../../watch/ignore.ts';
import { createWatchLoop, type WatchLoop } from '../../watch/loop.ts';
import {
  openWatch,
  SyncFailed,
  type SyncFailure,
  type Watch,
  type WatchBackend,
  type WatchStatus,
} from '../../watch/watch.ts';
import { createGit, type Git } from '../backends/git.ts';
import type { GitRepository } from '../backends/git-repository.ts';
import type { Handlers } from '../workers/port.ts';
import { type Surroundings, surroundingsOf, trackedButIgnored } from './discover.ts';

/** What the watch worker does for the main thread. Trees are named by the number that their opener chose. */
export type WatchCalls = {
  readonly open: (input: { readonly tree: number; readonly root: string }) => void;
  readonly sync: (input: { readonly tree: number; readonly deadlineMs: number }) => 'synced' | SyncFailure;
  readonly recrawl: (tree: number) => void;
  readonly status: (tree: number) => WatchStatus | undefined;
  readonly close: (tree: number) => void;
};

/** What it tells the main thread. ChangeSets come before the answer of the sync that they belong to. */
export type WatchNotices = {
  readonly changes: (notice: { readonly tree: number; readonly changes: ChangeSet }) => void;
  readonly status: (notice: { readonly tree: number; readonly status: WatchStatus }) => void;
  readonly git: (notice: { readonly tree: number; readonly event: GitEvent }) => void;
};

export interface WatchServiceOptions {
  readonly cookieFolder: string;
  readonly shadowFolder: string;
  readonly backend: WatchBackend;
  readonly watchLimit: number | undefined;
  /** `<folder>=<type>`: see `fileSystemType`. */
  readonly fileSystemOverride: string | undefined;
}

export interface WatchTold {
  changes(tree: number, changes: ChangeSet): void;
  status(tree: number, status: WatchStatus): void;
  git(tree: number, event: GitEvent): void;
}

/** Watches trees for the main thread: files, git's state, and what git tracks although it is ignored. */
export function createWatchService(options: WatchServiceOptions, told: WatchTold): Handlers<WatchCalls> {
  const loop = createWatchLoop({
    cookieFolder: options.cookieFolder,
    watchLimit: options.watchLimit,
    fileSystemType: fileSystemType(options.fileSystemOverride),
  });
  const git = createGit({ shadowFolder: options.shadowFolder });
  const trees = new Map<number, WatchedTree>();
  return {
    async open({ tree, root }) {
      const opened = await openTree(tree, root, options.backend, loop, git, told);
      trees.set(tree, opened);
    },
    async sync({ tree, deadlineMs }) {
      const watched = trees.get(tree);
      if (watched === undefined) return 'closed';
      try {
        await watched.sync(deadlineMs);
        return 'synced';
      } catch (error) {
        if (error instanceof SyncFailed) return error.reason;
        throw error;
      }
    },
    recrawl: tree => trees.get(tree)?.watch.recrawl(),
    status: tree => trees.get(tree)?.watch.status(),
    async close(tree) {
      const watched = trees.get(tree);
      trees.delete(tree);
      await watched?.close();
    },
  };
}

interface WatchedTree {
  readonly watch: Watch;
  sync(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

const statusEveryMs = 1000;

async function openTree(
  tree: number,
  root: string,
  backend: WatchBackend,
  loop: WatchLoop,
  git: Git,
  told: WatchTold,
): Promise<WatchedTree> {
  const rules = await openRules(root, git);
  let lastStatus = '';
  const tellStatus = (): void => {
    const status = watch.status();
    const text = JSON.stringify(status);
    if (text !== lastStatus) told.status(tree, status);
    lastStatus = text;
  };
  const watch = openWatch(root, {
    loop,
    backend,
    ignore: rules.current(),
    onChange(changes) {
      told.changes(tree, changes);
      tellStatus();
      if (touchesRules(changes)) void refresh('sources');
    },
  });
  const refresh = async (what: 'sources' | 'index'): Promise<void> => {
    const changed = await rules.refresh(what).catch(() => false); // git may fail now and then: what was known stays
    if (changed) watch.setIgnore(rules.current());
    if (what === 'sources') gitState.follow(rules.repository());
  };
  const gitState = followGitState(event => {
    told.git(tree, event);
    if (event === 'index') void refresh('index');
    if (event === 'exclude') void refresh('sources');
  });
  gitState.follow(rules.repository());
  let cancelStatus = loop.clock.after(statusEveryMs, function again() {
    tellStatus();
    cancelStatus = loop.clock.after(statusEveryMs, again);
  });
  return {
    watch,
    async sync(deadlineMs) {
      const started = performance.now();
      await refresh('index');
      await watch.sync(Math.max(1, deadlineMs - (performance.now() - started)));
      tellStatus();
    },
    async close() {
      cancelStatus();
      await Promise.all([watch.close(), gitState.close()]);
    },
  };
}

/** The state of the repository that a tree lies in: none, perhaps, and another after `git init`. */
function followGitState(onEvent: (event: GitEvent) => void) {
  let folders = '';
  let state: ReturnType<typeof openGitState> | undefined;
  let closing: Promise<void> | undefined;
  let isClosed = false;
  return {
    follow(repository: GitRepository | undefined): void {
      const now = repository === undefined ? '' : `${repository.gitDir}\0${repository.commonDir}`;
      if (now === folders || isClosed) return;
      folders = now;
      closing = state?.close();
      state = repository === undefined ? undefined : openGitState({ ...repository, onEvent });
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([closing, state?.close()]);
    },
  };
}

/** An ignore file or the whole tree: what git tracks may be ignored now, or not any more. */
function touchesRules(changes: ChangeSet): boolean {
  if (changes.kind === 'recrawl') return changes.reason !== 'start';
  for (const path of changes.paths) if (path === '.gitignore' || path.endsWith('/.gitignore')) return true;
  return false;
}

interface TreeRules {
  current(): Omit<IgnoreSources, 'root'>;
  /** Reads again what may have changed; resolves with whether it has. `index`: only if git's index is another one. */
  refresh(what: 'sources' | 'index'): Promise<boolean>;
  repository(): GitRepository | undefined;
}

async function openRules(root: string, git: Git): Promise<TreeRules> {
  const read = async (): Promise<{ surroundings: Surroundings; sources: Omit<IgnoreSources, 'root'> }> => {
    const surroundings = await surroundingsOf(root, { git });
    const exceptions = await trackedButIgnored(surroundings, { git });
    return { surroundings, sources: { ...surroundings.sources, exceptions } };
  };
  // Without git the tree is watched all the same, by its ignore files alone; a root that is gone may come back.
  let state = await read()
    .catch(async () => surroundingsOf(root, {}))
    .catch((): Surroundings => ({ root, repository: undefined, prefix: '', sources: { root } }))
    .then(known => ('surroundings' in known ? known : { surroundings: known, sources: known.sources }));
  const indexPrint = (): string => {
    const { repository } = state.surroundings;
    if (repository === undefined) return '';
    const stat = lstatSync(join(repository.gitDir, 'index'), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'none' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
  };
  let seen = indexPrint();
  return {
    current: () => state.sources,
    async refresh(what) {
      const print = indexPrint();
      if (what === 'index' && print === seen) return false;
      const before = JSON.stringify(state.sources);
      state = await read();
      seen = print;
      return JSON.stringify(state.sources) !== before;
    },
    repository: () => state.surroundings.repository,
  };
}
