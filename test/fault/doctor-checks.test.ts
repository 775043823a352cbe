import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../../daemon/package-root.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';

type Status = 'pass' | 'info' | 'warn' | 'fail';

/** A fault, the one check that tells of it, and how both go away. */
interface Row {
  readonly check: string;
  readonly status: Status;
  /** What follows from it by nature, and is told too. */
  readonly along?: Readonly<Record<string, Status>>;
  /** Questions can't be answered meanwhile, and `/ready` says so. Else it says that they can. */
  readonly isUnready?: true;
  readonly begins: (place: Place) => void | Promise<void>;
  readonly ends: (place: Place) => void | Promise<void>;
}

interface Place {
  readonly daemon: TestDaemon;
  readonly tree: Workspace;
  /** The folder in which the daemon finds its git. */
  readonly programs: Workspace;
  readonly context: Cleanup;
}

const atAnyPort = '[http]\nport = 0\n';

/** A configuration that is read on SIGHUP; without more, the one that the daemon began with. */
function configured({ daemon }: Place, more = ''): void {
  daemon.home.configure(more.includes('[http]') ? more : `${more}\n${atAnyPort}`);
  daemon.process.kill('SIGHUP');
}

function misconfigured(check: string, status: Status, toml: string | (() => string)): Row {
  return {
    check,
    status,
    begins: place => configured(place, typeof toml === 'string' ? toml : toml()),
    ends: place => configured(place),
  };
}

function gitProgram(): string {
  return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
}

/** Opens something of ours to everybody, and closes it again. */
function opened(check: string, mode: number, closed: number, pathOf: (place: Place) => string): Row {
  return {
    check,
    // What others write there would count with the next start.
    status: check === 'config' ? 'warn' : 'fail',
    begins: place => chmodSync(pathOf(place), mode),
    ends: place => chmodSync(pathOf(place), closed),
  };
}

const placesOf = ({ daemon }: Place) => daemon.home.places;
const oddName = Buffer.from([0x62, 0xff, 0x2e, 0x74, 0x73]);
const odd = ({ tree }: Place) => Buffer.concat([Buffer.from(`${tree.root}/`), oddName]);
let head = '';
let token = '';
let squatter: Server | undefined;
let beginner: Workspace | undefined;
let lost: Workspace | undefined;

