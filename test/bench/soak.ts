import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomFrom } from '../support/synthetic.ts';
import {
  type BenchDaemon,
  cloneOf,
  register,
  type SampledSymbol,
  sampleSymbols,
  startBenchDaemon,
} from './bench-daemon.ts';
import { functionFor, someFiles } from './edited-files.ts';
import { bench, benchArguments, figuresOf, pause, say } from './measure.ts';

/**
 * Keeps a daemon at work for long, with saves, searches, references and symbols at once, and prints what grows: by the
 * minute, as slopes over the second half, and at rest before and after.
 *
 *   node dist/test/bench/soak.js [git checkout] [--minutes 10] [--rest 90]
 */
const { operands, flag } = benchArguments();
const source = resolve(operands[0] ?? '.');
const minutes = flag('minutes', 10);
const restMs = flag('rest', 90) * 1000;
const sampleMs = 5000;

await bench(async cleanup => {
  const root = cloneOf(source, cleanup);
  const daemon = await startBenchDaemon(cleanup);
  const { id, files, symbols } = await register(daemon, root);
  say(`${files} files`, `${symbols} symbols`);
  const sample = await sampleSymbols(daemon.client, id);
  await rest('at rest before', daemon);
  const endsAt = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() > endsAt;
  const done = { saves: 0, questions: 0 };
  const [samples] = await Promise.all([
    watch(daemon, done, isOver),
    ...[1, 2, 3].map(seed => ask(daemon, id, sample, randomFrom(seed), done, isOver)),
    save(daemon, id, someFiles(root, 50), done, isOver),
  ]);
  say(`${done.saves} saves`, `${done.questions} questions`);
  for (const key of ['residentMb', 'files', 'threads', 'homeMb', 'homeFiles'] as const)
    say(`${key}, growth in ten minutes`, slope(samples.slice(samples.length / 2), key).toFixed(1));
  await rest('at rest after', daemon);
});

interface Sample {
  readonly minute: number;
  readonly residentMb: number;
  /** Descriptors that are open. */
  readonly files: number;
  readonly threads: number;
  /** What lies in the daemon's own folders, its log and temporary files included. */
  readonly homeMb: number;
  readonly homeFiles: number;
}

async function watch(
  daemon: BenchDaemon,
  done: { readonly saves: number; readonly questions: number },
  isOver: () => boolean,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (!isOver()) {
    await pause(sampleMs);
    const sample = sampleOf(daemon, (performance.now() - startedAt) / 60_000);
    samples.push(sample);
    if (samples.length % 12 === 0)
      say(`minute ${Math.round(sample.minute)}`, wordsOf(sample), `${done.saves} saves, ${done.questions} questions`);
  }
  return samples;
}

/** One question after the other, most of them for what people ask most. */
async function ask(
  { client }: BenchDaemon,
  repo: string,
  sample: readonly SampledSymbol[],
  random: () => number,
  done: { questions: number },
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const { id, name } = sample[Math.floor(random() * sample.length)]!;
    const kind = random();
    const answer =
      kind < 0.4
        ? client.symbols.search({ q: name.slice(0, 2 + Math.floor(random() * 6)), repo })
        : kind < 0.7
          ? client.symbols.refs({ id, repo })
          : client.symbols.get({ id, repo });
    await answer;
    done.questions++;
    await pause(random() * 40);
  }
}

/** Saves a file about twice a second: its first text, and a function of a new name. */
async function save(
  { client }: BenchDaemon,
  repo: string,
  paths: readonly string[],
  done: { saves: number },
  isOver: () => boolean,
): Promise<void> {
  const first = paths.map(path => readFileSync(path, 'utf8'));
  while (!isOver()) {
    const at = done.saves++ % paths.length;
    const name = `soaked${done.saves}`;
    writeFileSync(paths[at]!, first[at] + functionFor(paths[at]!, name));
    const { total } = await client.symbols.search({ q: name, limit: 1, repo, sync: true });
    if (total === 0) throw new Error(`${name} is missing from a synced answer`);
    await pause(500);
  }
}

async function rest(label: string, daemon: BenchDaemon): Promise<void> {
  await pause(restMs);
  const before = wakeUpsOf(daemon.pid);
  await pause(10_000);
  const wakeUps = (wakeUpsOf(daemon.pid) - before) / 10;
  say(label, wordsOf(sampleOf(daemon, 0)), `${wakeUps.toFixed(1)} wake-ups a second`);
}

function sampleOf({ pid, home }: BenchDaemon, minute: number): Sample {
  const sizes = sizesBelow(home.path);
  return {
    minute,
    residentMb: figuresOf(pid).rssMb,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    homeMb: sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20,
    homeFiles: sizes.length,
  };
}

function wordsOf({ residentMb, files, threads, homeMb, homeFiles }: Sample): string {
  return `${Math.round(residentMb)} MB resident, ${files} descriptors, ${threads} threads, ${homeMb.toFixed(1)} MB in ${homeFiles} files`;
}

function sizesBelow(folder: string): readonly number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => statSync(join(folder, path), { throwIfNoEntry: false }))
    .flatMap(found => (found?.isFile() ? [found.size] : []));
}

/** How often its threads have gone to sleep: a timer too many shows here. Threads that have ended took theirs along. */
function wakeUpsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const status = threads.map(thread => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
  return status.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0);
}

/** Growth in ten minutes: the line of least squares. */
function slope(samples: readonly Sample[], key: keyof Sample): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [minute, value] = [mean(one => one.minute), mean(one => one[key])];
  const both = mean(one => (one.minute - minute) * (one[key] - value));
  return (10 * both) / mean(one => (one.minute - minute) ** 2);
}
