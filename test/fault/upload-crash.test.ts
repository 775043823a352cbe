import { test } from 'node:test';
import { killedInFirstUpload, killedInUpload } from './killed-uploads.ts';
import { killerAt } from './killers.ts';

/** Where a file takes its place, and where `daemon.db` does. What dies behind them leaves what dies before the next finds. */
const killers = ['before-rename', 'before-commit:daemon.db'].map(killerAt);

// A first upload and a further one come by the same places: each dies at every second one, together they die at all of them.
test('a daemon killed while it takes in an upload leaves the old index or the new one, and nothing else', context =>
  killedInUpload(context, killers, { first: 1, step: 2 }));

test('a daemon killed while it takes in the first upload of a repository leaves it whole or not at all', context =>
  killedInFirstUpload(context, killers, { first: 2, step: 2 }));
