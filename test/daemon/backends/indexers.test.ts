import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { IndexerRun } from '../../../daemon/backends/indexer-run.ts';
import { indexers } from '../../../daemon/backends/indexer-table.ts';
import { askVersion, findIndexer, indexersFor, projectFolders, runIndexer } from '../../../daemon/backends/indexers.ts';
import { packageRoot } from '../../../daemon/package-root.ts';
import { parseTree, temporaryFolder, writeTree } from '../../support/repository.ts';
import { deserializeSCIP, scipBytes } from '../../support/scip.ts';
import { whileWithoutRights } from '../../support/without-rights.ts';

/** A program in an indexer's place: notes how it was called, tries to litter where it runs, and hands over an index. */
function standIn(t: TestContext, name: string, tree: string, trusted = true) {
  const folder = temporaryFolder(t);
  const at = (path: string) => join(folder.root, path);
  for (const part of ['bin', 'scratch', 'tree']) mkdirSync(at(part));
  writeTree(at('tree'), tree);
  const documents = [{ relativePath: 'a', language: 'x' }];
  writeFileSync(at('index.scip'), scipBytes({ metadata: { projectRoot: 'file:///x' }, documents }));
  const indexer = indexers.find(one => one.name === name)!;
  writeFileSync(
    at(`bin/${indexer.program}`),
    `#!${process.execPath}
const fs = require('node:fs');
const words = process.argv.slice(2);
if (words[0] === '--version' || words[0] === '--help') { console.log('stand-in 1.2.3 (x)'); process.exit(0); }
fs.appendFileSync(${JSON.stringify(at('calls'))}, JSON.stringify({ words, cwd: process.cwd(), env: process.env, files: fs.readdirSync('.') }) + '\\n');
const flag = ['--output', '--index-file'].map(one => words.indexOf(one)).find(one => one >= 0);
const long = words.find(one => one.startsWith('--index-output-path='));
const output = flag !== undefined ? words[flag + 1] : long !== undefined ? long.slice(20) : 'index.scip';
if (fs.existsSync('broken')) process.exit(7);
if (${JSON.stringify(indexer.reads)} === 'copy') fs.writeFileSync('litter', '');
fs.copyFileSync(${JSON.stringify(at('index.scip'))}, output);
for (const word of words) if (word.endsWith('.json')) console.log('+ ' + word + ' (1ms)');
`,
    { mode: 0o755 },
  );
  const found = findIndexer(indexer, '', { path: at('bin'), packageFolders: [] })!;
  const run: IndexerRun = {
    indexer,
    found,
    root: at('tree'),
    project: 'app',
    trusted,
    paths: [...parseTree(tree).keys()],
    scratch: at('scratch'),
    environment: { PATH: process.env['PATH'], HOME: '/home/of-mine', SECRET: 'x' },
    timeoutMs: 60_000,
    memoryBytes: 2 ** 30,
    signal: new AbortController().signal,
  };
  const calls = () =>
    readFileSync(at('calls'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { words: string[]; cwd: string; env: Record<string, string>; files: string[] });
  return { run, at, calls };
}

const project: Readonly<Record<string, { readonly tree: string; readonly words: string }>> = {
  'scip-python': {
    tree: '-- a.py --\n',
    words:
      'index --cwd TREE --output OUT/index-0.scip --project-name app --project-version 0 --environment OUT/no-packages.json --quiet',
  },
  'scip-typescript': {
    tree: '-- a.ts --\n',
    words: 'index --cwd TREE --output OUT/index-0.scip --no-progress-bar --max-file-byte-size 2mb OUT/project-0-0.json',
  },
  'scip-go': {
    tree: '-- go.mod --\n',
    words:
      '--output OUT/index-0.scip --project-root COPY --module-root COPY --repository-root COPY --repository-remote app --module-version 0 --quiet',
  },
  'rust-analyzer': {
    tree: '-- Cargo.toml --\n',
    words: 'scip COPY --output OUT/index-0.scip --exclude-vendored-libraries',
  },
  'scip-java': { tree: '-- pom.xml --\n', words: 'index --output OUT/index-0.scip' },
  'scip-clang': {
    tree: '-- compile_commands.json --\n',
    words:
      '--compdb-path=COPY/compile_commands.json --index-output-path=OUT/index-0.scip --temporary-output-dir=OUT --no-progress-report',
  },
  'scip-ruby': { tree: '-- Gemfile --\n', words: '--index-file OUT/index-0.scip --gem-metadata app@0 .' },
  'scip-dotnet': { tree: '-- a.csproj --\n', words: 'index --working-directory COPY --output OUT/index-0.scip' },
  'scip-php': { tree: '-- composer.json --\n', words: '--memory-limit=2G' },
  'scip-dart': { tree: '-- pubspec.yaml --\n', words: '--output OUT/index-0.scip COPY' },
};

for (const { name, reads } of indexers) {
  test(`${name} is found, told what to do, and hands over an index; the work tree stays as it is`, async t => {
    const { tree, words } = project[name]!;
    const { run, at, calls } = standIn(t, name, tree);
    const before = readdirSync(at('tree')).sort();
    const { written, problems } = await runIndexer(run);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      written.map(({ folder }) => folder),
      [''],
    );
    assert.equal(deserializeSCIP(readFileSync(written[0]!.file)).documents[0]!.relativePath, 'a');
    const [call] = calls();
    const told = call!.words.join(' ').replaceAll(at('scratch/tree'), 'COPY');
    assert.equal(told.replaceAll(at('scratch'), 'OUT').replaceAll(at('tree'), 'TREE'), words);
    assert.equal(call!.cwd, reads === 'tree' ? at('tree') : at('scratch/tree'));
    assert.deepEqual(readdirSync(at('tree')).sort(), before);
    assert.equal(call!.env['SECRET'], undefined);
    assert.equal(await askVersion(run, run), '1.2.3');
  });
}

