import type { Sql } from './daemon-file.ts';
import type { DaemonDatabase } from './daemon-records.ts';

/** What an index server shows of a repository. */
export interface Exposure {
  /** As the server is remembered, beyond its end. */
  readonly server: string;
  /** The id that it serves the repository by. */
  readonly servedAs: string;
  /** Any text that tells one way of showing it from another. */
  readonly shown: string;
}

export interface ExposureMethods {
  /**
   * The sequence of a repository from which on a server has shown that of it; 0 where it never showed anything else. Where
   * it did until now, or where nobody knows what this server did and another did, the last entry of the sync log is
   * appended once more: that is the one.
   */
  shownSince(repoUid: string, exposure: Exposure): number;
}

interface Row {
  readonly shown: string;
  readonly since: number;
}

export function exposureMethods(
  { run, get, together }: Sql,
  { lastSync, appendSync }: Pick<DaemonDatabase, 'lastSync' | 'appendSync'>,
): ExposureMethods {
  const stored = (uid: string, { server, servedAs }: Exposure): Row | undefined =>
    get<Row>(
      'SELECT shown, since FROM exposure WHERE repo_uid = ? AND served_as = ? AND server = ?',
      uid,
      servedAs,
      server,
    );
  const isShownOtherwise = (uid: string, { servedAs, shown }: Exposure): boolean =>
    get('SELECT 1 FROM exposure WHERE repo_uid = ? AND served_as = ? AND shown != ?', uid, servedAs, shown) !==
    undefined;
  return {
    shownSince: (uid, exposure) => {
      const known = stored(uid, exposure);
      if (known?.shown === exposure.shown) return known.since;
      return together(() => {
        const last = known === undefined && !isShownOtherwise(uid, exposure) ? undefined : lastSync(uid);
        const since = last === undefined ? 0 : appendSync(uid, last);
        const { server, servedAs, shown } = exposure;
        run('INSERT OR REPLACE INTO exposure VALUES (?, ?, ?, ?, ?)', uid, servedAs, server, shown, since);
        return since;
      });
    },
  };
}
