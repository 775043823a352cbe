import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createGit, type Git } from '../backends/git.ts';
import { createLsp, type Lsp } from '../backends/lsp.ts';
import { languageServers } from '../backends/lsp-table.ts';
import { stepsPerSecond } from '../extract/budget.ts';
import { docsJobType } from '../jobs/docs-job.ts';
import type { EngineNotice, IndexEngine } from '../jobs/engine.ts';
import { followRepository } from '../jobs/follow/follow-repository.ts';
import { isLargeTree } from '../jobs/follow/tree-size.ts';
import { createHistoryEngine } from '../jobs/history/history-engine.ts';
import { indexJobType } from '../jobs/index-job.ts';
import { createJobQueue, type JobQueue } from '../jobs/queue.ts';
import { refreshJobTypes } from '../jobs/refresh-job.ts';
import { preciseJobType } from '../jobs/scip/index-precise.ts';
import { indexScip, scipJobType } from '../jobs/scip/index-scip.ts';
import { isLargeUpload, type UploadJobInput, uploadJobType } from '../jobs/upload/upload-job.ts';
import { runDocsJob } from '../operations/docs/docs-job.ts';
import { createFederationPool } from '../operations/federation/federation-pool.ts';
import { syncFederationJobType } from '../operations/federations.ts';
import { historySettings } from '../operations/history/asking-history.ts';
import { syncJobType } from '../operations/mirrors.ts';
import { createReadPool, type ReadPool } from '../operations/readers/read-pool.ts';
import { stillRegistered } from '../operations/served-repository.ts';
import { type SymbolsHandlers, symbolsHandlers } from '../operations/symbols.ts';
import type { CallsAsked } from '../operations/telemetry/calls-asked.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import { historyFileOf } from '../store/history/history-file.ts';
import { memberFileIn } from '../store/member-file.ts';
import { countWorkers } from '../workers/count.ts';
import { betweenQuestions } from './between-questions.ts';
import { commonFolderOf } from './common-folder.ts';
import { type KeepFederations, type KeepFederationsOptions, keepFederations } from './keep-federations.ts';
import { type KeepHistory, keepHistory } from './keep-history.ts';
import { type KeepHosted, keepHosted } from './keep-hosted.ts';
import { type KeepIndexed, keepIndexed } from './keep-indexed.ts';
import { type KeepMirrors, keepMirrors } from './keep-mirrors.ts';
import { type KeepPrecise, keepPrecise } from './keep-precise.ts';
import { keepRefreshed } from './keep-refreshed.ts';
import type { KeepTelemetry } from './keep-telemetry.ts';
import { memberPlaces } from './member-places.ts';
import { engineOf, scipLimitsOf, watcherOf } from './open-engine.ts';
import type { DaemonState } from './open-state.ts';
import { openTelemetry } from './open-telemetry.ts';
import { createRepositories, type Repositories } from './repositories.ts';
import { memberSync, type SyncMemberOptions } from './sync-member.ts';

