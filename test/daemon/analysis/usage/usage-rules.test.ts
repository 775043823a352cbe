import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CoveredFunction, coverageOf, lackingIn } from '../../../../daemon/analysis/usage/coverage.ts';
import {
  type DeadQuestion,
  deadClaim,
  type Observation,
  type StaticEvidence,
  staticEvidence,
} from '../../../../daemon/analysis/usage/dead-code.ts';
import { fitsPattern, repositoryOf } from '../../../../daemon/analysis/usage/service-map.ts';
import { trendOf } from '../../../../daemon/analysis/usage/trend.ts';

const entries = [
  { name: 'checkout', repo: 'shop', folder: 'checkout' },
  { name: 'checkout-*', repo: 'shop', folder: '' },
  { name: '*-eu', repo: 'europe', folder: '' },
  { name: 'checkout-*-eu', repo: 'both', folder: '' },
];
const repositories = ['shop', 'my_app', 'europe'];

const services: readonly (readonly [name: string, repository: string, asked: string, expected: string])[] = [
  ['checkout', '', '', 'shop by exact'],
  ['checkout-v2', '', '', 'shop by pattern'],
  ['ads-eu', 'shop', '', 'europe by pattern'],
  ['checkout-x-eu', '', '', 'both by pattern'],
  ['ads', 'shop', 'europe', 'shop by resource'],
  ['My-App', '', 'europe', 'my_app by name'],
  ['ads', 'elsewhere', 'europe', 'europe by assumed'],
  ['ads', '', '', 'nowhere'],
];

for (const [name, repository, asked, expected] of services) {
  test(`${name} of ${repository || 'nobody'}, sent for ${asked || 'nobody'}`, () => {
    const found = repositoryOf({ name, repository, asked }, entries, repositories);
    assert.equal(found === undefined ? 'nowhere' : `${found.repo} by ${found.by}`, expected);
  });
}

test('the only repository there is is assumed', () => {
  assert.equal(repositoryOf({ name: 'ads', repository: '', asked: '' }, [], ['shop'])?.by, 'assumed');
});

test('patterns', () => {
  const fitting: readonly (readonly [string, string, boolean])[] = [
    ['*', 'x', true],
    ['a*c', 'abc', true],
    ['a*c', 'ab', false],
    ['a*a', 'a', false],
    ['a', 'b', false],
    ['*b*', 'abc', true],
  ];
  for (const [pattern, text, expected] of fitting) assert.equal(fitsPattern(pattern, text), expected, pattern);
});

const covered = (found: CoveredFunction['found'], file = 'a.ts', line = 1): CoveredFunction => ({
  ...{ found, file, line, isQualified: false },
});

test('coverage is 0.3 attributes, 0.5 matches and 0.2 services, others’ code aside', () => {
  const functions = [covered('exact'), covered('strong', 'a.ts', 0), covered('weak', '', 0), covered('absent')];
  assert.deepEqual(
    coverageOf({ functions: [...functions, covered('foreign')], knownServices: 1, unknownServices: 1 }),
    {
      attribute: 0.625,
      match: 0.625,
      service: 0.5,
      overall: 0.6,
      level: 'medium',
    },
  );
  assert.deepEqual(lackingIn([...functions, covered('foreign', '', 0)]), { functions: 4, file: 1, place: 2 });
  assert.equal(coverageOf({ functions: [], knownServices: 1, unknownServices: 0 }).level, 'insufficient');
});

const series = (...calls: readonly number[]) => calls.map((one, at) => ({ day: 100 + at, calls: one, errors: 0 }));

test('trends compare the later half with the earlier one, today aside', () => {
  assert.equal(trendOf(series(10, 10, 20, 20, 1000), 104), 'increasing');
  assert.equal(trendOf(series(20, 20, 10, 10, 0), 104), 'decreasing');
  assert.equal(trendOf(series(10, 11, 10, 11, 0), 104), 'stable');
  assert.equal(trendOf(series(10, 10), 104), 'decreasing');
  assert.equal(trendOf(series(10, 20, 30), 103), 'unknown');
  assert.equal(trendOf([], 104), 'unknown');
});

const noUsers = { alive: 0, perhaps: 0, silent: 0, tests: 0 };
const saidOf = (users: typeof noUsers, isCalledFromOutside = false): StaticEvidence =>
  staticEvidence([{ users, silentUsers: [], isCalledFromOutside }])[0]!;
const quiet: DeadQuestion = {
  reported: undefined,
  users: noUsers,
  surroundings: { fileCalled: 3, fileFunctions: 5, fileReported: 3, fileQuality: 'exact' },
  said: saidOf(noUsers),
  days: 30,
  isYoung: false,
};
const high = { coverage: { level: 'high', overall: 0.93 }, reportedShare: 0.8, density: 0.9 } as const;
const sure = (question: Partial<DeadQuestion>, of: Partial<Observation> = {}): number =>
  deadClaim({ ...quiet, ...question }, { ...high, ...of }).confidence;

