import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { readDaemonRecord } from '../../client/paths.ts';
import type { KeyHolder } from '../../client/protocol/caller.ts';
import { fieldInPath, type KeyScope, keyScopeOf, keyScopes, type Operation } from '../../client/protocol/operation.ts';
import { Type } from '../../client/protocol/schemas.ts';
import { symbolId } from '../../daemon/model/identity.ts';
import { keyId, keySecret } from '../../daemon/model/key-secret.ts';
import { authorise } from '../../daemon/server/authorise.ts';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { type Route, routes } from '../../http/routes.ts';
import { documents, hashOf, metadata } from '../daemon/jobs/uploads.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';
import { sendRaw } from './listener.ts';

/** Every endpoint of the index server, as the table of routes has them. */
const endpoints = routes.filter(({ operation }) => keyScopeOf(operation.scope) !== undefined);

/** What each path is asked with beside its repository, so that whoever may ask is answered 200. */
const asked: Readonly<Record<string, { readonly query?: string; readonly body?: string | Uint8Array }>> = {
  'indexServer.searchSymbols': { query: '?q=open' },
  'indexServer.searchFiles': { query: '?q=lib' },
  'indexServer.changes': { query: '?since=1' },
  'indexServer.batchGet': { body: JSON.stringify({ ids: [symbolId('acme/x', hashOf('src/lib.ts', 'helper().'))] }) },
  'indexServer.upload': { body: scipBytes({ metadata, documents }) },
};

type Outcome = 'answered' | readonly [status: number, code: string];

interface Credential {
  readonly header: string | undefined;
  readonly permits: (endpoint: Route) => Outcome;
}

const byScope =
  (scope: KeyScope, more: (endpoint: Route) => Outcome = () => 'answered') =>
  (endpoint: Route): Outcome => {
    const needed = keyScopeOf(endpoint.operation.scope)!;
    return keyScopes.indexOf(needed) <= keyScopes.indexOf(scope) ? more(endpoint) : [403, 'insufficient_scope'];
  };
/** The list of repositories is for every key, and has those alone that the key is for. */
const elsewhere = ({ fields }: Route): Outcome => (fields.includes('repo') ? [403, 'repo_not_allowed'] : 'answered');
const always = (outcome: Outcome) => () => outcome;

const home = temporaryHome(afterAll, { SVC_TEST_LEGACY: 'legacy-token-of-the-team', SVC_TEST_STATIC: 's'.repeat(40) });
const secrets: string[] = [];
let count = 0;
const { daemon, url, credentials } = await served();
await upload();

test('every endpoint answers every kind of credential as the specification says (P32)', async () => {
  assert.deepEqual(
    endpoints.map(({ name }) => name).sort(),
    [
      ...['batchGet', 'callgraph', 'changes', 'delete', 'files', 'meta', 'refs', 'repos', 'searchFiles'],
      ...['searchSymbols', 'symbol', 'symbols', 'upload'],
    ].map(name => `indexServer.${name}`),
  );
  for (const [credential, { header, permits }] of credentials) {
    for (const endpoint of endpoints) {
      const expected = permits(endpoint);
      const label = `${endpoint.name} with ${credential}`;
      const { status, body, headers } = await ask(endpoint, header);
      if (expected === 'answered') {
        assert.equal(status, 200, `${label}: ${body}`);
        assert.deepEqual(Object.keys(JSON.parse(body) as object), ['data', 'meta'], label);
        // What was deleted is there again for the next.
        if (endpoint.name === 'indexServer.delete') await upload();
        continue;
      }
      const { error } = JSON.parse(body) as { error: { code: string; message: string } };
      assert.deepEqual([status, error.code], expected, label);
      assert.deepEqual(Object.keys(JSON.parse(body) as object), ['error'], label);
      assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined, label);
      assert.ok(!secrets.some(secret => body.includes(secret)), label);
    }
  }
});

test('a key lists the repositories that it is for, and opens nothing but the index server (P32)', async () => {
  const repos = endpoints.find(({ name }) => name === 'indexServer.repos')!;
  const listed = async (credential: string) => {
    const { body } = await ask(repos, credentials.get(credential)!.header);
    return (JSON.parse(body) as { data: { repos: { id: string }[] } }).data.repos.map(({ id }) => id);
  };
  assert.deepEqual(await listed('a key to read'), ['acme/x']);
  assert.deepEqual(await listed('a key to other repositories'), []);
  for (const path of ['/status', '/daemon/status', '/jobs', '/search?q=x', '/index/status']) {
    const { statusCode, body } = await request(url + path, {
      headers: { authorization: credentials.get('a key to everything')!.header! },
    });
    assert.equal(statusCode, 401, path);
    await body.dump();
  }
});

