import { once } from '../../../../model/once.ts';
import type { ApiProperty, ApiShape } from '../../../../model/openapi-schema.ts';
import { compareChoices, comparePlainWithChoice } from './choices.ts';
import { compareDiscriminators } from './discriminator-rules.ts';
import { type FlatShape, type FlatShapes, flat } from './flat-shape.ts';
import type { Direction, Found, Holder } from './found.ts';
import { compareKeywords } from './keyword-rules.ts';
import { compareLimits, compareUniqueness } from './limit-rules.ts';
import { compareShapes, type ShapePair, type ShapePairs, target } from './shape-pairs.ts';
import { compareTypes, compareValues } from './type-rules.ts';

export interface Comparing {
  readonly pairs: ShapePairs;
  readonly within: Holder;
  readonly pair: ShapePair;
}

/** What a rule finds of a place; its id gets the direction before it. */
export type Say = (
  id: string,
  severity: Found['severity'],
  message: string,
  at?: { readonly where?: string; readonly before?: number | undefined; readonly after?: number | undefined },
) => void;

/** Two revisions of a shape. */
export function compareFlat(comparing: Comparing, old: FlatShape, now: FlatShape): void {
  const { pair, within } = comparing;
  const say: Say = (id, severity, message, at = {}) => {
    const { where = '', before = pair.before, after = pair.after } = at;
    within.changes.push({
      id: `${pair.direction}-${id}`,
      severity,
      compatibility: severity === 'safe' ? [] : [pair.direction],
      where: joinedPath(pair.where, where),
      message,
      before: 'before' in at ? at.before : before,
      after: 'after' in at ? at.after : after,
    });
  };
  const name = nameOfPlace(within, pair);
  if (tellNowhere(say, name, old, now)) return;
  if (!comparePlainWithChoice(comparing, say, name, old, now)) compareParts(comparing, say, name, old, now);
  compareDiscriminators(comparing, say, name, old, now);
}

function compareParts(comparing: Comparing, say: Say, name: string, old: FlatShape, now: FlatShape): void {
  const { pair } = comparing;
  compareReferences(say, old, now, name);
  compareTypes(say, pair, name, old, now);
  compareValues(say, pair.direction, name, old, now);
  compareLimits(say, pair.direction, name, old, now);
  compareUniqueness(say, pair.direction, name, old, now);
  compareKeywords(say, pair.direction, name, old, now);
  compareDetails(say, pair.direction, name, old, now);
  if (pair.direction === 'request') compareDefaults(say, pair, name, old, now);
  compareProperties(comparing, say, old, now);
  compareUndeclared(comparing, say, old, now);
  compareInner(comparing, say, old, now);
  compareChoices(comparing, say, name, old, now);
}

export function joinedPath(around: string, inner: string): string {
  if (around === '' || inner === '') return around + inner;
  return inner.startsWith('[') ? around + inner : `${around}.${inner}`;
}

function nameOfPlace({ name }: Holder, { where }: ShapePair): string {
  return where === '' ? name : where;
}

/** Of what one revision says nowhere, nothing is known. What neither has is nobody's change. */
function tellNowhere(say: Say, name: string, old: FlatShape, now: FlatShape): boolean {
  const [was, is] = [old.nowhere.join(', '), now.nowhere.join(', ')];
  if (was === is) return false;
  const both = [...new Set([...old.nowhere, ...now.nowhere])].join(', ');
  say('reference-unresolved', 'risky', `what changed in ${name} can’t be told: ${both} leads nowhere`);
  return true;
}

/** What another file says is not known here. */
function compareReferences(say: Say, old: FlatShape, now: FlatShape, name: string): void {
  const [was, is] = [old.unknown.join(', '), now.unknown.join(', ')];
  if (was === is) return;
  say(
    'reference-changed',
    'risky',
    `${name} is given by ${is || 'this document'} instead of ${was || 'this document'}`,
  );
}

