import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document, documentChanges, taking, testDocuments } from './changed-documents.ts';

const parameter = (place: string, shape: string, rest = ''): string =>
  document(`{parameters: [{in: ${place}, name: p, schema: ${shape}${rest}}]}`);

testDocuments([
  ...['query', 'header', 'cookie'].flatMap(place => [
    {
      rule: `another default of a parameter, ${place}`,
      before: parameter(place, '{type: integer, default: 1}'),
      after: parameter(place, '{type: integer, default: 2}'),
      there: [`request-default-changed breaking GET /a ${place} p`],
      back: [`request-default-changed breaking GET /a ${place} p`],
    },
    {
      rule: `a default of a parameter, ${place}`,
      before: parameter(place, '{type: integer}'),
      after: parameter(place, '{type: integer, default: 1}'),
      there: [`request-default-changed breaking GET /a ${place} p`],
      back: [`request-default-changed breaking GET /a ${place} p`],
    },
  ]),
  {
    rule: 'a default of a parameter, in version 2',
    before: 'swagger: "2.0"\npaths: {/a: {get: {parameters: [{in: query, name: p, type: integer, default: 1}]}}}\n',
    after: 'swagger: "2.0"\npaths: {/a: {get: {parameters: [{in: query, name: p, type: integer, default: 2}]}}}\n',
    there: ['request-default-changed breaking GET /a query p'],
    back: ['request-default-changed breaking GET /a query p'],
  },
  {
    rule: 'a default of a parameter that is one of several shapes at last',
    before: parameter('query', '{type: integer, default: 1}'),
    after: parameter('query', '{anyOf: [{type: integer}, {type: string}], default: 2}'),
    there: ['request-alternative-added safe GET /a query p', 'request-default-changed breaking GET /a query p'],
    back: ['request-alternative-removed breaking GET /a query p', 'request-default-changed breaking GET /a query p'],
  },
  {
    rule: 'a default of a parameter that is never left out',
    before: parameter('query', '{type: integer, default: 1}', ', required: true'),
    after: parameter('query', '{type: integer, default: 2}', ', required: true'),
    there: ['request-default-changed risky GET /a query p'],
    back: ['request-default-changed risky GET /a query p'],
  },
  {
    rule: 'null for what is left out',
    before: parameter('query', '{type: string, nullable: true}'),
    after: parameter('query', '{type: string, nullable: true, default: null}'),
    there: ['request-default-changed risky GET /a query p'],
    back: ['request-default-changed risky GET /a query p'],
  },
  {
    rule: 'defaults within a parameter',
    before: parameter('query', '{type: object, properties: {a: {default: 1}, l: {items: {default: 1}}}}'),
    after: parameter('query', '{type: object, properties: {a: {default: 2}, l: {items: {default: 2}}}}'),
    there: ['request-default-changed risky GET /a query p.a', 'request-default-changed risky GET /a query p.l[]'],
    back: ['request-default-changed risky GET /a query p.a', 'request-default-changed risky GET /a query p.l[]'],
  },
]);

test('what changes in a shape is told once, however it is taken, and what parameters alone break of it for itself', () => {
  const revision = (shape: string): string => {
    const named = '{$ref: "#/components/schemas/Id"}';
    const one = (place: string, required: boolean): string =>
      `{in: ${place}, name: ${place}, required: ${required}, schema: ${named}}`;
    return `openapi: 3.0.3
paths:
  /a/{path}: {get: {parameters: [${one('path', true)}, ${one('query', false)}, ${one('header', false)}]}}
  /b: {post: ${taking(named)}}
components: {schemas: {Id: ${shape}}}
`;
  };
  const changes = documentChanges(
    revision('{type: integer, maximum: 9, default: 1}'),
    revision('{type: integer, maximum: 5, default: 2}'),
  );
  assert.deepEqual(
    changes.map(({ id, severity, subject, services }) => `${severity} ${id} ${subject}: ${services.join(', ')}`).sort(),
    [
      'breaking request-default-changed Id: GET /a/{path}',
      'breaking request-maximum-changed Id: GET /a/{path}, POST /b',
      'risky request-default-changed Id: GET /a/{path}, POST /b',
    ],
  );
});