test('each request of a key is one line of the log, and no secret is', async () => {
  const header = credentials.get('a key to write')!.header!;
  const meta = endpoints.find(({ name }) => name === 'indexServer.meta')!;
  const { headers } = await ask(meta, header);
  const lines = () => home.log().filter(line => line['requestId'] === headers['x-request-id'] && 'key' in line);
  await until('the request is logged', () => lines().length > 0);
  const [line, ...others] = lines();
  assert.deepEqual(others, []);
  assert.match(String(line!['key']), /^svc_key_[0-9a-f]{16}$/);
  assert.deepEqual([line!['method'], line!['status'], line!['path']], ['GET', 200, '/index/repos/acme%2Fx/meta']);
  for (const secret of ['legacy-token-of-the-team', 's'.repeat(39)]) {
    const search = `${url}/index/repos/acme%2Fx/search/symbols?q=${secret}`;
    const asked = await request(search, { headers: { authorization: header } });
    await asked.body.dump();
    const id = asked.headers['x-request-id'];
    const logged = () => home.log().find(line => line['requestId'] === id && 'query' in line);
    await until('the search is logged', () => logged() !== undefined);
    const isSecret = secrets.includes(secret);
    assert.equal(logged()!['query'], `q=${isSecret ? '***' : secret}`, 'what is no secret is told');
  }
  const log = JSON.stringify(home.log());
  for (const secret of secrets) assert.ok(!log.includes(secret));
});

test('a revoked key is refused with its next request, and so is a rotated secret (P32)', async () => {
  const meta = endpoints.find(({ name }) => name === 'indexServer.meta')!;
  const { key, token } = await daemon.client.token.create({ name: 'to go', scopes: ['read'] });
  const code = async (secret: string) => {
    const { status, body } = await ask(meta, `Bearer ${secret}`);
    return status === 200 ? 'answered' : (JSON.parse(body) as { error: { code: string } }).error.code;
  };
  assert.equal(await code(token), 'answered');
  const rotated = await daemon.client.token.rotate({ id: key.id });
  assert.deepEqual([await code(token), await code(rotated.token)], ['invalid_token', 'answered']);
  await daemon.client.token.revoke({ id: key.id });
  assert.equal(await code(rotated.token), 'revoked_token');
});

test('who may ask is said of every route, and where it is not said nobody but the owner may (P32)', () => {
  // @ts-expect-error: what may be asked over HTTP must say who may; the build fails where this is no error any more.
  const unsaid: Operation = {
    summary: '',
    input: Type.Object({}),
    output: Type.Object({}),
    faults: [],
    effect: 'read',
  };
  for (const { name, operation, binding } of routes) {
    const isServed = binding.path.startsWith('/index/repos');
    assert.equal(keyScopeOf(operation.scope) !== undefined, isServed, name);
    if (!isServed) {
      assert.ok(['public', 'daemon', 'repository'].includes(operation.scope), name);
      continue;
    }
    // A question that is too long for a query is one all the same.
    const byMethod = {
      GET: 'read',
      POST: name === 'indexServer.batchGet' ? 'read' : 'write',
      DELETE: 'admin',
    } as const;
    assert.equal(keyScopeOf(operation.scope), byMethod[binding.method], name);
  }
  const all: KeyHolder = { kind: 'key', id: 'k', scope: 'admin', repos: ['*'] };
  assert.throws(() => authorise(unsaid, all, {}), { reason: 'unauthorized' });
  assert.throws(() => authorise(unsaid, { kind: 'anonymous' }, {}), { reason: 'unauthorized' });
});

