import { test } from 'node:test';
import { killedInFirstUpload, killedInUpload } from '../fault/killed-uploads.ts';
import { killerAt, syncKillers, tracingKillers } from '../fault/killers.ts';

const places = ['before-rename', 'after-rename', 'before-commit:daemon.db', 'after-commit:daemon.db'];

for (const killers of [places.map(killerAt), [...tracingKillers, ...syncKillers]]) {
  if (killers.length === 0) continue;
  const where = killers.map(({ name }) => name).join(', ');
  test(`a daemon killed while it takes in an upload leaves the old index or the new one, and nothing else (${where}; P8, P37)`, context =>
    killedInUpload(context, killers));

  test(`a daemon killed while it takes in the first upload of a repository leaves it whole or not at all (${where}; P8, P37)`, context =>
    killedInFirstUpload(context, killers));
}