test('a file that can’t be read is left out of what an indexer reads, and told of, also where it comes to nothing by that', async t => {
  const { run, at } = standIn(t, 'scip-go', '-- go.mod --\n-- a.go --\n-- lib/b.go --\n');
  const closed = 'scip-go saw nothing of 2 files that can’t be read: a.go, lib/b.go';
  for (const path of ['', 'bin', 'scratch', 'tree']) chmodSync(at(path), 0o777);
  chmodSync(at('index.scip'), 0o644);
  for (const path of ['tree/a.go', 'tree/lib']) chmodSync(at(path), 0);
  const { written, problems } = await whileWithoutRights(() => runIndexer(run));
  assert.deepEqual([written.length, problems], [1, [closed]]);
  rmSync(at('scratch'), { recursive: true });
  mkdirSync(at('scratch'), { mode: 0o777 });
  writeFileSync(at('tree/broken'), '');
  const broken = { ...run, paths: [...run.paths, 'broken'] };
  chmodSync(at('scratch'), 0o777);
  await assert.rejects(
    whileWithoutRights(() => runIndexer(broken)),
    { name: 'ProgramFailed', message: `scip-go ended with exit code 7; ${closed}` },
  );
});

test('a compilation database that can’t be read is told as that', async t => {
  const { run, at } = standIn(t, 'scip-clang', '-- compile_commands.json --\n[]\n');
  for (const path of ['', 'bin', 'scratch', 'tree']) chmodSync(at(path), 0o777);
  chmodSync(at('tree/compile_commands.json'), 0);
  await assert.rejects(
    whileWithoutRights(() => runIndexer(run)),
    {
      name: 'ProgramFailed',
      message:
        'scip-clang reads a compilation database, which can’t be read; scip-clang saw nothing of 1 file that can’t be read: compile_commands.json',
    },
  );
});

