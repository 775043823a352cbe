import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../client/protocol/faults.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { countStrangers } from '../../daemon/server/strangers.ts';
import { type Route, routes } from '../../http/routes.ts';
import { openHttp } from '../../http/server.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { openListener, sendRequest, symbolId, tableDaemon, token } from './listener.ts';
import { assertMarked, assertOrderly } from './orderly.ts';

/** A path that the route's template takes. */
function pathOf({ binding }: Route): string {
  return binding.path.replace(/(?<=\/):([A-Za-z]+)\*?/g, () => encodeURIComponent(symbolId));
}

const asked: readonly (readonly [method: string, path: string])[] = [
  ...routes.map(route => [route.binding.method, pathOf(route)] as const),
  ['GET', '/no-such-thing'],
  ['POST', '/index/repos/'],
  ['PUT', '/search'],
  ['OPTIONS', '/search'],
  ['OPTIONS', '*'],
];

const hostileHosts = [
  'evil.example',
  'localhost.evil.example',
  'localhost.',
  'LOCALHOST.',
  '127.0.0.1.evil.example',
  'user@localhost',
  'localhost@evil.example',
  'localhost:80@evil.example',
  'localhost evil.example',
  'localhost,evil.example',
  'localhost/evil',
  'localhost#',
  '0.0.0.0',
  '0',
  '127.1',
  '127.0.0.2',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::1',
  '::1',
  'localhost:http',
  'localhost:',
  'localhost:999999',
  'localhost:65536',
  'xn--localhost-',
  'foo.localhost',
  '192.168.0.1',
];

test('no route answers to a host name that is not its own (P27)', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [method, path] of asked) {
    const check = async (host: string) => {
      const answer = await sendRequest(listener, method, path, { Host: host });
      const label = `${method} ${path} ${host}`;
      assert.equal(answer.status, 403, label);
      assert.match(answer.body, /untrusted_host/, label);
      assertMarked(answer, label);
    };
    await Promise.all(hostileHosts.map(check));
  }
  assert.deepEqual(daemon.requests, []);
});

test('loopback names and configured hosts are its own (P27)', async t => {
  const listener = await openListener(t, tableDaemon(), { allowedHosts: ['code.example', 'other.example:8443'] });
  const own = [
    'localhost',
    'LocalHost:1',
    '127.0.0.1:80',
    '[::1]:8080',
    'code.example',
    'Code.Example:443',
    'other.example:8443',
  ];
  for (const host of own)
    assert.equal((await sendRequest(listener, 'GET', '/health', { Host: host })).status, 200, host);
  const otherPort = await sendRequest(listener, 'GET', '/health', { Host: 'other.example' });
  assert.equal(otherPort.status, 403, 'an entry with a port means that port');
});

