import { statSync } from 'node:fs';
import { scipChunks } from '../../daemon/extract/scip/chunks.ts';
import { defaultScipLimits } from '../../daemon/extract/scip/limits.ts';
import { readScip, scipTables } from '../../daemon/extract/scip/read-scip.ts';
import { ScratchMemory } from '../../daemon/extract/scip/scratch-memory.ts';
import { uploadIndex } from '../../daemon/jobs/upload/service.ts';
import { searchedCatalogues } from '../../daemon/operations/symbols/search-catalogue.ts';
import { openIndexReader } from '../../daemon/store/index-reader.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../support/repository.ts';
import { bench, benchArguments, figuresOf, median, milliseconds, say, timed } from './measure.ts';
import { repeatedIndex } from './repeat-scip.ts';

/**
 * What it takes from a SCIP index of a repository without source to the first answers, and what that leaves on disk.
 *
 *   node dist/test/bench/ingest-scip.js [file] [--runs 5] [--repeat 25]
 *
 * The file is that of `SVC_BENCH_SCIP` where none is named. The first run has cold code, as a daemon's first one has. With
 * `--repeat` a file is made of that many copies whose paths and names differ, and taken in once.
 */
const { operands, flag } = benchArguments();
const file = operands[0] ?? process.env['SVC_BENCH_SCIP'];

await bench(async cleanup => {
  if (file === undefined) throw new Error('Name a SCIP index, or set SVC_BENCH_SCIP');
  const folder = temporaryFolder(cleanup);
  const copies = flag('repeat', 1);
  const index = copies === 1 ? file : folder.path('repeated.scip');
  if (copies > 1) repeatedIndex(file, copies, index);
  const runs: Run[] = [];
  for (let left = copies > 1 ? 1 : flag('runs', 7); left > 0; left--) {
    runs.push(await answering(index, folder.path('index.db')));
  }
  show(runs, await occurrencesIn(index, folder.path('scratch')));
});

async function occurrencesIn(scip: string, scratch: string): Promise<number> {
  let count = 0;
  const memory = new ScratchMemory(scratch);
  await readScip(
    scipChunks(scip),
    defaultScipLimits,
    {
      metadata: () => {},
      document: document => {
        count += document.occurrences.count;
      },
      external: () => {},
    },
    scipTables(defaultScipLimits, memory),
  );
  memory.close();
  return count;
}

interface Run {
  readonly ingestMs: number;
  /** Until a search, a symbol and its references are there too. */
  readonly answeredMs: number;
  readonly cpuMs: number;
  /** Of the process so far: once the file is in place, and once it answered. */
  readonly ingestPeakMb: number;
  readonly peakMb: number;
  readonly indexBytes: number;
  readonly fileBytes: number;
  readonly tables: Readonly<Record<string, number>>;
  readonly found: string;
}

async function answering(scip: string, target: string): Promise<Run> {
  const before = process.cpuUsage();
  const repo = { id: 'r', indexFile: target, worktreeKey: 'r' };
  const cancelFlag = new SharedArrayBuffer(4);
  const { value: uploaded, ms: ingestMs } = await timed(() =>
    uploadIndex(
      { run: 1, repo, file: scip, limits: defaultScipLimits, cancelFlag },
      new AbortController().signal,
      () => {},
    ),
  );
  const ingestPeakMb = figuresOf(process.pid).peakMb;
  const { value: found, ms } = await timed(() => firstAnswers(target));
  const { user, system } = process.cpuUsage(before);
  return {
    ingestMs,
    answeredMs: ingestMs + ms,
    cpuMs: (user + system) / 1000,
    ingestPeakMb,
    peakMb: figuresOf(process.pid).peakMb,
    indexBytes: uploaded.bytes,
    fileBytes: statSync(target).size,
    tables: tableBytes(target),
    found: `${JSON.stringify({ ...uploaded.counts, languages: undefined })} ${found}`,
  };
}

function firstAnswers(target: string): string {
  const reader = openIndexReader(target);
  try {
    const catalogue = reader.catalogue('r', 1)!;
    const { hits, total } = searchedCatalogues()
      .of(catalogue)
      .find({ text: 'create', kinds: undefined, scope: undefined }, 20);
    const [first] = hits;
    if (first === undefined) return `${total} found`;
    const [row] = reader.rows(catalogue, [{ definition: first.definition, name: first.name }]);
    const page = reader.references('r', 1, row!.hash, {
      includeTests: true,
      includeDefinition: true,
      merge: 'prefer-first',
      offset: 0,
      limit: 100,
    });
    return `${total} found, the first with ${page?.total ?? 0} occurrences`;
  } finally {
    reader.close();
  }
}

function tableBytes(target: string): Readonly<Record<string, number>> {
  const database = new Database(target, { readonly: true });
  try {
    const rows = database
      .prepare<[], { name: string; bytes: number }>('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
      .all();
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  } finally {
    database.close();
  }
}

function show(runs: readonly Run[], occurrences: number): void {
  const of = (figure: (run: Run) => number): string =>
    `first ${milliseconds(figure(runs[0]!))}   best ${milliseconds(Math.min(...runs.map(figure)))}   median ${milliseconds(median(runs.map(figure)))}`;
  const [first] = runs;
  if (first === undefined) return;
  say('index', `${(first.indexBytes / 1e6).toFixed(1)} MB`, first.found);
  say(
    'until the file is in place',
    of(run => run.ingestMs),
  );
  say(
    'until it answers',
    of(run => run.answeredMs),
  );
  say(
    'processor',
    of(run => run.cpuMs),
  );
  const most = (figure: (run: Run) => number): string => `${Math.round(Math.max(...runs.map(figure)))} MB`;
  say('memory', `peak ${most(run => run.ingestPeakMb)} taking it in`, `${most(run => run.peakMb)} with the answers`);
  const each = (bytes: number): string =>
    `${(bytes / occurrences).toFixed(1)} bytes of each of ${occurrences} occurrences`;
  say('on disk', `${(first.fileBytes / 1e6).toFixed(1)} MB`, each(first.fileBytes));
  const tables = Object.entries(first.tables).sort((a, b) => b[1] - a[1]);
  for (const [name, bytes] of tables.slice(0, 8)) say(`  ${name}`, `${(bytes / 1e6).toFixed(2)} MB`, each(bytes));
}
