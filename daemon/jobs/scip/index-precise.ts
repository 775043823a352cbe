import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { ProgramFailed } from '../../backends/bounded-program.ts';
import type { IndexerRun } from '../../backends/indexer-run.ts';
import { runIndexer } from '../../backends/indexers.ts';
import { scratchIn } from '../../backends/own-folder.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import type { StoredJob } from '../../store/daemon-db.ts';
import { openIndexReader } from '../../store/index-reader.ts';
import { eitherSignal } from '../../workers/either-signal.ts';
import type { JobQueue } from '../queue.ts';
import { damageWords, named } from './index-scip.ts';
import type { ScipOutcome } from './join-scip.ts';
import {
  filesOf,
  type IndexerChoice,
  isMisconfigured,
  manifestOf,
  type PlannedIndexer,
  planPrecise,
  programOf,
  wordsFor,
} from './plan-precise.ts';
import { preciseDigest, readLastRuns, saveLastRun } from './precise-digest.ts';
import type { ScipSource } from './scip-source.ts';

export const preciseJobType = 'index-precise';

/**
 * The job of a repository that waits or runs already, or else a new one; one `isForWaiters` does not begin once they have
 * left. Throws what `JobQueue.add` throws.
 */
export function queuePreciseJob(
  jobs: Pick<JobQueue, 'addOnce'>,
  repo: string,
  { language, force }: PreciseJobInput,
  isForWaiters: boolean,
): StoredJob {
  const input: PreciseJobInput = { language, force };
  return jobs.addOnce(preciseJobType, { repo, input, isForWaiters });
}

/** What the job takes, as its `input` holds it; its `result` is a `PreciseOutcome`. */
export interface PreciseJobInput {
  /** As callers name it: `typescript` stands for JavaScript too, `cpp` for C; `auto` for all. */
  readonly language: string;
  readonly force: boolean;
}

export interface PreciseOutcome {
  /** Indexers whose facts the index has now, whether they ran or nothing had changed for them. */
  readonly indexers: readonly string[];
  /** Those of them that ran. */
  readonly ran: readonly string[];
  /** Why others did not, or not for all, in public words. */
  readonly problems: readonly string[];
}

export interface PreciseOptions {
  readonly choice: IndexerChoice;
  /** Takes an index in; its files are removed afterwards. */
  readonly ingest: (
    repo: RepositoryRecord,
    index: ScipSource,
    request: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: { readonly phase: string; readonly fraction: number }) => void;
    },
  ) => Promise<{ readonly outcome: TakenIn }>;
  /** A folder of ours; what is made in it is removed again. */
  readonly scratchFolder: string;
  /** Removes it, and throws nothing: what has been taken in stands, whatever stays behind. */
  readonly clear: (scratch: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  readonly bounds: () => Required<Pick<IndexerRun, 'timeoutMs' | 'memoryBytes' | 'filesAtOnce'>>;
  /** Told why one came to nothing, and what it wrote last, or else the cause: that is for the log alone. */
  readonly onFailure: (repo: string, message: string, lastWords: string) => void;
}

/** What became of the documents of an index that was written. */
type TakenIn = Pick<
  ScipOutcome,
  'documents' | 'joined' | 'awaited' | 'otherContent' | 'notInTree' | 'damaged' | 'examples'
>;

export interface PreciseRequest extends PreciseJobInput {
  readonly signal: AbortSignal;
  /** Fires when the user takes back the trust in the repository. */
  readonly revoked: AbortSignal;
  /** `message` begins with the name of the indexer that is at work, and a colon. */
  readonly report: (fraction: number, message: string) => void;
}

/**
 * Runs the indexers of a repository, one after the other, and hands over what they write. What fails is told and leaves the
 * others; the signal ends the program that runs. Rejects with `cancelled` alone.
 */
export async function indexPrecisely(
  repo: RepositoryRecord,
  request: PreciseRequest,
  options: PreciseOptions,
): Promise<PreciseOutcome> {
  const planned = planPrecise(repo, request.language, options.choice);
  const toRun = planned.filter(one => one.not === undefined && (request.force || !one.isFresh));
  const indexers: string[] = [];
  const ran: string[] = [];
  const problems: string[] = [];
  for (const one of planned) {
    const { name } = one.indexer;
    if (one.not !== undefined) {
      if (isToTell(one, request.language)) problems.push(wordsFor(one));
      continue;
    }
    const number = toRun.indexOf(one);
    if (number < 0) {
      indexers.push(name);
      if (one.trouble !== undefined) problems.push(one.trouble);
      continue;
    }
    const report: PreciseRequest['report'] = (fraction, message) =>
      request.report((number + fraction) / toRun.length, `${name}: ${message}`);
    try {
      problems.push(...(await runWhileTrusted(repo, one, { ...request, report }, options)));
      indexers.push(name);
      ran.push(name);
    } catch (error) {
      if (request.signal.aborted) throw new Fault('cancelled', 'Cancelled');
      const trouble = failureWords(name, error);
      saveTrouble(repo, name, trouble);
      problems.push(trouble);
      options.onFailure(repo.id, trouble, lastWords(error));
    }
  }
  return { indexers, ran, problems: problems.slice(0, 100) };
}

/** Whether one that does not run is news: not where its language is served, or where the user wants it so. */
function isToTell(planned: PlannedIndexer, language: string): boolean {
  if (planned.not === 'left_out') return language !== 'auto';
  return isMisconfigured(planned) || planned.servedFiles < planned.files;
}

/** What the program itself takes of an indexer's time, roughly; to take in what it wrote takes the rest. */
const runShare = 0.8;

