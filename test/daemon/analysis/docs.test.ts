import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DefinitionTable, DocumentedDefinition } from '../../../daemon/analysis/docs/definition-table.ts';
import { placeOfPath, type TreePlaces } from '../../../daemon/analysis/docs/file-places.ts';
import { type GoneTable, onceMeant, type Stale, staleMention } from '../../../daemon/analysis/docs/gone-mentions.ts';
import { linkMention } from '../../../daemon/analysis/docs/link-mention.ts';
import { readDocument } from '../../../daemon/extract/documents/read-document.ts';
import type { Mention } from '../../../daemon/model/mentions.ts';
import { definition } from './docs/table.ts';

const packages = [
  { name: 'app', folder: '' },
  { name: '@acme/core', folder: 'packages/core' },
  { name: 'github.com/a/cobra', folder: 'go' },
];

function tableOf(...texts: readonly string[]): DefinitionTable & { readonly all: readonly DocumentedDefinition[] } {
  const all = texts.map(definition);
  return { all, packages, named: name => all.filter(one => one.name === name) };
}

const context = { known: new Set<string>(), foreign: new Set<string>(), isProse: (word: string) => word === 'greet' };

const code = tableOf(
  'function src/a.ts parseConfig',
  'class src/b.ts Config',
  'method src/b.ts Config.load',
  'method src/b.ts Config.save',
  'method src/c.ts Other.save',
  'method src/c.ts T.load',
  'function src/d.ts start',
  'function src/d.ts alpha',
  'function src/d.ts greet',
  'function src/e.ts twice',
  'function src/f.ts twice',
  'function lib/g.js overloaded',
  'function types/g.d.ts overloaded',
  '-function src/a.ts hidden',
  'constant src/a.ts bodyLimit',
  'property src/b.ts Options.bodyLimit',
  'class app/_client.py Client',
  'method app/_client.py Client.get',
  'function app/_api.py get',
  'struct go/command.go Command',
  'method go/command.go Command.Execute',
  'function packages/core/index.ts build',
  'class src/p.ts Promise',
  'constant src/a.ts MAX_SIZE',
);

