import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import { type Operations, operations } from '../../../client/protocol/registry.ts';
import { serialiseOutput } from '../../../client/protocol/serialise.ts';
import { validateInput } from '../../../client/protocol/validate.ts';
import type { Observation } from '../../../daemon/events.ts';
import { secretDigest } from '../../../daemon/model/key-secret.ts';
import { lifetimeMs } from '../../../daemon/model/lifetime.ts';
import type { RequestContext } from '../../../daemon/operations/handler.ts';
import { type TokensHandlers, tokensHandlers } from '../../../daemon/operations/tokens.ts';
import { keepKeys } from '../../../daemon/server/keep-keys.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

const dayMs = 86_400_000;

/** The four operations over a database of their own, as the dispatcher asks them: input and output fit their schemas. */
function opened(context: TestContext) {
  const file = join(temporaryFolder(context).root, 'daemon.db');
  const database = openDaemonDatabase(file);
  context.after(() => database.close());
  const clock = fakeClock();
  const told: Observation[] = [];
  const observe = (one: Observation) => void told.push(one);
  const keyKeeper = keepKeys({ keys: database, clock, observe });
  let seed = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(++seed);
  const handlers = tokensHandlers({ accessKeys: database, keyLives: keyKeeper, random, observe });
  let nowMs = clock.now().getTime();
  const ask = <N extends keyof TokensHandlers>(
    name: N,
    input: Readonly<Record<string, unknown>>,
  ): OutputOf<Operations[N]> => {
    const operation = operations[name];
    const sound = validateInput(operation, { input, invalidAs: () => 'invalidParameter' });
    const now = new Date(nowMs);
    const output = (handlers[name] as (input: unknown, context: RequestContext) => unknown)(sound, {
      now,
    } as RequestContext);
    const answer = JSON.parse(serialiseOutput(operation, output as never)) as OutputOf<Operations[N]>;
    assert.deepEqual(answer, output, 'nothing is left out');
    return answer;
  };
  return {
    ...{ database, file, keyKeeper, told, ask },
    moveTo: (ms: number) => {
      nowMs = ms;
    },
    startMs: nowMs,
  };
}

const hex = (byte: string, bytes: number) => byte.repeat(bytes);
const unknown = 'svc_key_00000000000000ff';

test('a key is made with what was asked, its secret told and only its hash kept', context => {
  const { ask, database, told, startMs } = opened(context);
  const { key, token } = ask('token.create', {
    ...{ name: 'ci', scopes: 'admin,read,admin', repos: ['acme/*', 'x', 'x'], expires: '30d', rateLimit: 600 },
  });
  assert.equal(token, `svc_sk_${hex('01', 32)}`);
  assert.deepEqual(key, {
    ...{ id: `svc_key_${hex('02', 8)}`, name: 'ci', prefix: 'svc_sk_01010101', scopes: ['read', 'admin'] },
    ...{ repos: ['acme/*', 'x'], status: 'active', createdAt: new Date(startMs).toISOString(), rotatedAt: null },
    ...{ expiresAt: new Date(startMs + 30 * dayMs).toISOString(), revokedAt: null, lastUsedAt: null, rateLimit: 600 },
  });
  const stored = database.keyById(key.id)!;
  assert.deepEqual(new Uint8Array(stored.digest), new Uint8Array(secretDigest(token)));
  assert.ok(!JSON.stringify(stored).includes(token));
  const plain = ask('token.create', { name: 'x', scopes: ['read'] }).key;
  assert.deepEqual([plain.repos, plain.expiresAt, plain.rateLimit], [['*'], null, null]);
  assert.deepEqual(
    told.map(one => (one.kind === 'key.changed' ? [one.key, one.change] : one.kind)),
    [
      [key.id, 'created'],
      [plain.id, 'created'],
    ],
  );
  assert.ok(!JSON.stringify(told).includes('svc_sk_'));
});

test('revoked keys are listed when asked for, and revoking twice is as revoking once', context => {
  const { ask, told, moveTo, startMs } = opened(context);
  const { key } = ask('token.create', { name: 'a', scopes: ['read'] });
  const other = ask('token.create', { name: 'b', scopes: ['write'] }).key;
  moveTo(startMs + 1000);
  const first = ask('token.revoke', { id: key.id });
  assert.deepEqual([first.key.status, first.key.revokedAt], ['revoked', new Date(startMs + 1000).toISOString()]);
  moveTo(startMs + 9000);
  assert.deepEqual(ask('token.revoke', { id: key.id }).key, first.key);
  assert.equal(told.filter(one => one.kind === 'key.changed' && one.change === 'revoked').length, 1);
  const listed = (input: object) => {
    const { keys, total } = ask('token.list', { ...input });
    assert.equal(total, keys.length);
    return keys;
  };
  assert.deepEqual(listed({}), [other]);
  assert.deepEqual(listed({ showRevoked: true }), [first.key, other]);
});

test('a rotated key keeps all but its secret', context => {
  const { ask, database, moveTo, startMs } = opened(context);
  const { key, token } = ask('token.create', { name: 'a', scopes: ['read'], expires: '1d' });
  moveTo(startMs + 1000);
  const rotated = ask('token.rotate', { id: key.id });
  assert.deepEqual(rotated.key, {
    ...key,
    ...{ prefix: rotated.token.slice(0, 15), rotatedAt: new Date(startMs + 1000).toISOString() },
  });
  assert.notEqual(rotated.token, token);
  assert.equal(database.keyByDigest(secretDigest(token)), undefined);
  assert.equal(database.keyByDigest(secretDigest(rotated.token))?.id, key.id);
});

