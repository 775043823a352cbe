import { Fault } from '../../client/protocol/faults.ts';
import { cutPrint } from '../backends/git-history.ts';
import { readHead } from '../backends/git-refs.ts';
import { findRepository, type GitRepository, prefixIn } from '../backends/git-repository.ts';
import { type Clock, every } from '../clock.ts';
import type { Config } from '../config-schema.ts';
import type { Observation, Observe } from '../events.ts';
import { withoutGit } from '../jobs/git-trouble.ts';
import { mostChangedPaths, type StoredHistory } from '../jobs/history/history-calls.ts';
import type { HistoryEngine } from '../jobs/history/history-engine.ts';
import { knownHead } from '../jobs/known-head.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import {
  type Histories,
  type HistoryAt,
  type HistoryFailure,
  type HistoryState,
  isWant,
} from '../operations/history/histories.ts';
import { isGone, isHosted } from '../operations/served-repository.ts';
import { historyFileOf } from '../store/history/history-file.ts';
import { eitherSignal } from '../workers/either-signal.ts';
import type { Repositories } from './repositories.ts';

export interface KeepHistoryOptions {
  readonly repositories: Pick<Repositories, 'list' | 'get'>;
  readonly engine: HistoryEngine;
  readonly config: () => Pick<Config, 'history'>;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Has those files blamed, of the paths that are given, whose lines nobody has looked at yet. */
  readonly blameChanged: (
    record: RepositoryRecord,
    at: HistoryAt,
    paths: readonly string[],
    signal: AbortSignal,
  ) => Promise<void>;
}

/** Keeps the history of every registered repository up to its HEAD, and of others for those who ask. */
export interface KeepHistory extends Histories {
  /** Lets go of the file beside an index that is to be removed. */
  leave(indexFile: string): void;
  start(): void;
  hear: Observe;
  /** To be told where git seems to have done something. */
  gitMoved(id: string): void;
  close(): void;
}

/** Whoever asks looks at HEAD; this is for those that nobody asks about and git says nothing of. */
const lookAgainMs = 5000;
/** Of many repositories each in its turn. */
const lookedAtOnce = 10;
/** git writes its files one after the other. */
const settleMs = 50;
const countedAtOnce = 2000;
const askAgainMs = 250;
/** What a start has to do is done by then. */
const startedMs = 2000;

interface Kept {
  readonly historyFile: string;
  stored: StoredHistory | undefined;
  /** What bounded the history when that was stored. */
  bounds: string | undefined;
  updating: Promise<void> | undefined;
  /** Why the last update failed. */
  failure: HistoryFailure | undefined;
  /** How often it failed in a row, and until when nobody tries who is not asked to. */
  failures: number;
  restsUntilMs: number;
}

/** What is to be made of updates that nobody has caught up with yet. */
interface Behind {
  readonly record: RepositoryRecord;
  /** That these changed. */
  readonly paths: ReadonlySet<string>;
}

const nothingKept: Omit<Kept, 'historyFile'> = {
  ...{ stored: undefined, bounds: undefined, updating: undefined, failure: undefined },
  ...{ failures: 0, restsUntilMs: 0 },
};
/** After a failure, twice as long after each further one. */
const firstRestMs = 5000;
const longestRestMs = 10 * 60_000;

