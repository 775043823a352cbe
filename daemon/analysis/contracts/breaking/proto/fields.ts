import type { SchemaField, SchemaOption } from '../../../../model/proto-schema.ts';
import type { Compatibility } from '../change.ts';
import { defaultValue } from './default-value.ts';
import { changeOfType, type TypedField } from './field-types.ts';
import { isMapWrittenOut } from './map-entries.ts';
import { type MessagePair, type SayField, sayer } from './message-pair.ts';
import { type MeantType, meantBy } from './types.ts';

/** Two revisions of a field of a message. */
export function compareField(pair: MessagePair, old: SchemaField, now: SchemaField): void {
  const { comparison, oldType, nowType } = pair;
  const was = meantBy(comparison.before, oldType.fullName, old.type);
  const is = meantBy(comparison.after, nowType.fullName, now.type);
  const say = sayer(pair, old, now);
  const isWrittenOut = isMapWrittenOut(pair, old, now);
  const type = isWrittenOut
    ? undefined
    : changeOfType(comparison, { field: old, meant: was }, { field: now, meant: is });
  if (old.name !== now.name && type?.broken.includes('wire') === true) {
    const message = `number ${old.number} was ${old.name} of type ${was.name} and is ${now.name} of type ${is.name}: what was written before is read as something else`;
    say('field-number-reused', { severity: 'breaking', compatibility: ['wire', 'json', 'source'], message });
    return;
  }
  if (type !== undefined) {
    const message = `the type of ${old.name} changed from ${type.from} to ${type.to}${type.consequence}`;
    say('field-type-changed', { severity: 'breaking', compatibility: type.broken, message });
  }
  compareNames(say, old, now);
  compareCardinality(say, old, now, { type: was, isWrittenOut });
  compareOneof(pair, say, old, now);
  compareDefaults(pair, say, { field: old, meant: was }, { field: now, meant: is });
  compareDetails(say, old, now);
}

function compareNames(say: SayField, old: SchemaField, now: SchemaField): void {
  if (old.name !== now.name) {
    const message = `the field ${old.name} is called ${now.name} now`;
    const isSameJson = old.jsonName === now.jsonName;
    say('field-renamed', {
      severity: 'breaking',
      compatibility: isSameJson ? ['source'] : ['json', 'source'],
      message,
    });
  } else if (old.jsonName !== now.jsonName) {
    const message = `the field ${old.name} was ${old.jsonName} in JSON and is ${now.jsonName} now`;
    say('field-json-name-changed', { severity: 'breaking', compatibility: ['json'], message });
  }
  if (old.number !== now.number) {
    const message = `the number of ${old.name} changed from ${old.number} to ${now.number}: what was written before loses it`;
    say('field-number-changed', { severity: 'breaking', compatibility: ['wire'], message });
  }
}

/** Lists against single values, what has to be there, and whether absence is told from the type's zero. */
function compareCardinality(
  say: SayField,
  old: SchemaField,
  now: SchemaField,
  { type, isWrittenOut }: { readonly type: MeantType; readonly isWrittenOut: boolean },
): void {
  const [was, is] = [listed(old), listed(now)];
  if (was !== is) {
    const broken = isWrittenOut ? (['json', 'source'] as const) : brokenByList(old, now, type);
    const message = `the field ${old.name} was ${shape(old)} and is ${shape(now)} now`;
    say('field-cardinality-changed', { severity: 'breaking', compatibility: broken, message });
  } else if (old.cardinality !== now.cardinality) {
    const isNew = now.cardinality === 'required';
    const message = isNew
      ? `the field ${old.name} is required now: messages without it are refused`
      : `the field ${old.name} is no longer required: who still requires it refuses messages without it`;
    say(isNew ? 'field-became-required' : 'field-became-optional', {
      severity: 'breaking',
      compatibility: ['wire', 'json'],
      message,
    });
  } else if (old.presence !== now.presence && old.oneof === now.oneof && type.kind !== 'message') {
    const message =
      now.presence === 'explicit'
        ? `whether ${old.name} is set is told now where it was not: generated code changes`
        : `whether ${old.name} is set is no longer told: generated code changes, and zero is as good as nothing`;
    say('field-presence-changed', { severity: 'breaking', compatibility: ['source'], message });
  }
}

function listed({ cardinality }: SchemaField): 'single' | 'repeated' | 'map' {
  return cardinality === 'repeated' || cardinality === 'map' ? cardinality : 'single';
}

