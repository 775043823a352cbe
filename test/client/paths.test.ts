import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertPrivateFile,
  longestSocketPath,
  operand,
  placesOf,
  prepareFolders,
  prepareRuntime,
  quote,
  readDaemonRecord,
  type Surroundings,
  socketPath,
} from '../../client/paths.ts';
import { Fault, type FaultReason } from '../../client/protocol/faults.ts';
import { placesIn, temporaryHome, writeRecord } from './peer.ts';

const uid = process.getuid!();

function around(home: string, env: Surroundings['env'], changes: Partial<Surroundings> = {}): Surroundings {
  return { env, uid, home, temporary: home, ...changes };
}

function unsafe(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.reason, 'unsafeOwner');
    assert.equal(error.row.exit, 77);
    assert.match(error.message, pattern);
    return true;
  };
}

test('folders follow XDG, SVC_HOME puts all four under one, relative ones are ignored', t => {
  const home = temporaryHome(t);
  mkdirSync(join(home, 'run'));
  const long = join(home, 'r'.repeat(150));
  mkdirSync(long);
  const of = (env: Surroundings['env']) => {
    const { config, data, state, runtime } = placesOf(around(home, env));
    return [config, data, state, runtime].map(path => path.replace(home, '~'));
  };
  const usual = ['~/.config/svc', '~/.local/share/svc', '~/.local/state/svc'];
  const table: readonly (readonly [Surroundings['env'], readonly string[]])[] = [
    [{}, [...usual, `~/svc-${uid}`]],
    [{ XDG_RUNTIME_DIR: join(home, 'run') }, [...usual, '~/run/svc']],
    [{ XDG_RUNTIME_DIR: 'run' }, [...usual, `~/svc-${uid}`]],
    [{ XDG_RUNTIME_DIR: '' }, [...usual, `~/svc-${uid}`]],
    [{ XDG_RUNTIME_DIR: join(home, 'absent') }, [...usual, `~/svc-${uid}`]],
    [{ XDG_RUNTIME_DIR: long }, [...usual, `~/${'r'.repeat(150)}/svc`]],
    [
      { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' },
      ['/c/svc', '/d/svc', '/s/svc', `~/svc-${uid}`],
    ],
    [{ XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '', XDG_STATE_HOME: './s' }, [...usual, `~/svc-${uid}`]],
    [{ SVC_HOME: '/h', XDG_STATE_HOME: '/s' }, ['/h/config', '/h/data', '/h/state', '/h/runtime']],
  ];
  for (const [env, expected] of table) assert.deepEqual(of(env), expected, JSON.stringify(env));
  assert.throws(() => placesOf(around(home, { SVC_HOME: 'relative' })), /SVC_HOME must be an absolute path/);
  assert.throws(() => placesOf(around('', {})), unsafe(/no home folder/));
});

test('where XDG’s folders are one and the same no two files of ours are', t => {
  const home = temporaryHome(t);
  mkdirSync(join(home, 'svc'));
  const names = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'];
  const {
    config,
    data,
    state,
    runtime,
    temporary,
    uid: _,
    ...files
  } = placesOf(around(home, Object.fromEntries(names.map(name => [name, home]))));
  assert.deepEqual(new Set([config, data, state, runtime]), new Set([join(home, 'svc')]));
  const paths = Object.values(files);
  assert.deepEqual([...new Set(paths)], paths);
});

test('folders are made 0700 under any umask, and nothing in them is open (P4)', t => {
  const home = temporaryHome(t);
  for (const mask of [0o000, 0o022, 0o777]) {
    const before = process.umask(mask);
    try {
      const places = placesOf(around(home, { SVC_HOME: join(home, `mask-${mask}`) }));
      prepareFolders(places);
      for (const folder of [places.state, places.data, places.runtime]) {
        assert.equal(statSync(folder).mode & 0o777, 0o700, `${folder} under umask ${mask.toString(8)}`);
        if (mask === 0o777) continue;
        assert.equal(statSync(join(folder, '.gitignore')).mode & 0o077, 0);
        assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '*\n');
      }
    } finally {
      process.umask(before);
    }
  }
});

test('a runtime folder that is open, a link, a file or a stranger’s is refused with the fix (P4)', t => {
  const home = temporaryHome(t);
  const places = placesOf(around(home, { SVC_HOME: home }));
  const cases: readonly (readonly [string, () => void, RegExp])[] = [
    ['open', () => mkdirSync(places.runtime, { mode: 0o700 }), /mode 777\); close it: chmod 700/],
    ['link', () => symlinkSync(home, places.runtime), /is not a folder; remove it/],
    ['file', () => writeFileSync(places.runtime, ''), /is not a folder; remove it/],
  ];
  for (const [name, make, pattern] of cases) {
    make();
    if (name === 'open') chmodSync(places.runtime, 0o777);
    assert.throws(() => prepareRuntime(places), unsafe(pattern), name);
    rmSync(places.runtime, { recursive: true });
  }
  // Another owner: the folder stays ours, we are somebody else.
  mkdirSync(places.runtime, { mode: 0o700 });
  assert.throws(() => prepareRuntime({ ...places, uid: uid + 1 }), unsafe(/belongs to user/));
});

