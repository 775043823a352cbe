import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type Places, readDaemonRecord } from '../../client/paths.ts';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { until } from './daemon.ts';
import type { Cleanup } from './repository.ts';
import { scipBytes } from './scip.ts';

/** What the daemon's own listener takes the user for. */
export function bearer({ tokenFile }: Places): { readonly authorization: string } {
  return { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
}

/** An index of two files of which one half is sent to the daemon; resolves when that has come. */
export async function beginUpload(test: Cleanup, places: Places, id: string) {
  const bytes = scipBytes({ metadata, documents });
  const outgoing = request(new URL(`/index/repos/${id}/upload`, readDaemonRecord(places)!.url!), {
    method: 'POST',
    agent: false,
    headers: {
      ...bearer(places),
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    },
  });
  test.after(() => outgoing.destroy());
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  outgoing.write(bytes.subarray(0, bytes.length / 2));
  const folder = join(places.data, 'uploads');
  await until('some of it has come', () => existsSync(folder) && readdirSync(folder).length === 1);
  return {
    /** Sends the rest. Gives the status of the answer. */
    async finish(): Promise<number | undefined> {
      outgoing.end(bytes.subarray(bytes.length / 2));
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    },
  };
}
