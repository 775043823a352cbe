import type { ApiOperation, LostReference } from '../../../../model/openapi-schema.ts';
import type { Put } from './found.ts';

/** The parts of an operation that refer to what is not known, in either revision: nothing is told of them but that they refer otherwise. */
export function compareLost(put: Put, was: ApiOperation, is: ApiOperation): ReadonlySet<string> {
  const parts = new Set([...was.lost, ...is.lost].map(({ part }) => part));
  for (const part of parts) {
    const [old, now] = [was, is].map(({ lost }) => lost.filter(one => one.part === part));
    const [before, after] = [named(old!), named(now!)];
    if (before === after) continue;
    const both = [...new Set([...old!, ...now!].map(({ reference }) => reference))].join(', ');
    put({
      id: 'reference-unresolved',
      severity: 'risky',
      compatibility: ['request', 'response'],
      where: part,
      message: `what changed in ${part} can’t be told: ${both} can’t be followed`,
      before: old![0]?.line,
      after: now![0]?.line,
    });
  }
  return parts;
}

function named(lost: readonly LostReference[]): string {
  return lost.map(({ reference }) => reference).join(', ');
}
