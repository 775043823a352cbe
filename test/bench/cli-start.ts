import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { svcProgram } from '../support/daemon.ts';
import { register, sampleSymbols, startBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, cpuSecondsOfChildren, milliseconds, quantile, say } from './measure.ts';

/**
 * `svc search X` from the shell with the daemon running, beside Node.js doing nothing and the other commands of every day.
 *
 *   node dist/test/bench/cli-start.js [repository] [--runs 20]
 */
const { operands, flag } = benchArguments();
const runs = flag('runs', 20);

await bench(async cleanup => {
  const daemon = await startBenchDaemon(cleanup);
  const { id, root, symbols } = await register(daemon, resolve(operands[0] ?? '.'));
  say(`${symbols} symbols`);
  const [{ name } = { name: 'x' }] = await sampleSymbols(daemon.client, id);
  const commands: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    'svc search X': [svcProgram, 'search', name],
    'svc search X --json': [svcProgram, '--json', 'search', name],
    'svc status': [svcProgram, 'status'],
    'svc --help': [svcProgram, '--help'],
  };
  for (const [label, args] of Object.entries(commands)) {
    const times: number[] = [];
    const cpuBefore = cpuSecondsOfChildren();
    for (let run = 0; run < runs; run++) {
      const started = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env: daemon.home.env });
      times.push(performance.now() - started);
      if (status !== 0) throw new Error(`${label} ended with ${status}: ${stderr}`);
    }
    const cpuMs = ((cpuSecondsOfChildren() - cpuBefore) / runs) * 1000;
    say(
      label,
      `p50 ${milliseconds(quantile(times, 0.5))}`,
      `p95 ${milliseconds(quantile(times, 0.95))}`,
      `${milliseconds(cpuMs)} CPU`,
    );
  }
});
