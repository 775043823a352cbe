import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationNames, operations } from '../../../client/protocol/registry.ts';
import { SymbolKey } from '../../../client/protocol/shapes.ts';
import { symbolFields, symbolIdsIn } from '../../../client/protocol/symbol-fields.ts';

test('every field that names a symbol is known to', () => {
  const naming = operationNames.flatMap(name =>
    Object.entries(operations[name].input.properties)
      .filter(([, schema]) => schema === SymbolKey)
      .map(([field]) => field),
  );
  assert.deepEqual([...new Set(naming)].sort(), [...symbolFields].sort());
});

test('ids are told from names, and from what else an operation calls an id', () => {
  const id = `svc:app:sym:${'0'.repeat(32)}`;
  assert.deepEqual(symbolIdsIn({ id, from: 'main', to: 7, other: id }), [{ field: 'id', id }]);
  assert.deepEqual(symbolIdsIn({ id: 'job-1', to: 'svc:app:sym:0' }), [{ field: 'to', id: 'svc:app:sym:0' }]);
});
