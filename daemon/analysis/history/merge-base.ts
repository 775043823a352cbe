import type { CommitColumns } from '../../model/history.ts';
import { ancestorsOf, isWhole } from './log-order.ts';

/**
 * The best common ancestor of two commits, by their numbers, as `git merge-base` finds it: the common one that no other common one
 * came from. Undefined where there are several such, or none, or not all that the two came from is stored.
 */
export function mergeBaseOf(columns: CommitColumns, base: number, head: number): number | undefined {
  const { parent, parentStart } = columns;
  if (!isWhole(columns, base) || !isWhole(columns, head)) return undefined;
  const ofBase = ancestorsOf(columns, base);
  if (ofBase[head] === 1) return head;
  const seen = new Uint8Array(columns.count);
  const waiting = [head];
  const met = new Set<number>();
  seen[head] = 1;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (let at = parentStart[next]!; at < parentStart[next + 1]!; at++) {
      const one = parent[at]!;
      if (one < 0 || seen[one] === 1) continue;
      seen[one] = 1;
      if (ofBase[one] === 1) met.add(one);
      else waiting.push(one);
    }
  }
  const best = [...met].filter(one => ![...met].some(other => other !== one && ancestorsOf(columns, other)[one] === 1));
  return best.length === 1 ? best[0] : undefined;
}
