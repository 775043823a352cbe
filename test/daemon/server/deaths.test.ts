import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareFolders } from '../../../client/paths.ts';
import { openInFlightNote } from '../../../daemon/jobs/in-flight.ts';
import { runDaemon } from '../../../daemon/main.ts';
import { countDeaths } from '../../../daemon/server/deaths.ts';
import type { DaemonControls } from '../../../daemon/start.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { callerIn, temporaryHome, until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('an input that was read to its end is no suspect any more, at this start and at the next (P10)', t => {
  const folder = temporaryFolder(t);
  const inFlightFolder = folder.path('in-flight');
  const database = openDaemonDatabase(folder.path('daemon.db'));
  t.after(() => database.close());
  const count = () =>
    countDeaths({ database, inFlightFolder, lastWordsMs: undefined, pid: 7, clock: fakeClock(), observe: () => {} });
  const note = openInFlightNote(inFlightFolder);
  note.begin(0, [{ repo: 'app', path: 'a.ts', hash: 'innocent' }]);
  note.begin(1, [{ repo: 'app', path: 'b.ts', hash: 'deadly' }]);
  const survivor = count();
  const suspects = () => [...survivor.dangerousInputs().suspects];
  assert.deepEqual(suspects(), ['deadly', 'innocent']);
  survivor.landed('innocent');
  assert.deepEqual(suspects(), ['deadly']);
  assert.deepEqual([...count().dangerousInputs().suspects], ['deadly']);
});

test('after each death with inputs in flight indexing waits longer, from one second to sixty; a run that ends well ends the row (P10)', t => {
  const folder = temporaryFolder(t);
  const inFlightFolder = folder.path('in-flight');
  const database = openDaemonDatabase(folder.path('daemon.db'));
  t.after(() => database.close());
  let input = 0;
  /** A daemon that dies while it parses something, and what its successor makes of that. */
  const die = () => {
    openInFlightNote(inFlightFolder).begin(0, [{ repo: 'app', path: `${++input}.ts`, hash: `hash-${input}` }]);
    return count();
  };
  const count = () =>
    countDeaths({ database, inFlightFolder, lastWordsMs: undefined, pid: 7, clock: fakeClock(), observe: () => {} });
  assert.equal(count().backOffMs(), 0, 'nobody died');
  const waits = Array.from({ length: 9 }, () => die().backOffMs() / 1000);
  assert.deepEqual(waits, [0, 1, 2, 4, 8, 16, 32, 60, 60]);
  const survivor = die();
  survivor.ranWell();
  assert.deepEqual([survivor.backOffMs(), count().backOffMs()], [0, 0]);
  assert.equal(die().backOffMs(), 0, 'the row begins anew');
});

test('a daemon that follows four deaths with inputs in flight answers at once and indexes after four seconds (P10)', async t => {
  const tree = temporaryFolder(t, '-- a.ts --\nexport const a = 1;');
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  prepareFolders(home.places);
  const inFlightFolder = join(home.places.state, 'in-flight');
  const database = openDaemonDatabase(home.places.daemonDb);
  const known = { uid: 'u1', id: 'app', source: 'tree', commonFolder: '', root: tree.root } as const;
  database.saveRepository({ ...known, trusted: false, isDefault: false, addedAt: 1 });
  for (let death = 1; death <= 4; death++) {
    openInFlightNote(inFlightFolder).begin(0, [{ repo: 'app', path: `${death}.ts`, hash: `hash-${death}` }]);
    if (death === 4) break;
    countDeaths({ database, inFlightFolder, lastWordsMs: undefined, pid: 7, clock: fakeClock(), observe: () => {} });
  }
  database.close();
  const clock = fakeClock();
  const { places, env } = home;
  let end: DaemonControls | undefined;
  const start = { places, environment: env, version: '0.1.0', build: 'test', isAutoStarted: false, clock };
  let hasLeft = false;
  void runDaemon({ ...start, onControls: controls => (end = controls) }).then(() => {
    hasLeft = true;
  });
  const caller = callerIn(home);
  t.after(() => caller.close());
  const jobs = async () => (await caller.call('jobs.list', {})).jobs.length;
  await until('it answers', () => caller.call('system.health', {}).catch(() => undefined));
  await clock.advance(3999);
  assert.equal(await jobs(), 0);
  await clock.advance(1);
  assert.equal(await jobs(), 1);
  end?.leave('SIGTERM');
  await until('it has left', async () => {
    await clock.advance(100);
    return hasLeft;
  });
});
