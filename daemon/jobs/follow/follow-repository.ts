import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { type ChangeSet, createChangeSum } from '../../../watch/change-set.ts';
import type { Watching, WatchStatus } from '../../../watch/watch.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { Observe } from '../../events.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import type { IndexEngine } from '../engine.ts';
import { type GitHold, gitDirOf, gitHold, indexPrint, isOvertaken, longestHoldMs } from './git-hold.ts';
import { createLaterTries, type LaterTries } from './later-tries.ts';
import { stale } from './stale.ts';
import type { Watcher } from './watcher.ts';

/** Keeps the index of one repository up to its tree. */
export interface FollowedRepository {
  readonly repo: RepositoryRecord;
  /**
   * Resolves when everything written to the tree before the call is published. Rejects with Fault `indexStale` whose
   * `details.reason` (`StaleReason`) says why that can't be promised, at the latest after `deadlineMs`.
   */
  sync(deadlineMs: number): Promise<void>;
  /** Whether `status` knows by now what the kernel had to tell; false where the watcher does not answer. */
  hearOut(): Promise<boolean>;
  status(): FollowStatus;
  close(): Promise<void>;
}

export interface FollowStatus {
  /** Named paths that wait to be published, those of the run under way among them; 1 for a recrawl. */
  readonly pendingChanges: number;
  readonly watching: Watching;
  /** What holds publications back now. */
  readonly heldBy: GitHold | undefined;
  readonly indexing: boolean;
  /** Why the last run failed, until one succeeds. */
  readonly failing: boolean;
  readonly watch: WatchStatus;
}

export interface FollowOptions {
  readonly repo: RepositoryRecord;
  readonly engine: Pick<IndexEngine, 'index'>;
  readonly watcher: Pick<Watcher, 'open' | 'cookieFolder'>;
  readonly clock?: Clock;
  readonly observe?: Observe;
  /** git began or ended something in the tree. */
  readonly onGit?: () => void;
}

/** Quiet time after the last change before it is indexed, and the longest that a stream of changes may put it off. */
const settleMs = 25;
const longestSettleMs = 200;
const lookAgainMs = 50;
const longestHearOutMs = 2000;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

export function followRepository(options: FollowOptions): FollowedRepository {
  return new Follower(options);
}

interface Waiter {
  /** How many ChangeSets must be published. */
  readonly target: number;
  readonly resolve: () => void;
  readonly reject: (fault: Fault) => void;
}

class Follower implements FollowedRepository {
  readonly repo: RepositoryRecord;
  readonly #engine: FollowOptions['engine'];
  readonly #clock: Clock;
  readonly #observe: Observe;
  readonly #cookies: string;
  readonly #tree: ReturnType<Watcher['open']>;
  #gitDir: string | undefined;
  #watchStatus: WatchStatus = unknownStatus;
  #closed = false;

  readonly #pending = createChangeSum();
  /** How many of them the run under way has taken. */
  #inRun = 0;
  #pendingSinceMs = 0;
  #heldSinceMs: number | undefined;
  #received = 0;
  #published = 0;
  #cancelTimer: (() => void) | undefined;
  /** git's index as it was when all that git did before was known to be heard of. */
  #heardPrint: string | undefined;
  #isHearing = false;
  #run: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #retryMs = firstRetryMs;
  #failing = false;
  readonly #waiters = new Set<Waiter>();
  readonly #laterTries: LaterTries;

