import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, svc } from '../support/daemon.ts';
import { afterAll } from '../support/repository.ts';

const daemon = await startDaemon(afterAll);
const { home } = daemon;
const token = (...words: string[]) => svc(home, ['token', ...words]);
const json = async (...words: string[]) => JSON.parse((await token(...words, '--json')).stdout);
const secretShape = /^svc_sk_[0-9a-f]{64}$/;
const idShape = /^svc_key_[0-9a-f]{16}$/;

test('a secret is all that is written to stdout, once; what it is for stands beside', async () => {
  const made = await token('create', '--name', 'ci', '--scopes', 'read,write', '--repos', 'acme/*', '--expires', '30d');
  assert.deepEqual([made.code, made.stdout.endsWith('\n')], [0, true]);
  assert.match(made.stdout.trimEnd(), secretShape);
  assert.match(
    made.stderr,
    /^Made svc_key_[0-9a-f]{16} \(ci\): read, write; on acme\/\*; until \d{4}-\d\d-\d\d \d\d:\d\dZ\n/,
  );
  assert.match(made.stderr, /shown this once/);
  assert.doesNotMatch(made.stderr, /svc_sk_/);
  const piped = await token('create', '--name', 'laptop', '--scopes', 'read', '--rate-limit', '5', '--plain');
  assert.match(piped.stdout, /^svc_sk_[0-9a-f]{64}\n$/);
  assert.equal(piped.stderr, '');
  const { keys } = await json('list');
  const shown = keys.map((key: Record<string, unknown>) => [key['name'], key['prefix'], key['rateLimit']]);
  assert.deepEqual(shown, [
    ['ci', made.stdout.slice(0, 15), null],
    ['laptop', piped.stdout.slice(0, 15), 5],
  ]);
});

test('a key is listed, rotated and revoked by its id', async () => {
  const { key, token: secret } = await json('create', '--name', 'made', '--scopes', 'admin');
  assert.match(secret, secretShape);
  assert.match(key.id, idShape);
  const row = async (...words: string[]) =>
    (await token('list', ...words)).stdout.split('\n').find(line => line.startsWith(key.id));
  assert.match(
    (await row())!,
    /^svc_key_[0-9a-f]{16} +made +active +admin +\* +never +never +default +svc_sk_[0-9a-f]{8}…/,
  );
  const rotated = await token('rotate', key.id);
  assert.match(rotated.stdout, /^svc_sk_[0-9a-f]{64}\n$/);
  assert.notEqual(rotated.stdout.trim(), secret);
  assert.match(rotated.stderr, /has a new secret/);
  for (const _ of ['once', 'twice']) {
    const revoked = await token('revoke', key.id);
    assert.deepEqual([revoked.code, revoked.stdout], [0, `Revoked ${key.id} (made): its next request is refused\n`]);
  }
  assert.equal(await row(), undefined);
  assert.match((await row('--show-revoked'))!, / revoked /);
  const { code, stderr } = await token('rotate', key.id);
  assert.equal(code, 5);
  assert.match(stderr, /is revoked/);
});

test('a wrong line ends with its code, says what would do, and no secret again', async () => {
  const secret = `svc_sk_${randomBytes(32).toString('hex')}`;
  const create = (...words: string[]) => ['create', '--name', 'x', '--scopes', 'read', ...words];
  const table: readonly (readonly [readonly string[], number, RegExp])[] = [
    ...['0d', '-1d', '30', '1e9d', '30days', '999y'].map(
      text => [create('--expires', text), 2, /--expires: must be/] as const,
    ),
    ...['0', '1.5'].map(text => [create('--rate-limit', text), 2, /--rate-limit: .* whole number/] as const),
    ...['**', 'a/*/b', '*x', ''].map(text => [create('--repos', text), 2, /--repos: must be/] as const),
    ...['root', 'read,', ''].map(
      text => [['create', '--name', 'x', '--scopes', text], 2, /--scopes: .* one of/] as const,
    ),
    ...['', 'x'.repeat(1024), 'a\u001b[31mb', 'a\rb'].map(
      text => [['create', '--scopes', 'read', '--name', text], 2, /--name: must be/] as const,
    ),
    [['create', '--name', 'x'], 2, /--scopes/],
    [['create', '--scopes', 'read'], 2, /--name/],
    [create('--token', secret), 2, /unknown option '--token'/],
    [['revoke', 'svc_key_0000000000000000'], 4, /There is no key svc_key_0{16}[\s\S]*svc token list/],
    [['rotate', 'svc_key_0000000000000000'], 4, /There is no key/],
    [['revoke', secret], 2, /must be the id of a key/],
    [['rotate', secret], 2, /must be the id of a key/],
    [['revoke', `${secret}x`], 2, /must be the id of a key/],
    [['revoke', 'svc_kez_0000000000000000'], 2, /must be the id of a key/],
    [[secret], 2, /unknown command/],
    [['create', '--name', 'x', '--scopes', secret], 2, /is not one of/],
    [['revoke'], 2, /missing required argument/],
  ];
  for (const [words, expected, why] of table) {
    const { code, stdout, stderr } = await token(...words);
    assert.deepEqual([code, stdout], [expected, ''], `${words}: ${stderr}`);
    assert.match(stderr, why, `${words}`);
    assert.ok(!stderr.includes(secret), `${words}`);
  }
  const told = await token('revoke', secret, '--json');
  assert.equal(told.code, 2);
  assert.ok(!`${told.stdout}${told.stderr}`.includes(secret));
});

test('keys outlive the daemon, and their secrets are in no file and no line of the log', async context => {
  const before = await json('list', '--show-revoked');
  assert.ok(before.total >= 3);
  const { key, token: secret } = await json('create', '--name', 'canary', '--scopes', 'read');
  assert.equal(await daemon.stop(), 0);
  await startDaemon(context, home);
  assert.deepEqual((await json('list', '--show-revoked')).keys, [...before.keys, key]);
  const holders = readdirSync(home.path, { recursive: true, encoding: 'utf8' })
    .map(name => join(home.path, name))
    .filter(
      file => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(secret.slice(15)),
    );
  assert.deepEqual(holders, []);
  const changes = home.log().filter(({ msg }) => msg === 'key.changed');
  assert.ok(changes.some(line => line['key'] === key.id && line['change'] === 'created'));
});
