import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphDocument } from '../../model/graph.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { exportsByName } from './reach.ts';
import { isExported, standsAlone } from './standing.ts';
import type { Wiring } from './wiring.ts';

/** A definition of a document that stands and falls by itself. */
export interface Candidate {
  /** Index. */
  readonly at: number;
  /** Others may name it. What nobody else names is looked at for what it uses alone. */
  readonly isExported: boolean;
}

/** In the order of the text. `isImported`: code imports the document's file. */
export function candidatesOf(one: WiredDocument, isImported: boolean): readonly Candidate[] {
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

const kept = new WeakMap<WiredDocument, readonly Candidate[]>();

function candidates(one: WiredDocument): readonly Candidate[] {
  const { graph, tests, unlisted } = one;
  const exported = exportsByName.has(graph.language) ? listedIn(one) : undefined;
  if (graph.isTest && exported === undefined) return [];
  const found: Candidate[] = [];
  for (let at = 0; at < graph.symbols.length; at++) {
    const isShown = exported === undefined ? isExported(graph, at) : exported.has(at);
    if (isShown && exported !== undefined) found.push({ at, isExported: true });
    else if (!graph.isTest && standsAlone(graph, at) && !tests.has(at) && !unlisted.has(at))
      found.push({ at, isExported: isShown });
  }
  return found.sort((a, b) => graph.slots[a.at]! - graph.slots[b.at]!);
}

/** What stands in a `declare module` is another module's; what a file is as a whole, everybody takes who requires it. */
function listedIn({ graph, exports }: WiredDocument): ReadonlySet<number> {
  const isOwn = (at: number): boolean => at >= 0 && graph.containers[at] === atTop;
  const own = exports.filter(({ definition, name }) => isOwn(definition) && name !== '=');
  return new Set(own.map(({ definition }) => definition));
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
