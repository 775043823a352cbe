import assert from 'node:assert/strict';
import { chmodSync, chownSync } from 'node:fs';
import { test } from 'node:test';
import type { Fault } from '../../../client/protocol/faults.ts';
import { followRepository } from '../../../daemon/jobs/follow/follow-repository.ts';
import { stale } from '../../../daemon/jobs/follow/stale.ts';
import { syncing } from '../../../daemon/operations/doctor/repository.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

const repo = { id: 'r', root: '/r', indexFile: '', worktreeKey: '', trusted: false };
/** A watcher that has written its last cookie. */
const followed = { follow: { status: () => ({ watch: { cookies: 'writable' } }) } } as unknown as ServedRepository;
const commands = ({ extras }: Fault) => extras.suggestedFixes?.map(one => one.command);

test('a closed cookie folder is named with what opens it, and doctor sees it before the next cookie', t => {
  const folder = temporaryFolder(t);
  const cookies = folder.path('cookies');
  chmodSync(folder.root, 0o755);
  folder.write('cookies/x', '');
  if (process.getuid!() === 0) chownSync(cookies, 1234, 1234);
  for (const mode of [0o500, 0o000, 0o600, 0o300]) {
    chmodSync(cookies, mode);
    const [fault, finding] = withoutRights(() => [
      stale(repo, 'cookie_unwritable', cookies),
      syncing(followed, cookies),
    ]);
    chmodSync(cookies, 0o700);
    assert.ok(fault.message.includes(`${cookies}, for the mode of ${cookies} keeps you out`), fault.message);
    assert.deepEqual(commands(fault), [`chmod 700 ${cookies}`]);
    assert.deepEqual([finding.status, finding.fixes], ['fail', fault.extras.suggestedFixes]);
  }
  assert.equal(withoutRights(() => syncing(followed, cookies)).status, 'pass');
  assert.match(stale(repo, 'cookie_unwritable', cookies).message, /until it has room/);
});

test('a question with sync is refused for the cookie folder that its watcher has', async t => {
  const cookieFolder = temporaryFolder(t, '-- cookies --\n').path('cookies');
  const sync = async () => 'cookie_unwritable' as const;
  const watcher = { cookieFolder, open: () => ({ sync, hearOut: async () => true, close: async () => {} }) };
  const follow = followRepository({ repo, engine: { index: () => assert.fail('nothing has changed') }, watcher });
  t.after(() => follow.close());
  await assert.rejects(follow.sync(1000), (fault: Fault) => {
    assert.match(fault.message, /^The index may be behind: .*\/cookies is not a folder, as cookies need one$/);
    return commands(fault)?.join() === `rm -rf ${cookieFolder}` || commands(fault)?.join() === `rm ${cookieFolder}`;
  });
});
