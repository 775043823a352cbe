import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { type Figures, figures, watchedPlaces } from '../bench/soak/figures.ts';
import { ask, type Load, loadConfiguration, prepare, questions, smallTree, works } from '../bench/soak/load.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';

const rounds = 3;

/** Everything that the soak asks and does, once. */
async function oneRound(load: Load, random: () => number): Promise<void> {
  for (const name of questions) await ask(load, name, random);
  for (const work of works) await work.once(load, random);
}

test('a daemon that has done everything again holds no more than before: descriptors, threads, timers, programs, temporary files (P52)', {
  skip: process.platform === 'linux' ? false : 'what a process holds is counted under /proc',
}, async t => {
  // It goes after the daemon, which writes there to its end.
  const places = watchedPlaces(afterAll);
  const home = temporaryHome(t, places.env);
  home.configure(loadConfiguration);
  const daemon = await startDaemon(t, home);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const watched = { pid: daemon.process.pid!, home, places };
  const asked = {
    ...{ home, caller: daemon.caller, client: daemon.client, pid: watched.pid },
    ...{ url: readDaemonRecord(home.places)!.url!, token: readFileSync(daemon.record.tokenFile, 'utf8').trim() },
  };
  const load = await prepare(t, asked, smallTree(t), 3);
  const random = randomFrom(1);
  for (let round = 0; round < rounds; round++) await oneRound(load, random);
  const before = figures(watched);
  for (let round = 0; round < rounds; round++) await oneRound(load, random);
  let after: Figures = figures(watched);
  const isSteady = (): boolean => {
    after = figures(watched);
    return kinds.every(kind => after[kind] < before[kind] + rounds);
  };
  await until('it holds as little as before', isSteady, 60_000).catch(() => assert.deepEqual(after, before));
  assert.deepEqual([...load.failed], []);
});

const kinds = ['descriptors', 'threads', 'timers', 'programs', 'temporaryFiles'] as const;
