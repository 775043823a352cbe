import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { makeOwnFolder, scratchIn } from '../../../daemon/backends/own-folder.ts';
import { temporaryFolder } from '../../support/repository.ts';

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
