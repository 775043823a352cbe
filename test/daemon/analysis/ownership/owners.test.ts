import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredOwners, declaredTogether } from '../../../../daemon/analysis/ownership/declared-owners.ts';
import { type BlameEntry, ownersOf, suggestedReviewers } from '../../../../daemon/analysis/ownership/owners.ts';
import { addUp, sharesOf, type Weights, weighLines } from '../../../../daemon/analysis/ownership/weights.ts';
import { people } from '../../../../daemon/model/people.ts';
import { blamed, now, weights } from './blamed.ts';
import { codeowners } from './codeowners-rows.ts';

const teams = new Map([['@o/team', ['@alice', 'bob@x']]]);

function owners(file: Weights, rules = '', known = 1) {
  const content = codeowners(rules);
  const named = content.rules.flatMap(rule => rule.owners);
  return ownersOf({
    declared: declaredTogether(declaredOwners(content), ['a.ts']).owners,
    people: people({
      settings: { bots: [], people: new Map(), teams },
      mailmap: { of: person => person },
      owners: named,
    }),
    weights: file,
    known,
    now,
  });
}

/** Lines of a file, and who owns it: `identity scope share confidence`. */
const rows: readonly (readonly [what: string, lines: readonly string[], owners: readonly string[], known?: number])[] =
  [
    ['who wrote all', ['@a 10 0'], ['@a maintainer 1 1']],
    ['who wrote all of it long ago', ['@a 10 4000'], ['@a maintainer 1 1']],
    [
      'a line of today weighs as two of 90 days ago',
      ['@a 10 0', '@b 20 90'],
      ['@a maintainer 0.5 0.5', '@b maintainer 0.5 0.5'],
    ],
    [
      'and as four of 180 days ago',
      ['@a 1 0', '@b 4 180', '@c 2 90'],
      ['@a reviewer 0.3333 0.33', '@b reviewer 0.3333 0.33', '@c reviewer 0.3333 0.33'],
    ],
    [
      'half is a maintainer’s, a fifth a reviewer’s',
      ['@a 50 0', '@b 30 0', '@c 20 0'],
      ['@a maintainer 0.5 0.5', '@b reviewer 0.3 0.3', '@c reviewer 0.2 0.2'],
    ],
    ['less is a contributor’s', ['@a 81 0', '@b 19 0'], ['@a maintainer 0.81 0.81', '@b contributor 0.19 0.19']],
    [
      'a twentieth counts, less does not',
      ['@a 91 0', '@b 5 0', '@c 4 0'],
      ['@a maintainer 0.91 0.91', '@b contributor 0.05 0.05'],
    ],
    ['shares are of all, those who do not count included', ['@a 96 0', '@b 4 0'], ['@a maintainer 0.96 0.96']],
    ['nobody wrote much', Array.from({ length: 25 }, (_, at) => `@${at} 1 0`), []],
    ['bots wrote nothing', ['@a 1 0', '- 999 0'], ['@a maintainer 1 1']],
    ['bots alone', ['- 5 0'], []],
    ['nothing', [], []],
    [
      'one author in several runs',
      ['@a 1 0', '@b 2 0', '@a 3 0'],
      ['@a maintainer 0.6667 0.67', '@b reviewer 0.3333 0.33'],
    ],
    ['a clock that was ahead', ['@a 1 -400', '@b 1 0'], ['@a maintainer 0.5 0.5', '@b maintainer 0.5 0.5']],
    ['a clock that never was', ['@a 1 99999999999', '@b 1 0'], ['@b maintainer 1 1']],
    [
      'nothing but that',
      ['@a 3 99999999999', '@b 1 99999999999'],
      ['@a maintainer 0.75 0.75', '@b reviewer 0.25 0.25'],
    ],
    [
      'less is known where less was looked at',
      ['@a 3 0', '@b 1 0'],
      ['@a maintainer 0.75 0.3', '@b reviewer 0.25 0.1'],
      0.4,
    ],
  ];

for (const [what, lines, expected, known] of rows) {
  test(`owners by lines: ${what}`, () => {
    const entries = owners(weights(...lines), '', known) as readonly BlameEntry[];
    assert.deepEqual(
      entries.map(one => `${one.identity} ${one.scope} ${one.share} ${one.confidence}`),
      expected,
    );
  });
}

