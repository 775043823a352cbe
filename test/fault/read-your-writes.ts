import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';

/** Each synced answer must have the write before it, though two processes take all the time there is. */
export async function readYourWrites(t: Cleanup, rounds: number): Promise<void> {
  const tree = gitRepository(t, '-- a.ts --\n-- src/b.ts --');
  const { client } = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false' }));
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready({ client });
  await client.symbols.search({ q: 'x', repo: 'app', sync: true });
  for (let spinning = 0; spinning < 2; spinning++) spin(t);
  for (let round = 1; round <= rounds; round++) {
    const path = round % 2 === 0 ? 'a.ts' : 'src/b.ts';
    tree.write(path, `export function round${round}x() {}\n`);
    if (round % 10 === 0) tree.write(`new/${round}/c.ts`, `export function round${round}x() {}\n`);
    const { results } = await client.symbols.search({ q: `round${round}x`, repo: 'app', sync: true });
    assert.equal(results.length, round % 10 === 0 ? 2 : 1, `round ${round}`);
  }
}

function spin(t: Cleanup): void {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}
