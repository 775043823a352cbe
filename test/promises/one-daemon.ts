import type { Promised } from './promised.ts';

/** One daemon, always reachable: P1 to P10. */
export const oneDaemon: readonly Promised[] = [];
