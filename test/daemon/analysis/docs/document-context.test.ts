import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeWithout } from '../../../../daemon/analysis/docs/closed-types.ts';
import { documentContext } from '../../../../daemon/analysis/docs/document-context.ts';
import { linkMention } from '../../../../daemon/analysis/docs/link-mention.ts';
import { readDocument } from '../../../../daemon/extract/documents/read-document.ts';
import { shownDefinition, tableOf } from './table.ts';

const table = {
  ...tableOf(
    [
      { name: 'pydantic', folder: '' },
      { name: 'widgets', folder: 'js' },
      { name: 'github.com/a/fiber', folder: 'go' },
    ],
    'module core/src/complex.rs complex',
    'function core/src/iter.rs iter',
    'function core/src/tool.rs make_tool',
    'class pydantic/main.py BaseModel',
    'function pydantic/tools.py parse_obj',
    'constant pydantic/generics.py Model',
    'variable pydantic/generics.py make_model',
    'constant pydantic/generics.py MAX_SIZE',
    'struct go/app.go TrustProxyConfig',
    'field go/app.go Config.TrustProxyConfig',
    'struct go/session/session.go Session',
    'field go/app.go Config.Session',
    'struct go/app.go Views',
    'function go/client/client.go Get',
    'method go/app.go App.Get',
    'class js/widget.ts Widget',
    'method js/widget.ts Widget.show',
    'function js/alpha.ts alphaHandler',
    'class js/alpha.ts alphaClass',
    'function js/alpha.ts getDefaultMiddleware',
  ),
  familiesIn: (folder: string) =>
    folder === 'core'
      ? new Map([['rust', 3]])
      : new Map(
          folder === ''
            ? [
                ['python', 9],
                ['rust', 5],
                ['go', 5],
                ['ecmascript', 5],
              ]
            : [],
        ),
};

/** What the first mention of a document means: the definition as it is written above, or nothing. */
const links: readonly (readonly [path: string, markdown: string, expected: string | undefined])[] = [
  // What is the language's own, or another language's.
  ['docs/a.md', '`complex()`', undefined],
  ['docs/a.md', '`iter()`', undefined],
  ['docs/a.md', '`make_tool()`', 'core/src/tool.rs make_tool'],
  ['docs/a.md', '`make_tool()`\n```python\nx = 1\n```', undefined],
  ['docs/a.md', '`make_tool()`\n```rust\nlet x = 1;\n```', 'core/src/tool.rs make_tool'],
  ['docs/a.md', '`make_tool()`\n```ruby\nx = 1\n```', 'core/src/tool.rs make_tool'],
  ['core/README.md', '`make_tool()`', 'core/src/tool.rs make_tool'],
  ['core/README.md', '`parse_obj()`', undefined],
  ['docs/a.md', '`Model()`', undefined],
  ['docs/a.md', '`Model`', undefined],
  ['docs/a.md', '`MAX_SIZE`', 'pydantic/generics.py MAX_SIZE'],
  ['docs/a.md', '`make_model()`', undefined],
  ['docs/a.md', '<!-- svc:symbol complex -->', 'core/src/complex.rs complex'],
  ['docs/a.md', '`Get(name)`', undefined],
  // Options that are called as their types.
  ['docs/a.md', '`TrustProxyConfig`', undefined],
  ['docs/a.md', '`Views`', 'go/app.go Views'],
  ['docs/app.md', '`TrustProxyConfig`', 'go/app.go TrustProxyConfig'],
  ['docs/a.md', '`TrustProxyConfig`, or `fiber.TrustProxyConfig`', 'go/app.go TrustProxyConfig'],
  ['docs/a.md', '`TrustProxyConfig`\n```go\nfiber.TrustProxyConfig{}\n```', 'go/app.go TrustProxyConfig'],
  ['docs/a.md', '`Session`', undefined],
  ['docs/middleware/session.md', '`Session`', 'go/session/session.go Session'],
  ['go/session/README.md', '`Session`', 'go/session/session.go Session'],
  // What the document's code has for itself.
  ['docs/a.md', '`BaseModel`', 'pydantic/main.py BaseModel'],
  ['docs/a.md', '`BaseModel`\n```python\nclass BaseModel:\n    pass\n```', undefined],
  ['docs/a.md', '`parse_obj()`\n```python\ndef parse_obj(a):\n    return a\n```', undefined],
  ['docs/a.md', '`getDefaultMiddleware()`', 'js/alpha.ts getDefaultMiddleware'],
  ['docs/a.md', '`getDefaultMiddleware()`\n```ts\nf((getDefaultMiddleware) => 1)\n```', undefined],
  ['docs/a.md', '`getDefaultMiddleware()` of `(getDefaultMiddleware) => 1`', undefined],
  [
    'docs/a.md',
    '```ts\nimport { getDefaultMiddleware } from "widgets";\nf((getDefaultMiddleware) => 1)\n```',
    'js/alpha.ts getDefaultMiddleware',
  ],
  // Code without a language, and of one that is nobody's here.
  ['docs/a.md', '```\nalphaHandler(1)\n```', 'js/alpha.ts alphaHandler'],
  ['docs/a.md', '```\nalphaClass(1)\n```', undefined],
  ['docs/a.md', '`BaseModel`\n```java\nimport other.BaseModel;\nclass BaseModel {}\n```', 'pydantic/main.py BaseModel'],
];

for (const [path, markdown, expected] of links) {
  test(`${JSON.stringify(markdown)} in ${path} means ${expected ?? 'nobody knows what'}`, () => {
    const { mentions, known, code = [] } = readDocument(markdown);
    const context = documentContext({ path, mentions, known, code }, table, () => false);
    assert.equal(shownDefinition(mentions[0] && linkMention(mentions[0], table, context).definition), expected);
  });
}

test('imports of a language that the repository has none of say nothing of its names', () => {
  const go = { ...table, familiesIn: () => new Map([['go', 1]]) };
  const { mentions, known, code = [] } = readDocument('`Views`\n```ts\nimport { Views } from "other";\n```');
  const context = documentContext({ path: 'a.md', mentions, known, code }, go, () => false);
  assert.equal(linkMention(mentions[0]!, go, context).definition?.name, 'Views');
});

/** Types that a member is taken off which nothing is called as. */
const without: readonly (readonly [markdown: string, type: string | undefined])[] = [
  ['`Widget.nope`', 'Widget'],
  ['```ts\nimport { Widget } from "widgets";\nWidget.nope();\n```', 'Widget'],
  ['```ts\nimport { Widget } from "other";\nWidget.nope();\n```', undefined],
];

for (const [markdown, type] of without) {
  test(`${JSON.stringify(markdown)} takes a member off ${type ?? "nobody's type"}`, () => {
    assert.equal(typeWithout(readDocument(markdown).mentions.at(-1)!, table)?.name, type);
  });
}
