import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { NewAccessKey } from '../../../daemon/store/access-keys.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { quarantined } from '../../../daemon/store/quarantine.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

const key: NewAccessKey = {
  ...{ id: 'svc_key_1', name: 'ci', prefix: 'svc_', digest: Buffer.alloc(32, 1), scopes: ['read'], repos: ['*'] },
  ...{ rateLimit: undefined, createdAt: 1, expiresAt: undefined },
};

/** A daemon.db whose copy has a key that was revoked since; only modes of its own keep anybody out of a file of it. */
function revokedSince(t: Cleanup): string {
  const folder = temporaryFolder(t);
  chmodSync(folder.root, 0o777);
  const file = folder.path('daemon.db');
  const database = openDaemonDatabase(file);
  database.insertKey(key);
  database.backup();
  database.revokeKey(key.id, 5);
  database.close();
  for (const part of ['', '.backup', '.withdrawn']) chmodSync(file + part, 0o666);
  return file;
}

function refused(file: string, what: string): void {
  assert.throws(
    () => openDaemonDatabase(file, 9).close(),
    (error: unknown) => error instanceof StoreError && error.trouble === 'unreadable' && error.file === what,
  );
}

function assertRestored(file: string): void {
  const database = openDaemonDatabase(file, 9);
  assert.deepEqual([database.origin, database.keyById(key.id)?.revokedAt], ['restored', 9]);
  database.close();
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  gone: file => rmSync(file),
  damaged: file => writeFileSync(file, 'garbage '.repeat(2000)),
};

for (const [what, damage] of Object.entries(damages)) {
  test(`where daemon.db is ${what} and what was taken back can’t be read, no start revives it, the next neither (P21)`, t => {
    const file = revokedSince(t);
    const withdrawn = readFileSync(`${file}.withdrawn`);
    damage(file);
    chmodSync(`${file}.withdrawn`, 0);
    for (const _ of [1, 2]) withoutRights(() => refused(file, `${file}.withdrawn`));
    rmSync(`${file}.withdrawn`);
    mkdirSync(`${file}.withdrawn`);
    for (const _ of [1, 2]) refused(file, `${file}.withdrawn`);
    assert.deepEqual(quarantined(file), []);
    rmdirSync(`${file}.withdrawn`);
    writeFileSync(`${file}.withdrawn`, withdrawn);
    assertRestored(file);
  });

  test(`where daemon.db is ${what} and its copy can’t be read, it does not start empty (P21)`, t => {
    const file = revokedSince(t);
    damage(file);
    chmodSync(`${file}.backup`, 0);
    withoutRights(() => refused(file, `${file}.backup`));
    assert.equal(existsSync(file), what !== 'gone');
    chmodSync(`${file}.backup`, 0o600);
    assertRestored(file);
  });
}

test('what a start left of restoring that was killed in it is none of the next one’s (P21)', t => {
  const file = revokedSince(t);
  rmSync(file);
  writeFileSync(`${file}.restoring`, 'half of it');
  assertRestored(file);
  assert.equal(existsSync(`${file}.restoring`), false);
});
