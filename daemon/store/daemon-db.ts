import { accessKeyMethods } from './access-keys.ts';
import { copyDaemonFile, openDaemonFile, readHeads, type Sql } from './daemon-file.ts';
import {
  type DaemonDatabase,
  exchangeMs,
  type HostedIndex,
  type QuarantinedInput,
  type RepositorySource,
  type StoredJob,
  type StoredJobState,
  type SyncEntry,
} from './daemon-records.ts';
import { exposureMethods } from './exposures.ts';
import { federationMethods } from './federations.ts';
import { goneDefinitionMethods } from './gone-definitions.ts';
import { remoteMethods } from './remotes.ts';
import { callReader } from './telemetry/call-reader.ts';

export type {
  DaemonDatabase,
  HostedIndex,
  QuarantinedInput,
  RegisteredRepository,
  RepositorySource,
  StoredJob,
  StoredJobState,
  SyncEntry,
  Tombstone,
} from './daemon-records.ts';

const jobsKept = 1_000;
const syncEntriesKept = 10_000;
const syncFloorsKept = 10_000;
const mostSuccessors = 100;
const tombstoneMs = 90 * 24 * 60 * 60_000;

/** Opens `daemon.db` as `openDaemonFile` does. */
export function openDaemonDatabase(file: string, nowMs: number = Date.now()): DaemonDatabase {
  const sql = openDaemonFile(file, nowMs);
  const { run, get, together } = sql;
  const repositories = repositoryMethods(sql);
  const history = historyMethods(sql);
  const setting = (name: string): string | undefined =>
    get<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)?.value;
  const setSetting = (name: string, value: string): void =>
    run(
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  return {
    file,
    origin: sql.origin,
    setting,
    setSetting,
    writeTrouble: () => {
      try {
        if (sql.trouble() !== undefined) setSetting('writable', String(nowMs));
      } catch {
        // It says why.
      }
      return sql.trouble();
    },
    readHeads: () => readHeads(file),
    secret: (name, random) =>
      together(() => {
        const known = setting(name);
        if (known !== undefined) return known;
        const made = Buffer.from(random(32)).toString('hex');
        setSetting(name, made);
        return made;
      }),
    ...repositories,
    ...jobMethods(sql),
    ...history,
    hosted: uid =>
      get<HostedIndex>(
        'SELECT epoch, commit_hash AS "commit", indexer, updated_at AS updatedAt FROM hosted WHERE repo_uid = ?',
        uid,
      ),
    publishHosted: (repository, { epoch, commit, indexer, updatedAt }, published) =>
      together(() => {
        repositories.saveRepository(repository);
        const { uid } = repository;
        run('INSERT OR REPLACE INTO hosted VALUES (?, ?, ?, ?, ?)', uid, epoch, commit, indexer, updatedAt);
        if (published !== undefined) history.appendSync(uid, published);
      }),
    ...casualtyMethods(sql),
    ...accessKeyMethods(file, sql),
    ...remoteMethods(sql),
    ...exposureMethods(sql, history),
    ...federationMethods(sql),
    calls: callReader(sql),
    hasUnfinishedBatch: () => get('SELECT 1 FROM call_batch_body LIMIT 1') !== undefined,
    ...goneDefinitionMethods(sql),
    backup: () => copyDaemonFile(file, sql),
    close: sql.close,
  };
}

type RepositoryMethods = Pick<
  DaemonDatabase,
  'repositories' | 'saveRepository' | 'removeRepository' | 'setDefaultRepository' | 'setTrusted'
>;

