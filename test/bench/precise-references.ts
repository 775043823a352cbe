/**
 * What is answered with a SCIP index, against that index:
 *
 *   node dist/test/bench/precise-references.js <root> <index.scip[.gz]> [--seed N] [--count 500] [--differences N]
 *
 * Indexes the tree, takes the index in (time, bytes), and compares: of the definitions that the index names, how many are
 * joined with ours; of symbols that the seed draws, as many of each kind, whether the places where they are used are those
 * of the index, every one, but for those that the index itself calls a use and where the symbol is defined once more
 * (an overload, a setter). What syntax finds in documents that the index hasn't is counted apart.
 */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { type IndexReader, openIndexReader } from '../../daemon/store/index-reader.ts';
import { randomFrom } from '../support/synthetic.ts';
import { type Joined, joinedWith, type Ours, ourDefinitions, type Place, placesIn, readIndex } from './scip-join.ts';

const [root = '.', indexFile = '', ...flags] = process.argv.slice(2);
const flag = (name: string, otherwise: number): number => {
  const at = flags.indexOf(name);
  return at < 0 ? otherwise : Number(flags[at + 1]);
};
const home = mkdtempSync(join(tmpdir(), 'svc-precise-'));
const repo: RepositoryRecord = {
  id: 'precise',
  root: realpathSync(root),
  worktreeKey: 'main',
  indexFile: join(home, 'index.db'),
  trusted: false,
};

try {
  const seq = await ingest();
  const reader = openIndexReader(repo.indexFile);
  const { definitions, uses, documents } = placesIn(readIndex(indexFile));
  const ours = ourDefinitions(reader, repo.worktreeKey);
  const joined = joinedAndTold(definitions, ours);
  compare(reader, seq, joined, usesBeside(ours, joined, uses), documents);
  reader.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function ingest(): Promise<number> {
  const engine = createIndexEngine({ shadowFolder: join(home, 'shadow') });
  await engine.index(repo, { kind: 'recrawl', reason: 'start' });
  const size = (): number => statSync(repo.indexFile).size + (statSync(`${repo.indexFile}-wal`).size ?? 0);
  const before = size();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const file = resolve(indexFile);
  const { outcome, published } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const bytes = size() - before;
  await engine.close();
  print(outcome);
  print({
    wallMs: Math.round(wallMs),
    cpuMs: Math.round((user + system) / 1000),
    bytesEach: bytes / outcome.occurrences,
  });
  return published.seq;
}

/** Tells of what kind the definitions are that the index names, and how many of them we have not. */
function joinedAndTold(definitions: ReturnType<typeof placesIn>['definitions'], ours: ReadonlyMap<Place, Ours>) {
  const missed = new Map<string, number>();
  const bySuffix = new Map<string, number>();
  let told = flag('--unjoined', 0);
  for (const symbol of definitions.keys()) bySuffix.set(suffixOf(symbol), (bySuffix.get(suffixOf(symbol)) ?? 0) + 1);
  const joined = joinedWith(definitions, ours, (symbol, place) => {
    missed.set(suffixOf(symbol), (missed.get(suffixOf(symbol)) ?? 0) + 1);
    if (told-- > 0) print([symbol, place]);
  });
  for (const [suffix, n] of bySuffix) print({ suffix, definitions: n, unjoined: missed.get(suffix) ?? 0 });
  return joined;
}

/** Uses by symbol of the index, but for the places where ours of that symbol is defined: scip-python reads each further overload. */
function usesBeside(
  ours: ReadonlyMap<Place, Ours>,
  joined: ReadonlyMap<string, Joined>,
  uses: ReadonlyMap<string, ReadonlySet<Place>>,
): ReadonlyMap<string, ReadonlySet<Place>> {
  const hashes = new Map<string, Set<string>>();
  for (const { symbols, hashes: some } of joined.values()) for (const symbol of symbols) hashes.set(symbol, some);
  return new Map(
    [...uses].map(([symbol, places]) => {
      const isSite = (place: Place): boolean => hashes.get(symbol)?.has(ours.get(place)?.hash ?? '') ?? false;
      return [symbol, new Set([...places].filter(place => !isSite(place)))];
    }),
  );
}

/** What kind of descriptor a symbol ends in. */
function suffixOf(symbol: string): string {
  if (/\)\.$/.test(symbol)) return 'method';
  if (/\)$/.test(symbol)) return 'parameter';
  if (/\]$/.test(symbol)) return 'type parameter';
  return { '#': 'type', '.': 'term', '/': 'namespace', ':': 'meta', '!': 'macro' }[symbol.at(-1)!] ?? 'other';
}

function compare(
  reader: IndexReader,
  seq: number,
  joined: ReadonlyMap<string, Joined>,
  uses: ReadonlyMap<string, ReadonlySet<Place>>,
  documents: ReadonlySet<string>,
): void {
  const byKind = new Map<string, string[]>();
  for (const [hash, { kind }] of joined) byKind.set(kind, [...(byKind.get(kind) ?? []), hash]);
  const random = randomFrom(flag('--seed', 1));
  const each = Math.ceil(flag('--count', 500) / byKind.size);
  const query = {
    includeTests: true,
    includeDefinition: false,
    merge: 'prefer-first',
    offset: 0,
    limit: 1_000_000,
  } as const;
  let told = flag('--differences', 0);
  let equal = 0;
  let drawn = 0;
  let elsewhere = 0;
  for (const [kind, hashes] of [...byKind].sort()) {
    const sample = hashes
      .map(hash => ({ hash, at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, each);
    let same = 0;
    for (const { hash } of sample) {
      const wanted = new Set(joined.get(hash)!.symbols.flatMap(symbol => [...(uses.get(symbol) ?? [])]));
      const all = [...joined.get(hash)!.hashes].flatMap(one => [
        ...reader.references(repo.worktreeKey, seq, one, query)!.rows,
      ]);
      const rows = all.filter(({ path }) => documents.has(path));
      elsewhere += all.length - rows.length;
      const places = rows.map(({ path, range }) => `${path}:${range.startLine}:${range.startColumn}`);
      const missing = [...wanted].filter(place => !places.includes(place));
      const extra = rows.filter((_, at) => !wanted.has(places[at]!));
      if (missing.length + extra.length === 0) same++;
      else if (told-- > 0) {
        const where = extra.map(one => `${one.path}:${one.range.startLine}:${one.range.startColumn} ${one.confidence}`);
        print({ kind, symbol: joined.get(hash)!.symbols[0], missing: missing.slice(0, 3), extra: where.slice(0, 3) });
      }
    }
    equal += same;
    drawn += sample.length;
    print({ kind, drawn: sample.length, equal: same, of: hashes.length });
  }
  print({ drawn, equal, elsewhere });
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