/** What each mention means: the definition as it is written above, or nothing. */
const links: readonly (readonly [string, string | undefined])[] = [
  ['`parseConfig`', 'src/a.ts parseConfig'],
  ['`parseConfig(text)`', 'src/a.ts parseConfig'],
  ['`Config`', 'src/b.ts Config'],
  ['`Config.load`', 'src/b.ts Config.load'],
  ['`Config#load()`', 'src/b.ts Config.load'],
  ['`config.load()`', undefined],
  ['`Config.save`', 'src/b.ts Config.save'],
  ['`save()`', undefined],
  ['`load`', undefined],
  ['`start`', undefined],
  ['`start()`', 'src/d.ts start'],
  ['`alpha`', 'src/d.ts alpha'],
  ['`greet`', undefined],
  ['`greet()`', 'src/d.ts greet'],
  ['`twice()`', undefined],
  ['`overloaded()`', 'lib/g.js overloaded'],
  ['Node’s `parseConfig()`', undefined],
  ["Node.js 20's built-in `parseConfig()`", undefined],
  ['App’s own `parseConfig()`', 'src/a.ts parseConfig'],
  ['Config’s `parseConfig()`', 'src/a.ts parseConfig'],
  ['`hidden()`', undefined],
  ['`bodyLimit`', undefined],
  ['`MAX_SIZE`', 'src/a.ts MAX_SIZE'],
  ['`app.Client`', 'app/_client.py Client'],
  ['`app.get()`', 'app/_api.py get'],
  ['`app.Client.get`', 'app/_client.py Client.get'],
  ['`client.get()`', undefined],
  ['`cobra.Command`', 'go/command.go Command'],
  ['`Command.Execute`', 'go/command.go Command.Execute'],
  ['`T.load`', undefined],
  ['`Promise.all`', undefined],
  ['`Promise`', undefined],
  ['`console.log`', undefined],
  ['`process.env`', undefined],
  ['[`Config`](https://nodejs.org/api/config)', undefined],
  ['[`Config`](https://app.dev/config)', 'src/b.ts Config'],
  ['[`Config`](https://nodejs.org/api/config)', undefined],
  ['[`Config`](https://apple.com/config)', undefined],
  ['[`Config`](https://app.example.dev/config)', undefined],
  ['[`Config`](https://github.com/other/app)', undefined],
  ['[`Config`](https://deno.land/core/config)', undefined],
  ['[`Config`](https://www.npmjs.com/package/@acme/core)', 'src/b.ts Config'],
  ['[`Config`](https://pkg.go.dev/github.com/a/cobra@v1.8.0)', 'src/b.ts Config'],
  ['[`Config`](https://acme.dev/core/config)', 'src/b.ts Config'],
  ['[`Config`](https://cobra.dev/#config)', 'src/b.ts Config'],
  ['[`Config`](https://docs.rs/cobra/latest)', 'src/b.ts Config'],
  ['[`Config`](https://www.go-cobra.org/)', 'src/b.ts Config'],
  ['[`Config`](https://example.com/cobras)', undefined],
  ['<!-- svc:symbol hidden -->', 'src/a.ts hidden'],
  ['<!-- svc:symbol twice -->', undefined],
  ['```ts\nimport { build } from "@acme/core";\n```', 'packages/core/index.ts build'],
  ['```ts\nimport { build } from "other";\n```', undefined],
  ['```ts\nimport { parseConfig } from "app";\n```', 'src/a.ts parseConfig'],
  ['```python\nConfig.load()\n```', undefined],
  ['```go\nimport "github.com/a/cobra"\nvar c cobra.Command\n```', 'go/command.go Command'],
  ['```go\nimport "github.com/b/cobra"\nvar c cobra.Command\n```', undefined],
];

for (const [markdown, expected] of links) {
  test(`${JSON.stringify(markdown)} means ${expected ?? 'nobody knows what'}`, () => {
    const [mention] = readDocument(markdown).mentions;
    const found = mention && linkMention(mention, code, context).definition;
    assert.equal(found && `${found.path} ${[...found.containers, found.name].join('.')}`, expected);
  });
}

test('a name is the type’s that a namespace of that name holds', () => {
  const definitions = ['namespace lib/types.d.ts Scope', 'interface lib/types.d.ts Scope.Scope'].map(definition);
  const table = { packages, named: (name: string) => definitions.filter(one => one.name === name) };
  const meant = (markdown: string) => linkMention(readDocument(markdown).mentions[0]!, table, context).definition;
  assert.deepEqual(meant('`Scope`')?.containers, ['Scope']);
});

test('a document may say which names are symbols', () => {
  const { mentions, known } = readDocument('<!-- svc:known_symbols greet hidden -->\n`greet` and `hidden`');
  const asked = { ...context, known: new Set(known.map(({ name }) => name)) };
  assert.deepEqual(
    mentions.map(mention => linkMention(mention, code, asked).definition?.name),
    ['greet', 'hidden'],
  );
});

test('what its code imports from elsewhere is meant in its text as well', () => {
  const [mention] = readDocument('`parseConfig()`').mentions;
  const asked = { ...context, foreign: new Set(['parseConfig']) };
  assert.equal(linkMention(mention!, code, asked).definition, undefined);
});

function goneTable(before: string, now: string | undefined): GoneTable {
  const gone = { ...definition(before, 1), replacedBy: undefined, goneAt: 1 };
  const named = (name: string) => (name === gone.name ? [gone] : []);
  return {
    ...{ packages, named, latest: { packages, named } },
    successorOf: () => (now === undefined ? undefined : definition(now, 2)),
  };
}

