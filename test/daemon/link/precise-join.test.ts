import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JoinedFacts, joinReferences } from '../../../daemon/link/precise-join.ts';
import type { ReferenceFact } from '../../../daemon/model/facts.ts';

const nothing = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };
const imported = { kind: 'import', name: '', expression: 0, enclosing: -1 } as ReferenceFact;
const facts: JoinedFacts = {
  ...{ definitionCount: 0, referenceCount: 0 },
  ...{ definitionNameRange: () => nothing, definitionRange: () => nothing, referenceRange: () => nothing },
  reference: () => imported,
};

/** Uses of symbols in one place, in this order. */
function kindOf(...uses: readonly (readonly [symbol: number, roles: number])[]): string {
  return kindIn(facts, ...uses);
}

function kindIn(facts: JoinedFacts, ...uses: readonly (readonly [symbol: number, roles: number])[]): string {
  const column = (value: number) => Int32Array.from(uses, () => value);
  const said = joinReferences(
    {
      ...{ count: uses.length, startLine: column(1), startColumn: column(2), endLine: column(1), endColumn: column(5) },
      symbol: Int32Array.from(uses, ([symbol]) => symbol),
      roles: Int32Array.from(uses, ([, roles]) => roles),
    },
    facts,
    { of: symbol => symbol, isBySyntax: () => false, isSiteOf: () => false },
  );
  assert.equal(said.extras.length, 1);
  return said.extras[0]!.kind;
}

test('what kind of use a place is does not hang on the order of what is said of it', () => {
  assert.equal(kindOf([1, 8], [2, 0]), 'read');
  assert.equal(kindOf([2, 0], [1, 8]), 'read');
  assert.equal(kindOf([1, 8], [1, 4]), 'write');
  assert.equal(kindOf([1, 4], [1, 8]), 'write');
  assert.equal(kindOf([1, 0], [2, 1], [3, 2]), 'import');
});

test('where syntax reads a use that ends elsewhere, its kind counts before roles', () => {
  const shorter = { startLine: 1, startColumn: 2, endLine: 1, endColumn: 3 };
  assert.equal(kindIn({ ...facts, referenceCount: 1, referenceRange: () => shorter }, [1, 8]), 'import');
  assert.equal(kindIn({ ...facts, referenceCount: 1, referenceRange: () => nothing }, [1, 8]), 'read');
});
