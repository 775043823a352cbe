import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredOwners } from '../../../../daemon/analysis/ownership/declared-owners.ts';
import { driftScore, namedBy, toldDrift } from '../../../../daemon/analysis/ownership/drift.ts';
import { people } from '../../../../daemon/model/people.ts';
import { now, weights } from './blamed.ts';
import { codeowners } from './codeowners-rows.ts';

interface Row {
  readonly what: string;
  readonly rules: string;
  readonly lines: readonly string[];
  readonly drift: number | 'nobody' | 'unresolvable' | undefined;
  readonly actual?: Readonly<Record<string, number>>;
  readonly says?: string;
}

/** All of whom some wrote something, wherever. */
const authors = new Set(['@alice', '@bob', '@carol', '@dave', 'erin@x']);

const rows: readonly Row[] = [
  { what: 'owned as declared', rules: '* @alice', lines: ['@alice 10 0', '- 90 0'], drift: 0 },
  { what: 'by two of whom both are named', rules: '* @alice @bob', lines: ['@alice 1 0', '@bob 99 0'], drift: 0 },
  { what: 'by members of a team', rules: '* @o/team', lines: ['@alice 1 0', 'erin@x 9 0'], drift: 0 },
  {
    what: 'by nobody who is named by a team that has nobody',
    rules: '* @o/none',
    lines: ['@bob 1 0'],
    drift: 1,
    says: 'Name @bob (100 %) in place of @o/none: @o/none matches no author of the history (CODEOWNERS:1)',
  },
  {
    what: 'the declared owner is gone, and there is another',
    rules: '# one\n* @alice',
    lines: ['@alice 100 720', '@bob 30 10'],
    drift: 0.9861,
    actual: { '@bob': 0.9861 },
    says: 'Name @bob (99 %) in place of @alice: @alice last wrote a line of it on 2024-07-10 (CODEOWNERS:2)',
  },
  {
    what: 'the declared owner wrote nothing of it',
    rules: '* @alice',
    lines: ['@bob 3 0', '@carol 1 0'],
    drift: 1,
    actual: { '@bob': 0.75, '@carol': 0.25 },
    says: 'Name @bob (75 %), @carol (25 %) in place of @alice: @alice is not known to have written anything that stands in it (CODEOWNERS:1)',
  },
  {
    what: 'the declared owner is no author',
    rules: '* @zoe',
    lines: ['@bob 3 0'],
    drift: 1,
    says: 'Name @bob (100 %) in place of @zoe: @zoe matches no author of the history: unless they are gone, tell their addresses in [ownership.people."@zoe"] (CODEOWNERS:1)',
  },
  {
    what: 'somebody wrote much beside the declared owner',
    rules: '* @alice',
    lines: ['@alice 4 0', '@bob 6 0'],
    drift: 0.6,
    actual: { '@bob': 0.6, '@alice': 0.4 },
    says: 'Name @bob (60 %) beside @alice (CODEOWNERS:1)',
  },
  {
    what: 'the declared owner wrote a good part of it, long ago',
    rules: '* @alice',
    lines: ['@alice 4 200', '@bob 6 200'],
    drift: 0.6,
    says: 'Name @bob (60 %) beside @alice (CODEOWNERS:1)',
  },
  {
    what: 'one of two declared owners is gone',
    rules: '* @alice @carol',
    lines: ['@alice 4 0', '@bob 6 0'],
    drift: 0.6,
    says: 'Name @bob (60 %) in place of @carol: @carol is not known to have written anything that stands in it (CODEOWNERS:1)',
  },
  {
    what: 'nobody took it over',
    rules: '* @alice',
    lines: ['@alice 1 200', ...Array.from({ length: 30 }, (_, at) => `@p${at} 1 0`)],
    drift: 0.9929,
    actual: {},
    says: 'Ask who looks after it: of those who are not named none wrote a fifth of it, and @alice last wrote a line of it on 2025-12-12 (CODEOWNERS:1)',
  },
  {
    what: 'a few others wrote a little',
    rules: '* @alice',
    lines: ['@alice 6 0', '@bob 1 0', '@carol 1 0', '@dave 1 0'],
    drift: 0.3333,
    says: 'Nothing: whoever is named wrote 67 % of it (CODEOWNERS:1)',
  },
  {
    what: 'many others wrote a little',
    rules: '* @alice',
    lines: ['@alice 4 0', '@bob 1 0', '@carol 1 0', '@dave 1 0', '@erin 1 0', '@fay 1 0'],
    drift: 0.5556,
    says: 'Ask who looks after it: of those who are not named none wrote a fifth of it (CODEOWNERS:1)',
  },
  { what: 'a team that nobody told', rules: '* @alice @o/unknown', lines: ['@bob 1 0'], drift: 'unresolvable' },
  { what: 'nobody is named', rules: '*.c @alice', lines: ['@bob 1 0'], drift: 'nobody' },
  { what: 'a rule that clears', rules: '* @alice\n*.ts', lines: ['@bob 1 0'], drift: 'nobody' },
  { what: 'nothing is known to be by anybody', rules: '* @alice', lines: ['- 5 0'], drift: undefined },
];

for (const { what, rules, lines, drift, actual, says } of rows) {
  test(`drift: ${what}`, () => {
    const content = codeowners(rules);
    const known = people({
      settings: {
        bots: [],
        people: new Map(),
        teams: new Map([
          ['@o/team', ['@alice', 'erin@x']],
          ['@o/none', []],
        ]),
      },
      mailmap: { of: person => person },
      owners: content.rules.flatMap(rule => rule.owners),
    });
    const declared = declaredOwners(content).ofFile('src/a.ts');
    const named = namedBy(declared, known);
    const file = weights(...lines);
    assert.equal(named.kind === 'people' ? driftScore(named.identities, file) : named.kind, drift);
    if (declared.kind !== 'owned' || named.kind !== 'people') return;
    const isAuthor = (identity: string): boolean => authors.has(identity);
    const told = toldDrift({ declared, codeowners: 'CODEOWNERS', people: known, weights: file, isAuthor, now });
    assert.equal(
      told.declaredOwner,
      content.rules
        .at(-1)
        ?.owners.map(({ text }) => text)
        .join(', '),
    );
    if (actual !== undefined) {
      assert.deepEqual(Object.fromEntries(told.actualOwners.map(one => [one.identity, one.contribution])), actual);
    }
    if (says !== undefined) assert.equal(told.recommendation, says);
  });
}

test('a line of many owners is told by the first of them', () => {
  const content = codeowners(`* ${Array.from({ length: 5_000 }, (_, at) => `@o${at}`).join(' ')}`);
  const owners = content.rules[0]!.owners;
  const known = people({
    settings: { bots: [], people: new Map(), teams: new Map() },
    mailmap: { of: one => one },
    owners,
  });
  const declared = declaredOwners(content).ofFile('a');
  assert.ok(declared.kind === 'owned');
  const told = toldDrift({
    declared,
    codeowners: 'CODEOWNERS',
    people: known,
    weights: weights('@x 1 0'),
    isAuthor: () => false,
    now,
  });
  assert.match(told.declaredOwner, /^@o0, .*@o9 and 4990 more$/);
  assert.ok(told.recommendation.length < 2_500);
});