function compareDetails(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  if (old.pattern !== now.pattern && direction === 'request' && now.pattern !== '')
    say('pattern-changed', 'risky', `${name} has to match ${now.pattern} now: other values are refused`);
  if (old.pattern !== now.pattern && direction === 'response' && old.pattern !== '')
    say('pattern-changed', 'risky', `${name} no longer matches ${old.pattern} for sure`);
  if (now.isDeprecated && !old.isDeprecated) say('property-deprecated', 'safe', `${name} is deprecated`);
}

/** Who leaves out a parameter is answered by another value of it. That nothing is taken for it is what null says, too. */
function compareDefaults(say: Say, { isOptional }: ShapePair, name: string, old: FlatShape, now: FlatShape): void {
  if (old.default === now.default) return;
  const isTaken = isOptional === true && takenInstead(old) !== takenInstead(now);
  const change = `the default of ${name} changed from ${old.default || 'none'} to ${now.default || 'none'}`;
  const consequence = isTaken ? ': requests without it are answered otherwise' : '';
  say('default-changed', isTaken ? 'breaking' : 'risky', change + consequence);
}

function takenInstead(shape: FlatShape): string {
  return shape.default === 'null' ? '' : shape.default;
}

/** Properties of answers alone are none of requests, and the other way round. */
function hasUse({ shape }: ApiProperty, direction: Direction): boolean {
  return shape.use === 'both' || (shape.use === 'read') === (direction === 'response');
}

function compareProperties(comparing: Comparing, say: Say, old: FlatShape, now: FlatShape): void {
  const { pairs, within, pair } = comparing;
  const { direction } = pair;
  for (const [name, was] of old.properties) {
    if (!hasUse(was, direction)) continue;
    const is = now.properties.get(name);
    if (is === undefined || !hasUse(is, direction)) tellRemoved(say, direction, { name, was, old, now });
    else {
      const where = joinedPath(pair.where, name);
      compareRequired(say, direction, { name, was, is, old, now });
      compareShapes(pairs, within, {
        direction,
        old: was.shape,
        now: is.shape,
        where,
        before: was.line,
        after: is.line,
      });
    }
  }
  for (const [name, is] of now.properties) {
    const was = old.properties.get(name);
    if (hasUse(is, direction) && (was === undefined || !hasUse(was, direction)))
      tellAdded(say, direction, { name, is, old, now });
  }
}

interface PropertyChange {
  readonly name: string;
  readonly was: ApiProperty;
  readonly is: ApiProperty;
  readonly old: FlatShape;
  readonly now: FlatShape;
}

function tellRemoved(say: Say, direction: Direction, change: Omit<PropertyChange, 'is'>): void {
  const { name, was, old, now } = change;
  const at = { where: name, before: was.line, after: undefined };
  if (direction === 'response') {
    const isRequired = old.required.has(name);
    const consequence = isRequired ? 'which was always there' : 'which was there at times';
    say('property-removed', isRequired ? 'breaking' : 'risky', `the property ${name} was removed, ${consequence}`, at);
  } else if (now.additional === 'none')
    say('property-removed', 'breaking', `the property ${name} was removed, and others than those told are refused`, at);
  else say('property-removed', 'risky', `the property ${name} was removed: what is sent of it counts no longer`, at);
}

function tellAdded(say: Say, direction: Direction, { name, is, old, now }: Omit<PropertyChange, 'was'>): void {
  const at = { where: name, before: undefined, after: is.line };
  const isRequired = direction === 'request' && now.required.has(name) && !isAsked(old, name, direction);
  const hasDefault = is.shape.default !== '';
  if (!isRequired) say('property-added', 'safe', `the property ${name} was added`, at);
  else if (hasDefault)
    say('required-property-added', 'risky', `the required property ${name} was added; it has a default`, at);
  else
    say(
      'required-property-added',
      'breaking',
      `the required property ${name} was added: requests without it are refused`,
      at,
    );
}

function compareRequired(say: Say, direction: Direction, { name, was, is, old, now }: PropertyChange): void {
  const [had, has] = [old.required.has(name), now.required.has(name)];
  if (had !== has) tellRequired(say, direction, name, has, { before: was.line, after: is.line });
}