const crossSite: readonly Readonly<Record<string, string>>[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://127.0.0.1:1' },
  { Origin: 'http://localhost' },
  { Origin: 'chrome-extension://abcdefgh' },
  { Origin: '' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
];
const open = new Set(['/', '/health', '/ready', '/openapi.json']);

for (const kind of ['token', 'off'] as const) {
  test(`no page of another site learns or changes anything, authentication ${kind} (P28)`, async t => {
    const daemon = tableDaemon();
    const off = { authentication: { kind: 'off' } } as const;
    const listener = await openListener(t, daemon, kind === 'off' ? off : {});
    for (const [method, path] of asked.filter(([method, path]) => !open.has(path) && method !== 'OPTIONS')) {
      const check = async (headers: Readonly<Record<string, string | undefined>>) => {
        const answer = await sendRequest(listener, method, path, headers);
        const label = `${method} ${path} ${JSON.stringify(headers)}`;
        assert.equal(answer.status, 403, label);
        assert.match(answer.body, /untrusted_origin/, label);
        assertMarked(answer, label);
      };
      const tokens = [undefined, 'Bearer wrong'];
      await Promise.all(
        crossSite.flatMap(headers => tokens.map(Authorization => check({ ...headers, Authorization }))),
      );
    }
    assert.deepEqual(daemon.requests, []);
    for (const path of open) {
      const headers = { Origin: 'https://evil.example', Authorization: undefined };
      const answer = await sendRequest(listener, 'GET', path, headers);
      assert.equal(answer.status, kind === 'off' ? 200 : 403, path);
    }
  });
}

test('a valid token is authority enough, whatever the origin; the own origin is no other site (P28)', async t => {
  const listener = await openListener(t, tableDaemon());
  assert.equal((await sendRequest(listener, 'GET', '/jobs', { Origin: 'https://evil.example' })).status, 200);
  const off = await openListener(t, tableDaemon(), { authentication: { kind: 'off' } });
  for (const headers of [
    {},
    { Origin: `http://127.0.0.1:${off.port}` },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
  ]) {
    const answer = await sendRequest(off, 'GET', '/jobs', { Authorization: undefined, ...headers });
    assert.equal(answer.status, 200, JSON.stringify(headers));
  }
});

const badTokens: readonly (readonly [label: string, reason: string, headers: Readonly<Record<string, string>>])[] = [
  ['none', 'missing_token', {}],
  ['wrong', 'invalid_token', { Authorization: `Bearer ${'b'.repeat(64)}` }],
  ['too short', 'invalid_token', { Authorization: 'Bearer a' }],
  ['too long', 'invalid_token', { Authorization: `Bearer ${token}a` }],
  ['empty', 'invalid_token', { Authorization: 'Bearer ' }],
  ['not ASCII', 'invalid_token', { Authorization: 'Bearer tök€n' }],
  ['a key', 'invalid_token', { Authorization: `Bearer svc_sk_${'a'.repeat(64)}` }],
  ['two words', 'invalid_token', { Authorization: `Bearer ${token} ${token}` }],
  ['Basic', 'invalid_token', { Authorization: `Basic ${Buffer.from(`user:${token}`).toString('base64')}` }],
  ['bare', 'invalid_token', { Authorization: token }],
  ['in a cookie', 'missing_token', { Cookie: `token=${token}` }],
  ['in a header of its own', 'missing_token', { 'X-API-Key': token }],
];

/** Each group of paths has error bodies of its own. */
function reasonIn(text: string): string | undefined {
  const body = JSON.parse(text) as { details?: { reason?: string }; error?: { code: string }; message?: string };
  return body.details?.reason ?? body.error?.code ?? /\((\w+)\)$/.exec(body.message ?? '')?.[1];
}

test('every route wants the token, in Authorization alone (P30)', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [method, path] of asked.filter(([method]) => method !== 'OPTIONS')) {
    for (const [label, reason, headers] of badTokens) {
      const answer = await sendRequest(listener, method, path, { Authorization: undefined, ...headers });
      assert.equal(answer.status, 401, `${method} ${path} ${label}`);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
      assert.equal(reasonIn(answer.body), reason, label);
    }
    const inQuery = await sendRequest(listener, method, `${path}?token=${token}`, { Authorization: undefined });
    assert.equal(inQuery.status, 401, `${method} ${path} token in the query`);
  }
  assert.deepEqual(daemon.requests, []);
  assert.doesNotMatch(JSON.stringify(listener.answered), new RegExp(token), 'the token reaches no log');
});

test('who asks in vain too often is told to wait, and no longer than that; who shows the token is served (P35)', async t => {
  const clock = fakeClock();
  const countStranger = countStrangers(clock);
  const listener = await openListener(t, tableDaemon(), { countStranger });
  const ask = (Authorization: string | undefined) => sendRequest(listener, 'GET', '/jobs', { Authorization });
  const vain = async () => (await ask('Bearer wrong')).status;
  for (let one = 0; one < 999; one++) assert.equal(countStranger('127.0.0.1'), 0);
  assert.deepEqual([await vain(), await vain()], [401, 429]);
  const told = await ask(undefined);
  assert.deepEqual([told.status, told.headers['retry-after']], [429, '1']);
  assert.deepEqual((assertOrderly(told, 'too often') as { code: string }).code, 'RATE_LIMITED');
  assert.equal((await ask(`Bearer ${token}`)).status, 200);
  assert.equal(countStranger('192.0.2.1'), 0, 'another network');
  await clock.advance(1000);
  assert.equal(await vain(), 401);
  const page = await sendRequest(listener, 'GET', '/jobs', {
    Authorization: undefined,
    Origin: 'https://evil.example',
  });
  assert.equal(page.status, 403, 'what a page asks is refused for that, and uses nothing up');
});

