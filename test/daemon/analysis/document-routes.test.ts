import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeState, routeTable, type SeenFile } from '../../../daemon/analysis/docs/route-table.ts';
import { readDocument } from '../../../daemon/extract/documents/read-document.ts';

const seen: readonly SeenFile[] = [
  {
    path: 'src/app.ts',
    routes: [
      { method: 'GET', path: '/users/{}' },
      { method: 'POST', path: '/users' },
      { method: 'GET', path: '/api/v1/orders/{}/lines' },
      { method: 'GET', path: '/reports/{}.json' },
      { method: '', path: '/hooks/{}' },
      { method: 'GET', path: '/assets/{}', isOpen: true },
      { method: 'GET', path: '/orders/open' },
    ],
    mounts: ['/carts'],
  },
  { path: 'src/routes/baskets.ts', routes: [{ method: 'DELETE', path: '/{}' }], mounts: [] },
];

/** A route in a document, and what it comes to: the route it is, `stale` with what is most like it, or nothing. */
const rows: readonly (readonly [string, string])[] = [
  ['GET /users/:id', 'GET /users/{}'],
  ['GET /users/42', 'GET /users/{}'],
  ['HEAD /users/{id}', 'GET /users/{}'],
  ['OPTIONS /users', 'POST /users'],
  ['GET /api/users/:id', 'GET /users/{}'],
  ['GET /orders/{id}/lines', 'GET /api/v1/orders/{}/lines'],
  ['GET /reports/may.json', 'GET /reports/{}.json'],
  ['PUT /hooks/:name', ' /hooks/{}'],
  ['DELETE /carts/:id', 'DELETE /{}'],
  ['DELETE /users/:id', 'stale GET /users/:id'],
  ['PUT /api/users/:id', 'stale GET /api/users/:id'],
  ['GET /users/:id/posts', 'stale GET /users/:id'],
  ['GET /api/v1/orders/:id/rows', 'stale GET /api/v1/orders/:id/lines'],
  ['GET /assets/js/app.js', ''],
  ['GET /orders/:state', ''],
  ['DELETE /baskets/:id', ''],
  ['GET /repos/:owner', ''],
  ['GET /api/v1/elsewhere', ''],
  ['GET /users/*', 'GET /users/{}'],
  ['PATCH /users/*', ''],
  ['GET https://api.github.com/users/:id/repos', ''],
  ['GET https://api.github.com/users/:id', 'GET /users/{}'],
  ['GET /', ''],
];

function told(text: string, files = seen, isRead = true, isPast = false): string {
  const state = routeState(readDocument(`\`${text}\``).routes[0]!, routeTable(files, isRead), isPast);
  if (state.kind === 'open') return '';
  return state.kind === 'stale' ? `stale ${state.suggestion}` : `${state.method} ${state.path}`;
}

for (const [text, expected] of rows) {
  test(`${text} is ${expected || 'open'}`, () => assert.equal(told(text), expected));
}

test('nothing is stale where nobody knows all routes, or of another day', () => {
  assert.equal(told('DELETE /users/:id', []), '');
  assert.equal(told('DELETE /users/:id', seen, false), '');
  assert.equal(told('DELETE /users/:id', seen, true, true), '');
  assert.equal(told('GET /users/:id', seen, false, true), 'GET /users/{}');
});
