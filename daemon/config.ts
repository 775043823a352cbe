import { nameInHost } from '../client/protocol/loopback.ts';
import { nearest } from '../client/protocol/nearest.ts';
import { type Config, type ConfigKey, configKeys, environmentName, problemOfTables } from './config-schema.ts';
import { type LoadedIndexServer, readIndexServer } from './index-server-config.ts';
import { indexServerTables } from './index-server-schema.ts';
import {
  ConfigError,
  type Environment,
  expandVariables,
  isTable,
  placeIn,
  readToml,
  refusalOf,
  type TomlFile,
} from './toml-file.ts';

/** The configuration in force and where each of its values comes from. */
export interface LoadedConfig {
  readonly values: Config;
  /** By key, e.g. `http.port`: `flag --port`, `environment SVC_HTTP_PORT`, `/…/config.toml:3` or `default`. */
  readonly origins: ReadonlyMap<string, string>;
  /** What it says of the index server. */
  readonly indexServer: LoadedIndexServer;
}

export interface ConfigSources {
  /** Path of `config.toml`; it need not exist. */
  readonly file: string;
  readonly environment: Environment;
  /** By key, e.g. `{'http.port': 8080}`. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Flag over environment over file over default. Throws one `ConfigError` for all keys and values that can't stand. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const file = readToml(sources.file, 'allowed');
  const problems = unknownKeys(file);
  const values: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  for (const key of configKeys) {
    const found = lookUp(key, file, sources);
    origins.set(key.name, found.origin);
    const problem = found.value === undefined ? undefined : problemOf(key, found.value, found.origin);
    if (problem !== undefined) problems.push(problem);
    else if (found.value !== undefined) place(values, key.path, found.value);
    else if (key.path.length > 1) tableOf(values, key.path);
  }
  const indexServer = readIndexServer(file, sources.environment, 'variables win');
  problems.push(...indexServer.problems);
  if (problems.length > 0) throw refusalOf(problems);
  const config = values as Config;
  const token = config.auth.token;
  if (token !== undefined)
    config.auth.token = expandToken(token, origins.get('auth.token')!, config, sources.environment);
  return { values: config, origins, indexServer: indexServer.loaded };
}

/** `base` with the values that `other` has under these keys, and their origins; of the index server all that it says. */
export function withValuesOf(base: LoadedConfig, other: LoadedConfig, keys: readonly ConfigKey[]): LoadedConfig {
  const values = structuredClone(base.values) as unknown as Record<string, unknown>;
  const origins = new Map(base.origins);
  for (const { name, path } of keys) {
    place(values, path, valueAt(other.values, path));
    origins.set(name, other.origins.get(name)!);
  }
  return { values: values as unknown as Config, origins, indexServer: other.indexServer };
}

export function valueAt(config: Config, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, segment) => (value as Record<string, unknown> | undefined)?.[segment], config);
}

function unknownKeys(file: TomlFile): string[] {
  const problems: string[] = [];
  const names = new Set(configKeys.map(key => key.name));
  for (const [name, value] of Object.entries(file.values)) {
    if (indexServerTables.includes(name)) continue;
    if (!tableNames.has(name)) {
      if (!names.has(name)) problems.push(unknownKey(name, file));
    } else if (isTable(value)) {
      for (const inner of Object.keys(value)) {
        if (!names.has(`${name}.${inner}`)) problems.push(unknownKey(`${name}.${inner}`, file));
      }
    } else problems.push(`${placeIn(file, [name])}: ${name} is a table. Write [${name}].`);
  }
  return problems;
}

function unknownKey(name: string, file: TomlFile): string {
  const near = nearestKey(name);
  const remedy = near === undefined ? 'Remove it; config.example.toml lists every key.' : `Did you mean ${near}?`;
  return `${placeIn(file, name.split('.'))}: unknown key ${name}. ${remedy}`;
}

/** The one that is called so elsewhere, or the one that is spelt most alike. */
function nearestKey(name: string): string | undefined {
  const last = name.split('.').at(-1)!;
  const keys = configKeys.map(key => key.name);
  const namesake = configKeys.find(key => key.path.at(-1) === last)?.name;
  const table = nearest(name, [...tableNames, ...indexServerTables]);
  return namesake ?? nearest(name, keys) ?? (table && `[${table}]`);
}