function tellRequired(
  say: Say,
  direction: Direction,
  name: string,
  has: boolean,
  lines: { readonly before?: number; readonly after?: number },
): void {
  const isBroken = has === (direction === 'request');
  const message = has
    ? `the property ${name} is required now${isBroken ? ': requests without it are refused' : ''}`
    : `the property ${name} is no longer required${isBroken ? ': answers may lack it' : ''}`;
  const id = has ? 'property-became-required' : 'property-became-optional';
  say(id, isBroken ? 'breaking' : 'safe', message, { where: name, ...lines });
}

/** What is required of properties that a revision doesn't declare. What is told of one that came or went says it already. */
function compareUndeclared({ pairs, pair }: Comparing, say: Say, old: FlatShape, now: FlatShape): void {
  const { direction } = pair;
  const askedOfAll = { old: once(() => askedByAll(pairs.old, old)), now: once(() => askedByAll(pairs.now, now)) };
  for (const name of new Set([...old.required, ...now.required])) {
    const [was, is] = [old.properties.get(name), now.properties.get(name)];
    const [had, has] = [isAsked(old, name, direction), isAsked(now, name, direction)];
    if ((was !== undefined && is !== undefined) || had === has || (had ? was : is) !== undefined) continue;
    if (!(had ? askedOfAll.now() : askedOfAll.old()).has(name)) tellRequired(say, direction, name, has, {});
  }
}

/** Whether values that go this way have to have a property. */
function isAsked({ required, properties }: FlatShape, name: string, direction: Direction): boolean {
  const property = properties.get(name);
  return required.has(name) && (property === undefined || hasUse(property, direction));
}

/** What each alternative of some choice requires. */
function askedByAll(shapes: FlatShapes, { choices }: FlatShape): ReadonlySet<string> {
  const asked = choices.flatMap(choice => {
    const alternatives = new Set(choice.map(alternative => target(shapes, alternative)));
    const [first = new Set<string>(), ...others] = [...alternatives].map(one => flat(shapes, one).required);
    shapes.left -= alternatives.size * (first.size + 1);
    return shapes.left < 0 ? [] : [...first].filter(name => others.every(one => one.has(name)));
  });
  return new Set(asked);
}

/** The items of lists, and further properties. */
function compareInner({ pairs, within, pair }: Comparing, say: Say, old: FlatShape, now: FlatShape): void {
  const { direction, where, isText = false } = pair;
  const inner = (was: ApiShape, is: ApiShape, part: string): void =>
    compareShapes(pairs, within, {
      direction,
      isText: isText && part === '[]',
      old: was,
      now: is,
      where: joinedPath(where, part),
      before: was.line,
      after: is.line,
    });
  if (old.items !== undefined && now.items !== undefined) inner(old.items, now.items, '[]');
  const [was, is] = [old.additional, now.additional];
  if (typeof was !== 'string' && typeof is !== 'string') inner(was, is, '[*]');
  else compareFurther(say, direction, was, is);
}

/** What properties may be that are not told: requests break where that becomes less, answers where it becomes more. */
function compareFurther(
  say: Say,
  direction: Direction,
  was: FlatShape['additional'],
  is: FlatShape['additional'],
): void {
  if (direction === 'request' && roomOf(is) < roomOf(was)) {
    if (is === 'none') say('additional-properties-refused', 'breaking', 'properties that are not told are refused now');
    else
      say('additional-properties-narrowed', 'risky', 'properties that are not told have to be of a certain shape now');
  } else if (direction === 'response' && roomOf(is) > roomOf(was)) {
    if (was === 'none') say('additional-properties-allowed', 'risky', 'answers may have properties that are not told');
    else say('additional-properties-widened', 'risky', 'properties that are not told may be of any shape now');
  }
}

function roomOf(additional: FlatShape['additional']): number {
  return additional === 'none' ? 0 : additional === 'any' ? 2 : 1;
}
