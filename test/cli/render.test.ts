import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Format, writeAnswer, writeFault } from '../../cli/render.ts';
import { tableOfRegistry } from '../../cli/table.ts';
import { commandFor } from '../../cli/ways-on.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { OperationName } from '../../client/protocol/registry.ts';

const results = [
  ['src/very/long/path/to/application.py', 'class', 'Application', 'class Application(Base, metaclass=Registry)'],
  ['src/a.py', 'method', 'run_until_everything_is_done', 'def run_until_everything_is_done(self, timeout=None)'],
].map(([path, kind, name, signature]) => ({
  location: { file: path, line: 12, column: 5 },
  ...{ kind, name, signature, container: '' },
}));
const answer = { results, total: 2, hasMore: false, completeness: { dirtyFiles: 0, failedFiles: 0 } };

function shown(columns: number, format: Format = 'human'): string[] {
  let text = '';
  const terminal = { isColored: false, isLive: false, columns, out: (more: string) => (text += more), err: () => {} };
  writeAnswer({ ...terminal, out: more => void terminal.out(more) }, format, 'symbols.search', answer);
  return text.trimEnd().split('\n');
}

test('a table is as wide as the terminal lets it be, and no wider', () => {
  for (const columns of [40, 60, 80, 100, 120, 200]) {
    for (const line of shown(columns)) assert.ok(line.length <= columns, `${columns}: ${line}`);
  }
  assert.ok(Math.max(...shown(80).map(line => line.length)) > 70, 'the room is used');
});

test('places keep their end, names their beginning, and where there is room all is whole', () => {
  const [narrow] = shown(40);
  assert.match(narrow!, /^…[a-z]+\.py:12:5 {2}class {3}Appl/);
  assert.match(shown(110)[0]!, /^src\/very\/long\/path\/to\/application\.py:12:5 {2}class {3}Application {2}/);
  assert.deepEqual(shown(500), shown(Number.POSITIVE_INFINITY));
});

test('columns are left out before a name or a place can’t be read, and that is said', () => {
  const symbol = {
    ...{
      filePath: 'packages/server/src/actions/channels.ts',
      line: 58,
      kind: 'function',
      name: 'actionChannelSubscribe',
    },
    ...{ confidence: 0.95, referenceCount: 0, testReferences: 0, reason: 'no reached file imports it' },
  };
  const unwired = {
    ...{ unwiredModules: [{ symbols: [symbol] }], entrypoints: [], limitations: [], truncated: false },
    summary: { unwiredCount: 1, totalExported: 1, reachableCount: 0, uncertainCount: 0 },
    completeness: answer.completeness,
  };
  const written = (columns: number): { readonly out: string; readonly err: string } => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = { isColored: false, isLive: false, columns };
    const writes = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
    writeAnswer({ ...terminal, ...writes }, 'human', 'analysis.unwired', unwired);
    return { out: out.join(''), err: err.join('') };
  };
  const wide = written(200);
  assert.match(wide.out, /^where +kind +name +confidence +uses +in tests +why\n/);
  assert.doesNotMatch(wide.err, /not shown/);
  const narrow = written(80);
  assert.match(
    narrow.out,
    /^where +kind +name +confidence\n\S+\/src\/actions\/channels\.ts:58 .* actionChannelSubscribe +0\.95\n$/,
  );
  assert.match(narrow.err, /^not shown, for want of room: uses, in tests, why \(--plain and --json have all\)\n/);
  const narrowest = written(40);
  assert.match(narrowest.out, /^where +kind +name\n…\S+\.ts:58 +function +actionChann\S*…\n$/);
  for (const { out } of [narrow, narrowest]) assert.ok(Math.max(...out.split('\n').map(line => line.length)) <= 80);
});

test('of a cycle through many files the first are told', () => {
  const told: string[] = [];
  const terminal = { isColored: false, isLive: false, columns: 80, out: () => {} };
  const files = Array.from({ length: 300 }, (_, at) => `src/f${at}.ts`);
  const cycles = [files, ['a', 'b']];
  const architecture = {
    granularity: 'file',
    files: [],
    fileDependencies: [],
    cycles,
    mergedCycles: [],
    truncated: false,
  };
  const { completeness } = answer;
  const writes = { ...terminal, err: (text: string) => void told.push(text) };
  writeAnswer(writes, 'human', 'analysis.architecture', { ...architecture, completeness });
  assert.match(told[0]!, /^cycle of 300: src\/f0\.ts, .*src\/f7\.ts and 292 more: --json lists them\n$/);
  assert.equal(told[1], 'cycle: a, b\n');
});

