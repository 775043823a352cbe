import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isOutOfWatches, isShortage } from './budget.ts';
import type { RecrawlReason } from './change-set.ts';
import { inodeOf } from './file-system.ts';
import type { IgnoreRules, IgnoreScope } from './ignore.ts';
import type { WatchLoop } from './loop.ts';
import { isRepository } from './nested-repository.ts';
import type { Outbox } from './outbox.ts';
import { createPoller } from './poll.ts';

/**
 * The folders of a tree, each with one kernel watch or, where there is none to be had, a snapshot that is compared now
 * and then. A folder is watched first and scanned after, so that nothing falls between. When an entry that is a folder
 * comes, goes or is replaced, everything known below it is dropped and found anew, whatever its inode: the kernel
 * follows inodes, and folders that swap names keep theirs.
 */
export interface Tree {
  /** Drops everything and finds it anew; reports `recrawl` when every watch is in place again. */
  recrawl(reason: RecrawlReason): void;
  /** Resolves when all that was seen so far is scanned, polled folders have been compared, and no recrawl is due. */
  settled(): Promise<void>;
  /** Checks that the root is the folder that it was. */
  verifyRoot(): 'same' | 'replaced' | 'missing';
  inspect(): void;
  relieve(): void;
  /** Reads the rules anew, and with them everything. */
  rulesChanged(): void;
  setExceptions(paths: readonly string[]): void;
  /** Looks for folders on the way to paths that the rules let in only now. */
  reach(paths: Iterable<string>): void;
  /** Looks at an entry that somebody else says has changed. */
  hint(path: string): void;
  /** The scope of a folder that is known. */
  scopeOf(directory: string): IgnoreScope | undefined;
  readonly watches: number;
  readonly polled: readonly string[];
  readonly state: 'crawling' | 'watching' | 'missing';
  close(): void;
}

export interface TreeOptions {
  readonly root: string;
  /** The rules as they stand on disk now. */
  readonly openRules: (onShortage: () => void) => IgnoreRules;
  readonly loop: WatchLoop;
  readonly outbox: Outbox;
  /** A folder was found to be a repository of its own: what is tracked in it from outside is an exception now. */
  readonly onRepositoryInside: () => void;
  /** `kernel`: one watch per folder; `compare`: none, each folder is compared every `compareEveryMs` at most. */
  readonly eyes: 'kernel' | 'compare';
  readonly compareEveryMs: number;
}

export interface Folder {
  readonly name: string;
  readonly path: string;
  readonly parent: Folder | undefined;
  readonly scope: IgnoreScope;
  readonly children: Map<string, Folder>;
  watcher: FSWatcher | undefined;
  closed: boolean;
}

const deepest = 200;
const sliceMs = 8;
const betweenRecrawlsMs = 1000;

