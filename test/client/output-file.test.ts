import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { writeOutput } from '../../client/output-file.ts';
import { temporaryFolder } from '../support/repository.ts';
import { withoutRights } from '../support/without-rights.ts';

test('what is written takes the place of a file and keeps its mode and the links to it', t => {
  const folder = temporaryFolder(t, '-- old.json --\nbefore\n');
  chmodSync(folder.path('old.json'), 0o600);
  symlinkSync('old.json', folder.path('link.json'));
  assert.equal(writeOutput(folder.path('link.json'), 'after\n'), undefined);
  assert.equal(readFileSync(folder.path('old.json'), 'utf8'), 'after\n');
  assert.ok(lstatSync(folder.path('link.json')).isSymbolicLink());
  assert.equal(statSync(folder.path('old.json')).mode & 0o777, 0o600);
  assert.equal(writeOutput(folder.path('new.json'), 'new\n'), undefined);
  assert.deepEqual(readdirSync(folder.root).sort(), ['link.json', 'new.json', 'old.json']);
});

test('what is no file, or may not be written, stays as it is, and nothing is left beside it', t => {
  const folder = temporaryFolder(t, '-- kept/a --\n-- kept.json --\nkept\n-- closed/a --\n');
  execFileSync('mkfifo', [folder.path('pipe')]);
  chmodSync(folder.root, 0o777);
  chmodSync(folder.path('kept.json'), 0o400);
  chmodSync(folder.path('closed'), 0);
  const before = readdirSync(folder.root).sort();
  const rows: readonly (readonly [path: string, why: string])[] = [
    ['kept', 'is a folder'],
    ['pipe', 'is no regular file, and is not replaced; - stands for standard output'],
    ['none/new.json', 'can’t be written (ENOENT)'],
    ['kept.json/new.json', 'can’t be written (ENOTDIR)'],
  ];
  for (const [path, why] of rows) assert.equal(writeOutput(folder.path(path), 'text'), why, path);
  const closed = withoutRights(() => writeOutput(folder.path('closed/new.json'), 'text'));
  assert.equal(closed, 'can’t be written (EACCES)');
  assert.deepEqual(readdirSync(folder.root).sort(), before);
  assert.equal(lstatSync(folder.path('pipe')).isFIFO(), true);
});
