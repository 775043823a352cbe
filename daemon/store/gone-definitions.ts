import type { SymbolKind } from '../model/symbol.ts';
import type { Sql } from './daemon-file.ts';

/** A definition that was there once, as it was then. */
export interface GoneDefinitionRow {
  /** 32 hex digits. */
  readonly hash: string;
  /** Hash of what took its place, where that is clear; it may be gone by now as well. */
  readonly replacedBy: string | undefined;
  readonly name: string;
  /** Names of what it stood in, outermost first. */
  readonly containers: readonly string[];
  readonly kind: SymbolKind;
  readonly path: string;
  readonly exported: boolean;
  /** Milliseconds. */
  readonly goneAt: number;
}

/** What a publication says of definitions that went and came, and of documents that were moved. */
export interface GoneAndBack {
  readonly gone: readonly Omit<GoneDefinitionRow, 'goneAt'>[];
  /** Old hash → new, of what went before. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Hashes of what is there again. */
  readonly back: readonly string[];
  /** Old path → new, of documents that were moved as they were. */
  readonly documents: ReadonlyMap<string, string>;
}

/** A document that was moved as it was. */
export interface MovedDocumentRow {
  readonly path: string;
  readonly movedTo: string;
}

export interface GoneDefinitionMethods {
  /** What a repository defined once, the newest last; what is there again may be among it. */
  goneDefinitions(repoUid: string): readonly GoneDefinitionRow[];
  /** Where documents of a repository were moved to, each from a path of its own; there may be another one by now. */
  movedDocuments(repoUid: string): readonly MovedDocumentRow[];
  /** Rises whenever either of a repository is another; 0 before the first change since the start. */
  goneVersion(repoUid: string): number;
  recordDefinitions(repoUid: string, told: GoneAndBack, nowMs: number): void;
}

/** Of a repository, of each kind. */
const mostKept = 20_000;
const aged = [
  ['gone_definition', 'gone_at'],
  ['moved_document', 'moved_at'],
] as const;

interface Row extends Omit<GoneDefinitionRow, 'replacedBy' | 'containers' | 'exported'> {
  readonly replacedBy: string | null;
  readonly containers: string;
  readonly exported: number;
}

export function goneDefinitionMethods({ run, all, get, together }: Sql): GoneDefinitionMethods {
  const versions = new Map<string, number>();
  const isGone = (uid: string, hash: string): boolean =>
    get('SELECT 1 FROM gone_definition WHERE repo_uid = ? AND symbol = ?', uid, hash) !== undefined;
  return {
    goneVersion: uid => versions.get(uid) ?? 0,
    goneDefinitions: uid =>
      all<Row>(
        `SELECT symbol AS hash, replaced_by AS replacedBy, name, containers, kind, path, exported, gone_at AS goneAt
         FROM gone_definition WHERE repo_uid = ? ORDER BY gone_at, symbol`,
        uid,
      ).map(({ replacedBy, containers, exported, ...row }) => ({
        ...row,
        replacedBy: replacedBy ?? undefined,
        containers: JSON.parse(containers) as string[],
        exported: exported === 1,
      })),
    movedDocuments: uid =>
      all<MovedDocumentRow>('SELECT path, moved_to AS movedTo FROM moved_document WHERE repo_uid = ?', uid),
    recordDefinitions: (uid, { gone, replaced, back: returned, documents }, nowMs) => {
      // Most of what comes was never there: an edit that adds something writes nothing.
      const back = returned.filter(hash => isGone(uid, hash));
      if (gone.length + replaced.size + back.length + documents.size === 0) return;
      together(() => {
        for (const { hash, replacedBy, name, containers, kind, path, exported } of gone) {
          run(
            'INSERT OR REPLACE INTO gone_definition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
            ...[uid, hash, replacedBy ?? null, name, JSON.stringify(containers), kind, path],
            ...[exported ? 1 : 0, nowMs],
          );
        }
        for (const [hash, successor] of replaced) {
          run('UPDATE gone_definition SET replaced_by = ? WHERE repo_uid = ? AND symbol = ?', successor, uid, hash);
        }
        for (const hash of back) run('DELETE FROM gone_definition WHERE repo_uid = ? AND symbol = ?', uid, hash);
        for (const [path, movedTo] of documents)
          run('INSERT OR REPLACE INTO moved_document VALUES (?, ?, ?, ?)', uid, path, movedTo, nowMs);
        for (const [table, time] of aged) {
          run(
            `DELETE FROM ${table} WHERE repo_uid = ? AND ${time} < (
               SELECT ${time} FROM ${table} WHERE repo_uid = ? ORDER BY ${time} DESC LIMIT 1 OFFSET ${mostKept})`,
            ...[uid, uid],
          );
        }
      });
      versions.set(uid, (versions.get(uid) ?? 0) + 1);
    },
  };
}
