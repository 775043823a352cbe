import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { type KeyScope, keyScopes } from '../client/protocol/operation.ts';
import { homeIn } from '../client/this-user.ts';
import {
  type Order,
  readSettings,
  type SettingsReading,
  type ShownSetting,
  type TableReading,
} from './index-server-reading.ts';
import {
  authTable,
  defaultPrivacyTable,
  indexServerTables,
  privacyTable,
  rateTable,
  repoTable,
  serverTable,
  staticKeyTable,
} from './index-server-schema.ts';
import type { ConfiguredRepo, IndexServerSettings, KeySettings, StaticKey } from './index-server-settings.ts';
import { everythingExposed, type Privacy } from './model/privacy.ts';
import { isPattern, isServedId, servedIdRule } from './model/repo-pattern.ts';
import { type Environment, readToml, refusalOf, type TomlFile } from './toml-file.ts';

/** What a file says of an index server, and how that is shown to people. */
export interface LoadedIndexServer {
  readonly settings: IndexServerSettings;
  readonly shown: readonly ShownSetting[];
}

/** The file that `svc serve --index-config` names, which stands alone. Throws one `ConfigError` for all that is wrong. */
export function loadIndexServer(path: string, environment: Environment): LoadedIndexServer {
  const file = readToml(path, 'refused');
  const reading = readSettings(file, environment, 'file alone');
  for (const name of Object.keys(file.values)) {
    if (!indexServerTables.includes(name)) reading.unknown([name], indexServerTables);
  }
  const settings = settingsIn(reading, file, environment);
  if (reading.problems.length > 0) throw refusalOf(reading.problems);
  return { settings, shown: reading.shown };
}

/** What a file that holds other things too says of the index server, with all that is wrong. */
export function readIndexServer(
  file: TomlFile,
  environment: Environment,
  order: Order,
): { readonly loaded: LoadedIndexServer; readonly problems: readonly string[] } {
  const reading = readSettings(file, environment, order);
  const settings = settingsIn(reading, file, environment);
  return { loaded: { settings, shown: reading.shown }, problems: reading.problems };
}

function settingsIn(reading: SettingsReading, file: TomlFile, environment: Environment): IndexServerSettings {
  const server = reading.table(serverTable);
  const enabled = server.switch('enabled');
  const maxPageSize = server.count('max_page_size')!;
  const cursorSecret = server.secret('cursor_secret');
  const auth = keysIn(server.table(authTable));
  const defaults = reading.table(defaultPrivacyTable);
  const defaultPrivacy = { ...everythingExposed, ...exposedBy(defaults) };
  const repos = reposIn(reading, { defaultPrivacy, folder: dirname(file.path), home: homeIn(environment) });
  return {
    enabled,
    maxPageSize,
    cursorSecret: cursorSecret === undefined ? undefined : sha256(cursorSecret).toString('hex'),
    auth,
    repos,
    defaultPrivacy,
  };
}

function keysIn(auth: TableReading): KeySettings {
  const enabled = auth.switch('enabled');
  const requireAuth = auth.switch('require_auth');
  const legacy = auth.secret('legacy_token');
  const rates = auth.table(rateTable);
  const rateLimiting = {
    enabled: rates.switch('enabled'),
    defaultLimit: rates.count('default_limit')!,
    burstSize: rates.count('burst_size')!,
  };
  const holders = new Map(legacy === undefined ? [] : [[legacy, 'legacy_token']]);
  const ids = new Set<string>();
  const staticKeys = auth.list(staticKeyTable).flatMap(table => staticKeyIn(table, ids, holders) ?? []);
  return {
    enabled,
    requireAuth,
    legacyDigest: legacy === undefined ? undefined : sha256(legacy),
    staticKeys,
    rateLimiting,
  };
}

/** `holders`: whose each secret is, so far. */
function staticKeyIn(table: TableReading, ids: Set<string>, holders: Map<string, string>): StaticKey | undefined {
  const id = table.text('id');
  const name = table.text('name') ?? id;
  const token = table.secret('token');
  const scope = scopeIn(table);
  const repos = table.texts('repo_patterns') ?? [];
  const rateLimit = table.count('rate_limit');
  if (!table.has('id')) table.demand('id', 'Name it for the log, as in id = "ci".');
  if (!table.has('token')) table.demand('token', `Write token = "\${NAME}", and set the variable NAME.`);
  const wrong = repos.find(pattern => !isPattern(pattern));
  if (wrong !== undefined) {
    const words = `holds ${JSON.stringify(wrong)}, which is no pattern`;
    table.problem('repo_patterns', words, 'Write *, a prefix with /* behind it, or the id of a repository.');
  }
  if (id !== undefined && !/^[\x21-\x7e]{1,128}$/.test(id)) {
    table.problem('id', 'must be of 1 to 128 letters, digits and signs of ASCII', 'Choose another.');
  }
  const taken = id === undefined ? undefined : (others.get(id) ?? (id.startsWith('svc_key_') ? madeKeys : undefined));
  if (taken !== undefined) table.problem('id', `can't be ${JSON.stringify(id)}: so ${taken}`, 'Choose another.');
  if (id !== undefined && ids.has(id))
    table.problem('id', `${JSON.stringify(id)} is another key's`, 'Give each its own.');
  const holder = token && holders.get(token);
  if (holder !== undefined)
    table.problem('token', `is that of ${holder} as well`, 'Give each key a secret of its own.');
  if (id === undefined || token === undefined || scope === undefined) return undefined;
  ids.add(id);
  holders.set(token, `the key ${id}`);
  return { id, name: name ?? id, digest: sha256(token), scope, repos, rateLimit };
}

