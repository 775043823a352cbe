import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import {
  dropOldQuarantine,
  isBeyondRepair,
  makeFolderOf,
  quarantined,
  quarantineFile,
} from '../../../daemon/store/quarantine.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

test('of damaged files the two newest are kept with what lay beside them, and none for which there is no room (P21)', t => {
  const folder = temporaryFolder(t);
  const file = folder.path('index.db');
  const putAside = (at: number, bytes: number): void => {
    for (const part of ['', '-wal']) folder.write(`index.db${part}`, String(at));
    truncateSync(file, bytes);
    assert.ok(quarantineFile(file, at) !== undefined);
  };
  const kept = () => quarantined(file).map(name => Number(/\.(\d+)Z$/.exec(basename(name))?.[1]));
  const huge = 2 ** 30 + 1;
  for (const at of [1, 2, 3]) putAside(at, 10);
  assert.deepEqual(kept(), [3, 2]);
  putAside(4, huge);
  assert.deepEqual(kept(), [3, 2], 'itself is too large');
  putAside(5, 2 ** 30 - 5);
  assert.deepEqual(kept(), [5], 'no room beside it');
  assert.equal(quarantineFile(file, 6), undefined, 'there is nothing to put aside');
  folder.write('quarantine/index-a.db.9', '');
  truncateSync(folder.path('quarantine/index-a.db.9'), huge);
  dropOldQuarantine(folder.root);
  assert.deepEqual(kept(), [5]);
});

test('what stands in the place of a folder for a database is put aside; a link to a folder is one', t => {
  const folder = temporaryFolder(t);
  folder.write('repos/x', 'somebody’s');
  makeFolderOf(folder.path('repos/x/index.db'));
  assert.ok(statSync(folder.path('repos/x')).isDirectory());
  const [aside = ''] = quarantined(folder.path('repos/x'));
  assert.equal(readFileSync(aside, 'utf8'), 'somebody’s');
  mkdirSync(folder.path('elsewhere'));
  symlinkSync(folder.path('elsewhere'), folder.path('repos/y'));
  makeFolderOf(folder.path('repos/y/index.db'));
  assert.equal(readlinkSync(folder.path('repos/y')), folder.path('elsewhere'));
  folder.write('others', 'somebody’s');
  makeFolderOf(folder.path('others/x/index.db'));
  assert.ok(statSync(folder.path('others/x')).isDirectory());
  assert.equal(readFileSync(quarantined(folder.path('others'))[0]!, 'utf8'), 'somebody’s');
});

test('behind a folder that keeps us out nothing is beyond repair, and where none can be made it is named', t => {
  const folder = temporaryFolder(t);
  chmodSync(folder.root, 0o755);
  folder.write('repos/x/index.db', '');
  chmodSync(folder.path('repos'), 0o600);
  const file = folder.path('repos/x/index.db');
  const unreadable = { trouble: 'unreadable' } as const;
  withoutRights(() => {
    assert.equal(isBeyondRepair(unreadable, file), false);
    const wanted = folder.path('repos/y');
    assert.throws(() => makeFolderOf(`${wanted}/index.db`), { name: 'StoreError', ...unreadable, file: wanted });
  });
  chmodSync(folder.path('repos'), 0o755);
  chmodSync(file, 0);
  assert.equal(isBeyondRepair(unreadable, file), true);
});
