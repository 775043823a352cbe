import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../daemon/config.ts';
import { loadIndexServer } from '../../daemon/index-server-config.ts';
import { everythingExposed } from '../../daemon/model/privacy.ts';
import { isPattern, isServedId } from '../../daemon/model/repo-pattern.ts';
import { ConfigError } from '../../daemon/toml-file.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

const canary = 'a-secret-of-some-length';
const digestOf = (text: string) => createHash('sha256').update(text).digest();

const whole = `
[index_server]
enabled = true
max_page_size = 500
cursor_secret = "\${CURSORS}"

[index_server.auth]
require_auth = false
legacy_token = "\${LEGACY}-and-more"

[[index_server.auth.static_keys]]
id = "ci"
name = "Uploads of CI"
token = "\${CI_TOKEN}"
scopes = ["read", "write"]
repo_patterns = ["acme/*", "x"]
rate_limit = 600

[[index_server.auth.static_keys]]
id = "ops"
token = "0123456789abcdef"
scopes = ["admin", "read"]

[index_server.auth.rate_limiting]
enabled = true
default_limit = 30

[default_privacy]
expose_docs = false

[[repos]]
id = "acme/billing"
name = "Billing"
path = "~/src/billing"
description = "Invoices"

[repos.privacy]
expose_paths = false
path_prefix_strip = "packages"

[[repos]]
id = "x"
path = "here/x"
`;
const variable = (name: string) => `\${${name}}`;
const variables = { HOME: '/home/me', CURSORS: 'c'.repeat(20), LEGACY: 'legacy-token', CI_TOKEN: canary };

test('every key is understood, in config.toml and in a file of its own', context => {
  const file = fileOf(context, whole);
  const { settings, shown } = loadIndexServer(file, variables);
  assert.deepEqual(settings, loadConfig({ file, environment: variables }).indexServer.settings);
  const { repos, auth, ...rest } = settings;
  assert.deepEqual(rest, {
    enabled: true,
    maxPageSize: 500,
    cursorSecret: digestOf('c'.repeat(20)).toString('hex'),
    defaultPrivacy: { ...everythingExposed, exposeDocs: false },
  });
  const { staticKeys, ...keys } = auth;
  assert.deepEqual(keys, {
    enabled: true,
    requireAuth: false,
    legacyDigest: digestOf('legacy-token-and-more'),
    rateLimiting: { enabled: true, defaultLimit: 30, burstSize: 10 },
  });
  const ci = { id: 'ci', name: 'Uploads of CI', digest: digestOf(canary), scope: 'write', rateLimit: 600 };
  const ops = { id: 'ops', name: 'ops', digest: digestOf('0123456789abcdef'), scope: 'admin', rateLimit: undefined };
  assert.deepEqual(staticKeys, [
    { ...ci, repos: ['acme/*', 'x'] },
    { ...ops, repos: ['*'] },
  ]);
  const billing = { id: 'acme/billing', name: 'Billing', description: 'Invoices', path: '/home/me/src/billing' };
  assert.deepEqual(repos, [
    {
      ...billing,
      privacy: { exposePaths: false, exposeDocs: false, exposeSignatures: true, pathPrefixStrip: 'packages/' },
    },
    {
      ...{ id: 'x', name: 'x', description: '', path: join(dirname(file), 'here/x') },
      privacy: { ...everythingExposed, exposeDocs: false },
    },
  ]);
  const told = JSON.stringify(shown);
  for (const secret of [canary, 'legacy-token', '0123456789abcdef', 'c'.repeat(20)]) assert.ok(!told.includes(secret));
  const page = shown.find(({ key }) => key === 'index_server.max_page_size');
  assert.deepEqual(page, { key: 'index_server.max_page_size', value: 500, origin: `${file}:4` });
});

test('without a word of it the index server is off, guarded and exposes everything', () => {
  const { settings } = loadConfig({ file: '', environment: {} }).indexServer;
  assert.deepEqual(settings, {
    enabled: false,
    maxPageSize: 1000,
    cursorSecret: undefined,
    auth: {
      enabled: true,
      requireAuth: true,
      legacyDigest: undefined,
      staticKeys: [],
      rateLimiting: { enabled: false, defaultLimit: 60, burstSize: 10 },
    },
    repos: [],
    defaultPrivacy: everythingExposed,
  });
});

test('a single table is a list of one key', context => {
  const file = fileOf(
    context,
    '[index_server.auth.static_keys]\nid = "a"\ntoken = "0123456789abcdef"\nscopes = ["read"]\n',
  );
  assert.deepEqual(
    loadIndexServer(file, {}).settings.auth.staticKeys.map(({ id, scope }) => [id, scope]),
    [['a', 'read']],
  );
});

