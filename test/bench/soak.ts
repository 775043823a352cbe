import { resolve } from 'node:path';
import { svc, temporaryHome } from '../support/daemon.ts';
import { randomFrom } from '../support/synthetic.ts';
import { cloneOf, startBenchDaemon, stopBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, pause, say } from './measure.ts';
import { restVerdicts, type Sample, verdicts } from './soak/bounds.ts';
import { type Figures, figures, logFiles, silentMs, type Watched, wakeUpsOf, watchedPlaces } from './soak/figures.ts';
import { count, type Load, loadConfiguration, prepare, type Work, works } from './soak/load.ts';

/**
 * Keeps a daemon at work for long, with questions of every kind, saves, branches that change, artifacts, uploads and
 * production's calls at once, and prints what grows: by the minute, as slopes over the second half, and at rest before
 * and after. Exits 1 where that is not flat (`soak/bounds.ts`), where the log is larger than it may be, open to others, or
 * has a line that is no JSON, and where an answer was a failure.
 *
 *   npm run soak [-- <git checkout> --minutes 10 --rest 150]
 */
const { operands, flag } = benchArguments();
const source = resolve(operands[0] ?? '.');
const minutes = flag('minutes', 10);
const restMs = flag('rest', 150) * 1000;
const sampleMs = 5000;
/** Of work before the first rest, so that what is compiled once is no growth. */
const warmUpMinutes = Math.min(2, minutes / 2);
/** How long a thread may go on with what was begun, beyond the rest. */
const mostRestMs = 300_000;
/** Small, so that in ten minutes it is rotated many times. */
const logged = { bytes: 2 ** 17, files: 5 };

await bench(async cleanup => {
  const places = watchedPlaces(cleanup);
  const home = temporaryHome(cleanup, { ...places.env, SVC_LOG_LEVEL: 'debug' });
  home.configure(`${loadConfiguration}[log]\nfile_bytes = ${logged.bytes}\nfiles = ${logged.files}\n`);
  // As users have it, and not with the switches of tests, whose daemons live for seconds.
  await svc(home, ['daemon', 'start']);
  const daemon = await startBenchDaemon(cleanup, home);
  cleanup.after(() => stopBenchDaemon(daemon));
  const load = await prepare(cleanup, daemon, cloneOf(source, cleanup));
  const watched = { pid: daemon.pid, home, places };
  const idle = await rest('at rest', watched);
  await atWork(watched, load, warmUpMinutes, 'warming up');
  const before = await rest('at rest before', watched, idle.threads);
  const samples = await atWork(watched, load, minutes, 'minute');
  say('done', doneIn(load));
  for (const [what, times] of load.refused) say('refused', what, String(times));
  const after = await rest('at rest after', watched, before.threads);
  const mostLogMb = (logged.files * logged.bytes) / 2 ** 20;
  const found = [...verdicts(samples, mostLogMb), ...restVerdicts(before, after)];
  for (const { line } of found) say(line);
  const faults = [
    ...found.filter(({ isFlat }) => !isFlat).map(({ line }) => line),
    ...[...load.failed].map(([what, times]) => `failed ${times} times: ${what}`),
    ...logFaults(watched),
  ];
  for (const fault of faults) say('FAULT', fault);
  say(faults.length === 0 ? 'flat' : `${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
});

/** Of so many minutes of everything at once. */
async function atWork(watched: Watched, load: Load, minutes: number, label: string): Promise<readonly Sample[]> {
  const endsAt = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() > endsAt;
  const workers = works.flatMap(one =>
    Array.from({ length: one.atOnce }, (_, seed) => keepAt(one, load, seed + 1, isOver)),
  );
  const [samples] = await Promise.all([watch(watched, load, label, isOver), ...workers]);
  return samples;
}

async function keepAt(work: Work, load: Load, seed: number, isOver: () => boolean): Promise<void> {
  const random = randomFrom(seed);
  while (!isOver()) {
    await work.once(load, random);
    count(load.done, work.name);
    await pause(work.pauseMs * (0.5 + random()));
  }
}

async function watch(watched: Watched, load: Load, label: string, isOver: () => boolean): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (!isOver()) {
    await pause(sampleMs);
    const sample = { ...figures(watched), minute: (performance.now() - startedAt) / 60_000 };
    samples.push(sample);
    if (samples.length % 12 === 0) say(`${label} ${Math.round(sample.minute)}`, wordsOf(sample), doneIn(load));
  }
  return samples;
}

/** `threads`: as many as are left of them in the end. */
async function rest(label: string, watched: Watched, threads = Number.POSITIVE_INFINITY): Promise<Figures> {
  const until = performance.now() + restMs + mostRestMs;
  await pause(restMs);
  while (figures(watched).threads > threads && performance.now() < until) await pause(sampleMs);
  // The figures of a thread that has ended are counted for a while.
  await pause(silentMs);
  // What is freed behind a collection is garbage of the next: one left 53 MB where the second left 42.
  for (let times = 0; times < 2; times++) {
    watched.places.collect();
    await pause(3000);
  }
  const before = wakeUpsOf(watched.pid);
  await pause(10_000);
  const wakeUps = (wakeUpsOf(watched.pid) - before) / 10;
  const found = figures(watched);
  say(label, wordsOf(found), `${wakeUps.toFixed(1)} wake-ups a second`);
  return found;
}

function doneIn({ done }: Load): string {
  return works.map(({ name }) => `${done.get(name) ?? 0} ${name}`).join(', ');
}

function wordsOf({ residentMb, keptMb, walMb, logMb, homeMb, ...counts }: Figures): string {
  const { descriptors, threads, timers, programs, temporaryFiles } = counts;
  const numbers = `${descriptors} descriptors, ${threads} threads, ${timers} timers, ${programs} programs`;
  const sizes = `WAL ${walMb.toFixed(1)}, log ${logMb.toFixed(1)}, all ${homeMb.toFixed(0)} MB`;
  return `${Math.round(residentMb)} MB resident, ${Math.round(keptMb)} kept, ${numbers}, ${temporaryFiles} temporary files, ${sizes}`;
}

function logFaults({ home }: Watched): readonly string[] {
  const files = logFiles(home);
  const faults: string[] = [];
  if (files.length > logged.files) faults.push(`${files.length} log files`);
  if (files.some(({ size }) => size > logged.bytes)) faults.push('a log file is larger than it may be');
  if (files.some(({ mode }) => (mode & 0o777) !== 0o600)) faults.push('a log file is open to others');
  try {
    home.log();
  } catch (error) {
    faults.push(`the log has a line that is no JSON: ${String(error)}`);
  }
  return faults;
}