const rows: readonly Row[] = [
  opened('folder.runtime', 0o755, 0o700, place => placesOf(place).runtime),
  opened('folder.state', 0o777, 0o700, place => placesOf(place).state),
  opened('folder.data', 0o777, 0o700, place => placesOf(place).data),
  opened('socket', 0o666, 0o600, ({ daemon }) => daemon.record.socket),
  opened('database.mode', 0o644, 0o600, place => placesOf(place).daemonDb),
  opened('token', 0o644, 0o600, place => placesOf(place).tokenFile),
  {
    check: 'token',
    status: 'fail',
    begins: place => {
      token = readFileSync(placesOf(place).tokenFile, 'utf8');
      rmSync(placesOf(place).tokenFile);
    },
    ends: place => writeFileSync(placesOf(place).tokenFile, token, { mode: 0o600 }),
  },
  misconfigured('token', 'warn', '[auth]\nenabled = false'),
  misconfigured('config', 'fail', 'freshness_minutes = "x"'),
  misconfigured('config.default_repo', 'warn', 'default_repo = "none"'),
  misconfigured('telemetry', 'warn', '[telemetry.services.shop]\nrepo = "none"'),
  opened('config', 0o622, 0o600, place => placesOf(place).configFile),
  {
    check: 'http.listener',
    status: 'warn',
    begins: async place => {
      squatter = createServer().listen(0, 'localhost');
      await once(squatter, 'listening');
      configured(place, `[http]\nhost = "127.0.0.1"\nport = ${(squatter.address() as { port: number }).port}`);
    },
    ends: place => {
      squatter?.close();
      configured(place);
    },
  },
  {
    check: 'git',
    status: 'warn',
    begins: ({ programs }) => programs.remove('git'),
    ends: ({ programs }) => symlinkSync(gitProgram(), programs.path('git')),
  },
  {
    check: 'repository.root',
    status: 'fail',
    along: { watch: 'fail', 'index.freshness': 'warn', history: 'info' },
    begins: ({ tree }) => renameSync(tree.root, `${tree.root}.away`),
    ends: ({ tree }) => renameSync(`${tree.root}.away`, tree.root),
  },
  {
    check: 'repository.ignore-files',
    status: 'warn',
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('.gitignore')),
    ends: ({ tree }) => tree.remove('.gitignore'),
  },
  {
    check: 'ownership.codeowners',
    status: 'warn',
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('CODEOWNERS')),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.codeowners-lines',
    status: 'warn',
    begins: ({ tree }) => tree.write('CODEOWNERS', '* user\n'),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.teams',
    status: 'info',
    begins: ({ tree }) => tree.write('CODEOWNERS', '* @org/team\n'),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.handles',
    status: 'warn',
    begins: ({ tree }) => {
      for (const [name, email] of [
        ['Alice Adams', 'alice@corp-a.com'],
        ['Alice Baker', 'alice@corp-b.org'],
      ]) {
        tree.git('commit', '--allow-empty', '-m', 'a', '--author', `${name} <${email}>`);
      }
      tree.write('CODEOWNERS', '* @alice\n');
    },
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'repository.settings',
    status: 'warn',
    begins: ({ tree }) => tree.write('.svc.toml', '[http]\nport = 80\n'),
    ends: ({ tree }) => tree.remove('.svc.toml'),
  },
  {
    check: 'history.mailmap',
    status: 'warn',
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('.mailmap')),
    ends: ({ tree }) => tree.remove('.mailmap'),
  },
  {
    check: 'history.ignored-revisions',
    status: 'warn',
    begins: ({ tree }) => tree.write('.git-blame-ignore-revs', 'HEAD~1\n'),
    ends: ({ tree }) => tree.remove('.git-blame-ignore-revs'),
  },
  {
    check: 'repository.modules-file',
    status: 'warn',
    begins: ({ tree }) => tree.write('MODULES.toml', '[[module]]\npath = "gone"\nsummary = "It is not there."\n'),
    ends: ({ tree }) => tree.remove('MODULES.toml'),
  },
  {
    check: 'repository.decisions',
    status: 'warn',
    begins: ({ tree }) => {
      for (const name of ['1-a.md', '1-b.md']) tree.write(`docs/adr/${name}`, '# A\n');
    },
    ends: ({ tree }) => tree.remove('docs'),
  },
  {
    check: 'watch.sync',
    status: 'fail',
    begins: place => {
      rmSync(placesOf(place).cookies, { recursive: true });
      writeFileSync(placesOf(place).cookies, '');
    },
    ends: place => rmSync(placesOf(place).cookies),
  },
  {
    check: 'repositories.indexed',
    status: 'warn',
    isUnready: true,
    begins: async ({ daemon, context }) => {
      beginner = gitRepository(context, '-- a.ts --\nexport const a = 1;');
      // What is published waits for git to come to its end.
      beginner.write('.git/index.lock', '');
      await daemon.client.daemon.addRepo({ root: beginner.root, id: 'beginner' });
    },
    ends: () => beginner?.remove('.git/index.lock'),
  },
  {
    check: 'repositories.roots',
    status: 'warn',
    begins: async ({ daemon, context }) => {
      lost = gitRepository(context, '-- a.ts --\nexport const a = 1;');
      await daemon.client.daemon.addRepo({ root: lost.root, id: 'lost' });
      await ready(daemon);
      renameSync(lost.root, `${lost.root}.away`);
    },
    ends: async ({ daemon }) => {
      await daemon.client.daemon.removeRepo({ id: 'lost' });
      renameSync(`${lost!.root}.away`, lost!.root);
    },
  },
  {
    check: 'quarantine',
    status: 'warn',
    begins: place => {
      const folder = join(dirname(placesOf(place).daemonDb), 'quarantine');
      mkdirSync(folder);
      writeFileSync(join(folder, 'daemon.db.2026-01-01'), '');
    },
    ends: place => rmSync(join(dirname(placesOf(place).daemonDb), 'quarantine'), { recursive: true }),
  },
  {
    check: 'history',
    status: 'warn',
    begins: ({ tree }) => {
      head = tree.git('rev-parse', 'HEAD');
      tree.write('.git/refs/heads/main', `${'1'.repeat(40)}\n`);
    },
    ends: ({ tree }) => tree.write('.git/refs/heads/main', `${head}\n`),
  },
  {
    check: 'index.skipped',
    status: 'warn',
    begins: async place => {
      writeFileSync(odd(place), 'export const odd = 1;\n');
      await place.daemon.client.indexing.index({ repo: 'app', force: true });
    },
    ends: async place => {
      rmSync(odd(place));
      await place.daemon.client.indexing.index({ repo: 'app', force: true });
    },
  },
];