test('a variable goes before config.toml, and not before a file of its own', context => {
  const file = fileOf(context, '[index_server]\nmax_page_size = 5\n');
  const environment = { SVC_INDEX_SERVER_MAX_PAGE_SIZE: '7', SVC_INDEX_SERVER_AUTH_REQUIRE_AUTH: 'false' };
  const { settings, shown } = loadConfig({ file, environment }).indexServer;
  assert.deepEqual([settings.maxPageSize, settings.auth.requireAuth], [7, false]);
  const origins = new Map(shown.map(({ key, origin }) => [key, origin]));
  assert.equal(origins.get('index_server.max_page_size'), 'environment SVC_INDEX_SERVER_MAX_PAGE_SIZE');
  assert.equal(loadIndexServer(file, environment).settings.maxPageSize, 5);
});

test('a secret that has a $ of its own stands in a variable, or before no name', context => {
  const environment = { DOLLARS: 'a-secret-that-has-$NO-name' };
  for (const [configured, secret] of [
    [`\${DOLLARS}`, environment.DOLLARS],
    ['a-secret-of-5$-and-$$0.50', 'a-secret-of-5$-and-$$0.50'],
  ] as const) {
    const file = fileOf(context, `[index_server.auth]\nlegacy_token = "${configured}"\n`);
    assert.deepEqual(loadIndexServer(file, environment).settings.auth.legacyDigest, digestOf(secret));
  }
});

const key = (more: string) =>
  `[[index_server.auth.static_keys]]\nid = "a"\ntoken = "0123456789abcdef"\nscopes = ["read"]\n${more}`;
const repo = (more: string) => `[[repos]]\nid = "a"\npath = "/x"\n${more}`;

