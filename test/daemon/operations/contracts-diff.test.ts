import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon, svc, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { overHttp, shopOf, shopTrees } from '../../support/shop.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client, home } = daemon;
const { cart, checkout, web } = await shopOf(afterAll, daemon);
const name = 'shop';

const cartProto = textAt('cart', 'proto/cart.proto');
const ordersApi = textAt('checkout', 'api/openapi.yaml');

cart.git('tag', 'v1');
cart.write('proto/cart.proto', cartProto.replace('rpc AddItem(Cart) returns (Cart);', ''));
cart.write('proto/spare.proto', 'syntax = "proto3";\npackage shop.spare;\nmessage Spare {}\n');
commit(cart, 'v2');
cart.write('proto/cart.proto', `${cartProto}message Voucher { string id = 1; }\n`);
cart.git('rm', '--quiet', 'proto/spare.proto');
commit(cart, 'v3');
// Not committed.
cart.write('proto/cart.proto', cartProto.replace('message Cart { string id = 1; }', 'message Cart { int64 id = 1; }'));
cart.write('proto/broken.proto', 'syntax = "proto3";\nmessage {\n');
const partsApi = widgets(' delete: { responses: {} },');
checkout.write('api/widgets.yaml', partsApi);
commit(checkout, 'v1');
checkout.write('api/widgets.yaml', partsApi.replace('{ get: { responses: {} } }', '{}'));
commit(checkout, 'v2');
checkout.write('api/widgets.yaml', partsApi.replace('paths:', 'servers: [{ url: /v2 }]\npaths:'));
commit(checkout, 'v3');
checkout.write('api/widgets.yaml', widgets(''));
cart.write(
  'widgets/all.go',
  'package widgets\nimport "net/http"\nfunc all() { http.Get("http://checkout:8080/widgets") }\n',
);
web.write(
  'src/parts.ts',
  `export const drop = (id: string) => fetch(\`http://checkout/widgets/\${id}/parts\`, { method: 'DELETE' });
export const labels = (id: string) => fetch(\`http://checkout/widgets/\${id}/labels\`);
`,
);
checkout.write('api/openapi.yaml', ordersApi.replace('/orders/{id}/lines', '/orders/{id}/rows'));
checkout.remove('proto/checkout.proto');
// From now on nobody is known who uses what is gone.
await client.federation.sync({ name });

function widgets(ofParts: string): string {
  return `openapi: 3.0.3
info: { title: Widgets API, version: '1' }
paths:
  /widgets: { get: { responses: {} } }
  /widgets/{id}/parts: {${ofParts} put: { responses: {} } }
  /widgets/{id}/labels: { post: {}, get: {} }
`;
}

function textAt(repository: keyof typeof shopTrees, path: string): string {
  const [, rest = ''] = shopTrees[repository].split(`-- ${path} --\n`);
  return rest.split(/^-- /m, 1)[0]!;
}

function commit({ git }: typeof cart, tag: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', tag);
  git('tag', tag);
}

interface Row {
  readonly says: string;
  readonly asked: { readonly repoId: 'cart' | 'checkout'; readonly path: string } & Readonly<
    Record<string, unknown>
  > & {
      readonly base: string;
    };
  /** Severity, rule, what changed, and who is hit. */
  readonly changes: readonly string[];
}

const proto = { repoId: 'cart', path: 'proto/cart.proto' } as const;
const spare = { repoId: 'cart', path: 'proto/spare.proto' } as const;
const placing = { repoId: 'checkout', path: 'proto/checkout.proto' } as const;
const parts = { repoId: 'checkout', path: 'api/widgets.yaml', includeHeuristic: true } as const;
const orders = { repoId: 'checkout', path: 'api/openapi.yaml' } as const;

