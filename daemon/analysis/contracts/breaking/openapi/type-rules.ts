import type { ApiValue } from '../../../../model/openapi-schema.ts';
import type { FlatShape } from './flat-shape.ts';
import type { Direction } from './found.ts';
import type { ShapePair } from './shape-pairs.ts';
import type { Say } from './shape-rules.ts';

/** Types, formats, and whether there may be nothing. Requests break where they narrow, answers where they widen. */
export function compareTypes(
  say: Say,
  { direction, isText }: Place,
  name: string,
  old: FlatShape,
  now: FlatShape,
): void {
  const [from, to] = [typesOf(old), typesOf(now)];
  const isSame = from === to;
  if (!isSame) {
    const [narrow, wide] = direction === 'request' ? [old, now] : [now, old];
    const isHeld = holdsTypes(wide.types, narrow.types) || (isText === true && holdsText(wide, narrow));
    const message = `the type of ${name} changed from ${from} to ${to}`;
    if (isHeld) say(direction === 'request' ? 'type-widened' : 'type-narrowed', 'safe', message);
    else say('type-changed', 'breaking', message);
  } else if (old.format !== now.format) compareFormats(say, direction, name, old, now);
  if (old.isNullable === now.isNullable || (!isSame && old.types.length * now.types.length === 0)) return;
  const { id, severity, message } = nullChange(direction, name, now.isNullable);
  say(id, severity, message);
}

type Place = Pick<ShapePair, 'direction' | 'isText'>;

/** Of what may be null at last, or no longer. */
export function nullChange(direction: Direction, name: string, isNullable: boolean) {
  const isBroken = isNullable === (direction === 'response');
  return {
    id: isNullable ? 'became-nullable' : 'became-not-nullable',
    severity: isBroken ? ('breaking' as const) : ('safe' as const),
    message: isNullable ? `${name} may be null now` : `${name} may no longer be null`,
  };
}

/** Any text takes what numbers and marks are written as. */
function holdsText({ types, format }: FlatShape, narrow: FlatShape): boolean {
  const isWritten = (type: string): boolean => types.includes(type) || plainTypes.has(type);
  return types.includes('string') && format === '' && narrow.types.length > 0 && narrow.types.every(isWritten);
}

const plainTypes = new Set(['integer', 'number', 'boolean']);

function typesOf({ types }: FlatShape): string {
  return types.length === 0 ? 'any' : types.join(' or ');
}

/** Whether values of the ones are values of the others. */
export function holdsTypes(wide: readonly string[], narrow: readonly string[]): boolean {
  if (wide.length === 0) return true;
  return (
    narrow.length > 0 && narrow.every(type => wide.includes(type) || (type === 'integer' && wide.includes('number')))
  );
}

/** Each format's values are among those of the one behind it. */
const widerFormats: readonly (readonly [narrow: string, wide: string])[] = [
  ['int32', 'int64'],
  ['float', 'double'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
  ['uri', 'uri-reference'],
  ['uri', 'iri'],
];

function compareFormats(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  const [narrow, wide] = direction === 'request' ? [old.format, now.format] : [now.format, old.format];
  const isHeld = wide === '' || widerFormats.some(([one, other]) => one === narrow && other === wide);
  const message = `the format of ${name} changed from ${old.format || 'any'} to ${now.format || 'any'}`;
  say('format-changed', isHeld ? 'safe' : 'breaking', message);
}

/** The values of an enum. */
export function compareValues(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  const [was, is] = [old.values, now.values];
  if (was === undefined && is === undefined) return;
  if (was === undefined) tellBegun(say, direction, name, is!);
  else if (is === undefined) tellEnded(say, direction, name);
  else {
    for (const value of without(was, is)) tellValue(say, direction, name, value, 'removed');
    for (const value of without(is, was)) tellValue(say, direction, name, value, 'added');
  }
}

function without(values: readonly ApiValue[], others: readonly ApiValue[]): readonly ApiValue[] {
  const kept = new Set(others.map(({ text }) => text));
  return values.filter(({ text }) => !kept.has(text));
}

function tellBegun(say: Say, direction: Direction, name: string, values: readonly ApiValue[]): void {
  const shown = values.slice(0, 5).map(({ text }) => text);
  const message = `${name} takes ${shown.join(', ')}${values.length > 5 ? ' …' : ''} alone now`;
  say('became-enum', direction === 'request' ? 'breaking' : 'safe', message);
}

function tellEnded(say: Say, direction: Direction, name: string): void {
  const message = `${name} is no longer one of certain values`;
  say('enum-removed', direction === 'request' ? 'safe' : 'risky', message);
}

function tellValue(say: Say, direction: Direction, name: string, value: ApiValue, what: 'added' | 'removed'): void {
  const isSent = direction === 'request';
  const message =
    what === 'removed'
      ? `${value.text} is no longer ${isSent ? 'taken as' : 'a value of'} ${name}`
      : `${value.text} is a new value of ${name}${isSent ? '' : ', which consumers may not know'}`;
  const severity = what === 'removed' ? (isSent ? 'breaking' : 'safe') : isSent ? 'safe' : 'risky';
  const at = what === 'removed' ? { before: value.line } : { after: value.line };
  say(`enum-value-${what}`, severity, message, at);
}
