import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { openHistories } from '../../../../daemon/jobs/history/open-histories.ts';
import { quarantined } from '../../../../daemon/store/quarantine.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { withoutRights } from '../../../support/without-rights.ts';

test('a history that its owner may not open gives way to a new one, as an index does', async t => {
  const folder = temporaryFolder(t);
  chmodSync(folder.root, 0o777);
  const file = folder.path('history.db');
  const use = (one: string) => {
    const histories = openHistories(() => 1);
    return histories.use(one, async () => histories.close());
  };
  const used = () => withoutRights(() => use(file));
  // What opens one is loaded from a place that may keep others than us out.
  await use(folder.path('other.db'));
  await used();
  assert.deepEqual(quarantined(file), []);
  chmodSync(file, 0);
  await used();
  assert.equal(quarantined(file).length, 1);
});
