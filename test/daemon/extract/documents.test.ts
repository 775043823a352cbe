import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostDocumentBytes, readDocument } from '../../../daemon/extract/documents/read-document.ts';
import { writtenName, writtenPath } from '../../../daemon/extract/documents/written-name.ts';

/** What a code span is read as: its parts, and `()` behind a call. */
const spans: readonly (readonly [string, string | undefined])[] = [
  ['parseConfig', 'parseConfig'],
  ['parseConfig()', 'parseConfig()'],
  ['parseConfig(text, { deep: true });', 'parseConfig()'],
  ['Config.load', 'Config|load'],
  ['Config#load()', 'Config|load()'],
  ['ns::Type<T>::make()', 'ns|Type|make()'],
  ['Vec<Option<T>>', 'Vec'],
  ['Foo::<T>::new()', 'Foo|new()'],
  ['ptr->field', 'ptr|field'],
  ['App\\Http\\Kernel', 'App|Http|Kernel'],
  ['net/http.Client', 'net|http|Client'],
  ['new Gson()', 'Gson()'],
  ['async function main()', 'main()'],
  ['@Expose', 'Expose'],
  ['*Command', 'Command'],
  ['<Link to="/a">', 'Link'],
  ['</Link>', 'Link'],
  ['<div>', undefined],
  ['println!("a")', 'println()'],
  ['Point { x: 1 }', 'Point'],
  ['a?.b', 'a|b'],
  ['größe', 'größe'],
  ['', undefined],
  ['.send()', undefined],
  ['--force', undefined],
  ['npm install', undefined],
  ['key: value', undefined],
  ['a = 1', undefined],
  ['a || b', undefined],
  ['"text"', undefined],
  ['42', undefined],
  ['1.2.3', undefined],
  ['v1.2.3', undefined],
  ['a[0]', undefined],
  ['*.ts', undefined],
  ['https://a.b/c', undefined],
  ['$HOME/bin', '$HOME|bin'],
];

for (const [text, expected] of spans) {
  test(`the code span ${JSON.stringify(text)} is ${expected ?? 'no name'}`, () => {
    const name = writtenName(text);
    assert.equal(name && `${name.names.join('|')}${name.isCall ? '()' : ''}`, expected);
    if (name !== undefined) assert.ok(text.slice(name.start, name.end).endsWith(name.names.at(-1)!));
  });
}

const paths: readonly (readonly [string, string | undefined])[] = [
  ['src/a.ts', 'src/a.ts'],
  ['./a', './a'],
  ['a.ts', 'a.ts'],
  ['package.json', 'package.json'],
  ['src/a.ts:12', 'src/a.ts'],
  ['src/a.ts#L3', 'src/a.ts'],
  ['src/', undefined],
  ['src/deep/', 'src/deep/'],
  ['src/*.ts', undefined],
  ['a b/c.ts', undefined],
  ['Config.load', undefined],
  ['https://a.b/c.ts', undefined],
  ['f(a/b)', undefined],
];

for (const [text, expected] of paths) {
  test(`the code span ${JSON.stringify(text)} is ${expected ?? 'no path'}`, () => {
    assert.equal(writtenPath(text), expected);
  });
}

