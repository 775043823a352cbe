import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import type { Installation } from '../../../../daemon/operations/doctor/installation.ts';
import { tokenFile } from '../../../../daemon/operations/doctor/own-files.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { withoutRights } from '../../../support/without-rights.ts';

test('a token that is closed to ourselves is to be opened, and not to be removed: it may be the one in force', t => {
  const folder = temporaryFolder(t, '-- token --\nx');
  const file = folder.path('token');
  chmodSync(folder.root, 0o755);
  const look = (isTokenIn: boolean) =>
    tokenFile({
      config: () => ({ values: { auth: { enabled: true } } }),
      places: { tokenFile: file },
      isTokenIn: () => isTokenIn,
    } as unknown as Installation);
  chmodSync(file, 0o000);
  const { status, message, fixes } = withoutRights(() => look(false));
  assert.deepEqual([status, fixes?.map(one => one.command)], ['fail', [`chmod 600 ${file}`]]);
  assert.ok(message.startsWith(`${file} can’t be opened by you`), message);
  chmodSync(file, 0o600);
  assert.equal(look(true).status, 'pass');
  assert.match(look(false).message, /does not hold the token/);
});
