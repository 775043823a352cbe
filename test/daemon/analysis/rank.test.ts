import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, type MatchKind, matchNames } from '../../../daemon/analysis/name-match.ts';
import { nameTable } from '../../../daemon/analysis/name-table.ts';
import { compareHits, type Hit, score, weightOf } from '../../../daemon/analysis/rank.ts';

const names = [
  'HttpServer',
  'httpServer',
  'http_server',
  'HttpServerOptions',
  'createHttpServer',
  'parse',
  'parseConfig',
  'PARSE_LIMIT',
  'reparse',
  'count',
  'amount',
  '$store',
  'XMLHttpRequest',
  'größe',
  '名前',
  'a%b',
  'a_b',
  'NEAR',
  'x"y',
  '🚀launch',
];
const table = nameTable(names);

interface Match {
  readonly name: string;
  readonly kind: MatchKind;
  readonly score: number;
}

const everyName = new Uint32Array(names.length).fill(1);

function matchesOf(query: string, bearers = everyName, least = 0): { readonly put: Match[]; readonly passed: number } {
  const put: Match[] = [];
  const passed = matchNames(table, query, {
    bearers,
    least: () => least,
    put: (name, kind, points) => put.push({ name: names[name]!, kind, score: points }),
  });
  return { put, passed };
}

/** `name:kind` of all matches, best first. */
function found(query: string): string[] {
  return matchesOf(query)
    .put.map(one => ({ label: `${one.name}:${one.kind}`, score: one.score }))
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
    .map(one => one.label);
}

const cases: Readonly<Record<string, readonly string[]>> = {
  HttpServer: [
    'HttpServer:exact',
    'httpServer:exact',
    'HttpServerOptions:prefix',
    'http_server:camel',
    'createHttpServer:substring',
  ],
  httpserver: [
    'HttpServer:exact',
    'httpServer:exact',
    'HttpServerOptions:prefix',
    'http_server:camel',
    'createHttpServer:substring',
  ],
  parse: ['parse:exact', 'parseConfig:prefix', 'PARSE_LIMIT:prefix', 'reparse:substring'],
  HS: ['HttpServer:camel', 'httpServer:camel', 'http_server:camel', 'HttpServerOptions:camel'],
  htse: ['HttpServer:camel', 'httpServer:camel', 'http_server:camel', 'HttpServerOptions:camel'],
  chs: ['createHttpServer:camel'],
  xhr: ['XMLHttpRequest:camel'],
  conut: ['count:fuzzy'],
  HttpServr: ['HttpServer:fuzzy', 'httpServer:fuzzy', 'http_server:fuzzy'],
  $: ['$store:prefix'],
  GRÖSSE: ['größe:fuzzy'],
  GRÖßE: ['größe:exact'],
  名: ['名前:prefix'],
  '%': ['a%b:substring'],
  _b: ['a_b:substring'],
  'NEAR(': ['NEAR:fuzzy'],
  '"': ['x"y:substring'],
  '*': [],
  '🚀': ['🚀launch:prefix'],
  '\0': [],
  zzzzzz: [],
};
for (const [query, expected] of Object.entries(cases)) {
  test(`${JSON.stringify(query)} finds ${expected.length} names, each in its way`, () => {
    assert.deepEqual(found(query), expected);
  });
}

test('names that nothing bears are no match, and do not keep near misses away', () => {
  const onlyAmount = Uint32Array.from(names, name => (name === 'amount' ? 1 : 0));
  assert.deepEqual(matchesOf('count', onlyAmount).put, []);
  assert.deepEqual(
    matchesOf('amuont', onlyAmount).put.map(one => one.kind),
    ['fuzzy'],
  );
});

test('what cannot be among the best is counted all the same', () => {
  const all = matchesOf('a');
  const best = matchesOf('a', undefined, 0.7);
  assert.equal(all.passed, 0);
  assert.equal(best.passed, all.put.filter(one => one.kind === 'substring').length);
  assert.equal(best.passed + best.put.length, all.put.length);
});

test('a name that holds the query anywhere is found, by whichever of its characters', () => {
  for (const name of names) {
    const lower = name.toLowerCase();
    for (let start = 0; start < lower.length; start++) {
      for (let end = start + 1; end <= lower.length; end++) {
        const query = lower.slice(start, end);
        const expected = names.filter(other => other.toLowerCase().includes(query)).sort();
        const literal = matchesOf(query).put.filter(one => one.name.toLowerCase().includes(query));
        assert.deepEqual(literal.map(one => one.name).sort(), expected, query);
      }
    }
  }
});

test('a scan leaves nothing behind for the next', () => {
  assert.deepEqual(found('parse'), found('parse'));
});

const distances: readonly (readonly [string, string, number, number])[] = [
  ['abc', 'abc', 2, 0],
  ['abc', 'acb', 2, 1],
  ['abc', 'abd', 2, 1],
  ['abc', 'xabc', 2, 1],
  ['abcdef', 'abdcfe', 2, 2],
  ['abcdef', 'fedcba', 2, 3],
  ['abcdef', 'abc', 2, 3],
  ['abcdefgh', 'bcdefghi', 2, 2],
  ['', 'ab', 2, 2],
];
for (const [a, b, limit, expected] of distances) {
  test(`from ${a} to ${b} it takes ${expected > limit ? 'more than' : ''} ${Math.min(expected, limit)} edits`, () => {
    assert.equal(editDistance(a, b, limit), expected);
    assert.equal(editDistance(b, a, limit), expected);
  });
}

test('the band gives what the whole table gives', () => {
  const letters = 'ab';
  const words = Array.from({ length: 126 }, (_, at) => {
    const bits = (at + 2).toString(2).slice(1);
    return [...bits].map(bit => letters[Number(bit)]).join('');
  });
  for (const a of words) for (const b of words) assert.equal(editDistance(a, b, 2), Math.min(3, editDistance(a, b, 9)));
});

test('no prefix passes an exact match, whatever they are of', () => {
  const worst = { kind: 'parameter', exported: false, hasBody: false, isTest: true } as const;
  const best = { kind: 'class', exported: true, hasBody: true, isTest: false } as const;
  assert.ok(score(0.98, weightOf(worst)) > score(0.92, weightOf(best)));
  assert.ok(score(1, weightOf(best)) === 1);
});

test('ties go to the shorter name, then by name, path and place', () => {
  const hit = (name: string, path: string, index: number, points = 0.5): Hit => ({
    name,
    path,
    index,
    match: 'prefix',
    score: points,
  });
  const sorted = [hit('abc', 'b', 0), hit('ab', 'b', 1), hit('ab', 'a', 2), hit('ab', 'b', 0), hit('z', 'z', 0, 0.9)];
  sorted.sort(compareHits);
  assert.deepEqual(
    sorted.map(one => `${one.name} ${one.path} ${one.index}`),
    ['z z 0', 'ab a 2', 'ab b 0', 'ab b 1', 'abc b 0'],
  );
});
