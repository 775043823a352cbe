/**
 * How well tier fast links references, against a SCIP index of the same tree.
 *
 *   node dist/test/bench/references.js <root> <index.scip[.gz]> [--misses N] [--wrong N] [--guesses N]
 *
 * Joined by position: an occurrence of the index that is no definition, whose symbol is no local, parameter or type
 * parameter, and whose definition stands in the repository, should be a reference of ours to a definition at the same
 * place. Recall counts those that are; precision counts, of our references at positions that the index knows, those that
 * point where the index points. `new X()` is a reference to the class here and to its constructor there: both count as
 * the same. What a `require` binds that the index's maker could not find stands for itself there, for the dependency here:
 * it counts for neither. A position may refer to several things (`{ name }`: the variable, and the property). A candidate is what no rule settled: the second recall settles it by name where
 * exactly one definition in the tree bears the name. The last line judges those guesses alone, as answers list them, also
 * where the index points out of the repository.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { createLinker } from '../../daemon/link/linker.ts';
import type { MountedDocument } from '../../daemon/model/document.ts';
import { familyOf } from '../../daemon/model/families.ts';
import type { Target } from '../../daemon/model/links.ts';
import { type Bearer, mayMean } from '../../daemon/store/guesses.ts';
import { type Place, placesOf, type ReadTree, readTree } from '../support/linked-tree.ts';
import { deserializeSCIP } from '../support/scip.ts';

const [root = '.', indexFile = '', ...flags] = process.argv.slice(2);
const flag = (name: string): string | undefined => {
  const at = flags.indexOf(name);
  return at < 0 ? undefined : flags[at + 1];
};

interface Expected {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly symbol: string;
  readonly places: ReadonlySet<Place>;
}

const started = process.cpuUsage();
const manifest = await readTree(root);
const extracted = process.cpuUsage(started);
const { linksOf, seconds } = linkAll(manifest);
const byPosition = new WeakMap<MountedDocument, Map<string, number[]>>();
/** Places of all that the index knows to be used, in the repository or out of it. */
const occurrences = new Set<Place>();
const expected = readIndex(indexFile);
compare();
judgeGuesses();

