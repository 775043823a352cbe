import { createWatchLoop } from '../../watch/loop.ts';
import { openWatch } from '../../watch/watch.ts';

/**
 * A process that watches a tree, for tests that stop it or take its kernel watches away: arguments root and cookie
 * folder. Writes one JSON line for each ChangeSet; a line `sync` on stdin is answered with the outcome and the status.
 */
const [root = '', cookieFolder = ''] = process.argv.slice(2);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const loop = createWatchLoop({ cookieFolder });
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
      watch.sync(20_000).then(
        () => say({ synced: true, status: watch.status() }),
        (error: Error) => say({ synced: false, why: error.message }),
      );
    } else if (line === 'relieve') loop.relieve();
    else if (line === 'end') process.exit(0);
  }
});
