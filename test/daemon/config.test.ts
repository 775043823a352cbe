import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexers } from '../../daemon/backends/indexer-table.ts';
import { loadConfig } from '../../daemon/config.ts';
import { configExample, configKeys, environmentName } from '../../daemon/config-schema.ts';
import { defaultScipLimits, scipLimitKeys } from '../../daemon/extract/scip/limits.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { ConfigError } from '../../daemon/toml-file.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

const noEnvironment = {};

test('the example is printed from the schema and, uncommented, says the defaults', context => {
  const example = readFileSync(join(packageRoot, 'config.example.toml'), 'utf8');
  if (process.argv.includes('--update')) writeFileSync(join(packageRoot, 'config.example.toml'), configExample());
  assert.equal(example, configExample(), 'print it anew: node dist/test/daemon/config.test.js --update');
  const uncommented = example.replace(/^# (\w+ = )/gm, '$1').replace(/^(token|cursor_secret|legacy_token) = .*$/gm, '');
  const valuesOf = (file: string) => loadConfig({ file, environment: noEnvironment }).values;
  assert.deepEqual(valuesOf(fileOf(context, uncommented)), valuesOf(''));
  assert.deepEqual(valuesOf(fileOf(context, example)), valuesOf(''));
});

test('what of a SCIP index is taken in by default is what the reader takes for its defaults', () => {
  const { limits } = loadConfig({ file: '', environment: noEnvironment }).values;
  for (const [name, key] of Object.entries(scipLimitKeys)) {
    const value = limits[key.replace('limits.', '') as keyof typeof limits];
    assert.equal(value, defaultScipLimits[name as keyof typeof scipLimitKeys], key);
  }
});

test('a flag wins over the environment, that over the file, that over the default', context => {
  const file = fileOf(context, 'freshness_minutes = 5\n[http]\nport = 1\nhost = "a"\n');
  const environment = { SVC_HTTP_PORT: '2', SVC_WATCH_BACKEND: 'polling', SVC_AUTH_ENABLED: 'false' };
  const { values, origins } = loadConfig({ file, environment, flags: { 'http.host': 'b' } });
  assert.equal(values.http.port, 2);
  assert.equal(values.http.host, 'b');
  assert.equal(values.watch.backend, 'polling');
  assert.equal(values.auth.enabled, false);
  assert.equal(values.freshness_minutes, 5);
  assert.equal(origins.get('http.port'), 'environment SVC_HTTP_PORT');
  assert.equal(origins.get('http.host'), 'flag --host');
  assert.equal(origins.get('freshness_minutes'), `${file}:1`);
  assert.equal(origins.get('log.level'), 'default');
});

test('every key has a variable of its own', () => {
  const ofIndexServer = loadConfig({ file: '', environment: noEnvironment }).indexServer.shown;
  const keys = [...configKeys.map(({ name }) => name), ...ofIndexServer.map(({ key }) => key)];
  const names = keys.map(environmentName);
  assert.equal(new Set(names).size, names.length);
  const taken = ['SVC_HOME', 'SVC_SOCKET', 'SVC_URL', 'SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_FAULT', 'SVC_FSTYPE'];
  assert.deepEqual(
    names.filter(name => taken.includes(name)),
    [],
  );
});

const refused: readonly { readonly toml: string; readonly says: RegExp }[] = [
  { toml: '[http]\n\nport = "x"\n', says: /config\.toml:3: http\.port must be a whole number from 0 to 65535.*9120/ },
  { toml: '[http]\nport = 65536\n', says: /config\.toml:2: http\.port must be/ },
  { toml: '[http]\nprot = 1\n', says: /config\.toml:2: unknown key http\.prot\. Did you mean http\.port\?/ },
  { toml: 'port = 1\n', says: /config\.toml:1: unknown key port\. Did you mean http\.port\?/ },
  { toml: '\n\n[htpp]\n', says: /config\.toml:3: unknown key htpp/ },
  { toml: 'http = 1\n', says: /config\.toml:1: http is a table/ },
  { toml: 'a = = 1\n', says: /config\.toml:1: .*Correct this line/ },
  { toml: '[log]\nlevel = "loud"\n', says: /config\.toml:2: log\.level must be one of debug, info, warn, error/ },
  { toml: '[http]\nallowed_hosts = [1]\n', says: /config\.toml:2: http\.allowed_hosts must be a list of texts/ },
  { toml: '[auth]\nenabled = 1\n', says: /config\.toml:2: auth\.enabled must be true or false/ },
  { toml: '[auth]\ntoken = ""\n', says: /config\.toml:2: auth\.token must not be empty/ },
  { toml: '[auth]\ntoken = "short"\n', says: /config\.toml:2: auth\.token is shorter than 16 characters/ },
  { toml: '[auth]\ntoken = "words with spaces between"\n', says: /config\.toml:2: auth\.token holds what no request/ },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as users write it
  { toml: '[auth]\ntoken = "${NOT_SET}"\n', says: /config\.toml:2: auth\.token names NOT_SET, which is not set/ },
  { toml: '[limits]\nquery_seconds = 0\n', says: /config\.toml:2: limits\.query_seconds must be/ },
  {
    toml: '[http]\nport = "x"\nprot = 1\n[log]\nlevel = "loud"\n',
    says: /:3: unknown key http\.prot\. .* \S+:2: http\.port must .* \S+:5: log\.level must/,
  },
  {
    toml: '[index.indexers.scip-cobol]\npath = "x"\n',
    says: /config\.toml:1: index\.indexers scip-cobol is no indexer/,
  },
  {
    toml: '[index.indexers]\nscip-go = "x"\n',
    says: /config\.toml:1: index\.indexers scip-go must be a table with a path/,
  },
  {
    toml: '[index]\nuse_indexers = ["scip-go", "nope"]\n',
    says: /config\.toml:2: index\.use_indexers holds "nope", which is none of scip-typescript, /,
  },
  { toml: '[lsp]\nservers = 1\n', says: /config\.toml:2: lsp\.servers must be a table of tables/ },
  {
    toml: '[lsp.servers.mine]\ncommand = "x"\n',
    says: /lsp\.servers mine must be a table with a command and languages/,
  },
  { toml: '[history]\nbots = "x"\n', says: /config\.toml:2: history\.bots must be a list of texts/ },
  {
    toml: '[ownership.teams.core]\nmembers = ["@a"]\n',
    says: /config\.toml:1: ownership\.teams core is no team: write @org\/team/,
  },
  {
    toml: '[ownership.teams."@o/t"]\nmembers = ["a"]\n',
    says: /config\.toml:1: ownership\.teams @o\/t must be a table with members, a list of handles/,
  },
  {
    toml: '[ownership.people."@alice"]\nemail = "a@b"\n',
    says: /config\.toml:1: ownership\.people @alice must be a table with emails, a list of addresses/,
  },
  { toml: '__proto__ = 1\n', says: /config\.toml:1: unknown key __proto__/ },
];
for (const { toml, says } of refused) {
  test(`refuses ${JSON.stringify(toml)} with place, key and remedy`, context => {
    const file = fileOf(context, toml);
    assert.throws(
      () => loadConfig({ file, environment: noEnvironment }),
      (error: unknown) => error instanceof ConfigError && error.exitCode === 78 && says.test(error.message),
    );
  });
}

test('tables by name are taken over, and indexers are those that there are', context => {
  const toml = `
    [index.indexers.scip-go]
    path = "/x/scip-go"
    [lsp.servers.mine]
    command = ["a", "b"]
    languages = ["go"]
    [ownership.teams."@org/team"]
    members = ["@alice", "b@example.com"]
    [ownership.people."@alice"]
    emails = ["a@example.com"]
  `;
  const { values } = loadConfig({ file: fileOf(context, toml), environment: noEnvironment });
  assert.deepEqual(values.index.indexers, { 'scip-go': { path: '/x/scip-go' } });
  assert.deepEqual(values.ownership, {
    teams: { '@org/team': { members: ['@alice', 'b@example.com'] } },
    people: { '@alice': { emails: ['a@example.com'] } },
  });
  assert.deepEqual(values.lsp.servers, { mine: { command: ['a', 'b'], languages: ['go'] } });
  assert.deepEqual(
    values.index.use_indexers,
    indexers.map(({ name }) => name),
  );
});

test('a wrong value of the environment names its variable', () => {
  assert.throws(
    () => loadConfig({ file: '', environment: { SVC_HTTP_PORT: '0x10' } }),
    /environment SVC_HTTP_PORT: http\.port must be a whole number/,
  );
});

test('the token is taken from the environment and never shown', context => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as users write it
  const file = fileOf(context, '[auth]\ntoken = "${DAEMON_TOKEN}"\n');
  const { values } = loadConfig({ file, environment: { DAEMON_TOKEN: 'a-token-of-some-length' } });
  assert.equal(values.auth.token, 'a-token-of-some-length');
  assert.throws(
    () => loadConfig({ file, environment: { DAEMON_TOKEN: 'canary' } }),
    (error: unknown) => error instanceof ConfigError && !error.message.includes('canary'),
  );
});

test('a folder in place of the file is a configuration error', context => {
  const { root } = temporaryFolder(context);
  assert.throws(() => loadConfig({ file: root, environment: noEnvironment }), ConfigError);
});

function fileOf(context: Cleanup, toml: string): string {
  const { root } = temporaryFolder(context);
  const file = join(root, 'config.toml');
  writeFileSync(file, toml);
  return file;
}

test('every key is read by some part', () => {
  const files = readdirSync(join(packageRoot, 'daemon'), { recursive: true, encoding: 'utf8' });
  const readers = files.filter(file => file.endsWith('.ts') && !file.startsWith('config'));
  const sources = readers.map(file => readFileSync(join(packageRoot, 'daemon', file), 'utf8')).join('\n');
  const unread = configKeys.filter(({ path }) => !new RegExp(`\\b${path.at(-1)}\\b`).test(sources));
  assert.deepEqual(
    unread.map(({ name }) => name),
    [],
  );
});