const tableNames = new Set(configKeys.filter(({ path }) => path.length > 1).map(({ path }) => path[0]!));

function lookUp(key: ConfigKey, file: TomlFile, sources: ConfigSources): { value: unknown; origin: string } {
  const flag = sources.flags?.[key.name];
  if (flag !== undefined) return { value: flag, origin: `flag --${key.path.at(-1)!.replaceAll('_', '-')}` };
  const variable = environmentName(key.name);
  const text = sources.environment[variable];
  if (text !== undefined) return { value: fromText(key, text), origin: `environment ${variable}` };
  let value: unknown = file.values;
  for (const segment of key.path) value = isTable(value) ? value[segment] : undefined;
  if (isTable(value)) value = structuredClone(value); // the parser's have no prototype
  if (value !== undefined) return { value, origin: placeIn(file, key.path) };
  const fallback = key.schema.default;
  return { value: structuredClone(fallback), origin: 'default' };
}

/** A value from the environment, in the type of its key; text that does not fit is left for `problemOf` to refuse. */
function fromText(key: ConfigKey, text: string): unknown {
  switch (key.schema.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text
        .split(',')
        .map(item => item.trim())
        .filter(item => item !== '');
    default:
      return text;
  }
}

function problemOf(key: ConfigKey, value: unknown, origin: string): string | undefined {
  const wrong = complaint(key, value);
  if (wrong === undefined) return undefined;
  const fallback = key.schema.default;
  const remedy = fallback === undefined ? 'Set it or remove the key.' : `The default is ${JSON.stringify(fallback)}.`;
  return `${origin}: ${key.name} ${wrong}. ${remedy}`;
}

function complaint(key: ConfigKey, value: unknown): string | undefined {
  const { schema } = key;
  if (schema.enum !== undefined) {
    return schema.enum.includes(value as string) ? undefined : `must be one of ${schema.enum.join(', ')}`;
  }
  switch (schema.type) {
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const fits = Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
      return fits ? undefined : `must be a whole number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return Array.isArray(value) && value.every(item => typeof item === 'string' && item !== '')
        ? complaintOfItems(schema.items ?? {}, value)
        : 'must be a list of texts';
    case 'object':
      return problemOfTables(key, value);
    default:
      if (typeof value !== 'string') return 'must be a text';
      return value.length < (schema.minLength ?? 0) ? 'must not be empty' : undefined;
  }
}

type Items = NonNullable<ConfigKey['schema']['items']>;

function complaintOfItems({ enum: known, format }: Items, items: readonly string[]): string | undefined {
  const nameless = format === 'host' ? items.findIndex(item => nameInHost(item) === undefined) : -1;
  // It is not repeated: what stands in a wrong place may be a secret.
  if (nameless >= 0)
    return `must be a list of names of hosts, each with or without :port, and item ${nameless + 1} is none`;
  const unknown = known && items.find(item => !known.includes(item));
  return unknown === undefined ? undefined : `holds ${JSON.stringify(unknown)}, which is none of ${known!.join(', ')}`;
}

/** `${NAME}` becomes the variable's value. An empty token would be an open door, so it is refused; its value is never shown. */
function expandToken(configured: string, origin: string, config: Config, environment: Environment): string {
  const { text, unset } = expandVariables(configured, environment);
  if (unset !== undefined && config.auth.enabled) {
    throw new ConfigError(
      `${origin}: auth.token names ${unset}, which is not set. Set it, or remove the key to have a token made.`,
    );
  }
  const token = text.trim();
  if (config.auth.enabled && token.length < 16) {
    throw new ConfigError(
      `${origin}: auth.token is shorter than 16 characters. Use a longer one, or remove the key to have one made.`,
    );
  }
  if (config.auth.enabled && !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError(
      `${origin}: auth.token holds what no request can show. Use letters, digits and signs of ASCII.`,
    );
  }
  return token;
}

function place(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const holder = path.length > 1 ? tableOf(values, path) : values;
  holder[path.at(-1)!] = value;
}

function tableOf(values: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  values[path[0]!] ??= {};
  return values[path[0]!] as Record<string, unknown>;
}
