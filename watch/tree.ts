import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isShortage } from './budget.ts';
import type { RecrawlReason } from './change-set.ts';
import { closedFolder, inodeOf, isClosed } from './file-system.ts';
import { type Folder, folderAt, folderOf, nearestTo } from './folder.ts';
import type { IgnoreRules, IgnoreScope } from './ignore.ts';
import { openKernelWatch } from './kernel-watch.ts';
import type { WatchLoop } from './loop.ts';
import { isRepository } from './nested-repository.ts';
import type { Outbox } from './outbox.ts';
import { createPoller, type Poller } from './poll.ts';
import { Recrawls } from './recrawls.ts';
import { Slices } from './slices.ts';

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
  /**
   * Rules of what is ignored were found in a folder that is named next, or it is a repository of its own: what is tracked in
   * it although they ignore it is an exception now.
   */
  readonly onRulesInside: () => void;
  /** `kernel`: one watch per folder; `compare`: none, each folder is compared every `compareEveryMs` at most. */
  readonly eyes: 'kernel' | 'compare';
  readonly compareEveryMs: number;
}

const deepest = 200;

export function createTree(options: TreeOptions): Tree {
  return new WatchedTree(options);
}

class WatchedTree implements Tree {
  readonly #options: TreeOptions;
  readonly #loop: WatchLoop;
  readonly #outbox: Outbox;
  readonly #recrawls: Recrawls;
  /** Folders found and not yet watched. */
  readonly #found: Slices<Folder>;
  readonly #poller: Poller<Folder>;
  /** Folders with a `.git` that is no repository yet: `git init` under way, perhaps. */
  readonly #unfinished = new Set<Folder>();
  /** Folders that we may not look into: nobody watches them, and one may be opened. */
  readonly #closedTo = new Set<Folder>();
  /** Repositories inside, by the folder that they lie in: nobody watches them, and one may stop being one. */
  readonly #foreign = new Map<Folder, Set<string>>();
  #rules: IgnoreRules | undefined;
  #top: Folder | undefined;
  #rootInode: string | undefined;
  #watches = 0;
  #closed = false;
  #idleWaiters: (() => void)[] = [];

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#loop = options.loop;
    this.#outbox = options.outbox;
    this.#recrawls = new Recrawls(options.loop.clock, () => this.#crawl());
    this.#found = new Slices<Folder>(
      folder => this.#install(folder),
      () => this.#allInstalled(),
    );
    this.#poller = createPoller<Folder>({
      clock: options.loop.clock,
      everyMs: options.compareEveryMs,
      absoluteOf: folder => this.#absolute(folder.path),
      onDifference: (folder, name) => this.#look(folder, name),
    });
  }

  get watches(): number {
    return this.#watches;
  }

  get polled(): readonly string[] {
    return this.#poller.folders().map(folder => folder.path);
  }

  get state(): 'crawling' | 'watching' | 'missing' {
    if (this.#isCrawling) return 'crawling';
    return this.#top === undefined ? 'missing' : 'watching';
  }

  recrawl(reason: RecrawlReason): void {
    if (!this.#closed) this.#recrawls.ask(reason);
  }

  async settled(): Promise<void> {
    await this.#idle();
    await this.#poller.pass();
    this.#checkUnseen();
    await this.#idle();
  }

  verifyRoot(): 'same' | 'replaced' | 'missing' {
    const inode = inodeOf(this.#options.root);
    if (inode === undefined) {
      this.#lost();
      return 'missing';
    }
    if (inode === this.#rootInode && this.#top !== undefined) return 'same';
    this.#recrawls.forgetLast();
    this.recrawl('root_replaced');
    return 'replaced';
  }

  inspect(): void {
    this.verifyRoot();
    this.#checkUnseen();
  }

  relieve(): void {
    if (this.#options.eyes === 'compare') return;
    for (const folder of this.#poller.folders()) {
      if (!this.#attach(folder)) return;
      this.#poller.compare(folder);
      this.#poller.remove(folder);
    }
  }

  rulesChanged(): void {
    this.recrawl('ignore_rules_changed');
  }

  setExceptions(paths: readonly string[]): void {
    this.#rules?.setExceptions(paths);
  }

  reach(paths: Iterable<string>): void {
    for (const path of paths) {
      const place = nearestTo(this.#top, path);
      if (place !== undefined && !place.folder.children.has(place.name)) this.#look(place.folder, place.name);
    }
  }

  hint(path: string): void {
    const place = nearestTo(this.#top, path);
    if (place === undefined) return;
    const { folder, name } = place;
    this.#poller.compare(folder);
    if (!folder.closed && !folder.children.has(name)) this.#look(folder, name);
  }

  scopeOf(directory: string): IgnoreScope | undefined {
    return folderAt(this.#top, directory)?.scope;
  }

  close(): void {
    this.#closed = true;
    this.#found.close();
    this.#poller.close();
    this.#lost();
  }

  get #isCrawling(): boolean {
    return this.#recrawls.current !== undefined;
  }

  #crawl(): void {
    const { root, openRules } = this.#options;
    if (this.#top !== undefined) this.#drop(this.#top);
    this.#found.clear();
    this.#rootInode = inodeOf(root);
    if (this.#rootInode === undefined) {
      this.#lost();
      return;
    }
    this.#rules = openRules(() => this.#lookAgain());
    this.#top = folderOf(undefined, '', this.#rules.root);
    this.#found.add(this.#top);
  }

  /** Something could not be looked at for want of a descriptor: all is found anew, every second until it can be. */
  #lookAgain(): void {
    this.recrawl('watch_error');
  }

  #allInstalled(): void {
    const reason = this.#recrawls.current;
    if (reason !== undefined) {
      this.#outbox.recrawl(reason);
      this.#recrawls.end();
    }
    this.#outbox.flush();
    this.#wakeIdle();
  }

  /** Nothing is watched any more. */
  #lost(): void {
    if (this.#top !== undefined) this.#drop(this.#top);
    this.#rootInode = undefined;
    this.#recrawls.abandon();
    this.#wakeIdle();
  }

  async #idle(): Promise<void> {
    const isIdle = (): boolean => this.#closed || (this.#found.isIdle && this.#recrawls.isIdle);
    while (!isIdle()) await new Promise<void>(resolve => this.#idleWaiters.push(resolve));
  }

  #wakeIdle(): void {
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const wake of waiters) wake();
  }

  #install(folder: Folder): void {
    if (folder.closed) return;
    const absolute = this.#absolute(folder.path);
    if (!isFolder(absolute)) {
      this.#drop(folder);
      return;
    }
    if (!this.#attach(folder)) this.#poller.add(folder);
    if (folder.closed) return;
    folder.isWatched = true;
    for (const entry of this.#entriesOf(folder)) {
      if (entry.name === '.git' && this.#mayBecomeRepository(folder)) this.#unfinished.add(folder);
      // Nobody may have been told of what it says by now: the folder was not watched when it was written.
      if (entry.name === '.gitignore' && !this.#isCrawling) this.#options.onRulesInside();
      if (entry.isDirectory()) this.#start(folder, entry.name);
    }
    if (!this.#isCrawling) this.#outbox.add(folder.path);
  }

  #mayBecomeRepository(folder: Folder): boolean {
    if (folder.scope.holds !== 'files') return false;
    return folder !== this.#top || !isRepository(this.#options.root);
  }

  /** False where the kernel has no watch for us; one for a folder that is closed to us nobody has. */
  #attach(folder: Folder): boolean {
    if (this.#options.eyes !== 'kernel') return false;
    const watch = openKernelWatch(this.#absolute(folder.path), this.#loop.budget, {
      onEntry: (name, isWritten) => {
        this.#loop.countEvent();
        if (folder.closed) return;
        if (name === null) this.#refresh(folder);
        else this.#look(folder, name, isWritten);
      },
      onError: () => this.recrawl('watch_error'),
    });
    if (watch === undefined) return false;
    if (watch === 'closed') {
      this.#closedTo.add(folder);
      return true;
    }
    folder.watch = watch;
    this.#watches++;
    return true;
  }

  /** Begins to look at a subfolder; false where the rules say not to. */
  #start(parent: Folder, name: string): boolean {
    const scope = parent.scope.enter(name);
    if (scope === undefined && isRepository(join(this.#absolute(parent.path), name))) this.#noteForeign(parent, name);
    if (scope === undefined || scope.directory.split('/').length > deepest) return false;
    const folder = folderOf(parent, name, scope);
    parent.children.set(name, folder);
    this.#found.add(folder);
    return true;
  }

  #noteForeign(parent: Folder, name: string): void {
    this.#foreign.set(parent, (this.#foreign.get(parent) ?? new Set()).add(name));
    if (!this.#isCrawling) this.#options.onRulesInside();
  }

  #drop(folder: Folder): void {
    folder.closed = true;
    if (folder.watch !== undefined) {
      folder.watch.close();
      folder.watch = undefined;
      this.#watches--;
    }
    this.#poller.remove(folder);
    this.#unfinished.delete(folder);
    this.#closedTo.delete(folder);
    this.#foreign.delete(folder);
    for (const child of [...folder.children.values()]) this.#drop(child);
    folder.parent?.children.delete(folder.name);
    if (folder === this.#top) this.#top = undefined;
  }

  /** Finds a folder and everything below it anew. */
  #refresh(folder: Folder): void {
    const { parent } = folder;
    if (parent === undefined) {
      this.recrawl('ignore_rules_changed');
      return;
    }
    this.#drop(folder);
    if (!this.#start(parent, folder.name)) this.#outbox.add(folder.path);
  }

  /** Something happened to an entry of a folder. */
  #look(folder: Folder, name: string, isWritten = false): void {
    // All of it is named once it is watched; its rules must not be read before, for nobody would tell that they change.
    if (!folder.isWatched) return;
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (name === '.git') {
      this.#lookAtGit(folder);
      return;
    }
    const child = folder.children.get(name);
    if (child !== undefined) this.#drop(child);
    if (isFolder(this.#absolute(path))) {
      if (!this.#start(folder, name)) this.#outbox.add(path); // a file may have stood there that nobody told of
      return;
    }
    if (child !== undefined || !folder.scope.ignores(name, 'file')) this.#outbox.add(path, isWritten);
    if (name === '.gitignore') this.#refresh(folder);
    if (folder === this.#top && name === basename(this.#options.root)) this.verifyRoot();
  }

  /** A folder became a repository of its own, or stopped being one: either way other rules hold in it. */
  #lookAtGit(folder: Folder): void {
    if (folder === this.#top) this.recrawl('git_state_changed');
    else this.#refresh(folder);
  }

  /** What no event tells: a repository that came to be one file after the other, one inside that is none any more, a folder that was opened. */
  #checkUnseen(): void {
    for (const folder of this.#closedTo)
      if (closedFolder(this.#absolute(folder.path)) === undefined) this.#refresh(folder);
    for (const folder of this.#unfinished) if (isRepository(this.#absolute(folder.path))) this.#refresh(folder);
    for (const [parent, names] of [...this.#foreign]) {
      for (const name of [...names]) {
        if (isRepository(join(this.#absolute(parent.path), name))) continue;
        names.delete(name);
        this.#look(parent, name);
      }
    }
  }

  #entriesOf(folder: Folder): readonly Dirent[] {
    try {
      return readdirSync(this.#absolute(folder.path), { withFileTypes: true });
    } catch (error) {
      if (isShortage(error)) this.#lookAgain();
      if (isClosed(error)) this.#closedTo.add(folder);
      return []; // gone: the event on its parent tells
    }
  }

  #absolute(path: string): string {
    const { root } = this.#options;
    return path === '' ? root : join(root, path);
  }
}

function isFolder(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
