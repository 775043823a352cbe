import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Admission, AskedOfIndex } from '../../../client/protocol/caller.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Clock } from '../../../daemon/clock.ts';
import type { Observation } from '../../../daemon/events.ts';
import type { KeySettings } from '../../../daemon/index-server-settings.ts';
import { keySecret, secretDigest } from '../../../daemon/model/key-secret.ts';
import { daemonDatabase } from '../../../daemon/operations/doctor/stored-state.ts';
import { createIndexDoor } from '../../../daemon/server/index-door.ts';
import { keepKeys } from '../../../daemon/server/keep-keys.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

const settings: KeySettings = {
  enabled: true,
  requireAuth: true,
  legacyDigest: secretDigest('the-old-token-of-the-team'),
  staticKeys: [
    {
      ...{ id: 'ci-runner', name: 'CI', digest: secretDigest('a-key-of-the-configuration') },
      ...{ scope: 'write', repos: ['acme/*'], rateLimit: 600 },
    },
  ],
  rateLimiting: { enabled: true, defaultLimit: 60, burstSize: 10 },
};
const daemonToken = 'd'.repeat(64);
const dayMs = 86_400_000;

/** A clock of two hands: the wall's can be set. */
function settableClock() {
  const steady = fakeClock();
  let offMs = 0;
  const setBy = (ms: number): void => {
    offMs += ms;
  };
  const clock: Clock = { ...steady, now: () => new Date(steady.now().getTime() + offMs) };
  return { clock, advance: steady.advance, setBy };
}

function door(context: TestContext, changed: Partial<KeySettings> = {}, isDaemonAuthOn = true) {
  const file = join(temporaryFolder(context).root, 'daemon.db');
  let database = openDaemonDatabase(file);
  context.after(() => database.close());
  const { clock, advance, setBy } = settableClock();
  const told: Observation[] = [];
  const observe = (one: Observation) => void told.push(one);
  let now: KeySettings = { ...settings, ...changed };
  const opened = () => {
    const keyKeeper = keepKeys({ keys: database, clock, observe });
    const options = { settings: () => now, keys: database, keyKeeper, clock };
    return {
      keyKeeper,
      ...createIndexDoor({
        ...options,
        daemonTokenDigest: () => secretDigest(daemonToken),
        isDaemonAuthOn: () => isDaemonAuthOn,
      }),
    };
  };
  let standing = opened();
  let made = 0;
  return {
    ...{ clock, advance, setBy, told, file },
    database: () => database,
    /** As after a restart of the daemon. */
    restart() {
      standing.keyKeeper.close();
      database.close();
      database = openDaemonDatabase(file);
      standing = opened();
    },
    configure(next: Partial<KeySettings>) {
      now = { ...now, ...next };
    },
    isSecret: (text: string) => standing.isSecret(text),
    admit: (authorization: string | undefined, more: Partial<AskedOfIndex> = {}): Admission =>
      standing.admit({ authorization, method: 'GET', address: '192.0.2.1', ...more }),
    makeKey(
      more: {
        readonly expiresAt?: number;
        readonly rateLimit?: number;
        readonly scopes?: readonly ('read' | 'write' | 'admin')[];
      } = {},
    ) {
      const { text, prefix, digest } = keySecret(randomBytes(32));
      const id = `svc_key_${String(++made).padStart(16, '0')}`;
      database.insertKey({
        ...{ id, name: 'k', prefix, digest, scopes: ['read'], repos: ['acme/*'], createdAt: clock.now().getTime() },
        ...{ expiresAt: undefined, rateLimit: undefined, ...more },
      });
      return { id, secret: text, bearer: `Bearer ${text}` };
    },
  };
}

const said = ({ verdict }: Admission): string =>
  verdict instanceof Fault
    ? verdict.reason
    : verdict.kind === 'key'
      ? `${verdict.id} ${verdict.scope} ${verdict.repos}`
      : verdict.kind;

