import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { type Home, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { type BenchDaemon, startBenchDaemon } from './bench-daemon.ts';
import {
  bench,
  benchArguments,
  figuresOf,
  median,
  milliseconds,
  pause,
  quantile,
  say,
  spread,
  timed,
} from './measure.ts';
import { repeatedIndex } from './repeat-scip.ts';

/**
 * What an index server takes: an upload; a walk over all symbols by pages of 1,000 while further uploads are published; mixed
 * reads at a steady rate, first alone, then while an upload is taken in.
 *
 *   node dist/test/bench/index-server.js [index.scip[.gz]] [--repeat 1] [--uploads 3] [--rate 200] [--seconds 15]
 *
 * The file is that of `SVC_BENCH_SCIP` where none is named. With `--repeat` it is of that many copies whose paths and names
 * differ; uploads meanwhile are of the file itself, in turn with a copy of it under other names.
 */
const { operands, flag } = benchArguments();
const given = operands[0] ?? process.env['SVC_BENCH_SCIP'];
const repo = 'acme/bench';
const agent = new Agent({ connections: 32 });
const sender = fileURLToPath(new URL('./send-file.js', import.meta.url));

await bench(async cleanup => {
  if (given === undefined) throw new Error('Name a SCIP index, or set SVC_BENCH_SCIP');
  const folder = temporaryFolder(cleanup);
  const file = given.endsWith('.gz') ? folder.path('given.scip') : given;
  if (file !== given) writeFileSync(file, gunzipSync(readFileSync(given)));
  const copies = flag('repeat', 1);
  const large = copies === 1 ? file : folder.path('large.scip');
  if (copies > 1) repeatedIndex(file, copies, large);
  const other = folder.path('other.scip');
  repeatedIndex(file, 2, other);
  const daemon = await startBenchDaemon(cleanup, homeWithServer(cleanup));
  const { value: uploaded, ms } = await timed(() => upload(daemon, large));
  say('upload', `${Math.round(statSync(large).size / 2 ** 20)} MiB`, milliseconds(ms), JSON.stringify(uploaded));
  say('peak memory of the daemon', `${Math.round(figuresOf(daemon.pid).peakMb)} MB`);
  await walkWhilePublishing(daemon, [file, other]);
  await upload(daemon, large);
  await loadWhileUploading(daemon, large);
});

function homeWithServer(cleanup: Cleanup): Home {
  const home = temporaryHome(cleanup);
  home.configure('[index_server]\nenabled = true\n');
  return home;
}

async function upload({ url, token }: BenchDaemon, scip: string): Promise<unknown> {
  const to = `${url}/index/repos/${encodeURIComponent(repo)}/upload`;
  const { stdout } = await promisify(execFile)(process.execPath, [sender, to, token, scip]);
  return (JSON.parse(stdout) as { readonly data: { readonly stats: unknown } }).data.stats;
}

interface Page {
  readonly data: {
    readonly symbols: readonly { readonly id: string; readonly name: string; readonly file_path: string }[];
  };
  readonly meta: { readonly cursor?: string; readonly has_more: boolean; readonly total: number };
}

async function get<Answer>({ url, token }: BenchDaemon, path: string): Promise<Answer> {
  const { statusCode, body } = await request(`${url}/index/repos/${encodeURIComponent(repo)}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    dispatcher: agent,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}

/** Pages at either end are told apart: what they cost must not hang on how deep they are. */
async function walkWhilePublishing(daemon: BenchDaemon, others: readonly string[]): Promise<void> {
  const uploads = flag('uploads', 3);
  const ids = new Set<string>();
  const times: number[] = [];
  let rows = 0;
  let published = 0;
  let publishing: Promise<unknown> = Promise.resolve();
  for (let cursor = ''; ; ) {
    const { value: page, ms } = await timed(() => get<Page>(daemon, `/symbols?limit=1000${cursor}`));
    times.push(ms);
    rows += page.data.symbols.length;
    for (const { id } of page.data.symbols) ids.add(id);
    const share = rows / page.meta.total;
    if (published < uploads && share > (published + 1) / (uploads + 1)) {
      const next = others[published++ % others.length]!;
      publishing = publishing.then(() => upload(daemon, next));
    }
    if (!page.meta.has_more) {
      if (ids.size !== page.meta.total || rows !== ids.size) {
        throw new Error(`${rows} rows, ${ids.size} ids of ${page.meta.total}`);
      }
      break;
    }
    cursor = `&cursor=${page.meta.cursor}`;
  }
  await publishing;
  const [first, last] = [times.slice(1, 21), times.slice(-21, -1)];
  say('walk', `${rows} symbols, each once`, `${times.length} pages`, `${published} uploads published`, spread(times));
  say('first page', milliseconds(times[0]!));
  say('first 20 pages', spread(first));
  say('last 20 full pages', spread(last), `ratio ${(median(last) / median(first)).toFixed(2)}`);
}

async function loadWhileUploading(daemon: BenchDaemon, scip: string): Promise<void> {
  const questions = await mixedQuestions(daemon);
  const seconds = flag('seconds', 15);
  await atRate(daemon, questions, passed => passed < 2);
  const alone = await atRate(daemon, questions, passed => passed < seconds);
  say('mixed reads', `${flag('rate', 200)} a second`, spread(alone), `p99 ${milliseconds(quantile(alone, 0.99))}`);
  let isDone = false;
  let uploads = 0;
  const uploading = (async () => {
    while (!isDone) {
      await upload(daemon, scip);
      uploads++;
    }
  })();
  await pause(1000);
  // What is made ready, and read first, once an index is published is part of it.
  const beside = await atRate(daemon, questions, passed => passed < seconds || uploads === 0);
  isDone = true;
  await uploading;
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  say(
    'while uploads are taken in',
    ...[
      spread(beside),
      `p99 ${milliseconds(quantile(beside, 0.99))}`,
      `ratio ${ratio.toFixed(2)}`,
      `${uploads} uploads`,
    ],
  );
}

/** Of a hundred: 40 single symbols, 15 searches, 15 lists of references, 10 pages of symbols, 10 of one file's, 5 batches, 5 metadata. */
async function mixedQuestions(daemon: BenchDaemon): Promise<readonly string[]> {
  const { data } = await get<Page>(daemon, '/symbols?limit=1000');
  const random = randomFrom(1);
  const one = () => data.symbols[Math.floor(random() * data.symbols.length)]!;
  return Array.from({ length: 2000 }, () => {
    const at = random() * 100;
    const { id, name, file_path } = one();
    if (at < 40) return `/symbols/${encodeURIComponent(id)}`;
    if (at < 55) return `/search/symbols?q=${encodeURIComponent(name.slice(0, 6))}&limit=20`;
    if (at < 70) return `/refs?to_symbol_id=${encodeURIComponent(id)}&limit=100`;
    if (at < 80) return '/symbols?limit=100';
    if (at < 90) return `/symbols?file=${encodeURIComponent(file_path)}`;
    if (at < 95) return `/callgraph?caller_id=${encodeURIComponent(id)}`;
    return '/meta';
  });
}

/** Asks at a steady rate, whatever the answers take, for so many seconds; the time of each from when it was due. */
async function atRate(
  daemon: BenchDaemon,
  questions: readonly string[],
  goesOn: (passedSeconds: number) => boolean,
): Promise<readonly number[]> {
  const rate = flag('rate', 200);
  const times: number[] = [];
  const waiting: Promise<void>[] = [];
  const startMs = performance.now();
  for (let at = 0; goesOn(at / rate); at++) {
    const dueMs = startMs + (at * 1000) / rate;
    const early = dueMs - performance.now();
    if (early > 1) await pause(early);
    const path = questions[at % questions.length]!;
    waiting.push(
      get(daemon, path).then(() => {
        times.push(performance.now() - dueMs);
      }),
    );
  }
  await Promise.all(waiting);
  return times;
}
