import { isAbsolute } from 'node:path';
import { deltaSchemaVersion } from '../../client/protocol/delta.ts';
import { durationText } from '../../client/protocol/duration.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import { emptyStats } from '../jobs/delta/artifact-shape.ts';
import type { CheckedDelta } from '../jobs/delta/check-delta.ts';
import type { GivenArtifact } from '../jobs/delta/given-artifact.ts';
import type { DeltaProblem } from '../jobs/delta/read-artifact.ts';
import type { DeltaOutcome, DeltaRequest } from '../jobs/delta/run-delta.ts';
import type { IndexEngine } from '../jobs/engine.ts';
import { whenAtRest } from '../jobs/index-at-rest.ts';
import type { DaemonDatabase, SyncEntry } from '../store/daemon-db.ts';
import type { TakenDelta } from '../store/taken-deltas.ts';
import type { Handlers, RequestContext } from './handler.ts';
import { noWorkTree } from './repository-faults.ts';
import { isHosted, type ServedRepositories, type ServedRepository, servedOf } from './served-repository.ts';

export type DeltaHandlers = Pick<Handlers, 'delta.status' | 'delta.validate' | 'delta.ingest' | 'delta.build'>;

export interface DeltaOptions {
  readonly repositories: ServedRepositories;
  readonly engine: Pick<IndexEngine, 'delta' | 'readDelta'>;
  readonly clock: Clock;
  readonly deltaBytes: () => number;
  readonly jsonDepth: () => number;
  readonly database: Pick<DaemonDatabase, 'oldestSync' | 'lastSync'>;
  readonly takenDeltas: (repository: ServedRepository) => readonly TakenDelta[];
}

export function deltaHandlers(options: DeltaOptions): DeltaHandlers {
  return {
    'delta.status': (_, context) => {
      const repository = servedOf(options.repositories, context);
      const taken = options.takenDeltas(repository);
      const { uid } = repository.registered;
      const log = { oldest: options.database.oldestSync(uid), newest: options.database.lastSync(uid) };
      return {
        // What would have to be read of a changed file lies elsewhere.
        enabled: !isHosted(repository),
        schemaVersion: deltaSchemaVersion,
        activeSnapshotId: repository.snapshot?.snapshotId ?? null,
        lastDeltaIngested: lastDelta(log, taken),
        pendingDeltas: taken.filter(({ awaited }) => awaited !== undefined).length,
        timestamp: context.now.toISOString(),
      };
    },
    'delta.validate': async (input, context) => {
      const repository = servedOf(options.repositories, context);
      if (isHosted(repository)) return validateTreeless(repository, given(input, options), options, context);
      const outcome = await run(options, context, { kind: 'validate', artifact: given(input, options) });
      const { problems, base, stats } = checkedOf(outcome);
      const told = {
        schemaVersion: deltaSchemaVersion,
        baseSnapshotMatch: base === 'active',
        ...(base === undefined ? {} : { base }),
        timestamp: context.now.toISOString(),
      };
      return problems.length === 0
        ? { valid: true as const, stats: stats!, ...told }
        : { valid: false as const, errors: problems.map(wordsOf), ...told };
    },
    'delta.ingest': async (input, context) => {
      const startedMs = options.clock.monotonicMs();
      const before = servedOf(options.repositories, context).snapshot?.seq;
      const outcome = await run(options, context, { kind: 'ingest', artifact: given(input, options) });
      const { problems, stats, newSnapshotId } = checkedOf(outcome);
      if (problems.length > 0) throw refusal(problems);
      const { published, waits, awaitedCommit, isActive } = outcome as DeltaOutcome & { readonly kind: 'checked' };
      const isNews = published!.seq !== before;
      return {
        status: 'success' as const,
        outcome: waits ? ('pending' as const) : isNews ? ('applied' as const) : ('already' as const),
        applied: !waits && (isNews || isActive) ? stats! : emptyStats,
        newSnapshotId,
        activeSnapshotId: published!.snapshotId,
        published: isNews,
        pending: waits!,
        ...(awaitedCommit === undefined ? {} : { awaitedCommit }),
        duration: durationText(options.clock.monotonicMs() - startedMs),
        timestamp: context.now.toISOString(),
      };
    },
    'delta.build': async ({ base, head, output }, context) => {
      if (!isAbsolute(output)) throw invalid('invalidBody', [{ path: 'output', message: 'must be an absolute path' }]);
      const timestamp = Math.floor(context.now.getTime() / 1000);
      const build = { base, head, output, mostBytes: options.deltaBytes(), timestamp };
      const outcome = await run(options, context, { kind: 'build', build });
      const { built } = outcome as DeltaOutcome & { readonly kind: 'built' };
      return { ...built, timestamp: context.now.toISOString() };
    },
  };
}

