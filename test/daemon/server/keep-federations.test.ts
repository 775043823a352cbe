import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Observation } from '../../../daemon/events.ts';
import type { JobContext } from '../../../daemon/jobs/queue.ts';
import { createFederationPool } from '../../../daemon/operations/federation/federation-pool.ts';
import type { FederationSynced } from '../../../daemon/operations/federations.ts';
import { keepFederations } from '../../../daemon/server/keep-federations.ts';
import { memberPlaces } from '../../../daemon/server/member-places.ts';
import { createRepositories } from '../../../daemon/server/repositories.ts';
import type { SyncMember } from '../../../daemon/server/sync-member.ts';
import type { StoredJob } from '../../../daemon/store/daemon-db.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** Federations whose members are brought up to date by a function. */
function federations(t: Cleanup, syncMember: SyncMember) {
  const { path, root } = temporaryFolder(t);
  const database = openDaemonDatabase(path('daemon.db'));
  const clock = fakeClock();
  const shared = { reposFolder: path('repos'), ownFolders: [root], uid: process.getuid!(), commonFolderOf: () => '' };
  const repositories = createRepositories({
    ...{ database, ...shared, limit: () => 10, now: clock.now },
    configuredDefault: () => '',
  });
  const told: Observation[] = [];
  const queued: unknown[] = [];
  /** The job that runs, and what is to happen when it ends. */
  const running: { end: (() => void) | undefined } = { end: undefined };
  const kept = keepFederations({
    ...{ database, repositories, syncMember, clock },
    places: memberPlaces({ ...shared, repositories, releaseFile: async () => {} }),
    pool: createFederationPool({ file: path('federations.db'), idleMs: 1000, onDamage: what => kept.damaged(what) }),
    jobs: () => ({
      addOnce: (type, subject) => queued.push([type, subject]) as never,
      add: (type, subject) => queued.push([type, subject]) as never,
      findActive: () => (running.end === undefined ? undefined : ({ id: 'j1', state: 'running' } as StoredJob)),
      ended: () =>
        new Promise(resolve => {
          running.end = () => {
            running.end = undefined;
            resolve({} as StoredJob);
          };
        }),
    }),
    observe: seen => told.push(seen),
  });
  t.after(async () => {
    await kept.close();
    database.close();
  });
  kept.create('shop', '');
  const run = async (more: Partial<JobContext> = {}): Promise<FederationSynced> => {
    const input = { federation: 'shop', repoUids: undefined, force: false, dryRun: false };
    const context = { job: { input }, signal: new AbortController().signal, report: () => {}, ...more };
    return (await kept.run(context as unknown as JobContext)) as unknown as FederationSynced;
  };
  const add = (repoId: string): string => {
    const folder = gitRepository(t, '-- a.ts --\n');
    kept.addMember('shop', { path: folder.root, repoId, tags: [] });
    return folder.root;
  };
  return { kept, repositories, clock, told, queued, running, run, add };
}

const counts = { modulesSynced: 1, ownershipSynced: 2, hotspotsSynced: 3, decisionsSynced: 4, contractsSynced: 5 };
const success = { status: 'success', ...counts, reason: undefined } as const;

test('whatever becomes of one member, the others are synchronised, and it is said what', async t => {
  const failures: Readonly<Record<string, Error>> = {
    a: new Fault('unsafeOwner', 'root: belongs to user 7, not to you'),
    b: new Fault('resourceNotFound', 'Its folder is gone'),
    c: new StoreError('diskFull', 'storage: SQLITE_FULL at /home/me/secret'),
    d: new TypeError('x is not a function at /home/me/secret'),
  };
  const { run, add, kept, told } = federations(t, async ({ member }) => {
    const failure = failures[member.repoId];
    if (failure !== undefined) throw failure;
    return success;
  });
  for (const id of ['a', 'b', 'c', 'd', 'e']) add(id);
  const { members } = await run();
  assert.deepEqual(
    members.map(({ repoId, status, reason }) => [repoId, status, reason]),
    [
      ['a', 'skipped', 'untrusted_owner'],
      ['b', 'failed', 'Its folder is gone'],
      ['c', 'failed', "What is stored can't be used now: the disk is full"],
      ['d', 'failed', 'it failed; the log has the cause'],
      ['e', 'success', undefined],
    ],
  );
  assert.deepEqual(
    told.map(seen => seen.kind === 'daemon.fault' && [seen.what, seen.cause]),
    [
      ['the synchronisation of c in shop', failures['c']],
      ['the synchronisation of d in shop', failures['d']],
    ],
    'the log has the causes',
  );
  const problems = new Map((await kept.states()).map(({ repoUid, problem }) => [repoUid, problem]));
  const byId = kept.get('shop')!.members.map(({ repoUid }) => problems.get(repoUid));
  assert.deepEqual(
    byId.slice(0, 4),
    members.slice(0, 4).map(({ reason }) => reason),
  );
});

