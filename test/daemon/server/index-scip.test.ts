import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readDaemonRecord } from '../../../client/paths.ts';
import { addRepo, startDaemon, svc, until } from '../../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../support/scip.ts';

const tree = `
  -- src/a.ts --
  export class Box { open() { return 1 } }
  -- src/b.ts --
  import { Box } from './a'
  const boxes = [new Box()]
  boxes.map(b => b).filter(Boolean)[0].open()
`;

const symbol = (rest: string): string => `scip-typescript npm app 1.0.0 src/${rest}`;
const [box, open] = [symbol('`a.ts`/Box#'), symbol('`a.ts`/Box#open().')];
type Documents = NonNullable<PartOf<ScipIndex>['documents']>;

/** What an indexer says of `tree`. */
const documents = [
  {
    relativePath: 'src/a.ts',
    occurrences: [
      { range: [0, 13, 16], symbol: box, symbolRoles: 1 },
      { range: [0, 19, 23], symbol: open, symbolRoles: 1 },
    ],
  },
  {
    relativePath: 'src/b.ts',
    occurrences: [
      { range: [0, 9, 12], symbol: box },
      { range: [1, 19, 22], symbol: box },
      { range: [2, 37, 41], symbol: open },
    ],
  },
];

function indexOf(documents: Documents): Uint8Array {
  const metadata = { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///elsewhere/app' };
  return scipBytes({ metadata, documents });
}

/** The tests share a daemon: each leaves it without a repository. */
const shared = await startDaemon(afterAll);

/** The daemon's one repository, which holds `tree`, and a folder with what is to be taken in. */
async function place(t: Cleanup) {
  const { client, home } = shared;
  const work = gitRepository(t, tree);
  const given = temporaryFolder(t);
  given.write('app.scip', indexOf(documents));
  await addRepo(t, shared, { root: work.root, id: 'app' });
  await until('it is indexed', async () => (await client.daemon.listRepos({})).repos[0]!.status === 'ready');
  /** Where `open` is used, and who says so. */
  const uses = async (): Promise<readonly string[]> => {
    const { references } = await client.symbols.refs({ repo: 'app', id: 'Box.open', sync: true });
    return references.map(({ location, source }) => `${location.file}:${location.line} ${source}`);
  };
  const svcIndex = (...words: string[]) => svc(home, ['index', ...words], work.root);
  return { client, home, work, given, uses, svcIndex };
}

test('svc index --scip takes in an index that was made elsewhere, plain or gzip, and again', async t => {
  const { work, given, uses, svcIndex } = await place(t);
  assert.deepEqual(await uses(), ['src/b.ts:3 tree-sitter']);
  given.write('app.scip.gz', gzipSync(indexOf(documents)));
  for (const file of ['app.scip', 'app.scip.gz', 'app.scip']) {
    const { code, stdout, stderr } = await svcIndex('--scip', given.path(file));
    assert.deepEqual(
      [code, /^taken in +\d reference.* in 2 files, as scip-typescript 0.4.0 says$/m.test(stdout)],
      [0, true],
    );
    assert.match(stdout, /^indexer +tree-sitter\+scip-typescript$/m);
    assert.doesNotMatch(stderr, /not what|left out/);
    assert.deepEqual(await uses(), ['src/b.ts:3 scip']);
  }
  assert.equal(work.git('status', '--short'), '');
});

test('files of an index that the tree has not are named, some of them', async t => {
  const { client, given } = await place(t);
  const gone = Array.from({ length: 5 }, (_, at) => ({ relativePath: `src/gone${at}.ts`, occurrences: [] }));
  const warningsOf = async (more: Documents) => {
    given.write('more.scip', indexOf([...documents, ...more]));
    const answer = await client.indexing.index({ repo: 'app', scip: given.path('more.scip') });
    assert.ok(answer.status === 'completed');
    return answer.warnings.map(({ message }) => message);
  };
  assert.deepEqual(await warningsOf(gone.slice(0, 1)), ['1 file of the index is not in the tree: src/gone0.ts']);
  assert.deepEqual(await warningsOf(gone), [
    '5 files of the index are not in the tree: src/gone0.ts, src/gone1.ts, src/gone2.ts and 2 more',
  ]);
  const again = gone.slice(0, 2).flatMap(one => Array.from({ length: 9 }, () => one));
  assert.deepEqual(await warningsOf(again), ['2 files of the index are not in the tree: src/gone0.ts, src/gone1.ts']);
  const nowhere = Array.from({ length: 200 }, () => ({ symbol: open, range: [9, 5, 2] }));
  const outside = ['../x', 'a\0b', '/etc/passwd', 'C:\\x'].map(relativePath => ({ relativePath, occurrences: [] }));
  assert.deepEqual(await warningsOf([{ relativePath: 'src/b.ts', occurrences: nowhere }, ...outside]), [
    '1 file of the index is damaged (too many places or symbols that are none), and not taken in',
    '200 places of the index are left out: a range that is none ("src/b.ts")',
    '4 files of the index are left out: document: path ("../x", "a\\u0000b", "/etc/passwd" and 1 more)',
  ]);
});

test('what names no symbol of SCIP’s is told; of a file with many such places syntax keeps its say', async t => {
  const { client, given, uses } = await place(t);
  const taken = async (occurrences: NonNullable<Documents[number]['occurrences']>) => {
    given.write('bad.scip', indexOf([...documents, { relativePath: 'src/b.ts', occurrences }]));
    const answer = await client.indexing.index({ repo: 'app', scip: given.path('bad.scip') });
    assert.ok(answer.status === 'completed');
    return [answer.warnings.map(({ message }) => message), await uses()] as const;
  };
  const places = '("src/b.ts")';
  assert.deepEqual(await taken([{ symbol: '`a b', range: [2, 1, 3] }]), [
    [
      '1 file of the index is damaged (too many places or symbols that are none), and not taken in',
      '1 symbol of the index is left out: none of SCIP’s, or longer than 16 KB',
      `1 place of the index is left out: what it names is no symbol of SCIP’s ${places}`,
    ],
    ['src/b.ts:3 tree-sitter'],
  ]);
  assert.deepEqual(await taken([{ symbol: '', range: [2, 1, 3] }]), [[], ['src/b.ts:3 scip']], 'SCIP allows that');
});

test('a language that the repository has not is refused, by its first run, too', async t => {
  const { client, home } = shared;
  const work = gitRepository(t, tree);
  t.after(async () => client.daemon.removeRepo({ id: (await client.daemon.listRepos({})).repos[0]!.id }));
  for (const run of ['first', 'second']) {
    const { code, stderr } = await svc(home, ['index', '--language', 'python'], work.root);
    assert.deepEqual([code, /language: the repository has no python; it has typescript/.test(stderr)], [2, true], run);
  }
});

test('an index whose file can’t be read says nothing of the storage', {
  skip: process.platform !== 'linux' && 'no file that opens and can’t be read is at hand',
}, async t => {
  const { client, svcIndex } = await place(t);
  const { code, stderr } = await svcIndex('--scip', '/proc/self/mem');
  assert.deepEqual([code, stderr.match(/can’t be read to its end \(E[A-Z]+\)/)?.length], [2, 1], stderr);
  const { checks } = await client.system.doctor({ repo: 'app' });
  assert.deepEqual(
    checks.filter(({ name, status }) => name.endsWith('.storage') && status !== 'pass'),
    [],
  );
});

test('an index counts for the files of the commit that is named, and of what has changed that is said', async t => {
  const { client, work, given, uses, svcIndex } = await place(t);
  const first = work.git('rev-parse', 'HEAD');
  work.write('src/b.ts', `\n${readFileSync(work.path('src/b.ts'), 'utf8')}`);
  work.commit('second');
  const { stderr, stdout, code } = await svcIndex('--scip', given.path('app.scip'), '--commit', 'HEAD~1', '--json');
  assert.equal(code, 0, stderr);
  const { scip, warnings } = JSON.parse(stdout) as { scip: object; warnings: { code: string; message: string }[] };
  const counts = { documents: 2, joined: 1, otherContent: 1, notInTree: 0, damaged: 0, occurrences: 0 };
  assert.deepEqual(scip, { indexer: 'scip-typescript 0.4.0', ...counts });
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      `1 file is not what the commit ${first.slice(0, 10)} has: references there stay what they were until it is (src/b.ts)`,
    ],
  );
  assert.deepEqual(await uses(), ['src/b.ts:4 tree-sitter']);
  work.git('checkout', '--quiet', 'HEAD~1');
  assert.deepEqual(await uses(), ['src/b.ts:3 scip'], 'it was kept for when the file is that again');
  const again = await client.indexing.index({ repo: 'app', scip: given.path('app.scip'), commit: first.slice(0, 12) });
  assert.ok(again.status === 'completed');
  assert.deepEqual([again.scip?.joined, again.warnings, await uses()], [2, [], ['src/b.ts:3 scip']]);
  for (const path of ['src/a.ts', 'src/b.ts']) work.write(path, `\n${readFileSync(work.path(path), 'utf8')}`);
  const none = await svcIndex('--scip', given.path('app.scip'), '--commit', 'HEAD');
  assert.deepEqual([none.code, await uses()], [0, ['src/b.ts:4 tree-sitter']], none.stderr);
  assert.match(
    none.stderr,
    /2 files are not what the commit .* has: references there stay what they were until they are/,
  );
});