test('scip-clang compiles the copy: a database of the tree is made one of it, with what a build generated', async t => {
  const { run, at, calls } = standIn(t, 'scip-clang', '-- src/a.cpp --\n-- compile_commands.json --\n');
  for (const path of ['build/gen/a.h', 'build/a.o', '.git/x.h', 'tools/cc', 'elsewhere.txt']) {
    mkdirSync(join(at('tree'), path, '..'), { recursive: true });
    writeFileSync(at(`tree/${path}`), '');
  }
  const [tree, copy] = [at('tree'), at('scratch/tree')];
  const entry = { directory: `${tree}/build`, file: '../src/a.cpp', output: `${tree}/build/a.o` };
  const command = String.raw`../tools/cc -I${tree}/build/gen -isystem ${tree}2 -I"${tree}/src" -DX='\"a b\"' a\ b -o a.o ${tree}/src/a.cpp`;
  const entries = [
    { ...entry, command },
    { ...entry, directory: tree, arguments: ['cc', `--sysroot=${tree}/nowhere`, `@${tree}/src`, 1] },
    { directory: '/usr', file: `${tree}/src/a.cpp`, more: 1 },
    'none',
  ];
  writeFileSync(at('tree/compile_commands.json'), JSON.stringify(entries));
  await runIndexer(run);
  assert.equal(calls()[0]!.cwd, copy);
  assert.deepEqual(JSON.parse(readFileSync(join(copy, 'compile_commands.json'), 'utf8')), [
    {
      ...{ directory: `${copy}/build`, file: '../src/a.cpp', output: `${tree}/build/a.o` },
      arguments: [
        ...[`${tree}/tools/cc`, `-I${copy}/build/gen`, '-isystem', `${tree}2`, `-I${copy}/src`],
        ...['-DX=\\"a b\\"', 'a b', '-o', 'a.o', `${copy}/src/a.cpp`],
      ],
    },
    {
      ...{ directory: copy, file: '../src/a.cpp', output: `${tree}/build/a.o` },
      arguments: ['cc', `--sysroot=${copy}/nowhere`, `@${copy}/src`, 1],
    },
    { directory: '/usr', file: `${copy}/src/a.cpp`, more: 1 },
    'none',
  ]);
  assert.deepEqual(readdirSync(copy).sort(), ['build', 'compile_commands.json', 'litter', 'src']);
  assert.deepEqual(readdirSync(join(copy, 'build')), ['gen']);
});

test('without trust nothing but node can be found', async t => {
  const { run, at, calls } = standIn(t, 'scip-python', '-- a.py --\n', false);
  await runIndexer(run);
  const { PATH, HOME } = calls()[0]!.env;
  assert.deepEqual(
    readdirSync(PATH!).filter(name => name !== 'python3'),
    ['node'],
  );
  assert.equal(HOME, at('scratch'));
  const trusted = standIn(t, 'scip-python', '-- a.py --\n', true);
  await runIndexer(trusted.run);
  const { env } = trusted.calls()[0]!;
  assert.ok(
    env['PATH']!.startsWith(`${trusted.at('tree')}/.venv/bin:`) &&
      env['PATH']!.endsWith(process.env['PATH']!.split(':').at(-1)!),
  );
  assert.equal(env['HOME'], '/home/of-mine');
});

test('scip-python is told of packages by a python that stands in for the real one, and nothing of theirs runs', async t => {
  const { run, at } = standIn(t, 'scip-python', '-- a.py --\n', false);
  const folder = temporaryFolder(t);
  const runs = folder.path('runs');
  const python = `#!/bin/sh
pwd >> ${runs}
echo '{"version":[3,9],"prefix":"/usr","path":["${folder.path('std')}","/nowhere"],"site":["${folder.path('site')}"]}'
`;
  const evil = `#!/bin/sh\necho evil >> ${runs}\n`;
  const put = (path: string, text: string, mode = 0o755) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text, { mode });
  };
  put(folder.path('bin/python3'), python);
  put(folder.path('std/x.py'), '');
  put(folder.path('site/a.pth'), `import os; os.system("echo evil >> ${runs}")\n# no\n../editable\n../gone\n`);
  put(folder.path('editable/x.py'), '');
  put(at('tree/.venv/bin/python3'), evil);
  const PATH = `${at('tree/.venv/bin')}:${folder.path('bin')}:${process.env['PATH']}`;
  const asked = async (query: string) => {
    await runIndexer({ ...run, environment: { ...run.environment, PATH } });
    return JSON.parse(execFileSync(at('scratch/bin/python3'), ['-c', query], { encoding: 'utf8' })) as unknown;
  };
  const outside = [folder.path('std'), folder.path('site'), folder.path('editable')];
  assert.deepEqual(await asked('sys.path'), { path: outside, prefix: '/usr' });
  assert.deepEqual(await asked('sys.version_info[0]'), { major: 3, minor: 9 });
  put(at("tree/.venv/lib/python3.12/site-packages/it's/x.py"), '');
  put(at('tree/.venv/pyvenv.cfg'), 'home = /usr/bin\nversion = 3.12.1\n');
  const own = at('tree/.venv/lib/python3.12/site-packages');
  put(join(own, 'b.pth'), "it's\n");
  const prefix = at('tree/.venv');
  assert.deepEqual(await asked('sys.path'), { path: [outside[0], own, `${own}/it's`], prefix });
  assert.deepEqual(await asked('sys.version_info[0]'), { major: 3, minor: 12 });
  put(at('tree/.venv/pyvenv.cfg'), 'include-system-site-packages = true\n');
  assert.deepEqual(await asked('sys.path'), { path: [outside[0], own, `${own}/it's`, ...outside.slice(1)], prefix });
  const ran = new Set(readFileSync(runs, 'utf8').trim().split('\n'));
  assert.deepEqual([...ran], [at('scratch/nowhere')]);
});

