import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { EdgeMark, Federation, Member } from '../../../daemon/model/federation.ts';
import { packageRoot } from '../../../daemon/package-root.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { DaemonDatabase } from '../../../daemon/store/daemon-records.ts';
import { Database } from '../../../daemon/store/sqlite.ts';

let folder: string;
let file: string;
let database: DaemonDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-federations-'));
  file = join(folder, 'daemon.db');
  database = openDaemonDatabase(file);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const reopen = (): DaemonDatabase => {
  database.close();
  database = openDaemonDatabase(file);
  return database;
};

const shop: Omit<Federation, 'members'> = { uid: 'f1', name: 'shop', description: 'All of it', createdAt: 10 };
const cart: Member = {
  repoUid: 'u1',
  repoId: 'cart',
  kind: 'repository',
  path: '/src/cart',
  tags: ['go', 'back end'],
  addedAt: 11,
};
const ads: Member = { repoUid: 'u2', repoId: 'ads', kind: 'path', path: '/src/ads', tags: [], addedAt: 12 };
const suppressed: EdgeMark = {
  edgeId: 2 ** 52 - 1,
  mark: 'suppressed',
  by: 'me',
  at: 20,
  reason: 'a fixture; "quoted" ʼ',
};

test('federations stay over a restart, by name, their members by id', () => {
  assert.deepEqual([database.federations(), database.federation('shop')], [[], undefined]);
  database.saveFederation(shop);
  database.saveFederation({ ...shop, uid: 'f2', name: 'bank' });
  database.saveMember('f1', cart);
  database.saveMember('f1', ads);
  database.saveMember('f2', cart);
  assert.deepEqual(reopen().federations(), [
    { ...shop, uid: 'f2', name: 'bank', members: [cart] },
    { ...shop, members: [ads, cart] },
  ]);
  assert.deepEqual(database.federation('shop'), { ...shop, members: [ads, cart] });
});

test('a federation that is renamed keeps its members and what was said of its edges', () => {
  database.saveFederation(shop);
  database.saveMember('f1', cart);
  database.saveEdgeMark('f1', suppressed);
  database.saveFederation({ ...shop, name: 'store' });
  assert.equal(database.federation('shop'), undefined);
  assert.deepEqual(reopen().federation('store'), { ...shop, name: 'store', members: [cart] });
  assert.deepEqual(database.edgeMarks('f1'), [suppressed]);
});

test('members are replaced by their repository, and removed one by one', () => {
  database.saveFederation(shop);
  database.saveMember('f1', cart);
  database.saveMember('f1', ads);
  database.saveMember('f1', { ...cart, repoId: 'basket', tags: [] });
  assert.deepEqual(
    database.federation('shop')?.members.map(({ repoId }) => repoId),
    ['ads', 'basket'],
  );
  database.removeMember('f1', 'u1');
  database.removeMember('f1', 'never there');
  assert.deepEqual(reopen().federation('shop')?.members, [ads]);
});

test('what is said last of an edge is kept, with who, when and why, for each federation alone', () => {
  const verified: EdgeMark = { edgeId: 7, mark: 'verified', by: 'key_1', at: 21, reason: undefined };
  database.saveFederation(shop);
  for (const mark of [suppressed, verified, { ...suppressed, edgeId: 7 }]) database.saveEdgeMark('f1', mark);
  database.saveEdgeMark('f2', verified);
  assert.deepEqual(reopen().edgeMarks('f1'), [{ ...suppressed, edgeId: 7 }, suppressed]);
  database.saveEdgeMark('f1', { ...suppressed, by: 'somebody', at: 30, reason: 'another' });
  assert.deepEqual(database.edgeMarks('f1')[1], { ...suppressed, by: 'somebody', at: 30, reason: 'another' });
  assert.deepEqual(
    [
      database.removeEdgeMark('f1', 7, 'suppressed'),
      database.removeEdgeMark('f1', 7, 'suppressed'),
      database.removeEdgeMark('f2', 7, 'suppressed'),
    ],
    [true, false, false],
  );
  assert.deepEqual(
    reopen()
      .edgeMarks('f1')
      .map(({ edgeId, mark }) => [edgeId, mark]),
    [[suppressed.edgeId, 'suppressed']],
  );
});

test('a federation goes with all that belongs to it, and leaves the others what they are', () => {
  for (const [uid, name] of [
    ['f1', 'shop'],
    ['f2', 'bank'],
  ] as const) {
    database.saveFederation({ ...shop, uid, name });
    database.saveMember(uid, cart);
    database.saveEdgeMark(uid, suppressed);
  }
  database.removeFederation('f1');
  assert.deepEqual(reopen().federations(), [{ ...shop, uid: 'f2', name: 'bank', members: [cart] }]);
  assert.deepEqual([database.edgeMarks('f1'), database.edgeMarks('f2')], [[], [suppressed]]);
  database.saveFederation(shop);
  assert.deepEqual(database.federation('shop')?.members, []);
});

test('a name, and an id within a federation, are one’s own: nothing is replaced by another that has it', () => {
  database.saveFederation(shop);
  database.saveMember('f1', cart);
  database.saveEdgeMark('f1', suppressed);
  const refuses = (work: () => void): void => assert.throws(work, /UNIQUE/);
  refuses(() => database.saveFederation({ ...shop, uid: 'f2' }));
  refuses(() => database.saveMember('f1', { ...ads, repoId: 'cart' }));
  assert.deepEqual(reopen().federations(), [{ ...shop, members: [cart] }]);
  assert.deepEqual(database.edgeMarks('f1'), [suppressed]);
});

for (const version of [1, 2, 3, 4]) {
  test(`a file of version ${version} is taken over, and so is its copy`, () => {
    database.close();
    const raw = new Database(file);
    const applicationId = raw.pragma('application_id', { simple: true });
    raw.close();
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    const old = new Database(file);
    for (let at = 1; at <= version; at++) {
      old.exec(readFileSync(join(packageRoot, `daemon/store/migrations/00${at}.sql`), 'utf8'));
    }
    old.exec(`INSERT INTO setting (name, value) VALUES ('kept', 'yes')`);
    old.pragma(`application_id = ${applicationId}`);
    old.pragma(`user_version = ${version}`);
    old.close();
    copyFileSync(file, `${file}.backup`);
    for (const origin of ['existing', 'restored']) {
      database = openDaemonDatabase(file);
      assert.deepEqual([database.origin, database.setting('kept'), database.federations()], [origin, 'yes', []]);
      database.saveFederation(shop);
      database.saveMember('f1', cart);
      database.saveEdgeMark('f1', suppressed);
      assert.deepEqual(reopen().federations(), [{ ...shop, members: [cart] }]);
      if (origin === 'restored') continue;
      database.close();
      for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    }
  });
}
