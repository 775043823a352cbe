import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Fault, faultBody } from '../../client/protocol/faults.ts';
import { operations } from '../../client/protocol/registry.ts';
import { answers, found, symbolId, withPeer } from './answering-peer.ts';
import { eachRow, svc } from './command.ts';

test('an answer: aligned for people, tab-separated with --plain, the document itself with --json', async t => {
  const { home } = await withPeer(t);
  const shown = 'function parse(text: string)\\u{1b}[2J\\u{202e}';
  const human = await svc(['search', 'parse'], { home });
  assert.equal(human.stdout, `src/a.ts:3:5  function  parse  ${shown}\n`);
  assert.match(human.stderr, /1 of 7; more with --limit, or --cursor abc\n3 more places by syntax alone, /);
  const plain = await svc(['search', 'parse', '--plain'], { home });
  assert.equal(plain.stdout, `src/a.ts:3:5\tfunction\tparse\t${shown}\n`);
  assert.equal(plain.stderr, '');
  const json = await svc(['search', 'parse', '--json'], { home });
  assert.equal(json.stdout, `${JSON.stringify(found)}\n`);
  assert.equal(json.stderr, '');
  const one = await svc(['symbol', 'parse'], { home });
  assert.match(one.stdout, /^name {7}parse\nkind {7}function \(typescript, public, exported\)\n/);
  assert.match(one.stdout, /says {7}Reads\n {11}lines\./);
  const text = await svc(['metrics'], { home });
  assert.equal(text.stdout, answers['system.metrics']);
});

test('places that only the name ties to a symbol are told from the others', async t => {
  const { home } = await withPeer(t);
  const { stdout, stderr } = await svc(['refs', 'parse'], { home });
  assert.equal(
    stdout,
    'src/a.ts:3:5  call  0.9  tree-sitter  main  parse(text);\nsrc/a.ts:3:5  call  0.5  tree-sitter        parse(text);\n',
  );
  assert.match(
    stderr,
    /^1 of these is guessed from the name alone \(confidence 0\.5\)\n3 more places by syntax alone, which --merge union lists\n2 places that bear the name/,
  );
});

