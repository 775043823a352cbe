import type { Sql } from './daemon-file.ts';

/** Where a mirrored repository comes from, and how its last synchronisation went. */
export interface StoredRemote {
  readonly repoUid: string;
  readonly url: string;
  readonly remoteRepo: string;
  /** Absolute; undefined: the server asks for no key. */
  readonly tokenFile: string | undefined;
  /** Of the server's snapshot that the index here is made of; undefined before the first. */
  readonly syncSeq: number | undefined;
  /** Milliseconds. */
  readonly syncedAt: number | undefined;
  /** Why the last one failed, in public words; undefined where it did not. */
  readonly error: string | undefined;
}

export interface RemoteMethods {
  remote(repoUid: string): StoredRemote | undefined;
  /** Adds or replaces. */
  saveRemote(remote: StoredRemote): void;
}

interface Row {
  readonly url: string;
  readonly remote_repo: string;
  readonly token_file: string | null;
  readonly sync_seq: number | null;
  readonly synced_at: number | null;
  readonly error: string | null;
}

export function remoteMethods({ run, get }: Pick<Sql, 'run' | 'get'>): RemoteMethods {
  return {
    remote: repoUid => {
      const row = get<Row>('SELECT * FROM remote WHERE repo_uid = ?', repoUid);
      if (row === undefined) return undefined;
      return {
        repoUid,
        url: row.url,
        remoteRepo: row.remote_repo,
        tokenFile: row.token_file ?? undefined,
        syncSeq: row.sync_seq ?? undefined,
        syncedAt: row.synced_at ?? undefined,
        error: row.error ?? undefined,
      };
    },
    saveRemote: one =>
      run(
        `INSERT OR REPLACE INTO remote (repo_uid, url, remote_repo, token_file, sync_seq, synced_at, error)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[one.repoUid, one.url, one.remoteRepo, one.tokenFile ?? null],
        ...[one.syncSeq ?? null, one.syncedAt ?? null, one.error ?? null],
      ),
  };
}
