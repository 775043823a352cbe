import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { ready, synced } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';

const mostBytes = 64 * 2 ** 20;
const writtenBytes = 200 * 2 ** 20;
const clients = 50;

/** A file that defines much, by names that nobody has used before. */
function source(): string {
  const lines = Array.from({ length: 120 }, (_, n) => {
    const name = `n${randomBytes(12).toString('hex')}`;
    return `/** ${randomBytes(40).toString('base64')} */\nexport function ${name}(value: string) { return value + ${n}; }`;
  });
  return `${lines.join('\n')}\n`;
}

test('200 MB of writes under fifty clients that page and stop reading: no log grows past 64 MiB, and no read stays open (P24)', {
  timeout: 1_500_000,
}, async t => {
  const tree = gitRepository(t, '-- f0.ts --\nexport const first = 1;');
  const home = temporaryHome(t);
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon, 120_000);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const url = new URL(readDaemonRecord(home.places)!.url!);
  const token = readFileSync(home.places.tokenFile, 'utf8').trim();
  const logs = () => filesBelow(home.path, '.db-wal').map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0);

  const most = { bytes: 0 };
  const looking = setInterval(() => {
    most.bytes = Math.max(most.bytes, ...logs());
  }, 1000);
  t.after(() => clearInterval(looking));

  // Each page goes to the log and from there to the file.
  const writtenSoFar = () =>
    Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${daemon.process.pid}/io`, 'utf8'))?.[1]) / 2;
  const began = writtenSoFar();
  const stalled: Socket[] = [];
  for (let round = 0; writtenSoFar() - began < writtenBytes || stalled.length < clients; round++) {
    for (let n = 0; n < 150; n++) tree.write(`r${round % 3}/f${n}.ts`, source());
    tree.write('f0.ts', `export const round${round} = 1;\n`);
    while (stalled.length < clients && stalled.length < (round + 1) * 10)
      stalled.push(await stopsReading(t, url, token));
    await until('the round is in', async () => {
      const { results } = await synced(daemon, { repo: 'app', q: `round${round}` });
      return results[0]?.name === `round${round}`;
    });
  }
  assert.ok(stalled.every(socket => socket.bytesRead > 0));
  assert.ok(most.bytes > 0 && most.bytes <= mostBytes, `${Math.round(most.bytes / 2 ** 20)} MiB`);
  await until('nobody reads any more, however many have not read to the end', () => readLocks(home.path) === 0, 5000);
  assert.ok(logs().every(bytes => bytes <= mostBytes));
  assert.equal(await daemon.stop(), 0);
});

/** Asks for more than any buffer holds, page after page on one connection, reads the first of it, and stops. */
async function stopsReading(t: TestContext, url: URL, token: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => socket.destroy());
  await new Promise<void>(resolve => socket.once('connect', () => resolve()));
  const asked = (offset: number) =>
    `GET /search?q=n&repo=app&limit=10000&offset=${offset} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write([0, 1, 2, 3].map(asked).join(''));
  await new Promise<void>(resolve => socket.once('data', () => resolve()));
  socket.pause();
  return socket;
}

/** How many read transactions are open on logs below a folder: SQLite locks a byte of the log's index for each mark that is read from. */
function readLocks(folder: string): number {
  const inodes = new Set(filesBelow(folder, '.db-shm').map(file => String(statSync(file).ino)));
  return readFileSync('/proc/locks', 'latin1')
    .split('\n')
    .filter(line => {
      const [, inode, first] = /READ +\d+ \S+:(\d+) (\d+) /.exec(line) ?? [];
      return inode !== undefined && inodes.has(inode) && Number(first) >= 123 && Number(first) <= 127;
    }).length;
}

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => join(folder, name))
    .filter(existsSync);
}
