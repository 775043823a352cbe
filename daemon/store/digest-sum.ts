import { digestOf } from './rows.ts';

/** A sum of digests modulo 2^256, in whatever order they come and go: a change costs what it changes. */
export interface DigestSum {
  add(value: bigint): void;
  /** 64 hex digits; '' of nothing. */
  id(): string;
}

/** Goes on from what `id` gave. */
export function digestSum(id: string): DigestSum {
  let sum = id === '' ? 0n : BigInt(`0x${id}`);
  return {
    add: value => {
      sum = BigInt.asUintN(256, sum + value);
    },
    id: () => (sum === 0n ? '' : sum.toString(16).padStart(64, '0')),
  };
}

/** What something adds to a sum: `digestOf` its parts as a number. */
export function digestValue(...parts: readonly (string | number | Uint8Array)[]): bigint {
  return BigInt(`0x${digestOf(...parts).toString('hex')}`);
}