/** What is gone, what has taken its place, and what each mention is told to be now. */
const renames: readonly (readonly [
  gone: string,
  now: string | undefined,
  markdown: string,
  told: string | undefined,
])[] = [
  ['function src/a.ts parse_all', 'function src/a.ts readAll', '`parse_all()`', 'symbol_renamed readAll'],
  ['function src/a.ts parse_all', undefined, '`parse_all()`', 'symbol_deleted '],
  ['method src/b.ts Config.read', 'method src/b.ts Config.load', '`Config.read`', 'symbol_renamed Config.load'],
  ['method src/b.ts Conf.load', 'method src/b.ts Config.load', '`Conf::load()`', 'symbol_renamed Config::load'],
  ['method src/b.ts Config.lift', 'function src/l.ts lift', '`Config.lift`', 'symbol_moved lift'],
  ['function src/l.ts lift_it', 'method src/b.ts Config.lift_it', '`lift_it()`', 'symbol_moved '],
  ['function src/l.ts lift_it', 'method src/b.ts Config.lift', '`lift_it()`', 'symbol_renamed '],
  ['class app/errors.py Bad', 'class app/faults.py Bad', '`app.errors.Bad`', 'symbol_moved app.faults.Bad'],
  ['class app/errors.py Bad', 'class app/faults.py Worse', '`app.errors.Bad`', 'symbol_renamed app.faults.Worse'],
  ['struct go/cobra.go Cmd', 'struct viper/cmd.go Cmd', '`cobra.Cmd`', 'symbol_moved viper.Cmd'],
  [
    'struct go/cobra.go Cmd',
    'struct viper/cmd.go Cmd',
    '```go\nimport "github.com/a/cobra"\nvar c cobra.Cmd\n```',
    'symbol_moved ',
  ],
  ['function src/a.ts start', undefined, '`start`', undefined],
  ['-function src/a.ts quiet_one', undefined, '`quiet_one`', undefined],
  ['function src/a.ts old', undefined, '`parse_all()`', undefined],
  ['class src/b.ts Config', undefined, '`Config`', 'symbol_deleted '],
  ['class src/gone.ts Config', undefined, '`Config`', 'symbol_moved '],
  ['class packages/core/gone.ts Config', undefined, '`Config`', 'symbol_deleted '],
  ['function src/gone.ts Config', undefined, '`Config()`', 'symbol_deleted '],
];

function staleIn(mention: Mention, table: GoneTable): Stale | undefined {
  const was = onceMeant(mention, table, context);
  return was && staleMention(mention, was, table, code);
}

for (const [before, now, markdown, told] of renames) {
  test(`${before} is gone: ${markdown} is ${told ?? 'nobody knows what'}`, () => {
    const table = goneTable(before, now);
    const [mention] = readDocument(markdown).mentions;
    const stale = staleIn(mention!, table);
    assert.equal(stale && `${stale.reason} ${stale.suggestion ?? ''}`, told);
  });
}

