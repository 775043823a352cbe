import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { NewAccessKey } from '../../../daemon/store/access-keys.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { DaemonDatabase, RegisteredRepository, StoredJob } from '../../../daemon/store/daemon-records.ts';
import { quarantined } from '../../../daemon/store/quarantine.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';

let folder: string;
let file: string;
let database: DaemonDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-daemon-db-'));
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

const app: RegisteredRepository = {
  id: 'app',
  uid: 'u1',
  root: '/src/app',
  commonFolder: '/src/app/.git',
  source: 'tree',
  trusted: false,
  isDefault: true,
  addedAt: 1,
};
const job: StoredJob = {
  id: 'j1',
  type: 'index-repository',
  repo: 'app',
  state: 'queued',
  progress: 0,
  message: undefined,
  input: { force: true },
  result: undefined,
  error: undefined,
  createdAt: 10,
  startedAt: undefined,
  completedAt: undefined,
};

test('repositories stay over a restart, one of them the default', () => {
  assert.equal(database.origin, 'created');
  database.saveRepository(app);
  database.saveRepository({ ...app, id: 'lib', uid: 'u2', root: '/src/lib', addedAt: 2, isDefault: false });
  assert.deepEqual(
    reopen()
      .repositories()
      .map(one => [one.id, one.isDefault]),
    [
      ['app', true],
      ['lib', false],
    ],
  );
  assert.equal(database.origin, 'existing');
  database.setDefaultRepository('lib');
  database.setTrusted('lib', true);
  database.removeRepository('app');
  assert.deepEqual(database.repositories(), [
    { ...app, id: 'lib', uid: 'u2', root: '/src/lib', addedAt: 2, trusted: true, isDefault: true },
  ]);
  database.setDefaultRepository(undefined);
  assert.equal(database.repositories()[0]?.isDefault, false);
});

test('jobs come back as they were, newest first, filtered and bounded', () => {
  const failed: StoredJob = {
    ...job,
    id: 'j2',
    state: 'failed',
    error: { code: 'TIMEOUT', message: 'late' },
    createdAt: 20,
    startedAt: 21,
    completedAt: 22,
  };
  database.saveJob(job);
  database.saveJob(failed);
  database.saveJob({ ...job, progress: 50, state: 'running', message: 'parsing' });
  assert.deepEqual(database.jobs({ limit: 9 }), {
    jobs: [failed, { ...job, progress: 50, state: 'running', message: 'parsing' }],
    total: 2,
  });
  assert.deepEqual(database.jobs({ state: 'failed', limit: 9 }).jobs, [failed]);
  assert.deepEqual(database.jobs({ type: 'other', limit: 9 }), { jobs: [], total: 0 });
  assert.equal(database.job('j3'), undefined);
});

