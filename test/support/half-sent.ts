import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type Places, readDaemonRecord } from '../../client/paths.ts';
import { bearer } from './begun-upload.ts';
import type { Cleanup } from './repository.ts';

/** A request of which the daemon has the headers, and waits for the body. */
export async function halfSent(test: Cleanup, places: Places, path: string, body: Buffer, type: string) {
  const outgoing = request(new URL(path, readDaemonRecord(places)!.url!), {
    method: 'POST',
    agent: false,
    headers: { ...bearer(places), 'content-type': type, 'content-length': body.length, expect: '100-continue' },
  });
  test.after(() => outgoing.destroy());
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  await once(outgoing, 'continue');
  return {
    /** Sends the body. Gives the status of the answer. */
    async finish(): Promise<number | undefined> {
      outgoing.end(body);
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    },
  };
}