test('scripts get everything, however narrow the terminal', () => {
  const plain = shown(20, 'plain');
  assert.match(plain[1]!, /run_until_everything_is_done\tdef run_until_everything_is_done\(self, timeout=None\)$/);
  assert.deepEqual(JSON.parse(shown(20, 'json')[0]!), answer);
});

test('a terminal of one column is no reason to fail', () => {
  assert.equal(shown(1).length, 2);
});

test('what speaks against an artifact has a line of its own for each reason', () => {
  const errors = ['deltas.refs: has two, and one is due', 'stats.refsAdded: says 2, and deltas.refs.added has 1'];
  const refused = { valid: false, schemaVersion: 1, baseSnapshotMatch: false, errors, timestamp: '' };
  for (const format of ['human', 'plain'] as const) {
    const lines: string[] = [];
    const terminal = { isColored: false, isLive: false, columns: 80, err: () => {} };
    writeAnswer({ ...terminal, out: more => void lines.push(more) }, format, 'delta.validate', refused);
    const text = lines.join('');
    const told = text.split('\n').filter(line => line.startsWith('error'));
    assert.deepEqual(
      told.map(line => line.replace(/^error\s+/, '')),
      errors,
    );
    assert.match(text, /^valid\s+false$/m);
  }
});

const waysOn: readonly (readonly [query: string, verb: string, shown: string])[] = [
  ['/symbol/svc%3Aapp%3Asym%3A0', 'symbol', 'svc symbol svc:app:sym:0'],
  ['/symbol/svc%3Aapp%3Asym%3A0', 'refs', 'svc refs svc:app:sym:0'],
  ['/symbol/svc%3Aapp%3Asym%3A0?repoStateMode=head', 'refs', 'svc symbol --repo-state-mode head svc:app:sym:0'],
  ["/search?q=it's%20&repo=acme%2Fx", 'symbol', "svc search --repo acme/x 'it'\\''s '"],
  ['/search?q=-x&repo=app', 'impact', 'svc search --repo app -- -x'],
  ['/jobs', 'job', 'svc jobs'],
  ['/jobs/17', 'job', 'svc job 17'],
  ['/index/status?repo=app', 'symbol', 'svc index status --repo app'],
  ['/status?repo=app', 'search', 'svc status --repo app'],
  ['/responsibilities/packages/a%20b?repo=app', 'responsibilities', "svc responsibilities --repo app 'packages/a b'"],
  ['/architecture', 'owners', 'svc arch'],
  [
    '/architecture?targetPath=src/a&inferModules=false&repo=app',
    'owners',
    'svc arch --repo app --no-infer-modules src/a',
  ],
  ['/hotspots?scope=a%20b&days=90', 'drift', "svc hotspots --scope 'a b' --days 90"],
  ['/architecture?level=file', 'owners', '# a way on: /architecture?level=file'],
  ['/elsewhere?x=1', 'symbol', '# a way on: /elsewhere?x=1'],
];

