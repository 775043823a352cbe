import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { readOwnFile } from '../../client/own-file.ts';
import { temporaryFolder } from '../support/repository.ts';
import { withoutRights } from '../support/without-rights.ts';

test('a file of ours that keeps ourselves out is named, with what lets us in', t => {
  const folder = temporaryFolder(t);
  // Whom the file alone is to keep out.
  chmodSync(folder.root, 0o755);
  folder.write('token', 'secret\n');
  const file = folder.path('token');
  chmodSync(file, 0);
  withoutRights(() => {
    const message = `${file} can’t be opened by you; let yourself: chmod 600 ${file}`;
    assert.throws(() => readOwnFile(file), { reason: 'misconfigured', message });
  });
  chmodSync(file, 0o600);
  assert.equal(readOwnFile(file), 'secret\n');
});