test('it runs in each outermost folder of a project, and one that fails leaves the others', async t => {
  const tree = `
    -- a/go.mod --
    -- a/b/go.mod --
    -- c/go.mod --
    -- c/broken --
    -- readme.md --
  `;
  const { run, calls } = standIn(t, 'scip-go', tree);
  assert.deepEqual(projectFolders(run.indexer, run.paths), ['a', 'c']);
  const { written, problems } = await runIndexer(run);
  assert.deepEqual(
    written.map(({ folder }) => folder),
    ['a'],
  );
  assert.deepEqual(problems, ['scip-go ended with exit code 7']);
  assert.deepEqual(
    calls().map(({ files }) => files),
    [
      ['b', 'go.mod'],
      ['broken', 'go.mod'],
    ],
  );
  const broken = standIn(t, 'scip-go', '-- go.mod --\n-- broken --\n');
  await assert.rejects(runIndexer(broken.run), { name: 'ProgramFailed', reason: 'failed' });
});

test('languages name their indexers, and a configured program stands before what PATH has', t => {
  assert.deepEqual(
    indexersFor(['javascript', 'c', 'markdown']).map(({ name }) => name),
    ['scip-typescript', 'scip-clang'],
  );
  const { run, at } = standIn(t, 'scip-go', '-- go.mod --\n');
  const places = { path: `relative:${at('bin')}`, packageFolders: [] };
  assert.equal(findIndexer(run.indexer, '', places)?.program, at('bin/scip-go'));
  assert.equal(findIndexer(run.indexer, '/nonexistent/scip-go', places), undefined);
  assert.equal(
    findIndexer(run.indexer, at('bin/scip-go'), { path: '', packageFolders: [] })?.program,
    at('bin/scip-go'),
  );
  chmodSync(at('bin/scip-go'), 0o644);
  assert.equal(findIndexer(run.indexer, '', places)?.program, undefined);
});

test('the real scip-typescript reads TypeScript and JavaScript by configurations that it would refuse', async t => {
  const tree = `
    -- tsconfig.json --
    { "compilerOptions": { "strict": true, "paths": { "@/*": ["./src/*"] } }, "include": ["src"] }
    -- src/a.ts --
    export function one(): number { return 1 }
    -- src/b.ts --
    import { one } from '@/a'
    export const two = one() + 1
    -- test/b.test.js --
    import { two } from '../src/b'
    two.toFixed()
    -- other/tsconfig.json --
    { "extends": ["./paths"], "compilerOptions": { "anOptionOfNextYear": true } }
    -- other/paths.json --
    { "compilerOptions": { "paths": { "#/*": ["../src/*"] } } }
    -- other/c.ts --
    import { one } from '#/a'
    one()
  `;
  const { run, at } = standIn(t, 'scip-typescript', tree, false);
  const found = findIndexer(run.indexer, '', { path: '', packageFolders: [packageRoot] });
  assert.equal(found?.version, '0.4.0', 'an optional dependency: npm ci');
  const { written, problems } = await runIndexer({ ...run, found });
  const why = "TS5023: Unknown compiler option 'anOptionOfNextYear'.";
  assert.deepEqual(problems, [
    `its TypeScript refused the options of other/tsconfig.json (${why}); they were read with options of ours`,
  ]);
  const documents = written.flatMap(({ file }) => deserializeSCIP(readFileSync(file)).documents);
  const uses = (name: string) =>
    documents.flatMap(({ relativePath, occurrences }) =>
      occurrences
        .filter(({ symbol, symbolRoles }) => symbol.endsWith(`/${name}`) && symbolRoles === 0)
        .map(({ range }) => `${relativePath}:${range[0]}`),
    );
  assert.deepEqual(documents.map(({ relativePath }) => relativePath).sort(), [
    'other/c.ts',
    'src/a.ts',
    'src/b.ts',
    'test/b.test.js',
  ]);
  assert.deepEqual(uses('`a.ts`/one().').sort(), ['other/c.ts:0', 'other/c.ts:1', 'src/b.ts:0', 'src/b.ts:1']);
  assert.deepEqual(uses('`b.ts`/two.').sort(), ['test/b.test.js:0', 'test/b.test.js:1']);
  assert.deepEqual(readdirSync(at('tree')).sort(), ['other', 'src', 'test', 'tsconfig.json']);
});

