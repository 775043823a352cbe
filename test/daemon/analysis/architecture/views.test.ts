import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryView } from '../../../../daemon/analysis/architecture/directories.ts';
import { fileView } from '../../../../daemon/analysis/architecture/files.ts';
import { type ModuleNode, moduleView } from '../../../../daemon/analysis/architecture/modules.ts';
import { pictureOf } from '../../../../daemon/analysis/architecture/pictures.ts';
import { fileGraph } from './file-graph-in.ts';

const tree = fileGraph(`
packages/a/src/index.ts typescript 10 > packages/a/src/util.ts, packages/b/src/index.ts, npm:react, std:node
packages/a/src/util.ts typescript 20 > packages/a/src/index.ts, ?./gone, ?left-pad
packages/a/test/a.test.ts typescript 5 > packages/a/src/index.ts, packages/c/src/main.py
packages/b/src/index.ts typescript 30 > type packages/c/src/main.py, packages/b/src/deep/er/x.ts
packages/b/src/deep/er/x.ts typescript 7 > packages/a/src/index.ts
packages/c/src/main.py python 100 > packages/c/src/one.py + packages/c/src/two.py
packages/c/src/one.py python 50 > ~packages/c/src/two.py
packages/c/src/two.py python 50
build.js javascript 3 > packages/b/src/index.ts
`);

interface Part extends ModuleNode {
  readonly packageId: string;
}
const paths = ['', 'packages/a', 'packages/b', 'packages/c'];
const parts = paths.map((path): Part => {
  const id = path || '@root';
  return { id, path, name: path.split('/').pop() || 'all', isTest: false, detectedBy: 'manifest', packageId: id };
});
const cut = {
  modules: parts,
  moduleOf: Int32Array.from(tree.files, ({ path }) =>
    Math.max(0, paths.indexOf(path.split('/').slice(0, 2).join('/'))),
  ),
  isWorkspace: (from: Part, to: Part) => from.id !== '@root' && to.id !== '@root',
};

const options = { includeExternalDeps: false, target: '' };

const edges = (found: readonly { from: string; to: string; kind: string; strength: number }[]): readonly string[] =>
  found.map(({ from, to, kind, strength }) => `${from} > ${to} ${kind} ${strength}`);

test('modules count what lies in them and what leads to them and away', () => {
  const { modules, dependencies, cycles, truncated } = moduleView(tree, cut, options);
  assert.deepEqual(
    modules.map(one => [
      one.id,
      one.language,
      one.fileCount,
      one.loc,
      one.incomingEdges,
      one.outgoingEdges,
      one.outside,
    ]),
    [
      ['@root', 'javascript', 1, 3, 0, 1, false],
      ['packages/a', 'typescript', 3, 35, 1, 2, false],
      ['packages/b', 'typescript', 2, 37, 2, 2, false],
      ['packages/c', 'python', 3, 200, 2, 0, false],
    ],
  );
  assert.deepEqual(edges(dependencies), [
    '@root > packages/b local 1',
    'packages/a > packages/b workspace 1',
    'packages/a > packages/c workspace 1',
    'packages/b > packages/a workspace 1',
    'packages/b > packages/c workspace 1',
  ]);
  assert.deepEqual(cycles, [['packages/a', 'packages/b']]);
  assert.equal(truncated, false);
});

test('what tests alone need closes no cycle, but among those that are all tests', () => {
  const graph = fileGraph(`
packages/a/src/index.ts typescript 1
packages/a/test/a.test.ts typescript 1 > packages/b/src/index.ts
packages/b/src/index.ts typescript 1 > packages/a/src/index.ts
test/one/helper.ts typescript 1 > test/two/helper.ts
test/two/helper.ts typescript 1 > test/one/helper.ts
`);
  assert.deepEqual(directoryView(graph, { ...options, depth: 2 }).cycles, [['test/one', 'test/two']]);
});

/** Storage needs config, config needs what lies below storage; a and b need one another; of c and d two directories each do. */
const merged = fileGraph(`
config/config.go go 1 > storage/azure/azure.go
storage/azure/azure.go go 1
storage/storage.go go 1 > config/config.go, a/x/x.go
a/x/x.go go 1 > b/b.go
a/y/y.go go 1 > a/x/x.go
b/b.go go 1 > a/y/y.go, c/one/one.go
c/one/one.go go 1 > d/one/one.go
c/two/two.go go 1
d/one/one.go go 1 > c/two/two.go
`);
const tops = ['a', 'b', 'c', 'config', 'd', 'storage'];
const inferred = (detectedBy: Part['detectedBy']) => ({
  modules: tops.map((path): Part => ({ id: path, path, name: path, isTest: false, detectedBy, packageId: path })),
  moduleOf: Int32Array.from(merged.files, ({ path }) => tops.indexOf(path.split('/')[0]!)),
  isWorkspace: () => false,
});

