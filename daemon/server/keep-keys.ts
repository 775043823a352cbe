import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { KeyLives } from '../operations/tokens.ts';
import type { AccessKey, AccessKeys } from '../store/access-keys.ts';

/** What happens to keys as they are used. No request waits for it to be stored, or fails because it can't be. */
export interface KeyKeeper extends KeyLives {
  used(key: AccessKey, nowMs: number): void;
  /** Stores what is not stored yet. */
  close(): void;
}

export interface KeepKeysOptions {
  readonly keys: Pick<AccessKeys, 'expireKeys' | 'noteKeyUses'>;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** How long a use may be known to this process alone: with each request a write would be dear. */
const betweenWritesMs = 60_000;

/** Stores uses once a minute, and that a key is past its time at once: it is marked, so that no clock set back revives it. */
export function keepKeys({ keys, clock, observe }: KeepKeysOptions): KeyKeeper {
  const usedAtMs = new Map<string, number>();
  /** Those that are not marked yet, for the disk was full or the like. */
  const expired = new Set<string>();
  let callOff: (() => void) | undefined;
  let isFailing = false;

  const stored = (write: () => void): void => {
    try {
      write();
      isFailing = false;
    } catch (cause) {
      if (!isFailing) observe({ kind: 'daemon.fault', what: 'what is known of keys could not be stored', cause });
      isFailing = true;
      storeLater();
    }
  };
  const markExpired = (): void => {
    if (expired.size === 0) return;
    keys.expireKeys(expired);
    for (const id of expired) observe({ kind: 'key.changed', key: id, change: 'expired' });
    expired.clear();
  };
  const storeAll = (): void => {
    callOff?.();
    callOff = undefined;
    stored(() => {
      markExpired();
      if (usedAtMs.size > 0) keys.noteKeyUses(usedAtMs);
      usedAtMs.clear();
    });
  };
  const storeLater = (): void => {
    callOff ??= clock.after(betweenWritesMs, storeAll);
  };
  return {
    used({ id }, nowMs) {
      usedAtMs.set(id, nowMs);
      storeLater();
    },
    lastUsedAt: ({ id, lastUsedAt }) => usedAtMs.get(id) ?? lastUsedAt,
    isExpired({ id, expiresAt, isExpired }, nowMs) {
      if (isExpired || expired.has(id)) return true;
      if (expiresAt === undefined || nowMs < expiresAt) return false;
      expired.add(id);
      stored(markExpired);
      return true;
    },
    close() {
      storeAll();
      callOff?.();
    },
  };
}
