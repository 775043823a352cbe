import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { affectedAnswer } from '../../daemon/operations/analysis/affected.ts';
import { analysed } from '../../daemon/operations/analysis/analyses.ts';
import { runnableIn } from '../../daemon/operations/analysis/runnable-files.ts';
import { openIndexReader } from '../../daemon/store/index-reader.ts';
import { randomFrom } from '../support/synthetic.ts';
import { builtFolders, type Cruised, sourceOf } from './cruised.ts';
import { bench, benchArguments, say, spread } from './measure.ts';

/**
 * Whether no test is missing that imports a changed file, in any number of steps, as jest's and vitest's `related` have it:
 *
 *   node dist/test/bench/affected-tests.js <checkout> <edges.json> [dist=src] [--seed 1] [--count 20] [--differences 0]
 *
 * Edges as for `imports`, and where built files have their sources. Files are drawn among those of code that are no tests and that some test imports so.
 */
const { operands, flag } = benchArguments();
const [root = '.', edgesFile = '', built] = operands;

type Affected = OutputOf<Operations['analysis.affected']>;

await bench(async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-affected-'));
  try {
    const repo: RepositoryRecord = {
      ...{ id: 'affected', root: realpathSync(root), worktreeKey: 'main', trusted: false },
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
  const { seq, snapshotId } = reader.snapshot(repo.worktreeKey)!;
  const asked = {
    repo: { id: repo.id, indexFile: repo.indexFile, key: repo.worktreeKey },
    ...{ current: { seq, snapshotId }, cursorSecret: 'ab'.repeat(32), dirtyFiles: 0, now: 0 },
  };
  const told = [...reader.told(repo.worktreeKey, seq)!.values()];
  const runnable = new Set(analysed(reader, asked, runnableIn).runnable);
  const importers = importersIn(repo.root);
  const expectedOf = (path: string) => new Set([...closure(path, importers)].filter(one => runnable.has(one)));
  const known = new Set(told.filter(one => !one.isTest).map(({ path }) => path));
  const candidates = [...importers.keys()].filter(path => known.has(path) && expectedOf(path).size > 0).sort();
  const files = drawn(candidates, flag('seed', 1), flag('count', 20));
  const total = { expected: 0, found: 0, same: 0, bySymbol: 0, sameBySymbol: 0 };
  const times: number[] = [];
  const missing: string[] = [];
  for (const path of files) {
    const begun = performance.now();
    const change = { base: undefined, head: undefined, paths: new Map([[path, 'changed'] as const]) };
    const answer = analysed(reader, asked, of =>
      affectedAnswer(
        of,
        { includeAll: false, limit: 10_000 },
        { ...change, folders: new Map(), gone: new Map(), outside: 0, notAsIndexed: 0 },
      ),
    );
    times.push(performance.now() - begun);
    const expected = expectedOf(path);
    const [all, near] = [runnableOf(answer, () => true), runnableOf(answer, one => one.relation === 'symbol')];
    const lost = [...expected].filter(test => !all.has(test));
    missing.push(...lost.map(test => `${path}: ${test}`));
    total.expected += expected.size;
    total.found += all.size;
    total.same += expected.size - lost.length;
    total.bySymbol += near.size;
    total.sameBySymbol += [...near].filter(test => expected.has(test)).length;
    say(
      `${path}: ${expected.size} import it, ${all.size} found, ${near.size} of these by symbols, ${lost.length} missing`,
    );
  }
  say(
    `${files.length} of ${candidates.length} files; ${told.length} read, ${runnable.size} tests; recall ${share(total.same, total.expected)} of ${total.expected}, precision ${share(total.same, total.found)} of ${total.found}`,
  );
  say(
    `by symbols alone: recall ${share(total.sameBySymbol, total.expected)}, precision ${share(total.sameBySymbol, total.bySymbol)} of ${total.bySymbol}`,
  );
  say(spread(times));
  for (const one of missing.slice(0, flag('differences', 0))) say(`  - ${one}`);
  reader.close();
}

/** By path, who imports it. */
function importersIn(checkout: string): ReadonlyMap<string, readonly string[]> {
  const { modules } = JSON.parse(readFileSync(edgesFile, 'utf8')) as Cruised;
  const folders = built === undefined ? undefined : builtFolders(built);
  const has = (path: string): boolean => path !== '' && existsSync(join(checkout, path));
  const importers = new Map<string, string[]>();
  for (const { source, dependencies } of modules) {
    if (!has(source)) continue;
    for (const { resolved } of dependencies) {
      const path = sourceOf(resolved, has, folders);
      if (!has(path)) continue;
      const known = importers.get(path);
      if (known === undefined) importers.set(path, [source]);
      else known.push(source);
    }
  }
  return importers;
}

function closure(path: string, importers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  return reached;
}

function runnableOf({ tests }: Affected, which: (one: Affected['tests'][number]) => boolean): ReadonlySet<string> {
  return new Set(tests.filter(one => one.runnable && which(one)).map(({ path }) => path));
}

function drawn(files: readonly string[], seed: number, count: number): readonly string[] {
  const random = randomFrom(seed);
  const left = [...files];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '—' : `${((100 * part) / whole).toFixed(1)} %`;
}
