import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { indexers } from '../../../daemon/backends/indexer-table.ts';
import { findIndexer } from '../../../daemon/backends/indexers.ts';
import { removeOwn } from '../../../daemon/backends/own-folder.ts';
import { indexPrecisely, type PreciseOptions, type PreciseRequest } from '../../../daemon/jobs/scip/index-precise.ts';
import { planPrecise, wordsFor } from '../../../daemon/jobs/scip/plan-precise.ts';
import { readLastRuns } from '../../../daemon/jobs/scip/precise-digest.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { deserializeSCIP, scipBytes } from '../../support/scip.ts';
import { indexedTree } from './indexed-tree.ts';

const tree = `
  -- a.py --
  def one(): return 1
  -- b.py --
  from a import one
  -- c.go --
  package c
  -- go.mod --
  module x
`;

/** All of an index. */
const takenIn = {
  ...{ documents: 1, joined: 1, awaited: 0, otherContent: 0, notInTree: 0, damaged: 0 },
  examples: { otherContent: [], notInTree: [], leftOut: {} },
};

/** An indexed tree, and programs in the places of indexers: `does` is what they do before they hand over an index. */
async function bench(t: TestContext, does: string, programs: readonly string[] = ['scip-python']) {
  const work = gitRepository(t, tree);
  const indexed = indexedTree(t, work.root);
  await indexed.crawl();
  const folder = temporaryFolder(t);
  for (const part of ['bin', 'scratch']) mkdirSync(folder.path(part));
  writeFileSync(folder.path('index.scip'), scipBytes({ documents: [{ relativePath: 'b.py' }] }));
  for (const name of programs) {
    const script = `#!/bin/sh\necho $0 >> ${folder.path('calls')}\n${does}\nwhile [ "$1" != --output ]; do shift; done\n/bin/cp ${folder.path('index.scip')} "$2"\n`;
    writeFileSync(folder.path(`bin/${name}`), script, { mode: 0o755 });
  }
  const handed: { documents: readonly string[]; seen: readonly string[] }[] = [];
  const failures: string[] = [];
  const options: PreciseOptions = {
    choice: {
      uses: () => true,
      configured: () => '',
      find: indexer => findIndexer(indexer, '', { path: folder.path('bin'), packageFolders: [] }),
    },
    async ingest(_repo, { parts, seen }) {
      const documents = parts.map(({ file, folder }) => {
        const [document] = deserializeSCIP(readFileSync(file)).documents;
        return `${folder}:${document!.relativePath}`;
      });
      handed.push({ documents, seen: seen.kind === 'contents' ? [...seen.contents.keys()].sort() : [] });
      return { outcome: takenIn };
    },
    scratchFolder: folder.path('scratch'),
    clear: removeOwn,
    environment: { PATH: process.env['PATH'] },
    bounds: () => ({ timeoutMs: 60_000, memoryBytes: 2 ** 30, filesAtOnce: new Map() }),
    onFailure: (_, message, lastWords) => failures.push(`${message}: ${lastWords}`),
  };
  const run = (repo = indexed.repo, more: Partial<PreciseRequest> = {}) => {
    const never = new AbortController().signal;
    const request = { language: 'auto', force: false, signal: never, revoked: never, report: () => {}, ...more };
    return indexPrecisely(repo, request, options);
  };
  const calls = () =>
    existsSync(folder.path('calls')) ? readFileSync(folder.path('calls'), 'utf8').split('\n').length - 1 : 0;
  const leftovers = () => readdirSync(folder.path('scratch'));
  return { work, indexed, folder, handed, failures, options, run, calls, leftovers };
}

