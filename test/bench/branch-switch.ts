import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '../../client/client.ts';
import { createClient } from '../../client/client.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { callerIn, temporaryHome } from '../support/daemon.ts';
import {
  type BenchDaemon,
  publicationsIn,
  register,
  type SampledSymbol,
  sampleSymbols,
  startBenchDaemon,
} from './bench-daemon.ts';
import { type Branch, markerOf, writeLargeTree } from './large-tree.ts';
import { bench, benchArguments, cpuSecondsOf, figuresOf, milliseconds, pause, say, spread, timed } from './measure.ts';

/**
 * Switches a made-up repository between two branches that differ in every file, asking all the while.
 *
 *   node dist/test/bench/branch-switch.js [--files 10000] [--symbols 100000] [--rounds 2]
 */
const { flag } = benchArguments();
const files = flag('files', 10_000);
const symbols = flag('symbols', 100_000);
const rounds = flag('rounds', 2);

await bench(async cleanup => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  cleanup.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'tree');
  writeLargeTree(root, { files, symbols });
  // The log is read for publications: it must not be rotated meanwhile.
  const daemon = await startBenchDaemon(cleanup, temporaryHome(cleanup, { SVC_LOG_FILE_BYTES: String(2 ** 30) }));
  const first = await timed(() => register(daemon, root));
  const repo = first.value.id;
  const { cpuSeconds, peakMb } = figuresOf(daemon.pid);
  say(
    `${first.value.files} files, ${first.value.symbols} symbols`,
    `indexed in ${(first.ms / 1000).toFixed(1)} s`,
    `${cpuSeconds.toFixed(1)} s CPU`,
    `peak ${Math.round(peakMb)} MB`,
  );
  for (let round = 0; round < rounds; round++) {
    for (const branch of ['other', 'main'] as const) {
      await switchTo(cleanup, daemon, repo, root, branch);
    }
  }
  say('peak resident', `${Math.round(figuresOf(daemon.pid).peakMb)} MB`);
});

async function switchTo(
  cleanup: Parameters<typeof startBenchDaemon>[0],
  daemon: BenchDaemon,
  repo: string,
  root: string,
  branch: Branch,
): Promise<void> {
  const before = { publications: publicationsIn(daemon.home, repo).length, cpu: cpuSecondsOf(daemon.pid) };
  const sample = await sampleSymbols(daemon.client, repo);
  const watching = new AbortController();
  const observers = [observeTrees, observeSymbols, observeSearches].map(observe => {
    const caller = callerIn(daemon.home);
    cleanup.after(() => caller.close());
    return observe(createClient(caller), repo, sample, watching.signal);
  });
  const checkout = await timed(() => promisify(execFile)('git', ['checkout', '--quiet', branch], { cwd: root }));
  const settled = await timed(() => untilTree(daemon.client, repo, branch));
  watching.abort();
  const [mixed = [], symbolTimes = [], searchTimes = []] = await Promise.all(observers);
  const publications = publicationsIn(daemon.home, repo).slice(before.publications);
  const parsed = publications.reduce((sum, one) => sum + one.filesParsed, 0);
  say(`to ${branch}`, `git ${milliseconds(checkout.ms)}`, `then ${milliseconds(settled.ms)} to the synced answer`);
  say('  publications', `${publications.length}`, `${parsed} files parsed`, `${mixed.length} mixed trees`);
  say('  symbol meanwhile', spread(symbolTimes));
  say('  search meanwhile', spread(searchTimes));
  say('  daemon, CPU', `${(cpuSecondsOf(daemon.pid) - before.cpu).toFixed(2)} s`);
}

async function untilTree(client: Client, repo: string, branch: Branch): Promise<void> {
  for (;;) {
    const total = await totalOf(client, repo, branch, true);
    if (total === files) return;
    if (total !== undefined) throw new Error(`the synced answer has ${total} of ${files} files on ${branch}`);
  }
}

/** Files whose marker is the branch's; undefined where that could not be told in time, which is no wrong answer. */
async function totalOf(client: Client, repo: string, branch: Branch, sync: boolean): Promise<number | undefined> {
  try {
    return (await client.symbols.search({ q: markerOf[branch], limit: 1, repo, sync })).total;
  } catch (error) {
    if (error instanceof Fault && (error.reason === 'indexStale' || error.reason === 'timeout')) return undefined;
    throw error;
  }
}

type Sample = readonly SampledSymbol[];

/** Totals of markers that no single branch has: every answer must see all files of a branch or none. */
async function observeTrees(client: Client, repo: string, _: Sample, signal: AbortSignal): Promise<number[]> {
  const mixed: number[] = [];
  while (!signal.aborted) {
    const total = await totalOf(client, repo, 'other', false);
    if (total !== undefined && total !== 0 && total !== files) mixed.push(total);
    await pause(100);
  }
  return mixed;
}

function observeSymbols(client: Client, repo: string, sample: Sample, signal: AbortSignal): Promise<number[]> {
  return askAll(sample, signal, ({ id }) => client.symbols.get({ id, repo }));
}

function observeSearches(client: Client, repo: string, sample: Sample, signal: AbortSignal): Promise<number[]> {
  return askAll(sample, signal, ({ name }) => client.symbols.search({ q: name, limit: 20, repo }));
}

async function askAll(
  sample: Sample,
  signal: AbortSignal,
  ask: (symbol: SampledSymbol) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const symbol = sample[times.length % sample.length]!;
    // A symbol that only the other branch has is answered too: that it is gone.
    const { ms } = await timed(() => ask(symbol).catch(() => undefined));
    times.push(ms);
    await pause(2);
  }
  return times;
}