/** Checks whose fault takes a machine of its own, or more than one life of a daemon: which test shows it. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'daemon.crashes': 'daemon/server/last-end.test.ts',
  'disk-space': 'fault/full-disk.ts',
  descriptors: 'fault/watching-doctor.test.ts',
  log: 'fault/full-disk.ts',
  database: 'daemon/operations/restart.test.ts',
  'database.storage': 'fault/full-disk.ts',
  inputs: 'fault/deadly-input.test.ts',
  'repository.file-system': 'fault/watching-doctor.test.ts',
  watch: 'fault/watching-doctor.test.ts',
  'index.freshness': 'fault/watching-doctor.test.ts',
  'index.integrity': 'fault/doctor-checks.test.ts',
  'index.storage': 'fault/full-disk.ts',
  'index.verification': 'fault/damage.test.ts',
  'index.failed': 'fault/deadly-input.test.ts',
  'index.partial': 'daemon/server/unlisted.test.ts',
  'indexer.scip-go': 'daemon/server/indexer-troubles.test.ts',
  'repositories.hosted': 'daemon/server/hosted.test.ts',
  mirrors: 'daemon/operations/remote.test.ts',
  federations: 'daemon/operations/federation.test.ts',
};
/** Faults that nobody can be told of for long: the daemon leaves, does not begin, mends them at once, or is too busy. */
const fleeting = ['daemon.lock', 'file-system', 'daemon.json', 'event-loop'];
/** What is no fault. */
const told = [
  'daemon.version',
  'limits',
  'jobs',
  'language-servers',
  'repository.trust',
  'tier.fast',
  'tier.standard',
  'tier.full',
];

async function statuses({ client }: TestDaemon): Promise<ReadonlyMap<string, Status>> {
  const { checks } = await client.system.doctor({ repo: 'app' });
  return new Map(checks.map(({ name, status }) => [name, status]));
}

/** Those that differ, with what they say now. How far the comparison of rows has come is no fault, and the machine's load none of ours. */
function changed(
  before: ReadonlyMap<string, Status>,
  now: ReadonlyMap<string, Status>,
): Record<string, Status | undefined> {
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const differing = names.filter(name => (before.get(name) ?? 'pass') !== (now.get(name) ?? 'pass'));
  const ours = differing.filter(name => !['index.verification', 'event-loop', 'disk-space'].includes(name));
  return Object.fromEntries(ours.map(name => [name, now.get(name)]));
}

async function settles(
  what: string,
  before: ReadonlyMap<string, Status>,
  daemon: TestDaemon,
  expected: Readonly<Record<string, Status>>,
): Promise<void> {
  let now: Record<string, Status | undefined> = {};
  const isReached = async (): Promise<boolean> => {
    now = changed(before, await statuses(daemon));
    return isDeepStrictEqual(now, expected);
  };
  await until(what, isReached).catch(() => assert.deepEqual(now, expected, what));
}

async function isReady({ client }: TestDaemon): Promise<boolean> {
  return client.system.ready({}).then(
    () => true,
    () => false,
  );
}

