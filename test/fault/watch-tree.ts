import { type Clock, monotonicClock } from '../../watch/clock.ts';
import { createWatchLoop } from '../../watch/loop.ts';
import { openWatch } from '../../watch/watch.ts';

/**
 * A process that watches a tree, for tests that stop it or take its kernel watches away: arguments root and cookie
 * folder. Writes one JSON line for each ChangeSet; a line `sync` on stdin is answered with the outcome and the status, and
 * after a line `half a minute` that much time has passed.
 */
/** Longer than any test: who asked has a limit of its own. */
const endlessMs = 3_600_000;
const [root = '', cookieFolder = ''] = process.argv.slice(2);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
/** What waits for half a minute or longer waits for the word. */
const longWaits = new Set<() => void>();
const clock: Clock = {
  now: monotonicClock.now,
  after(ms, act) {
    if (ms < 30_000) return monotonicClock.after(ms, act);
    longWaits.add(act);
    return () => longWaits.delete(act);
  },
};
const loop = createWatchLoop({ cookieFolder, clock });
const watch = openWatch(root, {
  loop,
  onChange: changes =>
    say(
      changes.kind === 'recrawl'
        ? { recrawl: changes.reason }
        : { paths: changes.paths.size, some: [...changes.paths].slice(0, 20) },
    ),
});
process.stdin.on('data', chunk => {
  for (const line of String(chunk).split('\n')) {
    if (line === 'sync') {
      watch.sync(endlessMs).then(
        () => say({ synced: true, status: watch.status() }),
        (error: Error) => say({ synced: false, why: error.message }),
      );
    } else if (line === 'half a minute') {
      const due = [...longWaits];
      longWaits.clear();
      for (const act of due) act();
    } else if (line === 'end') process.exit(0);
  }
});
