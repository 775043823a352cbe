import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { configKeys } from '../../daemon/config-schema.ts';
import { quantile } from '../bench/measure.ts';
import { httpRequest, openHttpWire, openSocketWire, readAnswer, rpcRequest, type WireClient } from '../bench/wire.ts';
import { compiledDaemon, patienceMs, startDaemon, temporaryHome } from '../support/daemon.ts';
import { request } from '../support/rpc-wire.ts';
import { doorOf, forgetPeak, mainThreadMs, residentMb } from './held-loop.ts';

const dribbling = 200;
const idle = 500;
const unreading = 128;
const asked = 100;
/** Of each that does not read. */
const questions = 60;

test('200 who dribble, 500 who say nothing and 128 who never read take nobody else’s turn, and are cut (P39)', {
  timeout: patienceMs,
}, async context => {
  const home = temporaryHome(context);
  // Ten seconds and 16 MiB are what they are without it.
  home.configure('[limits]\nheader_seconds = 2\nbacklog_bytes = 1048576\nconnections = 256\n');
  const daemon = await startDaemon(context, home, [], compiledDaemon);
  const door = await doorOf(daemon);
  const pid = daemon.process.pid!;
  const { hostname, port } = new URL(door.url);
  const opened: Socket[] = [];
  const open = async (socket: Socket): Promise<Socket> => {
    opened.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  context.after(() => {
    for (const socket of opened) socket.destroy();
  });
  const openMany = (count: number, connected: () => Socket) =>
    Promise.all(Array.from({ length: count }, () => open(connected())));
  const overHttp = () => connect(Number(port), hostname);

  // Each reads nothing of an answer after the other.
  const beforeMb = residentMb(pid, 'VmRSS');
  forgetPeak(pid);
  const greedy = await openMany(unreading, () => connect(daemon.record.socket));
  const answerBytes = JSON.stringify(await daemon.client.system.openapi({})).length;
  const large = Buffer.from(
    Array.from({ length: questions }, (_, id) => `${JSON.stringify(request(id, 'system.openapi'))}\n`).join(''),
  );
  for (const socket of greedy) socket.pause().write(large);
  const greedyOverHttp = await openMany(unreading, overHttp);
  const page = httpRequest(door.url, door.token, '/openapi.json');
  for (const socket of greedyOverHttp) socket.pause().write(Buffer.concat(Array(10).fill(page)));
  const silent = await openMany(idle - unreading, overHttp);
  const slow = await openMany(dribbling, overHttp);
  const told = slow.map(socket => firstLine(socket));
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('X');
  }, 100);
  context.after(() => clearInterval(drip));
  for (const socket of slow) socket.write('GET /health HTTP/1.1\r\nX-');

  const clients: readonly (readonly [WireClient, Buffer])[] = [
    [await openHttpWire(door.url), httpRequest(door.url, door.token, '/health')],
    [await openSocketWire(daemon.record.socket), rpcRequest('system.health', {})],
  ];
  for (const [client, question] of clients) {
    context.after(() => client.close());
    const held: number[] = [];
    for (let number = 0; number < asked; number++) {
      const computedMs = mainThreadMs(pid);
      assert.ok(readAnswer(await client.ask(question)).isGood);
      held.push(mainThreadMs(pid) - computedMs);
    }
    const most = quantile(held, 0.99);
    assert.ok(most < 100, `99 of 100 waited for at most ${most} ms of others’ work`);
  }
  // Who dribbles is told so and cut, however often a byte comes.
  for (const line of await Promise.all(told)) assert.match(line, /^HTTP\/1\.1 408 /);
  for (const socket of greedy) {
    let bytes = 0;
    socket.on('data', chunk => {
      bytes += chunk.length;
    });
    socket.resume();
    await closed(socket);
    assert.ok(bytes < questions * answerBytes, 'who does not read is cut before its answers are all there');
  }
  const grownMb = residentMb(pid, 'VmHWM') - beforeMb;
  context.diagnostic(`grown by ${grownMb} MB`);
  assert.ok(grownMb < 1100, `their answers took ${grownMb} MB`);
  assert.equal(silent.length + greedyOverHttp.length, idle);
  const defaults = Object.fromEntries(configKeys.map(({ name, schema }) => [name, schema.default]));
  assert.deepEqual([defaults['limits.header_seconds'], defaults['limits.backlog_bytes']], [10, 16 * 1024 * 1024]);
});

async function firstLine(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await closed(socket);
  return text;
}

/** Also by an error: who writes while it is cut gets one. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve));
}
