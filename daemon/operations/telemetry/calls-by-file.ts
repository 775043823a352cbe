import { sum } from '../../model/counts.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { callsOf } from './matched-calls.ts';
import { callsFrom, firstDayOf } from './recent-calls.ts';

/** Calls of each file's functions in the last so many days, as far as production reported them. */
export function callsByFile(of: AnalysedSnapshot, days: number): ReadonlyMap<string, number> {
  const calls = callsOf(of);
  const found = new Map<string, number>();
  if (calls === undefined) return found;
  const from = firstDayOf(days, of.asked.now);
  for (const [hash, one] of calls.all().symbols) {
    if (one.called < from) continue;
    const path = of.reader.symbol(of.asked.repo.key, of.snapshot.seq, hash)?.path;
    if (path === undefined) continue;
    found.set(path, sum(found.get(path) ?? 0, callsFrom(calls, [one], from)));
  }
  return found;
}
