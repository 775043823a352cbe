import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routesIn } from '../../../daemon/extract/contract-use/served-routes.ts';
import { readDocument } from '../../../daemon/extract/documents/read-document.ts';

/** What a code span is read as; a `~` behind a host that may be anybody's. */
const spans: readonly (readonly [string, string | undefined])[] = [
  ['GET /users/:id', 'GET /users/{}'],
  ['POST /orders HTTP/1.1', 'POST /orders'],
  ['PATCH /users/{id}', 'PATCH /users/{}'],
  ['DELETE /users/<int:id>/', 'DELETE /users/{}'],
  ['OPTIONS /files/*', 'OPTIONS /files/{}'],
  ['GET /users?limit=10#top', 'GET /users'],
  ['GET http://localhost:8080/users/42', 'GET /users/42'],
  ['GET {{base}}/users', 'GET /users'],
  ['PUT https://api.acme.com/users', 'PUT /users~'],
  ['GET https://api.example.com/users', 'GET /users'],
  ['GET /', 'GET /'],
  ['/users/:id', undefined],
  ['get /users', undefined],
  ['GET', undefined],
  ['GET users', undefined],
  ['GET /users and more', undefined],
  ['TRACE /users', undefined],
  ['GET //cdn/x', undefined],
];

function routesOf(text: string): readonly string[] {
  return readDocument(text).routes.map(({ method, path, isFar }) => `${method} ${path}${isFar ? '~' : ''}`);
}

for (const [text, expected] of spans) {
  test(`the code span ${JSON.stringify(text)} is ${expected ?? 'no route'}`, () => {
    assert.deepEqual(routesOf(`Ask \`${text}\`.\n`), expected === undefined ? [] : [expected]);
  });
}

const fences: readonly (readonly [string, string, readonly string[]])[] = [
  ['http', 'GET /users/:id HTTP/1.1\nHost: localhost:3000\n\nDELETE /users/1', ['GET /users/{}', 'DELETE /users/1']],
  ['http', 'GET /repos HTTP/1.1\nHost: api.github.com', ['GET /repos~']],
  ['sh', 'curl http://localhost:8080/orders', ['GET /orders']],
  ['sh', '$ curl -s -X POST "http://localhost:8080/orders?x=1" -d @a.json | jq .', ['POST /orders']],
  ['bash', 'curl -sXDELETE \\\n  -H "a: b" \\\n  $BASE_URL/orders/1', ['DELETE /orders/1']],
  ['', "curl localhost:8080/orders --json '{}'", ['POST /orders']],
  ['sh', 'curl -I https://acme.com/health', ['HEAD /health~']],
  ['text', 'GET /users   # all of them\nGET /home is where it is', ['GET /users']],
  ['', 'PUT /users/:id', ['PUT /users/{}']],
  ['sh', 'curl --version\nmycurl http://localhost/x', []],
  ['json', '{ "a": "GET /users" }', []],
  ['ts', 'GET /users', []],
];

for (const [info, code, expected] of fences) {
  test(`a fence of ${info || 'nothing'} with ${JSON.stringify(code)} names ${expected.length} routes`, () => {
    assert.deepEqual(routesOf(`# A\n\n\`\`\`${info}\n${code}\n\`\`\`\n`), expected);
  });
}

test('a route is told with where it stands', () => {
  const text = '# A\n\nSee `GET /users/:id`.\n\n> ```sh\n> curl -X POST \\\n>   http://localhost/orders -d x\n> ```\n';
  const told = readDocument(text).routes.map(({ rawText, line, column, endColumn, written }) => {
    assert.equal(text.split('\n')[line - 1]!.slice(column - 1, endColumn - 1), written);
    return [rawText, line, column, written];
  });
  assert.deepEqual(told, [
    ['GET /users/:id', 3, 6, 'GET /users/:id'],
    ['curl -X POST http://localhost/orders', 7, 5, 'http://localhost/orders'],
  ]);
});

test('what is written to hold the reader up is read in a moment', () => {
  for (const line of [
    'GET /',
    'curl '.repeat(9000),
    `curl ${'-X '.repeat(9000)}`,
    `GET ${'/{'.repeat(9000)}`,
    'curl \\\n',
  ]) {
    const startedMs = performance.now();
    readDocument(`\`\`\`sh\n${`${line}\n`.repeat(Math.ceil(20_000 / line.length))}\n\`\`\`\n`);
    assert.ok(performance.now() - startedMs < 4000, line.slice(0, 20));
  }
});

test('code and OpenAPI documents tell what is served, and what may be mounted', () => {
  const code =
    "import express from 'express';\nconst app = express();\napp.get('/users/:id', x);\napp.use('/orders', orders);\nfetch('/elsewhere');\n";
  assert.deepEqual(routesIn('src/app.ts', code), {
    routes: [{ method: 'GET', path: '/users/{}' }],
    mounts: ['/orders'],
  });
  const api =
    'openapi: 3.0.0\ninfo: { title: A }\nservers: [{ url: https://a.b/v2 }]\npaths:\n  /carts/{id}:\n    put: {}\n';
  assert.deepEqual(routesIn('api/openapi.yaml', api).routes, [
    { method: 'PUT', path: '/carts/{}' },
    { method: 'PUT', path: '/v2/carts/{}' },
  ]);
  assert.deepEqual(routesIn('src/none.ts', 'export const a = 1;\n'), { routes: [], mounts: [] });
});