test('who shows what is who, for the log as well', async context => {
  const { admit, makeKey, database, clock, advance } = door(context);
  const nowMs = clock.now().getTime();
  const read = makeKey();
  const write = makeKey({ scopes: ['read', 'write'] });
  const admin = makeKey({ scopes: ['admin'], expiresAt: nowMs + dayMs });
  const short = makeKey({ expiresAt: nowMs + 60_000 });
  const gone = makeKey();
  const both = makeKey({ expiresAt: nowMs + 60_000 });
  database().revokeKey(gone.id, nowMs);
  database().revokeKey(both.id, nowMs);
  await advance(60_000);
  const table: readonly (readonly [string | undefined, string, string | undefined])[] = [
    [undefined, 'missingToken', undefined],
    ['', 'invalidToken', undefined],
    ['Bearer', 'invalidToken', undefined],
    ['Bearer ', 'invalidToken', undefined],
    [`Basic ${read.secret}`, 'invalidToken', undefined],
    [read.secret, 'invalidToken', undefined],
    [`Bearer ${read.secret} x`, 'invalidToken', undefined],
    [`Bearer ${read.secret}é`, 'invalidToken', undefined],
    [`Bearer ${read.secret.toUpperCase()}`, 'invalidToken', undefined],
    [`Bearer ${read.secret.slice(0, -1)}`, 'invalidToken', undefined],
    [`Bearer ${read.secret}0`, 'invalidToken', undefined],
    [`Bearer ${read.id}`, 'invalidToken', undefined],
    [`Bearer svc_sk_${'0'.repeat(64)}`, 'invalidToken', undefined],
    [`Bearer ${'x'.repeat(10_000)}`, 'invalidToken', undefined],
    [read.bearer, `${read.id} read acme/*`, read.id],
    [`bearer   ${read.secret}`, `${read.id} read acme/*`, read.id],
    [write.bearer, `${write.id} write acme/*`, write.id],
    [admin.bearer, `${admin.id} admin acme/*`, admin.id],
    [short.bearer, 'expiredToken', short.id],
    [gone.bearer, 'revokedToken', gone.id],
    [both.bearer, 'revokedToken', both.id],
    [`Bearer ${daemonToken}`, 'owner', 'daemon'],
    ['Bearer the-old-token-of-the-team', 'legacy admin *', 'legacy'],
    ['Bearer a-key-of-the-configuration', 'ci-runner write acme/*', 'ci-runner'],
  ];
  for (const [authorization, who, key] of table) {
    const admission = admit(authorization);
    assert.deepEqual([said(admission), admission.key], [who, key], authorization);
    const { message } = admission.verdict instanceof Fault ? admission.verdict : { message: '' };
    assert.doesNotMatch(message, /svc_sk_|[0-9a-f]{16}/, 'no fault says what was shown');
  }
});

test('who may come without a key', context => {
  const table: readonly (readonly [Partial<KeySettings>, boolean, string, string | undefined, string])[] = [
    [{ requireAuth: false }, true, 'GET', undefined, 'anonymous read *'],
    [{ requireAuth: false }, true, 'HEAD', undefined, 'anonymous read *'],
    [{ requireAuth: false }, true, 'POST', undefined, 'missingToken'],
    [{ requireAuth: false }, true, 'DELETE', undefined, 'missingToken'],
    [{ requireAuth: false }, true, 'GET', 'Bearer wrong', 'invalidToken'],
    [{ requireAuth: false }, false, 'DELETE', undefined, 'missingToken'],
    [{}, false, 'GET', undefined, 'missingToken'],
    [{}, false, 'GET', `Bearer ${daemonToken}`, 'owner'],
    [{ enabled: false }, true, 'GET', undefined, 'missingToken'],
    [{ enabled: false, requireAuth: false }, true, 'GET', undefined, 'missingToken'],
    [{ enabled: false }, true, 'GET', 'Bearer the-old-token-of-the-team', 'invalidToken'],
    [{ enabled: false }, true, 'GET', 'Bearer a-key-of-the-configuration', 'invalidToken'],
    [{ enabled: false }, true, 'DELETE', `Bearer ${daemonToken}`, 'owner'],
    [{ enabled: false }, false, 'DELETE', undefined, 'owner'],
    [{ enabled: false }, false, 'GET', 'Bearer whatever', 'owner'],
  ];
  for (const [changed, isDaemonAuthOn, method, authorization, who] of table) {
    const { admit } = door(context, changed, isDaemonAuthOn);
    const row = JSON.stringify([changed, isDaemonAuthOn, method, authorization]);
    assert.equal(said(admit(authorization, { method })), who, row);
  }
  const { admit, makeKey } = door(context, { enabled: false });
  assert.equal(said(admit(makeKey().bearer)), 'invalidToken', 'no key counts while keys are off');
});

