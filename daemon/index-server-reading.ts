import { nearest } from '../client/protocol/nearest.ts';
import { environmentName } from './config-schema.ts';
import type { IndexServerKey, IndexServerTable, KeyKind } from './index-server-schema.ts';
import { type Environment, expandVariables, isTable, placeIn, type TomlFile } from './toml-file.ts';

/** A setting as it is shown to people. */
export interface ShownSetting {
  readonly key: string;
  /** Secrets are masked. */
  readonly value: unknown;
  readonly origin: string;
}

/** A file being read, table by table: what is wrong gathers until all of it has been looked at. */
export interface SettingsReading {
  readonly problems: readonly string[];
  readonly shown: readonly ShownSetting[];
  table(schema: IndexServerTable): TableReading;
  list(schema: IndexServerTable): readonly TableReading[];
  /** Notes a key that is none of those that may stand there. */
  unknown(at: KeyPath, known: readonly string[]): void;
}

/** One table. What is wrong with a value is noted, and the value is as if it were not there. */
export interface TableReading {
  switch(name: string): boolean;
  count(name: string): number | undefined;
  text(name: string): string | undefined;
  texts(name: string): readonly string[] | undefined;
  /** A text of 16 characters at least, variables in it expanded. */
  secret(name: string): string | undefined;
  /** Notes that a key is missing. */
  demand(name: string, remedy: string): void;
  /** Notes what is wrong with a value. */
  problem(name: string, words: string, remedy: string): void;
  table(schema: IndexServerTable): TableReading;
  list(schema: IndexServerTable): readonly TableReading[];
  /** Whether a key stands there. */
  has(name: string): boolean;
}

/** Where a key stands; numbers count in lists of tables. */
export type KeyPath = readonly (string | number)[];

/** `variables win`: for what is no list, a variable such as SVC_INDEX_SERVER_ENABLED goes before the file. */
export type Order = 'variables win' | 'file alone';

interface Reading {
  readonly file: TomlFile;
  readonly environment: Environment;
  readonly order: Order;
  readonly problems: string[];
  readonly shown: ShownSetting[];
}

export function readSettings(file: TomlFile, environment: Environment, order: Order): SettingsReading {
  const reading: Reading = { file, environment, order, problems: [], shown: [] };
  return {
    problems: reading.problems,
    shown: reading.shown,
    table: schema => tableAt(reading, file.values, [], schema),
    list: schema => listAt(reading, file.values, [], schema),
    unknown: (at, known) => noteUnknown(reading, at, known),
  };
}

function tableAt(reading: Reading, holder: Table, above: KeyPath, schema: IndexServerTable): TableReading {
  const name = schema.path.at(-1)!;
  const at = [...above, name];
  const found = holder[name];
  if (found !== undefined && !isTable(found)) note(reading, at, 'is a table', `Write [${schema.path.join('.')}].`);
  return readTable(reading, isTable(found) ? found : {}, at, schema);
}

/** A single table where a list of them may stand is a list of one. */
function listAt(reading: Reading, holder: Table, above: KeyPath, schema: IndexServerTable): readonly TableReading[] {
  const name = schema.path.at(-1)!;
  const at = [...above, name];
  const found = holder[name];
  const tables = found === undefined ? [] : Array.isArray(found) ? found : [found];
  const places = tables.map((_, index) => (Array.isArray(found) ? [...at, index] : at));
  const origin = found === undefined ? 'default' : placeIn(reading.file, places[0] ?? at);
  reading.shown.push({ key: schema.path.join('.'), value: tables.map(table => masked(table, schema)), origin });
  if (!tables.every(isTable)) {
    note(reading, at, 'is a list of tables', `Write [[${schema.path.join('.')}]] before each.`);
    return [];
  }
  return tables.map((table, index) => readTable(reading, table, places[index]!, schema));
}

type Table = Readonly<Record<string, unknown>>;

function readTable(reading: Reading, values: Table, at: KeyPath, schema: IndexServerTable): TableReading {
  const known = [...schema.keys.map(({ name }) => name), ...schema.inner];
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) noteUnknown(reading, [...at, name], known, schema.elsewhere?.[name]);
  }
  const isAlone = isAloneAt(at, schema);
  const keyOf = (name: string) => schema.keys.find(key => key.name === name)!;
  const take = (name: string): unknown => {
    const key = keyOf(name);
    const found = lookUp(reading, values, [...at, name], key, isAlone);
    if (isAlone) reading.shown.push(shownAs(key, [...at, name], found));
    const wrong = found.value === undefined ? undefined : complaint(key, found.value);
    if (wrong !== undefined) {
      reading.problems.push(`${found.origin}: ${dotted([...at, name])} ${wrong}. ${remedyFor(key)}`);
      return key.fallback;
    }
    return found.value ?? key.fallback;
  };
  const problem = (name: string, words: string, remedy: string) => note(reading, [...at, name], words, remedy);
  return {
    switch: name => take(name) as boolean,
    count: name => take(name) as number | undefined,
    text: name => take(name) as string | undefined,
    texts: name => take(name) as readonly string[] | undefined,
    secret(name) {
      const text = take(name);
      return text === undefined
        ? undefined
        : expanded(text as string, reading, (words, remedy) => problem(name, words, remedy));
    },
    demand: (name, remedy) => note(reading, at, `has no ${name}`, remedy),
    problem,
    table: inner => tableAt(reading, values, at, inner),
    list: inner => listAt(reading, values, at, inner),
    has: name => values[name] !== undefined,
  };
}

