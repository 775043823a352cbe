import type { KeyScope } from '../client/protocol/operation.ts';
import type { Privacy } from './model/privacy.ts';

/** What the configuration says of an index server; secrets as digests, so that no copy of memory gives them away. */
export interface IndexServerSettings {
  readonly enabled: boolean;
  readonly maxPageSize: number;
  /** HMAC key of cursors; undefined: one is made and kept. */
  readonly cursorSecret: string | undefined;
  readonly auth: KeySettings;
  readonly repos: readonly ConfiguredRepo[];
  readonly defaultPrivacy: Privacy;
}

export interface KeySettings {
  /** Else the daemon token guards the index server as it does everything. */
  readonly enabled: boolean;
  /** False: who shows no key may read. */
  readonly requireAuth: boolean;
  /** SHA-256 of a token that permits everything. */
  readonly legacyDigest: Uint8Array | undefined;
  readonly staticKeys: readonly StaticKey[];
  readonly rateLimiting: {
    readonly enabled: boolean;
    /** Requests per minute. */
    readonly defaultLimit: number;
    readonly burstSize: number;
  };
}

/** A key that stands in the configuration. */
export interface StaticKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of its secret. */
  readonly digest: Uint8Array;
  readonly scope: KeyScope;
  readonly repos: readonly string[];
  /** Requests per minute; undefined: the default. */
  readonly rateLimit: number | undefined;
}

/** A repository of this machine that the configuration has served. */
export interface ConfiguredRepo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Absolute path of its root. */
  readonly path: string;
  readonly privacy: Privacy;
}