test('a credential is one as it is written, in Authorization alone: each form of it is told apart (P30)', async () => {
  const port = Number(new URL(url).port);
  const daemonToken = readFileSync(daemon.record.tokenFile, 'utf8').trim();
  const key = credentials.get('a key to read')!.header!.slice('Bearer '.length);
  const answersOf = async (headers: readonly string[], query = '') => {
    const ask = async (path: string) => {
      const lines = [`GET ${path}${query} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''];
      const { status, body } = await sendRaw(port, Buffer.from(lines.join('\r\n')));
      const { details, error } = JSON.parse(body) as { details?: { reason?: string }; error?: { code?: string } };
      assert.ok(!secrets.some(secret => body.includes(secret)), body);
      return status === 200 ? 'answered' : status === 401 ? (details?.reason ?? error?.code) : status;
    };
    return [await ask('/daemon/status'), await ask('/index/repos/acme%2Fx/meta')];
  };
  for (const [credential, other] of [
    [daemonToken, 'answered'],
    [key, 'invalid_token'],
  ] as const) {
    const sound = ['Bearer X', 'bearer X', 'BEARER   X', '  Bearer X  '];
    for (const form of sound) {
      const header = `Authorization: ${form.replace('X', credential)}`;
      assert.deepEqual(await answersOf([header]), [other, 'answered'], form);
      assert.deepEqual(await answersOf([header.replace('Auth', 'aUTH')]), [other, 'answered'], form);
    }
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const forms = [
      ...['', 'Bearer', 'Bearer ', `Bearer${credential}`, `Bearer\t${credential}`, `Bearer:${credential}`],
      ...[credential, `Token ${credential}`, `ApiKey ${credential}`, `Basic ${credential}`, `Negotiate ${credential}`],
      ...[`Basic ${base64(`user:${credential}`)}`, `Basic ${base64(`:${credential}`)}`, `Digest token="${credential}"`],
      ...[`Bearer "${credential}"`, `Bearer token=${credential}`, `Bearer ${credential},`, `Bearer ${credential};`],
      ...[`Bearer ${credential}=`, `Bearer ${credential} ${credential}`, `Bearer ${credential}, Bearer ${credential}`],
      ...[`Bearer ${credential.slice(0, -1)}`, `Bearer ${credential.slice(1)}`, `Bearer ${credential}0`],
      ...[`Bearer ${credential}${credential}`, `Bearer ${[...credential].reverse().join('')}`],
      ...[`Bearer ${credential.toUpperCase()}`, `Bearer ${credential}é`, `Bearer \u200b${credential}`],
      ...[`Bearer ${credential.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit)))}`],
      ...[`Bearer ${encodeURIComponent(`%${credential}`)}`, `Bearer ${base64(credential)}`],
      // Whoever has read the digest that is kept has not read the token.
      ...[`Bearer ${hash('sha256', credential)}`, `Bearer ${hash('sha256', credential, 'base64')}`],
      ...['a', 'undefined', 'null', '[object Object]', '__proto__', '*', "'--", 'svc_sk_', 'x'.repeat(10_000)].map(
        text => `Bearer ${text}`,
      ),
    ];
    for (const form of forms) {
      assert.deepEqual(await answersOf([`Authorization: ${form}`]), ['invalid_token', 'invalid_token'], form);
    }
    const elsewhere = ['Cookie: token=', 'X-API-Key: ', 'X-Auth-Token: ', 'Proxy-Authorization: Bearer ', 'Token: '];
    for (const header of elsewhere) {
      assert.deepEqual(await answersOf([header + credential]), ['missing_token', 'missing_token'], header);
    }
    for (const name of ['token', 'access_token', 'authorization', 'key']) {
      assert.deepEqual(await answersOf([], `?${name}=${credential}`), ['missing_token', 'missing_token'], name);
    }
    const sent = `Authorization: Bearer ${credential}`;
    const broken = [
      [sent, sent],
      [sent, 'authorization: x'],
      ['Authorization:', ` Bearer ${credential}`],
      [`${sent}\0`],
    ];
    for (const headers of broken) assert.deepEqual(await answersOf(headers), [400, 400], headers.join());
  }
});

test('however the id of a repository is written, who may ask for it and which it is are found by one reading (P33)', async () => {
  const ids = ['acme/x', 'acme/y', 'Acme/X', 'acme/x.', 'acme/x/symbols', 'acme', 'x', 'symbols-x', 'acme/x-evil'];
  const owner = credentials.get('the daemon token')!.header!;
  const bodies = asked['indexServer.upload']!.body as Uint8Array;
  for (const id of ids.slice(1)) {
    const { statusCode, body } = await request(`${url}/index/repos/${encodeURIComponent(id)}/upload`, {
      ...{ method: 'POST', body: bodies },
      headers: { authorization: owner, 'content-type': 'application/octet-stream' },
    });
    assert.equal(statusCode, 200, `${id}: ${await body.text()}`);
  }
  const keys = new Map<string, string>();
  for (const repos of ['acme/x', 'acme/y', 'acme/*']) {
    const made = await daemon.client.token.create({ name: 'k', scopes: ['read'], repos: [repos] });
    keys.set(repos, `Bearer ${made.token}`);
  }
  const port = Number(new URL(url).port);
  /** The id that was answered for, or the code of the refusal. */
  const foundBy = async (path: string, authorization: string) => {
    const target = `/index/repos/${path}/meta`;
    const bytes = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`;
    const { body } = await sendRaw(port, Buffer.from(bytes, 'latin1'));
    const told = JSON.parse(body) as { data?: { id: string }; error?: { code: string } };
    return told.data?.id ?? told.error!.code;
  };
  const every = (text: string) => [...text].map(one => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  const spellings = [
    ...ids.flatMap(id => [id, encodeURIComponent(id), every(id)]),
    ...['acme%2fx', 'acme%252Fx', 'acme%25252Fx', '%61cme/x', 'acme//x', 'acme%2F%2Fx', '/acme/x', '%2Facme%2Fx'],
    ...['acme/x/', 'acme%2Fx%2F', 'acme/./x', 'acme/../acme/x', 'acme%2F..%2Facme%2Fx', '../acme/x', 'y/../x'],
    ...['acme/x%00', 'acme%00/x', 'acme%2Fx%20', '%20acme/x', 'acme/x%0d%0a', 'acme%5Cx', 'acme\\x', 'acme/x;a'],
    ...['acme/x%3F', 'acme/x%23', 'acme/x%2Fmeta', 'acme/x/meta', 'acme%2Fx/symbols-x', 'acme/x%2E', 'ACME/X'],
    ...[
      'acme/%C3%A9',
      'acme/e%CC%81',
      'acme/%EF%BD%98',
      'acme%C0%AFx',
      'acme/x%',
      'acme/%zz',
      '*',
      'acme/*',
      'acme/%2A',
    ],
    ...['__proto__', 'constructor', '%5B%22acme%2Fx%22%5D', 'acme/x,acme/y', 'acme/x&repo=acme/y'],
  ];
  const reached = new Set<string>();
  for (const path of spellings) {
    const found = await foundBy(path, owner);
    reached.add(found);
    const isThere = ids.includes(found);
    if (!isThere) assert.match(found, /^(?:repo_not_found|symbol_not_found|invalid_parameter|not_found)$/, path);
    for (const [repos, key] of keys) {
      const mayAsk = repos === found || (repos === 'acme/*' && found.startsWith('acme/'));
      const answer = await foundBy(path, key);
      if (isThere) assert.equal(answer, mayAsk ? found : 'repo_not_allowed', `${path} with a key for ${repos}`);
      else assert.ok(answer === found || answer === 'repo_not_allowed', `${path} with a key for ${repos}: ${answer}`);
    }
  }
  assert.deepEqual(
    [...ids].filter(id => !reached.has(id)),
    [],
  );
  const mine = keys.get('acme/x')!;
  for (const [more, code] of [
    ['?repo=acme/x', 400],
    ['?repo=acme/y', 400],
  ] as const) {
    const { statusCode } = await request(`${url}/index/repos/acme%2Fx/meta${more}`, {
      headers: { authorization: mine },
    });
    assert.equal(statusCode, code, 'a second reading is none');
  }
  const batch = await request(`${url}/index/repos/acme%2Fx/symbols:batchGet`, {
    ...{ method: 'POST', body: '{"ids":["a"],"repo":"acme/y"}' },
    headers: { authorization: mine, 'content-type': 'application/json', 'x-svc-repo': 'acme/y' },
  });
  assert.equal(batch.statusCode, 400, 'nor is one in the body');
});

