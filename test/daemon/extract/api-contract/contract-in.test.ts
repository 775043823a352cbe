import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractIn } from '../../../../daemon/extract/api-contract/contract-in.ts';
import { schemaIn } from '../../../../daemon/extract/api-contract/schema-in.ts';
import type { ContractFacts } from '../../../../daemon/model/contract.ts';

function contract(path: string, text: string): ContractFacts | undefined {
  return contractIn(path, Buffer.from(text));
}

const minimal = 'openapi: 3.0.3\ninfo: {title: Carts, version: "1"}\npaths: {}\n';

/** Whether a file is an OpenAPI document, as its content says. */
const recognised: readonly (readonly [path: string, text: string, version: string | undefined])[] = [
  ['api.yaml', minimal, '3.0.3'],
  ['anything', minimal, '3.0.3'],
  ['a.yml', `# a comment\n---\n${minimal}`, '3.0.3'],
  ['a.yml', `\ufeff%YAML 1.2\n---\n${minimal}`, '3.0.3'],
  ['a.yml', `info:\n  title: x\nopenapi: "3.1.0"\npaths: {}\n`, '3.1.0'],
  ['a.yml', `kind: x\n---\n${minimal}`, '3.0.3'],
  ['a.yml', `swagger: '2.0'\ninfo: {title: x}\n`, '2.0'],
  ['a.yml', `swagger: 2.0\npaths: {}\n`, '2.0'],
  ['a.yml', `"openapi": 3.0.0\r\npaths: {}\r\n`, '3.0.0'],
  ['a.json', '{"openapi":"3.0.0","info":{},"paths":{}}', '3.0.0'],
  ['a.json', `{"components":{"schemas":{"x":{"title":"}\\"{"}}},\n  "openapi" : "3.0.0"}`, '3.0.0'],
  ['a.json', '\ufeff \n{ "swagger": "2.0", "paths": {} }', '2.0'],
  ['a.json', '{"swagger":"2.0"}', undefined],
  ['a.json', '{"docs":{"openapi":"3.0.0","paths":{}}}', undefined],
  ['a.json', '{"paths":["openapi", "3.0.0"]}', undefined],
  ['package.json', '{"dependencies":{"openapi":"3.0.0"},"paths":{}}', undefined],
  ['a.yml', 'spec:\n  openapi: 3.0.0\n  paths: {}\n', undefined],
  ['a.yml', 'openapi: 4.0.0\npaths: {}\n', undefined],
  ['a.yml', 'openapi: spec.yaml\npaths: {}\n', undefined],
  ['a.yml', 'openapi: 3.0.0\ngenerator: go\n', undefined],
  ['a.yml', 'swagger: 1.2\npaths: {}\n', undefined],
  ['README.md', minimal, undefined],
  ['a.py', `SPEC = """\n${minimal}"""\n`, undefined],
  ['a.go', `package x\n\nconst spec = \`\n${minimal}\``, undefined],
  ['a.yaml', '', undefined],
  ['a.json', '{', undefined],
  ['a.yaml', 'a: openapi', undefined],
];

for (const [path, text, version] of recognised) {
  test(`${version === undefined ? 'no contract' : `OpenAPI ${version}`}: ${path} ${JSON.stringify(text.slice(0, 50))}`, () => {
    const found = contract(path, text);
    assert.equal(found?.outline?.type === 'openapi' ? found.outline.version : undefined, version);
    if (version === undefined) assert.equal(found, undefined);
    else assert.equal(found?.problem, undefined);
  });
}

const shop = `openapi: 3.0.3
info:
  title: Shop
  version: 1.10
servers:
  - url: https://{region}.acme.com/shop/v1/
    variables: {region: {default: eu}}
  - url: /shop/v1
  - url: http://localhost:8080
paths:
  /carts/{id}:
    parameters: []
    get:
      operationId: getCart
    "delete": {}
  /orders:
    $ref: '#/x-items/orders'
  x-note: {get: {}}
x-items:
  orders:
    post: {operationId: order}
`;

test('an outline has operations with their lines, and base paths without hosts', () => {
  assert.deepEqual(contract('shop.yaml', shop), {
    outline: {
      type: 'openapi',
      version: '3.0.3',
      title: 'Shop',
      apiVersion: '1.10',
      basePaths: ['/shop/v1'],
      hosts: ['eu.acme.com'],
      operations: [
        { method: 'GET', path: '/carts/{id}', operationId: 'getCart', line: 13 },
        { method: 'DELETE', path: '/carts/{id}', operationId: '', line: 15 },
        { method: 'POST', path: '/orders', operationId: 'order', line: 21 },
      ],
      marks: [{ kind: 'servers', says: 'public', line: 6, seen: 'https://eu.acme.com/shop/v1/' }],
    },
    uses: [],
  });
});

