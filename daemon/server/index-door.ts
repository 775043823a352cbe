import { timingSafeEqual } from 'node:crypto';
import type { Admission, AskedOfIndex, IndexDoor, Principal } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { type KeyScope, keyScopes } from '../../client/protocol/operation.ts';
import type { Clock } from '../clock.ts';
import type { KeySettings } from '../index-server-settings.ts';
import { secretDigest } from '../model/key-secret.ts';
import type { AccessKey, AccessKeys } from '../store/access-keys.ts';
import { StoreError } from '../store/store-faults.ts';
import type { KeyKeeper } from './keep-keys.ts';
import { networkOf } from './network-of.ts';
import { createBuckets, type Limit } from './rate-limit.ts';
import { storeFault } from './store-fault.ts';

export interface IndexDoorOptions {
  /** Asked at each request: a configuration may be read anew. */
  readonly settings: () => KeySettings;
  readonly daemonTokenDigest: () => Uint8Array;
  readonly isDaemonAuthOn: () => boolean;
  readonly keys: Pick<AccessKeys, 'keyByDigest'>;
  readonly keyKeeper: Pick<KeyKeeper, 'isExpired' | 'used'>;
  readonly clock: Clock;
}

/** Of three kinds of buckets: with those for the daemon token (`strangers.ts`) 10,000 in all. One kind does not drive out another. */
const most = { keys: 4000, networks: 2000, failures: 2000 } as const;

/**
 * How often one network may fail to show a good key. Behind one address there may be a house full of machines whose keys have
 * run out together, or a client that asks without its key before it asks with it: three hundred at once are theirs, and
 * nothing against 2²⁵⁶ secrets. From then on one a second costs us nothing.
 */
const failures: Limit = { perMinute: 60, burst: 300 };

/** The configuration refuses shorter tokens, but not where nobody is to be asked for them. */
const leastTokenLength = 16;
/** A longer one is not worth its hash. */
const mostTokenLength = 4096;

/**
 * Who asks the index server, and whether they ask too often. Keys are looked up with each request, so that what is done to
 * one holds from the next on: a question by its digest, 5 µs.
 *
 * Requests that fail for want of a good key are counted by the network of their peer, whatever they lack (no key, an unknown
 * one, one that is revoked or past its time), and refused with 429 once there are too many. That is told after the key was
 * looked up and not before: a hash costs a microsecond, less than the answer, and who has a good key is served however many
 * failed from the same place.
 */
export function createIndexDoor(options: IndexDoorOptions): IndexDoor {
  const { clock } = options;
  const perKey = createBuckets(clock, most.keys);
  const perNetwork = createBuckets(clock, most.networks);
  const failed = createBuckets(clock, most.failures);

  const refused = ({ fault, key }: Refused, network: string): Admission => {
    const { isGiven, remaining, retryAfterSeconds } = failed.take(network, failures);
    const verdict = isGiven ? fault : tooOften('Too many requests without a good key', retryAfterSeconds);
    return { verdict, remaining, key };
  };
  const counted = ({ principal, key, rateLimit }: Known, network: string): Admission => {
    const { enabled, defaultLimit, burstSize } = options.settings().rateLimiting;
    if (!enabled) return { verdict: principal, remaining: undefined, key };
    // How many may come at once is the same for all keys: the size of the bucket, which is full in the beginning.
    const limit: Limit = { perMinute: rateLimit ?? defaultLimit, burst: burstSize };
    const isNobody = key === undefined || key === anonymous;
    const turn = isNobody ? perNetwork.take(network, limit) : perKey.take(key, limit);
    const verdict = turn.isGiven ? principal : tooOften('Too many requests', turn.retryAfterSeconds);
    return { verdict, remaining: turn.remaining, key };
  };
  return {
    admit(asked) {
      const network = networkOf(asked.address);
      try {
        const found = whoAsks(options, asked);
        return 'fault' in found ? refused(found, network) : counted(found, network);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return { verdict: storeFault(error), remaining: failed.remaining(network, failures) };
      }
    },
    isSecret(text) {
      if (text.length < leastTokenLength || text.length > mostTokenLength) return false;
      return configuredOf(options.settings(), secretDigest(text)) !== undefined;
    },
  };
}

