import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { WatchStatus } from '../../watch/watch.ts';
import { patienceMs } from '../support/daemon.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';
import { type Limited, limiters } from './limits.ts';

interface Line {
  readonly recrawl?: string;
  readonly paths?: number;
  readonly some?: readonly string[];
  readonly synced?: boolean;
  readonly status?: WatchStatus;
}

interface WatchingProcess {
  readonly tree: Workspace;
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  send(line: string): void;
  /** The answer to a sync. */
  sync(): Promise<Line>;
  until(holds: (line: Line) => boolean): Promise<Line>;
}

const entry = fileURLToPath(new URL('./watch-tree.js', import.meta.url));

function startWatching(t: TestContext, text: string, limited?: Limited): WatchingProcess {
  const tree = temporaryFolder(t, text);
  const cookies = temporaryFolder(t).path('cookies');
  const [program = process.execPath, ...args] = [
    ...(limited?.through ?? []),
    process.execPath,
    entry,
    tree.root,
    cookies,
  ];
  const child = spawn(program, args, { env: { ...process.env, ...limited?.env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines: Line[] = [];
  let rest = '';
  child.stdout?.on('data', chunk => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map(part => JSON.parse(part) as Line));
    child.emit('line');
  });
  const until = async (holds: (line: Line) => boolean, from = 0): Promise<Line> => {
    const signal = AbortSignal.timeout(patienceMs);
    for (;;) {
      const found = lines.slice(from).find(holds);
      if (found !== undefined) return found;
      await new Promise((resolve, reject) => {
        child.once('line', resolve);
        signal.addEventListener('abort', () => reject(new Error(`not in ${JSON.stringify(lines)}`)), { once: true });
      });
    }
  };
  const send = (line: string) => child.stdin?.write(`${line}\n`);
  return {
    tree,
    child,
    lines,
    send,
    until,
    sync() {
      const from = lines.length;
      send('sync');
      return until(line => line.synced !== undefined, from);
    },
  };
}

test('an overflow of the kernel’s queue is found, though nobody tells (P12)', {
  skip: process.platform !== 'linux',
}, async t => {
  const { tree, child, lines, sync } = startWatching(t, '-- d/a.ts --');
  assert.equal((await sync()).synced, true);
  child.kill('SIGSTOP');
  for (let n = 0; n < 40_000; n++) writeFileSync(tree.path(`d/${n}`), '');
  child.kill('SIGCONT');
  assert.equal((await sync()).synced, true);
  const reasons = lines.flatMap(line => line.recrawl ?? []);
  assert.ok(reasons.includes('overflow') || reasons.includes('loop_stalled'), reasons.join());
  assert.ok(reasons.length <= 4, reasons.join());
});

for (const { name, limited } of limiters) {
  test(`folders beyond the limit are polled, and watched again when it is lifted (${name}) (P13)`, async t => {
    const text = Array.from({ length: 20 }, (_, n) => `-- d${n}/a.ts --`).join('\n');
    const limit = limited(t, 'max_inotify_watches=10');
    const { tree, child, send, sync, until } = startWatching(t, text, limit);
    const { status } = await sync();
    assert.equal(status?.watching, 'polling');
    assert.equal(status?.polledReason, 'watch_limit');
    assert.ok((status?.polledCount ?? 0) >= 11 && (status?.watches ?? 0) >= 5, JSON.stringify(status));
    for (let n = 0; n < 20; n++) tree.write(`d${n}/a.ts`, 'changed');
    for (let n = 0; n < 20; n++) await until(line => line.some?.some(path => path.startsWith(`d${n}`)) === true);

    limit.set(child.pid!, 'max_inotify_watches=1000');
    send('half a minute');
    const relieved = (await sync()).status;
    assert.deepEqual([relieved?.watching, relieved?.polledCount, relieved?.watches], ['native', 0, 21]);
    tree.write('d19/a.ts', 'again');
    await sync();
  });

  test(`without a single kernel watch everything is polled (${name}) (P13)`, async t => {
    const { tree, sync, until } = startWatching(t, '-- a/b.ts --', limited(t, 'max_inotify_instances=0'));
    const status = (await sync()).status;
    assert.deepEqual([status?.watching, status?.watches, status?.polledCount], ['polling', 0, 2]);
    tree.write('a/b.ts', 'changed');
    await until(line => line.some?.includes('a/b.ts') === true);
  });
}
