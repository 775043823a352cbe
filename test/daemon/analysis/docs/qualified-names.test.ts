import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkMention } from '../../../../daemon/analysis/docs/link-mention.ts';
import { readDocument } from '../../../../daemon/extract/documents/read-document.ts';
import { nothingKnown, shownDefinition, tableOf } from './table.ts';

const table = tableOf(
  [
    { name: 'pydantic', folder: '' },
    { name: 'axum', folder: 'axum' },
    { name: 'github.com/a/fiber/v3', folder: 'fiber' },
  ],
  'class pydantic/v1/errors.py ListError',
  'function pydantic/v1/typing.py get_args',
  'class pydantic/errors.py UserError',
  'class pydantic/reactive.py reactive',
  'function pydantic/theme.py paint_it',
  'method pydantic/main.py BaseModel.paint_it',
  'function pydantic/_ansi.py shade',
  'class pydantic/main.py BaseModel',
  'method pydantic/main.py BaseModel.dump',
  'class pydantic/v1/main.py BaseModel',
  'class pydantic/v1/tools.py OldTool',
  'class pydantic/_internal/_fields.py Field',
  'class src/flask/app.py Flask',
  'function src/flask/json/__init__.py dumps',
  'function shopping/__init__.py aim',
  'function src/till/count.py total',
  'function axum/src/routing/method_routing.rs get',
  'struct axum/src/routing/mod.rs Router',
  'struct axum/src/net/tcp/stream.rs Stream',
  'function fiber/log/log.go SetContextTemplate',
  'function fiber/log/log.go Fatal',
  'function fiber/app.go New',
  'function fiber/middleware/cors/cors.go New',
);

/** What each mention means: the definition as it is written above, or nothing. */
const links: readonly (readonly [string, string | undefined])[] = [
  ['`pydantic.errors.ListError`', undefined],
  ['`theme.paint_it()`', 'pydantic/theme.py paint_it'],
  ['`pydantic.reactive`', undefined],
  ['`paint_it`', undefined],
  ['`paint_it()`', undefined],
  ['`shade(1)`', undefined],
  ['```python\nfrom shopping import aim\naim()\n```', 'shopping/__init__.py aim'],
  ['```python\nfrom till import total as sum\n```', 'src/till/count.py total'],
  ['```python\nfrom count import total\n```', undefined],
  ['`shopping.aim`', undefined],
  ['`pydantic.reactive.reactive`', 'pydantic/reactive.py reactive'],
  ['```python\nfrom pydantic.reactive import reactive\n```', 'pydantic/reactive.py reactive'],
  ['`pydantic.v1.errors.ListError`', 'pydantic/v1/errors.py ListError'],
  ['`pydantic.v1.ListError`', 'pydantic/v1/errors.py ListError'],
  ['`v1.errors.ListError`', 'pydantic/v1/errors.py ListError'],
  ['`pydantic.errors.UserError`', 'pydantic/errors.py UserError'],
  ['`pydantic.UserError`', 'pydantic/errors.py UserError'],
  ['`errors.UserError`', 'pydantic/errors.py UserError'],
  ['`pydantic.BaseModel`', 'pydantic/main.py BaseModel'],
  ['`pydantic.main.BaseModel`', 'pydantic/main.py BaseModel'],
  ['`pydantic.BaseModel.dump`', 'pydantic/main.py BaseModel.dump'],
  ['`pydantic.v1.BaseModel`', 'pydantic/v1/main.py BaseModel'],
  ['`pydantic.OldTool`', undefined],
  ['`pydantic.tools.OldTool`', undefined],
  ['`pydantic.Field`', 'pydantic/_internal/_fields.py Field'],
  ['`flask.Flask`', 'src/flask/app.py Flask'],
  ['`flask.app.Flask`', 'src/flask/app.py Flask'],
  ['`flask.json.dumps()`', 'src/flask/json/__init__.py dumps'],
  ['`json.dumps()`', 'src/flask/json/__init__.py dumps'],
  ['`json.loads()`', undefined],
  ['`typing.get_args`', undefined],
  ['`pydantic.v1.typing.get_args`', 'pydantic/v1/typing.py get_args'],
  ['`axum::routing::get`', 'axum/src/routing/method_routing.rs get'],
  ['`axum::Router`', 'axum/src/routing/mod.rs Router'],
  ['`axum::net::Stream`', 'axum/src/net/tcp/stream.rs Stream'],
  ['`axum::tcp::Stream`', undefined],
  ['`log.SetContextTemplate`', 'fiber/log/log.go SetContextTemplate'],
  ['`log.Fatal`', 'fiber/log/log.go Fatal'],
  ['`log.Println`', undefined],
  ['```go\nlog.Fatal(1)\n```', undefined],
  ['```go\nimport "log"\nlog.Fatal(1)\n```', undefined],
  ['```go\nimport "github.com/a/fiber/v3/log"\nlog.Fatal(1)\n```', 'fiber/log/log.go Fatal'],
  ['```go\nimport "github.com/a/fiber/v3"\nfiber.New()\n```', 'fiber/app.go New'],
  ['`fiber.New()`', 'fiber/app.go New'],
  ['`cors.New()`', 'fiber/middleware/cors/cors.go New'],
  ['`fiber.cors.New()`', undefined],
];

for (const [markdown, expected] of links) {
  test(`${JSON.stringify(markdown)} means ${expected ?? 'nobody knows what'}`, () => {
    const [mention] = readDocument(markdown).mentions;
    assert.equal(shownDefinition(mention && linkMention(mention, table, nothingKnown).definition), expected);
  });
}

test("a library that the document's code has from elsewhere is meant in its text as well", () => {
  const [mention] = readDocument('`log.Fatal`').mentions;
  const asked = { ...nothingKnown, foreign: new Set(['Fatal']) };
  assert.deepEqual(linkMention(mention!, table, asked), { definition: undefined, isNamed: true });
});