test('a cycle that holds only because directories were put together is told apart, of packages it is one', () => {
  const round = [
    ['c', 'd'],
    ['config', 'storage'],
  ];
  const modules = moduleView(merged, inferred('inferred'), options);
  assert.deepEqual([modules.cycles, modules.mergedCycles], [[['a', 'b']], round]);
  assert.deepEqual(
    modules.dependencies.filter(({ inCycle }) => inCycle).map(({ from, to }) => `${from} > ${to}`),
    ['a > b', 'b > a'],
  );
  const packages = moduleView(merged, inferred('manifest'), options);
  assert.deepEqual([packages.cycles, packages.mergedCycles], [[['a', 'b'], ...round], []]);
  const directories = directoryView(merged, { ...options, depth: 1 });
  assert.deepEqual([directories.cycles, directories.mergedCycles], [[['a', 'b']], round]);
  assert.deepEqual(
    directories.directoryDependencies.filter(({ inCycle }) => inCycle).map(({ from, to }) => `${from} > ${to}`),
    ['a > b', 'b > a'],
  );
  const deep = directoryView(merged, { ...options, depth: 2 });
  assert.deepEqual([deep.cycles, deep.mergedCycles], [[['a/x', 'a/y', 'b']], []]);
  const files = fileView(merged, { ...options, isWorkspace: () => false });
  assert.deepEqual(files.cycles, [['a/x/x.go', 'a/y/y.go', 'b/b.go']]);
  assert.equal(files.fileDependencies.filter(({ inCycle }) => inCycle).length, 3);
});

test('an edge says how much of it are types and tests', () => {
  const { dependencies } = moduleView(tree, cut, options);
  const to = (id: string) => dependencies.filter(one => one.to === id);
  assert.deepEqual(
    to('packages/c').map(one => [one.from, one.typeOnly, one.fromTests, one.implicit, one.production]),
    [
      ['packages/a', 0, 1, 0, 0],
      ['packages/b', 1, 0, 0, 0],
    ],
  );
  // A test's import of a type is both, and the other one is what counts.
  const both = fileGraph(`
a/x.ts typescript 1 > b/y.ts
a/test/x.test.ts typescript 1 > type b/y.ts
b/y.ts typescript 1
`);
  const view = directoryView(both, { ...options, depth: 1 });
  assert.deepEqual(
    view.directoryDependencies.map(one => [one.importCount, one.typeOnly, one.fromTests, one.production]),
    [[2, 1, 1, 1]],
  );
  const { edges: arrows } = pictureOf({ granularity: 'directory', ...view }, '');
  assert.deepEqual(
    arrows.map(({ strength, isFaint }) => [strength, isFaint]),
    [[2, false]],
  );
});

test('packages of others are listed for who asks, behind the modules', () => {
  const { modules, dependencies } = moduleView(tree, cut, { ...options, includeExternalDeps: true });
  assert.deepEqual(edges(dependencies.filter(({ from }) => from === 'packages/a')), [
    'packages/a > packages/b workspace 1',
    'packages/a > packages/c workspace 1',
    'packages/a > npm:react external 1',
    'packages/a > std:node stdlib 1',
  ]);
  assert.equal(modules.length, 4);
});

test('of a target is shown what lies below it, and where its edges lead', () => {
  const { modules, dependencies } = moduleView(tree, cut, { ...options, target: 'packages/b' });
  assert.deepEqual(
    modules.map(({ id, outside, fileCount }) => [id, outside, fileCount]),
    [
      ['packages/a', true, 3],
      ['packages/b', false, 2],
      ['packages/c', true, 3],
    ],
  );
  assert.deepEqual(edges(dependencies), ['packages/b > packages/a workspace 1', 'packages/b > packages/c workspace 1']);
  const within = moduleView(tree, cut, { ...options, target: 'packages/a/test' });
  assert.deepEqual(
    within.modules.map(({ id, outside, fileCount, isTest }) => [id, outside, fileCount, isTest]),
    [
      ['packages/a', false, 1, true],
      ['packages/c', true, 3, false],
    ],
  );
});

