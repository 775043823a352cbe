import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { makeOwnFolder, removeOwn, scratchIn } from '../../../daemon/backends/own-folder.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

test('what stands in the place of a folder of ours gives way, and nothing above it or beside it', t => {
  const { path } = temporaryFolder(t);
  const [top, folder] = [path('above/top'), path('above/top/between/folder')];
  const obstacles = [(place: string) => writeFileSync(place, 'x'), (place: string) => symlinkSync(path('none'), place)];
  for (const put of obstacles) {
    for (const place of [top, dirname(folder), folder]) {
      makeOwnFolder(folder, top);
      writeFileSync(path('above/beside'), 'kept');
      rmSync(place, { recursive: true });
      put(place);
      makeOwnFolder(folder, top);
      assert.ok(statSync(folder).isDirectory(), place);
      assert.equal(readFileSync(path('above/beside'), 'utf8'), 'kept');
    }
  }
  rmSync(path('above'), { recursive: true });
  writeFileSync(path('above'), 'somebody’s');
  assert.throws(() => makeOwnFolder(folder, top), { code: 'ENOTDIR' });
  assert.equal(readFileSync(path('above'), 'utf8'), 'somebody’s');
});

test('a scratch folder is a new one each time; a link to a folder is one', t => {
  const { path } = temporaryFolder(t);
  mkdirSync(path('elsewhere'));
  symlinkSync(path('elsewhere'), path('indexing'));
  const made = [scratchIn(path('indexing'), 'a-'), scratchIn(path('indexing'), 'a-')];
  assert.equal(new Set(made).size, 2);
  assert.equal(readdirSync(path('elsewhere')).length, 2);
});

test('what is ours is removed, folders that may only be read or not at all included, and nothing that a link in it leads to', t => {
  const { root, path } = temporaryFolder(t);
  chmodSync(root, 0o777);
  mkdirSync(path('elsewhere'));
  chmodSync(path('elsewhere'), 0o555);
  withoutRights(() => {
    for (const folder of ['run/cache/module', 'run/closed/within']) mkdirSync(path(folder), { recursive: true });
    writeFileSync(path('run/cache/module/a.go'), '', { mode: 0o444 });
    symlinkSync(path('elsewhere'), path('run/link'));
    for (const folder of ['run/cache/module', 'run/cache']) chmodSync(path(folder), 0o555);
    chmodSync(path('run/closed'), 0);
    removeOwn(path('run'));
    removeOwn(path('run'));
    assert.equal(existsSync(path('run')), false);
    assert.equal(statSync(path('elsewhere')).mode & 0o777, 0o555);
    mkdirSync(path('run'));
  });
  chmodSync(root, 0o755);
  withoutRights(() => assert.throws(() => removeOwn(path('run')), { code: 'EACCES' }));
});