test('an outline has the paths whose operations are in other files, without methods', () => {
  const text = `openapi: 3.0.3
info: {title: x}
paths:
  /things: {$ref: './parts/s.yaml'}
  /carts: {get: {operationId: list}}
  /parts: {$ref: '#/components/pathItems/Parts'}
  /nowhere: {$ref: '#/components/pathItems/None'}
  x-things: {$ref: './parts/s.yaml'}
components: {pathItems: {Parts: {$ref: 'parts/s.yaml#/~1parts'}, Loop: {$ref: '#/components/pathItems/Loop'}}}
`;
  const outline = contract('a.yaml', text)?.outline;
  assert.deepEqual(outline?.type === 'openapi' && outline.operations, [
    { method: 'GET', path: '/carts', operationId: 'list', line: 5 },
    { method: '', path: '/things', operationId: '', line: 4 },
    { method: '', path: '/parts', operationId: '', line: 6 },
  ]);
});

test('an outline of version 2 has its base path', () => {
  const outline = contract(
    'a.json',
    '{"swagger":"2.0","info":{"title":"x"},"host":"h","basePath":"/api/","paths":{}}',
  )?.outline;
  assert.deepEqual(outline?.type === 'openapi' && outline.basePaths, ['/api']);
});

test('an outline of a proto file has what is told without reading it again', () => {
  const text = `syntax = "proto3"; package a.b; import "c.proto"; option go_package = "x/y"; option (o) = {};
service S { option (google.api.api_visibility).restriction = "INTERNAL"; rpc R(M) returns (M); }
enum E { A = 0; } message M { message N {} N n = 1; .c.T t = 2; map<string, c.V> v = 3; google.protobuf.Any any = 4; }`;
  assert.deepEqual(contract('a.proto', text), {
    outline: {
      type: 'proto',
      syntax: 'proto3',
      package: 'a.b',
      imports: [{ path: 'c.proto', line: 1 }],
      options: { go_package: 'x/y' },
      services: [{ name: 'S', line: 2, methods: [{ name: 'R', line: 2, routes: [] }] }],
      types: [
        { name: 'M', line: 3 },
        { name: 'M.N', line: 3 },
        { name: 'E', line: 3 },
      ],
      uses: ['.c.T', 'N', 'c.V'],
      marks: [
        { kind: 'declared', says: 'internal', line: 2, seen: '(google.api.api_visibility).restriction = INTERNAL' },
      ],
    },
    uses: [],
  });
});

/** What is wrong with a document that is one. */
const problems: readonly (readonly [text: string, line: number, says: RegExp])[] = [
  [`${minimal}  x: 1\n`, 4, /./],
  [`openapi: 3.0.0\npaths:\n\tget: {}\n`, 3, /a tab stands where YAML takes blanks alone/],
  ['openapi: 3.0.0\npaths: {}\ninfo: {}\npaths: {}\n', 4, /the key "paths" stands in this map before/],
  ['openapi: 3.0.0\npaths: {}\ninfo: {title: "x}\n', 4, /./],
  ['openapi: 3.0.0\ninfo:\n  title: {{ .Values.title }}\npaths: {}\n', 3, /a template stands here/],
  ['{{- if .Values.docs }}\nopenapi: 3.0.0\npaths: {}\n{{- end }}\n', 1, /a template stands here/],
  ['openapi: 3.0.0\npaths: *nowhere\n', 2, /the alias \*nowhere names no anchor/],
  ['openapi: 3.0.0\npaths: &p\n  x: *p\n', 3, /names no anchor that stands before it/],
  ['{"openapi":"3.0.0",\n"paths":{}\n"info":{}}', 3, /a comma is missing/],
  ['{"openapi":"3.0.0","paths":{}', 1, /an object is not ended/],
  ['{"openapi":"3.0.0","paths":{} // x\n}', 1, /JSON has no comments/],
  [`openapi: 3.0.0\npaths: ${'['.repeat(1_000_000)}`, 2, /values lie more than 200 deep/],
  [`openapi: 3.0.0\npaths:\n  ${'- '.repeat(1_000)}`, 3, /values lie more than 200 deep/],
  [`{"openapi":"3.0.0","paths":${'['.repeat(1_000_000)}`, 1, /values lie more than 200 deep/],
];

