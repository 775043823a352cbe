import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { symbolId } from '../../daemon/model/identity.ts';
import { type Asked, answerReferences } from '../../daemon/operations/symbols/answers.ts';
import { symbolSearch } from '../../daemon/operations/symbols/search.ts';
import type { Catalogue } from '../../daemon/store/catalogue/columns.ts';
import { openIndexWriter } from '../../daemon/store/index-db.ts';
import { type IndexReader, openIndexReader } from '../../daemon/store/index-reader.ts';
import { linkBatch } from '../../daemon/store/link-batch.ts';
import { plainSearch } from '../support/plain-search.ts';
import { type Made, randomFrom, syntheticRepository } from '../support/synthetic.ts';

/**
 * Builds an index of about 100,000 symbols through the writer and prints what the engine takes for a question, without
 * socket or thread: `node dist/test/bench/queries.js [files]`.
 *
 * FTS5 with trigrams over the same 68,601 names takes 0.48 s to build, and 0.2 ms (p95 0.6 ms) of processor time for the rows
 * of a six-letter substring, unranked; our pairs in memory take 0.5 ms (p95 1.4 ms), counted and ranked, and 0.08 s to
 * build. FTS5 finds nothing for one or two characters, camel-case words or near misses, which is why it isn't used.
 */
const files = Number(process.argv[2] ?? 2_600);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
try {
  const file = join(folder, 'index.db');
  build(file);
  const reader = openIndexReader(file, { cacheBytes: 48 * 1024 * 1024 });
  try {
    ask(reader, file);
  } finally {
    reader.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}

function build(file: string): void {
  const documents = [...syntheticRepository(files, 38, 190)];
  const writer = openIndexWriter(file);
  timed('store facts', () => writer.putFacts(documents.map(one => one.fact)));
  const publication = {
    entries: documents.map(one => one.entry),
    removed: [],
    linked: [linkBatch(documents.map(one => one.linked))],
    snapshotId: 'sha256:bench',
    publishedAt: Date.now(),
  };
  const published = timed('publish from empty', () => writer.publish('bench', publication));
  timed('move the log into the file', () => writer.checkpoint());
  say(
    `${published.counts.symbols} symbols, ${published.counts.references} references, ${published.counts.documents} documents`,
  );
  bodyEdits(writer, documents);
  writer.close();
  say(`index file ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}

function bodyEdits(writer: ReturnType<typeof openIndexWriter>, documents: readonly Made[]): void {
  const times = Array.from({ length: 200 }, (_, at) => {
    const one = documents[(at * 13) % documents.length]!;
    const hash = `${at.toString(16).padStart(64, '0')}` as typeof one.fact.hash;
    const key = { ...one.linked.key, hash };
    const started = performance.now();
    writer.publish('bench', {
      facts: [{ ...one.fact, hash }],
      entries: [{ ...one.entry, entry: { ...one.entry.entry, hash } }],
      removed: [],
      linked: [linkBatch([{ ...one.linked, key }])],
      snapshotId: `sha256:${at}`,
      publishedAt: Date.now(),
    });
    return performance.now() - started;
  });
  report('publish a body edit', times);
}

function ask(reader: IndexReader, indexFile: string): void {
  const snapshot = reader.snapshot('bench')!;
  const catalogue = timed('catalogue, cold', () => reader.catalogue('bench', snapshot.seq)!);
  const asked: Asked = {
    repo: { id: 'bench', indexFile, key: 'bench' },
    current: { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
    cursorSecret: '00',
    dirtyFiles: 0,
    now: 0,
  };
  const random = randomFrom(7);
  const rows = Array.from({ length: 2_000 }, () => {
    const definition = Math.floor(random() * catalogue.order.length);
    return reader.rows(catalogue, [{ definition, name: nameOf(catalogue, definition) }])[0]!;
  });
  const each = (label: string, work: (row: (typeof rows)[number]) => unknown): void => {
    for (const row of rows) work(row);
    report(
      label,
      rows.map(row => elapsed(() => work(row))),
    );
  };
  each('symbol', row => reader.symbol('bench', snapshot.seq, row.hash));
  const filters = {
    limit: 500,
    includeTests: true,
    includeDefinition: false,
    merge: 'prefer-first',
    sync: false,
  } as const;
  each('refs', row => answerReferences(reader, asked, { id: symbolId('bench', row.hash), ...filters }));
  const search = symbolSearch(reader, 32 * 2 ** 20);
  timed('name table, cold', () => search.answer(asked, { q: 'a', limit: 1, ...plainSearch }));
  const queries: Readonly<Record<string, (name: string) => string>> = {
    exact: name => name,
    prefix: name => name.slice(0, 6),
    camel: name => name.replace(/[^A-Z]/g, '').padStart(2, name[0]),
    substring: name => name.slice(3, 9),
    typo: name => name.slice(0, 3) + name.slice(4),
    'one character': name => name[0]!,
    'two characters': name => name.slice(0, 2),
  };
  for (const [label, queryOf] of Object.entries(queries)) {
    const run = (name: string) => search.answer(asked, { q: queryOf(name), limit: 50, ...plainSearch });
    report(
      `search, ${label}`,
      rows.slice(0, 400).map(row => elapsed(() => run(row.name))),
    );
  }
  say(`${Math.round(process.memoryUsage().rss / 1e6)} MB resident`);
}

function elapsed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function timed<T>(label: string, work: () => T): T {
  const started = performance.now();
  const value = work();
  say(`${label.padEnd(28)} ${(performance.now() - started).toFixed(0)} ms`);
  return value;
}

function report(label: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number): string => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(3);
  say(`${label.padEnd(28)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   max ${at(1)} ms`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function nameOf(catalogue: Catalogue, definition: number): string {
  return catalogue.names[catalogue.nameOf[definition]!]!;
}