  constructor({ repo, engine, watcher, clock = systemClock, observe = () => {}, onGit = () => {} }: FollowOptions) {
    this.repo = repo;
    this.#engine = engine;
    this.#clock = clock;
    this.#observe = observe;
    this.#cookies = watcher.cookieFolder;
    this.#laterTries = createLaterTries(clock, paths => this.#hear({ kind: 'paths', paths }));
    this.#findGit();
    this.#tree = watcher.open(repo.root, {
      onChange: changes => {
        if (changes.kind === 'paths') this.#laterTries.changed(changes.paths);
        this.#hear(changes);
      },
      onGit: () => {
        this.#hearGit();
        onGit();
      },
      onStatus: status => this.#hearStatus(status),
    });
  }

  async sync(deadlineMs: number): Promise<void> {
    const deadline = this.#clock.monotonicMs() + deadlineMs;
    const outcome = await this.#tree.sync(deadlineMs);
    if (outcome !== 'synced') throw stale(this.repo, outcome, this.#cookies);
    if (this.#isUpToDate()) return;
    await this.#untilPublished(deadline);
  }

  hearOut(): Promise<boolean> {
    return this.#tree.hearOut(longestHearOutMs);
  }

  status(): FollowStatus {
    const pendingChanges = this.#pending.size + this.#inRun;
    return {
      pendingChanges,
      watching: this.#watchStatus.watching,
      heldBy: pendingChanges === 0 ? undefined : gitHold(this.#gitDir),
      indexing: this.#run !== undefined,
      failing: this.#failing,
      watch: this.#watchStatus,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#laterTries.close();
    this.#run?.abort(new Fault('cancelled', 'The repository is not followed any more'));
    for (const waiter of [...this.#waiters]) waiter.reject(stale(this.repo, 'closed'));
    await Promise.all([this.#tree.close(), this.#running]);
  }

  #hear(changes: ChangeSet): void {
    if (this.#closed) return;
    if (changes.kind === 'recrawl') {
      this.#findGit(); // the tree may have become a repository, or another one
      this.#observe({ kind: 'watch.recrawl', repo: this.repo.id, reason: changes.reason });
    }
    this.#received++;
    this.#add(changes);
    const waitedMs = this.#clock.monotonicMs() - this.#pendingSinceMs;
    this.#wakeIn(this.#waiters.size > 0 ? 0 : Math.max(0, Math.min(settleMs, longestSettleMs - waitedMs)));
  }

  /** git began to change the tree, perhaps: then what is being read now may be half old, half new. */
  #hearGit(): void {
    const held = this.#isHeld();
    if (held) this.#run?.abort(heldByGit);
    else if (this.#pending.size > 0 && this.#retryMs === firstRetryMs) this.#wakeIn(settleMs);
  }

  #findGit(): void {
    try {
      this.#gitDir = gitDirOf(this.repo.root);
    } catch {} // no descriptor to be had: another recrawl comes
  }

  #hearStatus(status: WatchStatus): void {
    const before = this.#watchStatus;
    this.#watchStatus = status;
    const message = before.polledReason === status.polledReason ? undefined : pollingMessage(status);
    if (message !== undefined) this.#observe({ kind: 'watch.warning', repo: this.repo.id, message });
  }

  #add(changes: ChangeSet): void {
    if (this.#pending.size === 0) this.#pendingSinceMs = this.#clock.monotonicMs();
    this.#pending.add(changes);
  }

  #wakeIn(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#clock.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#begin();
    });
  }

  #isHeld(): boolean {
    if (gitHold(this.#gitDir) === undefined) {
      this.#heldSinceMs = undefined;
      return false;
    }
    this.#heldSinceMs ??= this.#clock.monotonicMs();
    return this.#isPatient();
  }

  /** The second bound is for git working without a pause: then no hold lasts, but each run would meet one. */
  #isPatient(): boolean {
    const now = this.#clock.monotonicMs();
    return now - (this.#heldSinceMs ?? now) < longestHoldMs && now - this.#pendingSinceMs < longestHoldMs;
  }

  /** One run at a time; what comes meanwhile is merged and makes the next. */
  #begin(): void {
    if (this.#closed || this.#run !== undefined || this.#pending.size === 0) return;
    if (this.#isHeld()) {
      this.#wakeIn(lookAgainMs);
      return;
    }
    const print = indexPrint(this.#gitDir);
    if (this.#pending.kind === 'paths' && print !== this.#heardPrint) {
      this.#hearOutGit(print);
      return;
    }
    this.#heardPrint = print;
    this.#inRun = this.#pending.size;
    const changes = this.#pending.take()!;
    const received = this.#received;
    const sinceMs = this.#pendingSinceMs;
    const run = new AbortController();
    const evenIfHeld = !this.#isPatient();
    this.#run = run;
    this.#running = this.#engine.index(this.repo, changes, { signal: run.signal, evenIfHeld }).then(
      ({ unsettled, toRetry }) => {
        this.#ended();
        this.#laterTries.ran(changes, toRetry);
        this.#succeeded(received, unsettled);
      },
      (error: unknown) => {
        this.#ended();
        this.#giveBack(changes, sinceMs);
        this.#failed(run.signal, error);
      },
    );
  }

  /**
   * git has written its index since: a command that is over may have changed more files than have been named yet, and
   * those alone would be a mixed tree. What a cookie has not overtaken is waited for first.
   */
  #hearOutGit(print: string): void {
    if (this.#isHearing) return;
    this.#isHearing = true;
    const goOn = (): void => {
      this.#isHearing = false;
      this.#heardPrint = print;
      if (this.#cancelTimer === undefined) this.#wakeIn(0);
    };
    this.#tree.sync(longestHearOutMs).then(goOn, goOn);
  }

  #ended(): void {
    this.#run = undefined;
    this.#inRun = 0;
  }

  #succeeded(received: number, unsettled: readonly string[]): void {
    this.#failing = false;
    this.#retryMs = firstRetryMs;
    if (unsettled.length > 0) {
      this.#add({ kind: 'paths', paths: new Set(unsettled) });
      this.#wakeIn(longestSettleMs);
      return;
    }
    this.#published = received;
    for (const waiter of [...this.#waiters]) if (waiter.target <= received) waiter.resolve();
    if (this.#pending.size > 0) this.#wakeIn(this.#waiters.size > 0 ? 0 : settleMs);
  }

  #giveBack(changes: ChangeSet, sinceMs: number): void {
    this.#pending.add(changes);
    this.#pendingSinceMs = sinceMs;
  }

  #failed(signal: AbortSignal, error: unknown): void {
    if (this.#closed) return;
    if (signal.aborted || isOvertaken(error)) {
      this.#wakeIn(lookAgainMs);
      return;
    }
    this.#failing = true;
    this.#observe({ kind: 'watch.warning', repo: this.repo.id, message: 'an index run failed', cause: error });
    for (const waiter of [...this.#waiters]) waiter.reject(stale(this.repo, 'index_failed'));
    this.#wakeIn(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
  }

  #isUpToDate(): boolean {
    return this.#published === this.#received && this.#pending.size === 0 && this.#run === undefined;
  }

  #untilPublished(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (act: () => void): void => {
        cancel();
        this.#waiters.delete(waiter);
        act();
      };
      const waiter: Waiter = {
        target: this.#received,
        resolve: () => leave(resolve),
        reject: fault => leave(() => reject(fault)),
      };
      const cancel = this.#clock.after(Math.max(0, deadline - this.#clock.monotonicMs()), () =>
        waiter.reject(stale(this.repo, gitHold(this.#gitDir) === undefined ? 'deadline' : 'git_operation')),
      );
      this.#waiters.add(waiter);
      if (this.#run === undefined) this.#wakeIn(0);
    });
  }
}

const heldByGit = new Fault('cancelled', 'git is changing the tree');

const unknownStatus: WatchStatus = {
  watching: 'off',
  watches: 0,
  polledCount: 0,
  polled: [],
  polledReason: undefined,
  crawling: true,
  cookies: 'writable',
};

function pollingMessage({ polledReason, polledCount }: WatchStatus): string | undefined {
  switch (polledReason) {
    case undefined:
    case 'configured':
      return undefined;
    case 'network_file_system':
      return 'the tree lies on a network file system: it is compared every few seconds instead of watched';
    case 'watch_limit':
      return `${amount(polledCount, 'folder is', 'folders are')} compared every few seconds: kernel watches ran out (sysctl fs.inotify.max_user_watches)`;
  }
}
