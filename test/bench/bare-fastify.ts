import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import type { Cleanup } from '../support/repository.ts';

/** A process of its own in which Fastify answers every question with the same bytes: what HTTP costs before a daemon does. */
export interface BareServer {
  readonly url: string;
  readonly pid: number;
}

export async function startBareServer(cleanup: Cleanup, body: string): Promise<BareServer> {
  const child = fork(import.meta.filename, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  cleanup.after(() => child.kill());
  child.send(body);
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! };
}

async function serve(body: string): Promise<number> {
  const app = fastify();
  app.get('*', (_request, reply) => {
    reply
      .header('Content-Type', 'application/json')
      .serializer((text: string) => text)
      .send(body);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

if (process.argv[1] === import.meta.filename) {
  process.once('message', async body => process.send!(await serve(String(body))));
}
