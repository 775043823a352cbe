import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { briefNode } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import type { Killer, Killing } from './killers.ts';
import { dumpOf, makeReleased, releasedSchemas } from './released-schemas.ts';

/** What `open-database.ts` does to a `daemon.db` while it is killed. */
interface Work {
  prepare(file: string): void;
  readonly words: readonly string[];
}

const [oldest = 1] = releasedSchemas;
const newSecret = 'ab'.repeat(32);

export const upgrade: Work = { prepare: file => makeReleased(file, oldest), words: [] };

export const rotation: Work = {
  prepare: file => {
    makeReleased(file, releasedSchemas.at(-1)!);
    openDaemonDatabase(file).close();
  },
  words: ['svc_key_0000000000000001', newSecret],
};

/**
 * Kills a process at each of its steps: the database says what it said before or all that it is to say, and whoever comes next
 * brings it there.
 */
export async function killedAtDatabase(t: TestContext, work: Work, killers: readonly Killer[]): Promise<void> {
  const folder = temporaryFolder(t);
  const before = folder.path('before');
  folder.write('before/.keep', '');
  work.prepare(`${before}/daemon.db`);
  const old = dumpOf(`${before}/daemon.db`);
  const done = folder.path('done');
  cpSync(before, done, { recursive: true });
  assert.equal(await isKilled(done, work, { through: [], env: {} }), false);
  const whole = dumpOf(`${done}/daemon.db`);
  assert.notDeepEqual(whole, old);
  const left = new Set<string>();
  for (const [at, killer] of killers.entries()) {
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const label = `${killer.name} ${nth}`;
      const place = folder.path(`${at}-${nth}`);
      cpSync(before, place, { recursive: true });
      isOver = !(await isKilled(place, work, killer.at(nth)));
      const stored = dumpOf(`${place}/daemon.db`);
      const isNew = stored.version === whole.version && JSON.stringify(stored) === JSON.stringify(whole);
      assert.deepEqual(stored, isNew ? whole : old, label);
      if (!isOver) left.add(isNew ? 'new' : 'old');
      assert.equal(await isKilled(place, work, { through: [], env: {} }), false, label);
      assert.deepEqual(withoutTime(dumpOf(`${place}/daemon.db`)), withoutTime(whole), label);
      assert.deepEqual(
        readdirSync(place).filter(name => name.includes('quarantine')),
        [],
        label,
      );
    }
  }
  assert.deepEqual([...left].sort(), ['new', 'old']);
}

const withoutTime = (dump: ReturnType<typeof dumpOf>): unknown =>
  JSON.parse(JSON.stringify(dump, (name, value: unknown) => (name === 'rotated_at' ? undefined : value)));

async function isKilled(place: string, { words }: Work, { through, env }: Killing): Promise<boolean> {
  const program = fileURLToPath(new URL('open-database.js', import.meta.url));
  const [command = '', ...rest] = [...through, ...briefNode, program, `${place}/daemon.db`, ...words];
  const child = spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal === null) assert.equal(code, 0);
  return signal === 'SIGKILL';
}
