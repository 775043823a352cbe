import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { keySecret } from '../../../daemon/model/key-secret.ts';
import { mostKeys, type NewAccessKey } from '../../../daemon/store/access-keys.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';

function openedAt(context: TestContext) {
  const file = join(temporaryFolder(context).root, 'daemon.db');
  const database = openDaemonDatabase(file);
  context.after(() => database.close());
  return { database, file };
}

function opened(context: TestContext) {
  return openedAt(context).database;
}

/** The same number, the same key. */
function key(number: number, more: Partial<NewAccessKey> = {}): NewAccessKey {
  const random = new Uint8Array(32);
  new DataView(random.buffer).setUint32(0, number);
  const { prefix, digest } = keySecret(random);
  const id = `svc_key_${number.toString(16).padStart(16, '0')}`;
  const base = { id, name: 'ci', prefix, digest, scopes: ['read', 'write'], repos: ['acme/*', 'x'] } as const;
  return { ...base, rateLimit: undefined, createdAt: number, expiresAt: undefined, ...more };
}

const untouched = {
  rotatedAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  isExpired: false,
  isSound: true,
};

test('keys stay as they were made, oldest first, and are found by the digest of their secret', context => {
  const database = opened(context);
  const [first, second] = [key(1, { rateLimit: 5, expiresAt: 900 }), key(2, { name: 'naïve "key"', repos: ['*'] })];
  assert.equal(database.insertKey(second), true);
  assert.equal(database.insertKey(first), true);
  const all = database.keys();
  assert.deepEqual(
    all.map(({ digest, ...rest }) => ({ ...rest, digest: new Uint8Array(digest) })),
    [
      { ...first, ...untouched, digest: new Uint8Array(first.digest) },
      { ...second, ...untouched, digest: new Uint8Array(second.digest) },
    ],
  );
  assert.equal(database.keyByDigest(second.digest)?.id, second.id);
  assert.equal(database.keyByDigest(key(3).digest), undefined);
  assert.equal(database.keyById('svc_key_x'), undefined);
  assert.throws(() => database.insertKey({ ...key(3), digest: first.digest }), 'no two keys have one secret');
});

test('a key is revoked once, for good', context => {
  const database = opened(context);
  database.insertKey(key(1));
  assert.equal(database.revokeKey(key(1).id, 50)?.revokedAt, 50);
  assert.equal(database.revokeKey(key(1).id, 60)?.revokedAt, 50);
  assert.equal(database.revokeKey('svc_key_none', 60), undefined);
  assert.equal(database.rotateKey(key(1).id, key(2), 70), undefined);
  assert.equal(database.keyByDigest(key(1).digest)?.revokedAt, 50, 'its bearer can be told');
});

test('a rotated key has its new secret alone', context => {
  const database = opened(context);
  database.insertKey(key(1));
  const { prefix, digest } = key(2);
  const rotated = database.rotateKey(key(1).id, { prefix, digest }, 70);
  assert.deepEqual([rotated?.id, rotated?.prefix, rotated?.rotatedAt], [key(1).id, prefix, 70]);
  assert.equal(database.keyByDigest(key(1).digest), undefined);
  assert.equal(database.keyByDigest(digest)?.id, key(1).id);
  database.expireKeys([key(1).id]);
  assert.equal(database.rotateKey(key(1).id, key(3), 80), undefined);
  assert.equal(database.rotateKey('svc_key_none', key(3), 80), undefined);
});

test('marks and uses are kept, each of its own key', context => {
  const database = opened(context);
  for (const number of [1, 2, 3]) database.insertKey(key(number));
  database.expireKeys([key(1).id, 'svc_key_none']);
  database.noteKeyUses(
    new Map([
      [key(2).id, 500],
      [key(3).id, 600],
      ['svc_key_none', 7],
    ]),
  );
  database.noteKeyUses(new Map([[key(3).id, 550]]));
  assert.deepEqual(
    database.keys().map(({ isExpired, lastUsedAt }) => [isExpired, lastUsedAt]),
    [
      [true, undefined],
      [false, 500],
      [false, 550],
    ],
  );
});

test('so many keys are in force and no more; of others the newest are remembered', context => {
  const { database, file } = openedAt(context);
  // One by one each would be a commit.
  const raw = new Database(file);
  context.after(() => raw.close());
  assert.equal(database.insertKey(key(1)), true);
  raw.exec(`INSERT INTO access_key (id, name, prefix, digest, scopes, repos, created_at)
    WITH RECURSIVE number(at) AS (SELECT 2 UNION ALL SELECT at + 1 FROM number WHERE at < ${mostKeys})
    SELECT printf('svc_key_%016x', at), name, prefix, randomblob(32), scopes, repos, at FROM number, access_key`);
  assert.equal(database.insertKey(key(mostKeys + 1)), false);
  assert.equal(database.keys().length, mostKeys);
  database.revokeKey(key(1).id, mostKeys + 1);
  assert.equal(database.insertKey(key(mostKeys + 1)), true, 'a revoked one makes room');
  database.expireKeys([key(2).id]);
  assert.equal(database.insertKey(key(mostKeys + 2)), true, 'and so does one past its time');
  assert.equal(database.insertKey(key(mostKeys + 3)), false);
  raw.exec(`UPDATE access_key SET revoked_at = ${mostKeys} + created_at WHERE created_at BETWEEN 3 AND ${mostKeys}`);
  for (const number of [mostKeys + 3, mostKeys + 4]) {
    database.revokeKey(key(number - 2).id, 10 * mostKeys + number);
    database.insertKey(key(number));
  }
  assert.equal(database.keys().length, mostKeys + 2);
  assert.deepEqual(
    [1, 2].map(number => database.keyById(key(number).id)?.id),
    [undefined, undefined],
  );
  assert.equal(database.keyById(key(3).id)?.id, key(3).id);
});

test('a key whose row is not as it was stored is told apart, whatever of it became another (P21)', context => {
  const { database, file } = openedAt(context);
  const raw = new Database(file);
  context.after(() => raw.close());
  const { id, digest } = key(1, { expiresAt: 900 });
  database.insertKey(key(1, { expiresAt: 900 }));
  database.expireKeys([id]);
  database.noteKeyUses(new Map([[id, 5]]));
  const isSound = () => database.keyByDigest(digest)?.isSound;
  assert.equal(isSound(), true);
  const stored = raw.prepare<[], Record<string, unknown>>('SELECT * FROM access_key').get()!;
  const damages: readonly (readonly [column: string, value: unknown])[] = [
    ...([['repos', '["acme/*","y"]'] as const, ['repos', '["acme/*","x"'], ['scopes', '["read","admin"]']] as const),
    ...([['expires_at', 901] as const, ['expires_at', null], ['expired', 0], ['revoked_at', 1]] as const),
    ...([['rate_limit', 1_000_000] as const, ['created_at', 2]] as const),
  ];
  for (const [column, value] of damages) {
    raw.prepare<unknown[]>(`UPDATE access_key SET ${column} = ?`).run(value);
    assert.equal(isSound(), false, `${column} ${value}`);
    assert.equal(database.rotateKey(id, { prefix: 'p', digest }, 3), undefined);
    raw.prepare<unknown[]>(`UPDATE access_key SET ${column} = ?`).run(stored[column]);
    assert.equal(isSound(), true, column);
  }
  raw.exec('UPDATE access_key SET seal = zeroblob(32)');
  assert.equal(isSound(), false);
  assert.equal(database.revokeKey(id, 7)?.revokedAt, 7, 'it can be taken back still');
});
