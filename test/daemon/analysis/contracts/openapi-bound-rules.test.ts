import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document, documentChanges, type ShapeRule, taking, testDocuments, testShapes } from './changed-documents.ts';

/** A bound that comes closer, and goes farther the other way round. */
const closer = (rule: string, before: string, after: string, id: string): ShapeRule => ({
  rule,
  before,
  after,
  taken: [`${id} breaking`],
  takenBack: [`${id} safe`],
  answered: [`${id} safe`],
  answeredBack: [`${id} breaking`],
});

const same = (rule: string, before: string, after: string): ShapeRule => ({
  rule,
  before,
  after,
  taken: [],
  takenBack: [],
  answered: [],
  answeredBack: [],
});

testShapes([
  closer(
    'a bound that is not taken itself in place of one that is',
    '{type: number, minimum: 1}',
    '{type: number, exclusiveMinimum: 5}',
    'minimum-changed',
  ),
  closer(
    'a bound that is taken itself in place of one that is not',
    '{type: number, exclusiveMinimum: 1}',
    '{type: number, minimum: 5}',
    'minimum-changed',
  ),
  closer(
    'a bound that is not taken itself any more',
    '{type: number, maximum: 100}',
    '{type: number, maximum: 100, exclusiveMaximum: true}',
    'maximum-changed',
  ),
  closer(
    'a bound that moves and is not taken itself any more',
    '{type: number, maximum: 100}',
    '{type: number, maximum: 50, exclusiveMaximum: true}',
    'maximum-changed',
  ),
  closer(
    'of two bounds the stricter counts',
    '{type: number, minimum: 2, exclusiveMinimum: 1}',
    '{type: number, minimum: 2, exclusiveMinimum: 2}',
    'minimum-changed',
  ),
  closer(
    'of bounds in all of several shapes the strictest counts',
    '{type: number, maximum: 9}',
    '{allOf: [{type: number, maximum: 9}, {maximum: 9, exclusiveMaximum: true}]}',
    'maximum-changed',
  ),
  same(
    'a bound beside a stricter one',
    '{type: number, minimum: 5, maximum: 7}',
    '{type: number, minimum: 5, exclusiveMinimum: 1, maximum: 7, exclusiveMaximum: 8}',
  ),
  same('a bound that is said not to be excluded', '{minimum: 5}', '{minimum: 5, exclusiveMinimum: false}'),
  same(
    'bounds of whole numbers, in all ways to write them',
    '{type: integer, minimum: 1, maximum: 9}',
    '{type: integer, minimum: 0, exclusiveMinimum: true, exclusiveMaximum: 9.5}',
  ),
  same(
    'fractional bounds of whole numbers, below zero too',
    '{type: integer, minimum: -2.5, exclusiveMaximum: -0.5}',
    '{type: integer, exclusiveMinimum: -3, maximum: -1}',
  ),
  {
    rule: 'bounds of whole numbers, where others come to be taken',
    before: '{type: integer, minimum: 1}',
    after: '{type: number, exclusiveMinimum: 0}',
    taken: ['type-widened safe'],
    takenBack: ['type-changed breaking'],
    answered: ['type-changed breaking'],
    answeredBack: ['type-narrowed safe'],
  },
]);

testDocuments([
  {
    rule: 'the same bounds in versions that write them otherwise',
    before: document(taking('{type: number, minimum: 0, exclusiveMinimum: true, maximum: 9}')),
    after: document(taking('{type: number, exclusiveMinimum: 0, maximum: 9}'), '', '3.1.0'),
    there: [],
    back: [],
  },
]);

test('a bound that is not taken itself is told so', () => {
  const [change] = documentChanges(
    document(taking('{type: number, minimum: 1}')),
    document(taking('{type: number, exclusiveMinimum: 5}')),
  );
  assert.equal(
    change?.message,
    'minimum of request changed from 1 to 5, which is excluded itself: some values are refused',
  );
});