/** A daemon with keys of every kind. */
async function served() {
  home.configure(`
    [index_server]
    enabled = true
    [index_server.auth]
    legacy_token = "\${SVC_TEST_LEGACY}"
    [[index_server.auth.static_keys]]
    id = "dashboard"
    name = "Dashboard"
    token = "\${SVC_TEST_STATIC}"
    scopes = ["read"]
    repo_patterns = ["acme/*"]
  `);
  mkdirSync(dirname(home.places.daemonDb), { recursive: true, mode: 0o700 });
  const database = openDaemonDatabase(home.places.daemonDb);
  const make = (scope: KeyScope, more: { readonly repos?: readonly string[]; readonly expiresAt?: number } = {}) => {
    const { text, prefix, digest } = keySecret(random(32));
    const id = keyId(random(8));
    const key = { repos: ['*'], expiresAt: undefined, rateLimit: undefined, ...more };
    database.insertKey({ id, prefix, digest, name: scope, scopes: [scope], createdAt: Date.now(), ...key });
    secrets.push(text);
    return { id, header: `Bearer ${text}` };
  };
  const revoked = make('admin');
  database.revokeKey(revoked.id, Date.now());
  const expired = make('admin', { expiresAt: Date.now() - 1 });
  const unknown = keySecret(random(32)).text;
  const [read, write, admin] = [make('read'), make('write'), make('admin')];
  const [below, plain] = [make('read', { repos: ['acme/*'] }), make('read', { repos: ['acme/x'] })];
  const [other, alike] = [
    make('admin', { repos: ['other/*', 'acme/y'] }),
    make('read', { repos: ['acme/xy', 'acm/*'] }),
  ];
  database.close();
  const daemon = await startDaemon(afterAll, home);
  await until('the listener is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const url = readDaemonRecord(home.places)!.url!;
  const token = readFileSync(daemon.record.tokenFile, 'utf8').trim();
  secrets.push(token, 'legacy-token-of-the-team', 's'.repeat(40));
  const credentials = new Map<string, Credential>([
    ['none', { header: undefined, permits: always([401, 'missing_token']) }],
    ['another scheme', { header: 'Basic dXNlcjpwYXNz', permits: always([401, 'invalid_token']) }],
    ['no token', { header: 'Bearer ', permits: always([401, 'invalid_token']) }],
    ['a broken token', { header: 'Bearer svc_sk_short', permits: always([401, 'invalid_token']) }],
    ['a key’s id', { header: `Bearer ${read.id}`, permits: always([401, 'invalid_token']) }],
    ['an unknown key', { header: `Bearer ${unknown}`, permits: always([401, 'invalid_token']) }],
    ['an expired key', { header: expired.header, permits: always([401, 'expired_token']) }],
    ['a revoked key', { header: revoked.header, permits: always([401, 'revoked_token']) }],
    ['a key to read', { header: read.header, permits: byScope('read') }],
    ['a key to read below a prefix', { header: below.header, permits: byScope('read') }],
    ['a key to read this one', { header: plain.header, permits: byScope('read') }],
    ['a key to write', { header: write.header, permits: byScope('write') }],
    ['a key to other repositories', { header: other.header, permits: byScope('admin', elsewhere) }],
    ['a key to names that begin alike', { header: alike.header, permits: byScope('read', elsewhere) }],
    ['a static key', { header: `Bearer ${'s'.repeat(40)}`, permits: byScope('read') }],
    ['the legacy token', { header: 'Bearer legacy-token-of-the-team', permits: byScope('admin') }],
    ['the daemon token', { header: `Bearer ${token}`, permits: byScope('admin') }],
    ['a key to everything', { header: admin.header, permits: byScope('admin') }],
  ]);
  return { daemon, url, credentials };
}

/** No two are alike, and each run has the same. */
function random(bytes: number): Buffer {
  count++;
  return Buffer.alloc(bytes, `${count}-`.padStart(4, 'k'));
}

async function upload(): Promise<void> {
  const endpoint = endpoints.find(({ name }) => name === 'indexServer.upload')!;
  const { status, body } = await ask(endpoint, credentials.get('the daemon token')!.header);
  assert.equal(status, 200, body);
}

async function ask({ name, binding }: Route, authorization: string | undefined) {
  const id = symbolId('acme/x', hashOf('src/lib.ts', 'helper().'));
  const path = binding.path.replace(fieldInPath, (_, field: string) =>
    encodeURIComponent(field === 'id' ? id : 'acme/x'),
  );
  const { query = '', body } = asked[name] ?? {};
  const type = binding.stream?.media[0] ?? 'application/json';
  const reply = await request(url + path + query, {
    method: binding.method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body: body ?? null,
  });
  return { status: reply.statusCode, headers: reply.headers, body: await reply.body.text() };
}
