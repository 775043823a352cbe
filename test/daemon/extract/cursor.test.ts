import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Tree } from 'web-tree-sitter';
import { type Cursor, openCursor, openDirectCursor, openPublicCursor } from '../../../daemon/extract/cursor.ts';
import { dialectOf } from '../../../daemon/extract/dialect.ts';
import { languageFor } from '../../../daemon/extract/languages.ts';
import { parserFor, type Runtime } from '../../../daemon/extract/parsers.ts';
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
  test(`${path}: the runtime's functions walk as the public cursor does`, async () => {
    const { tree, runtime } = await parsed(path, text);
    const walked = steps(openCursor(tree, runtime));
    assert.deepEqual(walked, steps(openPublicCursor(tree)));
    assert.ok(walked.length > 5 * 20);
    // A cursor gives back what it took: the next one of the same tree walks the same way.
    assert.deepEqual(steps(openCursor(tree, runtime)), walked);
    tree.delete();
  });
}

test('the shortcut is taken with the installed runtime, and left where the runtime looks otherwise', async () => {
  const { tree, runtime } = await parsed('a.js', texts['a.js']!);
  const direct = openDirectCursor(tree, runtime);
  assert.ok(direct);
  const walked = steps(direct);
  assert.equal(openDirectCursor(tree, {}), undefined);
  assert.equal(openDirectCursor(tree, { _ts_init: () => 0, HEAP32: new Int32Array(4) }), undefined);
  assert.deepEqual(steps(openCursor(tree, {})), walked);
  tree.delete();
});

/** All that a cursor says on its way through the tree. */
function steps(cursor: Cursor): number[] {
  const seen: number[] = [];
  const look = (): void => {
    seen.push(cursor.typeId(), cursor.fieldId(), cursor.start(), cursor.end());
  };
  look();
  let depth = 0;
  for (;;) {
    if (cursor.toFirstChild()) depth++;
    else {
      while (depth > 0 && !cursor.toNextSibling()) {
        assert.ok(cursor.toParent());
        depth--;
      }
      if (depth === 0) break;
    }
    seen.push(depth);
    look();
  }
  cursor.close();
  return seen;
}

async function parsed(path: string, text: string): Promise<{ readonly tree: Tree; readonly runtime: Runtime }> {
  const language = await languageFor(dialectOf(path), text);
  assert.ok(language, path);
  const { parser, runtime } = await parserFor(language.grammar);
  const tree = parser.parse(text);
  assert.ok(tree);
  return { tree, runtime };
}
