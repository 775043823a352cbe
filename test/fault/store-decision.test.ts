import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTicksOf } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { readDecision } from '../../daemon/extract/decisions/read-decision.ts';
import { createDecisionFiles } from '../../daemon/jobs/decisions/decision-files.ts';
import { briefNode, startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';
import { standIn } from './orders.ts';
import { callsOf, canTrace, durabilityFaults, tracers } from './system-calls.ts';

/** Decisions that are stored while something happens: a death, others who store, a disk that is full or takes no writing. */

interface Outcome {
  readonly id?: string;
  readonly path?: string;
  readonly failed?: string;
}

interface Around {
  readonly env?: NodeJS.ProcessEnv;
  /** A program with its arguments that becomes the process, or runs beside it. */
  readonly through?: readonly string[];
  readonly count?: number;
  /** Shell words that prepare the place, in a namespace of its own. */
  readonly mount?: string;
}

/** What became of each, in a process of its own; undefined where that was killed. */
async function storing(tree: Workspace, title: string, around: Around = {}): Promise<readonly Outcome[] | undefined> {
  return (await run(tree, title, around))?.outcomes;
}

interface Run {
  readonly outcomes: readonly Outcome[];
  /** What lies in the folder then, as the process sees it. */
  readonly names: readonly string[];
}

async function run(
  { root }: Workspace,
  title: string,
  { env = {}, count = 1, through = [], mount }: Around,
): Promise<Run | undefined> {
  const program = fileURLToPath(new URL('store-decision.js', import.meta.url));
  const node = [...through, ...briefNode, program, root, String(count), title];
  const [command = '', ...words] =
    mount === undefined ? node : ['unshare', '-Urm', 'sh', '-c', `${mount}; exec "$0" "$@"`, ...node];
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal === 'SIGKILL' ? undefined : (JSON.parse(told) as Run);
}

const first = '-- docs/adr/0001-a.md --\n# A\n\n## Status\n\naccepted\n';

function filesIn({ path }: Workspace): readonly string[] {
  return readdirSync(path('docs/adr')).sort();
}

test('a process that is killed leaves a whole document or none, and what else it leaves goes with the next one', async t => {
  const tree = temporaryFolder(t, first);
  assert.equal(await storing(tree, 'b', { env: { SVC_FAULT: 'before-link' } }), undefined);
  const [temporary, ...others] = filesIn(tree);
  assert.match(temporary!, /^\.svc-decision-.*\.tmp$/);
  assert.deepEqual(others, ['0001-a.md']);
  assert.equal(await storing(tree, 'b', { env: { SVC_FAULT: 'after-link' } }), undefined);
  assert.equal(readDecision(readFileSync(tree.path('docs/adr/0002-b.md'))).title, 'b');
  assert.equal(filesIn(tree).length, 3, 'the first one’s is gone, the second one’s is there');
  assert.deepEqual(await storing(tree, 'c'), [{ id: 'ADR-003', path: 'docs/adr/0003-c.md' }]);
  assert.deepEqual(filesIn(tree), ['0001-a.md', '0002-b.md', '0003-c.md']);
});

test('what it leaves goes as well once somebody looks at the folder, when nobody can be at it any more', async t => {
  const tree = temporaryFolder(t, first);
  assert.equal(await storing(tree, 'b', { env: { SVC_FAULT: 'before-link' } }), undefined);
  const [left] = filesIn(tree);
  const living = `.svc-decision-${process.ppid}-${startTicksOf(process.ppid)}-00.tmp`;
  const others = ['.svc-decision-1-1-mine.tmp', '.svc-decision-notes.md', 'notes.tmp'];
  for (const name of [living, ...others]) {
    tree.write(`docs/adr/${name}`, '');
    utimesSync(tree.path(`docs/adr/${name}`), 1, 1);
  }
  const look = () => createDecisionFiles().read(tree.root, '', new AbortController().signal);
  const kept = [living, ...others, '0001-a.md'];
  await look();
  assert.deepEqual(filesIn(tree), [left, ...kept].sort(), 'it is young');
  utimesSync(tree.path(`docs/adr/${left}`), new Date(), new Date(Date.now() - 61_000));
  await look();
  assert.deepEqual(filesIn(tree), kept.sort());
});

/** Calls that change a folder, or make it last. */
const changing = 'fsync,link,linkat,unlink,unlinkat,mkdir,mkdirat';

/** Kills it at the first of its system calls, at the second, and so on until it lives. */
async function killedAtEach(t: TestContext): Promise<void> {
  const left = new Set<string>();
  for (let nth = 1, isOver = false; !isOver; nth++) {
    const tree = temporaryFolder(t, '-- a.ts --\n');
    const inject = `strace -D -f -qq -e trace=${changing} -e inject=${changing}:signal=KILL:when=${nth} -o /dev/null`;
    isOver = (await storing(tree, 'b', { through: inject.split(' ') })) !== undefined;
    const path = tree.path('docs/decisions/001-b.md');
    const isThere = existsSync(path);
    if (isThere) assert.equal(readDecision(readFileSync(path)).sections.length, 3, `${nth}`);
    left.add(isThere ? 'all' : 'nothing');
    assert.deepEqual(await storing(tree, 'c'), [
      isThere ? { id: 'ADR-002', path: 'docs/decisions/002-c.md' } : { id: 'ADR-001', path: 'docs/decisions/001-c.md' },
    ]);
    const names = readdirSync(tree.path('docs/decisions'));
    assert.deepEqual(names.sort(), isThere ? ['001-b.md', '002-c.md'] : ['001-c.md'], `${nth}`);
  }
  assert.deepEqual(left, new Set(['nothing', 'all']));
}

// Where nobody may look at system calls, those of the test above are tried.
if (canTrace) test('killed at any of its system calls it leaves a whole document or none', killedAtEach);

for (const { name: by, tracing } of tracers) {
  test(`a document is safe on the disk before it bears its name, and its name before it is told (${by})`, async t => {
    const tree = temporaryFolder(t, first);
    const trace = temporaryFolder(t).path('trace');
    await storing(tree, 'b', tracing(t, trace, ['write', 'pwrite64', 'writev', ...changing.split(',')]));
    const folder = tree.path('docs/adr');
    await until('the trace is whole', () => readFileSync(trace, 'utf8').includes(`<${folder}>`));
    // Names lead through the descriptor of the folder.
    const calls = callsOf(readFileSync(trace, 'utf8').replaceAll(/\/proc\/self\/fd\/\d+(?=\/)/g, folder));
    assert.deepEqual(durabilityFaults(calls, folder), []);
    assert.ok(calls.some(({ name, words }) => name.startsWith('link') && words.includes(`${folder}/0002-b.md`)));
  });
}

test('what a process that lives is writing stays', async t => {
  const tree = temporaryFolder(t, first);
  const [, , , , , , , , , , , , , , , , , , , , , ticks] = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(
    ' ',
  );
  const living = `.svc-decision-${process.pid}-${ticks}-00.tmp`;
  const reused = `.svc-decision-${process.pid}-1-00.tmp`;
  for (const name of [living, reused]) tree.write(`docs/adr/${name}`, '');
  await storing(tree, 'b');
  assert.deepEqual(filesIn(tree), [living, '0001-a.md', '0002-b.md']);
});

test('processes that store at once take different numbers, and nobody’s file is lost', async t => {
  const tree = temporaryFolder(t, first);
  const titles = ['one', 'two', 'three'];
  const all = await Promise.all(titles.map(title => storing(tree, title, { count: 17 })));
  const ids = all.flatMap(outcomes => outcomes!.map(({ id }) => id!));
  const numbers = Array.from({ length: 51 }, (_, n) => `ADR-${String(n + 2).padStart(3, '0')}`);
  assert.deepEqual([...ids].sort(), numbers);
  assert.deepEqual(
    filesIn(tree).map(name => Number(name.slice(0, 4))),
    Array.from({ length: 52 }, (_, n) => n + 1),
    'and none left over',
  );
});

test('files that somebody makes meanwhile are left as they are', async t => {
  const tree = temporaryFolder(t, first);
  const making = Array.from({ length: 20 }, async (_, n) => {
    await new Promise(resolve => setImmediate(resolve));
    writeFileSync(tree.path(`docs/adr/${String(3 * n + 2).padStart(4, '0')}-mine.md`), 'mine', { flag: 'wx' });
  });
  const [outcomes] = await Promise.all([storing(tree, 'theirs', { count: 20 }), ...making]);
  assert.equal(new Set(outcomes!.map(({ id }) => id)).size, 20);
  for (const { path } of outcomes!) assert.equal(readDecision(readFileSync(tree.path(path!))).title, 'theirs');
  const mine = filesIn(tree).filter(name => name.includes('mine'));
  assert.deepEqual(new Set(mine.map(name => readFileSync(tree.path(`docs/adr/${name}`), 'utf8'))), new Set(['mine']));
  assert.equal(mine.length, 20);
});

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Folders that can't be written, what makes them so, and what is told. */
const unfit: readonly (readonly [what: string, tree: string, reason: string])[] = [
  ['a link out of the repository', '-- docs/decisions -> OUTSIDE --', 'symlink'],
  ['a link within it', '-- docs/decisions -> ../elsewhere --\n-- elsewhere/ --', 'symlink'],
  ['a link above it', '-- docs -> elsewhere --\n-- elsewhere/decisions/ --', 'symlink'],
  ['a file', '-- docs/decisions --\nx', 'not_a_folder'],
  ['a file above it', '-- docs --\nx', 'not_a_folder'],
  ['a named file', '-- .adr-dir --\na/b\n-- a --\nx', 'not_a_folder'],
];

test('nothing is written but into a real folder of the repository', async t => {
  for (const [what, text, reason] of unfit) {
    const outside = temporaryFolder(t);
    const tree = temporaryFolder(t, text.replace('OUTSIDE', outside.root));
    const entries = () => execFileSync('find', [tree.root, outside.root], { encoding: 'utf8' });
    const before = entries();
    assert.deepEqual(await storing(tree, 'b'), [{ failed: reason }], what);
    assert.equal(entries(), before, what);
  }
});

type Place = readonly [what: string, failed: string, around: (t: TestContext, tree: Workspace) => Around];

/** What stands in for the kernel, and the kernel itself where there are namespaces. */
const places: readonly Place[] = [
  ['a full disk, by its stand-in', 'ENOSPC', (t, { root }) => refusing(t, root, 'ENOSPC')],
  ['a disk that takes no writing, by its stand-in', 'EROFS', (t, { root }) => refusing(t, root, 'EROFS')],
  ['a device that fails at the document', 'EIO', t => ({ env: standIn(t, { failingSync: 1 }).env })],
  ['a device that fails at its folder', 'EIO', t => ({ env: standIn(t, { failingSync: 2 }).env })],
];
const mounts: readonly Place[] = [
  ['a full disk', 'ENOSPC', (_, { root }) => ({ mount: `${mounted(root)}; ${filled(root)}` })],
  ['a disk that takes no writing', 'EROFS', (_, { root }) => ({ mount: `${mounted(root)}; ${closed(root)}` })],
  ['another device', 'another_device', (_, { root }) => ({ mount: mounted(`${root}/docs/adr`) })],
];

function refusing(t: TestContext, folder: string, code: 'ENOSPC' | 'EROFS'): Around {
  return { env: standIn(t, { unwritable: { folder, code } }).env };
}

/** Another disk in the place of a folder, with what lies there. */
function mounted(folder: string): string {
  return `cp -a ${folder} ${folder}.copy; mount -t tmpfs -o size=64k none ${folder}; cp -a ${folder}.copy/. ${folder}; rm -r ${folder}.copy`;
}

/** Room for a name, and not for what it is of. */
function filled(folder: string): string {
  return `dd if=/dev/zero of=${folder}/fill bs=1k count=44 2>/dev/null`;
}

function closed(folder: string): string {
  // With its device named, or options come along that say whose it is, by a number that the namespace may not know.
  return `mount -o remount,ro none ${folder}`;
}

for (const [what, failed, around] of canMount ? [...places, ...mounts] : places) {
  test(`on ${what} nothing is left`, async t => {
    const tree = temporaryFolder(t, first);
    assert.deepEqual(await run(tree, 'b', around(t, tree)), { outcomes: [{ failed }], names: ['0001-a.md'] });
    assert.deepEqual(filesIn(tree), ['0001-a.md']);
  });
}

test('folders that were made for a document go with it, and stay with it as open as those above', async t => {
  const tree = temporaryFolder(t, '-- a.ts --\n');
  assert.deepEqual(await storing(tree, 'b', refusing(t, tree.path('docs/decisions'), 'ENOSPC')), [
    { failed: 'ENOSPC' },
  ]);
  assert.deepEqual(readdirSync(tree.root), ['a.ts']);
  assert.deepEqual(await storing(tree, 'b'), [{ id: 'ADR-001', path: 'docs/decisions/001-b.md' }]);
  const modes = ['', 'docs', 'docs/decisions'].map(folder => statSync(tree.path(folder)).mode & 0o777);
  assert.deepEqual([new Set(modes).size, statSync(tree.path('docs/decisions/001-b.md')).mode & 0o777], [1, 0o644]);
});

test('a daemon says what keeps it from writing, and writes once it can', async t => {
  const tree = temporaryFolder(t, first);
  const { env, give } = standIn(t, {});
  const daemon = await startDaemon(t, temporaryHome(t, env));
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  const create = () => daemon.client.decisions.create({ repo: 'app', title: 'b' });
  for (const [code, fault, reason] of [
    ['ENOSPC', 'storageFailed', 'disk_full'],
    ['EROFS', 'preconditionFailed', 'read_only'],
  ] as const) {
    give({ unwritable: { folder: tree.root, code } });
    await assert.rejects(create(), (error: unknown) => {
      assert.ok(error instanceof Fault);
      assert.ok(!error.message.includes(tree.root), error.message);
      return error.reason === fault && error.extras.details?.['reason'] === reason;
    });
    assert.deepEqual(filesIn(tree), ['0001-a.md']);
  }
  give({});
  assert.equal((await create()).path, 'docs/adr/0002-b.md');
});
