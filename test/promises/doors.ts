import type { Promised } from './promised.ts';

/** HTTP, the socket and keys: P26 to P40. */
export const doors: readonly Promised[] = [];
