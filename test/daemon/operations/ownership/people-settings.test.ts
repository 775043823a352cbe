import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../../daemon/config.ts';
import { noSettings, parseRepositorySettings } from '../../../../daemon/extract/repository-settings.ts';
import { defaultBots } from '../../../../daemon/model/people.ts';
import { configuredPeople, peopleSettings } from '../../../../daemon/operations/ownership/people-settings.ts';
import { temporaryFolder } from '../../../support/repository.ts';

const ofRepository = parseRepositorySettings(
  Buffer.from(`
    [history]
    bots = ["theirs"]
    [ownership.teams]
    "@o/a" = { members = ["@theirs"] }
    "@o/b" = { members = ["@theirs"] }
    [ownership.people]
    "@ann" = { emails = ["theirs@x"] }
  `),
);

test('the configuration wins over what a repository says, and both over defaults', t => {
  const { write, path } = temporaryFolder(t);
  write(
    'config.toml',
    `[history]\nbots = ["ours"]
     [ownership.teams]\n"@O/A" = { members = ["@ours"] }
     [ownership.people]\n"@bob" = { emails = ["ours@x"] }`,
  );
  const configured = configuredPeople(loadConfig({ file: path('config.toml'), environment: {} }));
  const none = configuredPeople(loadConfig({ file: '', environment: {} }));
  assert.deepEqual(peopleSettings(configured, ofRepository), {
    bots: ['ours'],
    teams: new Map([
      ['@o/b', ['@theirs']],
      ['@O/A', ['@ours']],
    ]),
    people: new Map([
      ['@ann', ['theirs@x']],
      ['@bob', ['ours@x']],
    ]),
  });
  assert.deepEqual(peopleSettings(none, ofRepository).bots, ['theirs']);
  assert.deepEqual(peopleSettings(none, noSettings), { bots: defaultBots, teams: new Map(), people: new Map() });
});
