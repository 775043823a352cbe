import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { silence, writeRecord } from '../client/peer.ts';
import { answers, found, withPeer } from './answering-peer.ts';
import { eachRow, svc } from './command.ts';

test('interrupted: the server is told, exit 130; a second later nothing is left', async t => {
  const cancelled: unknown[] = [];
  let interrupt = () => {};
  const { home } = await withPeer(t, (method, params) => {
    if (method === '$/cancelRequest') cancelled.push(params['id']);
    if (method !== 'symbols.search') return undefined;
    interrupt();
    return silence;
  });
  const { code, stdout } = await svc(['search', 'x'], {
    home,
    during: child => {
      interrupt = () => child.kill('SIGINT');
    },
  });
  assert.equal(code, 130);
  assert.equal(stdout, '');
  assert.equal(cancelled.length, 1);
});

test('interrupted while others may wait for the same index run: it goes on, and its number is told', async t => {
  let interrupt = () => {};
  const job = { id: 'job-7', type: 'index-repository', status: 'running', progress: 5, repo: 'app' };
  const { home } = await withPeer(t, method => {
    if (method === 'jobs.list') return { jobs: [{ ...job, id: 'job-8', repo: 'other' }, job], total: 2 };
    if (method !== 'indexing.index') return undefined;
    interrupt();
    return silence;
  });
  const { code, stderr } = await svc(['index', '--force', '--repo', 'app'], {
    home,
    during: child => {
      interrupt = () => child.kill('SIGINT');
    },
  });
  assert.deepEqual([code, stderr], [130, 'svc: indexing goes on without you; to end it: svc job cancel job-7\n']);
});

test('a job that is waited for: exit 0 where it completed, else 1; without waiting its state is only told', async t => {
  const { home } = await withPeer(t, (method, params, { notify }) => {
    if (method !== 'jobs.get') return undefined;
    const token = params['workDoneToken'];
    if (params['wait'] === true) notify('$/progress', { token, value: { message: 'extract', fraction: 0.5 } });
    return { id: 'job-7', type: 'index-repository', status: params['id'], progress: 5, createdAt: found.timestamp };
  });
  const rows: readonly (readonly [status: string, wait: readonly string[], code: number])[] = [
    ['completed', ['--wait'], 0],
    ['failed', ['--wait'], 1],
    ['cancelled', ['--wait'], 1],
    ['failed', [], 0],
  ];
  await eachRow(rows, async ([status, wait, code]) => {
    const ended = await svc(['job', status, ...wait], { home });
    assert.equal(ended.code, code, `${status} ${wait}`);
    assert.match(ended.stdout, new RegExp(`^status +${status}$`, 'm'));
    assert.equal(ended.stderr, '');
  });
});

test('interrupted while it waits for a job: that goes on, and how to end it is told', async t => {
  let interrupt = () => {};
  const { home } = await withPeer(t, (method, params) => {
    if (method !== 'jobs.get') return undefined;
    if (params['wait'] !== true) return { id: 'job-7', type: 'index-precise', status: 'running', progress: 5 };
    interrupt();
    return silence;
  });
  const { code, stderr } = await svc(['job', 'job-7', '--wait'], {
    home,
    during: child => {
      interrupt = () => child.kill('SIGINT');
    },
  });
  assert.deepEqual([code, stderr], [130, 'svc: index-precise goes on without you; to end it: svc job cancel job-7\n']);
});

test('an answer that can’t be written ends with 1 and the reason', { skip: !existsSync('/dev/full') }, async t => {
  const { home } = await withPeer(t);
  const { code, stderr } = await svc(['status', '--json'], { home, shell: 'exec "$0" "$@" >/dev/full' });
  assert.equal(code, 1);
  assert.match(stderr, /^svc: the answer can’t be written: ENOSPC/);
});