export function keepHistory(options: KeepHistoryOptions): KeepHistory {
  const { repositories, engine, config, clock, observe } = options;
  const kept = new Map<string, Kept>();
  const closing = new AbortController();
  /** What is done in nobody's name, one after the other. */
  let background: Promise<void> = Promise.resolve();
  /** Of that what is under way: nobody behind it waits for what was begun for a repository that is removed. */
  let underWay: { readonly repo: string; readonly stop: AbortController } | undefined;
  /** What waits for its turn in that, by repository. */
  const behind = new Map<string, Behind>();
  let stopLooking = (): void => {};

  /** For work that nobody waits for: what is our own fault is told. */
  const observed = (id: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((cause: unknown) => {
      if (!(cause instanceof Fault)) observe({ kind: 'daemon.fault', what: `the history of ${id}`, cause });
    });
  const keptOf = ({ id, indexFile }: RepositoryRecord): Kept => {
    const historyFile = historyFileOf(indexFile);
    const before = kept.get(id);
    const known = before?.historyFile === historyFile ? before : { ...nothingKept, historyFile };
    kept.set(id, known);
    return known;
  };
  /** A file that is made anew has nothing of other worktrees: all that is known of it but under that epoch is forgotten. */
  const forget = (historyFile: string, epoch?: string): void => {
    for (const one of kept.values()) {
      if (one.historyFile === historyFile && one.stored?.epoch !== epoch) one.stored = undefined;
    }
  };
  const boundsOf = (repository: GitRepository): string => `${config().history.most_commits} ${cutPrint(repository)}`;
  const update = (record: RepositoryRecord): Promise<void> => {
    const mine = keptOf(record);
    const subject = subjectOf(record);
    const call = { ...subject, mostCommits: config().history.most_commits };
    const found = findRepository(record.root);
    const bounds = found.found === 'repository' ? boundsOf(found.repository) : undefined;
    const updating = engine.update(call, closing.signal).then(
      ({ stored, added, changedPaths }) => {
        Object.assign(mine, { ...nothingKept, stored, bounds });
        forget(subject.historyFile, stored.epoch);
        if (added > 0 || stored.uncounted > 0) later(record, changedPaths);
      },
      (error: unknown) => {
        const rest = Math.min(longestRestMs, firstRestMs * 2 ** mine.failures);
        const restsUntilMs = clock.monotonicMs() + rest;
        const failure = failureOf(error);
        Object.assign(mine, { updating: undefined, failure, failures: mine.failures + 1, restsUntilMs });
        throw error;
      },
    );
    mine.updating = updating;
    return updating;
  };
  const at = async (record: RepositoryRecord): Promise<HistoryAt> => {
    const mine = keptOf(record);
    const fail = (error: unknown): never => {
      mine.failure = failureOf(error);
      throw error;
    };
    const repository = repositoryAt(record.root, fail);
    // One that began before HEAD moved may not have seen it.
    for (let times = 0; times < 3; times++) {
      const { commit } = await knownHead(readHead(repository), repository).catch(fail);
      if (mine.stored !== undefined && mine.stored.head === commit && mine.bounds === boundsOf(repository)) {
        mine.failure = undefined;
        break;
      }
      await (mine.updating ?? update(record));
    }
    const { stored } = mine;
    if (stored === undefined) throw new Fault('backendUnavailable', 'The history is being read anew: ask again');
    return {
      ...subjectOf(record),
      ...stored,
      prefix: prefixIn(repository.workTree, record.root),
      top: repository.workTree,
    };
  };
  /** Over when nobody makes the first index of a repository: what nobody waits for would take the processor from that. */
  const firstIndex = async (id: string): Promise<void> => {
    for (;;) {
      const repository = repositories.get(id);
      if (repository?.progress === undefined || repository.snapshot !== undefined || closing.signal.aborted) return;
      await new Promise<void>(resolve => clock.after(askAgainMs, resolve));
    }
  };
  /** Makes git quick, counts lines, then looks who wrote what has changed; for as long as the repository is registered. */
  const catchUp = async ({ record, paths }: Behind, signal: AbortSignal): Promise<void> => {
    const isWanted = (): boolean =>
      !closing.signal.aborted && repositories.get(record.id)?.record.indexFile === record.indexFile;
    if (!isWanted()) return;
    // git that writes no such file is slower, and tells the same.
    await observed(record.id, engine.speedUp(subjectOf(record), signal));
    const mine = kept.get(record.id);
    for (let left = mine?.stored?.uncounted ?? 0; left > 0 && isWanted(); ) {
      const before = left;
      left = await engine.countLines({ ...subjectOf(record), most: countedAtOnce }, signal);
      if (mine?.stored !== undefined) mine.stored = { ...mine.stored, uncounted: left };
      if (left >= before) break;
    }
    if (config().history.background_blame && isWanted())
      await options.blameChanged(record, await at(record), [...paths], signal);
  };
  const catchUpInTurn = async (id: string): Promise<void> => {
    const piece = behind.get(id)!;
    behind.delete(id);
    const stop = new AbortController();
    underWay = { repo: id, stop };
    const { signal, release } = eitherSignal(closing.signal, stop.signal);
    await observed(id, catchUp(piece, signal));
    release();
    underWay = undefined;
  };
  /** However often a history grows before its turn comes, that is one turn. */
  const later = (record: RepositoryRecord, changedPaths: readonly string[]): void => {
    const waits = behind.get(record.id);
    const before = waits?.record.indexFile === record.indexFile ? waits.paths : [];
    const paths = new Set([...before, ...changedPaths]);
    behind.set(record.id, { record, paths: paths.size > mostChangedPaths ? new Set() : paths });
    if (waits !== undefined) return;
    void firstIndex(record.id).then(() => {
      background = background.then(() => catchUpInTurn(record.id));
    });
  };
  /** For nobody who waits. */
  const look = async (id: string): Promise<void> => {
    const repository = repositories.get(id);
    const isResting = (kept.get(id)?.restsUntilMs ?? 0) > clock.monotonicMs();
    if (repository === undefined || isHosted(repository) || isGone(repository) || isResting) return;
    if (closing.signal.aborted) return;
    await observed(id, at(repository.record));
  };
  const waiting = new Map<string, () => void>();
  return {
    at,
    state: (id): HistoryState => {
      const mine = kept.get(id);
      return { stored: mine?.stored, failure: mine?.failure, isReading: mine?.updating !== undefined };
    },
    include: ({ root, historyFile, worktree }, commits, signal) =>
      engine.include({ root, historyFile, worktree, commits }, signal),
    blame: async (at, contents, ignored, asked) => {
      // Its file has gone with it, and would be made anew.
      if (![...kept.values()].some(one => one.historyFile === at.historyFile)) throw removed();
      return engine.blame(
        {
          root: at.root,
          historyFile: at.historyFile,
          worktree: at.worktree,
          head: asked.commit ?? at.head ?? '',
          contents,
          ignored,
          isAwaited: asked.isAwaited,
          anew: asked.anew ?? false,
        },
        { signal: asked.signal, ...(asked.onProgress === undefined ? {} : { onProgress: asked.onProgress }) },
      );
    },
    refreshed: (record, part, signal) => {
      const { historyFile, worktree } = subjectOf(record);
      return engine.refreshed({ historyFile, worktree, ...part }, signal);
    },
    authors: ({ historyFile }, signal) => engine.authors(historyFile, signal),
    damaged: async ({ historyFile, epoch }) => {
      const isKnown = [...kept.values()].some(one => one.historyFile === historyFile && one.stored?.epoch === epoch);
      // Somebody else has told of it, and it has been made anew.
      if (!isKnown) return;
      forget(historyFile);
      await engine.discard(historyFile);
    },
    leave: indexFile => {
      for (const [id, { historyFile }] of kept) if (historyFile === historyFileOf(indexFile)) kept.delete(id);
    },
    start: () => {
      // One after the other, behind the first answers: nobody waits for them.
      const stopWaiting = clock.after(startedMs, () => {
        for (const { record } of repositories.list()) background = background.then(() => look(record.id));
      });
      let next = 0;
      const stop = every(clock, lookAgainMs, () => {
        const all = repositories.list();
        for (let count = Math.min(all.length, lookedAtOnce); count > 0; count--)
          void look(all[next++ % all.length]!.record.id);
      });
      stopLooking = () => {
        stopWaiting();
        stop();
      };
    },
    hear: (seen: Observation) => {
      if (seen.kind !== 'repository.changed') return;
      if (seen.change === 'added') void look(seen.repo);
      if (seen.change !== 'removed') return;
      kept.delete(seen.repo);
      if (underWay?.repo === seen.repo) underWay.stop.abort(removed());
    },
    gitMoved: id => {
      if (waiting.has(id)) return;
      const cancel = clock.after(settleMs, () => {
        waiting.delete(id);
        void look(id);
      });
      waiting.set(id, cancel);
    },
    close: () => {
      stopLooking();
      for (const cancel of waiting.values()) cancel();
      closing.abort(new Fault('shuttingDown', 'The daemon is shutting down'));
    },
  };
}

function removed(): Fault {
  return new Fault('cancelled', 'The repository was removed');
}

function subjectOf(record: Pick<RepositoryRecord, 'root' | 'indexFile' | 'worktreeKey'>) {
  return { root: record.root, historyFile: historyFileOf(record.indexFile), worktree: record.worktreeKey };
}

function failureOf(error: unknown): HistoryFailure {
  if (!(error instanceof Fault))
    return { message: 'the history could not be read; the log has the cause', isWant: false };
  return { message: error.message, isWant: isWant(error) };
}

/** `fail` is told why there is none. */
function repositoryAt(root: string, fail: (want: Fault) => never): GitRepository & { readonly workTree: string } {
  // No root is no path: it would be the folder that this process stands in.
  const found = root === '' ? undefined : findRepository(root);
  if (found?.found === 'repository' && found.repository.workTree !== undefined) {
    return { ...found.repository, workTree: found.repository.workTree };
  }
  return fail(withoutGit(found ?? { found: 'none' }, root, 'no history'));
}