test('what can’t be taken in is refused with its place and what to do, and changes nothing', async t => {
  const { client, given, work, uses, svcIndex } = await place(t);
  const others = documents.map(one => ({ ...one, relativePath: `other/${one.relativePath}` }));
  const shifted = documents.map(({ relativePath, occurrences }) => ({
    relativePath,
    occurrences: occurrences.map(one => ({ ...one, range: one.range.map((at, n) => (n > 0 ? at + 1 : at)) })),
  }));
  const nowhere = documents.map(one => ({
    ...one,
    occurrences: one.occurrences.map(({ symbol }) => ({ symbol, range: [9, 5, 2] })),
  }));
  given.write('nowhere.scip', indexOf(nowhere));
  given.write('others.scip', indexOf(others));
  given.write('shifted.scip', indexOf(shifted));
  given.write('none.scip', indexOf([]));
  given.write('cut.scip', indexOf(documents).subarray(0, 90));
  given.write('text.scip', '{"not": "one"}');
  given.write('folder/x', '');
  const [all, empty] = [given.path('app.scip'), work.git('hash-object', '-t', 'tree', '/dev/null')];
  const rows: readonly (readonly [words: readonly string[], code: number, told: RegExp])[] = [
    [
      ['--scip', given.path('missing')],
      2,
      /^svc: --scip: ".*missing" is no file of the daemon’s machine; name the one/,
    ],
    [['--scip', given.path('folder')], 2, /^svc: --scip: ".*folder" is no regular file; name the one/],
    [['--scip', given.path('text.scip')], 2, /^svc: --scip: JSON, not a SCIP index \(at byte 0\)\. Send the index as/],
    [['--scip', given.path('cut.scip')], 2, /^svc: --scip: .* \(at byte \d+\)\. Run the indexer again/],
    [['--scip', given.path('none.scip')], 5, /the index tells of no file\. Run the indexer again/],
    [['--scip', given.path('nowhere.scip')], 5, /2 files of the index are damaged .* Run the indexer again/],
    [['--scip', given.path('others.scip')], 5, /has none of the 2 files that the index tells of\. Is it another/],
    [
      ['--scip', given.path('shifted.scip')],
      5,
      /2 files are not what the index was made of.* Name the commit.*--commit/,
    ],
    [
      ['--scip', all, '--commit', 'nope'],
      4,
      /^svc: commit: "nope" names no commit of this clone: git fetch gets what others have\n$/,
    ],
    [['--scip', all, '--commit', empty], 4, /names no commit of this clone/],
    [['--scip', all, '--language', 'typescript'], 2, /^svc: --language: goes without scip/],
    [['--commit', 'HEAD'], 2, /^svc: --commit: goes with scip/],
    [['--scip', all, '--repo', 'nowhere'], 4, /nowhere/],
  ];
  for (const [words, code, told] of rows) {
    const ended = await svcIndex(...words);
    const lines = ended.stderr.replace(
      /^(Starting|Listing files|Reading files|Taking in the SCIP index|Linking references|Publishing|Waiting for its turn)\n/gm,
      '',
    );
    assert.deepEqual([words, ended.code], [words, code], ended.stderr);
    assert.match(lines, told);
  }
  assert.deepEqual(await uses(), ['src/b.ts:3 tree-sitter']);
  const { checks } = await client.system.doctor({ repo: 'app' });
  assert.equal(checks.find(({ name }) => name === 'jobs')?.message, 'no job failed', 'what was refused is no failure');
});

test('over HTTP the fields are those of the body, and a refusal names the one that is wrong', async t => {
  const { home, given, uses } = await place(t);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const headers = {
    authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
    'content-type': 'application/json',
  };
  const post = async (body: object) => {
    const answer = await fetch(`${url}/index?repo=app`, { method: 'POST', headers, body: JSON.stringify(body) });
    return [
      answer.status,
      (await answer.json()) as { error: string; details: { problems: { path: string }[] } },
    ] as const;
  };
  const wrong = [
    { scip: 'app.scip' },
    { scip: given.path('nope') },
    { scip: '' },
    { commit: 'HEAD' },
    { commit: 7, scip: 'x' },
  ];
  const places = ['scip', 'scip', 'scip', 'commit', 'commit'];
  for (const [at, body] of wrong.entries()) {
    const [status, { details }] = await post(body);
    assert.deepEqual([status, details.problems[0]!.path], [422, places[at]]);
  }
  assert.equal((await post({ scip: given.path('app.scip'), commit: 'HEAD' }))[0], 200);
  assert.deepEqual(await uses(), ['src/b.ts:3 scip']);
});