const rows: readonly Row[] = [
  { says: 'nothing changed', asked: { ...proto, base: 'v1', head: 'v1' }, changes: [] },
  {
    says: 'a method went',
    asked: { ...proto, base: 'v1', head: 'v2' },
    changes: ['breaking rpc-deleted shop.cart.v1.CartService.AddItem [checkout]'],
  },
  {
    says: 'and the other way round it came: nobody is hit',
    asked: { ...proto, base: 'v2', head: 'v1' },
    changes: ['safe rpc-added shop.cart.v1.CartService.AddItem []'],
  },
  {
    says: 'a message came that no method has',
    asked: { ...proto, base: 'v1', head: 'v3' },
    changes: ['safe message-added shop.cart.v1.Voucher []'],
  },
  {
    says: 'the work tree is compared where no head is told',
    asked: { ...proto, base: 'v1' },
    changes: ['breaking field-type-changed shop.cart.v1.Cart.id [checkout]'],
  },
  {
    says: 'a file that came',
    asked: { ...spare, base: 'v1', head: 'v2' },
    changes: ['safe file-added proto/spare.proto []'],
  },
  {
    says: 'a file that went',
    asked: { ...spare, base: 'v2', head: 'v3' },
    changes: ['breaking file-deleted proto/spare.proto []'],
  },
  {
    says: 'who calls a service is hit where nobody declares it any more',
    asked: { ...placing, base: 'v1' },
    changes: ['breaking file-deleted proto/checkout.proto [web]'],
  },
  {
    says: 'who calls by a route is told where guesses are asked for',
    asked: { ...orders, base: 'v1', includeHeuristic: true },
    changes: [
      'breaking operation-removed GET /orders/{id}/lines [web]',
      'safe operation-added GET /orders/{id}/rows []',
    ],
  },
  {
    says: 'and not where they are not',
    asked: { ...orders, base: 'v1' },
    changes: ['breaking operation-removed GET /orders/{id}/lines []', 'safe operation-added GET /orders/{id}/rows []'],
  },
  {
    says: 'who calls by a route is hit by what changes in the operations that they call, as it was called before',
    asked: { ...parts, base: 'v1' },
    changes: ['breaking operation-removed DELETE /widgets/{id}/parts [web]'],
  },
  {
    says: 'and another by those of theirs',
    asked: { ...parts, base: 'v1', head: 'v2' },
    changes: ['breaking operation-removed GET /widgets [cart]'],
  },
  {
    says: 'and all by what changes in the whole document',
    asked: { ...parts, base: 'v1', head: 'v3' },
    changes: ['breaking base-path-changed / [cart web]'],
  },
];

for (const { says, asked, changes } of rows) {
  test(says, async () => {
    const answer = await client.contracts.diff({ name, ...asked });
    const told = answer.changes.map(
      ({ severity, id, subject, consumers }) =>
        `${severity} ${id} ${subject} [${consumers.map(({ repoId }) => repoId).join(' ')}]`,
    );
    assert.deepEqual(told, changes);
    const count = (severity: string): number => changes.filter(row => row.startsWith(severity)).length;
    const hit = changes
      .filter(row => row.startsWith('breaking'))
      .flatMap(row => row.match(/(?<=\[.*)\w+(?=.*\])/g) ?? []);
    assert.deepEqual(answer.summary, {
      ...{ breaking: count('breaking'), risky: count('risky'), safe: count('safe') },
      consumersHit: hit,
    });
  });
}

test('both sides are named by their commits, and each change by its lines', async () => {
  const answer = await client.contracts.diff({ name, ...proto, base: 'v1' });
  const sides = [answer.contract, answer.base, answer.head];
  assert.deepEqual(sides, [
    { ...proto, contractType: 'proto' },
    { revision: 'v1', commit: cart.git('rev-parse', 'v1'), exists: true },
    { revision: '', commit: null, exists: true },
  ]);
  const [change] = answer.changes;
  assert.deepEqual(
    [change!.before, change!.after].map(place => [place!.path, place!.line, place!.text]),
    [
      ['proto/cart.proto', 8, 'message Cart { string id = 1; }'],
      ['proto/cart.proto', 8, 'message Cart { int64 id = 1; }'],
    ],
  );
  assert.deepEqual(
    [change!.services, change!.methods],
    [['shop.cart.v1.CartService'], ['shop.cart.v1.CartService/AddItem', 'shop.cart.v1.CartService/GetCart']],
  );
  const { edges } = await client.contracts.edges({ name, repoId: 'checkout', tier: 'derived' });
  const known = edges
    .filter(({ role, contract }) => role === 'consumer' && contract.path === proto.path)
    .map(({ edgeId }) => edgeId);
  assert.deepEqual(
    change!.consumers.map(({ edgeId, isTest }) => [edgeId, isTest]),
    known.map(id => [id, false]),
  );
});

test('who is hit is told with how often production runs their code, as far as that is known', async () => {
  const observed = async () => {
    const { changes } = await client.contracts.diff({ name, ...parts, base: 'v1', head: 'v3' });
    return changes.flatMap(({ consumers }) => consumers.map(({ repoId, observedCalls }) => [repoId, observedCalls]));
  };
  assert.deepEqual(await observed(), [
    ['cart', undefined],
    ['web', undefined],
  ]);
  const calls = [{ service_name: 'web', function_name: 'drop', file_path: 'src/parts.ts', call_count: 12 }];
  await client.telemetry.ingestCalls({ repo: 'web', calls, batch_id: 'drop' });
  await until(
    'web is indexed',
    async () => (await client.telemetry.usage({ repo: 'web', symbolId: 'drop' })).callCount === 12,
  );
  assert.deepEqual(await observed(), [
    ['cart', undefined],
    ['web', 12],
  ]);
});

