import { isTestPath } from '../../model/mount.ts';
import type { MatchQuality } from '../../model/usage.ts';
import type { CallReader, StoredFunction } from '../../store/telemetry/call-reader.ts';
import type { FunctionMatcher } from './function-matcher.ts';

/** The symbol that a function is which services call as that was called before. */
export interface Former {
  /** 32 hex digits. */
  readonly hash: string;
  readonly quality: MatchQuality;
  readonly confidence: number;
  readonly isFormer: true;
  /** More than a name led to what it was: that says more than who bears the name now. */
  readonly isPlaced: boolean;
}

export interface FormerNames {
  readonly repoUid: string;
  readonly known: CallReader;
  /** Of a symbol that is there. */
  nameOf(hash: string): string | undefined;
  /** Whether anything of that name went at all: nothing of most. */
  mayBeGone(name: string): boolean;
}

const confidences: Readonly<Record<MatchQuality, number>> = { exact: 0.95, strong: 0.85, weak: 0.5 };

/** What has taken the place of what a function was when it was last looked at, where that is gone. */
export function formerly({ was }: StoredFunction, { repoUid, known, nameOf }: FormerNames): Former | undefined {
  if (was?.repoUid !== repoUid || nameOf(was.symbol) !== undefined) return undefined;
  const hash = known.successorOf(repoUid, was.symbol);
  return nameOf(hash) === undefined ? undefined : former(hash, was.quality, was.quality !== 'weak');
}

/**
 * What has taken the place of a definition that a function would have been before: what runs was built of the code as it was
 * then, and goes on telling of it. Weak where it is called otherwise now and that only probably took its place. `folder`: where the
 * service’s code lies.
 */
export function formerlyNamed(
  stored: StoredFunction,
  folder: string,
  matcher: Pick<FunctionMatcher, 'matchGone'>,
  { repoUid, known, nameOf, mayBeGone }: FormerNames,
): Former | undefined {
  if (!mayBeGone(stored.bare)) return undefined;
  const gone = known.goneNamed(repoUid, stored.bare).filter(({ became }) => nameOf(became) !== undefined);
  if (gone.length === 0) return undefined;
  const successors = [...new Set(gone.map(({ became }) => became))];
  const candidates = gone.map(one => ({
    ...one,
    symbol: successors.indexOf(one.became),
    isTest: isTestPath(one.path),
  }));
  const match = matcher.matchGone(stored, folder, candidates);
  if (match.kind === 'unmatched') return undefined;
  const { hash, became } = match.one;
  const isSure = nameOf(became) === stored.bare || known.successorOf(repoUid, hash) === became;
  return former(became, isSure ? match.quality : 'weak', match.quality !== 'weak');
}

function former(hash: string, quality: MatchQuality, isPlaced: boolean): Former {
  return { hash, quality, confidence: confidences[quality], isFormer: true, isPlaced };
}
