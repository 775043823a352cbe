import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { operations } from '../../../client/protocol/registry.ts';
import { Compile } from '../../../client/protocol/schemas.ts';
import { addRepo, startDaemon, svc, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';
import { rejects } from './expected-faults.ts';

const shared = await startDaemon(afterAll);
const { client } = shared;
await until('HTTP listens', () => readDaemonRecord(shared.home.places)?.url);
const repo = 'app';

const nygard = (number: number, title: string, status = 'Accepted', context = 'Because.'): string =>
  `# ${number}. ${title}\n\nDate: 2020-01-0${number}\n\n## Status\n\n${status}\n\n## Context\n\n${context}\n\n## Decision\n\nSo.\n\n## Consequences\n\nThus.\n`;

async function repository(
  t: TestContext,
  text = '-- a.ts --\nexport const a = 1;\n',
  of: TestDaemon = shared,
): Promise<Workspace> {
  const tree = gitRepository(t, text);
  await indexed(t, tree, of);
  return tree;
}

async function indexed(t: TestContext, { root }: Workspace, of: TestDaemon = shared): Promise<void> {
  await addRepo(t, of, { root, id: repo });
  await until('it has an index', async () => {
    const { repos } = await of.client.daemon.listRepos({});
    return repos.find(({ id }) => id === repo)?.status === 'ready';
  });
}

async function http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const { url, tokenFile } = readDaemonRecord(shared.home.places)!;
  return fetch(`${url}${path}${path.includes('?') ? '&' : '?'}repo=${repo}`, {
    method,
    headers: {
      authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const three = `
-- docs/adr/0001-record-decisions.md --
${nygard(1, 'Record decisions')}
-- docs/adr/0002-use-kafka.md --
${nygard(2, 'Use Kafka', 'Superseded by [3. Use Redis](0003-use-redis.md)', 'Messages must keep their order.')}
-- docs/adr/0003-use-redis.md --
${nygard(3, 'Use Redis', 'Accepted', 'Kafka is too much.')}## Affected modules

- \`packages/queue\`
- [@root](../../README.md)
`;

test('decisions are listed by number, chosen, searched, and a page at a time; each answer fits what is promised', async t => {
  const tree = await repository(t, three);
  const idsOf = async (more: Parameters<typeof client.decisions.list>[0]) => {
    const answer = await client.decisions.list({ repo, ...more });
    assert.deepEqual(Compile(operations['decisions.list'].output).Errors(answer), []);
    return answer.decisions.map(({ id }) => id).join();
  };
  assert.equal(await idsOf({}), 'ADR-001,ADR-002,ADR-003');
  assert.equal(await idsOf({ status: 'superseded' }), 'ADR-002');
  assert.equal(await idsOf({ moduleId: './packages/queue/' }), 'ADR-003');
  assert.equal(await idsOf({ moduleId: '.' }), 'ADR-003');
  assert.equal(await idsOf({ search: 'kafka' }), 'ADR-002,ADR-003', 'the title counts most');
  assert.equal(await idsOf({ search: '"keep their order" MESSAGES' }), 'ADR-002');
  assert.equal(await idsOf({ search: 'kafka', status: 'accepted' }), 'ADR-003');
  const page = await client.decisions.list({ repo, limit: 1, offset: 1 });
  assert.deepEqual([page.decisions.map(({ id }) => id), page.total, page.hasMore], [['ADR-002'], 3, true]);
  assert.deepEqual([page.folder, page.folders, page.unread], ['docs/adr', ['docs/adr'], []]);
  const { score: _, ...second } = page.decisions[0]!;
  assert.deepEqual(second, {
    ...{ id: 'ADR-002', title: 'Use Kafka', status: 'superseded', createdAt: '2020-01-02T00:00:00.000Z' },
    ...{ affectedModules: [], path: 'docs/adr/0002-use-kafka.md', number: 2 },
    rawStatus: 'Superseded by [3. Use Redis](0003-use-redis.md)',
    ...{ createdAtSource: 'document', format: 'nygard', supersedes: [], supersededBy: ['ADR-003'], problems: [] },
  });

  const one = await client.decisions.get({ repo, id: '3' });
  assert.deepEqual(Compile(operations['decisions.get'].output).Errors(one), []);
  assert.deepEqual(
    [one.context, one.decision, one.consequences, one.supersedes, one.affectedModules, one.content],
    [
      'Kafka is too much.',
      'So.',
      ['Thus.'],
      ['ADR-002'],
      ['packages/queue', '@root'],
      readFileSync(tree.path('docs/adr/0003-use-redis.md'), 'utf8'),
    ],
  );
  for (const id of ['ADR-003', 'adr-3', '0003', '0003-use-redis', '0003-use-redis.md', 'docs/adr/0003-use-redis.md']) {
    assert.equal((await client.decisions.get({ repo, id })).title, 'Use Redis', id);
  }
  tree.write('doc/adr/3-other.md', '# Other\n');
  await rejects(client.decisions.get({ repo, id: '3' }), 'ambiguous');
  assert.equal((await client.decisions.get({ repo, id: 'doc/adr/3-other.md' })).title, 'Other');
  for (const id of ['4', 'ADR-0x1', '../a.ts', 'a.ts', '/etc/passwd', '__proto__', 'use-kafka']) {
    await rejects(client.decisions.get({ repo, id }), 'resourceNotFound');
  }
});

test('a module that neither the code has nor any decision names is told, in the words of ownership', async t => {
  const tree = await repository(t, `${three}-- src/a.ts --\nexport const a = 1;\n`);
  const ask = async (path: string) => {
    const reply = await http('GET', path);
    return [reply.status, await reply.json()] as const;
  };
  for (const [module, total] of [
    ['src', 0],
    ['packages/queue', 1],
  ] as const) {
    const [status, told] = await ask(`/decisions?moduleId=${module}`);
    assert.deepEqual([status, (told as { total: number }).total], [200, total], module);
  }
  const unknown = await ask('/decisions?moduleId=scr');
  assert.equal(unknown[0], 404);
  assert.deepEqual(unknown, await ask('/ownership?moduleId=scr'));
  tree.remove('docs/adr/0003-use-redis.md');
  assert.equal((await ask('/decisions?moduleId=packages/queue'))[0], 404);
});

test('the answer is of now, its entity tag as well', async t => {
  const tree = await repository(t, three);
  for (const path of [
    '/decisions',
    '/decisions?search=kafka',
    '/decisions/ADR-002',
    '/decisions/docs/adr/0002-use-kafka.md',
  ]) {
    const tagged = await http('GET', path);
    assert.equal(tagged.status, 200, path);
    const etag = tagged.headers.get('etag')!;
    assert.match(etag, /^W\//);
    assert.equal((await http('GET', path, undefined, { 'if-none-match': etag })).status, 304, path);
    tree.write('docs/adr/0002-use-kafka.md', nygard(2, 'Use Kafka', 'Accepted', `For ${path}.`));
    const changed = await http('GET', path, undefined, { 'if-none-match': etag });
    assert.equal(changed.status, 200, path);
    assert.notEqual(changed.headers.get('etag'), etag);
  }
  tree.remove('docs/adr/0002-use-kafka.md');
  assert.equal((await http('GET', '/decisions/2')).status, 404);
  assert.equal((await client.decisions.list({ repo })).total, 2);
});

test('a decision is written as those that are there, read back as it was given, and nothing else is touched', async t => {
  const tree = await repository(t, three);
  const before = execFileSync('git', ['status', '--porcelain'], { cwd: tree.root, encoding: 'utf8' });
  const given = {
    title: 'Use a log',
    context: '# Not a heading\n\n- a list\n\n<script>x</script>',
    decision: '```sh\n# code\n```',
    consequences: ['Good, and cheap', 'Bad\n## not a heading'],
    affectedModules: ['packages/queue', '@root'],
    status: 'superseded' as const,
  };
  const dry = await client.decisions.create({ repo, ...given, dryRun: true });
  assert.deepEqual(
    [dry.id, dry.path, dry.status, dry.dryRun],
    ['ADR-004', 'docs/adr/0004-use-a-log.md', 'dry-run', true],
  );
  assert.equal(existsSync(tree.path(dry.path)), false);
  const created = await client.decisions.create({ repo, ...given });
  assert.deepEqual(Compile(operations['decisions.create'].output).Errors(created), []);
  assert.deepEqual(
    [created.id, created.path, created.status, created.content],
    [dry.id, dry.path, 'created', undefined],
  );
  assert.equal(readFileSync(tree.path(created.path), 'utf8'), dry.content);
  assert.match(dry.content!, /^# 4\. Use a log\n\nDate: \d{4}-\d\d-\d\d\n\n## Status\n\nSuperseded\n/);
  const { title, context, decision, consequences, affectedModules, status, sections } = await client.decisions.get({
    repo,
    id: created.id,
  });
  assert.deepEqual({ title, context, decision, consequences, affectedModules, status }, given);
  assert.deepEqual(
    sections.map(({ heading }) => heading),
    ['Status', 'Context', 'Decision', 'Consequences', 'Affected modules'],
  );
  const after = execFileSync('git', ['status', '--porcelain'], { cwd: tree.root, encoding: 'utf8' });
  assert.deepEqual([before, after], ['', `?? ${created.path}\n`]);
});

test('a decision of a category is found by all that names it', async t => {
  const tree = await repository(
    t,
    `${three.replaceAll('docs/adr', 'docs/decisions')}
-- docs/decisions/backend/0001-use-a-log.md --
${nygard(1, 'Use a log')}
-- docs/decisions/backend/0004-use-a-cache.md --
${nygard(4, 'Use a cache')}
-- docs/decisions/ui/2020-01-31-use-react.md --
${nygard(5, 'Use React')}
`,
  );
  for (const path of [
    'ADR-backend/001',
    'ADR-backend%2F001',
    'backend/1',
    'docs/decisions/backend/0001-use-a-log.md',
  ]) {
    const reply = await http('GET', `/decisions/${path}`);
    const { id, title } = (await reply.json()) as { id: string; title: string };
    assert.deepEqual([reply.status, id, title], [200, 'ADR-backend/001', 'Use a log'], path);
  }
  const named: readonly (readonly [text: string, id: string])[] = [
    ['1', 'ADR-001'],
    ['adr-Backend/0001', 'ADR-backend/001'],
    ['backend/ADR-1', 'ADR-backend/001'],
    ['backend/0001-use-a-log', 'ADR-backend/001'],
    ['0001-use-a-log', 'ADR-backend/001'],
    ['4', 'ADR-backend/004'],
    ['ADR-4', 'ADR-backend/004'],
    ['2020-01-31-use-react', 'ADR-ui/2020-01-31-use-react'],
    ['ui/2020-01-31', 'ADR-ui/2020-01-31-use-react'],
  ];
  for (const [text, id] of named) assert.equal((await client.decisions.get({ repo, id: text })).id, id, text);
  for (const text of ['ui/1', 'backend', 'backend/', 'log']) {
    await rejects(client.decisions.get({ repo, id: text }), 'resourceNotFound');
  }
  const idsOf = async (search?: string) =>
    (await client.decisions.list({ repo, ...(search === undefined ? {} : { search }) })).decisions.map(({ id }) => id);
  assert.deepEqual(await idsOf('cache'), ['ADR-backend/004']);
  const shown = await svc(shared.home, ['decisions', 'show', 'backend/1', '--json'], tree.root);
  assert.equal((JSON.parse(shown.stdout) as { id: string }).id, 'ADR-backend/001', shown.stderr);
  tree.write('docs/decisions/ui/0001-use-css.md', nygard(1, 'Use CSS'));
  assert.equal((await client.decisions.get({ repo, id: 'ui/1' })).title, 'Use CSS');
  assert.equal((await client.decisions.create({ repo, title: 'A' })).path, 'docs/decisions/0004-a.md');
  assert.equal((await client.decisions.get({ repo, id: '4' })).id, 'ADR-004');
  assert.equal((await idsOf()).length, 8);
});

test('what is left out has a default: MADR 4 in docs/decisions, proposed', async t => {
  const tree = await repository(t);
  const { id, path } = await client.decisions.create({ repo, title: 'A' });
  assert.deepEqual([id, path], ['ADR-001', 'docs/decisions/001-a.md']);
  assert.match(
    readFileSync(tree.path(path), 'utf8'),
    /^---\nstatus: proposed\ndate: \S+\n---\n\n# A\n\n## Context and Problem Statement\n\n## Decision Outcome\n$/,
  );
  const shown = await client.decisions.get({ repo, id });
  assert.deepEqual([shown.status, shown.context, shown.consequences, shown.problems], ['proposed', '', [], []]);
});

const good = {
  title: 'A',
  context: 'c',
  decision: 'd',
  consequences: ['e'],
  affectedModules: ['a'],
  status: 'accepted',
};
const without = { ...good, title: undefined };

/** Bodies, the status of the answer, and where the problem is. */
const refused: readonly (readonly [what: string, body: unknown, status: number, at?: string])[] = [
  ['no title', without, 422, 'title'],
  ['an empty title', { ...good, title: '' }, 422, 'title'],
  ['a blank title', { ...good, title: ' \n' }, 422, 'title'],
  ['a title that nobody sees', { ...good, title: '\u200b\u00ad\u0301' }, 422, 'title'],
  ['a long title', { ...good, title: 'x'.repeat(501) }, 422, 'title'],
  ['NUL in the title', { ...good, title: 'a\0b' }, 422, 'title'],
  ['a number for a title', { ...good, title: 1 }, 422, 'title'],
  ['a status in capitals', { ...good, status: 'Accepted' }, 422, 'status'],
  ['another status', { ...good, status: 'done' }, 422, 'status'],
  ['no status', { ...good, status: null }, 422, 'status'],
  ['a text of consequences', { ...good, consequences: 'x' }, 422, 'consequences'],
  ['a number of consequences', { ...good, consequences: [1] }, 422, 'consequences[0]'],
  ['a blank consequence', { ...good, consequences: [' '] }, 422, 'consequences[0]'],
  ['NUL in a consequence', { ...good, consequences: ['a', 'b\0'] }, 422, 'consequences[1]'],
  ['too many', { ...good, consequences: Array.from({ length: 1001 }, () => 'x') }, 422, 'consequences'],
  ['a text of modules', { ...good, affectedModules: 'x' }, 422, 'affectedModules'],
  ['a module outside', { ...good, affectedModules: ['../x'] }, 422, 'affectedModules[0]'],
  ['an absolute module', { ...good, affectedModules: ['a', '/etc'] }, 422, 'affectedModules[1]'],
  ['a module of two lines', { ...good, affectedModules: ['a\nb'] }, 422, 'affectedModules[0]'],
  ['NUL in the context', { ...good, context: 'a\0' }, 422, 'context'],
  ['an unknown field', { ...good, author: 'x' }, 422, 'author'],
  ['a list', [], 422],
  ['nothing', 'null', 422],
  ['no JSON', '{', 400],
  [
    'a large one',
    { ...good, context: 'x'.repeat(256 * 1024 + 1 - JSON.stringify({ ...good, context: '' }).length) },
    413,
  ],
  ['a very large one', { ...good, context: 'x'.repeat(2 ** 20) }, 413],
];

test('what is no decision is refused by name, and nothing is written', async t => {
  const tree = await repository(t);
  for (const [what, body, status, at] of refused) {
    const reply = await http('POST', '/decisions', body);
    const text = await reply.text();
    assert.equal(reply.status, status, `${what}: ${text}`);
    const { details } = JSON.parse(text) as { details: { problems?: { path: string }[] } };
    if (at !== undefined)
      assert.deepEqual(
        details.problems?.map(({ path }) => path),
        [at],
        what,
      );
  }
  assert.equal(existsSync(tree.path('docs')), false);
  await rejects(client.decisions.create({ repo, title: 'A', context: 'x'.repeat(300_000) }), 'tooLarge');
});

const titles = [
  ...['../../etc/x', 'CON', '.', '-rf', '😀', 'שלום עולם', 'a\nb', '---\nstatus: accepted', '<script>', '{{x}}'],
  ...['é'.repeat(500), '12. Men', 'Status: rejected', '\u001b[31mred'],
];

test('any other title is safe', async t => {
  const tree = await repository(t);
  for (const title of titles) {
    const reply = await http('POST', '/decisions', { title, status: 'proposed' });
    assert.equal(reply.status, 200, title);
    const { path } = (await reply.json()) as { path: string };
    assert.match(path, /^docs\/decisions\/\d{3}-[a-z0-9א-ת-]+\.md$/);
    const shown = await client.decisions.get({ repo, id: path });
    assert.deepEqual([shown.title, shown.status], [title.replaceAll('\n', ' '), 'proposed']);
  }
  assert.equal(readdirSync(tree.path('docs/decisions')).length, titles.length);
  const { decisions } = await client.decisions.list({ repo });
  assert.deepEqual([...new Set(decisions.flatMap(({ problems }) => problems))], []);
});

test('of many at once, to two daemons, each has a number of its own', async t => {
  const tree = await repository(t, three);
  const other = await startDaemon(t, temporaryHome(t));
  await indexed(t, tree, other);
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      (n % 2 === 0 ? client : other.client).decisions.create({ repo, title: `Number ${n % 5}` }),
    ),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, 50);
  assert.equal(new Set(made.map(({ path }) => path)).size, 50);
  const { decisions } = await client.decisions.list({ repo });
  assert.deepEqual(
    decisions.map(({ number }) => number),
    Array.from({ length: 53 }, (_, n) => n + 1),
  );
  assert.deepEqual(
    decisions.flatMap(({ problems }) => problems),
    [],
  );
  assert.equal(readdirSync(tree.path('docs/adr')).length, 53, 'nothing is left over');
});

test('a folder that can’t be written is told, and how', async t => {
  const outside = temporaryFolder(t);
  const table: readonly (readonly [what: string, text: string, reason: string])[] = [
    ['a link out of the repository', `-- docs/decisions -> ${outside.root} --`, 'symlink'],
    ['a file', '-- docs/decisions --\nx\n', 'not_a_folder'],
    ['a named one outside', '-- .adr-dir --\n../x\n', 'folder_outside'],
  ];
  for (const [what, text, reason] of table) {
    const tree = await repository(t, `-- a.ts --\nexport const a = 1;\n${text}`);
    for (const dryRun of [false, true]) {
      const reply = await http('POST', '/decisions', { title: 'A', dryRun });
      const { code, details } = (await reply.json()) as { code: string; details: { reason: string } };
      assert.deepEqual([reply.status, code, details.reason], [412, 'PRECONDITION_FAILED', reason], what);
    }
    assert.equal((await client.decisions.list({ repo })).total, 0);
    await client.daemon.removeRepo({ id: repo });
    assert.deepEqual(
      readdirSync(tree.root).sort(),
      ['.adr-dir', '.git', 'a.ts', 'docs']
        .filter(name => name !== '.adr-dir' || text.includes(name))
        .filter(name => name !== 'docs' || text.includes(name)),
    );
  }
  assert.deepEqual(readdirSync(outside.root), []);
});

test('a folder outside git is one like others, and one that is gone is told', async t => {
  const { root, path } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  await addRepo(t, shared, { root, id: repo });
  assert.equal(
    (await client.decisions.create({ repo, title: 'A' })).path,
    'docs/decisions/001-a.md',
    'before its first index',
  );
  await until('it has an index', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready');
  assert.equal((await client.decisions.list({ repo })).total, 1);
  renameSync(root, `${root}.away`);
  for (const ask of [() => client.decisions.list({ repo }), () => client.decisions.create({ repo, title: 'B' })]) {
    await assert.rejects(
      ask,
      (error: unknown) => error instanceof Fault && error.extras.details?.['reason'] === 'root_missing',
    );
  }
  renameSync(`${root}.away`, root);
  assert.ok(existsSync(path('docs/decisions/001-a.md')));
});

test('the configured folder counts where .adr-dir names none', async t => {
  const home = temporaryHome(t, { SVC_DECISIONS_FOLDER: 'rfcs' });
  const other = await startDaemon(t, home);
  const tree = await repository(t, '-- rfcs/0007-a.md --\n# A\n-- docs/adr/0001-b.md --\n# B\n', other);
  const ask = () => other.client.decisions.list({ repo });
  assert.deepEqual([(await ask()).folder, (await ask()).total], ['rfcs', 2]);
  assert.equal((await other.client.decisions.create({ repo, title: 'C' })).path, 'rfcs/0008-c.md');
  tree.write('.adr-dir', 'docs/adr\n');
  assert.equal((await ask()).folder, 'docs/adr');
  assert.equal(
    (await other.client.decisions.create({ repo, title: 'D' })).path,
    'docs/adr/0009-d.md',
    'numbers are the repository’s',
  );
});

test('so does the folder that the repository’s own settings name, unless the user names another', async t => {
  const tree = await repository(t, '-- rfcs/0007-a.md --\n# A\n-- docs/adr/0001-b.md --\n# B\n');
  const folder = async () => (await client.decisions.list({ repo })).folder;
  assert.equal(await folder(), 'docs/adr');
  tree.write('.svc.toml', '[decisions]\nfolder = "rfcs"\n');
  assert.equal(await folder(), 'rfcs');
  const other = await startDaemon(t, temporaryHome(t, { SVC_DECISIONS_FOLDER: 'docs/adr' }));
  await indexed(t, tree, other);
  assert.equal((await other.client.decisions.list({ repo })).folder, 'docs/adr');
  await client.daemon.removeRepo({ id: repo });
  await addRepo(t, shared, { root: tree.path('docs'), id: repo });
  await until('it has an index', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready');
  assert.equal(await folder(), 'adr', 'it lies outside of this root');
  tree.write('.svc.toml', '[decisions]\nfolder = "docs/records"\n');
  tree.write('docs/records/0001-c.md', '# C\n');
  assert.equal(await folder(), 'records');
});

test('documents that were only read are byte for byte as they were', async t => {
  const hostile = `-- docs/adr/0001-a.md --\n---\nstatus: accepted\n-- docs/adr/0002-b.md --\n# B ${'x'.repeat(300_000)}\n`;
  const tree = await repository(t, `${three.replaceAll('docs/adr', 'doc/adr')}${hostile}`);
  writeFileSync(tree.path('docs/adr/0003-c.md'), Buffer.from([0xef, 0xbb, 0xbf, 0x23, 0x20, 0xff, 0x0d, 0x0a]));
  symlinkSync('0001-a.md', tree.path('docs/adr/0004-d.md'));
  const all = () => execFileSync('sh', ['-c', 'find doc docs | sort; cat doc/adr/* docs/adr/*'], { cwd: tree.root });
  const before = all();
  const { decisions, unread } = await client.decisions.list({ repo });
  assert.deepEqual([decisions.length, unread.length], [6, 1]);
  for (const { path } of decisions) await client.decisions.get({ repo, id: path });
  await client.system.doctor({ repo });
  assert.deepEqual(all(), before);
});

test('on the command line: listed, searched, shown and written, and what a terminal must not see is escaped', async t => {
  const tree = await repository(t, three);
  const run = (...words: string[]) => svc(shared.home, words, tree.root);
  const list = await run('decisions', '--search', 'kafka', '--status', 'accepted', '--module', 'packages/queue');
  assert.equal(list.stdout, 'ADR-003  accepted  2020-01-03  docs/adr/0003-use-redis.md  Use Redis\n', list.stderr);
  const created = await run(
    'decisions',
    'create',
    '--title',
    'A\u001b[31m',
    '--consequences',
    'b, c',
    '--consequences',
    'd',
    '--modules',
    'x',
    '--modules',
    'y',
    '--status',
    'accepted',
    '--json',
  );
  assert.equal(created.code, 0, created.stderr);
  const { id } = JSON.parse(created.stdout) as { id: string };
  const made = await client.decisions.get({ repo, id });
  assert.deepEqual(
    [made.title, made.consequences, made.affectedModules, made.status],
    ['A\u001b[31m', ['b, c', 'd'], ['x', 'y'], 'accepted'],
  );
  for (const how of [[], ['--plain']]) {
    const shown = await run('decisions', 'show', id, ...how);
    assert.ok(shown.stdout.includes('A\\u{1b}[31m') && !shown.stdout.includes('\u001b'), shown.stdout);
  }
  const dry = await run('decisions', 'create', '--title', 'B', '--dry-run');
  assert.match(dry.stdout, /^id +ADR-005\nwhere +docs\/adr\/0005-b\.md\ncontent +# 5\. B\n/);
  assert.equal(existsSync(tree.path('docs/adr/0005-b.md')), false);
  const table: readonly (readonly [words: readonly string[], code: number])[] = [
    [['decisions', 'create'], 2],
    [['decisions', 'create', '--title', 'x', '--status', 'done'], 2],
    [['decisions', 'create', '--title', 'x', '--title', 'y'], 2],
    [['decisions', 'create', '--title', 'x', '--context', '-', '--decision', '-'], 2],
    [['decisions', 'show', '99'], 4],
    [['decisions', 'show'], 2],
    [['decisions', 'what'], 2],
    [['decisions', '--limit', '0'], 2],
  ];
  for (const [words, code] of table) assert.equal((await run(...words)).code, code, words.join(' '));
});