test('colours only where they are wanted', async t => {
  const { home } = await withPeer(t);
  const table: readonly (readonly [readonly string[], Record<string, string>, boolean])[] = [
    [[], {}, false],
    [[], { FORCE_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '0' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [['--color', 'always'], { NO_COLOR: '1', TERM: 'dumb' }, true],
    [['--color', 'never'], { FORCE_COLOR: '1' }, false],
  ];
  await eachRow(table, async ([args, env, isColored]) => {
    const { stdout } = await svc(['search', 'parse', ...args], { home, env });
    assert.equal(stdout.includes('\x1b['), isColored, JSON.stringify([args, env]));
  });
});

test('what is asked: fields by their types, sync for answers from the index, the folder where no repository is named', async t => {
  const { home, asked, folder } = await withPeer(t);
  const git = join(home, 'repo');
  mkdirSync(join(git, 'src'), { recursive: true });
  execFileSync('git', ['init', '-q', git]);
  const cases: readonly (readonly [string, string, Record<string, unknown>])[] = [
    [
      'search x --kinds function,method --limit 3',
      folder,
      { q: 'x', kinds: ['function', 'method'], limit: 3, directory: folder, sync: true },
    ],
    ['search x --no-sync', folder, { q: 'x', directory: folder }],
    ['search x', join(git, 'src'), { q: 'x', repo: join(git, 'src'), sync: true }],
    ['search x --repo app', git, { q: 'x', repo: 'app', sync: true }],
    ['search x --repo ../repo', folder, { q: 'x', repo: git, sync: true }],
    [`symbol ${symbolId}`, git, { id: symbolId, sync: true }],
    [`trace main ${symbolId}`, git, { from: 'main', to: symbolId, sync: true }],
    ['trace main parse', git, { from: 'main', to: 'parse', repo: git, sync: true }],
    ['delta', git, { repo: git, sync: true }],
    ['delta --no-sync', folder, { directory: folder }],
    ['repo add', join(git, 'src'), { root: git }],
    ['repo add .', join(git, 'src'), { root: join(git, 'src') }],
    ['repo add', folder, { root: folder }],
    ['jobs --status running', folder, { status: 'running' }],
    ['metrics', folder, {}],
  ];
  for (const [line, cwd, expected] of cases) {
    const { code, stderr } = await svc(line.split(' '), { home, cwd });
    assert.equal(code, 0, `${line}: ${stderr}`);
    const { workDoneToken, ...params } = asked.pop()!.params;
    assert.ok(workDoneToken !== undefined, 'progress is asked for');
    assert.deepEqual(params, expected, line);
  }
});

test('a scope that is a path from the current folder is that path, and else a module or a path as it is given', async t => {
  const unwired = { unwiredModules: [], limitations: [], truncated: false };
  const { home, asked } = await withPeer(t, method => {
    if (method === 'system.status') return { repository: { id: 'app', root: git } };
    return /^(hotspots|ownership|analysis)\./.test(method) ? unwired : undefined;
  });
  const git = join(home, 'repo');
  const src = join(git, 'src');
  mkdirSync(join(src, 'app'), { recursive: true });
  execFileSync('git', ['init', '-q', git]);
  const rows: readonly (readonly [line: string, cwd: string, scope: string])[] = [
    ['hotspots --scope app', src, 'src/app'],
    ['hotspots --scope .', src, 'src'],
    ['hotspots --scope .', git, '.'],
    ['drift --scope ../src/app/', src, 'src/app'],
    ['drift --scope src/app', src, 'src/app'],
    ['drift --scope @root', src, '@root'],
    ['search x --scope app', src, 'src/app'],
    ['search x --scope app --repo app', src, 'app'],
    ['unwired --scope app', src, 'src/app'],
    ['unwired --scope app --fail-on 1', src, 'src/app'],
  ];
  for (const [line, cwd, scope] of rows) {
    const { code, stderr } = await svc([...line.split(' '), '--json'], { home, cwd });
    assert.equal(code, 0, `${line}: ${stderr}`);
    assert.equal(asked.pop()!.params['scope'], scope, line);
  }
});

test('a job is named by its id or by how no other id begins', async t => {
  const ids = ['7c1e4b0a-93d2-4f6e-8a55-2b9d0f3c6e17', '7c1e4bff-1d2c-4a3b-9c8d-0e1f2a3b4c5d'];
  const jobs = ids.map(id => ({ id, type: 'refresh-all', status: 'running', progress: 5, createdAt: found.timestamp }));
  const { home, asked } = await withPeer(t, (method, params) => {
    if (method === 'jobs.list') return { jobs, total: 2, timestamp: found.timestamp };
    if (method === 'jobs.get') return { ...jobs[0], id: params['id'] };
    if (method === 'jobs.cancel') return { id: params['id'], cancelled: true, status: 'cancelled' };
    return undefined;
  });
  const rows: readonly (readonly [line: string, meant: string])[] = [
    ['job 7c1e4b0', ids[0]!],
    ['job cancel 7c1e4bf', ids[1]!],
    [`job ${ids[1]}`, ids[1]!],
    ['job beef', 'beef'],
    ['job 7c1', '7c1'],
  ];
  for (const [line, meant] of rows) {
    assert.equal((await svc(line.split(' '), { home })).code, 0, line);
    assert.equal(asked.pop()!.params['id'], meant, line);
  }
  const { code, stderr } = await svc(['job', 'cancel', '7c1e'], { home });
  const told = `refresh-all, running, of ${found.timestamp}`;
  const waysOn = ids.map(id => `  svc job ${id}  # ${told}\n`).join('');
  assert.deepEqual([code, stderr], [4, `svc: The ids of 2 jobs begin with "7c1e"\n${waysOn}`]);
});

test('what a flag is called need not be what its field is; a list may be given item by item, a text on standard input', async t => {
  const { home, asked, folder } = await withPeer(t);
  const stored = { id: 'ADR-001', path: 'docs/a.md', status: 'created', dryRun: false, timestamp: found.timestamp };
  const peer = await withPeer(t, method => (method === 'decisions.create' ? stored : undefined));
  const rows: readonly (readonly [string[], string, Record<string, unknown>])[] = [
    [['--title', 'A', '--modules', 'a', '--modules', 'b,c'], '', { title: 'A', affectedModules: ['a', 'b,c'] }],
    [
      ['--title', 'A', '--consequences', 'x, y', '--decision', '-', '--context', 'c'],
      'Ü\n',
      { title: 'A', consequences: ['x, y'], decision: 'Ü\n', context: 'c' },
    ],
  ];
  for (const [words, input, expected] of rows) {
    const shell = `printf %s '${input}' | "$0" "$@"`;
    const { code, stderr } = await svc(['decisions', 'create', ...words], { home: peer.home, cwd: peer.folder, shell });
    assert.equal(code, 0, stderr);
    const { workDoneToken: _, directory: __, ...params } = peer.asked.pop()!.params;
    assert.deepEqual(params, expected);
  }
  const shell = `printf '\\377' | "$0" "$@"`;
  const words = ['decisions', 'create', '--title', 'A', '--context', '-'];
  assert.equal((await svc(words, { home, cwd: folder, shell })).code, 2, 'no UTF-8');
  assert.deepEqual(asked, []);
});

test('doctor ends with 1 when a check fails, and with 0 when some only warn', async t => {
  const { home } = await withPeer(t, (method, params) => {
    if (method !== 'system.doctor') return undefined;
    const failed = params['tier'] === 'full' ? 1 : 0;
    const checks = [{ name: 'token', status: failed ? 'fail' : 'pass', message: 'x' }];
    return { checks, issues: [], summary: { total: 1, passed: 1 - failed, warnings: 0, failed } };
  });
  assert.equal((await svc(['doctor', '--tier', 'full'], { home })).code, 1);
  assert.equal((await svc(['doctor'], { home })).code, 0);
});

test('a fault: its exit code, its words and remedies on stderr, its body with --json', async t => {
  const faults = [
    new Fault('invalidParameter', 'q: too long', {
      details: {
        problems: [
          { path: 'q', message: 'too long' },
          { path: 'x', message: 'unknown' },
        ],
      },
    }),
    new Fault('symbolNotFound', 'No symbol'),
    new Fault('indexStale', 'Behind the tree'),
    new Fault('forbidden', 'No'),
    new Fault('backendUnavailable', 'git is missing'),
    new Fault('notReady', 'Indexing'),
    new Fault('unsafeOwner', 'Not yours'),
    new Fault('misconfigured', 'Bad configuration'),
    new Fault('timeout', 'Too slow'),
    new Fault('operationFailed', 'Broken \u001b[31m'),
  ];
  const { home } = await withPeer(t, (method, params) => {
    if (method === 'symbols.search') throw faults[Number(params['q'])]!;
  });
  await eachRow([...faults.keys()], async index => {
    const fault = faults[index]!;
    const { code, stdout, stderr } = await svc(['search', String(index), '--json'], { home });
    assert.equal(code, fault.row.exit, fault.reason);
    assert.equal(stdout, `${JSON.stringify(faultBody(fault))}\n`);
    assert.ok(stderr.startsWith('svc: ') && !stderr.includes('\x1b'), stderr);
  });
  const human = await svc(['search', '0'], { home });
  assert.equal(human.stdout, '');
  assert.equal(human.stderr, 'svc: q: too long\n  x: unknown\n');
});

test('what a registered repository has not is told as that', async t => {
  const missing = new Fault('resourceNotFound', 'There is no module "cor"', {
    details: { moduleId: 'cor', near: ['core'] },
    suggestedFixes: [],
    drilldowns: [{ label: 'A module of a similar name', query: '/responsibilities/core?repo=app' }],
  });
  const { home } = await withPeer(t, method => {
    if (method === 'responsibilities.get') throw missing;
  });
  const git = join(home, 'repo');
  execFileSync('git', ['init', '-q', git]);
  const { code, stderr } = await svc(['responsibilities', 'cor'], { home, cwd: git });
  const expected =
    'svc: There is no module "cor"\n  svc responsibilities --repo app core  # A module of a similar name\n';
  assert.deepEqual([code, stderr], [4, expected]);
});

test('an unregistered repository is not answered from another one: exit 4 and the command that registers it', async t => {
  const { home } = await withPeer(t, method => {
    if (method.startsWith('symbols.')) throw new Fault('resourceNotFound', 'There is no repository of that name');
  });
  const git = join(home, 'my repo');
  execFileSync('git', ['init', '-q', git]);
  const { code, stderr } = await svc(['search', 'x'], { home, cwd: git });
  assert.equal(code, 4);
  assert.equal(stderr, `svc: ${git} is not registered\n  svc repo add '${git}'  # Index and watch it\n`);
  for (const line of [
    ['search', 'x', '--repo', 'other'],
    ['symbol', symbolId],
  ]) {
    const named = await svc(line, { home, cwd: git });
    assert.deepEqual([named.code, named.stderr], [4, 'svc: There is no repository of that name\n'], line.join(' '));
  }
});

test('a name that several bear: each is told as the command that asks about it, ready to be pasted', async t => {
  const { home } = await withPeer(t, () => {
    throw new Fault('ambiguous', '"parse" names several symbols', {
      suggestedFixes: [
        { type: 'run-command', command: 'svc search --repo app parse', safe: true, description: 'Show them' },
      ],
      drilldowns: [
        { label: 'function parse src/a.ts:3', query: `/symbol/${encodeURIComponent(symbolId)}` },
        { label: 'Search for parse', query: '/search?q=parse&repo=app' },
        { label: 'Search for it', query: '/search?q=it' },
        { label: 'elsewhere', query: '/architecture?level=file' },
      ],
    });
  });
  for (const verb of ['refs', 'symbol']) {
    const { code, stderr } = await svc([verb, 'parse'], { home });
    assert.equal(code, 4);
    assert.deepEqual(stderr.split('\n').slice(1, -1), [
      '  svc search --repo app parse  # Show them',
      `  svc ${verb} ${symbolId}  # function parse src/a.ts:3`,
      '  svc search it  # Search for it',
      '  # elsewhere: /architecture?level=file',
    ]);
  }
});

test('a question before the first snapshot waits for it, as long as --timeout allows, and not with --no-sync', async t => {
  let asked = 0;
  let answersAfter = 3;
  const { home } = await withPeer(t, method => {
    if (method !== 'symbols.search' || ++asked > answersAfter) return undefined;
    throw new Fault('notReady', 'app is being indexed for the first time', {
      details: { progress: { phase: 'extract', fraction: asked / 10 } },
    });
  });
  const waited = await svc(['search', 'parse', '--plain'], { home });
  assert.deepEqual([waited.code, asked], [0, 4], waited.stderr);
  assert.match(waited.stdout, /^src\/a\.ts:3:5\t/);
  assert.match(waited.stderr, /^(Parsing\n)?$/);
  asked = 0;
  assert.equal((await svc(['search', 'parse', '--no-sync'], { home })).code, 75);
  assert.equal(asked, 1);
  answersAfter = Number.POSITIVE_INFINITY;
  assert.equal((await svc(['--timeout', '0.5', 'search', 'parse'], { home })).code, 75);
});

test('what lies outside of what is asked about is marked in a table', async t => {
  const { home } = await withPeer(t, method => {
    if (method !== 'analysis.architecture') return undefined;
    const answer = operations['analysis.architecture'].example!.output;
    if (typeof answer === 'string' || answer.granularity !== 'module') return undefined;
    const modules = answer.modules.map(one => ({ ...one, outside: one.id === 'packages/core' }));
    return { ...answer, modules, mergedCycles: [['packages/app', 'packages/core']] };
  });
  const answered = await svc(['arch', 'packages/app', '--format', 'table'], { home });
  assert.match(answered.stdout, /^id {13}place {4}language/);
  assert.match(answered.stdout, /^packages\/app {3}inside {3}typescript/m);
  assert.match(answered.stdout, /^packages\/core {2}outside {2}typescript/m);
  assert.match(answered.stderr, /^cycle only as directories are put together: packages\/app, packages\/core$/m);
});

test('a picture goes to stdout as it is, and a table or JSON is what it is elsewhere', async t => {
  const text = '<svg>\n</svg>\n';
  const { home, asked } = await withPeer(t, (method, { format }) => {
    if (method !== 'analysis.architecture') return undefined;
    return format === undefined || format === 'json' ? operations['analysis.architecture'].example!.output : text;
  });
  const table: readonly (readonly [args: readonly string[], format: string | undefined, stdout: RegExp])[] = [
    [['--format', 'svg'], 'svg', /^<svg>\n<\/svg>\n$/],
    [['--format', 'mermaid'], 'mermaid', /^<svg>\n<\/svg>\n$/],
    [
      ['--format', 'table'],
      undefined,
      /^id {13}language {4}files {2}lines {2}needs\npackages\/app {3}typescript {2}14 {5}3120 {3}packages\/core \(12\)\n/,
    ],
    [[], undefined, /^packages\/core {2}typescript/m],
    [['--plain'], undefined, /^packages\/app\ttypescript\t14\t3120\tpackages\/core \(12\)\n/],
    [['--format', 'json'], undefined, /^\{"timestamp":/],
    [['--json'], undefined, /^\{"timestamp":/],
    [['--json', '--format', 'json'], undefined, /^\{"timestamp":/],
  ];
  await eachRow(table, async ([args, format, stdout]) => {
    const answered = await svc(['arch', 'packages', ...args], { home });
    assert.match(answered.stdout, stdout, args.join(' '));
    assert.equal(answered.code, 0, args.join(' '));
    const question = asked.find(({ params }) => params['format'] === format && params['targetPath'] === 'packages');
    assert.ok(question !== undefined, args.join(' '));
  });
  for (const args of [
    ['--json', '--format', 'svg'],
    ['--plain', '--format', 'table'],
    ['--format', 'png'],
    ['--format'],
  ]) {
    assert.equal((await svc(['arch', ...args], { home })).code, 2, args.join(' '));
  }
});