test('a token as short as the configuration takes it where nobody is asked for one opens nothing', context => {
  const { admit } = door(context, { legacyDigest: undefined, staticKeys: [] }, false);
  const guarded = createIndexDoor({
    ...{ settings: () => settings, daemonTokenDigest: () => secretDigest('x'), isDaemonAuthOn: () => false },
    ...{
      keys: { keyByDigest: () => undefined },
      keyKeeper: { isExpired: () => false, used: () => {} },
      clock: fakeClock(),
    },
  });
  assert.equal(said(guarded.admit({ authorization: 'Bearer x', method: 'GET', address: '' })), 'invalidToken');
  assert.equal(said(admit(`Bearer ${daemonToken}`)), 'owner');
});

test('secrets of the configuration are known, for the log to strike them out', context => {
  const { isSecret, configure } = door(context, { enabled: false });
  assert.equal(isSecret('the-old-token-of-the-team'), true);
  assert.equal(isSecret('a-key-of-the-configuration'), true, 'whether or not keys count now');
  for (const other of ['', 'ci-runner', 'the-old-token-of-the-tea', 'x'.repeat(100_000)]) {
    assert.equal(isSecret(other), false);
  }
  configure({ legacyDigest: undefined, staticKeys: [] });
  assert.equal(isSecret('the-old-token-of-the-team'), false);
});

test('what is done to a key holds from the next request on', context => {
  const { admit, makeKey, database, clock, configure } = door(context);
  const key = makeKey();
  assert.equal(said(admit(key.bearer)), `${key.id} read acme/*`);
  const next = keySecret(randomBytes(32));
  database().rotateKey(key.id, next, clock.now().getTime());
  assert.equal(said(admit(key.bearer)), 'invalidToken');
  assert.equal(said(admit(`Bearer ${next.text}`)), `${key.id} read acme/*`);
  database().revokeKey(key.id, clock.now().getTime());
  assert.equal(said(admit(`Bearer ${next.text}`)), 'revokedToken');
  configure({ staticKeys: [], legacyDigest: undefined });
  assert.equal(said(admit('Bearer a-key-of-the-configuration')), 'invalidToken');
  assert.equal(said(admit('Bearer the-old-token-of-the-team')), 'invalidToken');
});

test('a key whose row is not as it was stored opens nothing, and doctor names it; another still does (P21)', context => {
  const { admit, makeKey, database, restart, file } = door(context);
  const [widened, whole] = [makeKey(), makeKey()];
  const raw = new Database(file);
  raw.prepare<[string]>(`UPDATE access_key SET repos = '["*"]' WHERE id = ?`).run(widened.id);
  raw.close();
  for (const look of [() => {}, restart]) {
    look();
    assert.equal(said(admit(widened.bearer)), 'invalidToken');
    assert.equal(said(admit(whole.bearer)), `${whole.id} read acme/*`);
    const { status, message, fixes } = daemonDatabase(database());
    assert.deepEqual([status, fixes?.[0]?.command], ['fail', `svc token revoke ${widened.id}`]);
    assert.match(message, /^1 access key is not as stored/);
  }
  database().revokeKey(widened.id, 1);
  assert.equal(daemonDatabase(database()).status, 'pass');
});

test('a key that was past its time stays so, whatever clocks say and however often the daemon starts (P18)', async context => {
  const { admit, makeKey, clock, setBy, restart, told, advance } = door(context);
  const key = makeKey({ expiresAt: clock.now().getTime() + 30 * dayMs });
  const unseen = makeKey({ expiresAt: clock.now().getTime() + 30 * dayMs });
  setBy(-3650 * dayMs);
  assert.equal(said(admit(key.bearer)), `${key.id} read acme/*`, 'a clock set back alone harms nobody');
  setBy(2 * 3650 * dayMs);
  assert.equal(said(admit(key.bearer)), 'expiredToken');
  assert.equal(said(admit(key.bearer)), 'expiredToken');
  setBy(-3650 * dayMs);
  assert.equal(said(admit(key.bearer)), 'expiredToken');
  assert.equal(said(admit(unseen.bearer)), `${unseen.id} read acme/*`);
  restart();
  assert.equal(said(admit(key.bearer)), 'expiredToken');
  await advance(1000);
  assert.deepEqual(told, [{ kind: 'key.changed', key: key.id, change: 'expired' }], 'it is told once');
});