export function createTree(options: TreeOptions): Tree {
  const { root, loop, outbox } = options;
  let rules: IgnoreRules | undefined;
  let top: Folder | undefined;
  let rootInode: string | undefined;
  let watches = 0;
  let closed = false;
  /** Folders found and not yet watched. */
  let queue: Folder[] = [];
  let pumping: NodeJS.Immediate | undefined;
  /** The recrawl under way, and the one that is due. */
  let crawl: RecrawlReason | undefined;
  let due: RecrawlReason | undefined;
  let cancelDue: (() => void) | undefined;
  let lastCrawlEnd = Number.NEGATIVE_INFINITY;
  let idleWaiters: (() => void)[] = [];
  /** Folders with a `.git` that is no repository yet: `git init` under way, perhaps. */
  const unfinished = new Set<Folder>();
  /** Repositories inside, by the folder that they lie in: nobody watches them, and one may stop being one. */
  const foreign = new Map<Folder, Set<string>>();

  const absoluteOf = (path: string): string => (path === '' ? root : join(root, path));
  const poller = createPoller<Folder>({
    clock: loop.clock,
    everyMs: options.compareEveryMs,
    absoluteOf: folder => absoluteOf(folder.path),
    onDifference: (folder, name) => look(folder, name),
  });

  function begin(reason: RecrawlReason): void {
    due = undefined;
    if (top !== undefined) drop(top);
    queue = [];
    rootInode = inodeOf(root);
    if (rootInode === undefined) {
      crawl = undefined;
      wakeIdle();
      return;
    }
    crawl = reason;
    rules = options.openRules(lookAgain);
    top = folderOf(undefined, '', rules.root);
    enqueue(top);
  }

  function recrawl(reason: RecrawlReason): void {
    if (closed || due !== undefined) return;
    due = reason;
    if (crawl !== undefined) return;
    const waitMs = lastCrawlEnd + betweenRecrawlsMs - loop.clock.now();
    if (waitMs <= 0) begin(reason);
    else {
      cancelDue = loop.clock.after(waitMs, () => {
        cancelDue = undefined;
        if (due !== undefined) begin(due);
      });
    }
  }

  /** Something could not be looked at for want of a descriptor: all is found anew, every second until it can be. */
  const lookAgain = (): void => recrawl('watch_error');

  function enqueue(folder: Folder): void {
    queue.push(folder);
    pumping ??= setImmediate(pump);
  }

  function pump(): void {
    pumping = undefined;
    const end = performance.now() + sliceMs;
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      install(folder);
      if (performance.now() > end && queue.length > 0) {
        pumping = setImmediate(pump);
        return;
      }
    }
    if (crawl !== undefined) {
      outbox.recrawl(crawl);
      crawl = undefined;
      lastCrawlEnd = loop.clock.now();
      const again = due;
      due = undefined;
      if (again !== undefined) recrawl(again);
    }
    outbox.flush();
    wakeIdle();
  }

  function wakeIdle(): void {
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const wake of waiters) wake();
  }

  function install(folder: Folder): void {
    if (folder.closed) return;
    const absolute = absoluteOf(folder.path);
    if (!isFolder(absolute)) {
      drop(folder);
      return;
    }
    if (!attach(folder)) poller.add(folder);
    if (folder.closed) return;
    for (const entry of entriesOf(absolute, lookAgain)) {
      if (entry.name === '.git' && folder.scope.holds === 'files' && (folder !== top || !isRepository(absolute))) {
        unfinished.add(folder);
      }
      if (entry.isDirectory()) start(folder, entry.name);
    }
    if (crawl === undefined) outbox.add(folder.path);
  }

  /** False where the kernel has no watch for us. */
  function attach(folder: Folder): boolean {
    if (options.eyes !== 'kernel' || !loop.budget.available()) return false;
    try {
      const watcher = watch(absoluteOf(folder.path), (_, name) => {
        loop.countEvent();
        if (folder.closed) return;
        if (name === null) refresh(folder);
        else look(folder, name);
      });
      watcher.on('error', () => recrawl('watch_error'));
      folder.watcher = watcher;
      loop.budget.taken();
      watches++;
      return true;
    } catch (error) {
      if (isOutOfWatches(error)) loop.budget.refused();
      return false;
    }
  }

  /** Begins to look at a subfolder; false where the rules say not to. */
  function start(parent: Folder, name: string): boolean {
    const scope = parent.scope.enter(name);
    if (scope === undefined && isRepository(join(absoluteOf(parent.path), name))) noteForeign(parent, name);
    if (scope === undefined || scope.directory.split('/').length > deepest) return false;
    const folder = folderOf(parent, name, scope);
    parent.children.set(name, folder);
    enqueue(folder);
    return true;
  }

  function noteForeign(parent: Folder, name: string): void {
    foreign.set(parent, (foreign.get(parent) ?? new Set()).add(name));
    if (crawl === undefined) options.onRepositoryInside();
  }

  function drop(folder: Folder): void {
    folder.closed = true;
    if (folder.watcher !== undefined) {
      folder.watcher.close();
      folder.watcher = undefined;
      loop.budget.released();
      watches--;
    }
    poller.remove(folder);
    unfinished.delete(folder);
    foreign.delete(folder);
    for (const child of [...folder.children.values()]) drop(child);
    folder.parent?.children.delete(folder.name);
    if (folder === top) top = undefined;
  }

  /** Finds a folder and everything below it anew. */
  function refresh(folder: Folder): void {
    const { parent } = folder;
    if (parent === undefined) {
      recrawl('ignore_rules_changed');
      return;
    }
    drop(folder);
    if (!start(parent, folder.name)) outbox.add(folder.path);
  }

  /** Something happened to an entry of a folder. */
  function look(folder: Folder, name: string): void {
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (name === '.git') {
      lookAtGit(folder);
      return;
    }
    const child = folder.children.get(name);
    if (isFolder(absoluteOf(path))) {
      if (child !== undefined) drop(child);
      if (!start(folder, name)) outbox.add(path); // a file may have stood there that nobody told of
      return;
    }
    if (child !== undefined) drop(child);
    if (child !== undefined || !folder.scope.ignores(name, 'file')) outbox.add(path);
    if (name === '.gitignore') refresh(folder);
    if (folder === top && name === basename(root)) verifyRoot();
  }

  /** A folder became a repository of its own, or stopped being one: either way other rules hold in it. */
  function lookAtGit(folder: Folder): void {
    if (folder === top) recrawl('git_state_changed');
    else refresh(folder);
  }

  /** What no event tells: a repository that came to be one file after the other, one inside that is none any more. */
  function checkRepositories(): void {
    for (const folder of unfinished) if (isRepository(absoluteOf(folder.path))) refresh(folder);
    for (const [parent, names] of [...foreign]) {
      for (const name of [...names]) {
        if (isRepository(join(absoluteOf(parent.path), name))) continue;
        names.delete(name);
        look(parent, name);
      }
    }
  }

  function verifyRoot(): 'same' | 'replaced' | 'missing' {
    const inode = inodeOf(root);
    if (inode === undefined) {
      if (top !== undefined) drop(top);
      rootInode = undefined;
      crawl = undefined;
      wakeIdle();
      return 'missing';
    }
    if (inode === rootInode && top !== undefined) return 'same';
    if (crawl === undefined) lastCrawlEnd = Number.NEGATIVE_INFINITY; // a new tree need not wait
    recrawl('root_replaced');
    return 'replaced';
  }

  function known(directory: string): Folder | undefined {
    let folder = top;
    for (const name of directory === '' ? [] : directory.split('/')) folder = folder?.children.get(name);
    return folder;
  }

  /** The folder that holds a path, or the innermost one above it that is known, with the name to look at there. */
  function nearest(path: string): { readonly folder: Folder; readonly name: string } | undefined {
    const names = path.split('/');
    let folder = top;
    for (const [index, name] of names.entries()) {
      if (folder === undefined) return undefined;
      const child = folder.children.get(name);
      if (child === undefined || index === names.length - 1) return { folder, name };
      folder = child;
    }
    return undefined;
  }

  const isIdle = (): boolean => queue.length === 0 && crawl === undefined && due === undefined;
  const idle = async (): Promise<void> => {
    while (!closed && !isIdle()) await new Promise<void>(resolve => idleWaiters.push(resolve));
  };

  return {
    recrawl,
    async settled() {
      await idle();
      await poller.pass();
      checkRepositories();
      await idle();
    },
    verifyRoot,
    inspect() {
      verifyRoot();
      checkRepositories();
    },
    relieve() {
      if (options.eyes === 'compare') return;
      for (const folder of poller.folders()) {
        if (!attach(folder)) return;
        poller.compare(folder);
        poller.remove(folder);
      }
    },
    rulesChanged: () => recrawl('ignore_rules_changed'),
    setExceptions: paths => rules?.setExceptions(paths),
    reach(paths) {
      for (const path of paths) {
        const place = nearest(path);
        if (place !== undefined && !place.folder.children.has(place.name)) look(place.folder, place.name);
      }
    },
    hint(path) {
      const place = nearest(path);
      if (place === undefined) return;
      poller.compare(place.folder);
      if (!place.folder.closed && !place.folder.children.has(place.name)) look(place.folder, place.name);
    },
    scopeOf: directory => known(directory)?.scope,
    get watches() {
      return watches;
    },
    get polled() {
      return poller.folders().map(folder => folder.path);
    },
    get state() {
      if (crawl !== undefined) return 'crawling';
      return top === undefined ? 'missing' : 'watching';
    },
    close() {
      closed = true;
      if (top !== undefined) drop(top);
      queue = [];
      if (pumping !== undefined) clearImmediate(pumping);
      cancelDue?.();
      poller.close();
      wakeIdle();
    },
  };
}

function folderOf(parent: Folder | undefined, name: string, scope: IgnoreScope): Folder {
  return { name, path: scope.directory, parent, scope, children: new Map(), watcher: undefined, closed: false };
}

function entriesOf(absolute: string, onShortage: () => void): readonly Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (isShortage(error)) onShortage();
    return []; // gone, or not to be read: the event on its parent, or a change of its mode, tells when that ends
  }
}

function isFolder(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
