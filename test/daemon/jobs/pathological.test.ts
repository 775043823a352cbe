import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/repository.ts';
import { grammarBytes, trapping } from '../extract/broken-grammar.ts';
import { indexedTree } from './indexed-tree.ts';

test('a source that brings its grammar down costs itself, not those that wait behind it', async t => {
  const { root, write } = temporaryFolder(t);
  write('1-bad.java', `${`${'([{'.repeat(300)}\n`.repeat(100)}\n`);
  for (let n = 0; n < 6; n++) write(`${n}-good.java`, `class Good${n} { void m() {} }\n`);
  const tree = indexedTree(t, root, { parseSteps: 3000, extractWorkers: 1 });
  assert.equal((await tree.crawl()).symbolCount, 12);
  assert.match(tree.entry('1-bad.java')?.at(-1) ?? '', /^parse/);
});

test('a grammar that traps costs its own files alone, whoever read them and whatever is read after them (P43)', async t => {
  const { root, write } = temporaryFolder(t);
  for (let n = 0; n < 4; n++) {
    write(`src/${n}-bad.java`, `class Bad${n} {}\n`);
    write(`src/${n}-good.ts`, `export function good${n}() {}\n`);
    write(`src/${n}-good.py`, `def good${n}():\n    pass\n`);
  }
  const grammar = temporaryFolder(t);
  grammar.write('trapping.wasm', trapping(grammarBytes('@repomix/tree-sitter-wasms/out/tree-sitter-java.wasm')));
  process.env['SVC_TEST_GRAMMAR'] = grammar.path('trapping.wasm');
  const extractEntry = new URL('./trapping-extract.js', import.meta.url);
  const tree = indexedTree(t, root, { extractEntry, extractWorkers: 1 });
  const { symbolCount, fileCount } = await tree.crawl();
  assert.deepEqual([fileCount, symbolCount], [12, 8]);
  for (let n = 0; n < 4; n++) {
    const skips = ['bad.java', 'good.ts', 'good.py'].map(name => tree.entry(`src/${n}-${name}`)?.at(-1));
    assert.deepEqual(skips, ['parser_trap', '', ''], `${n}`);
  }
  const told = tree.notices.flatMap(notice => (notice.kind === 'file_skipped' ? [notice] : []));
  assert.deepEqual(
    told.map(({ path: skipped }) => skipped as string).sort(),
    Array.from({ length: 4 }, (_, n) => `src/${n}-bad.java`),
  );
});