test('a full disk revives no key and fails no request; what was to be stored is when there is room', async () => {
  const { clock, advance, setBy } = settableClock();
  const stored: unknown[] = [];
  const told: Observation[] = [];
  let isFull = true;
  const store = (what: unknown) => {
    if (isFull) throw new StoreError('diskFull', 'no room');
    stored.push(what);
  };
  const keys = {
    expireKeys: (ids: Iterable<string>) => store([...ids]),
    noteKeyUses: (uses: ReadonlyMap<string, number>) => store([...uses]),
  };
  const keeper = keepKeys({ keys, clock, observe: one => void told.push(one) });
  const nowMs = clock.now().getTime();
  const key = { id: 'a', expiresAt: nowMs + 1, isExpired: false, lastUsedAt: undefined } as Parameters<
    typeof keeper.isExpired
  >[0];
  keeper.used({ ...key, id: 'b' }, nowMs);
  assert.equal(keeper.isExpired(key, nowMs + 1), true);
  setBy(-dayMs);
  assert.equal(keeper.isExpired(key, nowMs - dayMs), true);
  await advance(10 * 60_000);
  assert.deepEqual(
    told.map(({ kind }) => kind),
    ['daemon.fault'],
    'it is told once, not every minute',
  );
  assert.equal(keeper.lastUsedAt({ ...key, id: 'b' }), nowMs);
  isFull = false;
  await advance(60_000);
  assert.deepEqual(stored, [['a'], [['b', nowMs]]]);
});

test('uses are stored once a minute at most, and at the end', async context => {
  const { admit, makeKey, database, clock, advance, restart } = door(context, {
    rateLimiting: { ...settings.rateLimiting, enabled: false },
  });
  const key = makeKey();
  const idle = makeKey();
  const lastUse = () => database().keyById(key.id)?.lastUsedAt;
  const startMs = clock.now().getTime();
  for (let second = 0; second < 50; second++) {
    admit(key.bearer);
    await advance(1000);
  }
  assert.equal(lastUse(), undefined, 'no write with each request');
  await advance(10_000);
  assert.equal(lastUse(), startMs + 49_000);
  admit(key.bearer);
  assert.equal(lastUse(), startMs + 49_000);
  restart();
  assert.equal(lastUse(), startMs + 60_000);
  assert.equal(database().keyById(idle.id)?.lastUsedAt, undefined);
});

test('each key has its own bucket, nobody’s are counted by network, and how long to wait is told (P18)', async context => {
  const { admit, makeKey, advance, configure } = door(context, { requireAuth: false });
  const [slow, other] = [makeKey({ rateLimit: 6 }), makeKey()];
  const drain = (authorization?: string, address = '192.0.2.1') => {
    const remaining: (number | undefined)[] = [];
    for (;;) {
      const admission = admit(authorization, { address });
      remaining.push(admission.remaining);
      if (admission.verdict instanceof Fault) {
        assert.equal(admission.verdict.reason, 'rateLimited');
        return { remaining, waitS: admission.verdict.extras.retryAfterSeconds!, key: admission.key };
      }
    }
  };
  const tenTimes = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0];
  assert.deepEqual(
    drain(slow.bearer),
    { remaining: tenTimes, waitS: 10, key: slow.id },
    'its own rate, the common burst',
  );
  assert.deepEqual(drain(other.bearer), { remaining: tenTimes, waitS: 1, key: other.id });
  assert.deepEqual(drain(undefined), { remaining: tenTimes, waitS: 1, key: 'anonymous' });
  assert.deepEqual(drain(undefined, '192.0.2.2').remaining, tenTimes);
  assert.deepEqual(drain(undefined, '2001:db8::1').remaining, tenTimes);
  assert.deepEqual(drain(undefined, '2001:db8::2').remaining, [0], 'an address of the same network');
  assert.equal(drain('Bearer a-key-of-the-configuration').waitS, 1);
  assert.equal(drain('Bearer the-old-token-of-the-team').waitS, 1);
  assert.equal(drain(`Bearer ${daemonToken}`).key, 'daemon');
  assert.deepEqual(drain(slow.bearer, '198.51.100.7').remaining, [0], 'from wherever it comes');
  await advance(9000);
  assert.equal(said(admit(slow.bearer)), 'rateLimited');
  await advance(1000);
  assert.equal(said(admit(slow.bearer)), `${slow.id} read acme/*`);
  configure({ rateLimiting: { ...settings.rateLimiting, enabled: false } });
  const { verdict, remaining } = admit(slow.bearer);
  assert.deepEqual([verdict instanceof Fault, remaining], [false, undefined]);
});

