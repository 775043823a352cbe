import { amount } from '../../../client/protocol/amount.ts';
import type { CodeownersFile } from '../ownership/codeowners-file.ts';
import type { HistoricalSnapshot } from './historical.ts';

/** Which history an answer is made of, as it is told. */
export function historyTold({ past, at }: Pick<HistoricalSnapshot, 'past' | 'at'>) {
  return { commit: past.history.head, ...(at.cut === undefined ? {} : { historyIsCut: true as const }) };
}

/** Says of how many files nobody has looked yet who wrote them. */
export function unblamedTold(files: number, meanwhile: string): readonly Warning[] {
  return files === 0 ? [] : [partial(`git has not said yet who wrote ${amount(files, 'file')}: ${meanwhile}`)];
}

/** Says of how many files git could not say who wrote them: whoever asks again hears no more. */
export function untellableTold(files: number, meanwhile: string): readonly Warning[] {
  return files === 0 ? [] : [partial(`git could not say who wrote ${amount(files, 'file')}: ${meanwhile}`)];
}

/** Says of how many files nobody has read yet what a change does to what they define. */
export function unreadTold(files: number): readonly Warning[] {
  if (files === 0) return [];
  const told = `${amount(files, 'file')} of what is compared ${files === 1 ? 'has' : 'have'} not been read yet`;
  const missing = 'symbols and hotspots that go with them are missing; ask again, or wait with sync';
  return [partial(`${told}: ${missing}`, 'tree-sitter')];
}

/** Says that nobody is declared because what declares it can't be read. */
export function undeclaredTold({ path, notRead }: CodeownersFile): readonly Warning[] {
  return notRead === undefined ? [] : [partial(`${path} ${notRead}, so that nobody is declared by it`, 'codeowners')];
}

/** Says of how many commits git has not counted the lines yet. */
export function uncountedTold({ uncounted }: HistoricalSnapshot['at']): readonly Warning[] {
  if (uncounted === 0) return [];
  const lines = `the lines of ${amount(uncounted, 'commit')}`;
  return [partial(`git has not counted ${lines} yet: quarters with such count commits in their place; ask again`)];
}

type Warning = ReturnType<typeof partial>;

function partial(message: string, backend: 'git' | 'tree-sitter' | 'codeowners' = 'git') {
  return { code: 'PARTIAL_RESULT', backend, message };
}

/** The field that holds warnings, where there are any. */
export function warned<One>(warnings: readonly One[]) {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** ISO 8601 of Unix seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