test('a job that ends after the clock was set ten years back is known, though a thousand have ended later (P18)', () => {
  database.close();
  const raw = new Database(file);
  raw.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO job SELECT 'later' || i, 'old', NULL, 'completed', 100, NULL, 'null', NULL, NULL, 9e11, 9e11, 9e11 + i FROM n`);
  raw.close();
  database = openDaemonDatabase(file);
  const ended: StoredJob = { ...job, state: 'completed', progress: 100, startedAt: 11 };
  database.saveJob({ ...ended, id: 'first', completedAt: 12 });
  database.saveJob({ ...ended, id: 'second', completedAt: 13 });
  assert.deepEqual([database.job('first')?.state, database.job('second')?.state], ['completed', 'completed']);
  assert.equal(database.jobs({ limit: 1 }).total, 1000);
});

test('a secret is made once and stays', () => {
  let made = 0;
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(++made);
  const secret = database.secret('cursor_secret', random);
  assert.equal(secret, '01'.repeat(32));
  assert.equal(reopen().secret('cursor_secret', random), secret);
});

test('the sync log goes on by one, for each repository of its own', () => {
  const entry = (at: number) => ({ snapshotId: `s${at}`, evidenceId: '', publishedAt: at, epoch: 'e', fileSeq: at });
  assert.deepEqual(
    [database.appendSync('u1', entry(1)), database.appendSync('u1', entry(2)), database.appendSync('u2', entry(3))],
    [1, 2, 1],
  );
  assert.deepEqual(reopen().lastSync('u1'), { seq: 2, ...entry(2) });
  assert.deepEqual(
    [database.oldestSync('u1')?.seq, database.oldestSync('none'), database.lastSync('none')],
    [1, undefined, undefined],
  );
});

test('the sync log of an id goes on after its repository was removed, whatever becomes of those between', () => {
  const entry = { snapshotId: 's', evidenceId: '', publishedAt: 1, epoch: 'e', fileSeq: 1 };
  database.saveRepository(app);
  database.appendSync('u1', entry);
  database.appendSync('u1', entry);
  database.removeRepository('app');
  assert.equal(database.lastSync('u1'), undefined);
  database.saveRepository({ ...app, uid: 'u2' });
  database.removeRepository('app');
  reopen().saveRepository({ ...app, uid: 'u3' });
  database.saveRepository({ ...app, id: 'lib', uid: 'u4', root: '/src/lib', isDefault: false });
  assert.deepEqual([database.appendSync('u3', entry), database.appendSync('u4', entry)], [3, 1]);
  const hosted = { epoch: 'f', commit: '', indexer: '', updatedAt: 2 };
  database.removeRepository('app');
  database.publishHosted({ ...app, uid: 'u5', source: 'upload', root: '' }, hosted, entry);
  assert.deepEqual([database.lastSync('u5')?.seq, database.syncAt('u5', 3)], [4, undefined]);
});

test('tombstones last ninety days, unless the symbol comes back', () => {
  const day = 86_400_000;
  const stone = (symbolHash: string, goneAt: number, replacedBy?: string) => ({ symbolHash, goneAt, replacedBy });
  database.recordGone('u1', [stone('a', 0), stone('b', 5 * day, 'c')], [], 5 * day);
  assert.deepEqual(database.tombstone('u1', 'b'), stone('b', 5 * day, 'c'));
  assert.equal(database.tombstone('u2', 'b'), undefined);
  database.recordGone('u1', [], ['b'], 91 * day);
  assert.deepEqual([database.tombstone('u1', 'a'), database.tombstone('u1', 'b')], [undefined, undefined]);
});

test('what took the place of what took its place is found while it is there, and a way that turns back has an end', () => {
  const stone = (symbolHash: string, replacedBy?: string) => ({ symbolHash, goneAt: 1, replacedBy });
  database.recordGone('u1', [stone('a', 'b'), stone('b', 'c')], [], 1);
  assert.deepEqual([database.tombstone('u1', 'a')?.replacedBy, database.tombstone('u1', 'b')?.replacedBy], ['c', 'c']);
  database.recordGone('u1', [stone('c', 'a')], [], 1);
  assert.equal(database.tombstone('u1', 'a')?.replacedBy, undefined);
  database.recordGone('u1', [], ['a'], 1);
  assert.deepEqual([database.tombstone('u1', 'a'), database.tombstone('u1', 'b')?.replacedBy], [undefined, 'a']);
  database.recordGone('u1', [stone('a')], [], 1);
  assert.equal(database.tombstone('u1', 'b')?.replacedBy, undefined);
});

test('what had taken the place of what is back leads back where it went at about that time, in whatever order', () => {
  const stone = (symbolHash: string, replacedBy?: string, goneAt = 1) => ({ symbolHash, goneAt, replacedBy });
  const takeover = (uid: string) => database.recordGone(uid, [stone('a', 'b'), stone('b', 'c')], [], 1);
  const leadsTo = (uid: string, hash: string) => database.tombstone(uid, hash)?.replacedBy;
  takeover('together');
  database.recordGone('together', [stone('c')], ['a'], 2);
  assert.deepEqual([leadsTo('together', 'c'), leadsTo('together', 'b')], ['a', 'a']);
  takeover('deletion first');
  database.recordGone('deletion first', [stone('c', undefined, 2)], [], 2);
  database.recordGone('deletion first', [], ['a'], 3);
  assert.deepEqual([leadsTo('deletion first', 'c'), leadsTo('deletion first', 'b')], ['a', 'a']);
  takeover('addition first');
  assert.deepEqual([...database.recordGone('addition first', [], ['a'], 2)], [['c', 'a']]);
  takeover('known better');
  database.recordGone('known better', [stone('c', 'd')], ['a'], 2);
  assert.deepEqual([leadsTo('known better', 'c'), leadsTo('known better', 'b')], ['d', 'd']);
  takeover('long gone');
  database.recordGone('long gone', [stone('c')], [], 1);
  database.recordGone('long gone', [], ['a'], 100_000);
  assert.equal(leadsTo('long gone', 'c'), undefined, 'another that bears its name');
});

test('an input that was in flight when the process died is counted', () => {
  database.inFlight('h1', 'app', 'a.ts');
  assert.deepEqual(reopen().takeCasualties(), [{ hash: 'h1', repo: 'app', path: 'a.ts', deaths: 1 }]);
  assert.equal(reopen().takeCasualties()[0]?.deaths, 1);
  database.inFlight('h1', 'app', 'a.ts');
  assert.equal(reopen().takeCasualties()[0]?.deaths, 2);
  const input = { hash: 'h1', repo: 'app', path: 'a.ts', reason: 'crash', since: 3 };
  database.quarantine(input);
  assert.deepEqual(reopen().quarantined(), [input]);
});

/** What may become of the file while nobody has it open. */
const damages: Readonly<Record<string, (file: string) => void>> = {
  'garbage in its head': file => writeFileSync(file, readFileSync(file).fill(0x5a, 0, 100)),
  'no bytes': file => writeFileSync(file, ''),
  'a folder in its place': file => {
    rmSync(file);
    mkdirSync(file);
  },
  'no file in its place': file => rmSync(file),
  'a text': file => writeFileSync(file, 'this is no database\n'.repeat(500)),
  'a database of another program': file => otherDatabase(file, db => db.exec('CREATE TABLE other (id)')),
  'other tables under its version': file => {
    const raw = new Database(file);
    for (const table of ['repository', 'job']) raw.exec(`DROP TABLE ${table}`);
    raw.close();
  },
  'a column that is called otherwise': file => {
    const raw = new Database(file);
    raw.exec('ALTER TABLE repository RENAME COLUMN uid TO uie');
    raw.close();
  },
  'half of it': file => truncateSync(file, statSync(file).size / 2),
};

function otherDatabase(file: string, make: (other: InstanceType<typeof Database>) => void): void {
  rmSync(file);
  const other = new Database(file);
  make(other);
  other.close();
}

for (const [what, damage] of Object.entries(damages)) {
  test(`${what}: the file is set aside, and its last copy is in its place (P21)`, () => {
    database.saveRepository(app);
    database.backup();
    const copy = readFileSync(`${file}.backup`);
    database.saveRepository({ ...app, id: 'late', uid: 'u9', isDefault: false });
    database.close();
    damage(file);
    database = openDaemonDatabase(file);
    assert.equal(database.origin, 'restored');
    assert.deepEqual(database.repositories(), [app]);
    assert.equal(quarantined(file).length, what === 'no file in its place' ? 0 : 1);
    assert.ok(readFileSync(`${file}.backup`).equals(copy));
    assert.deepEqual([statSync(file).mode & 0o777, statSync(`${file}.backup`).mode & 0o777], [0o600, 0o600]);
    assert.equal(reopen().origin, 'existing');
  });

  test(`${what}, and its copy too: it starts empty, and nobody’s key opens anything (P21)`, () => {
    database.saveRepository(app);
    database.insertKey(key);
    database.backup();
    database.close();
    for (const one of [file, `${file}.backup`]) damage(one);
    database = openDaemonDatabase(file);
    assert.deepEqual([database.repositories(), database.keys()], [[], []]);
  });
}

const key: NewAccessKey = {
  ...{ id: 'svc_key_1', name: 'ci', prefix: 'svc_', digest: Buffer.alloc(32, 1), scopes: ['read'], repos: ['*'] },
  ...{ rateLimit: undefined, createdAt: 1, expiresAt: undefined },
};

test('a key that was revoked or given another secret since the copy was made opens nothing after that is restored (P21)', () => {
  const digests = [1, 2, 3, 4].map(n => Buffer.alloc(32, n));
  for (const [n, digest] of digests.slice(0, 3).entries()) database.insertKey({ ...key, id: `k${n}`, digest });
  database.backup();
  database.revokeKey('k0', 5);
  database.rotateKey('k1', { prefix: 'svc_', digest: digests[3]! }, 6);
  database.close();
  writeFileSync(file, 'garbage '.repeat(2000));
  database = openDaemonDatabase(file, 9);
  assert.equal(database.origin, 'restored');
  assert.deepEqual(
    digests.map(digest => database.keyByDigest(digest)?.revokedAt),
    [9, 9, undefined, undefined],
  );
  assert.equal(database.keyByDigest(digests[3]!), undefined, 'the copy knows nothing of it');
  assert.equal(database.keyByDigest(digests[2]!)?.id, 'k2');
  assert.equal(statSync(`${file}.withdrawn`).mode & 0o777, 0o600);
});

test('what keeps a key from being taken back is told, and nothing of it is done', () => {
  database.insertKey(key);
  mkdirSync(`${file}.withdrawn`);
  assert.throws(
    () => database.revokeKey(key.id, 5),
    (error: unknown) => error instanceof StoreError && error.trouble === 'unreadable',
  );
  assert.equal(database.keyById(key.id)?.revokedAt, undefined);
  rmSync(`${file}.withdrawn`, { recursive: true });
});

test('a line that was torn spoils none behind it, and of very many the newest are kept', () => {
  database.insertKey(key);
  database.insertKey({ ...key, id: 'k2', digest: Buffer.alloc(32, 2) });
  database.backup();
  const older = Array.from({ length: 20_001 }, (_, n) => `${String(n).padStart(64, '0')}\n`).join('\n');
  writeFileSync(`${file}.withdrawn`, `${older}\nabcdef`);
  database.revokeKey(key.id, 5);
  database.revokeKey('k2', 5);
  assert.ok(statSync(`${file}.withdrawn`).size < 700_000);
  database.close();
  writeFileSync(file, 'garbage '.repeat(2000));
  database = openDaemonDatabase(file, 9);
  assert.deepEqual(
    database.keys().map(({ revokedAt }) => revokedAt),
    [9, 9],
  );
});

test('without a sound copy it starts empty, and at most two broken ones are kept', () => {
  for (let round = 0; round < 4; round++) {
    database.close();
    writeFileSync(file, 'garbage '.repeat(2000));
    writeFileSync(`${file}.backup`, 'no better');
    database = openDaemonDatabase(file, round);
    assert.deepEqual([database.origin, database.repositories()], ['created', []]);
  }
  assert.equal(quarantined(file).length, 2);
});

test('its log is bounded however much is written while it is open', () => {
  const page = Buffer.alloc(3000, 'x').toString();
  for (let n = 0; n < 600; n++) database.setSetting(`s${n % 5}`, `${n}${page}`);
  assert.ok(statSync(`${file}-wal`).size < 2 * 2 ** 20, String(statSync(`${file}-wal`).size));
});

test('what is gone is remembered by its name until it is back, with what took its place as that becomes known', () => {
  const row = (hash: string, name: string, replacedBy?: string) => ({
    ...{ hash, name, replacedBy, containers: ['Outer'], exported: true },
    ...{ kind: 'method' as const, path: 'a.ts' },
  });
  const none = new Map<string, string>();
  database.recordDefinitions(
    'u1',
    { gone: [row('a', 'first'), row('b', 'second')], replaced: none, back: [], documents: none },
    1,
  );
  assert.equal(database.goneVersion('u1'), 1);
  database.recordDefinitions('u1', { gone: [], replaced: none, back: ['never'], documents: none }, 2);
  assert.equal(database.goneVersion('u1'), 1, 'nothing is another');
  database.recordDefinitions('u1', { gone: [], replaced: new Map([['a', 'c']]), back: ['b'], documents: none }, 3);
  assert.deepEqual(database.goneDefinitions('u1'), [{ ...row('a', 'first', 'c'), goneAt: 1 }]);
  database.recordDefinitions('u1', { gone: [row('d', 'third', 'e')], replaced: none, back: [], documents: none }, 4);
  assert.deepEqual(database.goneDefinitions('u1')[1], { ...row('d', 'third', 'e'), goneAt: 4 });
  assert.deepEqual(database.goneDefinitions('u2'), []);
});

test('where documents were moved is remembered by the path that they had', () => {
  const nothing = { gone: [], replaced: new Map<string, string>(), back: [] };
  const version = database.goneVersion('u3');
  database.recordDefinitions('u3', { ...nothing, documents: new Map([['a.md', 'b.md']]) }, 1);
  database.recordDefinitions('u3', { ...nothing, documents: new Map([['a.md', 'c.md']]) }, 2);
  assert.deepEqual(database.movedDocuments('u3'), [{ path: 'a.md', movedTo: 'c.md' }]);
  assert.deepEqual(database.movedDocuments('u4'), []);
  assert.equal(database.goneVersion('u3'), version + 2);
});