test('dead code is the surer the less uses it, the more is reported near it, and the longer nothing came', () => {
  const users = (more: Partial<typeof noUsers>) => {
    const all = { ...noUsers, ...more };
    return { users: all, said: saidOf(all) };
  };
  const bySureness = [
    sure({ reported: { quality: 'exact', silentDays: undefined } }),
    sure({}),
    sure(users({ silent: 1 })),
    sure(users({ tests: 2 })),
    sure(users({ perhaps: 1 })),
    sure(users({ alive: 1 })),
    sure(users({ alive: 1 }), { density: 0.2 }),
  ];
  assert.deepEqual(
    bySureness,
    [...bySureness].sort((a, b) => b - a),
  );
  assert.equal(new Set(bySureness).size, bySureness.length);
  const reported = { quality: 'exact', silentDays: undefined } as const;
  const byDays = [1, 3, 7, 8, 30, 60, 90].map(days => sure({ reported, days }));
  assert.deepEqual(byDays, [0.632, 0.656, 0.699, 0.709, 0.86, 0.949, 0.981]);
  assert.ok(sure({}, { coverage: { level: 'medium', overall: 0.7 } }) < sure({}));
  assert.ok(sure({ said: saidOf(noUsers, true) }) < sure({}));
  assert.deepEqual(deadClaim(quiet, high).reasons, [
    'never reported, while 3 of the 5 functions of its file were called',
    'nothing uses it',
    'observed on 30 days',
    'no calls matched it; those of its file are exact matches',
    'coverage is high (0.93)',
  ]);
  const { surroundings } = quiet;
  assert.ok(sure({ surroundings: { ...surroundings, fileQuality: 'weak' } }) < sure({}));
  assert.deepEqual(deadClaim({ ...quiet, reported: { quality: 'exact', silentDays: 70 } }, high).reasons.slice(0, 4), [
    'not called on the last 70 days that were reported',
    'nothing uses it',
    'observed on 30 days',
    'what was reported of it is an exact match',
  ]);
});

test('what hardly anything is reported around is dead for nobody, however long it was silent', () => {
  const shares: readonly (readonly [reported: number, of: number, everywhere: number, isClaimed: boolean])[] = [
    [1, 20, 0.1, false],
    [2, 20, 0.1, false],
    [2, 4, 0.1, false],
    [10, 12, 0.1, true],
    [3, 10, 0.3, true],
    [11, 12, 0.9, true],
  ];
  for (const [fileReported, fileFunctions, reportedShare, isClaimed] of shares) {
    const surroundings = { ...quiet.surroundings, fileCalled: fileReported, fileReported, fileFunctions };
    const told = `${fileReported} of ${fileFunctions}, ${reportedShare} everywhere`;
    assert.equal(sure({ surroundings, days: 400 }, { reportedShare }) >= 0.7, isClaimed, told);
  }
});

/** `a: b c` says that b and c use a; `!`: something outside may call it, `*`: code that may run uses it. */
function strengths(text: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').map(line => line.trim().split(/[: ]+/));
  const names = lines.map(([name]) => name!.replace(/[!*]/g, ''));
  const found = staticEvidence(
    lines.map(([name, ...users]) => ({
      users: { ...noUsers, silent: users.length, perhaps: name!.includes('*') ? 1 : 0 },
      silentUsers: users.map(user => names.indexOf(user)),
      isCalledFromOutside: name!.includes('!'),
    })),
  );
  return Object.fromEntries(names.map((name, at) => [name, Math.round(found[at]!.strength * 100) / 100]));
}

test('what use each other are as sure as the least of them, in whatever order they are looked at', () => {
  const lines = ['A: B C', 'B: A', 'C!', 'D: B', 'E: F', 'F: E'];
  const expected = { A: 0.3, B: 0.3, C: 0.31, D: 0.29, E: 0.6, F: 0.6 };
  for (let first = 0; first < lines.length; first++) {
    assert.deepEqual(strengths([...lines.slice(first), ...lines.slice(0, first)].join('\n')), expected);
  }
  assert.deepEqual(strengths('A: B\nB*: A'), { A: 0.15, B: 0.15 });
});

test('a chain of silent users may be as long as a repository is large', () => {
  const length = 100_000;
  const chain = Array.from({ length }, (_, at) => ({
    users: { ...noUsers, silent: at + 1 < length ? 1 : 0 },
    silentUsers: at + 1 < length ? [at + 1] : [],
    isCalledFromOutside: false,
  }));
  const found = staticEvidence(chain);
  assert.deepEqual([found[length - 1]!.strength, found[length - 2]!.strength], [0.62, 0.62 * 0.97]);
});