/** The registered repositories with all that keeps them indexed and reads them. */
export interface Indexing {
  readonly git: Git;
  readonly engine: IndexEngine;
  readonly repositories: Repositories;
  readonly jobs: JobQueue;
  readonly keep: KeepIndexed;
  readonly hosted: KeepHosted;
  readonly mirrors: KeepMirrors;
  readonly federations: KeepFederations;
  readonly telemetry: KeepTelemetry;
  readonly precise: KeepPrecise;
  readonly histories: KeepHistory;
  readonly lsp: Lsp;
  readonly symbols: SymbolsHandlers;
  /** Live worker threads: those that watch, write and read. */
  readonly workers: () => number;
  /** Ends jobs, watching and the writer, once what needs them has ended, after `graceMs` at the latest; reading goes on. */
  readonly stopWriting: (graceMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function openIndexing(state: DaemonState): Indexing {
  const { database, clock, observe, shadowFolder } = state;
  const git = createGit({ shadowFolder });
  const repositories = repositoriesOf(state);
  const workers = countWorkers();
  const engine = engineOf(state, notice => {
    hear(notice, state, keep);
    const repository = notice.kind === 'published' ? repositories.get(notice.repo) : undefined;
    if (repository?.snapshot === undefined) return;
    const { record, snapshot } = repository;
    symbols.published(record, snapshot, snapshot.counts.symbols);
  });
  const forgetFile = async (indexFile: string): Promise<boolean> => {
    await historyEngine.release(historyFileOf(indexFile)).catch(() => {}); // it is closing
    return symbols.forget(indexFile);
  };
  const watcher = watcherOf(state);
  const historyEngine = createHistoryEngine({ shadowFolder, idleMs: state.hasFewFiles ? 250 : 60_000 });
  const readPool = createReadPool({ idleMs: 60_000 });
  const lsp = lspOf(state);
  const symbols = symbolsOf(
    state,
    repositories,
    { readPool, lsp },
    (repo, error) => keep.damagedAt(repo, error),
    repo => telemetry.asked(repo),
  );
  const keep = keepIndexed({
    repositories,
    engine,
    follow: repo =>
      followRepository({ repo, engine, watcher, clock, observe, onGit: () => histories.gitMoved(repo.id) }),
    database,
    clock,
    observe,
    forgetFile,
  });
  const hosted = keepHosted({
    ...{ repositories, engine, database, clock, observe, forgetFile },
    uploadsFolder: join(state.places.data, 'uploads'),
    jobs: () => jobs,
    remove: id => keep.remove(id),
    makeReady: (before, repo, current) =>
      readPool.follow({
        before,
        asked: { repo, current, cursorSecret: '', dirtyFiles: 0, now: clock.now().getTime() },
      }),
  });
  const mirrors = keepMirrors({
    ...{ repositories, hosted, engine, database, clock, uid: state.places.uid },
    jobs: () => jobs,
    limits: () => scipLimitsOf(state.config.values()),
  });
  state.alsoObserve(mirrors.hear.bind(mirrors));
  const histories = keepHistory({
    ...{ repositories, clock, observe, engine: historyEngine, config: state.config.values },
    blameChanged: async (record, at, paths, signal) => {
      const repository = repositories.get(record.id);
      if (repository !== undefined) await refreshed.blame(repository, at, paths, signal);
    },
  });
  state.alsoObserve(histories.hear);
  const precise = keepPrecise({
    ...{ repositories, places: state.places, config: state.config.values, environment: state.start.environment },
    ...{ clock, observe },
    ingest: (repo, index, request) => engine.ingestScip(repo, index, request),
  });
  state.alsoObserve(precise.hear);
  state.alsoObserve(seen => {
    if (seen.kind !== 'repository.changed' || seen.change !== 'trusted') return;
    const record = repositories.get(seen.repo)?.record;
    if (record?.trusted === false && record.root !== '') lsp.endIn(record.root);
  });
  const questions = betweenQuestions(clock);
  state.alsoObserve(questions.hear);
  const refreshed = keepRefreshed({
    ...{ repositories, histories, readPool, clock, ourTurn: questions.wait },
    settings: () => historySettings(state.config.loaded()),
  });
  const federations = federationsOf(state, {
    ...{ repositories, engine, histories, readPool, jobs: () => jobs },
    damagedAt: (repo, error) => keep.damagedAt(repo, error),
    releaseFile: async indexFile => {
      histories.leave(indexFile);
      await engine.release(indexFile);
      await forgetFile(indexFile);
    },
  });
  state.alsoObserve(federations.hear.bind(federations));
  const telemetry = openTelemetry(state, repositories, readPool);
  const jobs = createJobQueue({
    store: database,
    runs: {
      [indexJobType]: context => keep.run(context),
      [preciseJobType]: context => precise.run(context),
      ...Object.fromEntries(refreshJobTypes.map(type => [type, refreshed.run])),
      [uploadJobType]: context => hosted.run(context),
      [syncJobType]: context => mirrors.run(context),
      [syncFederationJobType]: context => federations.run(context),
      [docsJobType]: context => runDocsJob(context, { repositories, readPool, database, clock }),
      [scipJobType]: context => indexScip(stillRegistered(repositories, context.job.repo).record, context, engine),
    },
    clock,
    newId: randomUUID,
    maxQueued: () => state.config.values().limits.queued_jobs,
    width: 2,
    isLarge: ({ type, repo = '', input }) =>
      type === uploadJobType
        ? isLargeUpload(input as UploadJobInput)
        : isLargeTree(repositories.get(repo)?.record.root),
    outlives: ({ type }) => type !== uploadJobType,
    isBackground: ({ type }) => type === preciseJobType,
    nameOf: jobName,
    observe(seen) {
      if (seen.kind === 'job.changed') keep.jobChanged(seen);
      observe(seen);
    },
  });
  return {
    git,
    engine,
    repositories,
    jobs,
    keep,
    hosted,
    mirrors,
    federations,
    telemetry,
    precise,
    histories,
    lsp,
    symbols,
    workers,
    async stopWriting(graceMs) {
      const untilMs = clock.monotonicMs() + graceMs;
      jobs.windDown();
      await state.leadersWork.over(graceMs);
      await jobs.close(Math.max(0, untilMs - clock.monotonicMs()));
      await telemetry.close();
      await federations.close();
      histories.close();
      await historyEngine.close();
      hosted.close();
      await keep.close();
      await watcher.close();
      await engine.close();
    },
    async close() {
      symbols.close();
      await lsp.close();
      await readPool.close();
    },
  };
}

interface FederationNeeds
  extends Pick<KeepFederationsOptions, 'repositories' | 'jobs'>,
    Pick<SyncMemberOptions, 'engine' | 'histories' | 'readPool' | 'damagedAt'> {
  readonly releaseFile: (indexFile: string) => Promise<void>;
}

function federationsOf(state: DaemonState, needs: FederationNeeds): KeepFederations {
  const { database, clock, config, observe } = state;
  const places = memberPlaces({ ...repositoryPlaces(state), ...needs });
  const pool = createFederationPool({
    file: memberFileIn(state.places.data),
    idleMs: 60_000,
    onDamage: what => keep.damaged(what),
  });
  const syncMember = memberSync({
    ...{ ...needs, places, pool, clock },
    settings: () => historySettings(config.loaded()),
    decisionsFolder: () => config.values().decisions.folder,
  });
  const keep = keepFederations({ ...needs, database, places, pool, syncMember, clock, observe });
  return keep;
}

/** A job as those know it who wait for its end. */
function jobName({ type, repo, message = '' }: StoredJob): string {
  const [indexer] = message.split(':', 1);
  const work: Readonly<Record<string, string>> = {
    [indexJobType]: 'the index run',
    [preciseJobType]: indexer || 'indexers',
    [scipJobType]: 'a SCIP index to be taken in',
    [uploadJobType]: 'an upload to be taken in',
    [syncJobType]: 'a mirror to be read',
    [syncFederationJobType]: 'a federation to be synchronised',
    [docsJobType]: 'documents to be read',
  };
  return repo === undefined ? (work[type] ?? type) : `${work[type] ?? type} in ${repo}`;
}

function repositoriesOf(state: DaemonState): Repositories {
  const { database, config, clock } = state;
  return createRepositories({
    database,
    ...repositoryPlaces(state),
    limit: () => config.values().limits.repositories,
    configuredDefault: () => config.values().default_repo,
    now: clock.now,
  });
}

function repositoryPlaces({ places }: DaemonState) {
  return {
    reposFolder: places.repos,
    ownFolders: [places.state, places.data, places.runtime, places.config],
    uid: places.uid,
    commonFolderOf,
  };
}

/** What is configured goes before what is found; with `lsp.enabled` off only the former is asked. */
function lspOf({ places, config, start, clock }: DaemonState): Lsp {
  return createLsp({
    servers() {
      const { enabled, servers } = config.values().lsp;
      const own = Object.entries(servers).map(([name, { command, languages }]) => ({
        ...{ name, command, languages },
        isConfigured: true,
      }));
      return enabled ? [...own, ...languageServers.filter(({ name }) => !Object.hasOwn(servers, name))] : own;
    },
    environment: start.environment,
    scratchFolder: join(places.data, 'indexing'),
    nowMs: clock.monotonicMs,
  });
}

function symbolsOf(
  { database, clock, shadowFolder, config, deaths }: DaemonState,
  repositories: Repositories,
  asked: { readonly readPool: ReadPool; readonly lsp: Lsp },
  damagedAt: KeepIndexed['damagedAt'],
  calls: (repo: string) => CallsAsked | undefined,
): SymbolsHandlers {
  const { limits } = config.values();
  return symbolsHandlers({
    clock,
    ...asked,
    // What the index says is to be told well before the question's time is over.
    serverMs: () => (config.values().limits.query_seconds * 1000) / 3,
    cursorSecret: database.secret('cursor_secret', randomBytes),
    calls: ({ repository }) => calls(repository.id),
    tombstone: ({ repository }, hash) => {
      const uid = repositories.get(repository.id)?.registered.uid;
      return uid === undefined ? undefined : database.tombstone(uid, hash);
    },
    unlisted: ({ repository }) => repositories.get(repository.id)?.unlisted ?? [],
    dirtyFiles: ({ repository }) => repositories.get(repository.id)?.follow?.status().pendingChanges ?? 0,
    headSettings: ({ repository }) => ({
      root: repository.root,
      shadowFolder,
      sourceLimits: { bytes: limits.source_bytes, lineCharacters: limits.source_line_characters },
      parseSteps: limits.parse_seconds * stepsPerSecond,
      quarantined: [...deaths.dangerousInputs().quarantined],
    }),
    onDamage: ({ repository }, error) => damagedAt(repository.id, error),
  });
}

function hear(notice: EngineNotice, { deaths, log, observe }: DaemonState, keep: KeepIndexed): void {
  switch (notice.kind) {
    case 'published':
      deaths.ranWell();
      keep.published(notice.repo, notice.published);
      return;
    case 'index_quarantined':
      keep.damaged(notice.repo, notice.indexFile, notice.what);
      return;
    case 'index_mended':
      keep.mended(notice.repo, notice.indexFile, notice.what, notice.documents);
      return;
    case 'write_failed':
      keep.notWritten(notice.repo, notice.why);
      return;
    case 'file_skipped':
      log.info({ repo: notice.repo, path: notice.path, reason: notice.reason }, 'file.skipped');
      return;
    case 'suspect_landed':
      deaths.landed(notice.hash);
      return;
    case 'worker_crashed':
      observe({ kind: 'daemon.fault', what: 'the write worker crashed', cause: undefined });
  }
}
