import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ready } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, type Workspace } from '../support/repository.ts';

type Status = 'pass' | 'info' | 'warn' | 'fail';

/** A fault, the one check that tells of it, and how both go away. */
interface Row {
  readonly check: string;
  readonly status: Status;
  readonly begins: (place: Place) => void | Promise<void>;
  readonly ends: (place: Place) => void | Promise<void>;
}

interface Place {
  readonly daemon: TestDaemon;
  readonly tree: Workspace;
}

/** Opens something of ours to everybody, and closes it again. */
function opened(check: string, mode: number, closed: number, pathOf: (place: Place) => string): Row {
  return {
    check,
    status: 'fail',
    begins: place => chmodSync(pathOf(place), mode),
    ends: place => chmodSync(pathOf(place), closed),
  };
}

const placesOf = ({ daemon }: Place) => daemon.home.places;
const oddName = Buffer.from([0x62, 0xff, 0x2e, 0x74, 0x73]);
const odd = ({ tree }: Place) => Buffer.concat([Buffer.from(`${tree.root}/`), oddName]);
let token = '';

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
  {
    check: 'config',
    status: 'fail',
    begins: ({ daemon }) => daemon.home.configure('freshness_minutes = "x"\n'),
    ends: place => rmSync(placesOf(place).configFile),
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

async function statuses({ client }: TestDaemon): Promise<ReadonlyMap<string, Status>> {
  const { checks } = await client.system.doctor({ repo: 'app' });
  return new Map(checks.map(({ name, status }) => [name, status]));
}

/** Those that differ, with what they say now. How far the comparison of rows has come is no fault, and the machine's load none of ours. */
function changed(
  before: ReadonlyMap<string, Status>,
  now: ReadonlyMap<string, Status>,
): Record<string, Status | undefined> {
  const names = [...before.keys()].filter(name => before.get(name) !== now.get(name));
  const ours = names.filter(name => name !== 'index.verification' && name !== 'event-loop' && name !== 'disk-space');
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

test('each fault turns one check red and no other, and its end turns it green', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const daemon = await startDaemon(t);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await until('it is watched, and every change is in', async () => {
    const now = await statuses(daemon);
    return now.get('watch') === 'pass' && now.get('index.freshness') === 'pass';
  });
  const place = { daemon, tree };
  const well = await statuses(daemon);
  for (const { check, status, begins, ends } of rows) {
    assert.equal(well.get(check), 'pass', check);
    await begins(place);
    await settles(`${check} alone`, well, daemon, { [check]: status });
    await ends(place);
    await settles(`nothing is left of ${check}`, well, daemon, {});
  }
});

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
  await until('it listens', async () => (await status()) === 'pass', 30_000);
  assert.equal((await client.daemon.status({})).http?.port, port);
});
