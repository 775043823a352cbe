import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { theOneNamed } from '../../../daemon/operations/symbols/find-symbol.ts';
import { type SearchOutput, symbolSearch } from '../../../daemon/operations/symbols/search.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { plainSearch } from '../../support/plain-search.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { type IndexedTree, indexedTree } from '../jobs/indexed-tree.ts';

/** Asks what names of a tree mean, and searches; one worker's memory over all of the tree's snapshots. */
function asking(context: TestContext, { repo: { id, indexFile, worktreeKey: key } }: IndexedTree) {
  const reader = openIndexReader(indexFile);
  context.after(() => reader.close());
  const symbols = symbolSearch(reader, 2 ** 20);
  const asked = { repo: { id, indexFile, key }, current: undefined, cursorSecret: '00', dirtyFiles: 0, now: 0 };
  const input = { limit: 50, ...plainSearch } as const;
  const search = (q: string, more = {}): SearchOutput =>
    JSON.parse(Buffer.from(symbols.answer(asked, { ...input, q, ...more })).toString()) as SearchOutput;
  return {
    search,
    found: (q: string, more = {}): readonly string[] =>
      search(q, more).results.map(one => `${one.match} ${one.location.file} ${one.name}`),
    named: (text: string): string => {
      const { path, name } = reader.symbol(
        key,
        reader.snapshot(key)!.seq,
        theOneNamed(symbols.named(asked, text), text, id),
      )!;
      return `${path} ${name}`;
    },
  };
}

test('what modules export under another name is found by it, until they don’t', async context => {
  const folder = temporaryFolder(
    context,
    `-- src/vnode.ts --
function createBaseNode() {}
export { createBaseNode as createElementNode };
export function createElementNodeList() {}
-- src/h.ts --
export function h() {}
-- src/other.ts --
export function hh() {}
export { hh as jsxs };
-- src/open.ts --
function openFileSync() {}
export { openFileSync as openFile };
-- src/index.ts --
export { h as jsx, h as jsxs } from './h';
export { createElementNode } from './vnode';
export { nothing as elsewhere } from 'elsewhere';
`,
  );
  const tree = indexedTree(context, folder.root);
  await tree.crawl();
  const { found, named, search } = asking(context, tree);
  const both = ['exact src/vnode.ts createBaseNode', 'prefix src/vnode.ts createElementNodeList'];
  assert.deepEqual(found('createElementNode'), both);
  assert.deepEqual(found('CREATEELEMENTNODE'), both);
  assert.deepEqual(found('createElementNode', { kinds: ['class'] }), []);
  const first = search('createElementNode', { limit: 1 });
  assert.deepEqual([first.total, first.hasMore], [2, true]);
  assert.deepEqual(found('createElementNode', { limit: 1, cursor: first.cursor }), both.slice(1));
  assert.deepEqual(
    [found('jsx'), found('jsxs')],
    [['exact src/h.ts h'], ['exact src/h.ts h', 'exact src/other.ts hh']],
  );
  assert.deepEqual([named('createElementNode'), named('jsx')], ['src/vnode.ts createBaseNode', 'src/h.ts h']);
  assert.throws(() => named('jsxs'), { reason: 'ambiguous' });
  assert.throws(() => named('createelementnode'), { reason: 'symbolNotFound' });
  assert.deepEqual(found('openFile'), ['exact src/open.ts openFileSync']);
  assert.equal(search('openFile').total, 1);
  assert.deepEqual(found('elsewhere'), []);

  folder.write('src/index.ts', "export { h as tag } from './h';\n");
  await tree.changed('src/index.ts');
  assert.deepEqual([found('jsx'), found('tag')], [[], ['exact src/h.ts h']]);
});

test('names are found as each language writes them, from the package on', async context => {
  const folder = temporaryFolder(
    context,
    `-- crates/grep-searcher/Cargo.toml --
[package]
name = "grep-searcher"
-- crates/grep-searcher/src/searcher/mod.rs --
pub struct Searcher;
impl Searcher { pub fn search(&self) {} }
-- go.mod --
module example.com/group/gin
-- context.go --
package gin
type Context struct{}
func (c *Context) JSON() {}
-- binding/binding.go --
package binding
type Binding struct{}
-- app/base.py --
class Scaffold:
    def route(self): pass
-- app/app.py --
from .base import Scaffold
class App(Scaffold): pass
class Site(App):
    def run(self): pass
`,
  );
  const tree = indexedTree(context, folder.root);
  await tree.crawl();
  const { found, named } = asking(context, tree);
  for (const [text, what] of [
    ['grep_searcher::Searcher', 'crates/grep-searcher/src/searcher/mod.rs Searcher'],
    ['grep_searcher::Searcher::search', 'crates/grep-searcher/src/searcher/mod.rs search'],
    ['gin.Context', 'context.go Context'],
    ['(*Context).JSON', 'context.go JSON'],
    ['example.com/group/gin.(*Context).JSON', 'context.go JSON'],
    ['example.com/group/gin/binding.Binding', 'binding/binding.go Binding'],
    ['Site.route', 'app/base.py route'],
    ['app.Site.route', 'app/base.py route'],
    ['Site#run', 'app/app.py run'],
  ] as const) {
    assert.equal(named(text), what, text);
    assert.ok(found(text).includes(`exact ${what}`), text);
  }
  for (const text of ['gin.Binding', 'Scaffold.run', 'other.Site.route']) {
    assert.throws(() => named(text), { reason: 'symbolNotFound' }, text);
    assert.deepEqual(found(text), [], text);
  }
});
