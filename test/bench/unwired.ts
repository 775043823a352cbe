import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { analyse } from '../../daemon/operations/analysis/analyses.ts';
import { type IndexReader, openIndexReader } from '../../daemon/store/index-reader.ts';
import { bench, benchArguments, say } from './measure.ts';

/**
 * Exported symbols that no entrypoint reaches, against knip:
 *
 *   node dist/test/bench/unwired.js <checkout> <knip's JSON> [<its JSON with --include-entry-exports>] [--differences 0]
 *
 * What knip lists as unused exports has to be claimed, but for exports that define nothing (`export { a } from 'b'`), which
 * are no symbols. A claim is right where knip lists it, as an export, as one of an entry file, as a member of a namespace that
 * is used otherwise, or with its whole file as unused. What tests alone use counts for neither: to knip, tests are entries.
 */
const { operands, flag } = benchArguments();
const [root = '.', knipFile = '', entriesFile] = operands;

type Unwired = OutputOf<Operations['analysis.unwired']>;

interface Issue {
  readonly file: string;
  readonly exports?: readonly { readonly name: string }[];
  readonly nsExports?: readonly { readonly name: string }[];
  readonly types?: readonly { readonly name: string }[];
  readonly files?: readonly unknown[];
}

interface Knip {
  readonly files?: readonly string[];
  readonly issues: readonly Issue[];
}

await bench(async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-unwired-'));
  try {
    const repo: RepositoryRecord = {
      ...{ id: 'unwired', root: realpathSync(root), worktreeKey: 'main', trusted: false },
      indexFile: join(home, 'index.db'),
    };
    const engine = createIndexEngine({ shadowFolder: join(home, 'shadow') });
    await engine.index(repo, { kind: 'recrawl', reason: 'start' });
    await engine.close();
    compare(repo);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

function compare(repo: RepositoryRecord): void {
  const reader = openIndexReader(repo.indexFile);
  const answer = claimsOf(reader, repo);
  const knip = read(knipFile);
  const listed = namesIn([knip], issue => issue.exports);
  const all = entriesFile === undefined ? [knip] : [knip, read(entriesFile)];
  const right = new Set(
    (['exports', 'nsExports', 'types'] as const).flatMap(kind => [...namesIn(all, issue => issue[kind])]),
  );
  const unused = new Set([...(knip.files ?? []), ...knip.issues.flatMap(one => (one.files?.length ? [one.file] : []))]);
  const symbols = answer.unwiredModules.flatMap(one => one.symbols);
  const claims = new Map(symbols.map(one => [`${one.filePath} ${one.name}`, one]));
  const counted = [...claims].filter(([, { testReferences }]) => testReferences === 0);
  const agreed = counted.filter(([name, { filePath }]) => right.has(name) || unused.has(filePath));
  const defined = [...listed].filter(name => isDefined(reader, repo, name));
  const found = defined.filter(name => claims.has(name));
  const { totalExported } = answer.summary;
  say(
    'exported',
    `${totalExported} symbols, ${claims.size} unwired, ${claims.size - counted.length} of them used by tests`,
  );
  say('precision', `${agreed.length} of ${counted.length}`, share(agreed.length, counted.length));
  say('recall', `${found.length} of ${defined.length}`, share(found.length, defined.length));
  say('no symbols', `${listed.size - defined.length} of ${listed.size} that knip lists`);
  differences(
    '+',
    counted.filter(one => !agreed.includes(one)).map(([name, { reason }]) => `${name}: ${reason}`),
  );
  differences(
    '-',
    defined.filter(name => !claims.has(name)),
  );
  reader.close();
}

function claimsOf(reader: IndexReader, { id, indexFile, worktreeKey: key }: RepositoryRecord): Unwired {
  const { seq, snapshotId } = reader.snapshot(key)!;
  const asked = { repo: { id, indexFile, key }, current: { seq, snapshotId }, cursorSecret: '', dirtyFiles: 0, now: 0 };
  const input = { minConfidence: 0.8, limit: 10_000, includeTypes: false, sync: false };
  return analyse(reader, { operation: 'analysis.unwired', asked, input })!;
}

/** Whether a file defines what it exports under a name; types apart, which are not asked for. */
function isDefined(reader: IndexReader, { worktreeKey: key }: RepositoryRecord, listed: string): boolean {
  const [path, name] = listed.split(' ');
  const { seq } = reader.snapshot(key)!;
  const graph = reader.graph(key, seq)!;
  const one = graph.documents().find(document => document.path === path);
  return one !== undefined && [...one.symbols.keys()].some(at => graph.shown({ in: one, at }).name === name);
}

function read(file: string): Knip {
  return JSON.parse(readFileSync(file, 'utf8')) as Knip;
}

function namesIn(all: readonly Knip[], listOf: (issue: Issue) => Issue['exports']): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ issues }) => issues.flatMap(one => (listOf(one) ?? []).map(({ name }) => `${one.file} ${name}`))),
  );
}

function differences(sign: string, names: readonly string[]): void {
  for (const name of [...names].sort().slice(0, flag('differences', 0))) process.stdout.write(`  ${sign} ${name}\n`);
}

function share(some: number, all: number): string {
  return `${((100 * some) / Math.max(1, all)).toFixed(1)} %`;
}