/** What went of a fence, what has taken its place, and what is told of each of its names, in order. */
const fences: readonly (readonly [change: string, code: string, told: readonly string[]])[] = [
  [
    'class app/core.py Client > class app/core.py HttpClient',
    '```python\nfrom app.core import Client\nClient()\n```',
    ['Client > HttpClient', 'Client > HttpClient'],
  ],
  ['function app/core.py run > function app/core.py go', '```python\nimport app.core as c\nc.run()\n```', ['run > go']],
  [
    'function app/core.py run > function app/core.py go',
    '```python\nimport app\napp.core.run()\n```',
    ['app.core.run > app.core.go'],
  ],
  [
    'class app/core.py Client > class app/net.py Client',
    '```python\nfrom app.core import Client\nClient()\nimport app\napp.core.Client()\n```',
    ['Client > ', 'Client > ', 'app.core.Client > app.net.Client'],
  ],
  [
    'method app/core.py Client.get > method app/core.py Client.fetch',
    '```python\nfrom app.core import Client\nClient.get()\n```',
    ['Client.get > Client.fetch'],
  ],
  [
    'method app/core.py Client.get > method app/core.py HttpClient.fetch',
    '```python\nimport app.core as c\nc.Client.get()\n```',
    ['get > '],
  ],
  [
    'function src/routing.rs get > function src/routing.rs fetch',
    '```rust\nuse app::routing::get;\nget(one);\n```',
    ['get > fetch', 'get > fetch'],
  ],
  [
    'function src/routing.rs get > function src/routing.rs fetch',
    '```rust\nuse app::routing;\nrouting::get(one);\n```',
    ['routing::get > routing::fetch'],
  ],
  [
    'class src/com/acme/Client.java Client > class src/com/acme/HttpClient.java HttpClient',
    '```java\nimport com.acme.Client;\nnew Client();\n```',
    ['Client > HttpClient', 'Client > HttpClient'],
  ],
  [
    'class com/acme/net/Client.kt Client > class com/acme/net/Client.kt HttpClient',
    '```kotlin\nimport com.acme.net.Client\nClient()\n```',
    ['Client > HttpClient', 'Client > HttpClient'],
  ],
  [
    'class Acme/Net/Client.php Client > class Acme/Net/HttpClient.php HttpClient',
    '```php\nuse Acme\\Net\\Client;\nnew Client();\n```',
    ['Client > HttpClient', 'Client > HttpClient'],
  ],
  [
    'struct go/command.go Command > struct go/command.go Task',
    '```go\nimport "github.com/a/cobra"\nvar c cobra.Command\n```',
    ['Command > Task'],
  ],
  [
    'function packages/core/index.ts make > function packages/core/index.ts build',
    '```ts\nimport { make } from "@acme/core";\nmake();\n```',
    ['make > build', 'make > build'],
  ],
  [
    'function packages/core/index.ts make > function src/make.ts make',
    '```ts\nimport { make } from "@acme/core";\nmake();\n```',
    ['make > ', 'make > '],
  ],
  [
    'method packages/core/index.ts Core.make > function packages/core/index.ts make',
    '```ts\nimport { Core } from "@acme/core";\nCore.make();\n```',
    ['Core.make > '],
  ],
];

for (const [change, markdown, told] of fences) {
  test(`${change}: ${JSON.stringify(markdown)}`, () => {
    const [before = '', now] = change.split(' > ');
    const { mentions } = readDocument(markdown);
    const table = goneTable(before, now);
    const found = mentions.flatMap(mention => {
      const stale = staleIn(mention, table);
      const written = mention.names.slice(-mention.written).join(mention.separator);
      return stale === undefined ? [] : [`${written} > ${stale.suggestion ?? ''}`];
    });
    assert.deepEqual(found, told);
  });
}

const movedTo = new Map([
  ['src/old.ts', 'src/a.ts'],
  ['src/gone.ts', undefined],
  ['vite.config.ts', undefined],
  ['gone.ts', undefined],
  ['src/plain.ts', 'src/a (1)#.ts'],
]);
const all = [
  ...['packages/x/src/c.ts', 'examples/retry/App.js', 'docs/security/history.md', 'docs/pictures/flow.png'],
  ...['examples/shop/src/Shop.jsx', 'examples/shop/src/parts/Till.tsx'],
  ...['examples/shop/src/Desk.ts', 'examples/shop/src/Desk/Desk.tsx'],
  ...['public/logo.svg', 'docs/a/same.png', 'docs/b/same.png', 'docs/guide/own.gif'],
];
const tree: TreePlaces = {
  isFile: path =>
    ['src/a.ts', 'docs/b.md', 'docs/deep/index.md', 'packages/x/src/c.ts', 'docs/guide/own.gif'].includes(path),
  isFolder: path => ['src', 'docs', 'docs/deep'].includes(path.replace(/\/$/, '')),
  was: path => (movedTo.has(path) ? { movedTo: movedTo.get(path) } : undefined),
  filesCalled: name => all.filter(path => path.endsWith(`/${name}`)),
};

