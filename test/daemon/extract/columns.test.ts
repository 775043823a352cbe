import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Tree } from 'web-tree-sitter';
import { type Columns, copyByCursor, copyColumns, copyFromMemory } from '../../../daemon/extract/columns.ts';
import { dialectOf } from '../../../daemon/extract/dialect.ts';
import { languageFor } from '../../../daemon/extract/languages.ts';
import { parserFor, type Runtime, renewParsers } from '../../../daemon/extract/parsers.ts';
import { packageRoot } from '../../../daemon/package-root.ts';

const folder = join(packageRoot, 'test/fixtures/languages');

/** One text for each grammar; the ends are broken on purpose, and there is more than ASCII in them. */
const texts: Readonly<Record<string, string>> = {
  'a.ts': 'export class Größe<T> { "😀": T; f(a?: T) { return <T>a; } }\ninterface I { (x: number): 1 }\nfunction (',
  'a.tsx': 'export const A = (p: { é: string }) => <B x="😀">{p.é}</B>;\nlet x = <C',
  'a.js': 'class K { #p = "😀"; get q() { return this.#p; } }\nmodule.exports = { K, é: 1 };\n}}',
  'a.py': 'class Größe:\n    def f(self, *a, **k): return f"😀{a}"\n\ndef (',
  'a.go': 'package p\n\ntype Größe struct{ A, B []int }\n\nfunc (g *Größe) F() string { return "😀" }\nfunc {',
};
for (const file of readdirSync(folder).filter(name => !name.endsWith('.golden'))) {
  Object.assign(texts, { [file]: readFileSync(join(folder, file), 'utf8') });
}

for (const [path, text] of Object.entries(texts)) {
  test(`${path}: what lies in the parser's memory is what its cursor shows`, async () => {
    const { tree, runtime } = await parsed(path, text);
    const walked = shown(copyByCursor(tree));
    assert.ok(walked.size > 20);
    assert.deepEqual(shown(copyFromMemory(tree, runtime)), walked);
    assert.deepEqual(shown(copyColumns(tree, runtime)), walked);
    tree.delete();
  });
}

test('a tree deeper than any call could go is read as its cursor shows it', async () => {
  const { tree, runtime } = await parsed('a.js', `${'[('.repeat(20_000)}1${')]'.repeat(20_000)};`);
  assert.deepEqual(shown(copyFromMemory(tree, runtime)), shown(copyByCursor(tree)));
  tree.delete();
});

test('where the runtime looks otherwise than expected, its memory is left alone and the cursor has to do', async () => {
  const { tree, runtime } = await parsed('a.js', texts['a.js']!);
  assert.equal(copyFromMemory(tree, {}), undefined);
  assert.equal(copyFromMemory(tree, { ...runtime, HEAP32: new Int32Array(4) }), undefined);
  assert.deepEqual(shown(copyColumns(tree, {})), shown(copyByCursor(tree)));
  tree.delete();
});

test('memory that shows another tree than the cursor is not believed, then or later', async () => {
  renewParsers(); // nothing of the grammar has been tried yet
  const { tree, runtime } = await parsed('a.js', texts['a.js']!);
  const walked = shown(copyByCursor(tree));
  const words = (runtime['HEAP32'] as Int32Array).slice();
  const root = words[(tree as unknown as Record<number, number>)[0]! >> 2]!;
  words[(root + 16) >> 2] = 2; // the bytes that the root covers
  const lying = { ...runtime, HEAP32: words };
  assert.notDeepEqual(shown(copyFromMemory(tree, lying)), walked);
  for (let round = 0; round < 50; round++) assert.deepEqual(shown(copyColumns(tree, lying)), walked);
  tree.delete();
});

/** The columns as far as they are filled. */
function shown(columns: Columns | undefined) {
  assert.ok(columns);
  const { size, ...parts } = columns;
  return {
    size,
    ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, [...part.subarray(0, size)]])),
  };
}

async function parsed(path: string, text: string): Promise<{ readonly tree: Tree; readonly runtime: Runtime }> {
  const language = await languageFor(dialectOf(path), text);
  assert.ok(language, path);
  const { parser, runtime } = await parserFor(language.grammar);
  const tree = parser.parse(text);
  assert.ok(tree);
  return { tree, runtime };
}
