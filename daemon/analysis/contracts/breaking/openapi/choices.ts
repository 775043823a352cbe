import { type ApiShape, anything } from '../../../../model/openapi-schema.ts';
import { type FlatShape, flat } from './flat-shape.ts';
import type { Direction } from './found.ts';
import { nameOf } from './pointed-at.ts';
import { compareShapes } from './shape-pairs.ts';
import type { Comparing, Say } from './shape-rules.ts';
import { holdsTypes } from './type-rules.ts';

/** Alternatives: those of one name are the same, of the others those of one place where as many went as came. */
export function compareChoices(comparing: Comparing, say: Say, name: string, old: FlatShape, now: FlatShape): void {
  const count = Math.max(old.choices.length, now.choices.length);
  for (let at = 0; at < count; at++)
    compareChoice(comparing, say, name, { old: old.choices[at], now: now.choices[at] });
}

/**
 * A shape that becomes one of several, or was: it is held against that alternative which it is most alike, and others came, or
 * went. False where it is none of them, or more is said beside them.
 */
export function comparePlainWithChoice(
  comparing: Comparing,
  say: Say,
  name: string,
  old: FlatShape,
  now: FlatShape,
): boolean {
  const { pairs, pair } = comparing;
  const isComing = old.choices.length === 0;
  const [plain, chosen] = isComing ? [old, now] : [now, old];
  const [alternatives, further] = chosen.choices;
  if (plain.choices.length > 0 || alternatives === undefined || further !== undefined) return false;
  const [shape, choice] = isComing ? [pair.old, pair.now] : [pair.now, pair.old];
  if (plain.types.length === 0 || plain.types.length > mostTypes || !saysChoiceAlone(choice)) return false;
  const [ownShapes, otherShapes] = isComing ? [pairs.old, pairs.now] : [pairs.now, pairs.old];
  const { own, others } = assigned(
    splitByType(shape, plain),
    one => flat(ownShapes, one),
    alternatives,
    one => flat(otherShapes, one),
  );
  if (own.length === 0) return false;
  for (const [one, alternative] of own) {
    const other = withDefault(alternative, choice);
    compareInside(comparing, ...(isComing ? ([one, other] as const) : ([other, one] as const)));
  }
  tellAlternatives(say, pair.direction, name, isComing ? { come: others, gone: [] } : { come: [], gone: others });
  return true;
}

/** Each is looked for among all alternatives. */
const mostTypes = 8;

/** What is said beside the alternatives is said of each. */
function withDefault(alternative: ApiShape, { default: told }: ApiShape): ApiShape {
  const isSaid = told === '' || alternative.reference !== undefined || alternative.default !== '';
  return isSaid ? alternative : { ...alternative, default: told };
}

function saysChoiceAlone(shape: ApiShape): boolean {
  const { reference, types, values, required, properties, additional, items, allOf, limits, keywords } = shape;
  const count = types.length + required.length + properties.size + allOf.length + limits.length + keywords.length;
  const isSaid = reference !== undefined || values !== undefined || items !== undefined || additional !== 'any';
  return count === 0 && !isSaid && shape.format === '' && shape.pattern === '';
}

/** `[string, integer]` as a shape for each. */
function splitByType(shape: ApiShape, { types, isNullable }: FlatShape): readonly ApiShape[] {
  if (types.length === 1 && !isNullable) return [shape];
  if (shape.reference !== undefined || shape.types.length === 0) return [shape];
  const each = types.map(type => ({ ...shape, types: [type], isNullable: false }));
  return isNullable ? [...each, { ...anything(shape.line), isNullable: true }] : each;
}

/** Each with an alternative that looks the same from outside, else with the only one that takes its types; none where one has none. */
function assigned(
  plain: readonly ApiShape[],
  ofPlain: (shape: ApiShape) => FlatShape,
  alternatives: readonly ApiShape[],
  ofAlternative: (shape: ApiShape) => FlatShape,
) {
  const left = new Map(alternatives.map(one => [one, ofAlternative(one)]));
  const own: (readonly [ApiShape, ApiShape])[] = [];
  for (const shape of plain) {
    const seen = ofPlain(shape);
    const fits = fitting([...left], seen);
    if (fits === undefined) return { own: [], others: [] };
    left.delete(fits);
    own.push([shape, fits]);
  }
  return { own, others: [...left.keys()] };
}

function fitting(left: readonly (readonly [ApiShape, FlatShape])[], seen: FlatShape): ApiShape | undefined {
  const types = typeLook(seen);
  const alike = left.filter(([, one]) => typeLook(one) === types);
  const [first, second] = alike.length > 0 ? alike : left.filter(([, one]) => takesTypes(one, seen));
  if (second === undefined) return first?.[0];
  return alike.find(([, one]) => keyOf(one) === keyOf(seen))?.[0];
}

function typeLook({ types, isNullable }: FlatShape): string {
  return `${types.join(' ')} ${isNullable}`;
}

function takesTypes({ types }: FlatShape, narrow: FlatShape): boolean {
  return narrow.types.length > 0 && holdsTypes(types, narrow.types) && types.length > 0;
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
  tellAlternatives(say, comparing.pair.direction, name, { gone, come });
}

function tellAlternatives(
  say: Say,
  direction: Direction,
  name: string,
  { gone, come }: { readonly gone: readonly ApiShape[]; readonly come: readonly ApiShape[] },
): void {
  const isSent = direction === 'request';
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

type Outside = Pick<FlatShape, 'types' | 'format' | 'properties'> &
  Pick<ApiShape, 'reference'> & { readonly values?: FlatShape['values']; readonly required: Iterable<string> };

/** The reference, or what an alternative looks like from outside. */
function keyOf({ reference, types, format, values, properties, required }: Outside): string {
  if (reference !== undefined) return nameOf(reference);
  const told = values?.map(({ text }) => text).join(' ') ?? '';
  const undeclared = [...required].slice(0, 20).filter(name => !properties.has(name));
  return `${types.join(' ')} (${format}) ${told} {${[...properties.keys()].slice(0, 20).join(' ')}} ${undeclared.sort().join(' ')}`;
}

function shown({ reference, types, isNullable }: ApiShape): string {
  if (reference !== undefined) return nameOf(reference);
  return types.join(' or ') || (isNullable ? 'null' : 'of any type');
}

function compareInside({ pairs, within, pair }: Comparing, old: ApiShape, now: ApiShape): void {
  compareShapes(pairs, within, { ...pair, old, now, before: old.line, after: now.line });
}
