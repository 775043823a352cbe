import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { InputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { affectedAnswer } from '../../../daemon/operations/analysis/affected.ts';
import { analysed } from '../../../daemon/operations/analysis/analyses.ts';
import { parseTree } from '../../support/repository.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const fixtures = new URL('../../../../test/fixtures/languages/', import.meta.url);

/** Ties that nothing but the order of files could settle: the same users, callers, bases and importers, several times over. */
const tied = `
-- package.json --
{ "name": "tied" }
${['a', 'b', 'c', 'd', 'e']
  .map(
    (name, at, all) => `
-- src/${name}.ts --
import { ${all[(at + 1) % 5]} } from './${all[(at + 1) % 5]}';
import { base, Port } from './base';
export function ${name}(port: Port) { ${all[(at + 1) % 5]}(port); base(); port.send(); }
export class Of${name} implements Port { send() { base(); } }
base();
-- src/${name}.test.ts --
import { ${name} } from './${name}';
import { ${all[(at + 2) % 5]} } from './${all[(at + 2) % 5]}';
${name}(null); ${all[(at + 2) % 5]}(null);
-- src/${name}.h --
struct Shape { int area(); int side(); };
int ${name}_twice(Shape s);
-- src/${name}.cc --
#include "${name}.h"
int ${name}_twice(Shape s) { return s.area() + s.side(); }`,
  )
  .join('\n')}
-- src/read.coffee --
-- src/near.marko --
-- src/last.imba --
-- src/base.ts --
export function lost() {}
export interface Port { send(): void }
export function base() { missing(); other(); }
`;

async function grownTree(t: TestContext, files: ReadonlyMap<string, string>): Promise<AnalysedTree> {
  const of = await analysedTree(t, '');
  for (const [path, text] of files) {
    of.folder.write(path, text);
    await of.tree.changed(path);
  }
  return of;
}

/** What each analysis says of each symbol and file of a tree, without what no two trees have alike. */
function answersOf(of: AnalysedTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const put = (name: string, what: string, answer: unknown) => {
    const text = JSON.stringify(answer, (key, value) => (key === 'timestamp' ? '' : value));
    found.set(`${name} ${what}`, text.replaceAll(of.tree.repo.id, 'tree'));
  };
  const ask = <Name extends Parameters<AnalysedTree['ask']>[0]>(
    name: Name,
    what: string,
    input: InputOf<Operations[Name]>,
  ) => {
    put(name, what, of.ask(name, input));
  };
  const rows = of.tree.dump().lines.map(line => line.split('\t'));
  const paths = rows.flatMap(([row, path]) => (row === 'entry' ? [path!] : []));
  const hashes = [...new Set(rows.flatMap(([row, , , symbol]) => (row === 'definition' ? [symbol!] : [])))].sort();
  hashes.forEach((hash, at) => {
    const id = symbolId(of.tree.repo.id, hash);
    const common = { id, includeTests: true, sync: false } as const;
    ask('analysis.impact', hash, { ...common, depth: 3, limit: 1000 });
    ask('analysis.callgraph', hash, { ...common, direction: 'both', depth: 3, includeExternal: true, limit: 5 });
    const to = symbolId(of.tree.repo.id, hashes[(at * 7 + 3) % hashes.length]!);
    ask('analysis.trace', hash, { from: id, to, sync: false });
  });
  for (const granularity of ['module', 'directory', 'file'] as const) {
    const common = {
      depth: 2,
      includeExternalDeps: true,
      inferModules: true,
      refresh: false,
      format: 'json',
      sync: false,
    } as const;
    ask('analysis.architecture', granularity, { ...common, granularity });
  }
  for (const path of paths) {
    const change = {
      base: undefined,
      head: undefined,
      paths: new Map([[path, 'changed' as const]]),
      outside: 0,
      notAsIndexed: 0,
      gone: new Map(),
      folders: new Map<string, number>(),
    };
    const input = { includeAll: true, limit: 1000 };
    put(
      'affected',
      path,
      of.about((reader, asked) => analysed(reader, asked, one => affectedAnswer(one, input, change))),
    );
  }
  ask('analysis.unwired', '', { minConfidence: 0, limit: 10_000, includeTypes: true, sync: false });
  assert.ok(paths.length > 0 && hashes.length > 0);
  return found;
}

test('a tree has the same answers in whatever order its files came', async t => {
  const files = new Map(parseTree(tied));
  for (const name of readdirSync(fixtures)) {
    if (!name.endsWith('.golden')) files.set(`fixtures/${name}`, readFileSync(new URL(name, fixtures), 'utf8'));
  }
  const backwards = new Map([...files].reverse());
  const [one, other] = [answersOf(await grownTree(t, files)), answersOf(await grownTree(t, backwards))];
  assert.deepEqual([...other.keys()], [...one.keys()]);
  const differing = [...one].filter(([what, answer]) => other.get(what) !== answer);
  assert.deepEqual(
    differing.map(([what]) => what),
    [],
  );
});
