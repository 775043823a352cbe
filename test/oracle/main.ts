import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judge, report, type Verdict } from './verdict.ts';

/**
 * `npm run oracle -- --seeds 200 --operations 500 [--from 1] [--at-once 3] [--results oracle.jsonl]`: judges seeds, three at
 * once, for each waits as much as it works, and keeps each verdict with the commit as a line of the results; seeds that
 * have a line of this commit are passed over, those that a time limit ended are judged again.
 */
interface Line extends Verdict {
  readonly commit: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    operations: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '3' },
    shrink: { type: 'string', default: '80' },
    results: { type: 'string', default: 'oracle.jsonl' },
  },
});
const operations = Number(values.operations);
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40'], { encoding: 'utf8' }).trim();
const lines = existsSync(values.results) ? readFileSync(values.results, 'utf8').trim().split('\n') : [];
const done = lines
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Line)
  .filter(line => line.commit === commit && line.operations === operations);
const judged = new Map(done.map(line => [line.seed, line]));

const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.from) + index);
const waiting = seeds.filter(seed => !judged.has(seed));
await Promise.all(Array.from({ length: Number(values['at-once']) }, judgeWaiting));

async function judgeWaiting(): Promise<void> {
  for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) await judgeOne(seed);
}

async function judgeOne(seed: number): Promise<void> {
  const startedMs = performance.now();
  const verdict = await judge(seed, operations, Number(values.shrink)).catch((error: Error) => error);
  const unjudged = verdict instanceof Error ? `did not begin: ${verdict.message}` : verdict.tooSlow;
  if (verdict instanceof Error || unjudged !== undefined) {
    process.stdout.write(`seed ${seed}: ended by time, which says nothing of it: ${unjudged}\n`);
    return;
  }
  const line: Line = { commit, ...verdict, seconds: Math.round((performance.now() - startedMs) / 1000) };
  judged.set(seed, line);
  appendFileSync(values.results, `${JSON.stringify(line)}\n`);
  const outcome = verdict.ok
    ? `ok, ${verdict.compared} compared, ${verdict.spoilt} while something failed`
    : `FAILED\n${report(verdict)}`;
  process.stdout.write(`seed ${seed}: ${outcome} (${line.seconds} s)\n`);
}

const all = [...judged.values()];
const failed = all.filter(({ ok }) => !ok);
const sum = (of: (line: Line) => number): number => all.reduce((total, line) => total + of(line), 0);
const barriers = `${sum(({ compared }) => compared)} compared, ${sum(({ stale }) => stale.length)} answered as stale`;
process.stdout.write(
  `${all.length} of ${seeds.length} seeds judged, ${failed.length} failed; ${barriers}; ${values.results}\n`,
);
process.exitCode = failed.length > 0 || all.length < seeds.length ? 1 : 0;