test('an edge that is suppressed is hit by nothing', async () => {
  const hit = async () => (await client.contracts.diff({ name, ...proto, base: 'v1' })).summary.consumersHit;
  const [change] = (await client.contracts.diff({ name, ...proto, base: 'v1' })).changes;
  const ids = change!.consumers.map(({ edgeId }) => edgeId);
  for (const edgeId of ids) await client.contracts.suppress({ name, edgeId, reason: 'it’s gone' });
  assert.deepEqual(await hit(), []);
  for (const edgeId of ids) await client.contracts.unsuppress({ name, edgeId });
  assert.deepEqual(await hit(), ['checkout']);
});

test('HTTP says the same, and the command line too: it fails where something breaks', async () => {
  const http = await overHttp(afterAll, daemon);
  for (const [asked, expectedCode] of [
    [{ ...proto, base: 'v1', head: 'v2' }, 1],
    [{ ...proto, base: 'v2', head: 'v1' }, 0],
  ] as const) {
    const { timestamp: _, ...said } = await client.contracts.diff({ name, ...asked });
    const { status, body } = await http.send('POST', '/federations/shop/contracts/diff', asked);
    assert.deepEqual([status, { ...(body as object), timestamp: undefined }], [200, { ...said, timestamp: undefined }]);
    const words = ['contracts', 'diff', name, asked.repoId, asked.path, '--base', asked.base, '--head', asked.head];
    const { code, stdout } = await svc(home, [...words, '--json']);
    const { timestamp: _time, ...atShell } = JSON.parse(stdout);
    assert.deepEqual([code, atShell], [expectedCode, said]);
  }
});

test('what can’t be compared is refused with its reason', async () => {
  const diff = (asked: {
    readonly repoId: string;
    readonly path: string;
    readonly base: string;
    readonly head?: string;
  }) => client.contracts.diff({ name, ...asked });
  await rejects(diff({ ...proto, base: 'v9' }), 'resourceNotFound');
  await rejects(diff({ ...proto, base: 'v1', head: 'v9' }), 'resourceNotFound');
  await rejects(diff({ ...proto, path: 'proto/none.proto', base: 'v1' }), 'fileNotFound');
  await rejects(diff({ ...proto, path: '../cart/proto/cart.proto', base: 'v1' }), 'fileNotFound');
  await rejects(diff({ ...proto, path: 'proto/broken.proto', base: 'v1' }), 'unsupportedFile');
  await rejects(diff({ ...proto, path: 'main.go', base: 'v1' }), 'unsupportedFile');
  await rejects(diff({ repoId: 'nobody', path: 'a.proto', base: 'v1' }), 'resourceNotFound');
  const { root } = temporaryFolder(afterAll, `\n-- a.proto --\nsyntax = "proto3";\n`);
  await client.federation.add({ name, repoId: 'plain', path: root });
  await rejects(diff({ repoId: 'plain', path: 'a.proto', base: 'v1' }), 'preconditionFailed');
});

test('a contract that moved is compared with what it was, and those are told who have it from there', async t => {
  const before = `syntax = "proto3";
package shop.gift;
option go_package = "example.com/gift/giftpb";
service GiftService { rpc Wrap(Gift) returns (Gift); rpc Send(Gift) returns (Gift); }
message Gift { string id = 1; }
`;
  const gift = gitRepository(t, `-- proto/gift.proto --\n${before}-- main.go --\npackage main\n`);
  gift.git('tag', 'v1');
  gift.git('mv', 'proto/gift.proto', 'proto/present.proto');
  gift.write('proto/present.proto', before.replace(' rpc Send(Gift) returns (Gift);', ''));
  commit(gift, 'v2');
  gift.write('proto/present.proto', before.replace('package shop.gift;', 'package shop.gift.v2;'));
  commit(gift, 'v3');
  const user = gitRepository(
    t,
    `-- main.go --
package main
import "example.com/gift/giftpb"
var gifts = giftpb.NewGiftServiceClient(conn)
`,
  );
  const reader = gitRepository(t, `-- Makefile --\ngen:\n\tprotoc -I ../gift ../gift/proto/present.proto --go_out=.\n`);
  await client.federation.create({ name: 'moved' });
  await client.federation.add({ name: 'moved', path: gift.root, repoId: 'gift' });
  await client.federation.add({ name: 'moved', path: reader.root, repoId: 'reader' });
  await client.federation.add({ name: 'moved', path: user.root, repoId: 'user' });
  await client.federation.sync({ name: 'moved' });
  const asked = { name: 'moved', repoId: 'gift', path: 'proto/present.proto' };
  const moved = await client.contracts.diff({ ...asked, base: 'v1', head: 'v2' });
  assert.deepEqual(
    moved.changes.map(({ id, consumers }) => [id, consumers.map(({ repoId }) => repoId).sort()]),
    [
      ['rpc-deleted', ['reader', 'user']],
      ['file-moved', ['reader']],
    ],
  );
  assert.deepEqual([moved.base.exists, moved.head.exists], [true, true]);
  const renamed = await client.contracts.diff({ ...asked, path: 'proto/gift.proto', base: 'v1', head: 'v3' });
  assert.deepEqual(renamed.summary.consumersHit, ['user']);
});

