import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import { symbolId } from '../../daemon/model/identity.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { analyse } from '../../daemon/operations/analysis/analyses.ts';
import { openIndexReader } from '../../daemon/store/index-reader.ts';
import type { ScipIndex } from '../support/scip.ts';
import { randomFrom } from '../support/synthetic.ts';
import { bench, benchArguments, say } from './measure.ts';
import { type Joined, joinedWith, ourDefinitions, placesIn, readIndex } from './scip-join.ts';

/**
 * Whether those that impact lists as calling a symbol directly are those in whose code a SCIP index has a call of it:
 *
 *   node dist/test/bench/impact-callers.js <root> <index.scip[.gz]> [--seed 1] [--count 200] [--differences 0]
 *
 * Compared are those that the answer has from the index; what syntax adds where the index is blind is counted apart.
 * The index says where a symbol occurs and where the code of functions and classes begins and ends; whether an occurrence
 * is a call is read off the text behind it. Callers are compared by the innermost of these ranges around them.
 */
const { operands, flag } = benchArguments();
const [root = '.', indexFile = ''] = operands;
const drawnKinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'constructor']);

await bench(async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-callers-'));
  try {
    const repo: RepositoryRecord = {
      ...{ id: 'callers', root: realpathSync(root), worktreeKey: 'main', trusted: false },
      indexFile: join(home, 'index.db'),
    };
    await ingest(repo, join(home, 'shadow'));
    compare(repo, readIndex(indexFile));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

async function ingest(repo: RepositoryRecord, shadowFolder: string): Promise<void> {
  const engine = createIndexEngine({ shadowFolder });
  await engine.index(repo, { kind: 'recrawl', reason: 'start' });
  await engine.ingestScip(repo, { parts: [{ file: resolve(indexFile) }], seen: { kind: 'tree' } });
  await engine.close();
}

function compare(repo: RepositoryRecord, index: ScipIndex): void {
  const reader = openIndexReader(repo.indexFile);
  const ours = ourDefinitions(reader, repo.worktreeKey);
  const joined = joinedWith(placesIn(index).definitions, ours, () => {});
  const { callers, around } = readCalls(repo.root, index);
  const { seq, snapshotId } = reader.snapshot(repo.worktreeKey)!;
  const asked = {
    repo: { id: repo.id, indexFile: repo.indexFile, key: repo.worktreeKey },
    ...{ current: { seq, snapshotId }, cursorSecret: 'ab'.repeat(32), dirtyFiles: 0, now: 0 },
  };
  const input = { depth: 1, includeTests: true, limit: 10_000, sync: false };
  const sites = new Map<string, string[]>();
  for (const [place, one] of ours) {
    const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/s.exec(place) ?? [];
    sites.set(one.hash, [...(sites.get(one.hash) ?? []), around(file, Number(line), Number(column))]);
  }
  const sitesOf = (hash: string): readonly string[] => sites.get(hash) ?? [];
  let equal = 0;
  let calls = 0;
  let more = 0;
  let told = flag('differences', 0);
  const drawn = draw(joined);
  for (const [hash, { symbols, kind }] of drawn) {
    // Who makes a value of a class calls both, whichever the index names.
    const named = symbols.flatMap(symbol => [
      symbol,
      `${symbol}\`<constructor>\`().`,
      symbol.replace(/`<constructor>`\(\)\.$/, ''),
    ]);
    const wanted = new Set(named.flatMap(symbol => [...(callers.get(symbol) ?? [])]));
    // What calls itself is not listed as hanging on itself.
    for (const place of sitesOf(hash)) wanted.delete(place);
    const found = analyse(reader, {
      operation: 'analysis.impact',
      asked,
      input: { ...input, id: symbolId(repo.id, hash) },
    })!;
    const listed = found.affected.filter(({ uses }) => uses.includes('call'));
    const placesOf = (some: typeof listed): ReadonlySet<string> =>
      new Set(
        some.map(({ id, location: { file, line, column } }) =>
          id === null ? file : around(file, line - 1, column - 1),
        ),
      );
    const places = placesOf(listed.filter(({ source }) => source === 'scip'));
    more += [...placesOf(listed)].filter(place => !wanted.has(place) && !places.has(place)).length;
    calls += wanted.size;
    const missing = [...wanted].filter(place => !places.has(place));
    const extra = [...places].filter(place => !wanted.has(place));
    if (missing.length + extra.length === 0) equal++;
    else if (told-- > 0) say(kind, symbols[0]!, `missing ${missing.slice(0, 3)}`, `extra ${extra.slice(0, 3)}`);
  }
  say('symbols', `${equal} of ${drawn.length} equal`, `${calls} callers, ${more} more that syntax alone has`);
  reader.close();
}

function draw(joined: ReadonlyMap<string, Joined>): readonly (readonly [string, Joined])[] {
  const random = randomFrom(flag('seed', 1));
  return [...joined]
    .filter(([, { kind }]) => drawnKinds.has(kind))
    .map(one => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, flag('count', 200))
    .map(({ one }) => one);
}

/** Callers by symbol of the index; a place is told by the file and the beginning of the innermost range around it. */
function readCalls(repositoryRoot: string, index: ScipIndex) {
  const callers = new Map<string, Set<string>>();
  const ranges = new Map<string, readonly Extent[]>();
  const own = new Map<string, string>();
  const around = (file: string, line: number, column: number): string => {
    const known = own.get(`${file}:${line}:${column}`);
    if (known !== undefined) return known;
    const inside = (ranges.get(file) ?? []).filter(extent => contains(extent, line, column));
    const innermost = inside.sort((a, b) => b.line - a.line || b.column - a.column)[0];
    return innermost === undefined ? file : `${file}:${innermost.line}:${innermost.column}`;
  };
  for (const { relativePath, occurrences } of index.documents) {
    const extents: Extent[] = [];
    for (const { enclosingRange, range, symbol } of occurrences) {
      if (enclosingRange.length === 0 || symbol.endsWith('/')) continue;
      const extent = extentOf(enclosingRange);
      extents.push(extent);
      own.set(`${relativePath}:${range[0]}:${range[1]}`, `${relativePath}:${extent.line}:${extent.column}`);
    }
    ranges.set(relativePath, extents);
    const defined = new Set(occurrences.flatMap(({ range, symbolRoles }) => (symbolRoles & 1 ? [range.join()] : [])));
    const lines = readFileSync(join(repositoryRoot, relativePath), 'utf8').split('\n');
    for (const { symbol, range } of occurrences) {
      // A method that is written into a literal is named there as what it implements.
      if (defined.has(range.join()) || symbol.startsWith('local ')) continue;
      const { line, column, endLine, endColumn } = extentOf(range);
      if (!isCall(lines, { line, column, endLine, endColumn }, relativePath)) continue;
      const known = callers.get(symbol) ?? new Set();
      known.add(around(relativePath, line, column));
      callers.set(symbol, known);
    }
  }
  return { callers, around };
}

interface Extent {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

function extentOf(range: readonly number[]): Extent {
  const [line = 0, column = 0, third = 0, fourth] = range;
  return fourth === undefined
    ? { line, column, endLine: line, endColumn: third }
    : { line, column, endLine: third, endColumn: fourth };
}

function contains({ line, column, endLine, endColumn }: Extent, atLine: number, atColumn: number): boolean {
  const isAfter = atLine > line || (atLine === line && atColumn >= column);
  return isAfter && (atLine < endLine || (atLine === endLine && atColumn < endColumn));
}

/** A method that is written into a literal, where the index names what that implements: its body follows its parameters. */
function isWritten(lines: readonly string[], { line, column, endLine, endColumn }: Extent): boolean {
  if (!/(?:^|[{,])\s*(?:async\s+|\*\s*)*$/.test((lines[line] ?? '').slice(0, column))) return false;
  const behind = [(lines[endLine] ?? '').slice(endColumn), ...lines.slice(endLine + 1, endLine + 12)].join('\n');
  let depth = 0;
  for (let at = 0; at < behind.length; at++) {
    if (behind[at] === '(') depth++;
    if (behind[at] === ')' && --depth === 0) return /^\s*(?::[^;=]*?)?\{/.test(behind.slice(at + 1));
  }
  return false;
}

/** What a tag names: a component has a capital or stands in something, and no type argument has a space or a sign before it. */
function isOpened(before: string, from: string): boolean {
  const tag = /(?:^|[^\w$)\]])<((?:[\w$]+\.)*)$/.exec(before);
  return tag !== null && (tag[1] !== '' || !/^[a-z]/.test(from)) && !/^[\w$]+\./.test(from);
}

/**
 * A name before an opening bracket or a template, type arguments between, behind `new` or the `@` of a decorator, or that of
 * a component in a tag that opens an element.
 */
function isCall(lines: readonly string[], { line, column, endLine, endColumn }: Extent, file: string): boolean {
  const before = (lines[line] ?? '').slice(0, column);
  if (/\.(?:[jt]sx|[cm]?js)$/.test(file) && isOpened(before, (lines[line] ?? '').slice(column))) return true;
  if (isWritten(lines, { line, column, endLine, endColumn })) return false;
  if (/(?:\bnew\s+(?:\w+\.)*|@(?:\w+\.)*)$/.test(before)) return true;
  const behind = [(lines[endLine] ?? '').slice(endColumn), ...lines.slice(endLine + 1, endLine + 8)].join('\n');
  return /^\s*(?:\?\.\s*)?(?:<[^()]{0,200}?>\s*)?[(`]/.test(behind) && !/\b(?:def|class)\s+$/.test(before);
}