test('directories are told apart down to a depth, and deeper ones count with them', () => {
  const cases: readonly (readonly [number, string, readonly string[], readonly string[]])[] = [
    [1, '', ['. 1', 'packages 8'], ['. > packages 1']],
    [
      2,
      '',
      ['. 1', 'packages/a 3', 'packages/b 2', 'packages/c 3'],
      [
        '. > packages/b 1',
        'packages/a > packages/b 1',
        'packages/a > packages/c 1',
        'packages/b > packages/a 1',
        'packages/b > packages/c 1',
      ],
    ],
    [
      1,
      'packages/a',
      ['packages 5 outside', 'packages/a/src 2 index', 'packages/a/test 1'],
      ['packages/a/src > packages 1', 'packages/a/test > packages 1', 'packages/a/test > packages/a/src 1'],
    ],
  ];
  for (const [depth, target, rows, dependencies] of cases) {
    const found = directoryView(tree, { ...options, depth, target });
    const words = found.directories.map(({ path, fileCount, hasIndexFile, outside }) =>
      [path, fileCount, hasIndexFile && 'index', outside && 'outside'].filter(word => word !== false).join(' '),
    );
    assert.deepEqual(words, rows, `${depth} ${target}`);
    assert.deepEqual(
      found.directoryDependencies.map(({ from, to, importCount }) => `${from} > ${to} ${importCount}`),
      dependencies,
      `${depth} ${target}`,
    );
  }
});

test('files tell where each import leads, resolved or not', () => {
  const isWorkspace = (from: number, to: number) => cut.moduleOf[from] !== cut.moduleOf[to];
  const found = fileView(tree, { ...options, target: 'packages/a', isWorkspace });
  assert.deepEqual(
    found.fileDependencies.map(({ from, to, kind, line, resolved }) => [from.slice(11), to, kind, line, resolved]),
    [
      ['src/index.ts', 'packages/a/src/util.ts', 'local', 1, true],
      ['src/index.ts', 'packages/b/src/index.ts', 'workspace', 2, true],
      ['src/util.ts', 'packages/a/src/index.ts', 'local', 1, true],
      ['src/util.ts', './gone', 'local', 2, false],
      ['test/a.test.ts', 'packages/a/src/index.ts', 'local', 1, true],
      ['test/a.test.ts', 'packages/c/src/main.py', 'workspace', 2, true],
    ],
  );
  assert.deepEqual(
    found.files.map(({ path, outside, incomingEdges }) => [path, outside, incomingEdges]),
    [
      ['packages/a/src/index.ts', false, 2],
      ['packages/a/src/util.ts', false, 1],
      ['packages/a/test/a.test.ts', false, 0],
      ['packages/b/src/index.ts', true, 1],
      ['packages/c/src/main.py', true, 1],
    ],
  );
  assert.deepEqual(found.cycles, [['packages/a/src/index.ts', 'packages/a/src/util.ts']]);
  const all = fileView(tree, { ...options, includeExternalDeps: true, isWorkspace });
  const outside = all.fileDependencies.filter(({ kind }) => kind === 'external' || kind === 'stdlib');
  assert.deepEqual(
    outside.map(({ to, kind, resolved }) => [to, kind, resolved]),
    [
      ['npm:react', 'external', true],
      ['std:node', 'stdlib', true],
      ['left-pad', 'external', false],
    ],
  );
});

test('what tests in a file need closes no cycle, unless its code needs it as well', () => {
  const graph = fileGraph(`
a.rs rust 1 > test b.rs, test c.rs, c.rs
b.rs rust 1 > a.rs
c.rs rust 1 > a.rs
`);
  const found = fileView(graph, { ...options, isWorkspace: () => false });
  assert.deepEqual(found.cycles, [['a.rs', 'c.rs']]);
  assert.equal(found.fileDependencies.length, 4);
});

test('an import that may mean several files leads to each of them, and counts once for each group', () => {
  const found = fileView(tree, { ...options, target: 'packages/c', isWorkspace: () => false });
  assert.deepEqual(
    found.fileDependencies.map(({ from, to, implicit }) => [from.slice(15), to.slice(15), implicit]),
    [
      ['main.py', 'one.py', false],
      ['main.py', 'two.py', false],
      ['one.py', 'two.py', true],
    ],
  );
});

test('what is too much is left out by what has fewest edges, and the answer says so', () => {
  const most = { nodes: 3, edges: 2 };
  const found = moduleView(tree, cut, { ...options, most });
  assert.deepEqual(
    found.modules.map(({ id }) => id),
    ['packages/a', 'packages/b', 'packages/c'],
  );
  assert.equal(found.dependencies.length, 2);
  assert.deepEqual([found.truncated, found.omitted], [true, { nodes: 1, edges: 3 }]);
});
