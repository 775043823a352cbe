import { type ApiLimit, type ApiLimitKind, limitKinds } from '../../../../model/openapi-schema.ts';
import { type FlatShape, isLower } from './flat-shape.ts';
import type { Direction } from './found.ts';
import type { Say } from './shape-rules.ts';

/** How large values may be. Requests break where limits come closer, answers where they go farther. */
export function compareLimits(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  const areWhole = isWhollyNumbered(old) || isWhollyNumbered(now);
  for (const kind of toldKinds) {
    const [was, is] = [limitOf(old, kind, areWhole), limitOf(now, kind, areWhole)];
    if (was?.value === is?.value && was?.isExcluded === is?.isExcluded) continue;
    const isCloser = closer(kind, was, is);
    const isBroken = isCloser === undefined || isCloser === (direction === 'request');
    // Limits that are written down at last were mostly there before; that there are multiples alone nobody keeps by chance.
    // An answer that has no limit any more goes beyond it as one does whose limit is farther.
    const isWrittenDown = was === undefined && kind !== 'multipleOf';
    const severity = !isBroken ? 'safe' : isWrittenDown ? 'risky' : 'breaking';
    const change = `${kind} of ${name} changed from ${shown(was)} to ${shown(is)}`;
    const consequence = !isBroken
      ? ''
      : direction === 'request'
        ? ': some values are refused'
        : ': answers may go beyond it';
    say(`${idOf(kind)}-changed`, severity, change + consequence, { before: was?.line, after: is?.line });
  }
}

/** As it counts, whatever keywords say so. */
interface Limit extends ApiLimit {
  /** It is not taken itself. */
  readonly isExcluded: boolean;
}

/** Numbers have one bound at either end, which either keyword may say; the stricter counts. */
const excludedKinds = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;
const toldKinds = limitKinds.filter(kind => kind !== excludedKinds.minimum && kind !== excludedKinds.maximum);

/** `areWhole`: of whole numbers the bound is the last that is taken. */
function limitOf({ limits }: FlatShape, kind: ApiLimitKind, areWhole: boolean): Limit | undefined {
  const plain = limits.get(kind);
  const own = plain && { ...plain, isExcluded: false };
  if (kind !== 'minimum' && kind !== 'maximum') return own;
  const excluding = limits.get(excludedKinds[kind]);
  const excluded = excluding && { ...excluding, isExcluded: true };
  const stricter = own && excluded && closer(kind, excluded, own) === true ? own : (excluded ?? own);
  return stricter && areWhole ? lastTaken(stricter, kind) : stricter;
}

function lastTaken(limit: Limit, kind: 'minimum' | 'maximum'): Limit {
  const sign = kind === 'minimum' ? 1 : -1;
  const upwards = sign * limit.value;
  const last = limit.isExcluded ? Math.floor(upwards) + 1 : Math.ceil(upwards);
  return { ...limit, value: sign * last, isExcluded: false };
}

function isWhollyNumbered({ types }: FlatShape): boolean {
  return types.includes('integer') && !types.includes('number');
}

function shown(limit: Limit | undefined): string {
  return limit === undefined ? 'none' : `${limit.value}${limit.isExcluded ? ', which is excluded itself' : ''}`;
}

function idOf(kind: ApiLimitKind): string {
  return kind.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** undefined where neither values hold the others. */
function closer(kind: ApiLimitKind, was: Limit | undefined, is: Limit | undefined): boolean | undefined {
  if (was === undefined || is === undefined) return was === undefined;
  if (kind === 'multipleOf') {
    if (isWhole(is.value / was.value)) return true;
    return isWhole(was.value / is.value) ? false : undefined;
  }
  if (was.value === is.value) return is.isExcluded && !was.isExcluded;
  return isLower(kind) === is.value > was.value;
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
