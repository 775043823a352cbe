import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scipChunks } from '../../daemon/extract/scip/chunks.ts';
import { defaultScipLimits } from '../../daemon/extract/scip/limits.ts';
import { readScip, type ScipReading, scipTables } from '../../daemon/extract/scip/read-scip.ts';
import { ScratchMemory } from '../../daemon/extract/scip/scratch-memory.ts';
import { bench, benchArguments, figuresOf, median, milliseconds, say, timed } from './measure.ts';

/**
 * What reading a SCIP index costs without doing anything with it.
 *
 *   node dist/test/bench/read-scip.js <file> [--runs 7] [--describe 1]
 *
 * `--describe 1` also makes the text of all that the documents tell of their symbols.
 */
const { operands, flag } = benchArguments();
const [file] = operands;

await bench(async () => {
  if (file === undefined) throw new Error('Name a SCIP index');
  const times: number[] = [];
  const processorTimes: number[] = [];
  let last: Counted | undefined;
  for (let run = flag('runs', 7); run > 0; run--) {
    const before = process.cpuUsage();
    const { value, ms } = await timed(() => readAll(file, flag('describe', 0) !== 0));
    const { user, system } = process.cpuUsage(before);
    times.push(ms);
    processorTimes.push((user + system) / 1000);
    last = value;
  }
  show(last!, times, processorTimes);
});

interface Counted {
  readonly reading: ScipReading;
  readonly occurrences: number;
  readonly described: number;
}

async function readAll(path: string, describe: boolean): Promise<Counted> {
  let occurrences = 0;
  let described = 0;
  const memory = new ScratchMemory(join(tmpdir(), `svc-scratch-${process.pid}`));
  const reading = await readScip(
    scipChunks(path),
    defaultScipLimits,
    {
      metadata: () => {},
      document: document => {
        occurrences += document.occurrences.count;
        described += document.described.length;
        if (describe) for (let row = 0; row < document.described.length; row++) document.information(row);
      },
      external: () => {},
    },
    scipTables(defaultScipLimits, memory),
  );
  memory.close();
  return { reading, occurrences, described };
}

function show(counted: Counted, times: readonly number[], processorTimes: readonly number[]): void {
  const { reading, occurrences, described } = counted;
  const megabytes = reading.bytes / 1e6;
  say('index', `${megabytes.toFixed(1)} MB`, `${reading.accepted} of ${reading.documents} documents`);
  say('rows', `${occurrences} occurrences`, `${reading.symbols.count} symbols`, `${described} described`);
  say('not taken in', JSON.stringify(Object.fromEntries(reading.report.counts)));
  say('first run', milliseconds(times[0]!), `processor ${milliseconds(processorTimes[0]!)}`);
  say('median', milliseconds(median(times)), `processor ${milliseconds(median(processorTimes))}`);
  say('quickest', milliseconds(Math.min(...times)), `processor ${milliseconds(Math.min(...processorTimes))}`);
  say('rate', `${Math.round(megabytes / (median(times) / 1000))} MB/s`);
  say('memory', `peak ${Math.round(figuresOf(process.pid).peakMb)} MB`);
}
