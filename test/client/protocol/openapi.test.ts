import assert from 'node:assert/strict';
import { test } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Compile } from 'typebox/compile';
import {
  Fault,
  type FaultReason,
  faultBody,
  faultTable,
  servedCode,
  servedFaultBody,
} from '../../../client/protocol/faults.ts';
import { impliedFaults, openApiDocument } from '../../../client/protocol/openapi.ts';
import { keyScopeOf, type Operation, pathFields } from '../../../client/protocol/operation.ts';
import { operationNames, operations } from '../../../client/protocol/registry.ts';
import { serialiseOutput } from '../../../client/protocol/serialise.ts';
import { ErrorBody, ServedErrorBody } from '../../../client/protocol/shapes.ts';
import { validateInput } from '../../../client/protocol/validate.ts';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-rpc-method': string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { in: string; name: string; required: boolean; schema: { default?: unknown } }[];
  readonly requestBody?: {
    readonly 'x-rpc-field'?: string;
    readonly content: { 'application/json'?: { schema: { $ref: string }; example?: object } };
  };
  readonly responses: Readonly<Record<string, { description: string }>>;
}

const document = openApiDocument({ version: '1.2.3' });
const paths = document['paths'] as Record<string, Record<string, Described>>;
const all = operationNames.map(name => [name, operations[name] as Operation] as const);

test('the description is a valid OpenAPI 3.0 document', async () => {
  assert.equal(document['openapi'], '3.0.3');
  await SwaggerParser.validate(JSON.parse(JSON.stringify(document)) as string);
});

test('it keeps to the words of 3.0 and to ours out of it', () => {
  const walk = (value: unknown, at: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${at}/${index}`);
    else if (typeof value === 'object' && value !== null) {
      for (const [keyword, inner] of Object.entries(value)) {
        assert.ok(!['const', 'patternProperties', 'x-expects', 'x-comma-list'].includes(keyword), `${at}/${keyword}`);
        if (keyword === 'type') assert.notEqual(inner, 'null', at);
        if (keyword === 'nullable' && inner === true) {
          const { type, enum: values } = value as { type?: string; enum?: readonly unknown[] };
          assert.equal(typeof type, 'string', `${at}: null counts beside a type alone`);
          assert.ok(values === undefined || values.includes(null), `${at}: null is none of the values`);
        }
        if (keyword === 'type' && !at.endsWith('/properties')) assert.equal(typeof inner, 'string', at);
        walk(inner, `${at}/${keyword}`);
      }
    }
  };
  walk(document['paths'], '/paths');
  walk(document['components'], '/components');
});

test('every operation that HTTP reaches is described: fields, faults, who may ask', () => {
  const ids = new Set<string>();
  let described = 0;
  for (const [name, operation] of all) {
    if (operation.http === undefined) continue;
    const path = operation.http.path.replace(/(?<=\/):([A-Za-z]+)\*?/g, '{$1}');
    const entry = paths[path]?.[operation.http.method.toLowerCase()];
    assert.ok(entry, name);
    described++;
    ids.add(entry.operationId);
    assert.deepEqual([entry.summary, entry['x-rpc-method']], [operation.summary, name]);
    const isServed = keyScopeOf(operation.scope) !== undefined;
    assert.equal(entry.security !== undefined, isServed, `${name}: else the document's own security holds`);
    const inPath = pathFields(operation.http.path);
    const { body, stream, headers = {} } = operation.http;
    assert.equal(entry.requestBody?.['x-rpc-field'], (body ?? stream)?.field, name);
    // In place of a body, a file of the daemon’s own machine is named over the socket alone.
    const apart = [body?.field, stream?.field, stream?.mediaField, stream && 'file'];
    for (const field of body === undefined ? Object.keys(operation.input.properties) : []) {
      if (apart.includes(field)) continue;
      const place = inPath.includes(field) ? 'path' : Object.hasOwn(headers, field) ? 'header' : 'query';
      const shown = headers[field] ?? field;
      const listed = entry.parameters.some(parameter => parameter.in === place && parameter.name === shown);
      assert.equal(listed || bodyFieldsOf(entry).includes(field), true, `${name}.${field}`);
    }
    for (const reason of [...operation.faults, ...impliedFaults(operation)]) {
      const answer = entry.responses[String(faultTable[reason].status)];
      const code = isServed ? servedCode(new Fault(reason, '')) : faultTable[reason].code;
      assert.ok(answer?.description.includes(`${code}: `), `${name} ${reason}`);
    }
    const scoped = entry.parameters.some(parameter => parameter.name === 'X-SVC-Repo');
    assert.equal(scoped, operation.scope === 'repository', name);
  }
  assert.equal(ids.size, described, 'operation ids are unique');
  const entries = Object.values(paths).flatMap(methods => Object.keys(methods));
  assert.equal(entries.length, described, 'nothing is described that is not there');
});

