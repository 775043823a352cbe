import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isAlive, longestSocketPath, type Places, placesOf, prepareFolders } from '../../../client/paths.ts';
import { socketCaller } from '../../../client/socket.ts';
import { writeRecord } from '../../client/peer.ts';
import { freeze } from '../../fault/frozen.ts';
import { standIn } from '../../fault/orders.ts';
import { patienceMs, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';

const uid = process.getuid!();
const daemonIn = fileURLToPath(new URL('../../support/daemon-in.js', import.meta.url));
const long = 'r'.repeat(150);

interface Given {
  readonly what: string;
  readonly given: (folder: string) => string | undefined;
  /** Where the runtime folder and the socket's come to lie; `short`: in one that the runtime folder's hash names. */
  readonly runtime: string;
  readonly socket: 'there' | 'short';
}
const table: readonly Given[] = [
  { what: 'unset', given: () => undefined, runtime: `tmp/svc-${uid}`, socket: 'there' },
  { what: 'relative', given: () => 'run', runtime: `tmp/svc-${uid}`, socket: 'there' },
  { what: 'absent', given: folder => join(folder, 'none'), runtime: `tmp/svc-${uid}`, socket: 'there' },
  {
    what: 'read-only',
    given(folder) {
      mkdirSync(join(folder, 'fixed'), { mode: 0o555 });
      return join(folder, 'fixed');
    },
    // Root may write all the same.
    runtime: uid === 0 ? 'fixed/svc' : `tmp/svc-${uid}`,
    socket: 'there',
  },
  {
    what: '150 bytes long',
    given(folder) {
      mkdirSync(join(folder, long), { mode: 0o700 });
      return join(folder, long);
    },
    runtime: `${long}/svc`,
    socket: 'short',
  },
];
for (const { what, given, runtime, socket } of table) {
  test(`a daemon is started and found where XDG_RUNTIME_DIR is ${what}, and nothing of it is open (P4)`, async t => {
    const folder = temporaryFolder(t).root;
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary, { mode: 0o1777 });
    chmodSync(temporary, 0o1777);
    const { SVC_HOME: _, ...around } = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', HOME: folder }).env;
    const env = { ...around, XDG_RUNTIME_DIR: given(folder) };
    const places = placesOf({ env, uid, home: folder, temporary });
    assert.equal(places.runtime, join(folder, runtime));
    const before = process.umask(0);
    const caller = socketCaller({
      places,
      env,
      client: 'test',
      version: '0.1.0',
      start: { kind: 'command', argv: [process.execPath, daemonIn, temporary] },
      isRepeatable: () => true,
    });
    let pid: number | undefined;
    try {
      const status = await caller.call('daemon.status', {});
      const { socketPath } = status;
      pid = status.pid;
      assert.ok(Buffer.byteLength(socketPath) <= longestSocketPath, socketPath);
      if (socket === 'there') assert.equal(dirname(socketPath), places.runtime);
      else assert.match(socketPath, new RegExp(`^${temporary}/svc-${uid}-[0-9a-f]{16}/svc-${pid}-[0-9a-f]+\\.sock$`));
      assertClosed([places.state, places.data, places.runtime, dirname(socketPath)]);
    } finally {
      process.umask(before);
      await caller.close();
      if (pid !== undefined) await killed(pid);
    }
  });
}

/** Nobody writes into its folders after that. */
async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until('it is gone', () => !isAlive(pid));
}

function assertClosed(folders: readonly string[]): void {
  for (const folder of folders) {
    assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stats !== undefined) assert.equal(stats.mode & 0o077, 0, join(folder, name));
    }
  }
}

test('a runtime folder of another user’s is refused with 77 by daemon and command; its socket hears nothing (P4, P5)', async t => {
  const owners = uid === 0 ? ['changed', 'pretended'] : ['pretended'];
  for (const owner of owners) {
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
    const { runtime } = home.places;
    prepareFolders(home.places);
    let heard = '';
    const socket = join(runtime, 'squat.sock');
    const squatter = createServer(client => void client.on('data', chunk => (heard += chunk)));
    t.after(() => squatter.close());
    await new Promise<void>(resolve => squatter.listen(socket, resolve));
    chmodSync(socket, 0o600);
    writeRecord(home.places, { socket });
    if (owner === 'changed') chownSync(runtime, 65_534, 65_534);
    else Object.assign(home.env, standIn(t, { foreign: runtime }).env);
    for (const line of ['health', 'daemon stop', 'daemon run']) {
      const { code, stderr } = await svc(home, line.split(' '));
      assert.equal(code, 77, `${line}: ${stderr}`);
      assert.match(stderr, /runtime belongs to user \d+, not to you \(\d+\); remove it, or set SVC_HOME elsewhere/);
    }
    assert.equal(heard, '');
    if (owner === 'changed') chownSync(runtime, 0, 0);
  }
});