test('mentions stand where the document has them, under their headings', () => {
  const read = readDocument(`---
title: \`not.code\`
---
# The \`first\` one

> - Call \`Config.load()\` or **\`parse\`**.

Second
------

| a | b |
|---|---|
| \`left.side\` | \`right\\|side\` |

<!-- svc:module packages/core -->
<!-- svc:symbol Config.load -->
<!-- svc:known_symbols alpha beta -->

See [the source](../src/a.ts#L3), [site](https://a.b/c), \`src/b.ts:7\` and [\`Promise\`][mdn].

[mdn]: https://developer.mozilla.org/promise
`);
  assert.deepEqual(
    read.mentions.map(({ rawText, line, column, heading, kind }) => [
      rawText,
      line,
      column,
      read.headings[heading],
      kind,
    ]),
    [
      ['first', 4, 8, undefined, 'inline'],
      ['Config.load()', 6, 11, 'The `first` one', 'inline'],
      ['parse', 6, 32, 'The `first` one', 'inline'],
      ['left.side', 13, 4, 'Second', 'inline'],
      ['Config.load', 16, 17, 'Second', 'directive'],
      ['Promise', 19, 77, 'Second', 'inline'],
    ],
  );
  assert.equal(read.mentions.at(-1)?.linkedTo, 'https://developer.mozilla.org/promise');
  assert.deepEqual(
    read.paths.map(({ rawText, line, column, kind }) => [rawText, line, column, kind]),
    [
      ['../src/a.ts', 19, 18, 'link'],
      ['src/b.ts', 19, 59, 'code'],
    ],
  );
  assert.deepEqual(read.modules, [
    { module: 'packages/core', directive: '<!-- svc:module packages/core -->', line: 15 },
  ]);
  assert.deepEqual(
    read.known.map(({ name }) => name),
    ['alpha', 'beta'],
  );
});

/** What fenced code mentions: parts, and where they are imported from. */
const fences: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'ts',
    'import { parse, type Config as C } from "app";\nimport fs from "node:fs";\n// parse.this\nparse("Text.inside");\nC.load;\nfs.readFile();\nlocal.thing;\nOther.made()',
    ['parse<app', 'Config<app', 'parse()<app', 'Config|load<app', 'Other|made()'],
  ],
  ['js', 'const { a, b: c } = require("app");\nclass Mine {}\nMine.make();\nthis.x.y;', ['a<app', 'b<app']],
  ['js', 'import * as z from "zod";\nz.object({});', ['object()<zod']],
  [
    'python',
    'from app.core import Client as K, get\nimport app\nK.open()\napp.run()',
    ['app|core|Client', 'app|core|get', 'app|core|Client|open()', 'app|run()'],
  ],
  [
    'rust',
    'use app::{routing::get, Router};\nlet r = Router::new();',
    ['app|routing|get', 'app|Router', 'app|Router|new()'],
  ],
  ['go', 'import "github.com/a/cobra"\n\nvar c = &cobra.Command{}', ['Command<github.com/a/cobra']],
  ['java', 'import com.app.Gson;\nGson.of();', ['com|app|Gson', 'com|app|Gson|of()']],
  ['sh', 'app.run --now\nConfig.load', []],
  ['json', '{ "Config.load": 1 }', []],
  ['', 'Config.load()', []],
  ['', 'import { parse } from "app";\nparse();\nloadAll();', ['parse<app', 'parse()<app']],
  ['', '>>> from app.core import get\n>>> get()', ['app|core|get', 'app|core|get()']],
  ['', '$ node\n> import { parse } from "app";\n> parse();', []],
];

for (const [language, code, expected] of fences) {
  test(`fenced code of ${language || 'no language'} mentions ${expected.length} names: ${code.slice(0, 30)}`, () => {
    const read = readDocument(`\`\`\`${language}\n${code}\n\`\`\`\n`);
    const shown = read.mentions.map(
      ({ names, isCall, from }) => `${names.join('|')}${isCall ? '()' : ''}${from === undefined ? '' : `<${from}`}`,
    );
    assert.deepEqual([...shown].sort(), [...expected].sort());
    const lines = `\n${code}`.split('\n');
    for (const { line, column, endColumn, names } of read.mentions) {
      assert.ok(lines[line - 1]!.slice(column - 1, endColumn - 1).endsWith(names.at(-1)!));
    }
  });
}

test('code in quotes and lists stands where it is', () => {
  const read = readDocument('- a\n\n  ```ts\n  import { parse } from "app";\n  ```\n> ~~~js\n> App.run();\n> ~~~\n');
  assert.deepEqual(
    read.mentions.map(({ rawText, line, column }) => [rawText, line, column]),
    [
      ['parse', 4, 12],
      ['App.run', 7, 3],
    ],
  );
});