/** `key`: as the log names whom it is. */
interface Known {
  readonly principal: Principal;
  readonly key: string | undefined;
  /** Requests per minute; undefined: the default. */
  readonly rateLimit: number | undefined;
}

interface Refused {
  readonly fault: Fault;
  readonly key: string | undefined;
}

const anonymous = 'anonymous';

function whoAsks(options: IndexDoorOptions, { authorization, method }: AskedOfIndex): Known | Refused {
  const { enabled, requireAuth } = options.settings();
  if (!enabled && !options.isDaemonAuthOn()) return owner(undefined);
  if (authorization === undefined) {
    const mayRead = enabled && !requireAuth && (method === 'GET' || method === 'HEAD');
    return mayRead ? holder(anonymous, 'read', ['*'], undefined) : refusal('missingToken', 'An access key is required');
  }
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? '';
  if (token === '' || token.length > mostTokenLength) return malformed();
  const digest = secretDigest(token);
  if (token.length >= leastTokenLength && timingSafeEqual(digest, options.daemonTokenDigest())) return owner('daemon');
  return (enabled ? bearerOf(options, digest) : undefined) ?? unknownKey();
}

/** Whose secret has that digest; undefined: nobody's. */
function bearerOf(options: IndexDoorOptions, digest: Uint8Array): Known | Refused | undefined {
  const configured = configuredOf(options.settings(), digest);
  if (configured !== undefined) return configured;
  const key = options.keys.keyByDigest(digest);
  return key?.isSound && timingSafeEqual(digest, key.digest) ? standingOf(key, options) : undefined;
}

function configuredOf({ legacyDigest, staticKeys }: KeySettings, digest: Uint8Array): Known | undefined {
  if (legacyDigest !== undefined && timingSafeEqual(digest, legacyDigest)) {
    return holder('legacy', 'admin', ['*'], undefined);
  }
  const configured = staticKeys.filter(one => timingSafeEqual(digest, one.digest))[0];
  return configured && holder(configured.id, configured.scope, configured.repos, configured.rateLimit);
}

function standingOf(key: AccessKey, { keyKeeper, clock }: IndexDoorOptions): Known | Refused {
  if (key.revokedAt !== undefined) return refusal('revokedToken', 'The access key was revoked', key.id);
  const nowMs = clock.now().getTime();
  if (keyKeeper.isExpired(key, nowMs)) return refusal('expiredToken', 'The access key is past its time', key.id);
  keyKeeper.used(key, nowMs);
  return holder(key.id, highestOf(key.scopes), key.repos, key.rateLimit);
}

function owner(key: 'daemon' | undefined): Known {
  return { principal: { kind: 'owner' }, key, rateLimit: undefined };
}

function holder(id: string, scope: KeyScope, repos: readonly string[], rateLimit: number | undefined): Known {
  return { principal: { kind: 'key', id, scope, repos }, key: id, rateLimit };
}

function highestOf(scopes: readonly KeyScope[]): KeyScope {
  return keyScopes.findLast(one => scopes.includes(one)) ?? 'read';
}

function malformed(): Refused {
  return refusal('invalidToken', 'The header Authorization must be: Bearer, a space, and the access key');
}

function unknownKey(): Refused {
  return refusal('invalidToken', 'The access key is not valid');
}

type Refusal = 'missingToken' | 'invalidToken' | 'expiredToken' | 'revokedToken';

function refusal(reason: Refusal, message: string, key?: string): Refused {
  return { fault: new Fault(reason, message), key };
}

function tooOften(message: string, retryAfterSeconds: number): Fault {
  return new Fault('rateLimited', `${message}; try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
}
