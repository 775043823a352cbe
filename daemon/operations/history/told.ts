import { amount } from '../../../client/protocol/amount.ts';
import type { HistoricalSnapshot } from './historical.ts';

/** Which history an answer is made of, as it is told. */
export function historyTold({ past, at }: Pick<HistoricalSnapshot, 'past' | 'at'>) {
  return { commit: past.history.head, ...(at.cut === undefined ? {} : { historyIsCut: true as const }) };
}

/** Says of how many files nobody has looked yet who wrote them. */
export function unblamedTold(files: number, meanwhile: string): readonly GitWarning[] {
  return files === 0 ? [] : [partial(`git has not said yet who wrote ${amount(files, 'file')}: ${meanwhile}`)];
}

/** Says of how many commits git has not counted the lines yet. */
export function uncountedTold({ uncounted }: HistoricalSnapshot['at']): readonly GitWarning[] {
  if (uncounted === 0) return [];
  const lines = `the lines of ${amount(uncounted, 'commit')}`;
  return [partial(`git has not counted ${lines} yet: quarters with such count commits in their place; ask again`)];
}

type GitWarning = ReturnType<typeof partial>;

function partial(message: string) {
  return { code: 'PARTIAL_RESULT', backend: 'git', message };
}

/** The field that holds warnings, where there are any. */
export function warned(warnings: readonly GitWarning[]) {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** ISO 8601 of Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