/** The phases of an intake, as those who wait are told of them. */
const intakeSteps: Readonly<Record<string, string>> = {
  scip: 'its index is read',
  link: 'its index is joined with the tree',
  publish: 'what it says is published',
};

/** Trust that is taken back ends what runs by it, and nothing of that is taken in; what needs none begins again without. */
async function runWhileTrusted(
  repo: RepositoryRecord,
  one: PlannedIndexer,
  request: PreciseRequest,
  options: PreciseOptions,
): Promise<readonly string[]> {
  const { signal, revoked } = request;
  if (!repo.trusted) return runOne(repo, one, request, options);
  const either = eitherSignal(revoked, signal);
  try {
    return await runOne(repo, one, { ...request, signal: either.signal }, options);
  } catch (error) {
    if (signal.aborted || !revoked.aborted) throw error;
  } finally {
    either.release();
  }
  if (one.indexer.runsCode) throw new ProgramFailed('cancelled', wordsFor({ ...one, not: 'untrusted' }));
  return runOne({ ...repo, trusted: false }, one, request, options);
}

async function runOne(
  repo: RepositoryRecord,
  one: PlannedIndexer,
  { force, signal, report }: PreciseRequest,
  { scratchFolder, clear, environment, bounds, ingest, onFailure }: PreciseOptions,
): Promise<readonly string[]> {
  const { indexer, found } = one;
  const scratch = scratchIn(scratchFolder, `${indexer.name}-`);
  try {
    // Anew for each: files change while the others run, and those would be said to have been seen.
    const read = manifestOf(repo);
    const before = contentsOf(read);
    // At least one, so that shares of it can be told.
    const files = Math.max(1, read === undefined ? 0 : filesOf(indexer, read.snapshot).files);
    report(0, `reads ${amount(files, 'file')}`);
    const { written, problems } = await runIndexer({
      ...{ indexer, found: found!, root: repo.root, project: repo.id, trusted: repo.trusted },
      ...{ paths: [...before.keys()], scratch, environment, ...bounds(), signal },
      onFiles(count) {
        const done = Math.min(count, files);
        report((runShare * done) / files, `has read ${done} of ${amount(files, 'file')}`);
      },
      onFailure: ({ message, words }) => onFailure(repo.id, message, words.last),
    });
    signal.throwIfAborted();
    const onProgress = ({ phase, fraction }: { readonly phase: string; readonly fraction: number }) =>
      report(runShare + (1 - runShare) * fraction, intakeSteps[phase] ?? phase);
    const contents = unchanged(before, contentsOf(manifestOf(repo)));
    const [first, ...others] = written;
    const source = { seen: { kind: 'contents', contents }, ran: { isForced: force } } as const;
    const taken = first && (await ingest(repo, { parts: [first, ...others], ...source }, { signal, onProgress }));
    const nothing = taken && whyNothing(taken.outcome);
    if (nothing !== undefined) throw new Fault('preconditionFailed', nothing);
    const damage = taken === undefined ? [] : damageWords(taken.outcome);
    const all = [...problems, ...damage.map(words => `${indexer.name}: ${words}`)];
    // What changed meanwhile may change back: then this run has nothing to say of it.
    if (read !== undefined) saveRun(repo, one, contents.size === before.size ? read : undefined, all, read.epoch);
    return all;
  } finally {
    clear(scratch);
  }
}

/** A run that gave the index facts: of a tree that stayed as it was, all that there are. */
function saveRun(
  repo: RepositoryRecord,
  { indexer, found }: PlannedIndexer,
  read: ReturnType<typeof manifestOf>,
  problems: readonly string[],
  epoch: string,
): void {
  const tree = read && { inputs: read.snapshot.counts.inputs, lines: read.entries };
  const digest =
    tree === undefined
      ? readLastRuns(repo, epoch)[indexer.name]?.digest
      : preciseDigest(indexer, programOf(found), repo.trusted, tree);
  saveLastRun(repo, epoch, indexer.name, { digest, ...(problems.length === 0 ? {} : { trouble: inOne(problems) }) });
}

/** One that gave none: it is asked again even about a tree that it once read well. */
function saveTrouble(repo: RepositoryRecord, name: string, trouble: string): void {
  const reader = openIndexReader(repo.indexFile);
  const { epoch } = reader;
  reader.close();
  saveLastRun(repo, epoch, name, { trouble: inOne([trouble]) });
}

function inOne(problems: readonly string[]): string {
  return problems.join('; ').slice(0, longestTrouble);
}

const longestTrouble = 1000;

/** Why nothing is known by an index that was taken in; undefined where something is. */
function whyNothing({ documents, joined, awaited, otherContent, notInTree, damaged, examples }: TakenIn) {
  if (joined + awaited > 0) return undefined;
  if (documents === 0) return 'its index tells of no file';
  if (damaged > 0) return damageWords({ damaged })[0];
  return otherContent > 0
    ? `the files that its index tells of changed while it ran: ${named(examples.otherContent, otherContent)}`
    : `the repository has no file that its index tells of${notInTree > 0 ? `: ${named(examples.notInTree, notInTree)}` : ''}`;
}

/** Files by what they contain; those whose bytes were not read have ''. */
function contentsOf(read: ReturnType<typeof manifestOf>): Map<string, string> {
  return new Map((read?.entries ?? []).map(({ entry }) => [entry.path, entry.hash]));
}

function unchanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...before].filter(([path, hash]) => after.get(path) === hash));
}

function lastWords(error: unknown): string {
  if (error instanceof ProgramFailed) return error.words.last;
  return error instanceof Fault ? '' : error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function failureWords(name: string, error: unknown): string {
  if (error instanceof ProgramFailed) return error.message;
  return error instanceof Fault ? `${name}: ${error.message}` : `${name} failed; the log has the cause`;
}