test('a way on of the API is a command on the command line', async () => {
  const table = await tableOfRegistry();
  for (const [query, verb, shown] of waysOn) {
    let text = '';
    const terminal = {
      isColored: false,
      isLive: false,
      columns: 80,
      out: () => {},
      err: (more: string) => (text += more),
    };
    const fault = new Fault('symbolNotFound', 'No', { drilldowns: [{ label: 'a way on', query }] });
    writeFault({ ...terminal, err: more => void terminal.err(more) }, 'human', fault, way =>
      commandFor(table, way, verb),
    );
    assert.equal(
      text
        .split('\n')[1]
        ?.trim()
        .replace(/ {2}# a way on$/, ''),
      shown,
    );
  }
});

test('a fault is told with each of its problems once, whichever of them is its message', () => {
  const problems = [
    { path: 'stats.symbolsAdded', message: 'says 2, and deltas.symbols.added has 1' },
    { path: 'base_snapshot_id', message: 'base snapshot mismatch' },
    { path: 'facts.0', message: 'are not what the content holds' },
  ];
  const words = problems.map(({ path, message }) => `${path}: ${message}`);
  for (const headline of [...words, 'Nothing of it']) {
    const lines: string[] = [];
    const terminal = { isColored: false, isLive: false, columns: 80, out: () => {} };
    const fault = new Fault('preconditionFailed', headline, { details: { problems } });
    writeFault({ ...terminal, err: more => void lines.push(more) }, 'human', fault, () => undefined);
    const others = words.filter(one => one !== headline);
    assert.deepEqual(lines, [`svc: ${headline}\n`, ...others.map(one => `  ${one}\n`)]);
  }
});

test('what became of an artifact is said in words, for people and for scripts', () => {
  const answer = { status: 'success', applied: { symbolsAdded: 2 }, newSnapshotId: 'sha256:1', duration: '0.1s' };
  const rows = [
    [{ outcome: 'applied' }, /taken in now$/],
    [{ outcome: 'pending', awaitedCommit: 'c0ffee' }, /waits for commit c0ffee: .* \(git pull\)$/],
    [{ outcome: 'pending' }, /waits for its files: /],
    [{ outcome: 'already' }, /was there already: /],
  ] as const;
  for (const [became, outcome] of rows) {
    for (const format of ['human', 'plain', 'json'] as const) {
      const lines: string[] = [];
      const terminal = { isColored: false, isLive: false, columns: 80, err: () => {} };
      const told = { ...answer, ...became };
      writeAnswer({ ...terminal, out: more => void lines.push(more) }, format, 'delta.ingest', told);
      if (format === 'json') assert.deepEqual(JSON.parse(lines.join('')), told);
      else assert.match(lines.join('').split('\n')[0]!, outcome);
    }
  }
});

test('jobs are told with their age, how long they ran, and what they could not do', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const job = { type: 'index-precise', progress: 40, repo: 'app', createdAt: at(0) };
  const ended = { ...job, status: 'completed', progress: 100, startedAt: at(1), completedAt: at(3) };
  const problems = ['scip-go is not installed', 'scip-java\u001b[2J broke'];
  const error = { code: 'interrupted', message: 'The daemon stopped' };
  const rows = [
    [{ ...job, id: '1', status: 'queued', message: 'Waiting' }, '2m 5s\t', '\tWaiting'],
    [{ ...job, id: '2', status: 'running', startedAt: at(5), message: 'link' }, '2m 5s\t2m 0s', '\tlink'],
    [{ ...ended, id: '3', message: 'link', result: { indexers: [] } }, '2m 5s\t2s', '\t'],
    [{ ...ended, id: '4', result: { problems: problems.slice(0, 1) } }, '2m 5s\t2s', '\tscip-go is not installed'],
    [{ ...ended, id: '5', result: { problems } }, '2m 5s\t2s', ' installed (and 1 problem more: svc job 5)'],
    [{ ...ended, id: '6', status: 'failed', progress: 40, error }, '2m 5s\t2s', '\tThe daemon stopped'],
    [{ ...ended, id: '7', dryRun: true, message: 'link' }, '2m 5s\t2s', '\tdry run'],
    [{ ...job, id: '8', status: 'queued', dryRun: true, message: 'Waiting' }, '2m 5s\t', '\tdry run: Waiting'],
  ] as const;
  const answered = { jobs: rows.map(([one]) => one), total: rows.length, timestamp: at(125) };
  const lines = written('plain', 'jobs.list', answered).out.split('\n');
  for (const [index, [{ id, status, progress }, times, ending]] of rows.entries()) {
    assert.ok(lines[index]!.startsWith(`${id}\tindex-precise\t${status}\t${progress} %\t${times}\tapp`), lines[index]);
    assert.ok(lines[index]!.endsWith(ending), lines[index]);
  }
  assert.match(
    written('human', 'jobs.list', answered).out,
    /^id +type +status +progress +age +duration +repo +message\n/,
  );
  const { out } = written('human', 'jobs.get', rows[4][0]);
  assert.match(out, /^duration +2s\nproblems +scip-go is not installed\n +scip-java\\u\{1b\}\[2J broke\n$/m);
});

test('a module is told with what it offers, a line each, and where that is said', () => {
  const symbol = { name: 'parse', file: 'src/new\n line.ts', line: 3 };
  const told = {
    ...{
      moduleId: 'lib/a',
      name: '@acme/a',
      summary: 'Reads\u001b[2J files.',
      capabilities: ['Command a', 'Parse files'],
    },
    ...{ keySymbols: ['parse'], symbols: [symbol], exports: 4, confidence: 0.85, source: 'readme' },
    sources: [{ kind: 'readme', path: 'lib/a/README.md', line: 5 }],
  };
  assert.deepEqual(written('human', 'responsibilities.get', told).out.split('\n'), [
    'module        lib/a (@acme/a)',
    'summary       Reads\\u{1b}[2J files.',
    'capabilities  Command a',
    '              Parse files',
    'key symbols   parse  src/new\\n line.ts:3',
    'exports       4 symbols',
    'source        readme, confidence 0.85 (lib/a/README.md:5)',
    '',
  ]);
});

test('what a file is called breaks no line of what is told of it, and texts keep their lines', () => {
  const symbol = {
    ...{ name: 'parse', kind: 'function', language: 'typescript', visibility: 'public', source: 'tree-sitter' },
    ...{ container: '', module: 'src', signature: 'parse()', documentation: 'Reads\nfiles.', confidence: 1, id: '1' },
    location: { file: 'src/new\n line\u001b.ts', line: 3, column: 5 },
  };
  const human = written('human', 'symbols.get', symbol).out;
  assert.match(human, /^where +src\/new\\n line\\u\{1b\}\.ts:3:5$/m);
  assert.match(human, /^says +Reads\n +files\.$/m);
  const plain = written('plain', 'symbols.get', symbol).out;
  assert.match(plain, /^where\tsrc\/new\\n line\\u\{1b\}\.ts:3:5\nmodule\tsrc$/m);
  assert.match(plain, /^says\tReads\\nfiles\.$/m);
  const told = written('human', 'daemon.addRepo', { repo: { id: 'a', root: '/a\nb' }, created: true, jobId: null });
  assert.equal(told.out, 'registered  a (/a\\nb)\n');
});

const completeness = { unresolvedCandidates: 0, dirtyFiles: 0, failedFiles: 0, partialFiles: 0 };

/** What of an answer goes to stdout and to stderr. */
function written(format: Format, name: OperationName, told: object) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    ...{ isColored: false, isLive: false, columns: 200 },
    out: (more: string) => void out.push(more),
    err: (more: string) => void err.push(more),
  };
  writeAnswer(terminal, format, name, { completeness, truncated: false, ...told });
  return { out: out.join(''), err: err.join('') };
}

