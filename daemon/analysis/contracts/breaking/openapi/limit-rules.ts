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
    // Limits that are written down at last were mostly there before; that there are multiples alone nobody keeps by chance.
    // An answer that has no limit any more goes beyond it as one does whose limit is farther.
    const isWrittenDown = was === undefined && kind !== 'multipleOf';
    const severity = !isBroken ? 'safe' : isWrittenDown ? 'risky' : 'breaking';
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
  if (isWhole(is / was)) return true;
  return isWhole(was / is) ? false : undefined;
}

/** As near as fractions are held: 0.3 is three times 0.1. */
function isWhole(ratio: number): boolean {
  const whole = Math.round(ratio);
  return whole !== 0 && Math.abs(ratio - whole) <= 1e-9 * Math.abs(whole);
}

/** Whether lists may have an item twice. */
export function compareUniqueness(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  if (old.isUnique === now.isUnique) return;
  const isBroken = now.isUnique === (direction === 'request');
  const message = now.isUnique
    ? `${name} may have no item twice now${isBroken ? ': some lists are refused' : ''}`
    : `${name} may have an item twice now`;
  say('unique-items-changed', !isBroken ? 'safe' : direction === 'request' ? 'breaking' : 'risky', message);
}
