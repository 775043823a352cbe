import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { indexers } from '../../daemon/backends/indexer-table.ts';
import { loadConfig } from '../../daemon/config.ts';
import { configExample, configKeys, environmentName } from '../../daemon/config-schema.ts';
import { defaultScipLimits, scipLimitKeys } from '../../daemon/extract/scip/limits.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { ConfigError } from '../../daemon/toml-file.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import { withoutRights } from '../support/without-rights.ts';

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
  { toml: '\n\n[htpp]\n', says: /config\.toml:3: unknown key htpp\. Did you mean \[http\]\?/ },
  { toml: 'http = 1\n', says: /config\.toml:1: http is a table/ },
  { toml: 'a = = 1\n', says: /config\.toml:1:5: .*Correct this line/ },
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
  { toml: '[__proto__]\nport = 1\n', says: /config\.toml:1: unknown key __proto__/ },
  { toml: '[http.__proto__]\nport = 1\n', says: /config\.toml:1: unknown key http\.__proto__/ },
  { toml: '[http]\nhasOwnProperty = 1\n', says: /config\.toml:2: unknown key http\.hasOwnProperty/ },
  { toml: '[constructor]\nx = 1\n', says: /config\.toml:1: unknown key constructor/ },
  { toml: '[HTTP]\nport = 1\n', says: /config\.toml:1: unknown key HTTP\. Did you mean \[http\]\?/ },
  { toml: '[http]\nPort = 1\n', says: /config\.toml:2: unknown key http\.Port\. Did you mean http\.port\?/ },
  {
    toml: '[limits]\nqurey_seconds = 1\n',
    says: /:2: unknown key limits\.qurey_seconds\. Did you mean limits\.query_seconds\?/,
  },
  { toml: '[index_servr]\nenabled = true\n', says: /:1: unknown key index_servr\. Did you mean \[index_server\]\?/ },
  { toml: `${'k'.repeat(100_000)} = 1\n`, says: /:1: unknown key k+\. Remove it/ },
  { toml: `${'a.'.repeat(20_000)}b = 1\n`, says: /:1: unknown key a\. Remove it/ },
  { toml: '[http]\nport = -1\n', says: /:2: http\.port must be a whole number from 0 to 65535\. The default is 9120/ },
  { toml: '[http]\nport = 80.5\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = inf\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = nan\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = 1979-05-27\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = []\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = {}\n', says: /:2: http\.port must be a whole number/ },
  { toml: '[http]\nport = 99999999999999999999\n', says: /:2:8: integer value cannot be represented/ },
  { toml: '[http]\nport = null\n', says: /config\.toml:2:8: invalid value\. Correct this line/ },
  { toml: '[http]\nhost = ""\n', says: /:2: http\.host must not be empty/ },
  { toml: '[http]\nhost = 1\n', says: /:2: http\.host must be a text/ },
  { toml: '[http]\nallowed_hosts = "x"\n', says: /:2: http\.allowed_hosts must be a list of texts/ },
  ...['a b', 'http://a', 'a/', 'a:65536', 'fd00::1', '*'].map(host => ({
    toml: `[http]\nallowed_hosts = ["code.example:8443", "[::1]", "${host}"]\n`,
    says: /:2: http\.allowed_hosts must be a list of names of hosts, each with or without :port, and item 3 is none\. The default is \[\]/,
  })),
  { toml: '[http]\nallowed_hosts = [""]\n', says: /:2: http\.allowed_hosts must be a list of texts/ },
  { toml: '[[http]]\nport = 1\n', says: /:1: http is a table\. Write \[http\]/ },
  { toml: 'freshness_minutes = 0\n', says: /:1: freshness_minutes must be a whole number from 1 to/ },
  { toml: '[auth]\nenabled = "true"\n', says: /:2: auth\.enabled must be true or false/ },
  { toml: '[auth]\ntoken = 5\n', says: /:2: auth\.token must be a text/ },
  { toml: '[http]\nport = 1\nport = 2\n', says: /:3:1: trying to redefine/ },
  { toml: '[http]\nport = 1\n[http]\n', says: /:3:2: trying to redefine/ },
  { toml: '[http\nport = 1\n', says: /config\.toml:1:6: / },
  { toml: '[http]\nhost = "a\n', says: /config\.toml:2:\d+: / },
  { toml: '{"http": {"port": 1}}', says: /config\.toml:1:1: illegal character/ },
  { toml: 'http:\n  port: 1\n', says: /config\.toml:1:5: illegal character/ },
  { toml: '[http]\nport = 1 # \0\n', says: /config\.toml:2:12: control characters/ },
  { toml: '[http]\nhost = "a\0b"\n', says: /config\.toml:2:10: control characters/ },
  { toml: `a = ${'['.repeat(30_000)}`, says: /config\.toml:1:\d+: .*nested/ },
];
for (const { toml, says } of refused) {
  test(`refuses ${JSON.stringify(toml.slice(0, 60))} with place, key and remedy`, context => {
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

test('what the environment has set counts, be it empty, and names its variable where it is wrong', () => {
  const of = (environment: Record<string, string>) => () => loadConfig({ file: '', environment }).values;
  const table: readonly (readonly [variable: string, text: string, says: RegExp])[] = [
    ['SVC_HTTP_PORT', '0x10', /http\.port must be a whole number/],
    ['SVC_HTTP_PORT', '', /http\.port must be a whole number/],
    ['SVC_HTTP_PORT', ' 80', /http\.port must be a whole number/],
    ['SVC_HTTP_PORT', '1e3', /http\.port must be a whole number/],
    ['SVC_HTTP_PORT', '65536', /http\.port must be a whole number/],
    ['SVC_HTTP_PORT', '9'.repeat(400), /http\.port must be a whole number/],
    ['SVC_HTTP_HOST', '', /http\.host must not be empty/],
    ['SVC_HTTP_ENABLED', 'yes', /http\.enabled must be true or false/],
    ['SVC_HTTP_ENABLED', '', /http\.enabled must be true or false/],
    ['SVC_AUTH_ENABLED', '0', /auth\.enabled must be true or false/],
    ['SVC_AUTH_TOKEN', '', /auth\.token must not be empty/],
    ['SVC_LOG_LEVEL', 'LOUD', /log\.level must be one of/],
    ['SVC_LOG_LEVEL', '', /log\.level must be one of/],
    ['SVC_INDEX_USE_INDEXERS', 'scip-go,nope', /index\.use_indexers holds "nope"/],
    ['SVC_LSP_SERVERS', 'x', /lsp\.servers must be a table of tables/],
    ['SVC_INDEX_SERVER_ENABLED', 'maybe', /index_server\.enabled must be true or false/],
  ];
  for (const [variable, text, says] of table) {
    assert.throws(of({ [variable]: text }), (error: unknown) => {
      assert.ok(error instanceof ConfigError && error.exitCode === 78, variable);
      assert.match(error.message, says);
      assert.ok(error.message.startsWith(`environment ${variable}: `), error.message);
      return true;
    });
  }
  assert.deepEqual(of({ SVC_INDEX_USE_INDEXERS: '' })().index.use_indexers, [], 'a list that is empty');
  assert.deepEqual(of({ SVC_HTTP_ALLOWED_HOSTS: ' a , b,,' })().http.allowed_hosts, ['a', 'b']);
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

/** What lies at the file's place, the exit code, and what is said of it. */
const places: readonly (readonly [what: string, lay: (at: string) => void, code: 77 | 78, says: RegExp])[] = [
  ['a folder', at => mkdirSync(at), 78, /is no regular file\. Put a file in its place/],
  ['a pipe that nobody writes', at => execFileSync('mkfifo', [at]), 78, /is no regular file/],
  ['a link to a device', at => symlinkSync('/dev/zero', at), 78, /is no regular file/],
  ['a link that leads nowhere', at => symlinkSync('none', at), 78, /is a link that leads nowhere\. Mend or remove it/],
  ['a link to itself', at => symlinkSync(at, at), 78, /can't be read \(ELOOP\)\. .*\. Mend or remove it\.$/],
  [
    'a link to too long a name',
    at => symlinkSync('a'.repeat(300), at),
    78,
    /can't be read \(ENAMETOOLONG\)\. .*\. Mend or remove it\.$/,
  ],
  [
    'a file for a folder above',
    at => writeFileSync(dirname(at), ''),
    78,
    /can't be read \(ENOTDIR\)\. A folder above it is a file\. Move that away\.$/,
  ],
  ['a file of all memory', at => truncateSync(touched(at), 2 ** 40), 78, /is over 4194304 bytes\. Make it smaller/],
  [
    'a file that everybody may write',
    at => chmodSync(touched(at), 0o666),
    77,
    /everybody may write it\. Run chmod go-w \//,
  ],
  ['no UTF-8', at => writeFileSync(at, Buffer.from('5b685d0a6120ff', 'hex')), 78, /toml:2:3: .* is not UTF-8/],
  ['UTF-16', at => writeFileSync(at, '\ufeff[http]\n', 'utf16le'), 78, /toml:1:1: .* is not UTF-8/],
];
for (const [what, lay, code, says] of places) {
  test(`refuses ${what} in the file's place, and waits for nobody`, context => {
    const { path } = temporaryFolder(context);
    const file = path('folder/config.toml');
    if (!what.startsWith('a file for a folder')) mkdirSync(dirname(file));
    lay(file);
    assert.throws(
      () => loadConfig({ file, environment: noEnvironment }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, says);
        assert.equal(error.exitCode, code);
        return true;
      },
    );
  });
}

test('refuses a file of somebody else’s, and one that can’t be read', context => {
  const { path, root } = temporaryFolder(context);
  // Whom the file alone is to keep out.
  chmodSync(root, 0o755);
  const foreign = touched(path('foreign.toml'));
  const closed = touched(path('closed.toml'));
  chmodSync(closed, 0);
  if (process.getuid!() === 0) chownSync(foreign, 4321, 4321);
  const refusal = (file: string) => {
    try {
      return loadConfig({ file, environment: noEnvironment });
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return { code: error.exitCode, message: error.message };
    }
  };
  const { mock } = context.mock.method(process as { getuid: () => number }, 'getuid', () => 1234);
  const { message, code } = refusal(foreign) as { message: string; code: number };
  mock.restore();
  assert.match(message, /belongs to user \d+, not to you \(1234\)\. Put a file of yours/);
  const unread = withoutRights(() => refusal(closed));
  const why = `${closed}: can't be read (EACCES). Make it a file that you may read.`;
  assert.deepEqual([code, unread], [77, { code: 78, message: why }]);
});

function touched(file: string): string {
  writeFileSync(file, '');
  return file;
}

const taken: readonly (readonly [what: string, bytes: string, port: number])[] = [
  ['nothing', '', 9120],
  ['a comment', '# only this', 9120],
  ['a mark before it', '\ufeff[http]\nport = 1\n', 1],
  ['line ends of Windows', '[http]\r\nport = 1\r\n', 1],
  ['a dotted key', 'http.port = 1\n', 1],
  ['a table in a line', 'http = { port = 1 }\n', 1],
  ['another base', '[http]\nport = 0x50\n', 80],
];
test('TOML is read however it is written, through a link, and of a group that may write it', context => {
  for (const [what, text, port] of taken) {
    const file = fileOf(context, text);
    assert.equal(loadConfig({ file, environment: noEnvironment }).values.http.port, port, what);
  }
  const { path, write } = temporaryFolder(context);
  write('dotfiles/svc.toml', '[http]\nport = 1\n');
  chmodSync(path('dotfiles/svc.toml'), 0o664);
  symlinkSync('dotfiles/svc.toml', path('config.toml'));
  assert.equal(loadConfig({ file: path('config.toml'), environment: noEnvironment }).values.http.port, 1);
});

test('of very many wrong keys the first are told, and nobody waits for the others', context => {
  const toml = `[http]\n${Array.from({ length: 50_000 }, (_, at) => `key${at} = 1`).join('\n')}\n`;
  assert.throws(() => loadConfig({ file: fileOf(context, toml), environment: noEnvironment }), {
    message: /:2: unknown key http\.key0\. .*:21: unknown key http\.key19\. \S+ it; .* And 49980 more\.$/,
  });
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
