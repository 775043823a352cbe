import { Fault, invalid } from '../../client/protocol/faults.ts';
import { keyScopes } from '../../client/protocol/operation.ts';
import type { Observe } from '../events.ts';
import { keyId, keySecret } from '../model/key-secret.ts';
import { lifetimeMs } from '../model/lifetime.ts';
import { type AccessKey, type AccessKeys, mostKeys } from '../store/access-keys.ts';
import { fix } from './finding.ts';
import type { Handlers } from './handler.ts';

export type TokensHandlers = Pick<Handlers, Extract<keyof Handlers, `token.${string}`>>;

export interface TokensOptions {
  readonly accessKeys: AccessKeys;
  readonly keyLives: KeyLives;
  /** So many bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array;
  readonly observe: Observe;
}

/** What is known of keys beside what is stored of them so far. */
export interface KeyLives {
  /** Whether a key is past its time. Once it was, it stays so, whatever clocks say later. */
  isExpired(key: AccessKey, nowMs: number): boolean;
  /** Milliseconds. */
  lastUsedAt(key: AccessKey): number | undefined;
}

export function tokensHandlers({ accessKeys, keyLives, random, observe }: TokensOptions): TokensHandlers {
  const shown = (key: AccessKey, now: Date) => shownKey(key, keyLives, now.getTime());
  return {
    'token.create': ({ name, scopes, repos, expires, rateLimit }, { now }) => {
      const createdAt = now.getTime();
      const expiresAt = expires === undefined ? undefined : createdAt + lifetimeOf(expires);
      const { text, prefix, digest } = keySecret(random(32));
      const id = keyId(random(8));
      const asked = {
        name,
        rateLimit,
        scopes: keyScopes.filter(one => scopes.includes(one)),
        repos: [...new Set(repos)],
      };
      if (!accessKeys.insertKey({ id, prefix, digest, createdAt, expiresAt, ...asked })) throw tooMany();
      observe({ kind: 'key.changed', key: id, change: 'created' });
      return { key: shown(accessKeys.keyById(id)!, now), token: text, timestamp: now.toISOString() };
    },
    'token.list': ({ showRevoked }, { now }) => {
      const keys = accessKeys.keys().filter(({ revokedAt }) => showRevoked || revokedAt === undefined);
      return { keys: keys.map(key => shown(key, now)), total: keys.length, timestamp: now.toISOString() };
    },
    'token.revoke': ({ id }, { now }) => {
      const wasInForce = accessKeys.keyById(id)?.revokedAt === undefined;
      const key = accessKeys.revokeKey(id, now.getTime());
      if (key === undefined) throw unknownKey(id);
      if (wasInForce) observe({ kind: 'key.changed', key: id, change: 'revoked' });
      return { key: shown(key, now), timestamp: now.toISOString() };
    },
    'token.rotate': ({ id }, { now }) => {
      const key = accessKeys.keyById(id);
      if (key === undefined) throw unknownKey(id);
      const { status } = shown(key, now);
      if (status !== 'active') throw inactive(id, status);
      const { text, prefix, digest } = keySecret(random(32));
      const rotated = accessKeys.rotateKey(id, { prefix, digest }, now.getTime());
      if (rotated === undefined) throw unknownKey(id);
      observe({ kind: 'key.changed', key: id, change: 'rotated' });
      return { key: shown(rotated, now), token: text, timestamp: now.toISOString() };
    },
  };
}

function lifetimeOf(expires: string): number {
  const ms = lifetimeMs(expires);
  if (ms !== undefined) return ms;
  const message = 'must be 100 years at most; a key without it is good until it is revoked';
  throw invalid('invalidParameter', [{ path: 'expires', message }]);
}

function shownKey(key: AccessKey, keyLives: KeyLives, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    repos: [...key.repos],
    status: statusOf(key, keyLives, nowMs),
    createdAt: timeOf(key.createdAt)!,
    rotatedAt: timeOf(key.rotatedAt),
    expiresAt: timeOf(key.expiresAt),
    revokedAt: timeOf(key.revokedAt),
    lastUsedAt: timeOf(keyLives.lastUsedAt(key)),
    rateLimit: key.rateLimit ?? null,
  };
}

function statusOf(key: AccessKey, keyLives: KeyLives, nowMs: number): 'active' | 'expired' | 'revoked' | 'damaged' {
  if (key.revokedAt !== undefined) return 'revoked';
  if (!key.isSound) return 'damaged';
  return keyLives.isExpired(key, nowMs) ? 'expired' : 'active';
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

const listAll = fix('svc token list --show-revoked', 'Show all keys');

function unknownKey(id: string): Fault {
  return new Fault('resourceNotFound', `There is no key ${id}`, { suggestedFixes: [listAll] });
}

function inactive(id: string, status: string): Fault {
  return new Fault('preconditionFailed', `${id} is ${status}: it takes no new secret`, {
    details: { status },
    suggestedFixes: [fix('svc token create --help', 'Make another key')],
  });
}

function tooMany(): Fault {
  return new Fault('rateLimited', `At most ${mostKeys} keys may be in force`, {
    retryAfterSeconds: 60,
    suggestedFixes: [fix('svc token list', 'Find those to revoke')],
  });
}
