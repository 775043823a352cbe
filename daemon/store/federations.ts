import type { EdgeMark, Federation, Member } from '../model/federation.ts';
import type { Sql } from './daemon-file.ts';

export interface FederationMethods {
  /** By name. */
  federations(): readonly Federation[];
  federation(name: string): Federation | undefined;
  /** Adds one, or gives that of the uid another name and description; its members stay. Throws where another has the name. */
  saveFederation(federation: Omit<Federation, 'members'>): void;
  /** With its members, and with what was said of its edges. */
  removeFederation(uid: string): void;
  /** Adds or replaces by the repository's uid. Throws where another repository has the id. */
  saveMember(federationUid: string, member: Member): void;
  removeMember(federationUid: string, repoUid: string): void;
  edgeMarks(federationUid: string): readonly EdgeMark[];
  /** Adds or replaces by edge and mark. */
  /** In place of what was said of the edge before: it is suppressed or verified. */
  saveEdgeMark(federationUid: string, mark: EdgeMark): void;
  /** Whether there was one. */
  removeEdgeMark(federationUid: string, edgeId: number, mark: EdgeMark['mark']): boolean;
}

type FederationRow = Omit<Federation, 'members'>;
interface MarkRow extends Omit<EdgeMark, 'reason'> {
  readonly reason: string | null;
}

export function federationMethods({ run, get, all, together }: Sql): FederationMethods {
  const columns = 'uid, name, description, created_at AS createdAt';
  const membersOf = (uid: string): readonly Member[] =>
    all<Omit<Member, 'tags'> & { readonly tags: string }>(
      `SELECT repo_uid AS repoUid, repo_id AS repoId, kind, path, tags, added_at AS addedAt
       FROM federation_member WHERE federation_uid = ? ORDER BY repo_id`,
      uid,
    ).map(row => ({ ...row, tags: JSON.parse(row.tags) as readonly string[] }));
  const whole = (row: FederationRow): Federation => ({ ...row, members: membersOf(row.uid) });
  return {
    federations: () => all<FederationRow>(`SELECT ${columns} FROM federation ORDER BY name`).map(whole),
    federation: name => {
      const row = get<FederationRow>(`SELECT ${columns} FROM federation WHERE name = ?`, name);
      return row === undefined ? undefined : whole(row);
    },
    saveFederation: ({ uid, name, description, createdAt }) =>
      run(
        `INSERT INTO federation VALUES (?, ?, ?, ?)
         ON CONFLICT (uid) DO UPDATE SET name = excluded.name, description = excluded.description`,
        ...[uid, name, description, createdAt],
      ),
    removeFederation: uid =>
      together(() => {
        for (const table of ['federation_member', 'edge_mark'])
          run(`DELETE FROM ${table} WHERE federation_uid = ?`, uid);
        run('DELETE FROM federation WHERE uid = ?', uid);
      }),
    saveMember: (federationUid, { repoUid, repoId, kind, path, tags, addedAt }) =>
      run(
        `INSERT INTO federation_member VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (federation_uid, repo_uid) DO UPDATE SET repo_id = excluded.repo_id, kind = excluded.kind,
           path = excluded.path, tags = excluded.tags, added_at = excluded.added_at`,
        ...[federationUid, repoUid, repoId, kind, path, JSON.stringify(tags), addedAt],
      ),
    removeMember: (federationUid, repoUid) =>
      run('DELETE FROM federation_member WHERE federation_uid = ? AND repo_uid = ?', federationUid, repoUid),
    edgeMarks: federationUid =>
      all<MarkRow>(
        `SELECT edge_id AS edgeId, mark, said_by AS "by", said_at AS at, reason FROM edge_mark
         WHERE federation_uid = ? ORDER BY edge_id, mark`,
        federationUid,
      ).map(({ reason, ...mark }) => ({ ...mark, reason: reason ?? undefined })),
    saveEdgeMark: (federationUid, { edgeId, mark, by, at, reason }) =>
      together(() => {
        run('DELETE FROM edge_mark WHERE federation_uid = ? AND edge_id = ?', federationUid, edgeId);
        const row = [federationUid, edgeId, mark, by, at, reason ?? null];
        run('INSERT INTO edge_mark VALUES (?, ?, ?, ?, ?, ?)', ...row);
      }),
    removeEdgeMark: (federationUid, edgeId, mark) =>
      together(() => {
        const where = 'federation_uid = ? AND edge_id = ? AND mark = ?';
        const known = get(`SELECT 1 FROM edge_mark WHERE ${where}`, federationUid, edgeId, mark);
        if (known === undefined) return false;
        run(`DELETE FROM edge_mark WHERE ${where}`, federationUid, edgeId, mark);
        return true;
      }),
  };
}
