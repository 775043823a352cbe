import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestHits, type Candidate, compareCandidates } from '../../../daemon/analysis/best-hits.ts';
import { editsFrom } from '../../../daemon/analysis/edit-distance.ts';
import { type MatchKind, type MatchSink, matchNames } from '../../../daemon/analysis/name-match.ts';
import { nameTable, startsWord, unitsOf } from '../../../daemon/analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../../../daemon/analysis/rank.ts';
import { randomFrom } from '../../support/synthetic.ts';

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

function matchesOf(
  query: string,
  isBorne: (name: string) => boolean = () => true,
  least = 0,
): { readonly put: Match[]; readonly passed: number } {
  const put: Match[] = [];
  const sink: MatchSink = {
    bearers: table.order.map(name => (isBorne(names[name]!) ? 1 : 0)),
    weights: new Float64Array(names.length).fill(1),
    least: () => least,
    put: (place, kind, points) => put.push({ name: names[table.order[place]!]!, kind, score: points }),
  };
  return { put, passed: matchNames([{ table, sink }], query) };
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

test('more names than places can be told apart are refused', () => {
  assert.throws(() => nameTable(new Array<string>(2 ** 24 + 1)), RangeError);
});

test('names that nothing bears are no match, and do not keep near misses away', () => {
  const onlyAmount = (name: string): boolean => name === 'amount';
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

test('a name is near the query wherever the edits stand that lead to it', () => {
  for (let length = 3; length <= 14; length++) {
    const query = 'abcdefghijklmn'.slice(0, length);
    const allowed = length < 6 ? 1 : 2;
    const edited = new Set([query].flatMap(editedOnce).flatMap(one => (allowed === 1 ? [one] : editedOnce(one))));
    edited.delete(query);
    const near = [...edited].filter(name => !name.includes(query) && plainDistance(query, name) <= allowed);
    const alone = nameTable([...edited]);
    const met: string[] = [];
    const sink: MatchSink = {
      bearers: new Uint32Array(edited.size).fill(1),
      weights: new Float64Array(edited.size).fill(1),
      least: () => 0,
      put: (place, kind) => {
        if (kind === 'fuzzy') met.push(alone.names[alone.order[place]!]!);
      },
    };
    matchNames([{ table: alone, sink }], query);
    assert.deepEqual(met.sort(), near.sort(), query);
  }
});

/** With a character taken out, put in, changed or swapped with the next, at each place. */
function editedOnce(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, at) => {
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
    const swapped = before + after.slice(0, 1) + here + after.slice(1);
    return [before + after, `${before}z${here}${after}`, `${before}z${after}`, swapped];
  }).flat();
}

test('a name that holds the query far in is found, whether a word begins there or not', () => {
  const long = `${'x'.repeat(254)}ab_zq${'x'.repeat(40)}Kzqk`;
  const alone = nameTable([long, 'short']);
  for (const query of ['ab', 'b_', 'bz', 'zq', 'xab', '_zqx', 'zqk', 'kzqk', 'Kzqk', 'qK', 'x', 'k']) {
    const scores: number[] = [];
    const sink: MatchSink = {
      bearers: Uint32Array.of(1, 1),
      weights: Float64Array.of(1, 1),
      least: () => 0,
      put: (place, kind, points) => {
        if (kind === 'substring' && alone.order[place] === 0) scores.push(points);
      },
    };
    matchNames([{ table: alone, sink }], query);
    const at = long.toLowerCase().indexOf(query.toLowerCase());
    const isFound = at > 0;
    const expected = 0.45 + (0.1 * query.length) / long.length + (isFound && startsWord(long, at) ? 0.08 : 0);
    assert.deepEqual(scores, isFound ? [expected] : [], query);
  }
});

test('the case of what a query is the beginning of counts, wherever letters stand', () => {
  const all = [
    'Alpha',
    'alpha',
    'ALPHA',
    '\u212aelvin',
    'Kelvin',
    'kelvin',
    'İx',
    'Éclair',
    'éclair',
    `${'a'.repeat(40)}B`,
  ];
  const cased = nameTable(all);
  const queries = all.flatMap(name => [name, name.slice(0, 3), name.toLowerCase(), name.toUpperCase().slice(0, 2)]);
  for (const query of [...queries, `${'a'.repeat(40)}b`, 'a'.repeat(31), 'a'.repeat(32)]) {
    const sink: MatchSink = {
      bearers: new Uint32Array(all.length).fill(1),
      weights: new Float64Array(all.length).fill(1),
      least: () => 0,
      put: (place, kind, points) => {
        const name = all[cased.order[place]!]!;
        const share = query.toLowerCase().length / name.toLowerCase().length;
        const isSame = name.startsWith(query);
        if (kind === 'exact') assert.equal(points, isSame ? 1 : 0.98, `${query} ${name}`);
        if (kind === 'prefix') assert.equal(points, 0.8 + 0.11 * share + (isSame ? 0.01 : 0), `${query} ${name}`);
      },
    };
    matchNames([{ table: cased, sink }], query);
  }
});

test('a table that goes on from another one is the same as one made anew', () => {
  const more = [...names, 'aaa', 'Parse', 'zzz', 'parseZ', '$', 'PARSE'];
  for (let known = 0; known <= names.length; known++) {
    const begun = nameTable(more, nameTable(more.slice(0, known)));
    const { order, ...anew } = nameTable(more);
    const { order: begunOrder, ...rest } = begun;
    const lower = (index: number): string => more[index]!.toLowerCase();
    assert.deepEqual(Array.from(begunOrder, lower), Array.from(order, lower));
    assert.deepEqual(new Set(begunOrder), new Set(order));
    // Names that differ in case alone stand in either order, and their words with them.
    const { wordStarts, wordCounts, initials, capitals, ...same } = anew;
    const {
      wordStarts: otherStarts,
      wordCounts: otherCounts,
      initials: otherInitials,
      capitals: otherCapitals,
      ...others
    } = rest;
    assert.deepEqual(others, same);
    const byName = (columns: readonly ArrayLike<number>[], places: Uint32Array) =>
      new Map(Array.from(places, (index, place) => [more[index], columns.map(column => column[place])] as const));
    assert.deepEqual(
      byName([otherStarts, otherCounts, otherInitials, otherCapitals], begunOrder),
      byName([wordStarts, wordCounts, initials, capitals], order),
    );
  }
  assert.deepEqual(nameTable(more, nameTable(['other', 'names'])), nameTable(more));
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
function editDistance(a: string, b: string, limit: number): number {
  return editsFrom(unitsOf(a), limit)(unitsOf(`${a}${b}${a}`), a.length, a.length + b.length);
}

for (const [a, b, limit, expected] of distances) {
  test(`from ${a} to ${b} it takes ${expected > limit ? 'more than' : ''} ${Math.min(expected, limit)} edits`, () => {
    assert.equal(editDistance(a, b, limit), expected);
    assert.equal(editDistance(b, a, limit), expected);
  });
}

/** The whole table, as the textbook has it. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + change,
        isSwap ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return rows[a.length]![b.length]!;
}

test('short cuts give what the whole table gives, for short texts and for long ones', () => {
  const words = Array.from({ length: 62 }, (_, at) => {
    const bits = (at + 2).toString(2).slice(1);
    return [...bits].map(bit => 'aé'[Number(bit)]).join('');
  });
  for (const frame of ['', 'x'.repeat(40)]) {
    for (const a of words) {
      for (const b of words) {
        const expected = Math.min(3, plainDistance(frame + a, frame + b));
        assert.equal(editDistance(frame + a, frame + b, 2), expected, `${a} ${b}`);
      }
    }
  }
});

test('no prefix passes an exact match, whatever they are of', () => {
  const worst = { kind: 'parameter', exported: false, hasBody: false, isTest: true } as const;
  const best = { kind: 'class', exported: true, hasBody: true, isTest: false } as const;
  assert.ok(pointsOf(0.98, weightOf(worst)) > pointsOf(0.92, weightOf(best)));
  assert.equal(scoreOf(pointsOf(1, weightOf(best))), 1);
});

test('ties go to the shorter name, then by name, and by path and place, which one number tells', () => {
  const hit = (name: string, definition: number, points = 5_000): Candidate => ({
    ...{ name, definition, place: definition },
    match: 'prefix',
    points,
  });
  const sorted = [hit('abc', 0), hit('ab', 3), hit('ab', 1), hit('ab', 2), hit('Ab', 9), hit('z', 7, 9_000)];
  sorted.sort(compareCandidates);
  assert.deepEqual(
    sorted.map(one => `${one.name} ${one.definition}`),
    ['z 7', 'Ab 9', 'ab 1', 'ab 2', 'ab 3', 'abc 0'],
  );
});

test('the best of many are the first of all, sorted', () => {
  const random = randomFrom(3);
  const all = Array.from({ length: 300 }, (_, definition): Candidate => {
    const name = 'ab'[Math.floor(random() * 2)]!.repeat(1 + Math.floor(random() * 3));
    return { name, definition, place: definition, match: 'prefix', points: Math.floor(random() * 5) * 1_000 };
  });
  for (const wanted of [0, 1, 2, 50, 299, 300, 400]) {
    const best = bestHits(wanted);
    for (const { name, definition, place, match, points } of all) best.put(name, definition, place, match, points);
    const expected = all.toSorted(compareCandidates).slice(0, wanted);
    assert.deepEqual(
      best.inOrder(),
      expected.map(({ points, ...hit }) => ({ ...hit, score: scoreOf(points) })),
    );
    const last = expected.length === wanted ? expected.at(-1) : undefined;
    assert.deepEqual(
      [best.least(), best.longest()],
      [last?.points ?? 0, last?.name.length ?? Number.POSITIVE_INFINITY],
    );
  }
});