const node = (id: string, container: string, file: string) => ({
  ...{ id, name: 'write', container, kind: 'method', openCalls: 0 },
  location: { file, line: 3, column: 5 },
});
const dispatch = { calls: 0, confidence: 0.7, source: 'tree-sitter', kind: 'dispatch', location: null };
const callgraph = {
  direction: 'both',
  nodes: [node('1', 'Handler', 'a.php'), node('2', 'Stream', 'b.php')],
  edges: [{ ...dispatch, callerId: '1', callerFile: 'a.php', calleeId: '2' }],
};

test('what may run in the place of something is told by what it stands in and where', () => {
  const { out, err } = written('plain', 'analysis.callgraph', callgraph);
  assert.equal(out, 'b.php:3:5\tHandler.write\tdispatch\tStream.write\t0\t0.7\ttree-sitter\n');
  assert.equal(err, '');
  assert.deepEqual(written('human', 'analysis.callgraph', { ...callgraph, edges: [] }), {
    out: '',
    err: 'nothing is known to call it, and it calls nothing that is known\n',
  });
});

test('what could not be read is told beside nothing, and beside what documents mention', () => {
  const told = { completeness: { ...completeness, failedFiles: 2 } };
  const unread = '2 files or folders that could not be read\n';
  const nothing = { results: [], total: 0, hasMore: false, query: 'x' };
  assert.equal(written('human', 'symbols.search', { ...nothing, ...told }).err, `Nothing found\n${unread}`);
  const coverage = { totalSymbols: 1, documentedSymbols: 1, coverage: 1, withDocComments: 0, topUndocumented: [] };
  assert.ok(written('human', 'docs.coverage', { ...coverage, ...told }).err.endsWith(unread));
  const warnings = [{ message: 'cart: 1 path could not be read' }];
  const contracts = written('human', 'contracts.list', { contracts: [], total: 0, warnings });
  assert.equal(contracts.err, 'no contract fits\ncart: 1 path could not be read\n');
  const summary = { success: 0, failed: 0, skipped: 1 };
  const synced = written('human', 'federation.sync', { results: [], summary, dryRun: false, warnings });
  assert.ok(synced.err.endsWith('1 passed over\ncart: 1 path could not be read\n'), synced.err);
});

test('scripts are told what an answer comes to, beside the rows', () => {
  const trace = { path: [], stops: [], reached: 2, limitations: ['not all is followed'], confidence: 0.9 };
  const path = ['1', '2'].map(id => ({ ...node(id, 'A', 'a.php'), call: id === '1' ? null : dispatch }));
  assert.deepEqual(written('plain', 'analysis.trace', { ...trace, found: true, path }), {
    out: '0\ta.php:3:5\tfrom\tmethod\tA.write\n1\ta.php:3:5\tdispatch\tmethod\tA.write\n',
    err: 'confidence 0.9\n',
  });
  const stops = [{ ...node('1', 'A', 'a.php'), because: 'no-body' }];
  assert.deepEqual(written('plain', 'analysis.trace', { ...trace, found: false, stops }), {
    out: 'stop\ta.php:3:5\tdeclared only\tmethod\tA.write\n',
    err: 'no way is known among 2 symbols that it may run; above, where it may go on\n',
  });
  const impact = { level: 'unknown', score: 0.2, unknownBecause: 'a doubt', directCount: 0, transitiveCount: 0 };
  const told = { affected: [], impact: { ...impact, filesAffected: 0, testsAffected: [] } };
  assert.deepEqual(written('plain', 'analysis.impact', told), { out: '', err: 'risk unknown (0.2) (a doubt)\n' });
});
