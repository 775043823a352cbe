import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { operations } from '../../../client/protocol/registry.ts';
import { measuredLanguages } from '../../../daemon/extract/complexity/languages.ts';
import { complexityAnswer } from '../../../daemon/operations/analysis/complexity.ts';
import { startDaemon, svc, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const text = `
-- .gitignore --
ignored.ts
-- ignored.ts --
export function f() {}
-- src/a.ts --
export function long(a: number, b?: number): number {
  // one
  // two
  return a;
}
export function branching(a: boolean, b: boolean) { return a && b ? 1 : 2; }
export class C {
  nested(list: readonly string[]) {
    for (const one of list) if (one) this.nested([one]);
  }
}
-- src/empty.ts --
export const a = 1;
-- src/broken.ts --
function whole() { if (a) b(); }
function ) {
-- src/inner.py --
def outer(a):
    if a:
        def inner(b):
            return [x for x in b if x and a]
-- src/native.c --
int main(void) { return 0; }
-- package.json --
{ "name": "app" }
-- README.md --
Text.
-- nul.ts --
const a = '${'\0'}';
`;

const defaults = { includeFunctions: true, limit: 20, sortBy: 'cyclomatic', sync: false } as const;
type More = Partial<{ includeFunctions: boolean; limit: number; sortBy: 'cyclomatic' | 'cognitive' | 'lines' }>;

function complexity({ about }: AnalysedTree, path: string, more: More = {}) {
  const answer = about((reader, asked) => complexityAnswer(reader, asked, { ...defaults, ...more, path }));
  assert.ok(Value.Check(operations['analysis.complexity'].output, answer));
  return answer;
}

const analysed = (t: TestContext) => analysedTree(t, text);

test('functions of a file are told with lines for people, and added up', async t => {
  const of = await analysed(t);
  const { filePath, language, aggregate, functions, truncated, partial } = complexity(of, 'src/a.ts');
  assert.deepEqual([filePath, language, truncated, partial], ['src/a.ts', 'typescript', false, false]);
  assert.deepEqual(aggregate, {
    ...{ totalCyclomatic: 7, totalCognitive: 5, averageCyclomatic: 2.33, averageCognitive: 1.67 },
    ...{ maxCyclomatic: 3, maxCognitive: 3, functionCount: 3, lineCount: 11 },
  });
  const branching = { name: 'branching', container: '', line: 6, endLine: 6, cyclomatic: 3, cognitive: 2, lines: 1 };
  const nested = { name: 'nested', container: 'C', line: 8, endLine: 10, cyclomatic: 3, cognitive: 3, lines: 3 };
  const long = { name: 'long', container: '', line: 1, endLine: 5, cyclomatic: 1, cognitive: 0, lines: 5 };
  assert.deepEqual(functions, [
    { ...branching, parameters: 2, recursion: 0, countsAround: false },
    { ...nested, parameters: 1, recursion: 1, countsAround: false },
    { ...long, parameters: 2, recursion: 0, countsAround: false },
  ]);
});

test('the list is sorted and cut as asked, what is added up stays', async t => {
  const of = await analysed(t);
  const cases: readonly (readonly [More, readonly string[] | undefined, boolean])[] = [
    [{ sortBy: 'cyclomatic' }, ['branching', 'nested', 'long'], false],
    [{ sortBy: 'cognitive' }, ['nested', 'branching', 'long'], false],
    [{ sortBy: 'lines' }, ['long', 'nested', 'branching'], false],
    [{ sortBy: 'lines', limit: 1 }, ['long'], true],
    [{ includeFunctions: false, limit: 1 }, undefined, false],
  ];
  for (const [more, names, isTruncated] of cases) {
    const { aggregate, functions, truncated } = complexity(of, 'src/a.ts', more);
    assert.deepEqual(
      functions?.map(({ name }) => name),
      names,
    );
    assert.deepEqual([aggregate.functionCount, truncated], [3, isTruncated]);
  }
});

test('what a function adds to the one around it is added up once', async t => {
  const of = await analysed(t);
  const { aggregate, functions } = complexity(of, 'src/inner.py');
  assert.deepEqual(
    functions?.map(one => [one.name, one.cyclomatic, one.cognitive, one.countsAround]),
    [
      ['inner', 4, 1, true],
      ['outer', 2, 2, false],
    ],
  );
  assert.deepEqual([aggregate.totalCyclomatic, aggregate.totalCognitive, aggregate.averageCognitive], [6, 2, 1]);
});

test('a file without functions has none, and one that was read in part says so', async t => {
  const of = await analysed(t);
  const { aggregate, functions } = complexity(of, 'src/empty.ts');
  assert.deepEqual([aggregate.functionCount, aggregate.averageCyclomatic, functions], [0, 0, []]);
  assert.equal(complexity(of, 'src/broken.ts').partial, true);
});

test('a path is settled before anything is looked up, and what can’t be measured is told apart from what is not there', async t => {
  const of = await analysed(t);
  const { root } = of.folder;
  writeFileSync(join(root, 'large.ts'), `// ${'x'.repeat(3 * 1024 * 1024)}\n`);
  symlinkSync('/etc/passwd', join(root, 'link.ts'));
  execFileSync('mkfifo', [join(root, 'pipe.ts')]);
  await of.tree.crawl();
  const refused = {
    invalidParameter: [
      ...['../../etc/passwd', '/etc/passwd', 'src/../../a.ts', '..\\a.ts', 'src\\..\\..\\a.ts', 'C:\\a.ts', 'c:/a.ts'],
      ...['src/a.ts\0', '../app/src/a.ts', 'file:///a.ts', '\\\\host\\a.ts', 'a'.repeat(4097), `${'ä'.repeat(2049)}`],
    ],
    fileNotFound: [
      '…/a.ts',
      '%2e%2e/a.ts',
      'gone.ts',
      'src',
      '.',
      './',
      'ignored.ts',
      'src/a.ts/b',
      '__proto__',
      'link.ts',
      'pipe.ts',
    ],
    unsupportedFile: ['nul.ts', 'large.ts', 'src/native.c', 'package.json', 'README.md'],
  };
  for (const [reason, paths] of Object.entries(refused)) {
    for (const path of paths) assert.equal(faultOf(of, path)?.reason, reason, JSON.stringify(path));
  }
  for (const path of ['src/a.ts', './src/a.ts', 'src/../src//a.ts']) assert.equal(faultOf(of, path), undefined, path);
});

test('the refusal of a file names why, and the languages that are measured', async t => {
  const of = await analysed(t);
  const { message, extras } = faultOf(of, 'src/native.c')!;
  const { reason, supportedLanguages } = extras.details!;
  assert.match(message, /^The file is c, which is not measured; measured are functions of .*typescript/);
  assert.equal(reason, 'unsupported');
  assert.deepEqual(supportedLanguages, measuredLanguages);
  assert.equal(faultOf(of, 'nul.ts')?.extras.details?.['reason'], 'binary');
});

test('what is not there comes with what may be done about it', async t => {
  const of = await analysed(t);
  const commands = faultOf(of, 'gone.ts')!.extras.suggestedFixes!.map(({ command }) => command);
  const repo = of.tree.repo.id;
  assert.deepEqual(commands, [`svc arch --repo ${repo} --granularity file`, `svc doctor --repo ${repo}`]);
});

function faultOf(of: AnalysedTree, path: string): Fault | undefined {
  try {
    complexity(of, path);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

test('one answer over the socket, HTTP and the command line, and the faults of each', async t => {
  const { client, home } = await startDaemon(t);
  const { root } = gitRepository(t, text);
  await client.daemon.addRepo({ root, id: 'app' });
  await client.indexing.index({});
  const answer = await client.analysis.complexity({ path: 'src/a.ts', sync: true });
  assert.equal(answer.aggregate.functionCount, 3);

  await until('HTTP is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const statuses: readonly (readonly [query: string, status: number])[] = [
    ['path=src/a.ts', 200],
    ['path=src%2Fa.ts&includeFunctions=false&sortBy=cognitive&limit=1', 200],
    ['', 400],
    ['path=', 400],
    ['path=%2e%2e%2fx', 400],
    ['path=src/a.ts&sortBy=name', 400],
    ['path=src/a.ts&limit=0', 400],
    ['path=src/a.ts&limit=10001', 400],
    ['path=src/a.ts&includeFunctions=yes', 400],
    ['path=%252e', 404],
    ['path=src', 404],
    ['path=src/native.c', 422],
  ];
  for (const [query, status] of statuses) {
    assert.equal((await fetch(`${url}/complexity?${query}`, { headers })).status, status, query);
  }
  const body = await (await fetch(`${url}/complexity?path=src/a.ts`, { headers })).json();
  assert.deepEqual({ ...(body as object), timestamp: '' }, { ...answer, timestamp: '' });

  const inFolder = await svc(home, ['complexity', 'a.ts', '--limit', '2', '--sort-by', 'lines'], join(root, 'src'));
  assert.equal(
    inFolder.stdout,
    [
      'where       cyclomatic  cognitive  lines  parameters  name',
      'src/a.ts:1  1           0          5      2           long',
      'src/a.ts:8  3           3          3      1           C.nested',
      '',
    ].join('\n'),
  );
  assert.match(inFolder.stderr, /^2 of 3: --limit shows more\n3 functions in 11 lines\ncyclomatic: 7 in all, 2\.33 on/);
  const broken = await svc(home, ['complexity', 'src/broken.ts'], root);
  assert.match(broken.stderr, /at most\nthe file was read only in part: there may be more functions\n$/);
  const cases: readonly (readonly [path: string, code: number])[] = [
    ['src/a.ts', 0],
    ['../of-nobody.ts', 2],
    ['gone.ts', 4],
    ['src/native.c', 2],
  ];
  for (const [path, code] of cases)
    assert.equal((await svc(home, ['complexity', path, '--json'], root)).code, code, path);
});
