import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modulesTold } from '../../../daemon/operations/analysis/repository-modules.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';

const tree = `
-- go.mod --
module example.com/m
-- cmd/run/run.go --
package main
func main() {}
-- web/package.json --
{ "name": "web", "main": "dist/start.js" }
-- web/src/start.ts --
export const start = 1;
-- tools/gen.py --
if __name__ == '__main__':
    print(1)
`;

test('what documents tell of their repository is brought along, and stays one value while none tells anything else', async t => {
  const { root, write } = temporaryFolder(t, tree);
  const { repo, crawl, changed } = indexedTree(t, root);
  const key = repo.worktreeKey;
  const { seq } = await crawl();
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const edit = async (path: string, text: string) => {
    write(path, text);
    const { seq } = await changed(path);
    return reader.told(key, seq)!;
  };
  const first = reader.told(key, seq)!;
  const model = modulesTold(first);
  const entries = () => modulesTold(first).entrypoints.map(({ path, kind }) => `${path} ${kind}`);
  assert.deepEqual(entries(), ['cmd/run/run.go cli', 'tools/gen.py script', 'web/src/start.ts library']);
  assert.equal(model.moduleOf('web/src/start.ts').name, 'web');

  const afterBody = await edit('web/src/start.ts', 'export const start = 2;\n');
  assert.equal(afterBody, first);
  assert.equal(modulesTold(afterBody), model);

  const afterScript = await edit('web/package.json', '{ "name": "site", "main": "dist/start.js" }\n');
  assert.equal(modulesTold(afterScript).moduleOf('web/src/start.ts').name, 'site');
  const withoutStart = await edit('cmd/run/run.go', 'package main\nfunc run() {}\n');
  const others = modulesTold(withoutStart).entrypoints.map(({ path }) => path);
  assert.deepEqual(others, ['tools/gen.py', 'web/src/start.ts']);

  const fresh = openIndexReader(repo.indexFile);
  t.after(() => fresh.close());
  const now = fresh.snapshot(key)!.seq;
  const sorted = (told: typeof first) => [...told].sort(([a], [b]) => a - b);
  assert.deepEqual(sorted(fresh.told(key, now)!), sorted(withoutStart));
  assert.deepEqual(sorted(fresh.told(key, seq)!), sorted(first), 'an earlier snapshot while it can be read');
});

test('what a manifest says to nobody but the module model links no document anew', async t => {
  const { root, write } = temporaryFolder(
    t,
    `
-- package.json --
{ "name": "whole", "workspaces": ["*"] }
-- lib/package.json --
{ "name": "lib", "main": "a.js" }
-- lib/a.js --
exports.a = 1;
-- app/b.js --
const { a } = require('lib');
a;
`,
  );
  const { crawl, changed } = indexedTree(t, root);
  await crawl();
  const linkedAfter = async (manifest: string) => {
    write('lib/package.json', manifest);
    return (await changed('lib/package.json')).documentsLinked;
  };
  assert.equal(await linkedAfter('{ "name": "lib", "main": "a.js", "scripts": { "start": "node a.js" } }'), 1);
  assert.equal(await linkedAfter('{ "name": "lib", "main": "b.js", "scripts": { "start": "node a.js" } }'), 2);
});