const places: readonly (readonly [markdown: string, document: string, told: string])[] = [
  ['`src/a.ts`', 'docs/guide.md', 'src/a.ts'],
  ['[a](../src/a.ts)', 'docs/guide.md', 'src/a.ts'],
  ['[b](./b)', 'docs/guide.md', 'docs/b.md'],
  ['[b](/docs/b.html)', 'docs/guide.md', 'docs/b.md'],
  ['[deep](deep/)', 'docs/guide.md', 'docs/deep/index.md'],
  ['`src/c.ts`', 'packages/x/README.md', 'packages/x/src/c.ts'],
  ['`src/old.ts`', 'docs/guide.md', 'file_moved src/a.ts'],
  ['[old](../src/old.ts)', 'docs/guide.md', 'file_moved ../src/a.ts'],
  ['[plain](../src/plain.ts)', 'docs/guide.md', 'file_moved ../src/a%20%281%29%23.ts'],
  ['`src/plain.ts`', 'docs/guide.md', 'file_moved src/a (1)#.ts'],
  ['`src/gone.ts`', 'README.md', 'file_deleted '],
  ['`gone.ts`', 'README.md', 'file_deleted '],
  ['`vite.config.ts`', 'docs/guide.md', 'open'],
  ['[configuration](../vite.config.ts)', 'docs/guide.md', 'file_deleted '],
  ['[no](./no.md)', 'docs/guide.md', 'file_missing '],
  ['[no](./no.md)', 'docs/snippets/part.md', 'open'],
  ['[c](./c.ts)', 'docs/guide.md', 'file_missing ../packages/x/src/c.ts'],
  ['[app](src/App.js)', 'examples/retry/README.md', 'file_missing App.js'],
  ['[app](src/App.js)', 'examples/other/README.md', 'file_missing '],
  ['[shop](src/Shop.js)', 'examples/shop/README.md', 'file_missing src/Shop.jsx'],
  ['[till](src/Till.js)', 'examples/shop/README.md', 'file_missing src/parts/Till.tsx'],
  ['[desk](src/Desk.js)', 'examples/shop/README.md', 'file_missing '],
  ['[shop](lib/Shop.js)', 'examples/shop/README.md', 'file_missing '],
  ['[history](history.md)', 'docs/features/https.md', 'file_missing ../security/history.md'],
  ['![i](img.png)', 'docs/guide.md', 'file_missing '],
  ['![flow](flow.png)', 'docs/guide.md', 'file_missing pictures/flow.png'],
  ['![same](same.png)', 'docs/guide.md', 'file_missing '],
  ['![logo](logo.svg)', 'docs/guide.md', 'open'],
  ['![own](own.gif)', 'docs/guide.md', 'docs/guide/own.gif'],
  ['![i](/img.png)', 'docs/guide.md', 'open'],
  ['![i](img.png)', 'docs/_includes/part.md', 'open'],
  ['<img alt="i" src="img.png">', 'docs/guide.md', 'file_missing '],
  ["<p>\n<a class=x href='no.md#part'>no</a>\n</p>", 'docs/guide.md', 'file_missing '],
  ['See <a href="b.md">b</a>', 'docs/guide.md', 'docs/b.md'],
  ['<a href="page">page</a>', 'docs/guide.md', 'open'],
  ['[page](/guide/page)', 'docs/guide.md', 'open'],
  ['`lib/never.ts`', 'docs/guide.md', 'open'],
  ['`application/json`', 'docs/guide.md', 'open'],
];

for (const [markdown, document, told] of places) {
  test(`${markdown} in ${document} is ${told}`, () => {
    const [mention] = readDocument(markdown).paths;
    const place = placeOfPath(mention!, document, tree);
    const shown =
      place.kind === 'resolved'
        ? place.path
        : place.kind === 'open'
          ? 'open'
          : `${place.reason} ${place.suggestion ?? ''}`;
    assert.equal(shown, told);
  });
}
