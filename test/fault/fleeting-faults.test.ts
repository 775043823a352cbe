import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { placesOf } from '../../client/paths.ts';
import { loadConfig } from '../../daemon/config.ts';
import { daemonChecks } from '../../daemon/operations/doctor/daemon.ts';
import { runningCheck } from '../../daemon/operations/doctor/indexer-checks.ts';
import type { Installation } from '../../daemon/operations/doctor/installation.ts';
import { descriptorsCheck, withShortage } from '../../daemon/operations/doctor/surroundings.ts';
import type { Finding } from '../../daemon/operations/finding.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

/** A daemon with nothing amiss, as its doctor sees it. */
function sound(t: Cleanup) {
  const { root } = temporaryFolder(t);
  const places = placesOf({ env: { SVC_HOME: root }, uid: process.getuid?.() ?? 0, home: root, temporary: root });
  for (const folder of [places.runtime, places.state, places.data, places.config]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const socket = `${places.runtime}/socket`;
  for (const file of [socket, places.daemonFile, places.daemonDb, places.tokenFile]) {
    writeFileSync(file, '', { mode: 0o600 });
  }
  const config = loadConfig({ file: places.configFile, environment: {} });
  const installation = {
    ...{ places, version: '0', socketPath: () => socket, config: () => config, fileState: () => ({}) },
    ...{
      fileSystemType: () => undefined,
      holdsLock: () => true,
      isLockWhole: () => true,
      isTokenIn: () => true,
      loopDelayMs: () => 1,
      recentDeaths: () => 0,
    },
    ...{ lastEnd: undefined, isCopyFailing: () => false, lspHealth: async () => [] },
    repositories: { get: () => undefined, list: () => [] },
    listeners: { own: () => undefined, failure: () => undefined },
    indexServers: { troubles: () => [] },
    git: async () => ({ available: true, latencyMs: 1 }),
    log: { status: () => ({ file: places.logFile, bytes: 0, droppedLines: 0, error: undefined, isNamed: true }) },
    database: {
      ...{ origin: 'opened', quarantined: () => [], jobs: () => ({ jobs: [] }) },
      ...{ writeTrouble: () => undefined, remote: () => undefined, keys: () => [], readHeads: () => {} },
    },
    federations: { list: () => [], states: async () => [] },
    telemetry: { isEnabled: false },
  } as unknown as Installation;
  return { installation, socket };
}

const now = new Date('2026-06-01T12:00:00Z');
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000);

async function statuses(installation: Installation): Promise<ReadonlyMap<string, Finding>> {
  const found = await daemonChecks(installation, undefined, now);
  return new Map(found.map(finding => [finding.check, finding]));
}

interface Row {
  readonly check: string;
  readonly status: Finding['status'];
  readonly fault: string;
  /** What its message says is to be done, where no command does it. */
  readonly remedy?: RegExp;
  /** What is otherwise then; or what is done to a file, and undone. */
  readonly as?: object;
  readonly begins?: (installation: Installation, socket: string) => void;
  readonly ends?: (installation: Installation, socket: string) => void;
}

const published = (at: Date) => ({
  record: { id: 'app', root: '' },
  registered: {},
  snapshot: { publishedAt: at.getTime() },
});
const noLog = { file: import.meta.dirname, bytes: 0, droppedLines: 1, error: 'it is not a file', isNamed: true };
const killed = (at: Date) => ({ pid: 1, startedAt: at, seenAt: at });

const rows: readonly Row[] = [
  { check: 'daemon.lock', status: 'fail', fault: 'replaced', as: { holdsLock: () => false } },
  { check: 'daemon.lock', status: 'fail', fault: 'damaged', as: { isLockWhole: () => false } },
  { check: 'token', status: 'fail', fault: 'another in its place', as: { isTokenIn: () => false } },
  { check: 'log', status: 'warn', fault: 'a folder in its place', as: { log: { status: () => noLog } } },
  { check: 'file-system', status: 'fail', fault: 'NFS', remedy: /set SVC_HOME/, as: { fileSystemType: () => 0x6969 } },
  {
    check: 'file-system',
    status: 'fail',
    fault: 'FUSE',
    remedy: /set SVC_HOME/,
    as: { fileSystemType: () => 0x65735546 },
  },
  { check: 'event-loop', status: 'warn', fault: 'held up', as: { loopDelayMs: () => 900 } },
  { check: 'database.copy', status: 'warn', fault: 'none can be made', as: { isCopyFailing: () => true } },
  {
    ...{ check: 'clock', status: 'warn', fault: 'behind what was published' },
    as: { repositories: { get: () => undefined, list: () => [published(minutes(-90)), published(minutes(90))] } },
  },
  {
    ...{ check: 'daemon.json', status: 'fail', fault: 'open to others' },
    begins: ({ places }) => chmodSync(places.daemonFile, 0o644),
    ends: ({ places }) => chmodSync(places.daemonFile, 0o600),
  },
  {
    ...{ check: 'daemon.json', status: 'fail', fault: 'gone' },
    begins: ({ places }) => rmSync(places.daemonFile),
    ends: ({ places }) => writeFileSync(places.daemonFile, '', { mode: 0o600 }),
  },
  {
    ...{ check: 'socket', status: 'fail', fault: 'gone' },
    begins: (_, socket) => rmSync(socket),
    ends: (_, socket) => writeFileSync(socket, '', { mode: 0o600 }),
  },
];