test('a move is the same whichever path is asked for, also before a synchronisation knows of it', async t => {
  const was = 'proto/acme/money/v1/money.proto';
  const is = 'proto/shared/acme/money/v1/money.proto';
  const text = `syntax = "proto3";
package acme.money.v1;
message Money { int64 units = 1; }
`;
  const money = gitRepository(t, `-- ${was} --\n${text}-- .gitignore --\nbuild/\n`);
  money.git('tag', 'v1');
  const user = gitRepository(
    t,
    `-- proto/shop.proto --
syntax = "proto3";
package shop;
import "acme/money/v1/money.proto";
message Cart { acme.money.v1.Money total = 1; }
`,
  );
  const reader = gitRepository(t, `-- Makefile --\ngen:\n\tprotoc -I ../money ../money/${is} --go_out=.\n`);
  await client.federation.create({ name: 'money' });
  for (const [repoId, { root }] of Object.entries({ money, reader, user }))
    await client.federation.add({ name: 'money', path: root, repoId });
  await client.federation.sync({ name: 'money' });
  const told = async (path: string) => {
    const { changes } = await client.contracts.diff({ name: 'money', repoId: 'money', path, base: 'v1' });
    return changes.map(({ id, severity, after, consumers }) => {
      const hit = consumers.map(({ repoId }) => repoId).sort();
      return `${severity} ${id} ${after?.path ?? 'nowhere'} [${hit.join(' ')}]`;
    });
  };
  assert.deepEqual(await told(was), []);
  money.remove(was);
  money.write(`build/${was}`, text);
  assert.deepEqual(await told(was), ['breaking file-deleted nowhere [user]']);
  money.write(is, text.replace('int64', 'int32'));
  const moved = (hit: string) => [`breaking file-moved ${is} [${hit}]`, `breaking field-type-changed ${is} [${hit}]`];
  assert.deepEqual([await told(was), await told(is)], [moved('user'), moved('user')]);
  await client.federation.sync({ name: 'money' });
  assert.deepEqual([await told(was), await told(is)], [moved('reader user'), moved('reader user')]);
});

test('an OpenAPI document that moved is compared with what it was; what generates from its place is hit by the move', async t => {
  const before = `openapi: 3.0.3
info: { title: Wraps, version: '1' }
paths:
  /wraps: { get: { responses: {} }, post: { responses: {} } }
  /wraps/{id}/ribbons: { get: { responses: {} }, put: { responses: {} } }
`;
  const wraps = gitRepository(
    t,
    `-- api/wraps.yaml --\n${before}-- api/other.yaml --\na: 1\n-- main.go --\npackage main\n`,
  );
  wraps.git('tag', 'v1');
  wraps.git('mv', 'api/wraps.yaml', 'openapi.yaml');
  wraps.git('rm', '-q', 'api/other.yaml');
  wraps.write('openapi.yaml', before.replace(', put: { responses: {} }', ''));
  const caller = gitRepository(
    t,
    `-- main.go --
package main
import "net/http"
func a() { http.NewRequest("PUT", "http://wraps/wraps/1/ribbons", nil) }
`,
  );
  const reader = gitRepository(
    t,
    `-- package.json --\n{ "scripts": { "api": "openapi-typescript ../wraps/openapi.yaml -o api.d.ts" } }\n`,
  );
  await client.federation.create({ name: 'wraps' });
  for (const [repoId, { root }] of Object.entries({ wraps, caller, reader }))
    await client.federation.add({ name: 'wraps', path: root, repoId });
  await client.federation.sync({ name: 'wraps' });
  const asked = { name: 'wraps', repoId: 'wraps', path: 'openapi.yaml', base: 'v1', includeHeuristic: true };
  const told = async (head?: string) => {
    const { base, changes } = await client.contracts.diff({ ...asked, ...(head === undefined ? {} : { head }) });
    assert.ok(base.exists);
    return changes.map(({ id, severity, before: was, consumers }) => {
      const hit = consumers.map(({ repoId }) => repoId).sort();
      return `${severity} ${id} ${was?.path ?? ''} ${hit.join(' ')}`.trim();
    });
  };
  const expected = [
    'breaking operation-removed api/wraps.yaml caller reader',
    'risky file-moved api/wraps.yaml reader',
  ];
  assert.deepEqual(await told(), expected);
  commit(wraps, 'v2');
  assert.deepEqual(await told('v2'), expected);
});