for (const [text, line, says] of problems) {
  test(`a document that can't be read is told with its line: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const found = contract('a.yaml', text);
    assert.equal(found?.problem?.line, line);
    assert.match(found?.problem?.message ?? '', says);
    assert.equal(found?.outline?.type, 'openapi');
    const schema = schemaIn('a.yaml', Buffer.from(text));
    assert.ok(schema !== undefined && 'problem' in schema);
  });
}

test('aliases that make a thousand million nodes of ten lines are told', () => {
  const levels = Array.from({ length: 9 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(10)}]`);
  const found = contract('a.yaml', ['openapi: 3.0.0', 'paths: {}', 'x0: &x0 1', ...levels].join('\n'));
  assert.match(found?.problem?.message ?? '', /aliases make too much of it/);
  assert.equal(found?.problem?.line, 1);
  assert.deepEqual(found?.outline, {
    ...{
      type: 'openapi',
      version: '3.0.0',
      title: '',
      apiVersion: '',
      basePaths: [],
      hosts: [],
      operations: [],
      marks: [],
    },
  });
});

test('aliases that make a document too deep are told', () => {
  const levels = Array.from({ length: 300 }, (_, at) => `x${at + 1}: &x${at + 1} [*x${at}]`);
  const found = contract('a.yaml', ['openapi: 3.0.0', 'paths: {}', 'x0: &x0 1', ...levels].join('\n'));
  assert.match(found?.problem?.message ?? '', /or make it too deep/);
});

test('keys that are merged into every map are told', () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => `  k${at}: 1`).join('\n');
  const maps = Array.from({ length: 1_000 }, (_, at) => `m${at}: {<<: *base}`).join('\n');
  const found = contract('a.yaml', `openapi: 3.0.0\npaths: {}\nbase: &base\n${keys}\n${maps}\n`);
  assert.match(found?.problem?.message ?? '', /keys are merged into too many maps/);
});

test('what is merged counts where the map has nothing of its own', () => {
  const text = `openapi: 3.0.0
x: &base {get: {operationId: a}, put: {operationId: b}}
paths:
  /a: {get: {operationId: own}, <<: *base}
`;
  const outline = contract('a.yaml', text)?.outline;
  assert.deepEqual(
    outline?.type === 'openapi' &&
      outline.operations.map(({ method, operationId, line }) => [method, operationId, line]),
    [
      ['GET', 'own', 4],
      ['PUT', 'b', 2],
    ],
  );
});

/** Of what costs a megabyte: none more than a few seconds, most of them the parser's. */
const megabyte = 1024 * 1024;
const heavy: readonly (readonly [name: string, text: string])[] = [
  ['many keys', `${minimal}${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n')}`],
  ['commas', `openapi: 3.0.0\npaths: [${','.repeat(30_000)}`],
  ['closing braces', `openapi: 3.0.0\npaths: ${'}'.repeat(30_000)}`],
  ['aliases', `openapi: 3.0.0\npaths: {}\na: &a 1\nb:\n${'  - *a\n'.repeat(20_000)}`],
  ['documents', `${minimal}${'---\n'.repeat(megabyte / 16)}`],
  ['the word alone', 'openapi: 3'.repeat(megabyte / 10)],
  ['a quote without an end', `{"openapi":"3.0.0","paths":"${'x'.repeat(megabyte)}`],
  ['backslashes', `{"openapi":"3.0.0","paths":"${'\\\\'.repeat(megabyte / 2)}`],
  ['braces', `${'{'.repeat(megabyte)}"openapi":"3"`],
  ['blank lines', `openapi: 3.0.0\npaths: {}${'\n'.repeat(megabyte / 4)}`],
];

for (const [name, text] of heavy) {
  test(`costs what its length costs, and throws nothing: ${name}`, () => {
    const start = process.cpuUsage();
    contract('a.yaml', text);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 6_000_000, `${user / 1000} ms`);
  });
}

test('references that lead to each other, and names that objects have, are no trouble', () => {
  const text = `openapi: 3.0.0
paths:
  /a: {$ref: '#/paths/~1b'}
  /b: {$ref: '#/paths/~1a'}
  /__proto__: {get: {parameters: [{$ref: '#/x'}], responses: {__proto__: {$ref: '#/components/responses/R'}}}}
x: {$ref: '#/x'}
components:
  responses: {R: {$ref: '#/components/responses/R'}}
  schemas: {__proto__: {$ref: '#/components/schemas/__proto__'}, constructor: {type: object}}
`;
  const read = schemaIn('a.yaml', Buffer.from(text));
  assert.ok(read !== undefined && 'schema' in read && read.type === 'openapi');
  assert.deepEqual(
    read.schema.operations.map(({ path, responses }) => [path, responses.map(({ status }) => status)]),
    [['/__proto__', ['__proto__']]],
  );
  assert.deepEqual(
    [...read.schema.shapes.keys()],
    ['#/components/schemas/__proto__', '#/components/schemas/constructor'],
  );
});