test('a folder that can’t be made says why and ends at once', t => {
  const home = temporaryHome(t);
  const file = join(home, 'file');
  writeFileSync(file, '');
  const table: readonly (readonly [string, FaultReason, RegExp])[] = [
    [file, 'misconfigured', /file\/state can't be made: .*\/file is a file$/],
    [join(file, 'below'), 'misconfigured', /file\/below can't be made: .*\/file is a file$/],
    // There nothing is ever made, and ENOENT is the answer.
    ['/proc/nothing', 'unsafeOwner', /^\/proc\/nothing can't be made \(ENOENT\); make \/proc writable/],
  ];
  for (const [SVC_HOME, reason, message] of table) {
    const isSo = (error: unknown) => error instanceof Fault && error.reason === reason && message.test(error.message);
    assert.throws(() => prepareFolders(placesOf(around(home, { SVC_HOME }))), isSo, SVC_HOME);
  }
});

test('a parent in which others may rename is refused, unless it is sticky', t => {
  const home = temporaryHome(t);
  const places = placesOf(around(home, { SVC_HOME: home }));
  chmodSync(home, 0o777);
  assert.throws(() => prepareRuntime(places), unsafe(/lets other users replace/));
  chmodSync(home, 0o1777);
  prepareRuntime(places);
});

test('a socket path is never cut: a long one moves to a short private folder (P4)', t => {
  const home = temporaryHome(t);
  const near = placesIn(join(home, 'a'));
  assert.equal(socketPath(near, 'x.sock'), join(near.runtime, 'x.sock'));
  const far = { ...placesIn(join(home, 'b'.repeat(120))), temporary: home };
  const short = socketPath(far, 'x.sock');
  assert.ok(Buffer.byteLength(short) <= longestSocketPath, short);
  assert.equal(lstatSync(join(short, '..')).mode & 0o777, 0o700);
  assert.equal(socketPath(far, 'x.sock'), short, 'the same folder for the same runtime folder');
  chmodSync(join(short, '..'), 0o755);
  assert.throws(() => socketPath(far, 'x.sock'), unsafe(/open to other users/));
  assert.throws(() => socketPath(near, 'x'.repeat(200)), unsafe(/no short enough path/));
});

test('daemon.json is trusted only when it is ours, and read only when it is whole (P5)', t => {
  const places = placesIn(temporaryHome(t));
  assert.equal(readDaemonRecord(places), undefined);
  writeRecord(places, { pid: 7 });
  assert.equal(readDaemonRecord(places)?.pid, 7);
  for (const text of ['', '{', '[]', 'null', '{"pid":1}', '{"pid":"1"}']) {
    writeFileSync(places.daemonFile, text);
    assert.equal(readDaemonRecord(places), undefined, text);
  }
  for (const broken of [{ pid: 0 }, { pid: -1 }, { socket: 'relative' }, { startTicks: 0.5 }]) {
    writeRecord(places, broken);
    assert.equal(readDaemonRecord(places), undefined, JSON.stringify(broken));
  }
  writeRecord(places, {});
  chmodSync(places.daemonFile, 0o644);
  assert.throws(() => readDaemonRecord(places), unsafe(/chmod 600/));
});

test('daemon.json leads to a socket of its own home alone, whichever links lead there (P5)', t => {
  const home = temporaryHome(t);
  const other = { ...placesIn(join(home, 'other')), temporary: home };
  for (const name of ['a', 'b'.repeat(120)]) {
    const places = { ...placesIn(join(home, name)), temporary: home };
    const socket = socketPath(places, 'x.sock');
    const link = join(home, `to-${name[0]}`);
    symlinkSync(join(home, name), link);
    const linked = placesOf(around(home, { SVC_HOME: link }));
    for (const told of [socket, socketPath(linked, 'x.sock')]) {
      writeRecord(places, { socket: told });
      for (const same of [places, linked]) assert.equal(readDaemonRecord(same)?.socket, told);
      writeRecord(other, { socket: told });
      assert.equal(readDaemonRecord(other), undefined, 'what was copied along with a home');
    }
  }
});

test('a private file is a file of ours that is closed (P4, P5)', t => {
  const home = temporaryHome(t);
  const file = join(home, 'token');
  writeFileSync(file, 'secret', { mode: 0o600 });
  assertPrivateFile(file, uid, 'file');
  assert.throws(() => assertPrivateFile(file, uid, 'socket'), unsafe(/is not a socket/));
  assert.throws(() => assertPrivateFile(file, uid + 1, 'file'), unsafe(/belongs to user/));
  symlinkSync(file, join(home, 'link'));
  assert.throws(() => assertPrivateFile(join(home, 'link'), uid, 'file'), unsafe(/is not a file; remove it: rm \//));
  mkdirSync(join(home, 'folder'));
  assert.throws(() => assertPrivateFile(join(home, 'folder'), uid, 'file'), unsafe(/not a file; remove it: rm -r \//));
});

test('paths are quoted for a shell', () => {
  assert.equal(quote('/plain/path-1.0'), '/plain/path-1.0');
  assert.equal(quote("/it's; rm -rf"), `'/it'\\''s; rm -rf'`);
  assert.equal(operand('src/a.ts'), 'src/a.ts');
  assert.equal(operand("-it's"), `-- '-it'\\''s'`);
});