test('the reader goes away: exit 141 without a word', async t => {
  const many = { ...found, results: Array.from({ length: 20_000 }, () => found.results[0]) };
  const { home } = await withPeer(t, method => (method === 'symbols.search' ? many : undefined));
  const { code, stderr } = await svc(['search', 'x', '--plain'], {
    home,
    during: child => child.stdout!.once('data', () => child.stdout!.destroy()),
  });
  assert.equal(code, 141);
  assert.equal(stderr, '');
});

test('the folder is gone: what needs none is answered, what needs one says so', async t => {
  const { home } = await withPeer(t);
  const gone = join(home, 'gone');
  const inDeletedFolder = (...args: string[]) => {
    mkdirSync(gone);
    return svc(args, { home, cwd: gone, shell: `rmdir '${gone}' && exec "$0" "$@"` });
  };
  assert.equal((await inDeletedFolder('metrics')).stdout, answers['system.metrics']);
  const { code, stderr } = await inDeletedFolder('repo', 'add');
  assert.equal(code, 4);
  assert.match(stderr, /no longer exists/);
});

test('daemon env names places, never the token', async t => {
  const { home, peer, places } = await withPeer(t);
  writeRecord(places, { socket: peer.socket, url: 'http://localhost:9120' });
  const { stdout } = await svc(['daemon', 'env'], { home });
  assert.equal(
    stdout,
    `export SVC_SOCKET=${peer.socket}\nexport SVC_URL=http://localhost:9120\nexport SVC_TOKEN_FILE=${places.tokenFile}\n`,
  );
});

test('daemon env waits until the daemon knows where HTTP is, and tells why it is nowhere', async t => {
  let opened: { readonly url: string | null; readonly httpProblem: string | null } | undefined;
  const { home, peer, places } = await withPeer(t, method => {
    if (method !== 'daemon.status') return undefined;
    const { url, httpProblem } = opened!;
    writeRecord(places, { socket: peer.socket, url });
    return { httpProblem };
  });
  for (const [url, httpProblem, shown, told] of [
    ['http://localhost:9120', null, 'http://localhost:9120', ''],
    [null, 'Port 9120 is taken', '', 'svc: SVC_URL is empty: Port 9120 is taken\n'],
    [null, null, '', 'svc: SVC_URL is empty: HTTP is switched off (http.enabled)\n'],
  ] as const) {
    writeRecord(places, { socket: peer.socket, url: null });
    opened = { url, httpProblem };
    const { stdout, stderr } = await svc(['daemon', 'env', '--json'], { home });
    assert.deepEqual([JSON.parse(stdout).SVC_URL, stderr], [shown, told]);
  }
  await peer.close();
  writeRecord(places, { socket: peer.socket, url: null });
  assert.equal((await svc(['daemon', 'env'], { home })).code, 3, 'none is started for the asking');
});

test('a squatter learns nothing: neither on the socket nor on a port that the daemon does not name (P5)', async t => {
  const { home, peer, places } = await withPeer(t);
  execFileSync('bash', ['-c', `umask 077; printf '%s' canary-secret-token > '${places.tokenFile}'`]);
  chmodSync(peer.socket, 0o666);
  const { code } = await svc(['status'], { home });
  assert.equal(code, 77);
  assert.equal(peer.received(), '');
  let heard = '';
  const squatter = createServer(client => {
    client.on('data', chunk => {
      heard += chunk;
      client.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>(resolve => squatter.listen(0, '127.0.0.1', resolve));
  t.after(() => squatter.close());
  const { port } = squatter.address() as { port: number };
  writeRecord(places, { socket: peer.socket, url: `http://127.0.0.1:${port + 1}` });
  await svc(['health'], { home, env: { SVC_URL: `http://127.0.0.1:${port}` } });
  assert.match(heard, /^GET \/health/);
  assert.doesNotMatch(heard, /authorization|canary/i);
  assert.equal(statSync(places.tokenFile).mode & 0o777, 0o600);
});