test('weighted lines are told to four digits, however little they weigh', () => {
  const [young, old] = owners(weights('@a 3 90', '@b 1000 900')) as readonly BlameEntry[];
  assert.deepEqual(young, {
    ...{ identity: '@a', name: 'a', scope: 'maintainer', source: 'git-blame' },
    ...{ share: 0.6057, confidence: 0.61, lines: 3, weightedLines: 1.5 },
  });
  assert.equal(old?.weightedLines, 0.9766);
});

test('shares don’t hang on the time at which they are asked', () => {
  const lines = blamed('@a 3 10', '@b 100 400', '@c 7 90');
  const at = (seconds: number) =>
    sharesOf(weighLines(lines, seconds)).map(({ identity, share }) => [identity, share.toFixed(9)]);
  assert.deepEqual(at(now + 5 * 365 * 86_400), at(now));
});

test('weighted lines are those of now, whenever they were weighed', () => {
  const before = weighLines(blamed('@a 8 0', '@b 8 90'), now - 90 * 86_400);
  const [a, b] = owners(before) as readonly BlameEntry[];
  assert.deepEqual([a?.weightedLines, b?.weightedLines], [4, 4]);
  const later = weighLines(blamed('@a 8 0', '@b 8 90'), now + 180 * 86_400);
  assert.deepEqual(
    (owners(later) as readonly BlameEntry[]).map(({ weightedLines }) => weightedLines),
    [8, 4],
  );
});

test('several files weigh what their lines do, and an author has the name of the newest', () => {
  const one = weighLines([{ author: { identity: '@a', name: 'Old' }, authoredAt: now - 900, count: 2 }], now);
  const other = weighLines([{ author: { identity: '@a', name: 'New' }, authoredAt: now, count: 3 }], now);
  const both = addUp([one, weights('@b 5 0'), other, weights(), weights('- 1 0')], now);
  assert.deepEqual(
    sharesOf(both).map(({ identity, name, lines, lastAt }) => [identity, name, lines, lastAt]),
    [
      ['@b', 'b', 5, now],
      ['@a', 'New', 5, now],
    ],
  );
  assert.equal(both.total, one.total + other.total + 5);
});

test('who is an owner by both is told twice, what is declared first', () => {
  const told = owners(weights('@alice 3 0', '@b 1 0'), '* @alice @o/team @o/other me@x').map(one => {
    const { identity, source, scope } = one;
    const more =
      one.source === 'codeowners' ? (one.members?.join('+') ?? (one.unresolved ? 'unresolved' : '')) : one.lines;
    return `${source} ${identity} ${scope} ${one.confidence} ${more}`;
  });
  assert.deepEqual(told, [
    'codeowners @alice maintainer 1 ',
    'codeowners @o/team maintainer 1 @alice+bob@x',
    'codeowners @o/other maintainer 1 unresolved',
    'codeowners me@x maintainer 1 ',
    'git-blame @alice maintainer 0.75 3',
    'git-blame @b reviewer 0.25 1',
  ]);
});

/** Lines, rules, who changed it last, and who is asked for a review. */
const reviews: readonly (readonly [
  lines: readonly string[],
  rules: string,
  last: string | undefined,
  asked: readonly string[],
])[] = [
  [['@a 3 0', '@b 2 0', '@c 1 0'], '', undefined, ['@a', '@b', '@c']],
  [['@a 3 0', '@b 2 0', '@c 1 0'], '', '@c', ['@a', '@b', '@c']],
  [['@a 3 0', '@b 2 0', '@c 1 0'], '', '@a', ['@b', '@a', '@c']],
  [['@a 3 0'], '', '@a', ['@a']],
  [['@a 3 0'], '* @d', '@a', ['@d', '@a']],
  [['@a 3 0'], '* @a @d @o/team', undefined, ['@a', '@d', '@o/team']],
  [[], '* @d @e', undefined, ['@d', '@e']],
  [[], '', undefined, []],
  [
    Array.from({ length: 20 }, (_, at) => `@p${String(at).padStart(2, '0')} 1 0`),
    '',
    undefined,
    Array.from({ length: 10 }, (_, at) => `@p0${at}`),
  ],
];

for (const [lines, rules, last, asked] of reviews) {
  test(`reviewers of ${lines.slice(0, 3).join(', ')} ${rules} after ${last}: ${asked.slice(0, 3).join(' ')}`, () => {
    assert.deepEqual(suggestedReviewers(owners(weights(...lines), rules), last), asked);
  });
}
