import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judge, report, type Verdict } from './verdict.ts';

/**
 * `npm run oracle -- --seeds 200 --operations 500 [--from 1] [--results oracle.jsonl]`: judges seed after seed and keeps
 * each verdict with the commit as a line of the results; seeds that have a line of this commit are passed over.
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

for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
  if (judged.has(seed)) continue;
  const startedMs = performance.now();
  const verdict = await judge(seed, operations, Number(values.shrink)).catch((error: Error) => error);
  if (verdict instanceof Error) {
    process.stdout.write(`seed ${seed}: did not begin, which says nothing of it: ${verdict.message}\n`);
    continue;
  }
  const line: Line = { commit, ...verdict, seconds: Math.round((performance.now() - startedMs) / 1000) };
  judged.set(seed, line);
  appendFileSync(values.results, `${JSON.stringify(line)}\n`);
  process.stdout.write(`seed ${seed}: ${verdict.ok ? 'ok' : `FAILED\n${report(verdict)}`} (${line.seconds} s)\n`);
}
const failed = [...judged.values()].filter(({ ok }) => !ok);
process.stdout.write(`${judged.size} seeds, ${failed.length} failed; ${values.results}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