test('what an indexer saw is what stood before and after its run; nothing is left of it', async t => {
  const { work, indexed, run, handed, folder, leftovers } = await bench(
    t,
    `: > $TMPDIR/../started; while [ ! -e $TMPDIR/../go ]; do /bin/sleep 0.05; done`,
  );
  const told: string[] = [];
  const running = run(indexed.repo, { report: (fraction, message) => told.push(`${fraction} ${message}`) });
  await until('it runs', () => existsSync(folder.path('scratch/started')));
  work.write('a.py', 'def one(): return 2\n');
  await indexed.changed('a.py');
  folder.write('scratch/go', '');
  assert.deepEqual(await running, {
    indexers: ['scip-python'],
    ran: ['scip-python'],
    problems: [
      'scip-go is not installed: references of go come from syntax alone (go install github.com/sourcegraph/scip-go/cmd/scip-go@latest)',
    ],
  });
  assert.deepEqual(handed, [{ documents: [':b.py'], seen: ['b.py', 'c.go', 'go.mod'] }]);
  // A look may fall between the moment at which the index lies there and the program's end.
  const lines = told.filter(line => !line.includes('has read'));
  assert.deepEqual(lines, ['0 scip-python: reads 2 files']);
  assert.deepEqual(leftovers().sort(), ['go', 'started']);
});

test('each indexer is told of by the files that it has read, and by what is done with its index', async t => {
  const { indexed, folder, options } = await bench(t, '', ['scip-python', 'scip-go']);
  const documents = (count: number) =>
    scipBytes({
      documents: Array.from({ length: count }, (_, at) => ({ relativePath: `${at}.py`, text: 'x'.repeat(99) })),
    });
  writeFileSync(folder.path('index.scip'), documents(1));
  const growing = `#!/bin/sh
while [ "$1" != --output ]; do shift; done
/bin/cp ${folder.path('index.scip')} "$2"
while [ ! -e ${folder.path('go')} ]; do /bin/sleep 0.05; done
`;
  folder.write('bin/scip-python', growing);
  const told: string[] = [];
  const never = new AbortController().signal;
  const request: PreciseRequest = {
    ...{ language: 'auto', force: false, signal: never, revoked: never },
    report(fraction, message) {
      told.push(`${fraction.toFixed(2)} ${message}`);
      if (message.includes('has read')) writeFileSync(folder.path('go'), '');
    },
  };
  const ingest: PreciseOptions['ingest'] = async (_repo, _index, { onProgress }) => {
    onProgress({ phase: 'scip', fraction: 0.5 });
    onProgress({ phase: 'publish', fraction: 1 });
    return { outcome: takenIn };
  };
  await indexPrecisely({ ...indexed.repo, trusted: true }, request, { ...options, ingest });
  // A look may fall between the moment at which the index lies there and the program's end.
  const lines = told.filter(line => !line.includes('scip-go: has read'));
  assert.deepEqual(lines, [
    '0.00 scip-python: reads 2 files',
    '0.20 scip-python: has read 1 of 2 files',
    '0.45 scip-python: its index is read',
    '0.50 scip-python: what it says is published',
    '0.50 scip-go: reads 1 file',
    '0.95 scip-go: its index is read',
    '1.00 scip-go: what it says is published',
  ]);
});

test('that an indexer can’t run is told with what is known all the same, whoever said it', () => {
  const indexer = indexers.find(({ name }) => name === 'scip-go')!;
  const served = { indexer, configured: '', files: 3, servedFiles: 2 };
  const known = '; what an index said of 2 of 3 files counts';
  assert.equal(wordsFor({ ...served, not: 'missing' }), `scip-go is not installed (${indexer.install})${known}`);
  assert.equal(wordsFor({ ...served, not: 'no_project' }), `scip-go needs one of go.mod, and there is none${known}`);
  assert.equal(wordsFor({ ...served, not: 'left_out' }), `scip-go is left out by index.use_indexers${known}`);
});

test('one that runs code of the repository runs where that is trusted alone', async t => {
  const { run, indexed, handed } = await bench(t, '', ['scip-go']);
  const untrusted = await run(indexed.repo, { language: 'go' });
  assert.deepEqual(untrusted, {
    indexers: [],
    ran: [],
    problems: ['scip-go runs code of the repository, which is not trusted (svc repo trust)'],
  });
  const trusted = await run({ ...indexed.repo, trusted: true }, { language: 'go' });
  assert.deepEqual(trusted, { indexers: ['scip-go'], ran: ['scip-go'], problems: [] });
  assert.equal(handed.length, 1);
});

