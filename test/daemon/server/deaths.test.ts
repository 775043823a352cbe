import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInFlightNote } from '../../../daemon/jobs/in-flight.ts';
import { countDeaths } from '../../../daemon/server/deaths.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
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