test('a job that is cancelled goes no further', async t => {
  const abort = new AbortController();
  const seen: string[] = [];
  const { run, add } = federations(t, async ({ member }) => {
    seen.push(member.repoId);
    abort.abort(new Fault('cancelled', 'Cancelled'));
    return success;
  });
  for (const id of ['a', 'b']) add(id);
  await assert.rejects(run({ signal: abort.signal }), (error: unknown) => error instanceof Fault);
  assert.deepEqual(seen, ['a']);
});

test('a repository is synchronised once at a time, and the work reports how far it is', async t => {
  let running = 0;
  const reports: string[] = [];
  const { run, add } = federations(t, async (_, { tell }) => {
    assert.equal(++running, 1);
    tell(0.5, 'half');
    await new Promise(resolve => setImmediate(resolve));
    running--;
    return success;
  });
  add('a');
  const report = (fraction: number, message?: string): void => void reports.push(`${fraction} ${message}`);
  await Promise.all([run({ report }), run(), run()]);
  assert.deepEqual(reports, ['0.5 a: half']);
});

test('publications of a member queue one synchronisation, those of others none', async t => {
  const { kept, repositories, clock, queued, add } = federations(t, async () => success);
  const root = add('a');
  const other = gitRepository(t, '-- a.ts --\n').root;
  repositories.add(root, 'kept');
  repositories.add(other, 'other');
  const publish = (repo: string): void => kept.hear({ kind: 'snapshot.published', repo } as unknown as Observation);
  for (let times = 0; times < 5; times++) {
    publish('kept');
    publish('other');
    publish('unheard-of');
    await clock.advance(50);
  }
  await clock.advance(1000);
  const { repoUid } = kept.get('shop')!.members[0]!;
  const input = { federation: 'shop', repoUids: [repoUid], force: false, dryRun: false };
  assert.deepEqual(queued, [['sync-federation', { repo: 'kept', input }]]);
  publish('kept');
  await kept.removeMember('shop', 'a');
  await clock.advance(1000);
  assert.equal(queued.length, 1, 'it is no member any more');
});

test('what is published while a synchronisation runs is synchronised after it, once', async t => {
  const { kept, repositories, clock, queued, running, add } = federations(t, async () => success);
  repositories.add(add('a'), 'kept');
  running.end = () => {};
  for (let times = 0; times < 3; times++) {
    kept.hear({ kind: 'snapshot.published', repo: 'kept' } as unknown as Observation);
    await clock.advance(1000);
  }
  assert.equal(queued.length, 0);
  running.end();
  await clock.advance(0);
  assert.equal(queued.length, 1);
});

test('where what was known is damaged the cause is told, and each federation that has members is synchronised, once', async t => {
  const { kept, clock, queued, told, add } = federations(t, async () => success);
  add('a');
  kept.create('empty', '');
  kept.damaged('a row');
  kept.damaged('another row');
  await clock.advance(1000);
  const input = { federation: 'shop', repoUids: undefined, force: false, dryRun: false };
  assert.deepEqual(queued, [['sync-federation', { input }]]);
  assert.deepEqual(
    told.map(seen => seen.kind === 'daemon.fault' && [seen.what, String(seen.cause)]),
    ['a row', 'another row'].map(what => ['what is known of federations', `StoreError: ${what}`]),
  );
});
