import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChangeSet } from '../../../watch/change-set.ts';
import { fileSystemType } from '../../../watch/file-system.ts';
import { createWatchLoop, type WatchLoop } from '../../../watch/loop.ts';
import { watchNamedFiles } from '../../../watch/named-files.ts';
import {
  openWatch,
  SyncFailed,
  type SyncFailure,
  type Watch,
  type WatchBackend,
  type WatchStatus,
} from '../../../watch/watch.ts';
import { createGit, type Git } from '../../backends/git.ts';
import type { Handlers } from '../../workers/port.ts';
import { gitStateFiles } from './git-hold.ts';
import { informedChanges } from './informed-changes.ts';
import { openTreeRules } from './tree-rules.ts';

/** What the watch worker does for the main thread. Trees are named by the number that their opener chose. */
export type WatchCalls = {
  readonly open: (input: { readonly tree: number; readonly root: string }) => void;
  readonly sync: (input: { readonly tree: number; readonly deadlineMs: number }) => 'synced' | SyncFailure;
  readonly status: (tree: number) => WatchStatus | undefined;
  /** Answered once what the kernel had to tell when it was asked has been taken in, and the tree's status told. */
  readonly hearOut: (tree: number) => void;
  readonly close: (tree: number) => void;
};

/** What it tells the main thread. ChangeSets come before the answer of the sync that they belong to. */
export type WatchNotices = {
  readonly changes: (notice: { readonly tree: number; readonly changes: ChangeSet }) => void;
  readonly status: (notice: { readonly tree: number; readonly status: WatchStatus }) => void;
  /** git began or ended something, or the user changed the rules of what is ignored: it is worth a look. */
  readonly git: (tree: number) => void;
};

export interface WatchServiceOptions {
  readonly cookieFolder: string;
  readonly shadowFolder: string;
  readonly ownFolders: readonly string[];
  readonly backend: WatchBackend;
  readonly watchLimit: number | undefined;
  /** `<folder>=<type>`: see `fileSystemType`. */
  readonly fileSystemOverride: string | undefined;
}

export interface WatchTold {
  changes(tree: number, changes: ChangeSet): void;
  status(tree: number, status: WatchStatus): void;
  git(tree: number): void;
}

/** Watches trees for the main thread: files, git's state, and what git tracks although it is ignored. */
export function createWatchService(
  options: WatchServiceOptions,
  told: WatchTold,
  loop: WatchLoop = loopOf(options),
): Handlers<WatchCalls> {
  const git = createGit({ shadowFolder: options.shadowFolder });
  const trees = new Map<number, WatchedTree>();
  /** Until they are open or given up. */
  const opening = new Set<number>();
  return {
    async open({ tree, root }) {
      opening.add(tree);
      try {
        const opened = await openTree(tree, root, options, loop, git, told);
        if (opening.has(tree)) trees.set(tree, opened);
        else await opened.close();
      } finally {
        opening.delete(tree);
      }
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
    status: tree => trees.get(tree)?.watch.status(),
    async hearOut(tree) {
      await nextTurn();
      await nextTurn(); // between two turns the loop reads the kernel's queue to its end
      await trees.get(tree)?.toldAll();
    },
    async close(tree) {
      opening.delete(tree);
      const watched = trees.get(tree);
      trees.delete(tree);
      await watched?.close();
    },
  };
}

function loopOf({ cookieFolder, watchLimit, fileSystemOverride }: WatchServiceOptions): WatchLoop {
  return createWatchLoop({ cookieFolder, watchLimit, fileSystemType: fileSystemType(fileSystemOverride) });
}

interface WatchedTree {
  readonly watch: Watch;
  /** Resolves when what was seen so far is told, the tree's status with it. */
  toldAll(): Promise<void>;
  sync(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

const lookEveryMs = 2000;

async function openTree(
  tree: number,
  root: string,
  { backend, ownFolders }: WatchServiceOptions,
  loop: WatchLoop,
  git: Git,
  told: WatchTold,
): Promise<WatchedTree> {
  const rules = await openTreeRules(root, git, ownFolders);
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
    onRulesInside: () => changes.rulesTouched(),
    onChange: one => changes.add(one),
  });
  const changes = informedChanges(
    () => refresh('changed'),
    one => {
      told.changes(tree, one);
      tellStatus();
    },
  );
  const toldAll = async (): Promise<void> => {
    await changes.settled();
    tellStatus();
  };
  const refresh = async (known?: 'changed'): Promise<void> => {
    const differing = await rules.refresh(known);
    if (differing === 'rules') watch.setIgnore(rules.current());
    if (differing === 'exceptions') watch.setExceptions(rules.current().exceptions ?? []);
    followOthers();
  };
  const others = watchNamedFiles(() => {
    told.git(tree);
    void refresh();
  });
  /** What matters outside the tree: git's state, and the rules that don't lie in it. */
  const followOthers = (): void => {
    const repository = rules.repository();
    others.follow([...rules.files(), ...(repository === undefined ? [] : gitStateFiles(repository.gitDir))]);
  };
  followOthers();
  let cancelLook = loop.clock.after(lookEveryMs, function again() {
    tellStatus();
    void refresh(); // what lies in a folder that is not there yet, nobody tells of
    cancelLook = loop.clock.after(lookEveryMs, again);
  });
  return {
    watch,
    toldAll,
    async sync(deadlineMs) {
      const started = performance.now();
      const leftMs = (): number => Math.max(1, deadlineMs - (performance.now() - started));
      await inTime(refresh(), deadlineMs, loop.clock);
      await watch.sync(leftMs());
      await inTime(toldAll(), leftMs(), loop.clock);
    },
    async close() {
      cancelLook();
      await Promise.all([watch.close(), others.close()]);
    },
  };
}

/** git may take its time, on a busy machine or over a large index: whoever waits is told so at the deadline. */
async function inTime(work: Promise<void>, deadlineMs: number, clock: WatchLoop['clock']): Promise<void> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(deadlineMs, () => reject(new SyncFailed('deadline')));
  });
  await Promise.race([work, late]).finally(cancel);
}
