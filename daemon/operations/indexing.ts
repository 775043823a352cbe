import { amount } from '../../client/protocol/amount.ts';
import { durationText } from '../../client/protocol/duration.ts';
import { Fault, faultTable, invalid } from '../../client/protocol/faults.ts';
import type { Git } from '../backends/git.ts';
import type { Published } from '../jobs/engine.ts';
import { queueIndexJob } from '../jobs/index-job.ts';
import { publicError } from '../jobs/job-faults.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { type PreciseJobInput, type PreciseOutcome, queuePreciseJob } from '../jobs/scip/index-precise.ts';
import { queueScipJob, type ScipJobInput, type ScipTold, scipJobInput } from '../jobs/scip/index-scip.ts';
import { rootGone } from '../jobs/standing-root.ts';
import type { UnlistedPath } from '../jobs/unlisted.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import type { LanguageCounts } from '../store/publication.ts';
import { endOf, jobFailed } from './awaited-job.ts';
import type { IndexerPlans } from './doctor/indexer-checks.ts';
import type { Handlers, RequestContext } from './handler.ts';
import {
  ageMinutes,
  isWriting,
  lastIndexed,
  type ServedRepositories,
  type ServedRepository,
  servedOf,
  staleness,
} from './served-repository.ts';

export type IndexingHandlers = Pick<Handlers, 'indexing.index' | 'indexing.status'>;

export interface IndexingOptions {
  readonly repositories: ServedRepositories;
  readonly jobs: JobQueue;
  readonly git: Pick<Git, 'commitOf'>;
  readonly freshnessMinutes: () => number;
  readonly precise: IndexerPlans;
}

/** Languages as `language` names them, for dialects that count under another. */
const countsUnder: Readonly<Record<string, string>> = { javascript: 'typescript', c: 'cpp' };

export function indexingHandlers(options: IndexingOptions): IndexingHandlers {
  return {
    'indexing.index': (input, context) => index(options, input, context),
    'indexing.status': async (_, context) => {
      const repository = servedOf(options.repositories, context);
      const stale = await staleness(repository, options.freshnessMinutes(), context.now);
      const { snapshot, record } = repository; // of this moment, as is what was said of it
      const age = ageMinutes(repository, context.now);
      return {
        exists: snapshot !== undefined,
        path: record.indexFile,
        language: largestLanguage(snapshot?.counts.languages ?? {}),
        lastIndexed: lastIndexed(repository)?.toISOString() ?? null,
        ageMinutes: age,
        fresh: stale === undefined,
        freshnessThreshold: options.freshnessMinutes(),
        symbolCount: snapshot?.counts.symbols ?? 0,
        fileCount: snapshot?.counts.files ?? 0,
        skippedFiles: snapshot?.counts.skipped ?? 0,
        failedFiles: snapshot?.counts.failed ?? 0,
        partialFiles: snapshot?.counts.partial ?? 0,
        locked: isWriting(repository),
        snapshotId: snapshot?.snapshotId ?? null,
        timestamp: context.now.toISOString(),
      };
    },
  };
}

type IndexInput = Parameters<IndexingHandlers['indexing.index']>[0];

