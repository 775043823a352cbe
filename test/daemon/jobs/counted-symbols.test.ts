import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotCounts } from '../../../daemon/store/publication.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { freshDump, type IndexedTree, indexedTree } from './indexed-tree.ts';

const text = `
-- box.h --
class Box { public: int size(); int count(); };
-- box.cc --
#include "box.h"
int Box::size() { return 1; }
int Box::count() { return 1; }
-- plain.h --
extern int shared;
-- plain.c --
int shared = 1;
-- tool.py --
def run():
    return 1
`;

/** Symbols in all, and of each language. */
function symbolsOf(tree: IndexedTree): readonly [number, Readonly<Record<string, number>>] {
  const line = tree.dump().lines.find(one => one.startsWith('counts\t'))!;
  const { symbols, languages } = JSON.parse(line.slice('counts\t'.length)) as SnapshotCounts;
  return [symbols, Object.fromEntries(Object.entries(languages).map(([name, one]) => [name, one.symbols]))];
}

test('a symbol of several files counts once, in one language, and the languages add up, whatever came before', async t => {
  const folder = temporaryFolder(t, text);
  const tree = indexedTree(t, folder.root);
  await tree.crawl();
  const steps: readonly (readonly [write: Readonly<Record<string, string>>, c: number, cpp: number])[] = [
    [{}, 1, 3],
    [{ 'user.cc': 'int shared = 1;\nint own() { return 1; }\n' }, 1, 4],
    [{ 'plain.c': '', 'plain.h': '' }, 0, 5],
    [{ 'plain.c': 'int shared = 1;\n' }, 1, 4],
    [{ 'user.cc': '' }, 1, 3],
    [{ 'box.h': 'int size();\n' }, 2, 2],
    [{ 'box.cc': '', 'box.h': '' }, 1, 0],
  ];
  for (const [written, c, cpp] of steps) {
    for (const [path, content] of Object.entries(written)) folder.write(path, content);
    await tree.changed(...Object.keys(written));
    assert.deepEqual(symbolsOf(tree), [c + cpp + 1, { c, cpp, python: 1 }], JSON.stringify(written));
    assert.deepEqual(tree.dump().hash, (await freshDump(t, folder.root)).hash, JSON.stringify(written));
  }
});
