import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { quarantined } from '../../daemon/store/quarantine.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { StoreError } from '../../daemon/store/store-faults.ts';
import { svc, temporaryHome } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { killedAtDatabase, rotation, upgrade } from './killed-databases.ts';
import { killerAt } from './killers.ts';
import { dumpOf, makeReleased, releasedSchemas } from './released-schemas.ts';

const present = releasedSchemas.at(-1)!;

/** Tables that a version does not carry over, for others say it since. */
const dropped: Readonly<Record<string, readonly number[]>> = { call_series: [6, 7, 8] };

test('each released schema of daemon.db is brought to the present one, with every row of it (P25)', t => {
  const folder = temporaryFolder(t);
  openDaemonDatabase(folder.path('new.db')).close();
  const fresh = dumpOf(folder.path('new.db'));
  assert.deepEqual(
    releasedSchemas,
    Array.from({ length: fresh.version }, (_, n) => n + 1),
  );
  for (const version of releasedSchemas) {
    const file = folder.path(`${version}.db`);
    makeReleased(file, version);
    const before = dumpOf(file);
    assert.equal(before.version, version);
    const database = openDaemonDatabase(file);
    assert.deepEqual(
      [database.origin, database.repositories()[0]?.id, database.jobs({ limit: 9 }).total],
      ['existing', 'app', 1],
    );
    database.close();
    const after = dumpOf(file);
    assert.deepEqual([after.version, after.schema], [fresh.version, fresh.schema], `version ${version}`);
    for (const [table, rows] of Object.entries(before.rows)) {
      if (dropped[table]?.includes(version)) continue;
      assert.ok(rows.length > 0, `${table} of version ${version} has a row`);
      for (const [index, row] of rows.entries())
        assert.deepEqual({ ...after.rows[table]?.[index], ...row }, after.rows[table]?.[index], `${table}, ${version}`);
    }
    assert.deepEqual(quarantined(file), []);
  }
});

test('a copy of each released schema is good to restore from (P21, P25)', t => {
  for (const version of releasedSchemas) {
    const folder = temporaryFolder(t);
    const file = folder.path('daemon.db');
    makeReleased(`${file}.backup`, version);
    writeFileSync(file, 'garbage '.repeat(1000));
    const database = openDaemonDatabase(file);
    assert.deepEqual([database.origin, database.repositories()[0]?.id], ['restored', 'app'], `version ${version}`);
    database.close();
    assert.equal(dumpOf(file).version, present);
  }
});

test('killed at any commit, a process leaves daemon.db at its old schema or at the present one (P8, P25)', t =>
  killedAtDatabase(t, upgrade, ['before-commit', 'after-commit'].map(killerAt)));

test('killed at any commit, a process leaves a key with its old secret or with its new one (P8)', t =>
  killedAtDatabase(t, rotation, ['before-commit', 'after-commit'].map(killerAt)));

/** A `daemon.db` of the next version, whose last changes are in its log still: its daemon was killed. */
function makeNewer(t: TestContext, file: string): void {
  const place = temporaryFolder(t).path('daemon.db');
  makeReleased(place, present);
  const database = new Database(place);
  database.pragma(`user_version = ${present + 1}`);
  database.exec('CREATE TABLE of_tomorrow (a); INSERT INTO of_tomorrow VALUES (1)');
  for (const part of ['', '-wal']) cpSync(place + part, file + part);
  database.close();
  assert.ok(statSync(`${file}-wal`).size > 0);
}

/** Digests of the files that are worth something: the log's index is made anew whenever somebody looks. */
function digests(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter(name => name.startsWith('daemon.db') && !name.endsWith('-shm'));
  return Object.fromEntries(
    names.sort().map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

const isNewer = (error: unknown): boolean => error instanceof StoreError && error.trouble === 'newerSchema';

test('a daemon.db that a newer version wrote is refused with 78 and left as it is, log and all (P25)', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const { state, daemonDb } = home.places;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  makeNewer(t, daemonDb);
  writeFileSync(`${daemonDb}.backup`, 'a copy', { mode: 0o600 });
  const before = digests(state);
  assert.throws(() => openDaemonDatabase(daemonDb), isNewer);
  assert.deepEqual(digests(state), before);
  for (const words of [['daemon', 'run'], ['health']]) {
    const { code, stderr } = await svc(home, words);
    assert.equal(code, 78, stderr);
    assert.match(stderr, /newer svc/);
    assert.deepEqual(digests(state), before, words.join(' '));
  }
});

test('a copy that a newer version made is neither taken for damage nor written over (P25)', t => {
  const file = temporaryFolder(t).path('daemon.db');
  makeReleased(`${file}.backup`, present);
  const raw = new Database(`${file}.backup`);
  raw.pragma(`user_version = ${present + 1}`);
  raw.close();
  const before = readFileSync(`${file}.backup`);
  for (const damage of [() => writeFileSync(file, 'garbage '.repeat(1000)), () => rmSync(file, { force: true })]) {
    damage();
    assert.throws(() => openDaemonDatabase(file), isNewer);
    assert.ok(readFileSync(`${file}.backup`).equals(before));
  }
});
