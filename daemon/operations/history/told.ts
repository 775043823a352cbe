import type { HistoricalSnapshot } from './historical.ts';

/** Which history an answer is made of, as it is told. */
export function historyTold({ past, at }: Pick<HistoricalSnapshot, 'past' | 'at'>) {
  return { commit: past.history.head, ...(at.isCut ? { historyIsCut: true as const } : {}) };
}

/** ISO 8601 of Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
