import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { leaderOf } from '../../client/leader.ts';
import { isAlive, readDaemonRecord } from '../../client/paths.ts';
import { placesIn, temporaryHome } from '../client/peer.ts';
import { freeze } from '../fault/frozen.ts';
import { callerIn, until } from '../support/daemon.ts';
import { eachRow, svc } from './command.ts';

const env = { SVC_HTTP_ENABLED: 'false' };

/** A home and a repository; whatever daemon the test starts in it ends with them. */
function freshHome(test: TestContext) {
  const home = temporaryHome(test);
  const root = join(home, 'app');
  mkdirSync(root);
  writeFileSync(join(root, 'a.ts'), 'export const answer = 42;\n');
  return { home, root, run: (line: string, cwd = root) => svc(line.split(' '), { home, env, cwd }) };
}

test('the daemon’s own verbs: start twice, status, token, logs, restart, stop twice', async t => {
  const { home, run } = freshHome(t);
  const first = await run('daemon start --json');
  assert.equal(first.code, 0, first.stderr);
  const { pid } = JSON.parse(first.stdout);
  assert.equal(JSON.parse((await run('daemon start --json')).stdout).pid, pid, 'the same daemon');
  assert.equal(JSON.parse((await run('daemon status --json')).stdout).pid, pid);
  assert.equal(JSON.parse((await run('--version --json')).stdout).daemon.pid, pid);
  assert.deepEqual(await run('jobs'), { code: 0, stdout: '', stderr: 'Nothing found\n' });
  const token = await run('daemon token');
  assert.match(token.stdout, /^[0-9a-f]{64}\n$/);
  assert.equal(token.stderr, '');
  const logs = await run('daemon logs -n 3');
  const lines = logs.stdout.trim().split('\n');
  assert.ok(lines.length > 0 && lines.length <= 3);
  for (const line of lines) assert.equal(typeof JSON.parse(line), 'object');
  assert.ok(!readFileSync(join(home, 'state', 'svc.log'), 'utf8').includes(token.stdout.trim()), 'no token in the log');
  const again = JSON.parse((await run('daemon restart --json')).stdout);
  assert.notEqual(again.pid, pid);
  mkdirSync(join(home, 'config'), { recursive: true });
  writeFileSync(join(home, 'config', 'config.toml'), 'http.prot = 1\n');
  const refused = await run('daemon restart');
  assert.equal(refused.code, 78);
  assert.match(refused.stderr, /http\.prot/);
  assert.equal((await run('daemon restart --no-autostart')).code, 2);
  assert.ok(isAlive(again.pid), 'it goes on with the configuration that it has');
  assert.deepEqual(JSON.parse((await run('daemon stop --json')).stdout), { pid: again.pid, status: 'stopped' });
  assert.equal(isAlive(again.pid), false, 'it returns when the process has gone');
  const none = await run('daemon stop');
  assert.deepEqual([none.code, none.stdout], [0, 'no daemon is running\n']);
});