/** Whom the log and cursors call so already: another key of that name would be taken for them. */
const others: ReadonlyMap<string, string> = new Map([
  ['anonymous', 'those are called who show no key'],
  ['legacy', 'the holder of legacy_token is called'],
  ['daemon', 'the holder of the daemon token is called'],
]);
const madeKeys = 'begin the ids of keys that svc token create makes';

/** The one that includes all others that are listed. */
function scopeIn(table: TableReading): KeyScope | undefined {
  const listed = table.texts('scopes');
  if (!table.has('scopes')) table.demand('scopes', 'Write scopes = ["read"].');
  const unknown = listed?.find(scope => !keyScopes.some(one => one === scope));
  if (unknown !== undefined) {
    const words = `holds ${JSON.stringify(unknown)}, which is none of ${keyScopes.join(', ')}`;
    table.problem('scopes', words, 'Each includes those before it.');
    return undefined;
  }
  return keyScopes.findLast(one => listed?.includes(one));
}

interface Surroundings {
  readonly defaultPrivacy: Privacy;
  /** Of the file. */
  readonly folder: string;
  readonly home: string;
}

function reposIn(reading: SettingsReading, around: Surroundings): readonly ConfiguredRepo[] {
  const ids = new Set<string>();
  return reading.list(repoTable).flatMap(table => {
    const repo = repoIn(table, around);
    if (repo !== undefined && ids.has(repo.id)) {
      table.problem('id', `${JSON.stringify(repo.id)} is another repository's`, 'Give each its own.');
    }
    if (repo !== undefined) ids.add(repo.id);
    return repo ?? [];
  });
}

function repoIn(table: TableReading, { defaultPrivacy, folder, home }: Surroundings): ConfiguredRepo | undefined {
  const id = table.text('id');
  const name = table.text('name') ?? id;
  const path = table.text('path');
  const description = table.text('description') ?? '';
  const privacy = privacyIn(table, defaultPrivacy);
  if (!table.has('id')) table.demand('id', 'Write one such as id = "acme/billing".');
  if (!table.has('path')) table.demand('path', 'Write the folder of its work tree.');
  if (id !== undefined && !isServedId(id)) {
    table.problem('id', `${JSON.stringify(id.slice(0, 100))} can't be one`, `It is made of ${servedIdRule}.`);
  }
  if (path?.includes('\0')) table.problem('path', 'holds a NUL character', 'Write the folder of its work tree.');
  if (id === undefined || path === undefined) return undefined;
  const fromHome = /^~(?=\/|$)/.test(path) ? `${home}${path.slice(1)}` : path;
  return { id, name: name ?? id, description, path: resolve(folder, fromHome), privacy };
}

/** What a repository doesn't say itself is as the default says: a key that was left out exposes nothing by that. */
function privacyIn(repo: TableReading, fallback: Privacy): Privacy {
  if (!repo.has('privacy')) return fallback;
  const table = repo.table(privacyTable);
  const strip = table.text('path_prefix_strip') ?? '';
  if (/^\/|\\|(^|\/)\.\.?(\/|$)|\0/.test(strip)) {
    table.problem(
      'path_prefix_strip',
      'is no folder from the root of the repository',
      'Write one such as "packages/".',
    );
  }
  const own = exposedBy(table);
  return {
    exposePaths: table.has('expose_paths') ? own.exposePaths : fallback.exposePaths,
    exposeDocs: table.has('expose_docs') ? own.exposeDocs : fallback.exposeDocs,
    exposeSignatures: table.has('expose_signatures') ? own.exposeSignatures : fallback.exposeSignatures,
    pathPrefixStrip: strip === '' || strip.endsWith('/') ? strip : `${strip}/`,
  };
}

function exposedBy(table: TableReading): Omit<Privacy, 'pathPrefixStrip'> {
  return {
    exposePaths: table.switch('expose_paths'),
    exposeDocs: table.switch('expose_docs'),
    exposeSignatures: table.switch('expose_signatures'),
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
