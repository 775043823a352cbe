import assert from 'node:assert/strict';
import { test } from 'node:test';
import { components, cyclesOf } from '../../../../daemon/analysis/graphs/components.ts';
import { type Digraph, digraph, type Edge } from '../../../../daemon/analysis/graphs/digraph.ts';
import { feedback } from '../../../../daemon/analysis/graphs/feedback.ts';
import { topologicalLayers } from '../../../../daemon/analysis/graphs/layers.ts';
import { randomFrom } from '../../../support/synthetic.ts';

/** `a>b b>c`: letters are nodes, in the order of the alphabet. */
function graphOf(text: string): Digraph {
  const edges = text.split(' ').filter(part => part !== '');
  const number = (letter: string): number => letter.charCodeAt(0) - 'a'.charCodeAt(0);
  const found = edges.map((edge): Edge => ({ from: number(edge[0]!), to: number(edge[2]!) }));
  return digraph(
    found.reduce((most, { from, to }) => Math.max(most, from + 1, to + 1), 0),
    found,
  );
}

const named = (nodes: Iterable<number>): string => [...nodes].map(node => String.fromCharCode(97 + node)).join('');

test('nodes that reach one another are found, in the order of their first', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['a>b b>c', []],
    ['a>a', []],
    ['a>b b>a', ['ab']],
    ['a>b b>c c>a c>d', ['abc']],
    ['c>d d>c a>b b>a', ['ab', 'cd']],
    ['a>b b>c c>b c>d d>e e>c', ['bcde']],
    ['a>b b>a b>c c>d d>c', ['ab', 'cd']],
    ['a>b a>b b>a', ['ab']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(cyclesOf(graphOf(text)).map(named), expected, text);
});

test('layers follow the longest way, and what reaches one another shares one', () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['a>b b>c', [0, 1, 2]],
    ['a>b a>c b>c', [0, 1, 2]],
    ['c>a c>b', [1, 1, 0]],
    ['a>b b>a b>c', [0, 0, 1]],
    ['a>d b>c c>d d>c', [0, 0, 1, 1]],
  ];
  for (const [text, expected] of cases) assert.deepEqual([...topologicalLayers(graphOf(text))], expected, text);
});

test('components are those of the definition, numbered from what leads nowhere', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = randomFrom(seed);
    const random = (below: number): number => Math.floor(next() * below);
    const size = 1 + random(12);
    const edges = Array.from({ length: random(24) }, (): Edge => ({ from: random(size), to: random(size) }));
    const graph = digraph(size, edges);
    const { of } = components(graph);
    const reaches = closure(size, edges);
    for (let one = 0; one < size; one++) {
      for (let other = 0; other < size; other++) {
        const isSame = one === other || (reaches[one]![other]! && reaches[other]![one]!);
        assert.equal(of[one] === of[other], isSame, `seed ${seed}`);
        if (reaches[one]![other]! && !isSame) assert.ok(of[one]! > of[other]!, `seed ${seed}`);
      }
    }
    const layers = topologicalLayers(graph);
    for (const { from, to } of edges) assert.ok(of[from] === of[to] || layers[from]! < layers[to]!, `seed ${seed}`);
  }
});

test('a chain longer than any call stack is walked', () => {
  const size = 300_000;
  const edges = Array.from({ length: size }, (_, from): Edge => ({ from, to: (from + 1) % size }));
  assert.equal(components(digraph(size, edges)).count, 1);
  assert.equal(components(digraph(size, edges.slice(0, -1))).count, size);
});

function closure(size: number, edges: readonly Edge[]): boolean[][] {
  const reaches = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const { from, to } of edges) reaches[from]![to] = true;
  for (let via = 0; via < size; via++) {
    for (let from = 0; from < size; from++) {
      for (let to = 0; to < size; to++) reaches[from]![to] ||= reaches[from]![via]! && reaches[via]![to]!;
    }
  }
  return reaches;
}

test('what is turned leaves no way back, and is as little as can be in small graphs', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const next = randomFrom(seed);
    const random = (below: number): number => Math.floor(next() * below);
    const size = 2 + random(5);
    const edges = Array.from({ length: random(14) }, () => ({
      from: random(size),
      to: random(size),
      weight: 1 + random(9),
    })).filter(({ from, to }) => from !== to);
    const turned = feedback(size, edges);
    const forwards = edges.map((edge, at) => (turned[at] === 1 ? { from: edge.to, to: edge.from } : edge));
    assert.deepEqual(cyclesOf(digraph(size, forwards)), [], `seed ${seed}`);
    const weight = edges.reduce((sum, edge, at) => sum + (turned[at] === 1 ? edge.weight : 0), 0);
    const least = leastTurned(size, edges);
    assert.ok(weight <= least * 1.5 + 1, `seed ${seed}: ${weight}, and ${least} would do`);
  }
});

function leastTurned(size: number, edges: readonly { from: number; to: number; weight: number }[]): number {
  let least = Number.POSITIVE_INFINITY;
  const place = (order: readonly number[], left: readonly number[]): void => {
    if (left.length === 0) {
      const against = edges.filter(({ from, to }) => order.indexOf(from) > order.indexOf(to));
      least = Math.min(
        least,
        against.reduce((sum, { weight }) => sum + weight, 0),
      );
    }
    for (const node of left)
      place(
        [...order, node],
        left.filter(one => one !== node),
      );
  };
  place(
    [],
    Array.from({ length: size }, (_, node) => node),
  );
  return least;
}
