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
}

export interface FormerNames {
  readonly repoUid: string;
  readonly known: CallReader;
  isThere(hash: string): boolean;
  /** Whether anything of that name went at all: nothing of most. */
  mayBeGone(name: string): boolean;
}

const confidences: Readonly<Record<MatchQuality, number>> = { exact: 0.95, strong: 0.85, weak: 0.5 };

/** What has taken the place of what a function was when it was last looked at, where that is gone. */
export function formerly({ was }: StoredFunction, { repoUid, known, isThere }: FormerNames): Former | undefined {
  if (was?.repoUid !== repoUid || isThere(was.symbol)) return undefined;
  const hash = known.successorOf(repoUid, was.symbol);
  return isThere(hash)
    ? { hash, quality: was.quality, confidence: confidences[was.quality], isFormer: true }
    : undefined;
}

/**
 * What has taken the place of a definition that a function would have been before: what runs was built of the code as it was
 * then, and goes on telling of it. Weak where what took its place only probably did. `folder`: where the service’s code lies.
 */
export function formerlyNamed(
  stored: StoredFunction,
  folder: string,
  matcher: Pick<FunctionMatcher, 'matchGone'>,
  { repoUid, known, isThere, mayBeGone }: FormerNames,
): Former | undefined {
  if (!mayBeGone(stored.bare)) return undefined;
  const gone = known.goneNamed(repoUid, stored.bare).filter(({ became }) => isThere(became));
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
  const quality = known.successorOf(repoUid, hash) === became ? match.quality : 'weak';
  return { hash: became, quality, confidence: confidences[quality], isFormer: true };
}
