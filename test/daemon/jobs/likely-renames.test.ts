import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyRenames } from '../../../daemon/jobs/aliases/likely-renames.ts';
import type { SymbolEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';

/**
 * `path kind tail tokens`, and behind it `*` where the body is long enough to tell, `=text` of one that is short, and
 * `^hash` of what else has that.
 */
function evidence(text: string): SymbolEvidence {
  const [path = '', kind = '', tail = '', tokens = '0', ...more] = text.split(' ');
  const root = /^[^#]+#/.exec(tail)?.[0] ?? tail;
  const brief = more.find(one => one.startsWith('='))?.slice(1) ?? '';
  return {
    ...{ hash: `${path} ${tail}`, scope: path, path, kind, tail, name: tail, tokens: Number(tokens) },
    ...{ local: tail, root: `${path} ${root}`, brief: root === tail ? brief : '' },
    briefTwins: more.flatMap(one => (one.startsWith('^') ? [one.slice(1).replace(':', ' ')] : [])),
    body: more.includes('*') ? tail : '',
  } as unknown as SymbolEvidence;
}

function likely(...publications: readonly (readonly [gone: readonly string[], came: readonly string[]])[]) {
  const each = publications.map(([gone, came]) => ({ gone: gone.map(evidence), appeared: came.map(evidence) }));
  const together = { gone: each.flatMap(one => one.gone), appeared: each.flatMap(one => one.appeared) };
  return [...likelyRenames(together, each)].map(pair => pair.join(' → '));
}

/** What went, what came, and what is taken for renamed or moved. */
const cases: readonly (readonly [gone: readonly string[], came: readonly string[], expected: readonly string[]])[] = [
  [['a.ts function two(). 5'], ['a.ts function deux(). 5'], ['a.ts two(). → a.ts deux().']],
  [['a.ts method Box#open(). 0'], ['a.ts method Box#unlock(). 0'], ['a.ts Box#open(). → a.ts Box#unlock().']],
  [['a.ts function two(). 5'], ['a.ts function deux(). 6'], []],
  [['a.ts function two(). 5'], ['b.ts function deux(). 5'], []],
  [['a.ts function two(). 5'], ['a.ts class Deux# 5'], []],
  [['a.ts method Box#open(). 5'], ['a.ts method Lid#unlock(). 5'], []],
  [['a.ts function two(). 5', 'a.ts function three(). 5'], ['a.ts function deux(). 5'], []],
  [['a.ts function two(). 5'], ['a.ts function deux(). 5', 'a.ts function trois(). 5'], []],
  [['a.ts function two(). 50 *'], ['a.ts function deux(). 50 *'], []],
  [['a.ts function two(). 5 =2'], ['b.ts function two(). 5 =2'], ['a.ts two(). → b.ts two().']],
  [['a.ts function two(). 5 =2 ^b.ts:two().'], ['b.ts function two(). 5 =2'], ['a.ts two(). → b.ts two().']],
  [['a.ts function two(). 5 =2 ^c.ts:two().'], ['b.ts function two(). 5 =2'], []],
  [['a.ts function two(). 5 =2'], ['b.ts function two(). 5 =2', 'c.ts function two(). 5 =2'], []],
  [['a.ts function two(). 5 =2', 'c.ts function two(). 5 =2'], ['b.ts function two(). 5 =2'], []],
  [['a.ts function two(). 5 =2'], ['b.ts function two(). 5 =3'], []],
  [['a.ts function two(). 5 =2'], ['b.ts constant two(). 5 =2'], []],
  [
    ['a.ts class Box# 9 =b', 'a.ts method Box#open(). 5', 'a.ts method Box#shut(). 5'],
    ['b.ts class Box# 9 =b', 'b.ts method Box#open(). 5', 'c.ts method Box#shut(). 5'],
    ['a.ts Box# → b.ts Box#', 'a.ts Box#open(). → b.ts Box#open().'],
  ],
  [
    ['a.ts function two(). 5 =2', 'a.ts function three(). 5 =3'],
    ['b.ts function two(). 5 =2', 'a.ts function trois(). 5 =33'],
    ['a.ts two(). → b.ts two().', 'a.ts three(). → a.ts trois().'],
  ],
];

for (const [gone, came, expected] of cases) {
  test(`of ${gone.join(', ')} that went and ${came.join(', ')} that came ${expected.length} are probably the same`, () => {
    assert.deepEqual(likely([gone, came]), expected);
  });
}

test('a move may take two publications, a renaming is one', () => {
  const [old, moved, renamed] = [
    'a.ts function two(). 5 =2',
    'b.ts function two(). 5 =2',
    'a.ts function deux(). 5 =3',
  ];
  const move = ['a.ts two(). → b.ts two().'];
  assert.deepEqual(likely([[old], []], [[], [moved]]), move);
  assert.deepEqual(likely([[], [moved]], [[old], []]), move);
  assert.deepEqual(likely([[old], []], [[], [renamed]]), []);
  const other = 'a.ts function three(). 5 =4';
  assert.deepEqual(likely([[old, other], [renamed]], [[], [moved]]), [...move, 'a.ts three(). → a.ts deux().']);
});
