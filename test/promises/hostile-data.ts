import type { Promised } from './promised.ts';

/** Hostile repositories and data, and what follows from all of it: P41 to P55. */
export const hostileData: readonly Promised[] = [];