function linkAll(tree: ReadTree) {
  const before = process.cpuUsage();
  const linker = createLinker(tree);
  const linksOf = new Map<string, readonly Target[]>();
  let questions = 0;
  for (const document of tree.all) {
    const links = linker.link(document.path);
    linksOf.set(document.path, links.targets);
    questions += links.questions.length;
  }
  const used = process.cpuUsage(before);
  print(`${tree.all.length} documents, ${questions} questions, ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  return { linksOf, seconds: (used.user + used.system) / 1e6 };
}

function readIndex(file: string): Expected[] {
  if (file.endsWith('.jsonl')) return readPlaces(file);
  const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
  const { documents } = deserializeSCIP(bytes);
  const places = new Map<string, Set<Place>>();
  for (const document of documents) {
    for (const { symbol, symbolRoles, range } of document.occurrences) {
      if ((symbolRoles & 1) === 0 || symbol.startsWith('local ')) continue;
      const known = places.get(symbol) ?? new Set();
      places.set(symbol, known.add(`${document.relativePath}:${range[0]}:${range[1]}`));
    }
  }
  const found = new Map<string, Expected>();
  for (const document of documents) {
    const path = document.relativePath;
    for (const { symbol, symbolRoles, range } of document.occurrences) {
      const [line = 0, column = 0] = range;
      if ((symbolRoles & 1) === 0) occurrences.add(`${path}:${line}:${column}`);
      const defined = places.get(symbol);
      if ((symbolRoles & 1) !== 0 || defined === undefined || /(?:\)|\])$/.test(symbol)) continue;
      const owner = places.get(symbol.replace(/`<constructor>`\(\)\.$/, ''));
      const key = `${path}:${line}:${column}`;
      const known = found.get(key);
      const all = new Set([...(known?.places ?? []), ...defined, ...(owner ?? [])]);
      found.set(key, { path, line, column, symbol, places: all });
    }
  }
  return [...found.values()];
}

/** What a type checker says, one `[path, line, column, path, line, column]` a line: see `oracles/go_references.go`. */
function readPlaces(file: string): Expected[] {
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return rows.map(row => {
    const [path, line, column, ...place] = JSON.parse(row) as [string, number, number, string, number, number];
    return { path, line, column, symbol: place.join(':'), places: new Set([place.join(':')]) };
  });
}

function compare(): void {
  const names = definitionsByName(manifest.all);
  const rows = new Map<string, Row>();
  const misses: string[] = [];
  const wrongs: string[] = [];
  const missing = new Map<string, number>();
  for (const one of expected) {
    if ([...one.places].every(place => /:0:0$/.test(place))) continue;
    const document = manifest.document(one.path);
    if (document === undefined) continue;
    const indexes = referencesOf(document).get(`${one.line}:${one.column}`) ?? [];
    const targets = linksOf.get(one.path)!;
    const isHit = (target: Target): boolean =>
      target.kind === 'symbol' && placesOf(manifest, target).some(place => one.places.has(place));
    const index =
      indexes.find(at => isHit(targets[at]!)) ?? indexes.find(at => targets[at]!.kind === 'symbol') ?? indexes[0];
    const reference = index === undefined ? undefined : document.facts.references[index]!;
    const target = index === undefined ? undefined : targets[index]!;
    if (reference !== undefined && target?.kind === 'external' && isBoundByImport(document, reference.name, one))
      continue;
    const row = rowFor(rows, reference?.kind ?? 'none');
    const text = `${one.path}:${one.line + 1}:${one.column + 1} ${reference?.name ?? '-'} ${describe(target)} | ${one.symbol.split(' ').slice(4).join(' ')}`;
    const hit = target !== undefined && isHit(target);
    const byName = target?.kind === 'candidate' && target.isElsewhere !== true ? names.get(reference!.name) : undefined;
    row.expected++;
    if (target?.kind === 'symbol') row.settled++;
    if (hit) row.hits++;
    if (hit || (byName?.length === 1 && one.places.has(byName[0]!))) row.hitsByName++;
    if (byName?.length === 1) row.byName++;
    if (hit) continue;
    if (target?.kind === 'symbol') wrongs.push(text);
    else misses.push(text);
    missing.set(target?.kind ?? 'no reference', (missing.get(target?.kind ?? 'no reference') ?? 0) + 1);
  }
  report(rows, missing);
  list(misses, Number(flag('--misses') ?? 0));
  list(wrongs, Number(flag('--wrong') ?? 0));
}

/** What answers list by the name alone. */
function judgeGuesses(): void {
  const names = definitionsByName(manifest.all);
  const places = new Map(expected.map(one => [`${one.path}:${one.line}:${one.column}`, one.places]));
  let listed = 0;
  let right = 0;
  const wrong: string[] = [];
  for (const { path, facts } of manifest.all) {
    linksOf.get(path)!.forEach((target, index) => {
      const reference = facts.references[index]!;
      const [place, another] = names.get(reference.name) ?? [];
      if (target.kind !== 'candidate' || target.isElsewhere || place === undefined || another !== undefined) return;
      const use = { kind: reference.kind, op: facts.expressions[reference.expression]!.op };
      const at = `${path}:${reference.line}:${reference.column}`;
      if (!occurrences.has(at) || !mayMean(use, bearerAt(place))) return;
      listed++;
      if (places.get(at)?.has(place)) right++;
      else wrong.push(`${path}:${reference.line + 1}:${reference.column + 1} ${reference.name} guessed ${place}`);
    });
  }
  print(`guesses that the index can judge: ${listed}, right ${right}`);
  list(wrong, Number(flag('--guesses') ?? 0));
}

function bearerAt(place: Place): Bearer {
  const [path = '', line, column] = place.split(':');
  const { facts } = manifest.document(path)!;
  const found = facts.definitions.find(
    ({ nameRange }) => nameRange.startLine === Number(line) && nameRange.startColumn === Number(column),
  )!;
  const container = found.container < 0 ? undefined : facts.definitions[found.container]!.kind;
  return { kind: found.kind, family: familyOf(facts.language), container };
}

/** Whether the definition that the index names is what one of our imports binds. */
function isBoundByImport(document: MountedDocument, name: string, one: Expected): boolean {
  return document.facts.imports.some(
    ({ local, line }) => local === name && [...one.places].some(place => place.startsWith(`${one.path}:${line}:`)),
  );
}

interface Row {
  expected: number;
  settled: number;
  hits: number;
  hitsByName: number;
  byName: number;
}

function rowFor(rows: Map<string, Row>, kind: string): Row {
  const row = rows.get(kind) ?? { expected: 0, settled: 0, hits: 0, hitsByName: 0, byName: 0 };
  rows.set(kind, row);
  return row;
}

function report(rows: ReadonlyMap<string, Row>, missing: ReadonlyMap<string, number>): void {
  const total: Row = { expected: 0, settled: 0, hits: 0, hitsByName: 0, byName: 0 };
  for (const row of rows.values()) for (const key of Object.keys(total) as (keyof Row)[]) total[key] += row[key];
  print(`extract ${((extracted.user + extracted.system) / 1e6).toFixed(2)} s, link ${seconds.toFixed(2)} s of CPU`);
  print('kind            expected  recall  precision  recall with names  precision with names');
  for (const [kind, row] of [...rows, ['all', total] as const]) {
    const share = (a: number, b: number): string => (b === 0 ? '-' : (a / b).toFixed(3));
    print(
      `${kind.padEnd(15)} ${String(row.expected).padStart(8)} ${share(row.hits, row.expected).padStart(7)} ` +
        `${share(row.hits, row.settled).padStart(10)} ${share(row.hitsByName, row.expected).padStart(18)} ` +
        `${share(row.hitsByName, row.settled + row.byName).padStart(21)}`,
    );
  }
  print(`missed: ${[...missing].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
}

function list(lines: readonly string[], count: number): void {
  const step = Math.max(1, Math.floor(lines.length / Math.max(1, count)));
  for (let i = 0, shown = 0; shown < count && i < lines.length; i += step, shown++) print(lines[i]!);
}

function describe(target: Target | undefined): string {
  switch (target?.kind) {
    case undefined:
      return 'no reference';
    case 'symbol':
      return `-> ${target.scope} ${target.tail}`;
    case 'external':
      return `external ${target.package} ${target.name}`;
    case 'own':
    case 'kept':
      return 'defined here';
    case 'candidate':
      return 'candidate';
  }
}

function referencesOf(document: MountedDocument): Map<string, number[]> {
  const known = byPosition.get(document);
  if (known !== undefined) return known;
  const made = new Map<string, number[]>();
  document.facts.references.forEach((one, index) => {
    const key = `${one.line}:${one.column}`;
    const at = made.get(key);
    if (at === undefined) made.set(key, [index]);
    else at.push(index);
  });
  byPosition.set(document, made);
  return made;
}

function definitionsByName(documents: readonly MountedDocument[]): Map<string, Place[]> {
  const names = new Map<string, Place[]>();
  for (const { path, facts } of documents) {
    const seen = new Set<string>();
    for (const { name, tail, nameRange } of facts.definitions) {
      if (seen.has(tail)) continue;
      seen.add(tail);
      const known = names.get(name) ?? [];
      names.set(name, known);
      known.push(`${path}:${nameRange.startLine}:${nameRange.startColumn}`);
    }
  }
  return names;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