const opened: readonly { readonly what: string; readonly open: (places: Places, socket: string) => void }[] = [
  { what: 'the socket', open: (_, socket) => chmodSync(socket, 0o666) },
  { what: 'the runtime folder', open: ({ runtime }) => chmodSync(runtime, 0o755) },
  { what: 'daemon.json', open: ({ daemonFile }) => chmodSync(daemonFile, 0o644) },
];
for (const { what, open } of opened) {
  test(`a command says nothing to a daemon while ${what} is open to others, and tells the fix (P5)`, async t => {
    const { home, record } = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false' }));
    // Else it would mend what it can within a second.
    const thaw = await freeze(t, record.pid);
    open(home.places, record.socket);
    const { code, stderr } = await svc(home, ['health']);
    thaw();
    assert.equal(code, 77, stderr);
    assert.match(stderr, /open to other users \(mode \d+\); close it: chmod [67]00 /);
  });
}

test('what is damaged of that which is made anew ends the start, and the command that is told is all that it takes', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const { lockFile, tokenFile, daemonFile, logFile } = home.places;
  prepareFolders(home.places);
  const damaged: readonly (readonly [string, number, RegExp, () => void])[] = [
    ['status', 78, /: rm \S+lock\.db$/m, () => writeFileSync(lockFile, 'garbage\n')],
    ['status', 78, /: rm \S+lock\.db$/m, () => symlinkSync('lock.db', lockFile)],
    ['daemon run', 78, /: rm -r \S+lock\.db$/m, () => mkdirSync(lockFile)],
    ['status', 78, /: rm \S+token$/m, () => writeFileSync(tokenFile, Buffer.alloc(64), { mode: 0o600 })],
    ['daemon run', 77, /: rm -r \S+token$/m, () => mkdirSync(tokenFile)],
    ['status', 77, /: rm -r \S+daemon\.json$/m, () => mkdirSync(daemonFile)],
  ];
  for (const [line, exit, remedy, damage] of damaged) {
    damage();
    const { code, stderr } = await svc(home, line.split(' '));
    assert.equal(code, exit, stderr);
    const command = remedy.exec(stderr)?.[0].slice(2);
    assert.ok(command !== undefined, stderr);
    execFileSync('sh', ['-c', command]);
  }
  const { stop } = await startDaemon(t, home);
  writeFileSync(tokenFile, 'not the token\n');
  const shown = await svc(home, ['daemon', 'token']);
  assert.deepEqual([shown.code, shown.stdout], [78, ''], 'nobody is told what no daemon asks for');
  assert.match(shown.stderr, /holds no token; .*: rm \S+token$/m);
  assert.equal(await stop(), 0);
  rmSync(logFile);
  execFileSync('mkfifo', [logFile]);
  const logs = await svc(home, ['daemon', 'logs']);
  assert.equal(logs.code, 78, logs.stderr);
  assert.match(logs.stderr, /svc\.log is not a file; .*: rm \S+svc\.log$/m);
});

const moduleOf = (path: string): string => new URL(`../../../daemon/${path}.js`, import.meta.url).href;

test('no pipe in the place of a file of ours holds up whoever opens it', t => {
  const folder = temporaryFolder(t);
  mkdirSync(folder.path('in-flight'));
  folder.write('index.db.seal', 'of another');
  for (const name of ['in-flight/in-flight', 'index.db', 'other.db.seal', 'daemon.db.withdrawn']) {
    execFileSync('mkfifo', [folder.path(name)]);
  }
  const script = `
    import { openInFlightNote, takeInFlight } from '${moduleOf('jobs/in-flight')}';
    import { isSealed, isSound } from '${moduleOf('store/seal')}';
    import { withdraw } from '${moduleOf('store/withdrawn-keys')}';
    const told = [takeInFlight('in-flight').length, isSound('index.db'), isSealed('other.db')];
    openInFlightNote('in-flight').begin(0, []);
    try {
      withdraw('daemon.db', new Uint8Array(32));
    } catch ({ trouble }) {
      told.push(trouble);
    }
    console.log(JSON.stringify(told));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder.root,
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  assert.equal(String(stdout), '[0,false,false,"unreadable"]\n', String(stderr));
});
