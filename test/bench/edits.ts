import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DaemonEvent } from '../../client/protocol/caller.ts';
import { type BenchDaemon, cloneOf, publicationsIn, register, startBenchDaemon } from './bench-daemon.ts';
import { functionFor, someFiles } from './edited-files.ts';
import { bench, benchArguments, cpuSecondsOf, milliseconds, pause, quantile, say, spread } from './measure.ts';

/**
 * Saves files of a copy of a real repository, each with one new function, and measures from the return of the write to the
 * first answer over the socket that has the function: asked when the daemon announces a snapshot, then with `sync`.
 *
 *   node dist/test/bench/edits.js <git checkout> [--edits 200]
 */
const { operands, flag } = benchArguments();
const source = resolve(operands[0] ?? '.');
const edits = flag('edits', 200);

await bench(async cleanup => {
  const root = cloneOf(source, cleanup);
  const daemon = await startBenchDaemon(cleanup);
  const { id, files, symbols } = await register(daemon, root);
  say(`${files} files`, `${symbols} symbols`);
  const edited = someFiles(root, 2 * edits);
  await measure('announced, then asked', daemon, id, edited.slice(0, edits), announced);
  await measure('asked with sync', daemon, id, edited.slice(edits), synced);
});

type Wait = (daemon: BenchDaemon, repo: string, name: string, write: () => number) => Promise<number>;

async function measure(
  label: string,
  daemon: BenchDaemon,
  repo: string,
  paths: readonly string[],
  wait: Wait,
): Promise<void> {
  const before = { cpu: cpuSecondsOf(daemon.pid), publications: publicationsIn(daemon.home, repo).length };
  const times: number[] = [];
  for (const [at, path] of paths.entries()) {
    const name = `benchProbe${label.length}x${at}`;
    const write = (): number => {
      appendFileSync(path, functionFor(path, name));
      return performance.now();
    };
    times.push(await wait(daemon, repo, name, write));
    // As somebody who saves again and again, not as a stream that settles late.
    await pause(60);
  }
  say(label, spread(times));
  const spent = cpuSecondsOf(daemon.pid) - before.cpu;
  const runs = publicationsIn(daemon.home, repo).slice(before.publications);
  const inside = runs.map(run => run.durationMs);
  say('  daemon, CPU of an edit', milliseconds((spent / paths.length) * 1000), `${runs.length} publications`);
  say(
    '  of it from reading to published',
    `p50 ${milliseconds(quantile(inside, 0.5))}`,
    `p95 ${milliseconds(quantile(inside, 0.95))}`,
  );
}

async function announced(
  { caller, client }: BenchDaemon,
  repo: string,
  name: string,
  write: () => number,
): Promise<number> {
  let stop = (): void => {};
  let written = Number.POSITIVE_INFINITY;
  const seen = new Promise<number>((resolve, reject) => {
    const listen = ({ type, body }: DaemonEvent): void => {
      if (type !== 'snapshot.published' || body['repo'] !== repo) return;
      isThere(client, repo, name, false).then(yes => yes && resolve(performance.now()), reject);
    };
    caller.subscribe(listen).then(end => {
      stop = end;
      written = write();
    }, reject);
  });
  const at = await seen;
  stop();
  return at - written;
}

async function synced({ client }: BenchDaemon, repo: string, name: string, write: () => number): Promise<number> {
  const written = write();
  if (!(await isThere(client, repo, name, true))) throw new Error(`${name} is missing from a synced answer`);
  return performance.now() - written;
}

async function isThere(client: BenchDaemon['client'], repo: string, name: string, sync: boolean): Promise<boolean> {
  const { results } = await client.symbols.search({ q: name, limit: 1, repo, sync });
  return results[0]?.name === name;
}
