import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { prepareFolders, readDaemonRecord } from '../../client/paths.ts';
import { callerIn, type Home, patienceMs, startDaemon, svcProgram, temporaryHome } from '../support/daemon.ts';
import { callerTo, fault } from './caller-to.ts';
import { temporaryHome as peerHome, placesIn } from './peer.ts';

/** What the kernel tells of a daemon that a client started. */
async function started(context: TestContext, home: Home) {
  const caller = callerIn(home, 'may-start');
  context.after(() => caller.close());
  await caller.call('system.health', {});
  const { pid } = readDaemonRecord(home.places)!;
  const told = (what: string) => readFileSync(`/proc/${pid}/${what}`, 'utf8');
  return { environment: told('environ').split('\0'), limits: told('limits'), coreFilter: told('coredump_filter') };
}

const isLinux = process.platform === 'linux';

test('a daemon that a client starts shares one malloc arena, unless the user says otherwise', {
  skip: !isLinux,
}, async context => {
  const { environment } = await started(context, temporaryHome(context));
  assert.ok(environment.includes('MALLOC_ARENA_MAX=1'));
  const chosen = await started(context, temporaryHome(context, { MALLOC_ARENA_MAX: '7' }));
  assert.deepEqual(
    chosen.environment.filter(line => line.startsWith('MALLOC_ARENA_MAX')),
    ['MALLOC_ARENA_MAX=7'],
  );
});

test('a daemon that a client starts leaves no core file; whoever starts it, a core would hold no memory', {
  skip: !isLinux,
}, async context => {
  const { limits, coreFilter } = await started(context, temporaryHome(context));
  assert.match(limits, /^Max core file size +0 +0 /m);
  assert.match(coreFilter, /^0+\n$/);
  const { record } = await startDaemon(context);
  assert.match(readFileSync(`/proc/${record.pid}/coredump_filter`, 'utf8'), /^0+\n$/);
});

test('a start lock whose holder died before it wrote its number holds nobody up', async context => {
  const home = temporaryHome(context);
  prepareFolders(home.places);
  const { startLockFile } = home.places;
  writeFileSync(startLockFile, '');
  await started(context, home);
  assert.equal(existsSync(startLockFile), false);
});

test('what keeps a daemon from starting is told, not what it stumbled over', { skip: !isLinux }, context => {
  const home = temporaryHome(context);
  const few = spawnSync('sh', ['-c', 'ulimit -n 24; exec "$0" "$@"', process.execPath, svcProgram, 'status'], {
    env: home.env,
  });
  assert.match(String(few.stderr), /did not start: only 24 files may be open at once \(ulimit -n\), and it needs 80$/m);
  assert.equal(few.status, 3);
});

const canBeNobody = spawnSync('unshare', ['-U', '--map-user=4242', 'true']).status === 0;

test('a user who is a number without an account has a daemon, without HOME too', {
  skip: !canBeNobody && 'a number of one’s own needs a namespace',
}, context => {
  const home = temporaryHome(context);
  const svc = (script: string) =>
    spawnSync('unshare', ['-U', '--map-user=4242', 'sh', '-c', script, process.execPath, svcProgram], {
      env: { ...home.env, HOME: undefined },
      encoding: 'utf8',
    });
  const { status, stderr } = svc(
    '"$0" "$1" daemon start && "$0" "$1" doctor --json >"$SVC_HOME/told" && "$0" "$1" daemon stop',
  );
  assert.deepEqual([status, stderr], [0, '']);
  const { issues } = JSON.parse(readFileSync(join(home.path, 'told'), 'utf8'));
  assert.deepEqual(
    issues.map(({ check }: { check: string }) => check),
    ['repository.registered'],
  );
});

