import type { Promised } from './promised.ts';

/** Large bodies, slow readers and many requests: P36 to P40. */
export const greed: readonly Promised[] = [];
