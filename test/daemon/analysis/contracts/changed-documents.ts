import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContractChange } from '../../../../daemon/analysis/contracts/breaking/change.ts';
import { openApiChanges } from '../../../../daemon/analysis/contracts/breaking/openapi/compare-openapi.ts';
import { schemaIn } from '../../../../daemon/extract/api-contract/schema-in.ts';
import type { OpenApiSchema } from '../../../../daemon/model/openapi-schema.ts';

/** A document, and the files that it may refer to. */
export function openApi(text: string, others: Readonly<Record<string, string>> = {}): OpenApiSchema {
  const files = new Map(Object.entries(others).map(([path, one]) => [path, Buffer.from(one)]));
  const read = schemaIn('api.yaml', Buffer.from(text), files);
  assert.ok(read !== undefined && 'schema' in read && read.type === 'openapi', JSON.stringify(read));
  return read.schema;
}

export function documentChanges(before: string, after: string): readonly ContractChange[] {
  const path = 'api.yaml';
  return openApiChanges({ path, schema: openApi(before) }, { path, schema: openApi(after) });
}

/** Of each change its rule, its severity, and its subject. */
export function toldBy(before: string, after: string): readonly string[] {
  return documentChanges(before, after).map(({ id, severity, subject }) => `${id} ${severity} ${subject}`);
}

/** A document with this operation at `GET /a`, and further keys of the root. */
export function document(operation: string, rest = '', version = '3.0.3'): string {
  return `openapi: ${version}\ninfo: {title: x}\npaths: {/a: {get: ${operation}}}\n${rest}`;
}

/** An operation that answers this shape, and one that takes it. */
export function answering(shape: string): string {
  return `{responses: {200: {content: {application/json: {schema: ${shape}}}}}}`;
}

export function taking(shape: string): string {
  return `{requestBody: {content: {application/json: {schema: ${shape}}}}}`;
}

export interface DocumentRule {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
  readonly there: readonly string[];
  readonly back: readonly string[];
}

/** Each rule holds there and back, and a revision has no changes from itself. */
export function testDocuments(rules: readonly DocumentRule[]): void {
  for (const { rule, before, after, there, back } of rules) {
    test(`OpenAPI changes: ${rule}`, () => {
      assert.deepEqual([...toldBy(before, after)].sort(), [...there].sort());
      assert.deepEqual([...toldBy(after, before)].sort(), [...back].sort());
      assert.deepEqual(toldBy(before, before), []);
    });
  }
}

/** The same change of a shape where it is taken and where it is answered, there and back; `where` is behind the place's name. */
export interface ShapeRule {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
  readonly taken: readonly string[];
  readonly takenBack: readonly string[];
  readonly answered: readonly string[];
  readonly answeredBack: readonly string[];
}

export function testShapes(rules: readonly ShapeRule[]): void {
  testDocuments(
    rules.flatMap(({ rule, before, after, taken, takenBack, answered, answeredBack }) => [
      {
        rule: `${rule}, in requests`,
        before: document(taking(before)),
        after: document(taking(after)),
        there: taken.map(told => inPlace(told, 'request')),
        back: takenBack.map(told => inPlace(told, 'request')),
      },
      {
        rule: `${rule}, in answers`,
        before: document(answering(before)),
        after: document(answering(after)),
        there: answered.map(told => inPlace(told, 'response')),
        back: answeredBack.map(told => inPlace(told, 'response')),
      },
    ]),
  );
}

/** `type-changed breaking .a` as `request-type-changed breaking GET /a request.a`. */
function inPlace(told: string, direction: 'request' | 'response'): string {
  const [id, severity, where = ''] = told.split(' ');
  return `${direction}-${id} ${severity} GET /a ${direction === 'request' ? 'request' : 'response 200'}${where}`;
}
