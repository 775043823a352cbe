import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphDocument } from '../../model/graph.ts';
import { isTestPath, withoutPackages } from '../../model/mount.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { loadsFiles } from './doubts.ts';
import { exportsByName, isComponent } from './reach.ts';
import { isExported, standsAlone } from './standing.ts';
import { isModule, type Wiring } from './wiring.ts';

/** A definition of a document that stands and falls by itself. */
export interface Candidate {
  /** Index. */
  readonly at: number;
  /** Others may name it. What nobody else names is looked at for what it uses alone. */
  readonly isExported: boolean;
}

/** In the order of the text. `isProduct`: what no test is loads the document's file or another of its folder. */
export function candidatesOf(one: WiredDocument, isProduct: boolean): readonly Candidate[] {
  const { graph } = one;
  const left = leftOutBy(graph);
  // What was taken in whole offers more than is wanted; what imports name was taken in for that.
  if (isComponent(graph.path) || left?.isVendored || (left !== undefined && !isProduct)) return [];
  const isOfTests = graph.isTest && !exportsByName.has(graph.language);
  if (isOfTests && !(isProduct && isTestByFolder(graph))) return [];
  const known = kept.get(one);
  if (known !== undefined) return known;
  const found = candidates(one);
  kept.set(one, found);
  return found;
}

const kept = new WeakMap<WiredDocument, readonly Candidate[]>();

function candidates(one: WiredDocument): readonly Candidate[] {
  const { graph } = one;
  const exported = exportsByName.has(graph.language) ? listedIn(one) : undefined;
  const found: Candidate[] = [];
  for (let at = 0; at < graph.symbols.length; at++) {
    if (exported?.has(at)) found.push({ at, isExported: true });
    else if (exported === undefined ? standsForItself(one, at) : !graph.isTest && standsAlone(graph, at))
      found.push({ at, isExported: exported === undefined && isExported(graph, at) });
  }
  return found.sort((a, b) => graph.slots[a.at]! - graph.slots[b.at]!);
}

function standsForItself({ graph, tests, unlisted }: WiredDocument, at: number): boolean {
  return standsAlone(graph, at) && !tests.has(at) && !unlisted.has(at);
}

/** Exported definitions of a document that nobody is told of: how many, and by the name of which folder; undefined for none. */
export interface LeftOut {
  readonly folder: string;
  readonly count: number;
}

/** The same of one that is left out. */
export function leftOutOf(one: WiredDocument): LeftOut | undefined {
  const folder = leftOutBy(one.graph)?.folder;
  if (folder === undefined || isComponent(one.graph.path)) return undefined;
  const { graph } = one;
  const isCounted = (at: number): boolean => isExported(graph, at) && standsForItself(one, at);
  return { folder, count: [...graph.symbols.keys()].filter(isCounted).length };
}

/** Whether the name of its folder has a document left out, or taken for a test, unless something loads what is in it. */
export function hangsOnFolder(graph: GraphDocument): boolean {
  return leftOutBy(graph)?.isVendored === false || isTestByFolder(graph);
}

/** Where files are loaded one by one, one of tests may be no test's that lies in a folder of such a name alone. */
function isTestByFolder({ isTest, language, path }: GraphDocument): boolean {
  return isTest && loadsFiles.has(language) && !isTestPath(path.replace(ofEither, ''));
}

const ofEither = /(?<=^|\/)(?:specs?|fixtures?|testdata|__mocks__)\//g;

/**
 * What stands in a `declare module` is another module's; what a file is as a whole, everybody takes who requires it; and
 * compilers tell each other in `__esModule` how it was written.
 */
function listedIn({ graph, exports }: WiredDocument): ReadonlySet<number> {
  const isOwn = (at: number): boolean => at >= 0 && graph.containers[at] === atTop;
  const own = exports.filter(({ definition, name }) => isOwn(definition) && !/^(?:=|__esModule)$/.test(name));
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
  const found = imports.map(({ escapes, name }, at) => {
    const { file } = wiring.imported(place)[at]!;
    return { file, escapes: escapes && isModule(name, wiring.documents[file]?.graph.path) };
  });
  const read = found.filter(({ file }) => file >= 0);
  const whole = read.filter(({ file, escapes }) => escapes && graph.isTest && wiring.documents[file]!.graph.isTest);
  return { byCode: read.map(({ file }) => file), wholeByTests: whole.map(({ file }) => file) };
}

/** What tests read as data, until code loads it, and what other people wrote; by the name of its folder. */
function leftOutBy({ path, language }: GraphDocument): { folder: string; isVendored: boolean } | undefined {
  const place = withoutPackages(path);
  if (isVendored(place) && !exportsByName.has(language)) return { folder: vendoredFolder(place), isVendored: true };
  const folder = data.exec(place)?.[1];
  return folder === undefined ? undefined : { folder, isVendored: false };
}

function isData(graph: GraphDocument): boolean {
  return leftOutBy(graph)?.isVendored === false;
}

function vendoredFolder(path: string): string {
  return path.split('/').find(folder => isVendored(`${folder}/`)) ?? '';
}

const data = /(?:^|\/)((?:__?)?(?:fixtures?|testdata|snapshots?|mocks?|templates?)(?:__?)?)\//;
