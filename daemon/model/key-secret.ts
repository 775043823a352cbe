import { hash } from 'node:crypto';

/** A secret of a key of the index server, and what of it is kept. */
export interface KeySecret {
  /** `svc_sk_` and 64 hexadecimal digits. */
  readonly text: string;
  /** Its first 15 characters, by which people know it again. */
  readonly prefix: string;
  readonly digest: Uint8Array;
}

/** From 32 random bytes. */
export function keySecret(random: Uint8Array): KeySecret {
  const text = `svc_sk_${hexOf(random)}`;
  return { text, prefix: text.slice(0, 15), digest: secretDigest(text) };
}

/** From 8 random bytes. */
export function keyId(random: Uint8Array): string {
  return `svc_key_${hexOf(random)}`;
}

/**
 * SHA-256, by which secrets are kept and compared. One that has 256 random bits can't be found by trying, so that no slow
 * hash, to be paid for with every request, would make it safer.
 */
export function secretDigest(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