/** Skips what is fresh, else waits for the jobs; a caller that stops waiting leaves them running. */
async function index(options: IndexingOptions, input: IndexInput, context: RequestContext) {
  const repository = servedOf(options.repositories, context);
  const { force, language, scip, commit } = input;
  refuseContradiction(input);
  refuseAbsentLanguage(repository, language);
  const given =
    scip === undefined
      ? undefined
      : await scipJobInput({ scip, commit }, repository.record, options.git, context.signal);
  if (!force && given === undefined && (await isFresh(options, repository, language, context))) {
    const freshnessThreshold = options.freshnessMinutes();
    return {
      status: 'skipped' as const,
      reason: 'The index is fresh',
      lastIndexed: lastIndexed(repository)!.toISOString(),
      ageMinutes: ageMinutes(repository, context.now),
      freshnessThreshold,
      hint: 'force rebuilds it all the same',
      timestamp: context.now.toISOString(),
    };
  }
  const published = await runOverTree(options, repository, force, context);
  // Of the first run, which languages there are is known only now.
  refuseAbsentLanguage(repository, language);
  const precise =
    given === undefined
      ? await runIndexers(options, repository, { force, language }, context)
      : await takeIn(options, repository, given, context);
  // What was edited while indexers ran is in the index by now.
  const { snapshotId, counts } = repository.snapshot ?? { ...published, counts: undefined };
  const durationMs = published.durationMs + precise.durationMs;
  return {
    status: 'completed' as const,
    language: largestLanguage(counts?.languages ?? {}),
    languages: Object.keys(sourceLanguages(counts?.languages)).sort(),
    indexer: ['tree-sitter', ...precise.indexers].join('+'),
    duration: durationText(durationMs),
    symbolCount: counts?.symbols ?? published.symbolCount,
    fileCount: counts?.files ?? published.fileCount,
    indexPath: repository.record.indexFile,
    snapshotId,
    ...(precise.scip === undefined ? {} : { scip: precise.scip }),
    warnings: [
      ...warningsOf(repository),
      ...precise.problems.map(message => ({ code: 'PARTIAL_RESULT', backend: 'scip', message })),
    ],
    timestamp: new Date(context.now.getTime() + durationMs).toISOString(),
  };
}

async function isFresh(
  options: IndexingOptions,
  repository: ServedRepository,
  language: string,
  { now }: RequestContext,
): Promise<boolean> {
  if (repository.snapshot === undefined) return false;
  const isOfTree = (await staleness(repository, options.freshnessMinutes(), now)) === undefined;
  return isOfTree && !hasWork(options, repository, language);
}

function hasWork({ precise }: IndexingOptions, repository: ServedRepository, language: string): boolean {
  return precise.plan(repository, language).some(one => one.not === undefined && !one.isFresh);
}

async function runOverTree(
  { jobs }: IndexingOptions,
  { record }: ServedRepository,
  force: boolean,
  context: RequestContext,
): Promise<Published> {
  const ended = await endOf(jobs, queueIndexJob(jobs, record.id, { force }).id, context);
  if (ended.state === 'completed') return ended.result as unknown as Published;
  if (ended.error?.code === faultTable.preconditionFailed.code) throw rootGone(record);
  throw jobFailed(ended, 'The index run failed');
}

/** What indexers came to, ours or that of whoever made an index elsewhere. */
interface Precise extends Pick<PreciseOutcome, 'indexers' | 'problems'> {
  readonly scip?: Omit<ScipTold, 'problems'>;
  readonly durationMs: number;
}

/** Waits for the indexers of the languages that were asked for. A failure of theirs leaves what syntax says. */
async function runIndexers(
  options: IndexingOptions,
  repository: ServedRepository,
  input: PreciseJobInput,
  context: RequestContext,
): Promise<Precise> {
  const startedMs = performance.now();
  const ended = await endOfIndexers(options, repository, input, context);
  const durationMs = performance.now() - startedMs;
  if (ended.state === 'completed') return { ...(ended.result as unknown as PreciseOutcome), durationMs };
  const problem = `indexers did not run to their end: ${ended.error?.message ?? ended.state}`;
  return { indexers: [], problems: [problem], durationMs };
}

async function endOfIndexers(
  { jobs }: IndexingOptions,
  { record }: ServedRepository,
  input: PreciseJobInput,
  context: RequestContext,
): Promise<Pick<StoredJob, 'state' | 'result' | 'error'>> {
  try {
    return await endOf(jobs, queuePreciseJob(jobs, record.id, input, true).id, context);
  } catch (error) {
    // A daemon that leaves ends them early: the run over the tree has published all the same.
    if (!(error instanceof Fault) || error.reason !== 'shuttingDown') throw error;
    return { state: 'failed', result: undefined, error: publicError(error) };
  }
}

