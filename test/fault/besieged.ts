import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLargeTree } from '../bench/large-tree.ts';
import { heard, wireCases } from '../daemon/server/hostile-wire.ts';
import { hostileBodies, hostileRequests } from '../http/hostile-requests.ts';
import { sendRaw, token } from '../http/listener.ts';
import type { TestDaemon } from '../support/daemon.ts';
import type { Cleanup } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { bombs, explode, fusedDaemon } from './bombs.ts';
import { type Door, type Seen, watchLoop } from './held-loop.ts';

/** A tree that is indexed from nothing meanwhile, and how many clients there are. */
export interface Siege {
  readonly files: number;
  readonly symbols: number;
  readonly clients: number;
}

const mib = 1024 * 1024;

/**
 * Has clients send all that is hostile over HTTP and the socket, in no order, and again until a tree is indexed. Tells how
 * `/health` was answered meanwhile.
 */
export async function besieged(cleanup: Cleanup, { files, symbols, clients }: Siege): Promise<Seen> {
  const { daemon, door } = await fusedDaemon(cleanup);
  const folder = mkdtempSync(join(tmpdir(), 'svc-siege-'));
  cleanup.after(() => rmSync(folder, { recursive: true, force: true }));
  writeLargeTree(join(folder, 'tree'), { files, symbols });
  const attacks = shuffled(attacksOn(daemon, door), randomFrom(1));
  let isIndexed = false;
  const { pid } = daemon.process;
  const watch = await watchLoop(pid!, door);
  await daemon.client.daemon.addRepo({ root: join(folder, 'tree'), id: 'tree' });
  const indexed = daemon.client.indexing.index({ repo: 'tree', force: true }).then(() => {
    isIndexed = true;
  });
  let next = 0;
  const attacking = Array.from({ length: clients }, async () => {
    while (next < attacks.length || !isIndexed) await attacks[next++ % attacks.length]!();
  });
  await Promise.all(attacking);
  await indexed;
  const seen = await watch.end();
  assert.equal(daemon.process.exitCode, null);
  await daemon.stop();
  return seen;
}

/** Each sends one thing and waits for what comes of it; what that has to be is said by other tests. */
function attacksOn(daemon: TestDaemon, door: Door): readonly (() => Promise<unknown>)[] {
  const port = Number(new URL(door.url).port);
  const requests = [...hostileRequests, ...hostileBodies].map(([, , text]) => {
    const bytes = Buffer.from(text.replaceAll(token, door.token), 'latin1');
    return () => sendRaw(port, bytes);
  });
  const wires = wireCases.map(one => async () => heard(await daemon.connect(), one));
  const sizes = { body: mib, artifact: mib, frame: 2 * mib, inflated: 16 * mib, documents: 5000 };
  const quick = bombs(sizes).filter(({ to }) => to === '/index' || to === 'the socket' || to.endsWith('/upload'));
  const blasts = quick.map(bomb => {
    const bytes = bomb.bytes();
    return () => explode(daemon, door, { ...bomb, bytes: () => bytes });
  });
  return [...requests, ...wires, ...blasts];
}

function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map(one => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