function repositoryMethods({ run, all, together }: Sql): RepositoryMethods {
  interface Row {
    readonly id: string;
    readonly uid: string;
    readonly source: RepositorySource;
    readonly root: string;
    readonly common_folder: string;
    readonly trusted: number;
    readonly added_at: number;
    readonly is_default: number;
  }
  const setDefault = (id: string | undefined): void => {
    if (id === undefined) run(`DELETE FROM setting WHERE name = 'default_repository'`);
    else run(`INSERT OR REPLACE INTO setting (name, value) VALUES ('default_repository', ?)`, id);
  };
  return {
    repositories: () =>
      all<Row>(
        `SELECT repository.*, coalesce(id = (SELECT value FROM setting WHERE name = 'default_repository'), 0) AS is_default
         FROM repository ORDER BY added_at, id`,
      ).map(row => ({
        id: row.id,
        uid: row.uid,
        source: row.source,
        root: row.root,
        commonFolder: row.common_folder,
        trusted: row.trusted === 1,
        isDefault: row.is_default === 1,
        addedAt: row.added_at,
      })),
    saveRepository: repository =>
      together(() => {
        run(
          'INSERT OR REPLACE INTO repository (id, uid, source, root, common_folder, trusted, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ...[repository.id, repository.uid, repository.source, repository.root, repository.commonFolder],
          ...[repository.trusted ? 1 : 0, repository.addedAt],
        );
        if (repository.isDefault) setDefault(repository.id);
      }),
    removeRepository: id =>
      together(() => {
        run(
          `INSERT OR REPLACE INTO sync_floor (repo, seq)
           SELECT id, max(seq) FROM repository JOIN sync_log ON repo_uid = uid WHERE id = ? GROUP BY id`,
          id,
        );
        run('DELETE FROM sync_floor WHERE place <= (SELECT max(place) FROM sync_floor) - ?', syncFloorsKept);
        for (const table of [
          'sync_log',
          'tombstone',
          'gone_definition',
          'moved_document',
          'hosted',
          'remote',
          'exposure',
        ]) {
          run(`DELETE FROM ${table} WHERE repo_uid IN (SELECT uid FROM repository WHERE id = ?)`, id);
        }
        run('DELETE FROM repository WHERE id = ?', id);
        run(`DELETE FROM setting WHERE name = 'default_repository' AND value = ?`, id);
        run('DELETE FROM casualty WHERE repo = ?', id);
        run('DELETE FROM quarantine WHERE repo = ?', id);
      }),
    setDefaultRepository: setDefault,
    setTrusted: (id, trusted) => run('UPDATE repository SET trusted = ? WHERE id = ?', trusted ? 1 : 0, id),
  };
}

interface JobRow {
  readonly id: string;
  readonly type: string;
  readonly repo: string | null;
  readonly state: StoredJobState;
  readonly progress: number;
  readonly message: string | null;
  readonly input: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
}

type JobMethods = Pick<DaemonDatabase, 'jobs' | 'job' | 'saveJob' | 'noteProgress'>;

function jobMethods({ run, all, get, together, lightly }: Sql): JobMethods {
  return {
    jobs: ({ state, type, limit }) => {
      const where = 'WHERE state = coalesce(?, state) AND type = coalesce(?, type)';
      const filter = [state ?? null, type ?? null] as const;
      return {
        jobs: all<JobRow>(`SELECT * FROM job ${where} ORDER BY created_at DESC, id DESC LIMIT ?`, ...filter, limit).map(
          storedJob,
        ),
        total: get<{ n: number }>(`SELECT count(*) AS n FROM job ${where}`, ...filter)!.n,
      };
    },
    job: id => {
      const row = get<JobRow>('SELECT * FROM job WHERE id = ?', id);
      return row === undefined ? undefined : storedJob(row);
    },
    saveJob: job =>
      together(() => {
        run(
          'INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...[job.id, job.type, job.repo ?? null, job.state, Math.round(job.progress), job.message ?? null],
          ...[JSON.stringify(job.input ?? null), encoded(job.result), encoded(job.error)],
          ...[job.createdAt, job.startedAt ?? null, job.completedAt ?? null],
        );
        if (job.completedAt === undefined) return;
        // What ended in a time to come, by a clock that was set back since, goes first.
        run(
          `DELETE FROM job WHERE id IN (
             SELECT id FROM job WHERE state NOT IN ('queued', 'running')
             ORDER BY completed_at > ?, completed_at DESC, created_at DESC, id DESC LIMIT -1 OFFSET ${jobsKept})`,
          job.completedAt,
        );
      }),
    noteProgress: ({ id, progress, message }) =>
      lightly(() => run('UPDATE job SET progress = ?, message = ? WHERE id = ?', progress, message ?? null, id)),
  };
}

const encoded = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

function storedJob(row: JobRow): StoredJob {
  return {
    id: row.id,
    type: row.type,
    repo: row.repo ?? undefined,
    state: row.state,
    progress: row.progress,
    message: row.message ?? undefined,
    input: JSON.parse(row.input),
    result: row.result === null ? undefined : JSON.parse(row.result),
    error: row.error === null ? undefined : JSON.parse(row.error),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    completedAt: row.completed_at ?? undefined,
  };
}

type HistoryMethods = Pick<
  DaemonDatabase,
  'appendSync' | 'lastSync' | 'oldestSync' | 'syncAt' | 'tombstone' | 'recordGone'
>;

const syncColumns =
  'seq, snapshot AS snapshotId, evidence AS evidenceId, published_at AS publishedAt, epoch, file_seq AS fileSeq';

