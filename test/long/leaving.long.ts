import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { freeze } from '../fault/frozen.ts';
import { assertLeftInOrder, lingerers } from '../fault/leaving.ts';
import { ready } from '../oracle/stored.ts';
import { bearer } from '../support/begun-upload.ts';
import { impatient, startDaemon, svc, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';

/** A git that takes as many seconds as a file says before it does its work: whoever asks about HEAD waits as long. */
function slowGit(t: TestContext) {
  const folder = temporaryFolder(t);
  const seconds = folder.path('seconds');
  folder.write('seconds', '0');
  folder.write(
    'git',
    `#!/bin/sh\ncase "$1" in ls-tree) n=$(cat '${seconds}'); : > '${seconds}'.$n; sleep $n ;; esac\nexec '${realGit}' "$@"\n`,
  );
  chmodSync(folder.path('git'), 0o755);
  return {
    path: [folder.root, process.env['PATH']].join(delimiter),
    /** Starts what waits for git, and returns once it does. */
    async holding<T>(n: number, ask: () => Promise<T>): Promise<{ readonly answer: Promise<T> }> {
      writeFileSync(seconds, String(n));
      const answer = ask();
      answer.catch(() => {});
      await until(`git is asked, and takes ${n} s`, () => existsSync(`${seconds}.${n}`));
      return { answer };
    },
  };
}

const realGit = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map(folder => `${folder}/git`)
  .find(existsSync);

interface Ended {
  readonly status: number | undefined;
  readonly atMs: number;
}

test('SIGTERM: active requests finish, what takes longer is told at ten seconds, everybody else is cut; exit 0 (P7)', async t => {
  const git = slowGit(t);
  const daemon = await startDaemon(t, temporaryHome(t, { PATH: git.path }));
  const { client, home } = daemon;
  const trees = ['one', 'nine', 'thirty', 'forty'].map(id => ({
    id,
    tree: gitRepository(t, '-- a.ts --\nexport const alpha = 1;'),
  }));
  for (const { id, tree } of trees) await client.daemon.addRepo({ root: tree.root, id });
  const large = temporaryFolder(t, manyFiles(3000));
  await client.daemon.addRepo({ root: large.root, id: 'large' });
  await ready(daemon, 120_000);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const url = new URL(readDaemonRecord(home.places)!.url!);
  const headers = bearer(home.places);

  let leftAtMs = 0;
  const ended = async (asked: Promise<Response>): Promise<Ended> => {
    const status = await asked.then(
      async reply => {
        await reply.text();
        return reply.status;
      },
      () => undefined,
    );
    return { status, atMs: performance.now() - leftAtMs };
  };
  const head = (repo: string) => fetch(new URL(`/search?q=alpha&repoStateMode=head&repo=${repo}`, url), { headers });
  const one = await git.holding(1, () => ended(head('one')));
  const nine = await git.holding(9, () => ended(head('nine')));
  const thirty = await git.holding(30, () => ended(head('thirty')));
  const line = wire(await daemon.connect());
  await line.ask(request(1, 'initialize', { client: 'test', version: '0.1.0', protocol: 1 }));
  const forty = await git.holding(40, () => {
    line.send(request(2, 'symbols.search', { q: 'alpha', repo: 'forty', repoStateMode: 'head' }));
    return line.rest();
  });

  const { cut } = await lingerers(t, home, url, '/search?q=name&limit=10000&repo=large');
  const later = temporaryFolder(t, manyFiles(3000));
  const job = await firstIndexOf(daemon, later.root);

  leftAtMs = performance.now();
  daemon.process.kill('SIGTERM');
  await until('new connections are refused', async () => !(await canConnect(url)), 2000);
  const code = await daemon.ended;
  const tookMs = performance.now() - leftAtMs;
  assert.equal(code, 0);
  assert.ok(tookMs >= 9_500 && tookMs <= 11_500, `${Math.round(tookMs)} ms`);

  assert.equal((await one.answer).status, 200);
  assert.equal((await nine.answer).status, 200);
  const late = await thirty.answer;
  assert.equal(late.status, 503);
  assert.ok(late.atMs >= 9_500, `told at ${Math.round(late.atMs)} ms`);
  const told = (await forty.answer).find(({ id }) => id === 2)?.error;
  assert.deepEqual([told?.code, told?.data?.['details']], [-32007, { begun: true }]);
  await cut();
  await assertLeftInOrder(t, home, job);
});

/** An index job that is under way, and that nobody waits for. */
async function firstIndexOf({ client }: TestDaemon, root: string): Promise<string> {
  await client.daemon.addRepo({ root, id: 'later' });
  let id = '';
  await until('a job runs', async () => {
    id = (await client.jobs.list({ status: 'running' })).jobs[0]?.id ?? '';
    return id !== '';
  });
  return id;
}

function manyFiles(count: number): string {
  const lines = Array.from(
    { length: 30 },
    (_, n) => `export function name${n}(value: string) { return value + ${n}; }`,
  );
  return Array.from({ length: count }, (_, n) => `-- f${n}.ts --\n${lines.join('\n')}`).join('\n');
}

function canConnect({ hostname, port }: URL): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

test('a daemon that is frozen for fifteen seconds keeps its socket and its lead; twenty calls are told that it is busy (P2)', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const hasty = impatient(home, 2);
  const { record } = await startDaemon(t, home);
  const { ino } = statSync(record.socket);
  const thaw = await freeze(t, record.pid);
  const frozenAtMs = performance.now();
  let calls = 0;
  const lane = async () => {
    for (; calls < 20 || performance.now() - frozenAtMs < 15_000; calls++) {
      const { code, stderr } = await svc(hasty, ['health']);
      assert.equal(code, 75, stderr);
      assert.match(stderr, new RegExp(`busy \\(pid ${record.pid}\\)`));
    }
  };
  await Promise.all([lane(), lane(), lane(), lane(), lane()]);
  thaw();
  assert.equal((await svc(home, ['health'])).code, 0);
  assert.deepEqual([statSync(record.socket).ino, readDaemonRecord(home.places)?.pid], [ino, record.pid]);
});
