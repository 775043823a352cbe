import { type KeyScope, keyScopes } from '../../client/protocol/operation.ts';
import type { Sql } from './daemon-file.ts';
import { digestOf } from './rows.ts';
import { withdraw } from './withdrawn-keys.ts';

/** A key of the index server as it is kept. Times in milliseconds. */
export interface AccessKey {
  readonly id: string;
  readonly name: string;
  /** How its secret begins. */
  readonly prefix: string;
  /** SHA-256 of its secret, of which nothing else is kept. */
  readonly digest: Uint8Array;
  readonly scopes: readonly KeyScope[];
  /** Patterns of the repositories that it is for. */
  readonly repos: readonly string[];
  /** Requests per minute; undefined: the configured default. */
  readonly rateLimit: number | undefined;
  readonly createdAt: number;
  readonly rotatedAt: number | undefined;
  readonly expiresAt: number | undefined;
  /** It was seen to be past its time, whatever clocks say now. */
  readonly isExpired: boolean;
  readonly revokedAt: number | undefined;
  readonly lastUsedAt: number | undefined;
  /** False of a row that is not as it was stored: it opens nothing. */
  readonly isSound: boolean;
}

export type NewAccessKey = Pick<
  AccessKey,
  'id' | 'name' | 'prefix' | 'digest' | 'scopes' | 'repos' | 'rateLimit' | 'createdAt' | 'expiresAt'
>;

/** The keys of the index server. Every method throws `StoreError`. */
export interface AccessKeys {
  /** Oldest first. */
  keys(): readonly AccessKey[];
  keyById(id: string): AccessKey | undefined;
  keyByDigest(digest: Uint8Array): AccessKey | undefined;
  /**
   * False, and nothing is done, where `mostKeys` are in force. Of those that are in force no longer as many are kept, the
   * newest: bearers of others are told that nobody knows their key.
   */
  insertKey(key: NewAccessKey): boolean;
  /** For good; of one that was revoked before the first time stands. Undefined where there is none. */
  revokeKey(id: string, nowMs: number): AccessKey | undefined;
  /** Gives another secret to a key that is neither revoked nor marked as expired; undefined where there is no such key. */
  rotateKey(id: string, secret: Pick<AccessKey, 'prefix' | 'digest'>, nowMs: number): AccessKey | undefined;
  /** Marks keys as past their time, for good. */
  expireKeys(ids: Iterable<string>): void;
  /** When keys were used last, by id. A power cut may take it back. */
  noteKeyUses(usedAtMs: ReadonlyMap<string, number>): void;
}

export const mostKeys = 10_000;

/** Of the `daemon.db` that is `file`. */
export function accessKeyMethods(file: string, { run, all, get, together, lightly }: Sql): AccessKeys {
  const sealKey = (id: string): void => {
    const row = get<KeyRow>('SELECT * FROM access_key WHERE id = ?', id);
    if (row !== undefined) run('UPDATE access_key SET seal = ? WHERE id = ?', sealOf(row), id);
  };
  // Those of a schema without seals.
  const unsealed = all<{ id: string }>('SELECT id FROM access_key WHERE seal IS NULL');
  if (unsealed.length > 0) {
    together(() => {
      for (const { id } of unsealed) sealKey(id);
    });
  }
  const change = (id: string, sql: string, ...values: readonly unknown[]): void => {
    run(`UPDATE access_key SET ${sql} WHERE id = ?`, ...values, id);
    sealKey(id);
  };
  const keyById = (id: string): AccessKey | undefined =>
    keyOf(get<KeyRow>('SELECT * FROM access_key WHERE id = ?', id));
  return {
    keyById,
    keys: () => all<KeyRow>('SELECT * FROM access_key ORDER BY created_at, id').map(row => keyOf(row)),
    keyByDigest: digest => keyOf(get<KeyRow>('SELECT * FROM access_key WHERE digest = ?', digest)),
    insertKey: key =>
      together(() => {
        const { n } = get<{ n: number }>(`SELECT count(*) AS n FROM access_key WHERE ${isInForce}`, key.createdAt)!;
        if (n >= mostKeys) return false;
        run(
          `INSERT INTO access_key (id, name, prefix, digest, scopes, repos, rate_limit, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[key.id, key.name, key.prefix, key.digest, JSON.stringify(key.scopes), JSON.stringify(key.repos)],
          ...[key.rateLimit ?? null, key.createdAt, key.expiresAt ?? null],
        );
        sealKey(key.id);
        run(
          `DELETE FROM access_key WHERE id IN (
             SELECT id FROM access_key WHERE NOT (${isInForce})
             ORDER BY coalesce(revoked_at, expires_at) DESC, id LIMIT -1 OFFSET ${mostKeys})`,
          key.createdAt,
        );
        return true;
      }),
    revokeKey: (id, nowMs) =>
      together(() => {
        const key = keyById(id);
        if (key === undefined || key.revokedAt !== undefined) return key;
        withdraw(file, key.digest);
        change(id, 'revoked_at = ?', nowMs);
        return keyById(id);
      }),
    rotateKey: (id, { prefix, digest }, nowMs) =>
      together(() => {
        const key = keyById(id);
        if (!key?.isSound || key.revokedAt !== undefined || key.isExpired) return undefined;
        withdraw(file, key.digest);
        change(id, 'prefix = ?, digest = ?, rotated_at = ?', prefix, digest, nowMs);
        return keyById(id);
      }),
    expireKeys: ids =>
      together(() => {
        for (const id of ids) change(id, 'expired = 1');
      }),
    noteKeyUses: usedAtMs =>
      lightly(() =>
        together(() => {
          for (const [id, at] of usedAtMs) run('UPDATE access_key SET last_used_at = ? WHERE id = ?', at, id);
        }),
      ),
  };
}

/** Of a row, at a time. */
const isInForce = 'revoked_at IS NULL AND expired = 0 AND (expires_at IS NULL OR expires_at > ?)';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly digest: Buffer;
  readonly scopes: string;
  readonly repos: string;
  readonly rate_limit: number | null;
  readonly created_at: number;
  readonly rotated_at: number | null;
  readonly expires_at: number | null;
  readonly expired: number;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly seal: Buffer | null;
}

/** Of all that says whom a key lets in, where to and for how long. */
function sealOf(row: KeyRow): Buffer {
  const { id, digest, scopes, repos, rate_limit, created_at, expires_at, expired, revoked_at } = row;
  return digestOf(
    ...[id, digest, scopes, repos, rate_limit ?? '', created_at, expires_at ?? '', expired, revoked_at ?? ''],
  );
}

/** Of what damage has made of a text there may be nothing to be read. */
function listIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

function keyOf(row: KeyRow): AccessKey;
function keyOf(row: KeyRow | undefined): AccessKey | undefined;
function keyOf(row: KeyRow | undefined): AccessKey | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    digest: row.digest,
    scopes: keyScopes.filter(scope => listIn(row.scopes).includes(scope)),
    repos: listIn(row.repos),
    rateLimit: row.rate_limit ?? undefined,
    createdAt: row.created_at,
    rotatedAt: row.rotated_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    isExpired: row.expired === 1,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    isSound: row.seal !== null && sealOf(row).equals(row.seal),
  };
}
