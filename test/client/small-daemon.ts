import { appendFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { openPeer, placesIn } from './peer.ts';

/** A process that answers as a daemon would, for tests of starting one: `small-daemon.js <home> <file to note the pid in>`. */
const [home = '', log = ''] = process.argv.slice(2);
appendFileSync(log, `${process.pid}\n`);
const never = { after: () => undefined } as unknown as TestContext;
await openPeer(never, {
  places: placesIn(home),
  script: method => (method === 'system.health' ? { status: String(process.pid) } : undefined),
});