/** Where there is no work tree no artifact is taken, and that is said with all else that speaks against it. */
async function validateTreeless(
  repository: ServedRepository,
  artifact: GivenArtifact,
  { engine }: Pick<DeltaOptions, 'engine'>,
  { signal, now }: RequestContext,
) {
  const { problems, base } = await engine.readDelta(artifact, { signal });
  const isActive = base !== undefined && base === repository.snapshot?.snapshotId;
  return {
    valid: false as const,
    schemaVersion: deltaSchemaVersion,
    baseSnapshotMatch: isActive,
    ...(isActive ? { base: 'active' as const } : {}),
    errors: [...problems.map(wordsOf), `deltas: not checked: ${noWorkTree(repository).message}`],
    timestamp: now.toISOString(),
  };
}

/** Its two ends. */
interface Log {
  readonly oldest: SyncEntry | undefined;
  readonly newest: SyncEntry | undefined;
}

/** The log's first entry came from nothing, each later one by a delta; an artifact may wait for its files first. */
function lastDelta({ oldest, newest }: Log, taken: readonly TakenDelta[]): string | null {
  const times = taken.map(({ takenAt }) => takenAt);
  if (newest !== undefined && newest.seq !== oldest?.seq) times.push(newest.publishedAt);
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
}

function run({ repositories, engine, clock }: DeltaOptions, context: RequestContext, request: DeltaRequest) {
  const { record: repo } = servedOf(repositories, context);
  const { signal } = context;
  return whenAtRest({ clock, repo, signal }, evenIfHeld => engine.delta(repo, request, { evenIfHeld, signal }));
}

type GivenInput = { readonly artifact?: unknown; readonly file?: string };

function given({ artifact, file }: GivenInput, { deltaBytes, jsonDepth }: DeltaOptions): GivenArtifact {
  if ((artifact === undefined) === (file === undefined)) {
    throw invalid('invalidBody', [{ path: 'artifact', message: 'either it or a file is to be given' }]);
  }
  const text = typeof artifact === 'string' ? Buffer.from(artifact) : artifact;
  if (text !== undefined && !(text instanceof Uint8Array)) {
    throw invalid('invalidBody', [{ path: 'artifact', message: 'must be JSON text' }]);
  }
  if (file !== undefined && !isAbsolute(file)) {
    throw invalid('invalidBody', [{ path: 'file', message: 'must be an absolute path' }]);
  }
  return { text, file, mostBytes: deltaBytes(), mostDepth: jsonDepth() };
}

function checkedOf(outcome: DeltaOutcome): CheckedDelta {
  return (outcome as DeltaOutcome & { readonly kind: 'checked' }).checked;
}

function wordsOf({ path, message }: DeltaProblem): string {
  return `${path}: ${message}`;
}

const unmet = ['extractor_version', 'wrong_base', 'tree_differs'] as const;

/** 412 where the artifact may be good elsewhere, 422 where it is good nowhere; every reason is told either way. */
function refusal(problems: readonly DeltaProblem[]): Fault {
  const told = {
    problems: problems.map(({ path, message }) => ({ path, message })),
    errors: problems.map(wordsOf),
  };
  const reason = unmet.find(one => problems.some(problem => problem.reason === one));
  if (reason === undefined) return new Fault('invalidBody', wordsOf(problems[0]!), { details: told });
  const meant = problems.filter(problem => problem.reason === reason);
  return new Fault('preconditionFailed', wordsOf(meant[0]!), {
    details: { reason, paths: meant.map(({ path }) => path), ...told },
  });
}