test('folders that can’t be, for a file is in their place: 78 and why, also where no daemon is to be started', async t => {
  const { home, root } = freshHome(t);
  const file = join(home, 'file');
  writeFileSync(file, '');
  const lines = ['daemon stop', 'daemon restart', 'daemon status', '--no-autostart status', 'status', 'daemon token'];
  await eachRow(lines, async line => {
    for (const [variable, below] of [
      ['SVC_HOME', 'state'],
      ['XDG_STATE_HOME', 'svc'],
    ] as const) {
      const places = { SVC_HOME: '', XDG_RUNTIME_DIR: home, [variable]: file };
      const { code, stderr } = await svc(line.split(' '), { home, env: { ...env, ...places }, cwd: root });
      assert.equal(code, 78, `${line}: ${stderr}`);
      // The configuration is what a restart looks at first.
      if (line === 'daemon restart' && variable === 'SVC_HOME')
        assert.match(stderr, /^svc: \S+config\.toml: can't be read/);
      else assert.equal(stderr, `svc: ${file}/${below} can't be made: ${file} is a file\n`, line);
    }
  });
});

test('commands of this machine keep the rule of the others: one document for --json, fields or the bare text for --plain', async t => {
  const { home, root, run } = freshHome(t);
  await run('daemon start');
  const { stdout: token } = await run('daemon token');
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['daemon token', ['token']],
    ['daemon logs -n 3', ['file', 'lines']],
    ['daemon start', ['pid', 'version']],
    ['config example', ['toml']],
    ['completion bash', ['script']],
    ['--version', ['version', 'protocol', 'daemon']],
  ];
  for (const [line, keys] of rows) {
    const { code, stdout, stderr } = await run(`${line} --json`);
    assert.deepEqual([code, stderr, stdout.trim().split('\n').length], [0, '', 1], line);
    assert.deepEqual(Object.keys(JSON.parse(stdout)), keys, line);
  }
  assert.equal(JSON.parse((await run('daemon token --json')).stdout).token, token.trim());
  assert.equal((await run('daemon token --plain')).stdout, token);
  const { file, lines } = JSON.parse((await run('daemon logs -n 3 --json')).stdout);
  assert.deepEqual([file, lines.length], [placesIn(home).logFile, 3]);
  for (const line of lines) assert.equal(typeof line.msg, 'string');
  const { script } = JSON.parse((await run('completion zsh --json')).stdout);
  assert.equal((await run('completion zsh')).stdout, script);
  const { toml } = JSON.parse((await run('config example --json')).stdout);
  assert.equal((await run('config example')).stdout, toml);
  const { pid, version } = JSON.parse((await run('daemon start --json')).stdout);
  assert.equal((await run('daemon start --plain')).stdout, `pid\t${pid}\nversion\t${version}\n`);
  const { stdout: places, stderr: told } = await run('daemon env --json');
  assert.deepEqual(Object.keys(JSON.parse(places)), ['SVC_SOCKET', 'SVC_URL', 'SVC_TOKEN_FILE']);
  assert.equal(told, 'svc: SVC_URL is empty: HTTP is switched off (http.enabled)\n');
  assert.match((await run('daemon env --plain')).stdout, /^SVC_SOCKET\t\/.*\nSVC_TOKEN_FILE\t\/.*\n$/);
  for (const line of ['daemon run --json', 'daemon run --plain', 'daemon logs -f --json']) {
    const { code, stderr } = await run(line);
    assert.deepEqual([code, /--json/.test(stderr)], [2, true], `${line}: ${stderr}`);
  }
  const served = await svc(['serve', '--port', '0', '--json'], {
    home,
    env,
    cwd: root,
    during: child => child.stdout!.once('data', () => child.kill('SIGINT')),
  });
  const { url, ...rest } = JSON.parse(served.stdout);
  assert.match(url, /^http:\/\/localhost:\d+$/);
  assert.deepEqual(rest, { repo: 'app', root });
});

test('a frozen daemon is busy: twenty commands end with 75 and its number, its socket and its lead unchanged (P2)', async t => {
  const { home, run } = freshHome(t);
  await run('daemon start');
  const places = placesIn(home);
  const { pid, socket } = readDaemonRecord(places)!;
  const { ino } = statSync(socket);
  const thaw = await freeze(t, pid);
  await eachRow([...'abcdefghijklmnopqrst'], async () => {
    const { code, stderr } = await svc(['health'], { home, env: { ...env, SVC_PATIENCE_SECONDS: '1' } });
    assert.equal(code, 75, stderr);
    assert.match(stderr, new RegExp(`busy \\(pid ${pid}\\)`));
  });
  const hasty = await run('--timeout 1 status');
  assert.equal(hasty.code, 124, 'whoever waits for less than the handshake may take is told that it was too short');
  const standing = [statSync(socket).ino, readDaemonRecord(places)?.pid, leaderOf(places)];
  thaw();
  assert.equal((await run('health')).code, 0);
  assert.deepEqual(standing, [ino, pid, pid]);
  assert.deepEqual([statSync(socket).ino, readDaemonRecord(places)?.pid], [ino, pid]);
  const starts = readFileSync(places.logFile, 'utf8').match(/"msg":"daemon\.started"/g);
  assert.equal(starts?.length, 1, 'no other was started beside it');
});

