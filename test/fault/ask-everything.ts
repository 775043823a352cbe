import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { httpCaller } from '../../client/http.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import { type OperationName, operationNames, operations } from '../../client/protocol/registry.ts';
import type { TestDaemon } from '../support/daemon.ts';

/** What ends the daemon or the repository, never ends, or calls whom the user names. */
const notDriven: readonly OperationName[] = [
  ...(['daemon.stop', 'daemon.removeRepo', 'daemon.events', 'daemon.addRepo', 'remote.add'] as const),
];

/**
 * Asks everything that there is of the repository `app`, on the socket and, unless it listens where nobody gets to, by every
 * route of HTTP; gives every word of the answers.
 */
export async function askEverything(
  { caller, home, record }: TestDaemon,
  over: 'both' | 'socket' = 'both',
): Promise<string> {
  const told: string[] = [];
  const token = readFileSync(record.tokenFile, 'utf8').trim();
  const http = over === 'both' ? httpCaller({ url: readDaemonRecord(home.places)!.url!, token }) : undefined;
  let answered = 0;
  for (const [name, through] of operationNames.flatMap(one => [[one, caller] as const, [one, http] as const])) {
    if (through === undefined || notDriven.includes(name)) continue;
    if (through === http && operations[name].http === undefined) continue;
    const { example, scope } = operations[name];
    const input = { ...example?.input, ...(scope === 'repository' ? { repo: 'app' } : {}) };
    try {
      told.push(JSON.stringify(await through.call(name, input as never)));
      answered++;
    } catch (error) {
      told.push(`${error} ${JSON.stringify(error)}`);
    }
  }
  await http?.close();
  assert.ok(answered > told.length / 3, `${answered} of ${told.length} were answered`);
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
