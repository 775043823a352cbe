import { resolve } from 'node:path';
import { svc } from '../support/daemon.ts';
import { register, startBenchDaemon, stopBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, cpuSecondsOfChildren, median, milliseconds, say, timed } from './measure.ts';

/**
 * Many `svc status` at once while no daemon runs: how many daemons that starts, how many answers are good, how long it takes.
 *
 *   node dist/test/bench/start-at-once.js [repository] [--clients 50] [--runs 3]
 */
const { operands, flag } = benchArguments();
const clients = flag('clients', 50);
const runs = flag('runs', 3);

await bench(async cleanup => {
  const walls: number[] = [];
  let running = await startBenchDaemon(cleanup);
  const { root } = await register(running, resolve(operands[0] ?? '.'));
  const { home } = running;
  for (let run = 0; run < runs; run++) {
    await stopBenchDaemon(running);
    const leaders = (): number => home.log().filter(({ msg }) => msg === 'daemon.started').length;
    const before = leaders();
    const cpuBefore = cpuSecondsOfChildren();
    const ask = () => svc(home, ['status', '--json'], root);
    const { value: answers, ms } = await timed(() => Promise.all(Array.from({ length: clients }, ask)));
    const good = answers.filter(({ code, stdout }) => code === 0 && isStatusOf(stdout, root)).length;
    const cpuMs = ((cpuSecondsOfChildren() - cpuBefore) / clients) * 1000;
    say(
      `${clients} svc status at once`,
      milliseconds(ms),
      `${leaders() - before} daemons`,
      `${good} good answers`,
      `${milliseconds(cpuMs)} CPU each`,
    );
    for (const { code, stderr } of answers) if (code !== 0) say('  failed', `${code}: ${stderr.trim()}`);
    walls.push(ms);
    running = await startBenchDaemon(cleanup, home);
  }
  say('median', milliseconds(median(walls)));
});

function isStatusOf(stdout: string, root: string): boolean {
  const { repository } = JSON.parse(stdout) as { repository: { root: string } };
  return repository.root === root;
}
