import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { bearer } from '../support/begun-upload.ts';
import { type Home, startDaemon, until } from '../support/daemon.ts';
import type { Cleanup } from '../support/repository.ts';

/** What no daemon that leaves may wait for. */
export interface Lingerers {
  /** Resolves when every one of them has been cut off. */
  cut(): Promise<void>;
}

/** A connection that was used, one with half a header, and one that doesn't read what it asked `target` for. */
export async function lingerers(t: Cleanup, { places }: Home, url: URL, target: string): Promise<Lingerers> {
  const { authorization } = bearer(places);
  const idle = await opened(t, url, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const halfSent = await opened(t, url, 'GET /health HTTP/1.1\r\nHost: loc');
  const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
  const slowReader = await opened(t, url, request);
  slowReader.pause();
  return {
    async cut() {
      for (const [what, socket] of Object.entries({ idle, halfSent, slowReader })) {
        socket.resume();
        await until(`${what} is cut`, () => socket.destroyed);
      }
    },
  };
}

async function opened(t: Cleanup, { hostname, port }: URL, text: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => socket.destroy());
  await new Promise<void>(resolve => socket.once('connect', () => resolve()));
  socket.write(text);
  return socket;
}

/** Looks at what a daemon left that went with a job under way: a whole `daemon.db`, in which that was interrupted. */
export async function assertLeftInOrder(t: Cleanup, home: Home, jobId: string): Promise<void> {
  const log = statSync(`${home.places.daemonDb}-wal`, { throwIfNoEntry: false });
  assert.equal(log?.size ?? 0, 0, 'the log is in the file');
  const { client } = await startDaemon(t, home);
  const { status, error } = await client.jobs.get({ id: jobId });
  assert.deepEqual([status, error?.code], ['failed', 'interrupted']);
}
