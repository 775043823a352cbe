import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svc, temporaryHome, until } from '../support/daemon.ts';
import { publicationsIn, register, startBenchDaemon, stopBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, cpuSecondsOf, figuresOf, median, milliseconds, pause, say, timed } from './measure.ts';

/**
 * The first index of a real repository by the whole daemon, as `svc index` waits for it, and what a restart takes.
 *
 *   node dist/test/bench/daemon-index.js <repository> [--runs 3] [--name <a name in it>]
 */
const { operands, flag } = benchArguments();
const root = resolve(operands[0] ?? '.');
const runs = flag('runs', 3);

interface Run {
  readonly wallMs: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  readonly restartMs: number;
  readonly parsedAfterRestart: number;
}

await bench(async cleanup => {
  const all: Run[] = [];
  for (let at = 0; at < runs; at++) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    cleanup.after(() => rmSync(folder, { recursive: true, force: true }));
    all.push(await runOnce(cleanup, join(folder, 'delay.json')));
  }
  const of = (field: keyof Run): number => median(all.map(run => run[field]));
  say('first index, svc index', `${(of('wallMs') / 1000).toFixed(2)} s wall`, `${of('cpuSeconds').toFixed(2)} s CPU`);
  say('peak resident', `${Math.round(of('peakMb'))} MB`);
  say('event loop meanwhile', `p99 ${milliseconds(of('loopP99Ms'))}`, `max ${milliseconds(of('loopMaxMs'))}`);
  say('restart to the first answer', milliseconds(of('restartMs')), `${of('parsedAfterRestart')} files parsed`);
});

async function runOnce(cleanup: Parameters<typeof startBenchDaemon>[0], delayFile: string): Promise<Run> {
  const preload = fileURLToPath(new URL('./loop-delay.js', import.meta.url));
  const home = temporaryHome(cleanup, { NODE_OPTIONS: `--import=${preload}`, BENCH_LOOP_DELAY: delayFile });
  const daemon = await startBenchDaemon(cleanup, home);
  const cpuBefore = cpuSecondsOf(daemon.pid);
  await loopDelay(daemon.pid, delayFile);
  // The command finds the repository unregistered, registers it, and waits for its first snapshot.
  const { value: answer, ms: wallMs } = await timed(() => svc(home, ['index'], root));
  if (answer.code !== 0) throw new Error(answer.stderr);
  const { cpuSeconds, peakMb } = figuresOf(daemon.pid);
  const { p99, max } = await loopDelay(daemon.pid, delayFile);
  const { id, files, symbols } = await register(daemon, root);
  const [first] = publicationsIn(home, id);
  say(
    '  one run',
    `${files} files, ${first?.filesParsed} parsed`,
    `${symbols} symbols`,
    `${(wallMs / 1000).toFixed(2)} s`,
  );
  await stopBenchDaemon(daemon);
  const published = publicationsIn(home, id).length;

  const { value: again, ms: restartMs } = await timed(async () => {
    const started = await startBenchDaemon(cleanup, home);
    await started.client.symbols.search({ q: 'a', limit: 1, repo: id });
    return started;
  });
  // Until the tree has been compared: that is when something would be parsed again.
  await register(again, root);
  const parsed = publicationsIn(home, id)
    .slice(published)
    .reduce((sum, one) => sum + one.filesParsed, 0);
  await stopBenchDaemon(again);
  return {
    wallMs,
    cpuSeconds: cpuSeconds - cpuBefore,
    peakMb,
    loopP99Ms: p99,
    loopMaxMs: max,
    restartMs,
    parsedAfterRestart: parsed,
  };
}

/** Delay of the daemon's event loop since the last call. */
async function loopDelay(pid: number, file: string): Promise<{ readonly p99: number; readonly max: number }> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await until('the daemon wrote its delay', () => existsSync(file) && statSync(file).size > 0);
  await pause(1);
  return JSON.parse(readFileSync(file, 'utf8')) as { p99: number; max: number };
}