test('trust that is taken back ends what runs by it, of which nothing is taken in; without, what needs none begins again', async t => {
  const waits = `case $PATH in $TMPDIR/bin) ;; *) : > $TMPDIR/../started; exec /bin/sleep 600;; esac`;
  for (const name of ['scip-go', 'scip-python'] as const) {
    const { run, indexed, handed, folder, calls, leftovers } = await bench(t, waits, [name]);
    const trust = new AbortController();
    const language = name === 'scip-go' ? 'go' : 'python';
    const running = run({ ...indexed.repo, trusted: true }, { language, revoked: trust.signal });
    await until('it runs', () => existsSync(folder.path('scratch/started')));
    trust.abort();
    const { indexers, problems } = await running;
    if (name === 'scip-go') {
      const untrusted = 'scip-go runs code of the repository, which is not trusted (svc repo trust)';
      assert.deepEqual([indexers, problems, calls(), handed], [[], [untrusted], 1, []]);
    } else assert.deepEqual([indexers, problems, calls(), handed.length], [['scip-python'], [], 2, 1]);
    assert.deepEqual(leftovers(), ['started']);
  }
});

test('what an indexer wrote of several projects is handed over at once, with the folders that paths begin in', async t => {
  const { work, indexed, run, handed } = await bench(t, '', ['scip-go']);
  work.remove('go.mod');
  for (const folder of ['lib', 'services/api']) work.write(`${folder}/go.mod`, `module ${folder}\n`);
  await indexed.crawl();
  const outcome = await run({ ...indexed.repo, trusted: true }, { language: 'go' });
  assert.deepEqual(outcome, { indexers: ['scip-go'], ran: ['scip-go'], problems: [] });
  assert.deepEqual(
    handed.map(({ documents }) => documents),
    [['lib:b.py', 'services/api:b.py']],
  );
});

test('an indexer that fails leaves the others, and the line that told why is its problem, and its last words are for the log', async t => {
  const { run, indexed, failures, handed, leftovers } = await bench(
    t,
    'case $0 in *go) echo panic: boom >&2; echo goroutine 1 >&2; exit 4;; esac',
    ['scip-python', 'scip-go'],
  );
  const outcome = await run({ ...indexed.repo, trusted: true });
  assert.deepEqual(outcome, {
    indexers: ['scip-python'],
    ran: ['scip-python'],
    problems: ['scip-go ended with exit code 4: panic: boom'],
  });
  assert.deepEqual(failures, ['scip-go ended with exit code 4: panic: boom: panic: boom\ngoroutine 1\n']);
  assert.equal(handed.length, 1);
  assert.deepEqual(leftovers(), []);
});

test('what fails in a way that nobody foresaw leaves the others as well, and its cause is for the log', async t => {
  const { indexed, options, failures, leftovers } = await bench(t, '', ['scip-python', 'scip-go']);
  const never = new AbortController().signal;
  const request = { language: 'auto', force: false, signal: never, revoked: never, report() {} };
  const errors = [new TypeError('boom')];
  const ingest: PreciseOptions['ingest'] = async () => {
    for (const error of errors.splice(0)) throw error;
    return { outcome: takenIn };
  };
  const outcome = await indexPrecisely({ ...indexed.repo, trusted: true }, request, { ...options, ingest });
  const problems = ['scip-python failed; the log has the cause'];
  assert.deepEqual(outcome, { indexers: ['scip-go'], ran: ['scip-go'], problems });
  assert.match(failures.join('\n'), /^scip-python failed; the log has the cause: TypeError: boom\n +at /);
  assert.deepEqual(leftovers(), []);
});