test('lines end as the system has them, and a mark of the byte order is no part of the first', () => {
  const read = readDocument(
    '\uFEFF# One\r\n\r\n<div>\r\n\r\n`a.b` and [c](d.md)\r\n\r\n```ts\r\nA.of()\r\n```\r\n`e.f`\r\n',
  );
  assert.deepEqual(read.headings, ['One']);
  assert.deepEqual(
    read.mentions.map(({ rawText, line, column, endColumn }) => [rawText, line, column, endColumn]),
    [
      ['a.b', 5, 2, 5],
      ['A.of', 8, 1, 5],
      ['e.f', 10, 2, 5],
    ],
  );
  assert.deepEqual(
    read.paths.map(({ rawText, line, column }) => [rawText, line, column]),
    [['d.md', 5, 15]],
  );
});

test('addresses are no prose, and what stands in tags and comments is no code', () => {
  const read = readDocument(
    'see <https://some.place> or [this](other/path.md "said") <b title="`not.code`">word</b> <!-- `nor.this` --> `is.code`.\n',
  );
  assert.deepEqual(read.words.split(' '), ['see', 'this', 'word']);
  assert.deepEqual(
    read.mentions.map(({ rawText }) => rawText),
    ['is.code'],
  );
});

/** Texts that take other readers of Markdown very long. */
const hostile: Readonly<Record<string, string>> = {
  quotes: `${'>'.repeat(60_000)}a`,
  'spaced quotes': '> '.repeat(40_000),
  lists: Array.from({ length: 90 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  emphasis: '*a **b '.repeat(20_000),
  brackets: '['.repeat(60_000),
  links: '[a]('.repeat(10_000),
  images: '!['.repeat(60_000),
  ticks: Array.from({ length: 500 }, (_, count) => '`'.repeat(count)).join(' '),
  tables: `|${'a|'.repeat(4000)}\n|${'-|'.repeat(4000)}\n`,
  rows: `|a|b|\n|-|-|\n${'|`x`|y|\n'.repeat(5000)}`,
  angles: '<'.repeat(100_000),
  comments: '<!-- svc:symbol '.repeat(8000),
  imports: `\`\`\`ts\n${'import { '.repeat(12_000)}\n\`\`\`\n`,
  chains: `\`\`\`ts\n${'A.'.repeat(60_000)}\n\`\`\`\n`,
  span: `\`${'A<'.repeat(50_000)}\``,
  'closing brackets': `${'`a`'.repeat(20_000)}${']'.repeat(60_000)}`,
  'a title without end': `[a]: b "${'x\n'.repeat(80_000)}`,
  spaces: `a${' '.repeat(200_000)}b`,
  'comments in text': `a ${'<!-- '.repeat(40_000)}`,
  'attributes without end': `a ${'<a b="'.repeat(40_000)}`,
};

for (const [name, text] of Object.entries(hostile)) {
  test(`hostile text ends: ${name}`, { timeout: 20_000 }, () => {
    assert.ok(Array.isArray(readDocument(text).mentions));
  });
}

test('tags lead where they say so, and nowhere in comments, in what is shown as it is, and in what is filled in', () => {
  const read = readDocument(`<p align="center">
  <img width="9"
    src='a.png'> <!-- <img src="no.png"> -->
</p>

Text <a href="b.md#c">b</a> <img :src="no.png"> <img src="https://a.b/no.png"> <a href="{{ no }}"> <img src="no.png?a&amp;b">

<pre><img src="no.png"></pre>

\`<img src="no.png">\` <!-- <a href="no.md"> -->
`);
  assert.deepEqual(
    read.paths.map(({ rawText, line, column, endColumn }) => [rawText, line, column, endColumn]),
    [
      ['a.png', 3, 10, 15],
      ['b.md', 6, 15, 19],
    ],
  );
});

test('what is too large or too deep is told, and not read', () => {
  assert.equal(readDocument('a'.repeat(mostDocumentBytes + 1)).trouble, 'too large');
  assert.equal(readDocument(`${'>'.repeat(200)} \`a\``).trouble, 'too deep');
  assert.equal(readDocument(`${' '.repeat(300)}- \`a\``).trouble, 'too deep');
  assert.equal(readDocument(`${'-'.repeat(200)}\n\`a\`\n`).trouble, '');
});
