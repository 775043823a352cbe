import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contractRisk,
  directEdges,
  type RiskInput,
  transitiveConsumers,
} from '../../../../daemon/analysis/contracts/contract-impact.ts';
import type { ContractEdge, EdgeTier } from '../../../../daemon/model/federation.ts';

/**
 * Edges, one a word: `web>cart`, of web on the contract `a.proto` of cart; `web>cart/b.proto`; `web>specs:cart`, which cart
 * implements; `web>cart@0.5`.
 */
function edgesIn(text: string): readonly ContractEdge[] {
  return text
    .split(/\s+/)
    .filter(word => word !== '')
    .map((word, at) => {
      const [, from, uid, path = 'a.proto', provider, sure = '0.85'] =
        /^(\w+)>(\w+)(?:\/([\w.]+))?(?::(\w+))?(?:@([\d.]+))?$/.exec(word)!;
      const confidence = Number(sure);
      const tier: EdgeTier = confidence === 1 ? 'declared' : confidence > 0.6 ? 'derived' : 'heuristic';
      return {
        ...{ id: at + 1, from: from!, contract: { uid: uid!, path }, service: 's', role: 'consumer', tier, confidence },
        ...{ providers: provider === undefined ? [] : [provider], evidence: [] },
      };
    });
}

/** From what, how far, and who is reached: `2 cart web app 0.7225`, depth, path, confidence. */
type Reached = readonly [name: string, edges: string, contract: string, maxDepth: number, reached: readonly string[]];

const reached: readonly Reached[] = [
  ['direct consumers are not told again', 'web>cart app>cart', 'cart', 10, []],
  [
    'consumers of consumers',
    'web>cart app>web top>app',
    'cart',
    10,
    ['2 cart web app 0.7225', '3 cart web app top 0.6141'],
  ],
  ['no further than asked', 'web>cart app>web top>app', 'cart', 2, ['2 cart web app 0.7225']],
  ['depth 1 is the direct ones alone', 'web>cart app>web', 'cart', 1, []],
  ['only by this contract', 'web>cart/b.proto app>web', 'cart', 10, []],
  ['then by whatever the consumers declare', 'web>cart app>web/other.proto', 'cart', 10, ['2 cart web app 0.7225']],
  ['or implement of what others declare', 'web>cart app>specs/web.proto:web', 'cart', 10, ['2 cart web app 0.7225']],
  [
    'the shortest way goes before the surest',
    'a>cart@0.4 b>cart@1 x>a@0.4 c>b@1 x>c@1',
    'cart',
    10,
    ['2 cart b c 1', '2 cart a x 0.16'],
  ],
  ['of ways of one length the surest', 'a>cart@0.4 b>cart@1 x>a@1 x>b@0.85', 'cart', 10, ['2 cart b x 0.85']],
  ['of ways that are as sure the first by name', 'b>cart a>cart x>b x>a', 'cart', 10, ['2 cart a x 0.7225']],
  [
    'the surest of several edges',
    'web>cart@0.4 web>cart@1 app>web@0.5 app>web@0.85',
    'cart',
    10,
    ['2 cart web app 0.85'],
  ],
  ['circles end', 'a>cart b>a a>b cart>b c>b', 'cart', 10, ['2 cart a b 0.7225', '3 cart a b c 0.6141']],
  ['nobody is hit by way of itself', 'a>cart cart>a', 'cart', 10, []],
  ['the surest first', 'a>cart@1 x>a@0.5 y>a@1', 'cart', 10, ['2 cart a y 1', '2 cart a x 0.5']],
];

for (const [name, edges, uid, maxDepth, expected] of reached) {
  test(`reached: ${name}`, () => {
    const found = transitiveConsumers(edgesIn(edges), [{ uid, path: 'a.proto' }], maxDepth);
    assert.deepEqual(
      found.map(({ depth, path, confidence }) => [depth, ...path, confidence].join(' ')),
      expected,
    );
    assert.ok(found.every(({ repo, path, depth }) => path.at(-1) === repo && path.length === depth + 1));
  });
}