function shape(field: SchemaField): string {
  const kind = listed(field);
  return kind === 'single' ? 'a single value' : kind === 'map' ? 'a map' : 'a list';
}

/** Of a list where one value is taken strings, bytes and messages go through, numbers don't: they are packed. */
function brokenByList(old: SchemaField, now: SchemaField, type: MeantType): readonly Compatibility[] {
  if (listed(old) === 'map' || listed(now) === 'map') return ['wire', 'json', 'source'];
  const isNumber = (type.kind === 'scalar' && type.name !== 'string' && type.name !== 'bytes') || type.kind === 'enum';
  return isNumber ? ['wire', 'json', 'source'] : ['json', 'source'];
}

/** Into a oneof of its own a field may go; beside others it clears them, and is cleared by them. */
function compareOneof(pair: MessagePair, say: SayField, old: SchemaField, now: SchemaField): void {
  if (old.oneof === now.oneof || isRenamed(pair, old, now)) return;
  const [were, are] = [old.oneof, now.oneof].map((oneof, at) =>
    oneof === undefined ? [] : ((at === 0 ? pair.oldOneofs : pair.nowOneofs).get(oneof) ?? []),
  );
  const isAlone = were!.length <= 1 && are!.length <= 1;
  const from = old.oneof === undefined ? 'stood alone' : `was in the oneof ${old.oneof}`;
  const to = now.oneof === undefined ? 'stands alone' : `is in the oneof ${now.oneof}`;
  say('field-oneof-changed', {
    severity: 'breaking',
    compatibility: isAlone ? ['source'] : ['wire', 'json', 'source'],
    message: `the field ${old.name} ${from} and ${to} now${isAlone ? '' : ': of those in one only the last that is sent is kept'}`,
  });
}

/** All fields of the one are those of the other: told of the oneof itself. */
function isRenamed({ oldOneofs, nowOneofs }: MessagePair, old: SchemaField, now: SchemaField): boolean {
  if (old.oneof === undefined || now.oneof === undefined || nowOneofs.has(old.oneof)) return false;
  const [were, are] = [oldOneofs.get(old.oneof)!, nowOneofs.get(now.oneof)!];
  return were.length === are.length && were[0] === are[0] && were.join(' ') === are.join(' ');
}

/** What an enum's first value and the numbers of its values become is told of the enum. */
function compareDefaults({ comparison }: MessagePair, say: SayField, old: TypedField, now: TypedField): void {
  const [was, is] = [old.field.default, now.field.default];
  if (was === is || defaultValue(comparison.before, old) === defaultValue(comparison.after, now)) return;
  const message = `the default of ${old.field.name} changed from ${was ?? 'none'} to ${is ?? 'none'}: each side takes its own where nothing is sent`;
  say('field-default-changed', { severity: 'risky', compatibility: ['wire', 'json'], message });
}

function compareDetails(say: SayField, old: SchemaField, now: SchemaField): void {
  if (old.checksUtf8 !== now.checksUtf8 && isText(old) && isText(now)) {
    const message = now.checksUtf8
      ? `bytes of ${old.name} that are no UTF-8 are refused now: what was written before may have them`
      : `bytes of ${old.name} that are no UTF-8 are no longer refused: who still refuses them can’t read what has them`;
    say('field-utf8-validation-changed', { severity: 'risky', compatibility: ['wire'], message });
  }
  for (const name of ['jstype', 'ctype'] as const) {
    const [was, is] = [word(old.options, name), word(now.options, name)];
    if (was === is) continue;
    const message = `${name} of ${old.name} changed from ${was} to ${is}: its type in generated code changes`;
    say(`field-${name}-changed`, { severity: 'breaking', compatibility: ['source'], message });
  }
  if (now.isDeprecated && !old.isDeprecated)
    say('field-deprecated', { severity: 'safe', compatibility: [], message: `the field ${old.name} is deprecated` });
}

function isText({ type, mapKey }: SchemaField): boolean {
  return type === 'string' || mapKey === 'string';
}

const wordDefaults = { jstype: 'JS_NORMAL', ctype: 'STRING' } as const;

function word(options: readonly SchemaOption[], name: 'jstype' | 'ctype'): string {
  const value = options.findLast(option => option.name === name)?.value;
  return value?.kind === 'word' ? value.text : wordDefaults[name];
}
