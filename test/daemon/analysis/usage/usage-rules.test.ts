import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CoveredFunction, coverageOf } from '../../../../daemon/analysis/usage/coverage.ts';
import { type DeadQuestion, deadClaim, staticEvidence } from '../../../../daemon/analysis/usage/dead-code.ts';
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

const quiet: DeadQuestion = {
  reported: undefined,
  users: { alive: 0, perhaps: 0, silent: 0, tests: 0 },
  surroundings: { fileCalled: 3, fileFunctions: 5 },
  said: staticEvidence({ alive: 0, perhaps: 0, silent: 0, tests: 0 }, () => 0.62, false),
};
const month = { level: 'high', days: 30, density: 0.9 } as const;
const sure = (question: Partial<DeadQuestion>, of: Partial<typeof month> | object = {}): number =>
  deadClaim({ ...quiet, ...question }, { ...month, ...of })?.confidence ?? -1;

test('dead code is the surer the less uses it, the more is reported near it, and the longer nothing came', () => {
  const users = (more: Partial<DeadQuestion['users']>) => {
    const all = { ...quiet.users, ...more };
    return { users: all, said: staticEvidence(all, () => 0.58, false) };
  };
  const bySureness = [
    sure({ reported: { quality: 'exact', silentDays: undefined } }),
    sure({}),
    sure(users({ tests: 2 })),
    sure(users({ silent: 1 })),
    sure(users({ perhaps: 1 })),
    sure(users({ alive: 1 })),
    sure(users({ alive: 1 }), { density: 0.2 }),
  ];
  assert.deepEqual(
    bySureness,
    [...bySureness].sort((a, b) => b - a),
  );
  assert.equal(new Set(bySureness).size, bySureness.length);
  assert.ok(sure({}, { days: 1 }) >= 0.7 && sure({}, { days: 1 }) < sure({}, { days: 7 }));
  assert.ok(sure({}, { level: 'medium' }) < sure({}));
  assert.ok(sure({ said: staticEvidence(quiet.users, () => 0, true) }) < sure({}));
  assert.equal(sure({ surroundings: { fileCalled: 0, fileFunctions: 5 } }), -1);
  const [seen, said, days] = deadClaim(quiet, month)!.reasons;
  assert.deepEqual(
    [seen, said, days],
    ['never reported, while 3 of the 5 functions of its file were called', 'nothing uses it', 'observed on 30 days'],
  );
});
