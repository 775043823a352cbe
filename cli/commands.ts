import type { OperationName } from '../client/protocol/registry.ts';
import { gateFlags } from './gate/flags.ts';
import type { FieldSchema, TableEntry } from './table.ts';

/** A command line that is wrong: what is told, after which `svc` exits 2. */
export class UsageError extends Error {}

/** Where a value stands on the command line and in the input, and what it must be. */
export interface ValuePlace {
  readonly shown: string;
  readonly path: string;
  readonly schema: FieldSchema;
}

/** A value that its field can't take. */
export class ValueError extends UsageError {
  readonly place: ValuePlace;
  readonly text: string;

  constructor(place: ValuePlace, text: string, why: string) {
    super(`${place.shown}: ${JSON.stringify(text)} ${why}`);
    this.place = place;
    this.text = text;
  }
}

/** One command, read off an operation: `repo add [root]` → words `repo`, `add`, one optional operand, and a flag per remaining field. */
export interface Command {
  readonly operation: OperationName;
  readonly words: readonly string[];
  readonly operands: readonly Operand[];
  readonly flags: readonly Flag[];
  /** Flags of the command line alone. */
  readonly gates: readonly Flag[];
  readonly summary: string;
  readonly examples: readonly string[];
  readonly entry: TableEntry;
}

export interface Operand {
  readonly field: string;
  readonly isRequired: boolean;
  /** Several may be given. */
  readonly isVariadic: boolean;
  readonly schema: FieldSchema;
}

export interface Flag {
  readonly field: string;
  /** `includeTests` → `include-tests`, unless the operation calls it otherwise. */
  readonly name: string;
  /** What stands after the flag: `switch` takes nothing, `off` is the switch that turns a default off. */
  readonly kind: 'switch' | 'off' | 'value';
  readonly isRequired: boolean;
  /** Given once for each item of a list. */
  readonly isRepeated?: true | undefined;
  readonly schema: FieldSchema;
  /** A letter that stands for the name. */
  readonly short?: string | undefined;
}

/** The commands of all operations that have one, in the registry's order. */
export function commandsOf(table: readonly TableEntry[]): readonly Command[] {
  return table.flatMap(entry => (entry.cli === undefined ? [] : [commandOf(entry, entry.cli)]));
}

function commandOf(entry: TableEntry, cli: NonNullable<TableEntry['cli']>): Command {
  const parts = cli.command.split(' ');
  const words = parts.filter(part => /^[a-z]/.test(part));
  const { properties, required = [] } = entry.input;
  const schemaOf = (field: string): FieldSchema => ({
    ...properties[field],
    ...describedBy(cli.described?.[field]),
    ...(field === entry.formats?.field ? formatOnTerminal(properties[field]!) : {}),
  });
  const operands = parts
    .filter(part => !/^[a-z]/.test(part))
    .map(part => {
      const field = part.slice(1, -1).replace(/\.\.\.$/, '');
      return {
        field,
        isRequired: part.startsWith('<'),
        isVariadic: part.includes('...'),
        schema: schemaOf(field),
      };
    });
  const taken = new Set([...operands.map(({ field }) => field), ...(cli.without ?? [])]);
  const rest = Object.keys(properties).filter(field => !taken.has(field));
  const flags = rest.map(field => ({
    ...flagOf(field, schemaOf(field), required.includes(field)),
    ...(cli.flags?.[field] === undefined ? {} : { name: cli.flags[field] }),
    ...(cli.repeated?.includes(field) === true ? { isRepeated: true as const } : {}),
    short: cli.short?.[field],
  }));
  const examples = cli.examples ?? [`svc ${cli.command}`];
  const gates = cli.gate === undefined ? [] : gateFlags[cli.gate];
  return { operation: entry.name, words, operands, flags, gates, summary: entry.summary, examples, entry };
}

/** The form that nobody but people read. */
export const tableFormat = 'table';

/** People are shown a table unless they ask for another form. */
function formatOnTerminal({ enum: formats = [] }: FieldSchema): FieldSchema {
  return { enum: [tableFormat, ...formats], default: tableFormat };
}

function describedBy(description: string | undefined): FieldSchema {
  return description === undefined ? {} : { description };
}

function flagOf(field: string, schema: FieldSchema, isListed: boolean): Flag {
  const kind = schema.type !== 'boolean' ? 'value' : schema.default === true ? 'off' : 'switch';
  const isRequired = isListed && schema.default === undefined && kind === 'value';
  return { field, name: field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`), kind, isRequired, schema };
}

/** What an option's usage line shows: `--limit <number>`, `--kinds <a,b>`, `--no-include-tests`. */
export function flagUsage({ name, kind, schema, short, isRepeated }: Flag): string {
  const letter = short === undefined ? '' : `-${short}, `;
  switch (kind) {
    case 'switch':
      return `${letter}--${name}`;
    case 'off':
      return `--no-${name}`;
    case 'value':
      return `${letter}--${name} <${placeholder(isRepeated === true ? (schema.items ?? {}) : schema)}>`;
  }
}

function placeholder(schema: FieldSchema): string {
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return 'a,b';
  return schema.enum === undefined ? 'text' : 'name';
}

/** What a flag's help says: description, the values that it takes, the default. */
export function flagHelp({ kind, schema, field }: Flag): string {
  const choices = schema.enum ?? schema.items?.enum;
  const described = schema.description ?? sentence(inWords(field));
  const shown = [
    kind === 'off' ? `Without: ${uncapitalised(described)}` : described,
    choices === undefined ? '' : `One of: ${choices.join(', ')}`,
    kind === 'value' && String(schema.default ?? '') !== '' ? `Default: ${schema.default}` : '',
  ];
  return shown.filter(text => text !== '').join('. ');
}

function inWords(field: string): string {
  return field.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Several words as the schema of a list wants its items. Throws `ValueError`. */
export function parseWords(place: ValuePlace, words: readonly string[]): readonly unknown[] {
  return words.map((word, at) => parseValue(itemOf(place, at), word));
}

/** A value of the command line as its schema wants it. Throws `ValueError` naming what would do. */
export function parseValue(place: ValuePlace, text: string): unknown {
  const { schema } = place;
  if (schema.type === 'integer') return parseInteger(place, text);
  if (schema.type === 'number') return parseNumber(place, text);
  if (schema.type === 'array') return text.split(',').map((item, at) => parseValue(itemOf(place, at), item.trim()));
  if (schema.enum !== undefined && !schema.enum.includes(text)) {
    throw new ValueError(place, text, `is not one of ${schema.enum.join(', ')}`);
  }
  return text;
}

/** One more item of a list, which may have commas. Throws `ValueError`. */
export function parseItem(place: ValuePlace, text: string, before: readonly unknown[]): readonly unknown[] {
  return [...before, parseValue(itemOf(place, before.length), text)];
}

function itemOf({ shown, path, schema }: ValuePlace, at: number): ValuePlace {
  return { shown, path: `${path}[${at}]`, schema: schema.items ?? {} };
}

function parseInteger(place: ValuePlace, text: string): number {
  const { minimum, maximum } = place.schema;
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  const isInRange = value >= (minimum ?? Number.MIN_SAFE_INTEGER) && value <= (maximum ?? Number.MAX_SAFE_INTEGER);
  if (isInRange) return value;
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  throw new ValueError(place, text, `is not a whole number${range}`);
}

function parseNumber(place: ValuePlace, text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new ValueError(place, text, 'is not a number');
}