test('each fault turns one check red and no other, its end turns it green, and readiness agrees', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const programs = temporaryFolder(t);
  symlinkSync(gitProgram(), programs.path('git'));
  const home = temporaryHome(t, { PATH: programs.root, SVC_HTTP_PORT: undefined });
  home.configure(atAnyPort);
  const place = { daemon: await startDaemon(t, home), tree, programs, context: t };
  const { daemon } = place;
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await daemon.client.telemetry.ingestCalls({
    body: JSON.stringify({ calls: [{ service_name: 'app', function_name: 'a', call_count: 1 }] }),
    repo: 'app',
  });
  await ready(daemon);
  await until('it is watched, every change is in, and HTTP listens', async () => {
    const now = await statuses(daemon);
    const { http } = await daemon.client.daemon.status({});
    return now.get('watch') === 'pass' && now.get('index.freshness') === 'pass' && http !== null;
  });
  const well = await statuses(daemon);
  const known = new Set([...rows.map(({ check }) => check), ...Object.keys(shownElsewhere), ...fleeting, ...told]);
  assert.deepEqual(
    [...well.keys()].filter(check => !known.has(check.replace(/^indexer\..*/, 'indexer.scip-go'))),
    [],
    'each check has a fault that is shown',
  );
  for (const { check, status, along = {}, isUnready = false, begins, ends } of rows) {
    assert.equal(well.get(check) ?? 'pass', 'pass', check);
    await begins(place);
    await settles(`${check} alone`, well, daemon, { [check]: status, ...along });
    assert.equal(await isReady(daemon), !isUnready, `ready, ${check}`);
    await ends(place);
    await settles(`nothing is left of ${check}`, well, daemon, {});
    assert.equal(await isReady(daemon), true, `ready after ${check}`);
  }
});

test('what the table leaves to other tests is there', () => {
  for (const [check, file] of Object.entries(shownElsewhere)) {
    assert.ok(readFileSync(join(packageRoot, 'test', file), 'utf8').includes(`'${check}'`), `${check} in ${file}`);
  }
});

test('an index that a newer program wrote is told, left alone, and answers again for whom it was written', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const first = await startDaemon(t);
  await first.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(first);
  const { indexPath } = (await first.client.indexing.index({ force: true })) as { indexPath: string };
  assert.equal(await first.stop(), 0);
  const found = versionOf(indexPath, 9999);
  const second = await startDaemon(t, first.home);
  const looked = ['index.integrity', 'repositories.indexed', 'quarantine'];
  const seen = async (daemon: TestDaemon) => {
    const now = await statuses(daemon);
    return [...looked.map(check => now.get(check)), await isReady(daemon)];
  };
  await until('it is told', async () => isDeepStrictEqual(await seen(second), ['fail', 'fail', 'pass', false]));
  assert.equal(await second.stop(), 0);
  assert.equal(versionOf(indexPath, found), 9999, 'nobody has written');
  const third = await startDaemon(t, first.home);
  await until('all is well', async () => isDeepStrictEqual(await seen(third), ['pass', 'pass', 'pass', true]));
});

/** Sets the version of an index file's schema, as another program would; gives the one that was there. */
function versionOf(indexFile: string, version: number): number {
  // It would tell at once that the file was touched.
  rmSync(`${indexFile}.seal`, { force: true });
  const database = new Database(indexFile);
  const before = database.pragma('user_version', { simple: true }) as number;
  database.pragma(`user_version = ${version}`);
  database.close();
  return before;
}

test('a port that another program had is taken when it is free', async t => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as { port: number };
  const home = temporaryHome(t, { SVC_HTTP_PORT: String(port), SVC_HTTP_HOST: '127.0.0.1' });
  const { client } = await startDaemon(t, home);
  const status = async () =>
    (await client.system.doctor({})).checks.find(({ name }) => name === 'http.listener')?.status;
  await until('doctor names it', async () => (await status()) === 'warn');
  squatter.close();
  await until('it listens', async () => (await status()) === 'pass');
  assert.equal((await client.daemon.status({})).http?.port, port);
});