test('who fails too often is told to wait, and how long; who has a key is served from the same place', async context => {
  const { admit, makeKey, advance } = door(context);
  const [key, gone] = [makeKey(), makeKey()];
  const guess = (address = '192.0.2.1') => admit(`Bearer ${keySecret(randomBytes(32)).text}`, { address });
  let tries = 0;
  while (tries <= 300 && said(guess()) === 'invalidToken') tries++;
  assert.equal(tries, 300);
  const { verdict, remaining } = guess();
  assert.equal((verdict as Fault).extras.retryAfterSeconds, 1);
  assert.equal(remaining, 0);
  assert.equal(said(admit('nonsense')), 'rateLimited', 'whatever it is that is no key');
  assert.equal(said(admit(undefined)), 'rateLimited', 'or that nothing is shown');
  assert.equal(said(admit(key.bearer)), `${key.id} read acme/*`);
  assert.equal(said(guess('192.0.2.2')), 'invalidToken');
  assert.equal(said(admit(gone.bearer)), `${gone.id} read acme/*`);
  await advance(999);
  assert.equal(said(guess()), 'rateLimited');
  await advance(1);
  assert.deepEqual([said(guess()), said(guess())], ['invalidToken', 'rateLimited']);
});

test('whatever is lacking counts for the network that it comes from, and what remains is told', context => {
  const { admit, makeKey, database, clock } = door(context);
  const nowMs = clock.now().getTime();
  const [expired, revoked, good] = [makeKey({ expiresAt: nowMs }), makeKey(), makeKey()];
  database().revokeKey(revoked.id, nowMs);
  const lacking: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'missingToken'],
    ['Bearer nobody-has-such-a-key', 'invalidToken'],
    [expired.bearer, 'expiredToken'],
    [revoked.bearer, 'revokedToken'],
  ];
  let left = 300;
  while (left > 0) {
    for (const [authorization, reason] of lacking) {
      const admission = admit(authorization, { method: 'POST' });
      assert.deepEqual([said(admission), admission.remaining], [reason, --left]);
    }
  }
  for (const [authorization] of lacking) {
    const admission = admit(authorization);
    assert.deepEqual([said(admission), admission.remaining], ['rateLimited', 0]);
    assert.notEqual(said(admit(authorization, { address: '192.0.2.2' })), 'rateLimited');
  }
  assert.equal(admit(expired.bearer).key, expired.id, 'the log names the key all the same');
  const served = admit(good.bearer);
  assert.deepEqual([said(served), served.remaining], [`${good.id} read acme/*`, 9]);
});

test('a hundred thousand guesses, from one place or from everywhere, take no memory, and a good key is served', context => {
  const { admit, makeKey } = door(context, { rateLimiting: { ...settings.rateLimiting, enabled: false } });
  const key = makeKey();
  const guess = (address: string) => said(admit(`Bearer svc_sk_${randomBytes(32).toString('hex')}`, { address }));
  const guessFrom = (addressOf: (one: number) => string, times: number): number => {
    let limited = 0;
    for (let one = 0; one < times; one++) {
      if (guess(addressOf(one)) === 'rateLimited') limited++;
      if (one % 1000 === 0) assert.equal(said(admit(key.bearer)), `${key.id} read acme/*`);
    }
    return limited;
  };
  const somewhere = (one: number) => `2001:db8:${(one >> 16).toString(16)}:${(one & 0xffff).toString(16)}::1`;
  guessFrom(() => '192.0.2.1', 5000);
  const resident = process.memoryUsage().rss;
  assert.equal(
    guessFrom(() => '192.0.2.1', 100_000),
    100_000,
  );
  assert.ok(process.memoryUsage().rss - resident < 20_000_000);
  const used = usedMemory();
  assert.equal(guessFrom(somewhere, 100_000), 0);
  assert.ok(usedMemory() - used < 10_000_000);
});

/** What is in use once garbage is gone. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('a database that can’t be read admits nobody by a key, and says so', () => {
  const guarded = createIndexDoor({
    ...{ settings: () => settings, daemonTokenDigest: () => secretDigest(daemonToken), isDaemonAuthOn: () => true },
    keys: {
      keyByDigest: () => {
        throw new StoreError('ioError', 'the disk failed');
      },
    },
    ...{ keyKeeper: { isExpired: () => false, used: () => {} }, clock: fakeClock() },
  });
  const ask = (authorization: string) => said(guarded.admit({ authorization, method: 'GET', address: '' }));
  assert.equal(ask(`Bearer svc_sk_${'0'.repeat(64)}`), 'storageFailed');
  assert.equal(ask(`Bearer ${daemonToken}`), 'owner');
});
