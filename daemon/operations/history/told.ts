import { amount } from '../../../client/protocol/amount.ts';
import type { HistoricalSnapshot } from './historical.ts';

/** Which history an answer is made of, as it is told. */
export function historyTold({ past, at }: Pick<HistoricalSnapshot, 'past' | 'at'>) {
  return { commit: past.history.head, ...(at.isCut ? { historyIsCut: true as const } : {}) };
}

/** Says of how many files nobody has looked yet who wrote them. */
export function unblamedTold(files: number, meanwhile: string) {
  if (files === 0) return {};
  const message = `git has not said yet who wrote ${amount(files, 'file')}: ${meanwhile}`;
  return { warnings: [{ code: 'PARTIAL_RESULT', backend: 'git', message }] };
}

/** ISO 8601 of Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