test('serve registers the repository that it stands in, answers over HTTP, and takes its listener along', async t => {
  const { home, root, run } = freshHome(t);
  const inside = join(root, 'deep');
  mkdirSync(join(root, '.git'));
  mkdirSync(inside);
  const heard: unknown[] = [];
  const closing = svc(['serve', '--port', '0'], {
    home,
    env,
    cwd: inside,
    during: child => {
      child.stdout!.once('data', async (chunk: Buffer) => {
        const url = chunk.toString('utf8').trim();
        const { stdout: token } = await run('daemon token');
        const reply = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${token.trim()}` } });
        heard.push(((await reply.json()) as { repository: { root: string } }).repository.root);
        heard.push((await fetch(`${url}/status`)).status);
        heard.push(JSON.parse((await run('daemon status --json')).stdout).listeners.length);
        child.kill('SIGINT');
      });
    },
  });
  const { code, stdout, stderr } = await closing;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^http:\/\/localhost:\d+\n$/);
  assert.match(stderr, /^Serving app \(.*\/app\)\nToken: svc daemon token/m);
  assert.deepEqual(heard, [root, 401, 1]);
  await until('the listener is closed', async () => {
    return JSON.parse((await run('daemon status --json')).stdout).listeners.length === 0;
  });
});

test('serve goes on after a restart and after a crash, and ends when its daemon is stopped', async t => {
  const { home, root, run } = freshHome(t);
  const isServed = async (before: number) => {
    let pid = before;
    await until('a listener is open', async () => {
      const caller = callerIn({ places: placesIn(home), env: {} });
      const status = await caller.call('daemon.status', {}).catch(() => undefined);
      await caller.close();
      if (status?.listeners.length === 1) pid = status.pid;
      return pid !== before;
    });
    return pid;
  };
  const { code, stdout, stderr } = await svc(['serve', '--port', '0'], {
    home,
    env,
    cwd: root,
    during: child => {
      child.stdout!.once('data', async () => {
        const first = await isServed(0);
        await run('daemon restart');
        const second = await isServed(first);
        process.kill(second, 'SIGKILL');
        await isServed(second);
        await run('daemon stop');
      });
    },
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^http:\/\/localhost:\d+\n$/);
  assert.equal(stderr.match(/opening the listener again/g)?.length, 2, stderr);
  assert.match(stderr, /the daemon was stopped, and the listener closed with it\n$/);
  assert.equal((await run('daemon stop')).stdout, 'no daemon is running\n');
});

test('serve on a port that another program has: exit 75, and it says so', async t => {
  const { run } = freshHome(t);
  const other = createServer();
  other.listen(0, 'localhost');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const { code, stderr } = await run(`serve --port ${port}`);
  assert.equal(code, 75, stderr);
  assert.match(stderr, new RegExp(`Port ${port} of localhost is taken by another program`));
  const kept = async () => JSON.parse((await run('repo list --json')).stdout).repos.length;
  assert.equal(await kept(), 0, 'what could not be served is not left behind');
  await run('repo add');
  await run(`serve --port ${port}`);
  assert.equal(await kept(), 1, 'what was registered before stays');
});

test('serve ends with the reason when a changed configuration lets its listener stand no more', async t => {
  const { home, root } = freshHome(t);
  const configure = (http: string) => {
    mkdirSync(join(home, 'config'), { recursive: true });
    writeFileSync(join(home, 'config', 'config.toml'), `[http]\nenabled = false\n${http}`);
  };
  configure('allowed_hosts = ["svc.test"]\n');
  const { code, stderr } = await svc(['serve', '--host', '0.0.0.0', '--port', '0'], {
    home,
    cwd: root,
    during: child => {
      child.stdout!.once('data', () => {
        configure('');
        process.kill(readDaemonRecord(placesIn(home))!.pid, 'SIGHUP');
      });
    },
  });
  assert.equal(code, 78, stderr);
  assert.match(stderr, /^svc: A change of the configuration closed the listener: Listening on 0\.0\.0\.0 needs auth/m);
});

test('a daemon that was started answers in each way that it will, and says where', async t => {
  const { home, root } = freshHome(t);
  const run = (line: string) => svc(line.split(' '), { home, env: { SVC_HTTP_PORT: '0' }, cwd: root });
  for (const verb of ['start', 'restart']) {
    await run(`daemon ${verb}`);
    const url = /SVC_URL='?(http[^'\n]+)/.exec((await run('daemon env')).stdout)?.[1];
    assert.equal((await fetch(`${url}/health`)).status, 401, verb);
  }
});

test('a daemon whose port another program has says so wherever its address is asked for', async t => {
  const { home, root } = freshHome(t);
  const other = createServer();
  other.listen(0, 'localhost');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const run = (line: string) => svc(line.split(' '), { home, env: { SVC_HTTP_PORT: `${port}` }, cwd: root });
  await run('daemon start');
  const why = `Port ${port} of localhost is taken by another program`;
  assert.match((await run('daemon env')).stderr, new RegExp(`^svc: SVC_URL is empty: ${why}`));
  assert.match((await run('daemon status')).stdout, new RegExp(`^http +${why}`, 'm'));
});

test('serve on a port of its own daemon names what is served there', async t => {
  const { home, root } = freshHome(t);
  const run = (line: string) => svc(line.split(' '), { home, env: { SVC_HTTP_PORT: '0' }, cwd: root });
  await run('daemon start');
  const { http } = JSON.parse((await run('daemon status --json')).stdout);
  const { code, stderr } = await run(`serve --port ${http.port}`);
  assert.equal(code, 75, stderr);
  assert.match(stderr, new RegExp(`Port ${http.port} of localhost is served by this daemon already`));
});

test('a plain folder is indexed once it is registered by hand, so that a slip of the pen watches no disk', async t => {
  const { root, run } = freshHome(t);
  const plain = join(root, 'plain');
  mkdirSync(plain);
  const refused = await run(`index ${plain}`);
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /in no git repository; .*: svc repo add \S+plain\n$/);
  assert.equal(JSON.parse((await run('repo list --json')).stdout).repos.length, 0);
  await run(`repo add ${plain}`);
  assert.equal((await run(`index ${plain}`)).code, 0);
});

test('index takes the repository that a path lies in, the innermost that is registered, and tells of one that it registers', async t => {
  const { home, root, run } = freshHome(t);
  const [src, lib, inner] = [join(root, 'src'), join(root, 'vendor', 'lib'), join(root, 'vendor', 'lib', 'inner')];
  for (const folder of [src, inner]) mkdirSync(folder, { recursive: true });
  for (const folder of [root, lib]) execFileSync('git', ['init', '-q', folder]);
  const registered = async () =>
    JSON.parse((await run('repo list --json')).stdout).repos.map((repo: { root: string }) => repo.root);
  const rows: readonly (readonly [string, number, RegExp, readonly string[]])[] = [
    ['index src', 0, new RegExp(`^Registered app \\(${root}\\)$`, 'm'), [root]],
    ['index src', 0, /^(?!Registered)/, [root]],
    ['index a.ts', 2, /^svc: a\.ts: is not a folder\n$/, [root]],
    ['index src/none', 2, /^svc: src\/none: there is no such folder\n$/, [root]],
    [
      `repo add ${root}/.git`,
      2,
      new RegExp(`is git’s own folder: register its work tree\\n  svc repo add ${root} `),
      [root],
    ],
    ['index --repo app src', 2, /^svc: --repo: goes without a path\n$/, [root]],
    ['index vendor/lib/inner', 0, new RegExp(`^Registered lib \\(${lib}\\)$`, 'm'), [root, lib]],
    [`repo add ${inner}`, 0, /^$/, [root, lib, inner]],
    ['index vendor/lib/inner', 0, /^(?!Registered)/, [root, lib, inner]],
  ];
  for (const [line, code, stderr, roots] of rows) {
    const ended = await run(line);
    assert.equal(ended.code, code, `${line}: ${ended.stderr}`);
    assert.match(ended.stderr, stderr, line);
    assert.deepEqual(await registered(), roots, line);
  }
  for (const words of [
    ['index', ''],
    ['repo', 'add', ''],
  ]) {
    const { code, stderr } = await svc(words, { home, env, cwd: root });
    assert.deepEqual([code, stderr], [2, 'svc: a path must not be empty\n'], 'a variable that is not set is no folder');
  }
  await run('repo remove lib');
  const within = await svc(['index', '--json'], { home, env, cwd: inner });
  assert.deepEqual([JSON.parse(within.stdout).fileCount ?? 0, await registered()], [0, [root, inner]]);
});

test('whoever stands below a registered folder means that one, in whatever way it is registered or served', async t => {
  const { home, root, run } = freshHome(t);
  const inner = join(root, 'inner');
  mkdirSync(inner);
  await run(`repo add ${root}`);
  assert.equal(JSON.parse((await run('repo add --json', inner)).stdout).repo.root, root);
  assert.equal((await run('index', inner)).code, 0);
  const { stderr } = await svc(['serve', '--port', '0'], {
    home,
    env,
    cwd: inner,
    during: child => child.stdout!.once('data', () => child.kill('SIGINT')),
  });
  assert.ok(stderr.startsWith(`Serving app (${root})\n`), stderr);
  assert.equal(JSON.parse((await run('repo list --json')).stdout).total, 1);
});

test('a configuration that is wrong ends with 78 and names the key', async t => {
  const { home, run } = freshHome(t);
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'config.toml'), '[http]\nport = "many"\n');
  const { code, stderr } = await run('health');
  assert.equal(code, 78, stderr);
  assert.match(stderr, /http\.port[\s\S]*Its log: /);
});

test('--json is the document that HTTP gives, byte for byte but for the time', async t => {
  const { home, root, run } = freshHome(t);
  assert.equal((await run('index')).code, 0);
  const pairs: (readonly [string, string])[] = [];
  const untimed = (text: string) => text.trim().replace(/"timestamp":"[^"]*"/, '');
  await svc(['serve', '--port', '0'], {
    home,
    env,
    cwd: root,
    during: child => {
      child.stdout!.once('data', async (chunk: Buffer) => {
        const { stdout: token } = await run('daemon token');
        const headers = { authorization: `Bearer ${token.trim()}` };
        for (const [line, path] of [
          ['search answer --json --no-sync', '/search?q=answer'],
          ['repo list --json', '/daemon/repos'],
          ['index status --json', '/index/status'],
        ] as const) {
          const reply = await fetch(`${chunk.toString('utf8').trim()}${path}`, { headers });
          pairs.push([untimed((await run(line)).stdout), untimed(await reply.text())]);
        }
        child.kill('SIGTERM');
      });
    },
  });
  assert.equal(pairs.length, 3);
  for (const [command, http] of pairs) assert.equal(command, http);
});