test('secrets are compared as digests, in constant time, and nowhere else (P30)', () => {
  const folders = ['http', 'client', 'daemon/server', 'cli'];
  const files = folders.flatMap(folder =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join(packageRoot, folder, name)),
  );
  const compared = /\b\w*(?:token|secret|digest|authorization)\b\s*[!=]==?(?!=)(?!\s*(?:undefined\b|null\b|'))/i;
  for (const file of files) assert.doesNotMatch(readFileSync(file, 'utf8'), compared, file);
  assert.match('if (token === given)', compared);
  assert.match(readFileSync(join(packageRoot, 'http/admission.ts'), 'utf8'), /timingSafeEqual\(hash\('sha256', token/);
});

/** What a page may send without asking first, and what looks like JSON and is not; no type at all. */
const otherTypes = [
  ...['text/plain', 'text/plain; charset=utf-8', 'TEXT/PLAIN', 'text/plain; application/json', 'text/json', undefined],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx', 'application', ''],
  ...['text/plain, application/json', '*/*', ';application/json'],
];

test('no simple request of a browser writes (P29)', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const route of routes.filter(({ binding }) => binding.method === 'POST')) {
    const path = pathOf(route);
    for (const type of otherTypes) {
      const answer = await sendRequest(listener, 'POST', path, { 'Content-Type': type }, '{}');
      assert.equal(answer.status, 415, `${route.name} ${type}`);
      assertMarked(answer, route.name);
    }
    assert.deepEqual(daemon.requests, [], 'nothing is asked');
    // Those that read their bodies themselves say of what type these are to be, if only to say what is missing.
    if (route.binding.stream !== undefined) continue;
    const bare = await sendRequest(listener, 'POST', path, { 'Content-Length': '0' });
    assert.notEqual(bare.status, 415, `${route.name}: an empty body needs no type`);
    const typed = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    assert.notEqual((await sendRequest(listener, 'POST', path, typed, '{}')).status, 415, route.name);
    daemon.requests.length = 0;
  }
});

test('a preflight says what a path takes (P28)', async t => {
  const listener = await openListener(t, tableDaemon());
  const preflight = {
    Origin: 'https://evil.example',
    'Access-Control-Request-Method': 'POST',
    Authorization: undefined,
  };
  for (const route of routes) {
    const answer = await sendRequest(listener, 'OPTIONS', pathOf(route), preflight);
    assert.equal(answer.status, 204, route.name);
    assert.ok(answer.headers['access-control-allow-methods']?.includes(route.binding.method), route.name);
    assert.match(answer.headers['access-control-allow-headers'] ?? '', /Authorization, Content-Type/);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  }
});

test('an address that others can reach needs authentication and allowed hosts', async t => {
  const daemon = tableDaemon();
  const digest = new Uint8Array(32);
  const unsafe = [
    { authentication: { kind: 'off' }, allowedHosts: ['code.example'] },
    { authentication: { kind: 'token', digest }, allowedHosts: [] },
  ] as const;
  for (const options of unsafe) {
    await assert.rejects(
      openHttp({ daemon, host: '0.0.0.0', port: 0, ...options }),
      (error: unknown) => error instanceof Fault && error.extras.details?.['reason'] === 'unsafe_bind',
    );
  }
  const safe = await openListener(t, daemon, { host: '0.0.0.0', allowedHosts: ['code.example'] });
  assert.equal((await sendRequest(safe, 'GET', '/health', { Host: 'code.example' })).status, 200);
  assert.equal((await sendRequest(safe, 'GET', '/health', { Host: '0.0.0.0' })).status, 403);
});

test('a taken port is said to be taken', async t => {
  const daemon = tableDaemon();
  const { port } = await openListener(t, daemon);
  await assert.rejects(
    openHttp({ daemon, host: '127.0.0.1', port, authentication: { kind: 'off' }, allowedHosts: [] }),
    (error: unknown) => error instanceof Fault && error.extras.details?.['reason'] === 'port_taken',
  );
});