test('whatever the order of edges, the same repositories are reached the same way', () => {
  const edges = edgesIn('a>cart b>cart c>cart@0.5 x>a x>b x>c y>x y>b@0.4 z>y a>z');
  const expected = transitiveConsumers(edges, [{ uid: 'cart', path: 'a.proto' }], 10);
  for (let turn = 1; turn < edges.length; turn++) {
    const turned = [...edges.slice(turn), ...edges.slice(0, turn)].reverse();
    assert.deepEqual(transitiveConsumers(turned, [{ uid: 'cart', path: 'a.proto' }], 10), expected);
  }
});

test('direct edges are those to the very contract', () => {
  const edges = edgesIn('a>cart b>cart/b.proto c>pay d>cart');
  assert.deepEqual(
    directEdges(edges, { uid: 'cart', path: 'a.proto' }).map(({ from }) => from),
    ['a', 'd'],
  );
});

const many = (count: number, sure = 0.85): string =>
  Array.from({ length: count }, (_, at) => `r${at}>cart@${sure}`).join(' ');

interface RiskCase extends Partial<Omit<RiskInput, 'direct'>> {
  readonly edges: string;
}

const risks: readonly (readonly [RiskCase, level: string])[] = [
  [{ edges: '' }, 'low'],
  [{ edges: '', visibility: 'public' }, 'low'],
  [{ edges: many(1), visibility: 'internal', contractOwners: ['@a'], affectedOwners: ['@a'] }, 'low'],
  [{ edges: many(1), visibility: 'public', contractOwners: ['@a'], affectedOwners: ['@b'] }, 'medium'],
  [{ edges: many(6), visibility: 'internal', contractOwners: ['@a'], affectedOwners: ['@b'], transitive: 3 }, 'medium'],
  [{ edges: many(9), visibility: 'public', contractOwners: ['@a'], affectedOwners: ['@b'], transitive: 2 }, 'high'],
  [{ edges: many(16, 1), visibility: 'public', transitive: 16, affectedOwners: ['@b'] }, 'critical'],
  [{ edges: many(60, 1), visibility: 'public', transitive: 60, affectedOwners: ['@b'] }, 'critical'],
];

for (const [{ edges, ...rest }, level] of risks) {
  test(`risk: ${level} with ${JSON.stringify({ edges: edges.split(' ').length, ...rest })}`, () => {
    assert.equal(riskOf(edges, rest).level, level);
  });
}

test('more of anything that risks is never less risk', () => {
  const levels = ['low', 'medium', 'high', 'critical'];
  const rank = (edges: string, rest: Omit<RiskCase, 'edges'>): number => levels.indexOf(riskOf(edges, rest).level);
  for (const visibility of ['internal', 'unknown', 'public'] as const) {
    let last = 0;
    for (let count = 1; count <= 20; count++) {
      const now = rank(many(count), { visibility, transitive: 2 });
      assert.ok(now >= last, `${visibility} ${count}`);
      last = now;
      assert.ok(rank(many(count), { visibility, transitive: 9 }) >= now);
      assert.ok(rank(many(count), { visibility: 'public', transitive: 2 }) >= now);
      assert.ok(rank(many(count, 1), { visibility, transitive: 2 }) >= now);
    }
  }
});

test('factors say in words what there is, and nothing of what there is not', () => {
  assert.deepEqual(riskOf('', { visibility: 'public' }).factors, [
    'no repository of the federation is known to depend on it',
  ]);
  assert.deepEqual(riskOf('a>cart', { visibility: 'internal', affectedOwners: [] }).factors, [
    '1 repository depends on it directly',
  ]);
  const all = {
    visibility: 'public',
    transitive: 1,
    contractOwners: ['@a'],
    affectedOwners: ['@a', '@b', '@c'],
  } as const;
  assert.deepEqual(riskOf('a>cart@1 a>cart b>cart@0.5', all).factors, [
    '2 repositories depend on it directly',
    '1 more indirectly',
    'it is public: others may consume it who are not in the federation',
    '2 owners of what is hit, who do not own the contract',
    '1 edge is declared',
    '1 edge is a guess by names or routes',
  ]);
});

function riskOf(edges: string, rest: Omit<RiskCase, 'edges'>) {
  const none = { visibility: 'unknown', transitive: 0, contractOwners: [], affectedOwners: [] } as const;
  return contractRisk({ ...none, ...rest, direct: edgesIn(edges) });
}
