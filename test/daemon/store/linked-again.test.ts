import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ImportedSymbol, importedKinds } from '../../../daemon/model/imported-symbol.ts';
import { LinkBody } from '../../../daemon/store/link-body.ts';
import { callBits, encodeLinks } from '../../../daemon/store/link-encoding.ts';
import type { Occurrence } from '../../../daemon/store/link-format.ts';
import { randomFrom } from '../../support/synthetic.ts';

const references = 60;

test('a body with some references linked again is the body that all of them give', () => {
  const random = randomFrom(3);
  const below = (end: number): number => Math.floor(random() * end);
  for (let round = 0; round < 100; round++) {
    const again = Array.from({ length: references }, (_, at) => at).filter(() => below(3) === 0);
    const before = drawn(below);
    const now = drawn(below);
    const isAgain = new Set(again);
    const after = before.map((one, at) => (isAgain.has(at) ? now[at]! : one));
    const part = now.map((one, at) => (isAgain.has(at) ? one : { to: 'nothing' as const, row: 0 }));
    const [imports, others] = [drawnImports(below), drawnImports(below)];
    const areImportsAgain = below(2) === 0;
    const body = new LinkBody(bodyOf(before, imports));
    const linked = body.linkedAgain(again, new LinkBody(bodyOf(part, areImportsAgain ? others : [], [])));
    assert.deepEqual(linked, bodyOf(after, areImportsAgain ? others : imports), `round ${round}`);
  }
});

test('a body tells which references are calls, whatever they point at', () => {
  const body = new LinkBody(
    bodyOf(
      Array.from({ length: references }, (_, at) => ({ to: 'symbol', row: at + 1 })),
      [],
    ),
  );
  for (let at = 0; at < references; at++) assert.equal(body.isCall(at), isCall(at), `reference ${at}`);
  assert.equal(body.isCall(references), false);
});

const isCall = (reference: number): boolean => reference % 3 === 1 || reference === 31;

test('a body speaks of rows in place of numbers, the number 0 among them, and is found by all that it points at', () => {
  const imports = (['file', 'scope', 'definition', 'external'] as const).map((kind, symbol) => ({ kind, symbol }));
  const meant: readonly Meant[] = [
    { to: 'symbol', row: 0 },
    { to: 'symbol', row: 2 },
  ];
  const numbered = new LinkBody(bodyOf(meant, [...imports, undefined, imports[0]], [4]));
  const symbols = Uint32Array.from([50, 40, 70, 2 ** 29, 60]);
  const body = new LinkBody(numbered.renumbered({ symbols, names: new Uint32Array(200) }));
  const found = Array.from({ length: body.importCount }, (_, at) => body.importAt(at));
  assert.deepEqual(found, [
    { kind: 'file', symbol: 50 },
    { kind: 'scope', symbol: 40 },
    { kind: 'definition', symbol: 70 },
    { kind: 'external', symbol: 2 ** 29 },
    undefined,
    { kind: 'file', symbol: 50 },
  ]);
  assert.deepEqual([...body.targets()], [50, 70]);
  assert.deepEqual([...body.pointsAt()], [40, 50, 70, 2 ** 29]);
});

type Imports = readonly (ImportedSymbol | undefined)[];

function drawnImports(below: (end: number) => number): Imports {
  const draw = () => ({ symbol: 1 + below(20), kind: importedKinds[below(importedKinds.length)]! });
  return Array.from({ length: 5 }, () => (below(4) === 0 ? undefined : draw()));
}

interface Meant {
  readonly to: 'symbol' | 'name' | 'nothing';
  readonly row: number;
}

function drawn(below: (end: number) => number): readonly Meant[] {
  return Array.from({ length: references }, () => ({
    to: (['symbol', 'name', 'nothing'] as const)[below(3)]!,
    row: 1 + below(12),
  }));
}

function bodyOf(meant: readonly Meant[], imports: Imports, slots: readonly number[] = [7, 9, 7]): Uint8Array {
  const targets = new Map<number, Occurrence[]>();
  const unresolved = new Map<number, number[]>();
  meant.forEach(({ to, row }, reference) => {
    if (to === 'symbol') targets.set(row, [...(targets.get(row) ?? []), { reference, confidence: row / 20 }]);
    if (to === 'name') unresolved.set(row, [...(unresolved.get(row) ?? []), reference * 8 + (row % 7)]);
  });
  const traits = { kind: 'function', visibility: 'public', exported: true, hasBody: true } as const;
  const definitions = [...new Set(slots)].map(symbol => ({ ...traits, symbol, name: symbol + 100, slot: 0 }));
  const calls = callBits(meant.length, at => (isCall(at) ? 'call' : 'read'));
  return encodeLinks({ isPartial: false, definitions, slots, targets, unresolved, calls, imports });
}
