import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Every way to have a full disk on this machine, the real one first; there is always one. */
export const fullDisks: readonly string[] = canMount ? ['mounted', 'stand-in'] : ['stand-in'];

/** Runs `full-disk.ts` over a disk of that kind. */
export async function onFullDisk(t: Cleanup, kind: string): Promise<void> {
  const disk = temporaryFolder(t).root;
  const inside = fileURLToPath(new URL('./full-disk.js', import.meta.url));
  // The child reports for itself, not to this runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const node = [process.execPath, '--enable-source-maps', '--test-reporter=tap', inside, disk, kind];
  const [program = '', ...words] = kind === 'mounted' ? ['unshare', '-Urm', ...node] : node;
  const child = spawn(program, words, { env });
  let report = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (report += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, report);
  assert.match(report, /^# pass 3$/m);
}
