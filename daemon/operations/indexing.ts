import { amount } from '../../client/protocol/amount.ts';
import { Fault, faultTable, invalid } from '../../client/protocol/faults.ts';
import { durationText } from '../clock.ts';
import type { Published } from '../jobs/engine.ts';
import { queueIndexJob } from '../jobs/index-job.ts';
import { type PreciseJobInput, type PreciseOutcome, queuePreciseJob } from '../jobs/index-precise.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { rootGone } from '../jobs/standing-root.ts';
import type { LanguageCounts } from '../store/publication.ts';
import type { Handlers, RequestContext } from './handler.ts';
import type { IndexerPlans } from './indexer-checks.ts';
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
  readonly freshnessMinutes: () => number;
  readonly precise: IndexerPlans;
}

/** Languages as `language` names them, for dialects that count under another. */
const countsUnder: Readonly<Record<string, string>> = { javascript: 'typescript', c: 'cpp' };

export function indexingHandlers(options: IndexingOptions): IndexingHandlers {
  return {
    'indexing.index': (input, context) => index(options, input, context),
    'indexing.status': (_, context) => {
      const repository = servedOf(options.repositories, context);
      const { snapshot, record } = repository;
      const age = ageMinutes(repository, context.now);
      return {
        exists: snapshot !== undefined,
        path: record.indexFile,
        language: largestLanguage(snapshot?.counts.languages ?? {}),
        lastIndexed: lastIndexed(repository)?.toISOString() ?? null,
        ageMinutes: age,
        fresh: staleness(repository, options.freshnessMinutes(), context.now) === undefined,
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

/** Skips what is fresh, else waits for the job; a caller that stops waiting leaves the job running. */
async function index(options: IndexingOptions, { force, language }: IndexInput, context: RequestContext) {
  const repository = servedOf(options.repositories, context);
  refuseAbsentLanguage(repository, language);
  const threshold = options.freshnessMinutes();
  const isFresh = repository.snapshot !== undefined && staleness(repository, threshold, context.now) === undefined;
  if (!force && isFresh && !hasWork(options, repository, language)) {
    return {
      status: 'skipped' as const,
      reason: 'The index is fresh',
      lastIndexed: lastIndexed(repository)!.toISOString(),
      ageMinutes: ageMinutes(repository, context.now),
      freshnessThreshold: threshold,
      hint: 'force rebuilds it all the same',
      timestamp: context.now.toISOString(),
    };
  }
  const { jobs } = options;
  const started = queueIndexJob(jobs, repository.record.id, { force });
  const stopReporting = reportProgress(jobs, started.id, context);
  const ended = await jobs.ended(started.id, context.signal).finally(stopReporting);
  if (ended.state === 'cancelled') {
    const details = { jobId: ended.id, status: ended.state };
    throw new Fault('preconditionFailed', `The job ${ended.id} was cancelled`, { details });
  }
  if (ended.state !== 'completed') {
    if (ended.error?.code === faultTable.preconditionFailed.code) throw rootGone(repository.record);
    const isStorage = ended.error?.code === faultTable.storageFailed.code;
    throw new Fault(isStorage ? 'storageFailed' : 'operationFailed', ended.error?.message ?? 'The index run failed', {
      details: { jobId: ended.id },
      ...(isStorage ? { retryAfterSeconds: 5 } : {}),
    });
  }
  const published = ended.result as Published;
  const precise = await runIndexers(options, repository, { force, language }, context);
  const counts = repository.snapshot?.counts;
  return {
    status: 'completed' as const,
    language: largestLanguage(counts?.languages ?? {}),
    languages: Object.keys(sourceLanguages(counts?.languages)).sort(),
    indexer: ['tree-sitter', ...precise.indexers].join('+'),
    duration: durationText(published.durationMs),
    symbolCount: published.symbolCount,
    fileCount: published.fileCount,
    indexPath: repository.record.indexFile,
    snapshotId: published.snapshotId,
    warnings: [
      ...warningsOf(repository),
      ...precise.problems.map(message => ({ code: 'PARTIAL_RESULT', backend: 'scip', message })),
    ],
    timestamp: new Date(context.now.getTime() + published.durationMs).toISOString(),
  };
}

function hasWork({ precise }: IndexingOptions, repository: ServedRepository, language: string): boolean {
  return precise.plan(repository, language).some(one => one.not === undefined && !one.isFresh);
}

/** Waits for the indexers of the languages that were asked for. A failure of theirs leaves what syntax says. */
async function runIndexers(
  { jobs }: IndexingOptions,
  repository: ServedRepository,
  input: PreciseJobInput,
  context: RequestContext,
): Promise<Pick<PreciseOutcome, 'indexers' | 'problems'>> {
  const started = queuePreciseJob(jobs, repository.record.id, input);
  const stopReporting = reportProgress(jobs, started.id, context);
  const ended = await jobs.ended(started.id, context.signal).finally(stopReporting);
  if (ended.state === 'completed') return ended.result as unknown as PreciseOutcome;
  return { indexers: [], problems: [`indexers did not run to their end: ${ended.error?.message ?? ended.state}`] };
}

/** Tells the caller how far the job is, as long as somebody listens. */
function reportProgress(jobs: JobQueue, id: string, { onProgress }: RequestContext): () => void {
  let told = '';
  const timer = setInterval(() => {
    const job = jobs.get(id);
    if (job === undefined) return;
    const now = `${job.progress} ${job.message}`;
    if (now !== told) onProgress({ message: job.message ?? job.state, fraction: job.progress / 100 });
    told = now;
  }, 100);
  timer.unref();
  return () => clearInterval(timer);
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
  const warning = (message: string) => ({ code: 'PARTIAL_RESULT', backend: 'tree-sitter', message });
  return [
    ...(skipped > 0
      ? [warning(`${amount(skipped, 'file was', 'files were')} passed over: too large, binary or not regular`)]
      : []),
    ...(unlisted.length > 0 ? [warning(`${amount(unlisted.length, 'path')} could not be listed`)] : []),
    ...(failed > 0 ? [warning(`${amount(failed, 'file')} could not be read or parsed`)] : []),
    ...(partial > 0
      ? [warning(`${amount(partial, 'file was', 'files were')} read only in part; svc doctor names some`)]
      : []),
  ];
}

/** Manifests and settings are counted under `configuration`, which no caller can name as a language. */
function sourceLanguages(languages: Readonly<Record<string, LanguageCounts>> = {}) {
  const { configuration: _, ...source } = languages;
  return source;
}

function largestLanguage(languages: Readonly<Record<string, LanguageCounts>>): string {
  const [largest] = Object.entries(sourceLanguages(languages)).sort(([, a], [, b]) => b.files - a.files);
  return largest?.[0] ?? '';
}
