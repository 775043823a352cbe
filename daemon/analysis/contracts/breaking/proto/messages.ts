import type { SchemaField, SchemaOption } from '../../../../model/proto-schema.ts';
import { type Comparison, tell } from './comparison.ts';
import { compareField } from './fields.ts';
import { changeOfJsonFormat } from './json-format.ts';
import { type MessagePair, messagePair, sayer } from './message-pair.ts';
import { apart, holdAll } from './number-ranges.ts';
import { placeAt } from './place-at.ts';
import { tellReserved } from './reserved.ts';
import type { KnownType } from './types.ts';

/** Two revisions of a message: its fields, its oneofs, and what numbers and names are kept free. */
export function compareMessages(comparison: Comparison, oldType: KnownType, nowType: KnownType): void {
  const pair = messagePair(comparison, oldType, nowType);
  compareFields(pair);
  compareOneofs(pair);
  tellReserved(comparison, oldType, nowType, { old: pair.old.reserved, now: pair.nowKept });
  compareExtensionRanges(pair);
  compareSettings(pair);
}

/** A field is the same where its name is, else where its number is. */
function compareFields(pair: MessagePair): void {
  const { old, now } = pair;
  const byName = new Map(now.fields.map(field => [field.name, field]));
  const byNumber = new Map(now.fields.map(field => [field.number, field]));
  const oldNames = new Set(old.fields.map(({ name }) => name));
  const oldNumbers = new Map(old.fields.map(field => [field.number, field]));
  const met = new Set<SchemaField>();
  for (const field of old.fields) {
    const sameNumber = byNumber.get(field.number);
    const isOfAnother = sameNumber !== undefined && oldNames.has(sameNumber.name) && sameNumber.name !== field.name;
    const counterpart = byName.get(field.name) ?? (isOfAnother ? undefined : sameNumber);
    if (counterpart === undefined) tellDeleted(pair, field);
    else {
      met.add(counterpart);
      compareField(pair, field, counterpart);
    }
  }
  for (const field of now.fields) if (!met.has(field)) tellAdded(pair, field, oldNumbers.get(field.number));
}

function tellDeleted(pair: MessagePair, field: SchemaField): void {
  const { numbers, names } = pair.nowKept;
  const keepsNumber = holdAll(numbers, field.number, field.number);
  const keepsName = names.has(field.name);
  const isRequired = field.cardinality === 'required';
  const open = [keepsNumber ? '' : `number ${field.number}`, keepsName ? '' : `name ${field.name}`].filter(Boolean);
  const consequence = isRequired
    ? ': who still requires it refuses the message'
    : open.length > 0
      ? `, and its ${open.join(' and its ')} may be taken by another: reserve ${open.length > 1 ? 'them' : 'it'}`
      : '; its number and its name are reserved';
  sayer(
    pair,
    field,
    undefined,
  )('field-deleted', {
    severity: 'breaking',
    compatibility: [
      ...(keepsNumber && !isRequired ? [] : (['wire'] as const)),
      ...(keepsName && !isRequired ? [] : (['json'] as const)),
      'source',
    ],
    message: `the field ${field.name} was deleted${consequence}`,
  });
}

function tellAdded(pair: MessagePair, field: SchemaField, earlier: SchemaField | undefined): void {
  const say = sayer(pair, undefined, field);
  const { numbers, names } = pair.oldKept;
  if (earlier !== undefined) {
    const message = `the field ${field.name} takes number ${field.number}, which ${earlier.name} had: what was written before is read as it`;
    say('field-number-reused', { severity: 'breaking', compatibility: ['wire'], message });
  } else if (holdAll(numbers, field.number, field.number) || names.has(field.name)) {
    const message = `the field ${field.name} = ${field.number} takes a number or a name that was reserved: older messages may have it with another meaning`;
    say('reserved-field-used', { severity: 'breaking', compatibility: ['wire', 'json'], message });
  }
  if (field.cardinality === 'required') {
    const message = `the required field ${field.name} was added: messages without it are refused`;
    say('required-field-added', { severity: 'breaking', compatibility: ['wire', 'json'], message });
  } else if (earlier === undefined) {
    say('field-added', { severity: 'safe', compatibility: [], message: `the field ${field.name} was added` });
  }
}

function compareOneofs(pair: MessagePair): void {
  const { comparison, old, now, oldType, nowType, name, oldOneofs, nowOneofs } = pair;
  const kept = new Set(now.oneofs.map(oneof => oneof.name));
  const byNumbers = new Map(now.oneofs.map(oneof => [nowOneofs.get(oneof.name)?.join(' '), oneof]));
  for (const oneof of old.oneofs) {
    if (kept.has(oneof.name)) continue;
    const other = byNumbers.get(oldOneofs.get(oneof.name)?.join(' ') ?? '');
    const what = other === undefined ? 'was deleted' : `is called ${other.name} now`;
    tell(
      comparison,
      { type: oldType.fullName },
      {
        id: other === undefined ? 'oneof-deleted' : 'oneof-renamed',
        severity: 'breaking',
        compatibility: ['source'],
        subject: `${name}.${oneof.name}`,
        message: `the oneof ${oneof.name} ${what}`,
        before: placeAt(oldType, oneof.line),
        after: other === undefined ? undefined : placeAt(nowType, other.line),
      },
    );
  }
}

function compareExtensionRanges({ comparison, old, now, oldType, nowType, name }: MessagePair): void {
  const kept = apart(now.extensionRanges);
  for (const { from, to, line } of old.extensionRanges) {
    if (holdAll(kept, from, to)) continue;
    tell(
      comparison,
      { type: oldType.fullName },
      {
        id: 'extension-range-removed',
        severity: 'breaking',
        compatibility: ['wire', 'source'],
        subject: `${name} extensions ${from} to ${to}`,
        message: `numbers ${from} to ${to} are no longer all for extensions`,
        before: placeAt(oldType, line),
        after: placeAt(nowType, now.line),
      },
    );
  }
}

/** What the message as a whole is said to be. */
function compareSettings(pair: MessagePair): void {
  const { comparison, old, now, oldType, nowType, name } = pair;
  const common = {
    subject: name,
    before: placeAt(oldType, old.line),
    after: placeAt(nowType, now.line),
  };
  const say = (told: Pick<Parameters<typeof tell>[2], 'id' | 'severity' | 'compatibility' | 'message'>): void =>
    tell(comparison, { type: oldType.fullName }, { ...told, ...common });
  if (isSet(old.options, 'message_set_wire_format') !== isSet(now.options, 'message_set_wire_format'))
    say({
      id: 'message-set-format-changed',
      severity: 'breaking',
      compatibility: ['wire', 'source'],
      message: 'message_set_wire_format changed: extensions are written in another way',
    });
  if (isSet(now.options, 'no_standard_descriptor_accessor') && !isSet(old.options, 'no_standard_descriptor_accessor'))
    say({
      id: 'descriptor-accessor-removed',
      severity: 'breaking',
      compatibility: ['source'],
      message: 'generated code no longer has descriptor()',
    });
  const json = changeOfJsonFormat('message', old.features, now.features);
  if (json !== undefined) say(json);
  if (isSet(now.options, 'deprecated') && !isSet(old.options, 'deprecated'))
    say({ id: 'message-deprecated', severity: 'safe', compatibility: [], message: 'the message is deprecated' });
}

function isSet(options: readonly SchemaOption[], name: string): boolean {
  const value = options.findLast(option => option.name === name)?.value;
  return value?.kind === 'word' && value.text === 'true';
}