/** Whether it is the one table of its name: no list may stand in its place. */
function isAloneAt(at: KeyPath, { isListed }: IndexServerTable): boolean {
  return !isListed && at.every(step => typeof step === 'string');
}

function lookUp(reading: Reading, values: Table, at: KeyPath, key: IndexServerKey, isAlone: boolean) {
  const variable = environmentName(at.join('.'));
  const text = reading.order === 'variables win' && isAlone ? reading.environment[variable] : undefined;
  if (text !== undefined) return { value: fromText(key, text), origin: `environment ${variable}` };
  const value = values[key.name];
  return { value, origin: value === undefined ? 'default' : placeIn(reading.file, at) };
}

function fromText({ kind }: KeyKind, text: string): unknown {
  if (kind === 'count') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind === 'switch') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function shownAs(key: IndexServerKey, at: KeyPath, found: { readonly value: unknown; readonly origin: string }) {
  const value = found.value ?? key.fallback ?? null;
  return { key: dotted(at), value: key.kind === 'secret' && value !== null ? mask : value, origin: found.origin };
}

const mask = '***';

function masked(table: unknown, { keys }: IndexServerTable): unknown {
  if (!isTable(table)) return mask;
  const secrets = keys.filter(({ kind }) => kind === 'secret').map(({ name }) => name);
  const shown = Object.entries(table).map(([name, value]) => [name, secrets.includes(name) ? mask : value] as const);
  return structuredClone(Object.fromEntries(shown));
}

function complaint(key: IndexServerKey, value: unknown): string | undefined {
  switch (key.kind) {
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'count': {
      const fits = Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= key.maximum;
      return fits ? undefined : `must be a whole number from 1 to ${key.maximum}`;
    }
    case 'text':
    case 'secret':
      if (typeof value !== 'string') return 'must be a text';
      return value === '' && key.fallback !== '' ? 'must not be empty' : undefined;
    case 'texts':
      return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string' && item !== '')
        ? undefined
        : 'must be a list of texts, and not empty';
  }
}

function remedyFor({ fallback, example }: IndexServerKey): string {
  if (fallback !== undefined) return `The default is ${JSON.stringify(fallback)}.`;
  return example === undefined ? 'Set it or remove the key.' : `Write one such as ${example}.`;
}

/**
 * What stands behind `${NAME}`. A variable that is not set would be an open door, and so would its name, were it taken for the
 * secret itself. Values are never shown.
 */
function expanded(
  configured: string,
  { environment, order }: Reading,
  problem: (words: string, remedy: string) => void,
): string | undefined {
  const { text, unset } = expandVariables(configured, environment);
  const unbraced = configured.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, ' ');
  const bare = /\$([A-Za-z_][A-Za-z0-9_]*)/.exec(unbraced)?.[1];
  if (unset !== undefined) {
    const who = order === 'file alone' ? 'svc serve' : 'the daemon';
    problem(`names ${unset}, which is not set`, `Set it where ${who} is started, or remove the key.`);
  } else if (bare !== undefined || unbraced.includes('${')) {
    const remedy = `Write \${${bare ?? 'NAME'}}; a secret that has a $ of its own may stand in a variable.`;
    problem('names a variable in no way that is understood', remedy);
  } else if (text.trim().length < leastCharacters) {
    problem(`is shorter than ${leastCharacters} characters`, 'Use a longer one, such as openssl rand -hex 32 prints.');
  } else if (!/^[\x21-\x7e]+$/.test(text.trim())) {
    problem('holds what no request can show', 'Use letters, digits and signs of ASCII.');
  } else return text.trim();
  return undefined;
}

const leastCharacters = 16;

function noteUnknown(reading: Reading, at: KeyPath, known: readonly string[], told?: string): void {
  const name = String(at.at(-1));
  const near = nearest(name, known);
  const place = placeIn(reading.file, at);
  const guess =
    near === undefined ? `Here may stand ${known.join(', ')}.` : `Did you mean ${dotted([...at.slice(0, -1), near])}?`;
  reading.problems.push(`${place}: unknown key ${dotted(at)}. ${told ?? guess}`);
}

function note(reading: Reading, at: KeyPath, words: string, remedy: string): void {
  reading.problems.push(`${placeIn(reading.file, at)}: ${dotted(at)} ${words}. ${remedy}`);
}

/** `repos[1].path`. */
function dotted(at: KeyPath): string {
  return at.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
