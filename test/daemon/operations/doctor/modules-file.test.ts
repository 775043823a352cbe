import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { modulesFileCheck } from '../../../../daemon/operations/doctor/modules-file.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('doctor on MODULES.toml: none, one that is no file, and one that names what no file can be called', t => {
  const { root, path, write, remove } = temporaryFolder(t, '-- src/a.ts --\n');
  const said = () => modulesFileCheck(root).map(({ status, message }) => `${status} ${message}`);
  const file = 'MODULES.toml';
  assert.deepEqual(said(), []);
  const inItsPlace: readonly (readonly [lay: () => void, is: string])[] = [
    [() => execFileSync('mkfifo', [path(file)]), 'is no regular file'],
    [() => mkdirSync(path(file)), 'is a folder'],
    [() => symlinkSync(file, path(file)), 'is a symbolic link'],
    [() => write(file, '#'.repeat(2 * 1024 * 1024 + 1)), 'is larger than 2097152 bytes'],
  ];
  for (const [lay, is] of inItsPlace) {
    lay();
    assert.deepEqual(said(), [`warn MODULES.toml ${is}: no module is described by it`]);
    remove(file);
  }
  const listing = (named: string) => write(file, `[[module]]\npath = "${named}"\nsummary = "A module."\n`);
  for (const named of ['x'.repeat(300), 'a\\u0000b', 'src/a.ts/b']) {
    listing(named);
    assert.match(String(said()), /^warn MODULES\.toml describes ".*", which is not there$/, named);
  }
  listing('src');
  assert.deepEqual(said(), ['pass all that MODULES.toml says counts']);
});
