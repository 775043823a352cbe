import type { ApiShape } from '../../../../model/openapi-schema.ts';
import type { FlatShape } from './flat-shape.ts';
import { nameOf } from './pointed-at.ts';
import { compareShapes } from './shape-pairs.ts';
import type { Comparing, Say } from './shape-rules.ts';

/** Alternatives: those of one name are the same, of the others those of one place where as many went as came. */
export function compareChoices(comparing: Comparing, say: Say, name: string, old: FlatShape, now: FlatShape): void {
  const count = Math.max(old.choices.length, now.choices.length);
  for (let at = 0; at < count; at++)
    compareChoice(comparing, say, name, { old: old.choices[at], now: now.choices[at] });
}

interface Choice {
  readonly old: readonly ApiShape[] | undefined;
  readonly now: readonly ApiShape[] | undefined;
}

function compareChoice(comparing: Comparing, say: Say, name: string, { old, now }: Choice): void {
  const isSent = comparing.pair.direction === 'request';
  if (old === undefined || now === undefined) {
    const isNarrower = old === undefined;
    const message = isNarrower
      ? `${name} has to be one of several shapes now`
      : `${name} is no longer one of certain shapes`;
    const severity = isNarrower === isSent ? 'breaking' : 'safe';
    say(isNarrower ? 'alternatives-added' : 'alternatives-removed', severity, message);
    return;
  }
  const { gone, come, same } = matched(old, now);
  for (const [was, is] of same) compareInside(comparing, was, is);
  if (gone.length === come.length) {
    for (const [at, was] of gone.entries()) compareInside(comparing, was, come[at]!);
    return;
  }
  for (const shape of gone) {
    const message = `${name} is no longer ${shown(shape)}`;
    say('alternative-removed', isSent ? 'breaking' : 'safe', message, { before: shape.line });
  }
  for (const shape of come) {
    const message = `${name} may be ${shown(shape)} now${isSent ? '' : ', which consumers may not know'}`;
    say('alternative-added', isSent ? 'safe' : 'breaking', message, { after: shape.line });
  }
}

function matched(old: readonly ApiShape[], now: readonly ApiShape[]) {
  const left = new Map<string, ApiShape[]>();
  for (const shape of [...now].reverse()) {
    const alike = left.get(keyOf(shape));
    if (alike === undefined) left.set(keyOf(shape), [shape]);
    else alike.push(shape);
  }
  const gone: ApiShape[] = [];
  const same: (readonly [ApiShape, ApiShape])[] = [];
  for (const shape of old) {
    const counterpart = left.get(keyOf(shape))?.pop();
    if (counterpart === undefined) gone.push(shape);
    else same.push([shape, counterpart]);
  }
  return { gone, same, come: [...left.values()].flat() };
}

/** The reference, or what an alternative looks like from outside. */
function keyOf({ reference, types, format, values, properties }: ApiShape): string {
  if (reference !== undefined) return nameOf(reference);
  const told = values?.map(({ text }) => text).join(' ') ?? '';
  return `${types.join(' ')} (${format}) ${told} {${[...properties.keys()].slice(0, 20).join(' ')}}`;
}

function shown({ reference, types }: ApiShape): string {
  return reference === undefined ? types.join(' or ') || 'of any type' : nameOf(reference);
}

function compareInside({ pairs, within, pair }: Comparing, old: ApiShape, now: ApiShape): void {
  const { direction, where } = pair;
  compareShapes(pairs, within, { direction, old, now, where, before: old.line, after: now.line });
}
