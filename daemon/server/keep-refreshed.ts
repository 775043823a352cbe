import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type RefreshScope, refreshScopes } from '../../client/protocol/refresh.ts';
import type { Clock } from '../clock.ts';
import type { JobContext } from '../jobs/queue.ts';
import { type Refreshed, type RefreshJobInput, scopesOf } from '../jobs/refresh-job.ts';
import type { BlamedContent } from '../model/history.ts';
import type { HistorySettings } from '../operations/history/historical.ts';
import type { Histories, HistoryAt } from '../operations/history/histories.ts';
import { ignoredRevisions, noRevisions } from '../operations/history/ignored-revisions.ts';
import { mendHistory } from '../operations/history/mend-history.ts';
import type { EntriesCall, ModelEntries } from '../operations/history/model-entries.ts';
import type { ReadPool } from '../operations/readers/read-pool.ts';
import { type ServedRepository, stillRegistered } from '../operations/served-repository.ts';
import { type Asked, notReady } from '../operations/symbols/answers.ts';

export interface KeepRefreshedOptions {
  readonly repositories: { get(id: string): ServedRepository | undefined };
  readonly histories: Histories;
  readonly readPool: Pick<ReadPool, 'modelEntries'>;
  readonly settings: () => HistorySettings;
  readonly clock: Clock;
  /** Resolves when what nobody waits for may go on. */
  readonly ourTurn: (signal: AbortSignal) => Promise<void>;
}

/** git is asked about so many files at a time: others who wait for it come in between. */
const blamedAtOnce = 40;
/** Where nobody waits, so many: whoever asks anything comes in between. */
const blamedInBackground = 2;

export interface KeepRefreshed {
  /** The run of refresh jobs. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  /** Has git say who wrote the lines of some files, as far as that is not known, for nobody who waits. */
  blame(repository: ServedRepository, at: HistoryAt, paths: readonly string[], signal: AbortSignal): Promise<void>;
}

export function keepRefreshed(options: KeepRefreshedOptions): KeepRefreshed {
  return {
    async run({ job, signal, report }: JobContext): Promise<Readonly<Record<string, unknown>>> {
      const startedMs = options.clock.monotonicMs();
      const scopes = scopesOf(job.type);
      const { force, dryRun } = job.input as RefreshJobInput;
      const changes: Record<RefreshScope, number> = { modules: 0, ownership: 0, hotspots: 0, responsibilities: 0 };
      const problems: string[] = [];
      const repository = stillRegistered(options.repositories, job.repo);
      const historyNow = () => historyFor(options.histories, repository, scopes, problems);
      let at = await historyNow();
      for (const [nth, scope] of scopes.entries()) {
        const tell = (fraction: number, message: string): void => report((nth + fraction) / scopes.length, message);
        tell(0, phases[scope]);
        signal.throwIfAborted();
        const part = await entriesOf(options, repository, scope, at, signal).catch(async (error: unknown) => {
          if (at === undefined) throw error;
          await mendHistory(options.histories, at, error);
          at = await historyNow();
          return entriesOf(options, repository, scope, at, signal);
        });
        if (scope === 'ownership' && at !== undefined && !dryRun) {
          problems.push(...(await blame(options.histories, at, part.contents, { force, signal, tell })));
        }
        const { entries } = part;
        // Last, and in one step: what is cut short before was never refreshed.
        const known = await options.histories.refreshed(repository.record, { scope, entries, keeps: !dryRun }, signal);
        changes[scope] = force ? entries.size : known;
      }
      const durationMs = Math.round(options.clock.monotonicMs() - startedMs);
      return { changes, problems, durationMs } satisfies Refreshed;
    },
    async blame(repository, at, paths, signal) {
      if (paths.length === 0 || repository.snapshot === undefined) return;
      const { contents } = await entriesOf(options, repository, 'ownership', at, signal);
      const meant = new Set(paths);
      const some = contents.filter(({ path }) => meant.has(path));
      for (let from = 0; from < some.length; from += blamedInBackground) {
        await options.ourTurn(signal);
        // Its history file goes with it, and would be made anew.
        stillRegistered(options.repositories, repository.record.id);
        const few = some.slice(from, from + blamedInBackground);
        await blame(options.histories, at, few, { force: false, signal, tell: () => {} });
      }
    },
  };
}

const phases: Readonly<Record<RefreshScope, string>> = {
  modules: 'Finding modules',
  ownership: 'Finding out who owns what',
  hotspots: 'Scoring hotspots',
  responsibilities: 'Reading what modules are for',
};

/** Undefined where there is none, which is a problem where nothing else is asked for. */
async function historyFor(
  histories: Histories,
  { record }: ServedRepository,
  scopes: readonly RefreshScope[],
  problems: string[],
): Promise<HistoryAt | undefined> {
  if (!scopes.some(scope => scope === 'ownership' || scope === 'hotspots')) return undefined;
  try {
    const at = await histories.at(record);
    if (at.head !== undefined) return at;
    problems.push('nothing has been committed yet, so nobody owns anything and nothing is a hotspot');
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || error.reason !== 'preconditionFailed' || scopes.length < refreshScopes.length)
      throw error;
    problems.push(error.message);
    return undefined;
  }
}

function entriesOf(
  { readPool, settings, clock }: KeepRefreshedOptions,
  repository: ServedRepository,
  scope: RefreshScope,
  at: HistoryAt | undefined,
  signal: AbortSignal,
): Promise<ModelEntries> {
  const { record, snapshot, follow } = repository;
  if (snapshot === undefined) throw notReady();
  const asked: Asked = {
    repo: { id: record.id, indexFile: record.indexFile, key: record.worktreeKey },
    current: snapshot,
    cursorSecret: '',
    dirtyFiles: follow?.status().pendingChanges ?? 0,
    now: clock.now().getTime(),
  };
  const ignored = at === undefined ? noRevisions : ignoredRevisions(at.top);
  const call: EntriesCall = { asked, scope, at, ignored, settings: settings() };
  return readPool.modelEntries(call, signal);
}

/** Has git say who wrote what, as far as that is not known. Returns what could not be told. */
async function blame(
  histories: Histories,
  at: HistoryAt,
  contents: readonly BlamedContent[],
  {
    force,
    signal,
    tell,
  }: {
    readonly force: boolean;
    readonly signal: AbortSignal;
    readonly tell: (fraction: number, message: string) => void;
  },
): Promise<readonly string[]> {
  const { hashes } = ignoredRevisions(at.top);
  const failed: string[] = [];
  for (let from = 0; from < contents.length; from += blamedAtOnce) {
    signal.throwIfAborted();
    const some = contents.slice(from, from + blamedAtOnce);
    const tellLeft = (left: number): void => {
      const done = from + some.length - left;
      tell(done / contents.length, `Asking git who wrote what: ${done} of ${contents.length}`);
    };
    const onProgress = (done: number, total: number): void => tellLeft(total - done);
    const asked = { signal, isAwaited: false, anew: force, onProgress };
    failed.push(...(await histories.blame(at, some, hashes, asked)).failed);
    tellLeft(0);
  }
  const [first, ...others] = failed;
  if (first === undefined) return [];
  return [
    `git could not say who wrote ${others.length === 0 ? first : `${first} and ${amount(others.length, 'file')} more`}`,
  ];
}
