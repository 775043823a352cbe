import { sum } from '../../model/counts.ts';
import { dayOf } from '../../model/usage.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { callsOf } from './matched-calls.ts';

/** Calls of each file's functions in the last so many days, as far as production reported them. */
export function callsByFile(of: AnalysedSnapshot, days: number): ReadonlyMap<string, number> {
  const calls = callsOf(of);
  const found = new Map<string, number>();
  if (calls === undefined) return found;
  const from = dayOf(of.asked.now) - days + 1;
  for (const [hash, { functions, called }] of calls.all().symbols) {
    if (called < from) continue;
    const path = of.reader.symbol(of.asked.repo.key, of.snapshot.seq, hash)?.path;
    if (path === undefined) continue;
    const own = functions.flatMap(({ stored }) => calls.reader.daysOf(stored.id, from));
    found.set(
      path,
      own.reduce((total, one) => sum(total, one.calls), found.get(path) ?? 0),
    );
  }
  return found;
}