test('what a caller may leave out is not required, and says its default', () => {
  const search = paths['/search']!['get']!;
  const required = search.parameters.filter(parameter => parameter.required).map(parameter => parameter.name);
  assert.deepEqual(required, ['q']);
  const defaults = new Map(search.parameters.map(({ name, schema }) => [name, schema.default]));
  assert.deepEqual([defaults.get('limit'), defaults.get('repoStateMode'), defaults.get('sync')], [50, 'full', false]);
});

test('an example of a body fits the schema of the body', () => {
  const bodies = Object.values(paths).flatMap(methods => Object.values(methods).filter(entry => entry.requestBody));
  let shown = 0;
  for (const entry of bodies) {
    const example = entry.requestBody?.content['application/json']?.example;
    if (example === undefined) continue;
    shown++;
    for (const field of Object.keys(example)) assert.ok(bodyFieldsOf(entry).includes(field), entry.operationId);
  }
  assert.ok(shown > 0);
});

test('every fault’s body fits the schema of errors', () => {
  const validator = Compile(ErrorBody);
  const served = Compile(ServedErrorBody);
  for (const reason of Object.keys(faultTable) as FaultReason[]) {
    const fault = new Fault(reason, 'No', { details: { a: 1 }, drilldowns: [{ label: 'x', query: '/search?q=x' }] });
    assert.deepEqual(validator.Errors(faultBody(fault)), [], reason);
    assert.deepEqual(served.Errors(servedFaultBody(fault)), [], reason);
    assert.match(servedCode(fault), /^[a-z]+(_[a-z]+)*$/, reason);
  }
});

test('every example is a question that is accepted and an answer that fits', () => {
  const shown = all.filter(([, operation]) => operation.example !== undefined);
  assert.ok(shown.length >= 8, `only ${shown.length} operations show an example`);
  for (const [name, operation] of shown) {
    const { input, output } = operation.example!;
    validateInput(operation, { input: input as Record<string, unknown>, invalidAs: () => 'invalidBody' });
    assert.deepEqual(Compile(operation.output).Errors(output), [], name);
    assert.deepEqual(JSON.parse(serialiseOutput(operation, output)), output, `${name} loses nothing`);
  }
});

test('an answer that lacks what its schema promises is no answer', () => {
  const { output } = operations['symbols.get'].example!;
  const { name, ...nameless } = output;
  assert.equal(name, output.name);
  assert.throws(() => serialiseOutput(operations['symbols.get'], nameless as typeof output), /name/);
  assert.throws(() => serialiseOutput(operations['symbols.get'], { ...output, confidence: Number.NaN }), /NaN/);
  const nothing = { jobs: [], total: 0, timestamp: '2026-01-01T00:00:00.000Z' };
  assert.equal(serialiseOutput(operations['jobs.list'], nothing), JSON.stringify(nothing));
});

test('null stays null, and what the schema does not know stays here', () => {
  const delta = {
    enabled: true,
    schemaVersion: 1,
    activeSnapshotId: null,
    lastDeltaIngested: null,
    pendingDeltas: 0,
    timestamp: '2026-01-01T00:00:00.000Z',
  };
  const secret = { ...delta, token: 'secret' };
  assert.equal(serialiseOutput(operations['delta.status'], secret), JSON.stringify(delta));
});

function bodyFieldsOf({ requestBody }: Described): readonly string[] {
  const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
  if (name === undefined) return [];
  const { schemas } = document['components'] as { schemas: Record<string, { properties: object }> };
  return Object.keys(schemas[name]!.properties);
}