test('a daemon that can’t start ends a command with 3, and the log that is named is there', context => {
  const home = temporaryHome(context);
  prepareFolders(home.places);
  mkdirSync(home.places.daemonDb);
  const { status, stderr } = spawnSync(process.execPath, [svcProgram, 'status'], { env: home.env, encoding: 'utf8' });
  const [cause, log] = stderr.split('\n');
  assert.match(cause!, /^svc: The daemon did not start: \S*daemon\.db can't be used now: /);
  assert.equal(status, 3);
  assert.match(readFileSync(/^Its log: (.*)$/.exec(log!)![1]!, 'utf8'), /^svc: \S*daemon\.db can't be used now: /m);
});

test('what stands in the place of start.log, or of the start lock, holds no start up, and is named with its remedy', context => {
  const home = temporaryHome(context);
  prepareFolders(home.places);
  const errors = join(home.places.state, 'start.log');
  const precious = join(home.path, 'precious');
  writeFileSync(precious, 'kept');
  const things: readonly (readonly [string, () => void])[] = [
    ['rm', () => execFileSync('mkfifo', [errors])],
    ['rm -r', () => mkdirSync(errors)],
    ['rm', () => symlinkSync(precious, errors)],
  ];
  execFileSync('mkfifo', [home.places.startLockFile]);
  for (const [remedy, make] of things) {
    make();
    const { status, stderr } = spawnSync(process.execPath, [svcProgram, 'status'], {
      env: home.env,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    assert.deepEqual(
      [status, String(stderr).split('\n')[0]],
      [78, `svc: ${errors} is not a file; remove it, and it is made anew: ${remedy} ${errors}`],
    );
    rmSync(errors, { recursive: true });
  }
  assert.equal(readFileSync(precious, 'utf8'), 'kept');
});

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a folder of ours that takes no writing is named', {
  skip: !canMount && 'mounting needs namespaces of our own',
}, context => {
  for (const place of ['state', 'data', 'runtime'] as const) {
    const home = temporaryHome(context);
    prepareFolders(home.places);
    const folder = home.places[place];
    const script = `mount -t tmpfs -o ro,mode=700 none '${folder}'; exec "$0" "$@"`;
    const answer = spawnSync('unshare', ['-Urm', 'sh', '-c', script, process.execPath, svcProgram, 'status'], {
      env: home.env,
    });
    assert.equal(String(answer.stderr), `svc: ${folder} can't be written (EROFS); make it writable, or set SVC_HOME\n`);
    assert.equal(answer.status, 77);
  }
});

test('of many clients that find no daemon one starts it, and all are answered (P1)', async t => {
  const home = peerHome(t);
  const places = placesIn(home);
  const log = join(home, 'starts');
  writeFileSync(log, '');
  const argv = [process.execPath, join(import.meta.dirname, 'small-daemon.js'), home, log];
  const callers = Array.from({ length: 8 }, () => callerTo(t, places, { start: { kind: 'command', argv } }));
  const answers = await Promise.all(callers.map(caller => caller.call('system.health', {})));
  const [pid, ...others] = readFileSync(log, 'utf8').trim().split('\n');
  t.after(() => process.kill(Number(pid)));
  assert.deepEqual(others, [], 'one start');
  assert.ok(answers.every(({ status }) => status === pid));
  assert.ok(!existsSync(places.startLockFile));
});

test('a daemon that gives up is reported with its words and the place of its log', async t => {
  const places = placesIn(peerHome(t));
  const script = 'console.error("config.toml: http.port is no number"); process.exit(78)';
  const argv = [process.execPath, '-e', script];
  await assert.rejects(
    callerTo(t, places, { start: { kind: 'command', argv } }).call('system.health', {}),
    fault('misconfigured', /http\.port is no number\nIts log: .*start\.log/),
  );
  assert.ok(!existsSync(places.startLockFile), 'the lock is given back');
});

test('a start that finds another daemon leading, which then leaves, or that somebody kills, is made again', async t => {
  for (const ending of ['exit 0', 'kill -9 $$']) {
    const home = peerHome(t);
    const places = placesIn(home);
    const log = join(home, 'starts');
    const second = join(home, 'second');
    writeFileSync(log, '');
    const daemon = `${process.execPath} ${join(import.meta.dirname, 'small-daemon.js')} ${home} ${log}`;
    const script = `test -e ${second} && exec ${daemon}; touch ${second}; ${ending}`;
    const start = { kind: 'command', argv: ['sh', '-c', script] } as const;
    const { status } = await callerTo(t, places, { start }).call('system.health', {});
    process.kill(Number(status));
    assert.equal(readFileSync(log, 'utf8'), `${status}\n`, ending);
  }
});

test('a start lock whose holder died is taken over', async t => {
  const places = placesIn(peerHome(t));
  // No process has this number: Linux ends at 2^22.
  writeFileSync(places.startLockFile, '99999999');
  const argv = [process.execPath, '-e', 'process.exit(3)'];
  await assert.rejects(
    callerTo(t, places, { start: { kind: 'command', argv } }).call('system.health', {}),
    fault('unreachable', /ended with code 3/),
  );
});
