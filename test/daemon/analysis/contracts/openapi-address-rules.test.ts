import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document, documentChanges, testDocuments } from './changed-documents.ts';

const served = (servers: string, paths: string): string => `openapi: 3.0.3\nservers: [${servers}]\npaths: {${paths}}\n`;
const own = (servers: string): string => document(`{servers: [${servers}]}`, 'servers: [{url: https://x.com/v1}]\n');
const schemes = (told: string, operation = '{}'): string =>
  `swagger: "2.0"\n${told}\npaths: {/a: {get: ${operation}}}\n`;

testDocuments([
  {
    rule: 'a base path that moves from the server into paths',
    before: served('{url: /v1}', '"/pets/{id}": {get: {}}, /pets: {get: {}, post: {}}'),
    after: served('{url: /}', '"/v1/pets/{id}": {get: {}}, /v1/pets: {get: {}, post: {deprecated: true}}'),
    there: ['operation-deprecated safe POST /pets'],
    back: [],
  },
  {
    rule: 'a base path that moves into paths, for all but one',
    before: served('{url: /v1}', '/a: {get: {}}, /b: {get: {}}, /c: {get: {}}'),
    after: served('{url: https://x.com}', '/v1/a: {get: {}}, /b: {get: {}}, /d: {get: {}}'),
    there: [
      'operation-base-path-changed breaking GET /b',
      'operation-removed breaking GET /c',
      'operation-added safe GET /d',
    ],
    back: [
      'operation-base-path-changed breaking GET /b',
      'operation-removed breaking GET /d',
      'operation-added safe GET /c',
    ],
  },
  {
    rule: 'several base paths, which are held against each other as ever',
    before: served('{url: /v1}, {url: /}', '/a: {get: {}}'),
    after: served('{url: /v2}', '/a: {get: {}}'),
    there: ['base-path-changed breaking /v1'],
    back: ['base-path-changed breaking /v2'],
  },
  {
    rule: 'another base path, and another host, of an operation alone',
    before: document('{}', 'servers: [{url: https://x.com/v1}]\n'),
    after: own('{url: https://y.com/v2}'),
    there: ['operation-base-path-changed breaking GET /a', 'operation-hosts-changed risky GET /a'],
    back: ['operation-base-path-changed breaking GET /a', 'operation-hosts-changed risky GET /a'],
  },
  {
    rule: 'the address of a path, which stays where that of the document changes',
    before: served('{url: https://x.com/v1}', '/a: {servers: [{url: https://f.com}], get: {}}'),
    after: served('{url: https://y.com/v2}', '/a: {get: {servers: [{url: https://f.com/}]}}'),
    there: [],
    back: [],
  },
  {
    rule: 'the address of the document, where one path has its own',
    before: served('{url: /v1}', '/a: {servers: [{url: /f}], get: {}}, /b: {get: {}}'),
    after: served('{url: /v2}', '/a: {servers: [{url: /f}], get: {}}, /b: {get: {}}'),
    there: ['base-path-changed breaking /v1'],
    back: ['base-path-changed breaking /v2'],
  },
  {
    rule: 'schemes of version 2',
    before: schemes('schemes: [http, https]'),
    after: schemes('schemes: [http]'),
    there: ['https-removed risky https'],
    back: [],
  },
  {
    rule: 'schemes of an operation of version 2, and none told',
    before: schemes('', '{schemes: [https]}'),
    after: schemes('', '{schemes: [http]}'),
    there: ['operation-https-removed risky GET /a'],
    back: [],
  },
  {
    rule: 'https in servers of version 3, this machine apart',
    before: document('{}', 'servers: [{url: https://x.com}, {url: "http://localhost"}]\n'),
    after: document('{}', 'servers: [{url: "http://x.com"}]\n'),
    there: ['https-removed risky https'],
    back: [],
  },
]);

test('what changes in the address of a document is told of those that have none of their own', () => {
  const paths = '/a: {servers: [{url: /f}], get: {}}, /b: {get: {}}';
  const [change] = documentChanges(served('{url: /v1}', paths), served('{url: /v2}', paths));
  assert.deepEqual(change?.services, ['GET /b']);
});
