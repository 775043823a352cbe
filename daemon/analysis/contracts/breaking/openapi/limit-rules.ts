import { type ApiLimitKind, limitKinds } from '../../../../model/openapi-schema.ts';
import { type FlatShape, isLower } from './flat-shape.ts';
import type { Direction } from './found.ts';
import type { Say } from './shape-rules.ts';

/** How large values may be. Requests break where limits come closer, answers where they go farther. */
export function compareLimits(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  for (const kind of limitKinds) {
    const [was, is] = [old.limits.get(kind), now.limits.get(kind)];
    if (was?.value === is?.value) continue;
    const isCloser = closer(kind, was?.value, is?.value);
    const isBroken = isCloser === undefined || isCloser === (direction === 'request');
    // Limits that are written down at last were mostly there before.
    const severity = !isBroken ? 'safe' : was === undefined || is === undefined ? 'risky' : 'breaking';
    const change = `${kind} of ${name} changed from ${was?.value ?? 'none'} to ${is?.value ?? 'none'}`;
    const consequence = !isBroken
      ? ''
      : direction === 'request'
        ? ': some values are refused'
        : ': answers may go beyond it';
    say(`${idOf(kind)}-changed`, severity, change + consequence, { before: was?.line, after: is?.line });
  }
}

function idOf(kind: ApiLimitKind): string {
  return kind.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** undefined where neither values hold the others. */
function closer(kind: ApiLimitKind, was: number | undefined, is: number | undefined): boolean | undefined {
  if (was === undefined || is === undefined) return was === undefined;
  if (kind !== 'multipleOf') return isLower(kind) ? is > was : is < was;
  if (Number.isInteger(is / was)) return true;
  return Number.isInteger(was / is) ? false : undefined;
}