test('a key that was seen past its time stays so', context => {
  const { ask, moveTo, startMs, database } = opened(context);
  const { key } = ask('token.create', { name: 'a', scopes: ['read'], expires: '1h' });
  const status = () => ask('token.list', {}).keys[0]?.status;
  moveTo(startMs + 3_599_999);
  assert.equal(status(), 'active');
  moveTo(startMs + 3_600_000);
  assert.equal(status(), 'expired');
  moveTo(startMs - 3650 * dayMs);
  assert.equal(status(), 'expired');
  assert.equal(database.keyById(key.id)?.isExpired, true);
  assert.equal(ask('token.revoke', { id: key.id }).key.status, 'revoked', 'which says more');
});

test('the last use is listed before it is stored', context => {
  const { ask, database, keyKeeper, startMs } = opened(context);
  const { key } = ask('token.create', { name: 'a', scopes: ['read'] });
  keyKeeper.used(database.keyById(key.id)!, startMs + 5);
  assert.equal(ask('token.list', {}).keys[0]?.lastUsedAt, new Date(startMs + 5).toISOString());
  assert.equal(database.keyById(key.id)?.lastUsedAt, undefined);
});

test('what can’t be done is refused, and no secret said', context => {
  const { ask, moveTo, startMs } = opened(context);
  const revoked = ask('token.create', { name: 'a', scopes: ['read'] });
  const expired = ask('token.create', { name: 'a', scopes: ['read'], expires: '1m' });
  ask('token.revoke', { id: revoked.key.id });
  moveTo(startMs + 60_000);
  const create = (more: object): readonly ['token.create', object] => [
    'token.create',
    { name: 'x', scopes: ['read'], ...more },
  ];
  const table: readonly (readonly [keyof TokensHandlers, object, string])[] = [
    ['token.revoke', { id: unknown }, 'resourceNotFound'],
    ['token.rotate', { id: unknown }, 'resourceNotFound'],
    ['token.rotate', { id: revoked.key.id }, 'preconditionFailed'],
    ['token.rotate', { id: expired.key.id }, 'preconditionFailed'],
    ['token.revoke', { id: revoked.token }, 'invalidParameter'],
    ['token.rotate', { id: revoked.token }, 'invalidParameter'],
    ['token.revoke', { id: revoked.key.id.toUpperCase() }, 'invalidParameter'],
    ...['0d', '-1d', '30', '1e9d', '30days', '', 'd', '1.5d', ' 1d', '1d ', '101y', '99999y', '1s'].map(
      expires => [...create({ expires }), 'invalidParameter'] as const,
    ),
    ...[0, -1, 1.5, '60', 1_000_001].map(rateLimit => [...create({ rateLimit }), 'invalidParameter'] as const),
    ...[[], ['root'], ['read', ''], 'read,', '', ['READ']].map(
      scopes => [...create({ scopes }), 'invalidParameter'] as const,
    ),
    ...['**', 'a/*/b', '*x', 'x*', '', '/*', 'a/', '../x', 'a//b', 'a b', 'a,,b'].map(
      repos => [...create({ repos }), 'invalidParameter'] as const,
    ),
    ...['', ' ', 'x'.repeat(101), 'a\u001b[31m', 'a\rb', 'a\nb', 'a\u0085b', 'a\0b'].map(
      name => [...create({ name }), 'invalidParameter'] as const,
    ),
  ];
  for (const [name, input, reason] of table) {
    assert.throws(
      () => ask(name, { ...input }),
      (fault: unknown) => {
        assert.ok(fault instanceof Fault);
        assert.equal(fault.reason, reason, JSON.stringify(input));
        assert.ok(!JSON.stringify([fault.message, fault.extras]).includes('svc_sk_'), 'a secret is not said again');
        return true;
      },
      JSON.stringify(input),
    );
  }
  assert.equal(ask('token.list', { showRevoked: true }).total, 2, 'none of them was made');
});

test('how long a key is good for', () => {
  const table: readonly (readonly [string, number | undefined])[] = [
    ['1m', 60_000],
    ['12h', 12 * 3_600_000],
    ['30d', 30 * dayMs],
    ['2w', 14 * dayMs],
    ['1y', 365 * dayMs],
    ['100y', 36_500 * dayMs],
    ['101y', undefined],
    ['0d', undefined],
    ['30', undefined],
    ['d', undefined],
    ['1e9d', undefined],
    ['1d1h', undefined],
    ['9999999999d', undefined],
  ];
  for (const [text, ms] of table) assert.equal(lifetimeMs(text), ms, text);
});

test('a damaged key is shown as such, takes no new secret, and can be taken back', context => {
  const { ask, file } = opened(context);
  const { key } = ask('token.create', { name: 'ci', scopes: ['read'], repos: ['acme/*'] });
  const raw = new Database(file);
  raw.exec(`UPDATE access_key SET scopes = '["reae","admin"]', repos = '["acme/'`);
  raw.close();
  const [shown] = ask('token.list', {}).keys;
  assert.deepEqual([shown?.status, shown?.scopes, shown?.repos], ['damaged', ['admin'], []]);
  assert.throws(() => ask('token.rotate', { id: key.id }), { reason: 'preconditionFailed', message: /is damaged/ });
  assert.equal(ask('token.revoke', { id: key.id }).key.status, 'revoked');
});