function historyMethods({ run, get, together }: Sql): HistoryMethods {
  const syncEntry = (uid: string, order: 'ASC' | 'DESC'): SyncEntry | undefined =>
    get<SyncEntry>(`SELECT ${syncColumns} FROM sync_log WHERE repo_uid = ? ORDER BY seq ${order} LIMIT 1`, uid);
  const lastSync = (uid: string): SyncEntry | undefined => syncEntry(uid, 'DESC');
  /** Where one of its id ended that was removed. */
  const syncFloor = (uid: string): number | undefined =>
    get<{ seq: number }>('SELECT seq FROM sync_floor WHERE repo = (SELECT id FROM repository WHERE uid = ?)', uid)?.seq;
  const stone = (uid: string, symbolHash: string) =>
    get<{ replaced_by: string | null; gone_at: number }>(
      'SELECT replaced_by, gone_at FROM tombstone WHERE repo_uid = ? AND symbol = ?',
      ...[uid, symbolHash],
    );
  /** What took a symbol's place may have gone too: the way is followed to its end; undefined where it has none. */
  const lastSuccessor = (
    uid: string,
    symbolHash: string,
  ): { readonly hash: string; readonly goneAt?: number } | undefined => {
    const way = new Set<string>();
    for (let at = symbolHash; !way.has(at) && way.size <= mostSuccessors; ) {
      const gone = stone(uid, at);
      if (gone === undefined) return { hash: at };
      if (gone.replaced_by === null) return { hash: at, goneAt: gone.gone_at };
      way.add(at);
      at = gone.replaced_by;
    }
    return undefined;
  };
  /** Drops a tombstone. What had taken the symbol's place leads back if it went just now; it is returned if it is there. */
  const revive = (uid: string, symbolHash: string, nowMs: number): string | undefined => {
    const last = lastSuccessor(uid, symbolHash);
    run('DELETE FROM tombstone WHERE repo_uid = ? AND symbol = ?', uid, symbolHash);
    if (last === undefined || last.hash === symbolHash) return undefined;
    if (last.goneAt === undefined) return last.hash;
    if (nowMs - last.goneAt > exchangeMs) return undefined;
    run('UPDATE tombstone SET replaced_by = ? WHERE repo_uid = ? AND symbol = ?', symbolHash, uid, last.hash);
    return undefined;
  };
  return {
    lastSync,
    appendSync: (uid, entry) =>
      together(() => {
        const seq = (lastSync(uid)?.seq ?? syncFloor(uid) ?? 0) + 1;
        run(
          `INSERT INTO sync_log (repo_uid, seq, snapshot, evidence, published_at, epoch, file_seq)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ...[uid, seq, entry.snapshotId, entry.evidenceId, entry.publishedAt, entry.epoch, entry.fileSeq],
        );
        run('DELETE FROM sync_log WHERE repo_uid = ? AND seq <= ?', uid, seq - syncEntriesKept);
        return seq;
      }),
    oldestSync: uid => syncEntry(uid, 'ASC'),
    syncAt: (uid, seq) =>
      get<SyncEntry>(`SELECT ${syncColumns} FROM sync_log WHERE repo_uid = ? AND seq = ?`, uid, seq),
    tombstone: (uid, symbolHash) => {
      const row = stone(uid, symbolHash);
      if (row === undefined) return undefined;
      const last = lastSuccessor(uid, symbolHash);
      return { symbolHash, replacedBy: last?.goneAt === undefined ? last?.hash : undefined, goneAt: row.gone_at };
    },
    recordGone: (uid, gone, revived, nowMs, forgettingMs = nowMs) =>
      together(() => {
        const originals = new Map<string, string>();
        for (const hash of revived) {
          const successor = revive(uid, hash, nowMs);
          if (successor !== undefined) originals.set(successor, hash);
        }
        for (const { symbolHash, replacedBy, goneAt } of gone) {
          const successor = replacedBy ?? originals.get(symbolHash) ?? null;
          run('INSERT OR REPLACE INTO tombstone VALUES (?, ?, ?, ?)', uid, symbolHash, successor, goneAt);
        }
        run('DELETE FROM tombstone WHERE gone_at < ?', forgettingMs - tombstoneMs);
        return originals;
      }),
  };
}

type CasualtyMethods = Pick<DaemonDatabase, 'quarantined' | 'quarantine' | 'inFlight' | 'landed' | 'takeCasualties'>;

function casualtyMethods({ run, all, together }: Sql): CasualtyMethods {
  return {
    quarantined: () => all<QuarantinedInput>('SELECT * FROM quarantine ORDER BY since, hash'),
    quarantine: input =>
      run(
        'INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?, ?)',
        ...[input.hash, input.repo, input.path, input.reason, input.since],
      ),
    inFlight: (hash, repo, path) =>
      run(
        `INSERT INTO casualty (hash, repo, path, in_flight, deaths) VALUES (?, ?, ?, 1, 0)
         ON CONFLICT DO UPDATE SET in_flight = 1, repo = excluded.repo, path = excluded.path`,
        ...[hash, repo, path],
      ),
    landed: hash => run('DELETE FROM casualty WHERE hash = ?', hash),
    takeCasualties: () =>
      together(() => {
        run('UPDATE casualty SET deaths = deaths + 1, in_flight = 0 WHERE in_flight = 1');
        return all('SELECT hash, repo, path, deaths FROM casualty ORDER BY hash');
      }),
  };
}
