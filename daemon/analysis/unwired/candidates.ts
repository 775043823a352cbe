import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphDocument, kindOfDefinition } from '../../model/graph.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { exportsByName } from './reach.ts';
import { isExported, type Wiring } from './wiring.ts';

/**
 * Definitions of a document that it exports, and that stand and fall by themselves: indexes, in the order of the text.
 * `isImported`: code imports its file.
 */
export function candidatesOf(one: WiredDocument, isImported: boolean): readonly number[] {
  const { path, language } = one.graph;
  // What was taken in whole offers more than is wanted; what imports name was taken in for that.
  if (isVendored(path) && !exportsByName.has(language)) return [];
  if (isData(one.graph) && !isImported) return [];
  const known = kept.get(one);
  if (known !== undefined) return known;
  const found = candidates(one);
  kept.set(one, found);
  return found;
}

const kept = new WeakMap<WiredDocument, readonly number[]>();

function candidates({ graph, exports, tests, unlisted }: WiredDocument): readonly number[] {
  const inOrder = (found: readonly number[]) => [...found].sort((a, b) => graph.slots[a]! - graph.slots[b]!);
  if (exportsByName.has(graph.language)) {
    // What stands in a `declare module` is another module's; what a file is as a whole, everybody takes who requires it.
    const isOwn = (at: number): boolean => at >= 0 && graph.containers[at] === atTop;
    const own = exports.filter(({ definition, name }) => isOwn(definition) && name !== '=');
    return inOrder([...new Set(own.map(({ definition }) => definition))]);
  }
  if (graph.isTest) return [];
  const found: number[] = [];
  for (let at = 0; at < graph.symbols.length; at++)
    if (standsAlone(graph, at) && !tests.has(at) && !unlisted.has(at)) found.push(at);
  return inOrder(found);
}

const counted: ReadonlySet<SymbolKind> = new Set([
  ...(['function', 'class', 'interface', 'struct', 'enum', 'trait', 'type'] as const),
  ...(['variable', 'constant', 'object', 'macro'] as const),
]);
const holders: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);

/** What is exported and stands at the top, or in what only groups. */
export function standsAlone(graph: GraphDocument, at: number): boolean {
  if (!isExported(graph, at) || !counted.has(kindOfDefinition(graph, at))) return false;
  for (let outer = graph.containers[at]!; outer !== atTop; outer = graph.containers[outer]!) {
    if (!holders.has(kindOfDefinition(graph, outer))) return false;
  }
  return true;
}

/** Places of files. */
export interface ImportedFiles {
  /** Those that a document imports, unless it is data. */
  readonly byCode: readonly number[];
  /** Files of tests that it, being one, hands on as a whole. */
  readonly wholeByTests: readonly number[];
}

export function importedFiles(wiring: Wiring, place: number): ImportedFiles {
  const { graph, imports } = wiring.documents[place]!;
  if (isData(graph)) return { byCode: [], wholeByTests: [] };
  const found = imports.map(({ escapes }, at) => ({ file: wiring.imported(place)[at]!.file, escapes }));
  const read = found.filter(({ file }) => file >= 0);
  const whole = read.filter(({ file, escapes }) => escapes && graph.isTest && wiring.documents[file]!.graph.isTest);
  return { byCode: read.map(({ file }) => file), wholeByTests: whole.map(({ file }) => file) };
}

/** What tests read as data, until code imports it. */
function isData({ path }: GraphDocument): boolean {
  return data.test(path);
}

const data = /(?:^|\/)(?:__?)?(?:fixtures?|testdata|snapshots?|mocks?|templates?)(?:__?)?\//;
