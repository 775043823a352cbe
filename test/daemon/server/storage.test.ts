import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { placesOf } from '../../../client/paths.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';
import { storageOf } from '../../../daemon/server/storage.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

test('a folder of an index that keeps us out adds nothing, and hides no other', t => {
  const { root, path, write } = temporaryFolder(t);
  chmodSync(root, 0o755);
  write('open/index.db', '12345');
  write('open/index.db-wal', '12');
  write('closed/index.db', '12345');
  chmodSync(path('closed'), 0o600);
  const none = { oldestSync: () => undefined, lastSync: () => undefined };
  const places = placesOf({ env: { SVC_HOME: root }, uid: 0, home: root, temporary: '/tmp' });
  const repositories = ['open', 'closed'].map(
    name => ({ record: { indexFile: path(`${name}/index.db`) }, registered: { uid: name } }) as ServedRepository,
  );
  assert.equal(withoutRights(() => storageOf(places, none, repositories, 0)).databaseBytes, 7);
});
