import assert from 'node:assert/strict';
import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { type MemberPlacesOptions, memberPlaces } from '../../../daemon/server/member-places.ts';
import { createRepositories } from '../../../daemon/server/repositories.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** Places over registered repositories that nobody indexes. */
function placesOf(t: Cleanup, more: Partial<MemberPlacesOptions> = {}) {
  const { path, root, write } = temporaryFolder(t);
  const database = openDaemonDatabase(path('daemon.db'));
  t.after(() => database.close());
  const shared = { reposFolder: path('repos'), ownFolders: [root], uid: process.getuid!(), commonFolderOf: () => '' };
  const repositories = createRepositories({
    ...{ database, ...shared, limit: () => 10, now: () => new Date() },
    configuredDefault: () => '',
  });
  const released: string[] = [];
  const releaseFile = async (file: string): Promise<void> => void released.push(file);
  return {
    places: memberPlaces({ repositories, releaseFile, ...shared, ...more }),
    repositories,
    released,
    path,
    write,
  };
}

const wanted = (path: string) => ({ path, repoId: undefined, tags: [] });
const refuses = (work: () => unknown, reason: string): void =>
  assert.throws(work, (error: unknown) => error instanceof Fault && error.reason === reason);

test('somebody else’s folder is no member, and one that becomes somebody else’s is not read', t => {
  const { root } = gitRepository(t, '-- a.ts --\n');
  const { places } = placesOf(t);
  const member = places.placeNew(wanted(root), 1);
  assert.equal(places.recordOf(member).root, root);
  // To somebody else all of this user's folders are another's.
  const { places: others } = placesOf(t, { uid: process.getuid!() + 1 });
  refuses(() => others.placeNew(wanted(root), 1), 'unsafeOwner');
  refuses(() => others.recordOf(member), 'unsafeOwner');
});

test('a path has one identity, whichever way leads to it, and nobody else has it', t => {
  const { root, path } = gitRepository(t, '-- a.ts --\n');
  const { places } = placesOf(t);
  const { path: link } = temporaryFolder(t);
  symlinkSync(root, link('link'));
  const uids = [root, `${root}/`, `${root}/../${basename(root)}`, link('link')].map(
    one => places.placeNew(wanted(one), 1).repoUid,
  );
  assert.equal(new Set(uids).size, 1);
  assert.match(uids[0]!, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(placesOf(t).places.placeNew(wanted(root), 2).repoUid, uids[0], 'on the next start too');
  const { root: other } = gitRepository(t, '-- a.ts --\n');
  assert.notEqual(places.placeNew(wanted(other), 1).repoUid, uids[0]);
  const { path: own, places: inOwn } = placesOf(t);
  refuses(() => inOwn.placeNew(wanted(own('daemon.db')), 1), 'invalidBody');
  refuses(() => inOwn.placeNew(wanted(path('.git')), 1), 'invalidBody');
});

test('a folder that is registered is what is registered, before it was and after', t => {
  const { root } = gitRepository(t, '-- a.ts --\n');
  const { places, repositories } = placesOf(t);
  const before = places.placeNew(wanted(root), 1);
  assert.deepEqual([before.kind, places.sourceOf(before)], ['path', 'path']);
  const { repository } = repositories.add(root, 'kept');
  const after = places.placeNew(wanted(root), 1);
  assert.deepEqual([after.kind, after.repoId, after.repoUid], ['repository', 'kept', repository.registered.uid]);
  for (const member of [before, after]) {
    assert.equal(places.placed(member).repository, repository);
    assert.equal(places.sourceOf(member), 'registered');
  }
  repositories.remove('kept');
  assert.equal(places.placed(after).repository, undefined);
  assert.equal(places.compatibilityOf(after).status, 'missing');
  assert.equal(places.compatibilityOf(before).status, 'needs_refresh');
  const again = repositories.add(root, 'again').repository;
  assert.equal(places.placed(after).repository, again, 'by its folder');
});

test('a folder that is gone is missing, and no other takes its place', t => {
  const { root } = gitRepository(t, '-- a.ts --\n');
  const { places } = placesOf(t);
  const member = places.placeNew(wanted(root), 1);
  renameSync(root, `${root}-moved`);
  t.after(() => renameSync(`${root}-moved`, root));
  assert.equal(places.compatibilityOf(member).status, 'missing');
  refuses(() => places.recordOf(member), 'resourceNotFound');
});

test('indexes of folders that are no members any more are removed, once nobody has them open', async t => {
  const { places, released, path, write } = placesOf(t);
  await places.forgetOthers(new Set());
  for (const name of ['federated-u1', 'federated-u2', '0123456789abcdef', 'federated'])
    write(`repos/${name}/index.db`, 'x');
  await places.forgetOthers(new Set(['u2']));
  assert.deepEqual(released, [path('repos/federated-u1/index.db')]);
  const left = ['federated-u1', 'federated-u2', '0123456789abcdef', 'federated'].map(name =>
    existsSync(path(`repos/${name}`)),
  );
  assert.deepEqual(left, [false, true, true, true]);
});
