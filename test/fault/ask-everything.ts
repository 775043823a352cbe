import { readFileSync } from 'node:fs';
import { readDaemonRecord } from '../../client/paths.ts';
import { type OperationName, operationNames, operations } from '../../client/protocol/registry.ts';
import type { TestDaemon } from '../support/daemon.ts';

/** What ends the daemon or the repository, never ends, or calls whom the user names. */
const notDriven: readonly OperationName[] = [
  ...(['daemon.stop', 'daemon.removeRepo', 'daemon.events', 'daemon.addRepo', 'remote.add'] as const),
];

/**
 * Asks everything that there is of the repository `app`, on the socket and, unless it listens where nobody gets to, over HTTP;
 * gives every word of the answers.
 */
export async function askEverything(
  { caller, home, record }: TestDaemon,
  over: 'both' | 'socket' = 'both',
): Promise<string> {
  const told: string[] = [];
  const { url } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(record.tokenFile, 'utf8').trim()}` };
  for (const name of operationNames) {
    if (notDriven.includes(name)) continue;
    const { example, scope, http } = operations[name];
    const input = { ...example?.input, ...(scope === 'repository' ? { repo: 'app' } : {}) };
    told.push(JSON.stringify(await caller.call(name, input as never).catch((error: unknown) => String(error))));
    if (over === 'socket' || http === undefined || http.method !== 'GET' || http.path.includes(':')) continue;
    const reply = await fetch(`${url}${http.path}${scope === 'repository' ? '?repo=app' : ''}`, { headers });
    told.push(await reply.text());
  }
  for (const q of ['a', 'root', 'x:0:0']) {
    for (const repoStateMode of ['full', 'head'] as const) {
      told.push(
        JSON.stringify(
          await caller.call('symbols.search', { q, repo: 'app', repoStateMode, sync: repoStateMode === 'full' }),
        ),
      );
    }
  }
  return told.join('\n');
}
