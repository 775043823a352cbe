import type { CommitColumns } from '../../model/history.ts';
import { ancestorsOf, isWhole } from './log-order.ts';

/**
 * The best common ancestor of two commits, by their numbers, as `git merge-base` finds it: the common one that no other common one
 * came from. Undefined where there are several such, or none, or not all that the two came from is stored. `ancestors`: as
 * `ancestorsOf` tells them.
 */
export function mergeBaseOf(
  columns: CommitColumns,
  base: number,
  head: number,
  ancestors = (commit: number): Uint8Array => ancestorsOf(columns, commit),
): number | undefined {
  const { parent, parentStart } = columns;
  if (!isWhole(columns, base) || !isWhole(columns, head)) return undefined;
  const ofBase = ancestors(base);
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
  // All that is common came from it.
  if (met.has(base)) return base;
  for (const one of [...met]) {
    const older = met.size > 1 ? ancestorsOf(columns, one) : undefined;
    for (const other of [...met]) if (other !== one && older?.[other] === 1) met.delete(other);
  }
  const [best, ...others] = met;
  return others.length === 0 ? best : undefined;
}
