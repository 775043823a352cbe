import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../../daemon/server/network-of.ts';
import { createBuckets, type Limit } from '../../../daemon/server/rate-limit.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const limits: readonly Limit[] = [
  { perMinute: 60, burst: 10 },
  { perMinute: 1, burst: 1 },
  { perMinute: 7, burst: 3 },
  { perMinute: 59, burst: 10 },
  { perMinute: 61, burst: 2 },
  { perMinute: 600, burst: 1 },
  { perMinute: 1_000_000, burst: 5 },
];

for (const limit of limits) {
  test(`${limit.perMinute} a minute, ${limit.burst} at once: who waits as long as told is served, a second less is too little`, async () => {
    const clock = fakeClock();
    const buckets = createBuckets(clock, 10);
    const take = () => buckets.take('a', limit);
    for (let left = limit.burst - 1; left >= 0; left--) {
      assert.deepEqual(take(), { isGiven: true, remaining: left, retryAfterSeconds: 0 });
    }
    // At odd moments within the wait, and time and again, so that what rounding leaves would add up.
    for (const strayMs of [0, 1, 333, 999, 12_345, 59_999]) {
      while (take().isGiven);
      await clock.advance(strayMs);
      while (take().isGiven);
      const { retryAfterSeconds, remaining } = take();
      assert.ok(retryAfterSeconds >= 1);
      assert.equal(remaining, 0);
      await clock.advance((retryAfterSeconds - 1) * 1000);
      assert.equal(take().isGiven, false, `${strayMs}: a second less than ${retryAfterSeconds} s`);
      await clock.advance(1000);
      assert.equal(take().isGiven, true, `${strayMs}: ${retryAfterSeconds} s`);
    }
  });
}

test('in any time no more is given than the burst and what flows in, however often it is asked for', async () => {
  const clock = fakeClock();
  const buckets = createBuckets(clock, 10);
  const limit: Limit = { perMinute: 90, burst: 4 };
  let given = 0;
  for (let step = 0; step < 2000; step++) {
    if (buckets.take('a', limit).isGiven) given++;
    await clock.advance((step * 37) % 101);
    assert.ok(given <= 4 + (clock.monotonicMs() * 90) / 60_000);
  }
  assert.equal(given, Math.floor(4 + (clock.monotonicMs() * 90) / 60_000));
});

test('remaining is what may follow at once, and asking for it takes nothing', async () => {
  const clock = fakeClock();
  const buckets = createBuckets(clock, 10);
  const limit: Limit = { perMinute: 60, burst: 3 };
  assert.equal(buckets.remaining('a', limit), 3);
  assert.equal(buckets.size(), 0);
  buckets.take('a', limit);
  assert.deepEqual(
    [buckets.remaining('a', limit), buckets.remaining('a', limit), buckets.remaining('b', limit)],
    [2, 2, 3],
  );
  await clock.advance(60_000);
  assert.equal(buckets.remaining('a', limit), 3, 'no fuller than full');
  assert.equal(
    buckets.remaining('a', { perMinute: 60, burst: 5 }),
    5,
    'a larger bucket is what the configuration says now',
  );
});

test('no more buckets are kept than may be, and who used up his own gets none by making others', async () => {
  const clock = fakeClock();
  const buckets = createBuckets(clock, 100);
  const limit: Limit = { perMinute: 1, burst: 2 };
  while (buckets.take('greedy', limit).isGiven);
  for (let other = 0; other < 1000; other++) {
    assert.equal(buckets.take(`other ${other}`, limit).isGiven, true);
    assert.ok(buckets.size() <= 100);
  }
  assert.equal(buckets.take('greedy', limit).isGiven, false);
  await clock.advance(3 * 60_000);
  const before = buckets.size();
  buckets.take('last', limit);
  assert.ok(buckets.size() < before, 'those that are full are forgotten');
  assert.equal(buckets.remaining('greedy', limit), 2, 'who was forgotten is as who was not');
});

test('addresses of one network count as one', () => {
  const table: readonly (readonly [string, string])[] = [
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ];
  for (const [address, network] of table) assert.equal(networkOf(address), network, address);
});