/** Stands in for a scip-typescript whose memory ends with the document behind the `most`th. */
function forgetful(t: TestContext, most: number, tree: string) {
  const { run, at } = standIn(t, 'scip-typescript', tree, false);
  const documents = run.paths.map(path => [path, scipBytes({ documents: [{ relativePath: path }] })] as const);
  for (const [path, bytes] of documents) writeFileSync(at(path.replaceAll('/', '_')), bytes);
  writeFileSync(
    at('bin/scip-typescript'),
    `#!${process.execPath}
const fs = require('node:fs');
const words = process.argv.slice(2);
const output = words[words.indexOf('--output') + 1];
let memory = 0;
for (const project of words.filter(word => word.endsWith('.json'))) {
  const { files } = JSON.parse(fs.readFileSync(project, 'utf8'));
  fs.appendFileSync(${JSON.stringify(at('calls'))}, project.replace(/.*-/, '') + ' ' + files.length + '\\n');
  for (const file of files) {
    const path = file.slice(${at('tree').length + 1});
    if (memory++ === ${most}) {
      console.error('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory');
      fs.appendFileSync(output, Buffer.from([0x12, 0x40, 0x0a]));
      process.kill(process.pid, 'SIGABRT');
    }
    fs.appendFileSync(output, fs.readFileSync(${JSON.stringify(at('x').slice(0, -1))} + path.replaceAll('/', '_')));
  }
  console.log('+ ' + project + ' (1ms)');
}
`,
    { mode: 0o755 },
  );
  const filesAtOnce = new Map<string, number>();
  const failures: string[] = [];
  const onFailure: IndexerRun['onFailure'] = ({ message }) => void failures.push(message);
  const runs = async () => {
    const { written, problems } = await runIndexer({
      ...run,
      scratch: temporaryFolder(t).root,
      filesAtOnce,
      onFailure,
    });
    const paths = written.flatMap(({ file }) =>
      deserializeSCIP(readFileSync(file)).documents.map(({ relativePath }) => relativePath),
    );
    const calls = readFileSync(at('calls'), 'utf8').trim().split('\n');
    writeFileSync(at('calls'), '');
    return { paths: paths.sort(), problems, calls, failures: failures.splice(0) };
  };
  return { run, runs, filesAtOnce };
}

test('where memory ends, what is written stays and processes of their own read the rest, fewer files at once', async t => {
  const project = (folder: string, files: number) =>
    `-- ${folder}/tsconfig.json --\n{}\n${Array.from({ length: files }, (_, at) => `-- ${folder}/${at}.ts --\n`).join('')}`;
  const tree = `${project('a', 3)}${project('b', 40)}${project('c', 2)}`;
  const { run, runs, filesAtOnce } = forgetful(t, 15, tree);
  const all = run.paths.filter(path => path.endsWith('.ts')).sort();
  const first = await runs();
  assert.deepEqual(first.paths, all);
  assert.deepEqual(first.problems, []);
  assert.deepEqual(first.failures, ['scip-typescript ran out of memory']);
  assert.deepEqual([...filesAtOnce], [['b/tsconfig.json', 8]]);
  const again = await runs();
  assert.deepEqual([again.paths, again.problems, again.failures], [all, [], []]);
  assert.deepEqual(again.calls, ['0.json 3', '1.json 2', ...Array.from({ length: 5 }, () => '0.json 8')]);
});

test('what not even a process of its own has the memory for is left out and told', async t => {
  const { runs } = forgetful(t, 0, '-- a.ts --\n-- b.ts --\n-- c.ts --\n');
  await assert.rejects(runs(), { reason: 'out_of_memory' });
});