test('what takes trust back remembers no run that has ended', async t => {
  const { run, indexed } = await bench(t, '');
  const { signal } = new AbortController();
  await run({ ...indexed.repo, trusted: true }, { language: 'python', revoked: signal });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  const hidden = Object.getOwnPropertySymbols(signal).map(name => Reflect.get(signal, name) as unknown);
  assert.deepEqual(
    hidden.filter(value => value instanceof Set && value.size > 0),
    [],
  );
});

test('the last words of one project that fails among several are for the log as well', async t => {
  const { work, indexed, run, failures, handed } = await bench(
    t,
    '[ -e go.sum ] && { echo panic: boom >&2; echo goroutine 1 >&2; exit 4; }',
    ['scip-go'],
  );
  for (const folder of ['a', 'b']) work.write(`${folder}/go.mod`, `module ${folder}\n`);
  work.write('b/go.sum', '');
  work.remove('go.mod');
  await indexed.crawl();
  const { problems } = await run({ ...indexed.repo, trusted: true }, { language: 'go' });
  assert.deepEqual([problems, handed.length], [['scip-go ended with exit code 4: panic: boom'], 1]);
  assert.deepEqual(failures, ['scip-go ended with exit code 4: panic: boom: panic: boom\ngoroutine 1\n']);
});

test('its digest says whether an indexer would say the same again', async t => {
  const { work, indexed, options } = await bench(t, '', ['scip-python', 'scip-go']);
  const digests = () => planPrecise(indexed.repo, 'auto', options.choice).map(({ digest }) => digest);
  const first = digests();
  work.write('b.py', 'from a import one as two\n');
  await indexed.changed('b.py');
  const second = digests();
  assert.notEqual(second[0], first[0]);
  assert.equal(second[1], first[1], 'Python is nothing to Go');
  work.write('go.mod', 'module y\n');
  await indexed.changed('go.mod');
  assert.notEqual(digests()[1], second[1]);
  work.write('b.py', 'from a import one\n');
  work.write('go.mod', 'module x\n');
  await indexed.changed('b.py', 'go.mod');
  assert.deepEqual(digests(), first);
  const trusted = planPrecise({ ...indexed.repo, trusted: true }, 'auto', options.choice);
  assert.notEqual(trusted[1]!.digest, first[1]);
  assert.deepEqual(planPrecise(indexed.repo, 'rust', options.choice), []);
});

test('a run stands for the tree that it was of from beginning to end, and for the index file that heard of it', async t => {
  const { work, indexed, run, folder } = await bench(
    t,
    `: > $TMPDIR/../started; while [ ! -e $TMPDIR/../go ]; do /bin/sleep 0.05; done`,
  );
  const reader = openIndexReader(indexed.repo.indexFile);
  const { epoch } = reader;
  reader.close();
  const running = run();
  await until('it runs', () => existsSync(folder.path('scratch/started')));
  work.write('a.py', 'def one(): return 2\n');
  await indexed.changed('a.py');
  folder.write('scratch/go', '');
  await running;
  assert.deepEqual(
    readLastRuns(indexed.repo, epoch),
    { 'scip-python': {} },
    'who changes that back must be indexed again',
  );
  await run();
  assert.deepEqual(Object.keys(readLastRuns(indexed.repo, epoch)), ['scip-python']);
  assert.deepEqual(readLastRuns(indexed.repo, 'another'), {});
});

test('a job that is cancelled takes its program along', async t => {
  const { run, indexed, folder, calls, handed, leftovers } = await bench(
    t,
    `echo $$ > $TMPDIR/../pid; exec /bin/sleep 600`,
  );
  const asked = new AbortController();
  const running = run(indexed.repo, { signal: asked.signal });
  await until('it runs', () => existsSync(join(folder.path('scratch'), 'pid')));
  asked.abort();
  await assert.rejects(running, { name: 'Fault', reason: 'cancelled' });
  assert.deepEqual([calls(), handed.length, leftovers()], [1, 0, ['pid']]);
});
