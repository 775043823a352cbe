import type { Promised } from './promised.ts';

/** What is stored stays whole: P20 to P25. */
export const storage: readonly Promised[] = [];