const refused: readonly (readonly [toml: string, says: RegExp])[] = [
  ['[index_server]\nenable = true\n', /:2: unknown key index_server\.enable\. Did you mean index_server\.enabled\?/],
  ['[index_server]\nenabled = "yes"\n', /:2: index_server\.enabled must be true or false\. The default is false\./],
  ['[index_server]\nmax_page_size = 0\n', /:2: index_server\.max_page_size must be a whole number from 1 to/],
  ['index_server = 1\n', /:1: index_server is a table\. Write \[index_server\]\./],
  ['[index_server]\ncursor_secret = "short"\n', /:2: index_server\.cursor_secret is shorter than 16 characters/],
  ['[index_server.auth]\nlegacy_token = ""\n', /:2: index_server\.auth\.legacy_token must not be empty/],
  [
    `[index_server.auth]\nlegacy_token = "\${GONE}"\n`,
    /:2: index_server\.auth\.legacy_token names GONE, which is not set\. Set it/,
  ],
  [`[index_server.auth]\nlegacy_token = "x\${EMPTY}0123456789abcdef"\n`, /names EMPTY, which is not set/],
  ['[index_server.auth]\nlegacy_token = "$LEGACY_TOKEN_OF_MINE"\n', /Write \$\{LEGACY_TOKEN_OF_MINE\}/],
  [
    '[index_server.auth]\nlegacy_token = "abcdefghijklmnopqrst$NOPE"\n',
    /:2: \S+ names a variable in no.*Write \$\{NOPE\}/,
  ],
  [`[index_server.auth]\nlegacy_token = "\${SET}$NOPE"\n`, /:2: \S+ names a variable in no.*Write \$\{NOPE\}/],
  ['[index_server]\ncursor_secret = "$NOPE-abcdefghijklmnopqrst"\n', /:2: \S+cursor_secret names a variable in no way/],
  [key('').replace('0123456789abcdef', '0123456789abcdef-$NOPE-'), /:3: \S+token names a variable in no way/],
  [`[index_server.auth]\nlegacy_token = "\${not-a-variable}"\n`, /names a variable in no way.*Write \$\{NAME\}/],
  ['[index_server.auth]\nlegacy_token = "a token with blanks"\n', /holds what no request can show/],
  ['[index_server.auth.rate_limiting]\nburst = 3\n', /:2: unknown key index_server\.auth\.rate_limiting\.burst\./],
  [
    key(key('').replace('"0123456789abcdef"', '"0123456789abcdeX"')),
    /:6: index_server\.auth\.static_keys\[1\]\.id "a" is another key/,
  ],
  [key(key('').replace('"a"', '"b"')), /:7: index_server\.auth\.static_keys\[1\]\.token is that of the key a as well/],
  [
    `[index_server.auth]\nlegacy_token = "0123456789abcdef"\n${key('')}`,
    /:5: \S+\.token is that of legacy_token as well/,
  ],
  [key('rate_limit = 0\n'), /:5: index_server\.auth\.static_keys\[0\]\.rate_limit must be a whole number from 1/],
  [key('repo_patterns = ["a/*/b"]\n'), /:5: \S+repo_patterns holds "a\/\*\/b", which is no pattern\. Write \*/],
  [key('').replace('"read"', '"root"'), /:4: \S+scopes holds "root", which is none of read, write, admin/],
  [key('').replace('["read"]', '[]'), /:4: \S+scopes must be a list of texts, and not empty/],
  [key('').replace('scopes = ["read"]\n', ''), /:1: index_server\.auth\.static_keys\[0\] has no scopes\. Write scopes/],
  [key('').replace('token = "0123456789abcdef"\n', ''), /static_keys\[0\] has no token\. Write token = "\$\{NAME\}"/],
  ...['anonymous', 'legacy', 'daemon', 'svc_key_0123456789abcdef', 'svc_key_'].map(
    id =>
      [key('').replace('"a"', `"${id}"`), new RegExp(`:2: \\S+id can't be "${id}": so .+\\. Choose another`)] as const,
  ),
  ['[index_server.auth]\nstatic_keys = ["x"]\n', /:2: index_server\.auth\.static_keys is a list of tables/],
  [repo(repo('')), /:5: repos\[1\]\.id "a" is another repository's/],
  [repo('').replace('"a"', '"../a"'), /:2: repos\[0\]\.id "\.\.\/a" can't be one\. It is made of letters/],
  [repo('').replace('path = "/x"\n', ''), /:1: repos\[0\] has no path\. Write the folder/],
  [repo('').replace('path', 'root'), /:3: unknown key repos\[0\]\.root\. /],
  [repo('[repos.privacy]\nexpose_path = false\n'), /:5: unknown key repos\[0\]\.privacy\.expose_path\. Did you mean/],
  [repo('[repos.privacy]\npath_prefix_strip = "/abs"\n'), /:5: repos\[0\]\.privacy\.path_prefix_strip is no folder/],
  [
    '[default_privacy]\npath_prefix_strip = "x"\n',
    /:2: unknown key default_privacy\.path_prefix_strip\. Write it below/,
  ],
];
for (const [toml, says] of refused) {
  test(`refuses ${JSON.stringify(toml)} with place, key and remedy`, context => {
    const file = fileOf(context, toml);
    const environment = { EMPTY: '', SET: 'a-secret-that-has-$NO-name' };
    for (const load of [() => loadIndexServer(file, environment), () => loadConfig({ file, environment })]) {
      assert.throws(load, (error: unknown) => {
        assert.ok(error instanceof ConfigError && error.exitCode === 78);
        assert.match(error.message, says);
        return error.message.startsWith(`${file}:`);
      });
    }
  });
}

test('a file of its own holds nothing else, and must be there', context => {
  const file = fileOf(context, '[http]\nport = 1\n');
  assert.throws(
    () => loadIndexServer(file, {}),
    /:1: unknown key http\. Here may stand index_server, repos, default_p/,
  );
  assert.throws(() => loadIndexServer(`${file}.gone`, {}), /can't be read \(ENOENT\)/);
});

test('what is wrong with a secret is told without it', context => {
  const file = fileOf(
    context,
    `${key('').replace('0123456789abcdef', variable('A'))}${key('').replace('"a"', '"b"').replace('0123456789abcdef', variable('B'))}`,
  );
  const isTold = (environment: Readonly<Record<string, string>>, says: RegExp) =>
    assert.throws(
      () => loadIndexServer(file, environment),
      (error: unknown) => error instanceof ConfigError && says.test(error.message) && !error.message.includes('canary'),
    );
  isTold({ A: 'canary', B: canary }, /shorter than 16/);
  isTold({ A: 'canary-canary-canary', B: 'canary-canary-canary' }, /is that of the key a/);
  isTold({ A: 'canary canary canary', B: canary }, /no request can show/);
});

test('ids and patterns', () => {
  for (const id of ['a', 'acme/billing', '_x', 'A.b-c_d/0', `${'a/'.repeat(255)}ab`]) assert.ok(isServedId(id), id);
  for (const id of [
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '.',
    '..',
    'a/..',
    '.git',
    '-a',
    'a b',
    'ä',
    'a\n',
    'a%2Fb',
    'x'.repeat(513),
  ]) {
    assert.ok(!isServedId(id), id);
  }
  for (const pattern of ['*', 'acme/*', 'acme/billing/*', 'x']) assert.ok(isPattern(pattern), pattern);
  for (const pattern of ['', '**', '*x', 'a/*/b', '/*', 'a*', '*/a', '../*']) assert.ok(!isPattern(pattern), pattern);
});

function fileOf(context: Cleanup, toml: string): string {
  const file = join(temporaryFolder(context).root, 'config.toml');
  writeFileSync(file, toml);
  return file;
}