for (const { check, status, fault, remedy, as = {}, begins, ends } of rows) {
  test(`what no daemon lives long enough to tell turns its check red and green again: ${check}, ${fault} (P54)`, async t => {
    const { installation, socket } = sound(t);
    const well = await statuses(installation);
    assert.equal(well.get(check)?.status, 'pass', well.get(check)?.message);
    begins?.(installation, socket);
    const ill = await statuses({ ...installation, ...as });
    const changed = [...ill.values()].filter(one => well.get(one.check)?.status !== one.status);
    assert.deepEqual(
      changed.map(one => [one.check, one.status]),
      [[check, status]],
    );
    if (remedy === undefined) assert.ok((changed[0]?.fixes ?? []).length > 0, 'it has a remedy');
    else assert.match(changed[0]!.message, remedy);
    ends?.(installation, socket);
    assert.equal((await statuses(installation)).get(check)?.status, 'pass');
  });
}

test('a clock that stands behind the end of the last daemon is told as well, one that is a little off is not (P54)', async t => {
  const { installation } = sound(t);
  const clockAt = async (at: Date) => {
    const lastEnd = killed(at);
    return (await statuses({ ...installation, lastEnd })).get('clock')?.status;
  };
  assert.deepEqual(await Promise.all([6, 4, -1000].map(ahead => clockAt(minutes(ahead)))), ['warn', 'pass', 'pass']);
});

test('indexers that change the tree are told while they do, with the way to turn them off (P54)', () => {
  assert.deepEqual(runningCheck(undefined), []);
  const [told] = runningCheck('they change it');
  assert.deepEqual([told?.check, told?.status, told?.fixes?.length], ['indexers', 'warn', 1]);
});

test('what can’t be looked at for want of descriptors is no fault of its own: one check has the fault and the remedy (P54)', async t => {
  const { installation } = sound(t);
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const short = (): never => {
    throw cause;
  };
  const log = { file: import.meta.dirname, bytes: 0, droppedLines: 1, error: 'EMFILE', isNamed: true };
  const found = await statuses({
    ...installation,
    ...{ isTokenIn: short, fileState: short, lspHealth: short, log: { ...installation.log, status: () => log } },
    git: async () => ({ available: false, reason: 'failed', cause }),
  });
  const told = [...found.values()].filter(({ status }) => status !== 'pass');
  const unseen = told.filter(({ message }) => message.startsWith('can’t be looked at: no more files may be open'));
  assert.deepEqual(
    unseen.map(({ check, status, fixes }) => [check, status, fixes]),
    ['token', 'config', 'log', 'git', 'language-servers'].map(check => [check, 'info', undefined]),
  );
  const red = withShortage([...found.values()]).filter(({ status }) => status === 'warn' || status === 'fail');
  assert.deepEqual(
    red.map(({ check, status }) => [check, status]),
    [['descriptors', 'fail']],
  );
});

test('descriptors are told before there are none, and where nobody can count them (P54)', () => {
  const found = [10, 80, 100].map(open => ({ open, most: 100, hard: 100 }));
  assert.deepEqual(
    [undefined, ...found, 'none left' as const].map(one => descriptorsCheck(one).status),
    ['pass', 'pass', 'warn', 'fail', 'fail'],
  );
  // Nobody but root raises a hard limit by a command.
  const [hard, soft] = [100, 4096].map(limit => descriptorsCheck({ open: 80, most: 100, hard: limit }));
  assert.match(hard!.message, /^80 of 100 files are open, .*limits\.conf .*LimitNOFILE .*--ulimit nofile=/);
  assert.match(soft!.message, /^80 of 100 files are open, .*; up to 4096 may be, once it is started anew$/);
});