/** Waits for an index that was made elsewhere to be taken in. */
async function takeIn(
  { jobs }: IndexingOptions,
  { record }: ServedRepository,
  input: ScipJobInput,
  context: RequestContext,
): Promise<Precise> {
  const ended = await endOf(jobs, queueScipJob(jobs, record.id, input).id, context);
  const message = ended.error?.message ?? '';
  if (ended.error?.code === faultTable.invalidBody.code) throw invalid('invalidBody', [{ path: 'scip', message }]);
  if (ended.state !== 'completed') throw jobFailed(ended, 'The index could not be taken in');
  const { problems, durationMs, ...told } = ended.result as unknown as ScipTold & { readonly durationMs: number };
  const { indexer, documents, joined, otherContent, notInTree, damaged, occurrences } = told;
  const scip = { indexer, documents, joined, otherContent, notInTree, damaged, occurrences };
  return { indexers: [indexer.split(' ')[0]!], problems, scip, durationMs };
}

function refuseContradiction({ scip, commit, language }: IndexInput): void {
  if (scip === undefined && commit !== undefined) {
    throw invalid('invalidBody', [{ path: 'commit', message: 'goes with scip, the index that was made of it' }]);
  }
  if (scip !== undefined && language !== 'auto') {
    throw invalid('invalidBody', [{ path: 'language', message: 'goes without scip: no indexer runs then' }]);
  }
}

function refuseAbsentLanguage(repository: ServedRepository, language: string): void {
  if (language === 'auto' || repository.snapshot === undefined) return;
  const present = new Set(
    Object.keys(sourceLanguages(repository.snapshot.counts.languages)).map(name => countsUnder[name] ?? name),
  );
  if (present.has(language)) return;
  throw invalid('invalidBody', [
    {
      path: 'language',
      message: `the repository has no ${language}; it has ${[...present].sort().join(', ') || 'no source'}`,
    },
  ]);
}

export function warningsOf({ snapshot, unlisted }: ServedRepository) {
  const { skipped = 0, failed = 0, partial = 0 } = snapshot?.counts ?? {};
  const paths = unlisted.filter(({ reason }) => reason !== 'git_unreadable');
  const closedGit = unlisted.find(({ reason }) => reason === 'git_unreadable');
  const warning = (message: string) => ({ code: 'PARTIAL_RESULT', backend: 'tree-sitter', message });
  return [
    ...(skipped > 0
      ? [warning(`${amount(skipped, 'file was', 'files were')} passed over: too large, binary or not regular`)]
      : []),
    ...(paths.length > 0 ? [warning(`${amount(paths.length, 'path')} could not be listed${named(paths)}`)] : []),
    ...(closedGit === undefined
      ? []
      : [
          warning(
            `${closedGit.path} could not be read: tracked files that are ignored are missing, and what git’s own rules ignore is not; svc doctor tells why`,
          ),
        ]),
    ...(failed > 0 ? [warning(`${amount(failed, 'file')} could not be read or parsed`)] : []),
    ...(partial > 0
      ? [warning(`${amount(partial, 'file was', 'files were')} read only in part; svc doctor names some`)]
      : []),
  ];
}

/** The first few. */
function named(unlisted: readonly UnlistedPath[]): string {
  const some = unlisted.slice(0, 3).map(({ path }) => path);
  return `: ${some.join(', ')}${unlisted.length > some.length ? ', …' : ''}`;
}

/** Manifests and settings are counted under `configuration`, which no caller can name as a language. */
function sourceLanguages(languages: Readonly<Record<string, LanguageCounts>> = {}) {
  const { configuration: _, ...source } = languages;
  return source;
}

/** As callers name it, by files. */
function largestLanguage(languages: Readonly<Record<string, LanguageCounts>>): string {
  const files = new Map<string, number>();
  for (const [language, counts] of Object.entries(sourceLanguages(languages))) {
    const name = countsUnder[language] ?? language;
    files.set(name, (files.get(name) ?? 0) + counts.files);
  }
  const [largest] = [...files].sort(([, a], [, b]) => b - a);
  return largest?.[0] ?? '';
}
