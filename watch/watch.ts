import type { ChangeSet } from './change-set.ts';
import { remoteFileSystem } from './file-system.ts';
import { openHints } from './hints.ts';
import { type IgnoreSources, openIgnoreRules } from './ignore.ts';
import type { WatchLoop } from './loop.ts';
import { createOutbox } from './outbox.ts';
import { createTree, type Tree } from './tree.ts';

/** How a tree is watched. `off`: not at all, its root is gone. */
export type Watching = 'native' | 'chokidar' | 'polling' | 'off';

export type WatchBackend = 'auto' | 'native' | 'chokidar' | 'polling';

export interface WatchStatus {
  /** `polling` as soon as any folder is polled. */
  readonly watching: Watching;
  /** Kernel watches of our own in use for this tree. */
  readonly watches: number;
  /** How many folders are polled, and the first of them. */
  readonly polledCount: number;
  readonly polled: readonly string[];
  readonly polledReason: 'watch_limit' | 'network_file_system' | 'configured' | undefined;
  readonly crawling: boolean;
  /** Without cookies no sync succeeds. */
  readonly cookies: 'writable' | 'unwritable';
}

/** One watched directory tree. Its first ChangeSet is `recrawl` with reason `start`: from then on nothing is missed unsaid. */
export interface Watch {
  readonly root: string;
  /**
   * Resolves when every change made before the call has been handed to `onChange`. Rejects with `SyncFailed`, at the
   * latest after `deadlineMs`.
   */
  sync(deadlineMs: number): Promise<void>;
  /** Other rules of what is ignored, or others in the same files: finds everything anew. */
  setIgnore(sources: Omit<IgnoreSources, 'root'>): void;
  /** Other exceptions: only what they concern is looked at. */
  setExceptions(paths: readonly string[]): void;
  status(): WatchStatus;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly loop: WatchLoop;
  readonly onChange: (changes: ChangeSet) => void;
  /** `auto`: native on Linux, chokidar elsewhere, polling on network file systems. */
  readonly backend?: WatchBackend;
  readonly ignore?: Omit<IgnoreSources, 'root'>;
  /** Other rules hold in a folder that is named next: what git tracks in it must be told by `setExceptions`. */
  readonly onRulesInside?: () => void;
}

/** Why a watcher can't vouch for having seen everything. */
export class SyncFailed extends Error {
  readonly reason: SyncFailure;

  constructor(reason: SyncFailure) {
    super(`the watcher can't vouch for what it has seen: ${reason}`);
    this.name = 'SyncFailed';
    this.reason = reason;
  }
}

export type SyncFailure = 'cookie_unwritable' | 'deadline' | 'root_missing' | 'closed';

const compareEveryMs = { polling: 2000, native: 2000, chokidar: 60_000 } as const;
const cookieMs = 2000;
const mostNamed = 100;

export function openWatch(root: string, options: WatchOptions): Watch {
  const { loop } = options;
  const { backend, polledReason } = chooseBackend(root, options);
  let ignore = options.ignore ?? {};
  const outbox = createOutbox(options.onChange, () => tree.state === 'crawling');
  const tree = createTree({
    root,
    openRules: onShortage => openIgnoreRules({ ...ignore, root }, onShortage),
    loop,
    outbox,
    onRulesInside: options.onRulesInside ?? (() => {}),
    eyes: backend === 'native' ? 'kernel' : 'compare',
    compareEveryMs: compareEveryMs[backend],
  });
  const leave = loop.join(tree);
  tree.recrawl('start');
  const hints =
    backend === 'chokidar' ? tree.settled().then(() => openHints(root, tree, loop.clock, loop.countEvent)) : undefined;
  let closed = false;

  return {
    root,
    async sync(deadlineMs) {
      if (closed) throw new SyncFailed('closed');
      if (tree.verifyRoot() === 'missing') throw new SyncFailed('root_missing');
      await within(loop, deadlineMs, caughtUp(loop, tree, deadlineMs));
      if (closed) throw new SyncFailed('closed');
      outbox.flush();
    },
    setIgnore(sources) {
      ignore = sources;
      tree.rulesChanged();
    },
    setExceptions(paths) {
      const known = new Set(ignore.exceptions);
      const wanted = new Set(paths);
      ignore = { ...ignore, exceptions: paths };
      tree.setExceptions(paths);
      tree.reach(paths.filter(path => !known.has(path)));
      for (const path of known) if (!wanted.has(path)) outbox.add(path);
    },
    status() {
      const { polled, state } = tree;
      const watching = state === 'missing' ? 'off' : backend === 'native' && polled.length > 0 ? 'polling' : backend;
      return {
        watching,
        watches: tree.watches,
        polledCount: polled.length,
        polled: polled.slice(0, mostNamed),
        polledReason: polled.length === 0 ? undefined : polledReason,
        crawling: state === 'crawling',
        cookies: loop.cookies.writable() ? 'writable' : 'unwritable',
      };
    },
    async close() {
      closed = true;
      leave();
      tree.close();
      outbox.close();
      await (await hints)?.close();
    },
  };
}

/** Everything before the call is seen once the cookie is; without a cookie, once everything was looked at again. */
async function caughtUp(loop: WatchLoop, tree: Tree, deadlineMs: number): Promise<void> {
  const outcome = await loop.cookies.pass(Math.min(cookieMs, deadlineMs));
  switch (outcome) {
    case 'seen':
      break;
    case 'unwritable':
      throw new SyncFailed('cookie_unwritable');
    case 'lost':
      if (deadlineMs <= cookieMs) throw new SyncFailed('deadline');
      loop.recrawlAll('cookie_lost');
      break;
    case 'unwatchable':
      if (tree.watches > 0) tree.recrawl('watch_limit');
      break;
  }
  await tree.settled();
}

async function within(loop: WatchLoop, deadlineMs: number, work: Promise<void>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = loop.clock.after(deadlineMs, () => reject(new SyncFailed('deadline')));
  });
  work.catch(() => {}); // it may fail after the deadline, when nobody listens
  await Promise.race([work, late]).finally(cancel);
}

function chooseBackend(
  root: string,
  { backend = 'auto', loop }: WatchOptions,
): { backend: 'native' | 'chokidar' | 'polling'; polledReason: WatchStatus['polledReason'] } {
  if (backend !== 'auto') return { backend, polledReason: backend === 'native' ? 'watch_limit' : 'configured' };
  if (remoteFileSystem(loop.fileSystemType(root)) !== undefined)
    return { backend: 'polling', polledReason: 'network_file_system' };
  return { backend: process.platform === 'linux' ? 'native' : 'chokidar', polledReason: 'watch_limit' };
}
