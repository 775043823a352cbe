import { binds } from '../../analysis/docs/bound-names.ts';
import type { DocumentedDefinition } from '../../analysis/docs/definition-table.ts';
import type { TreePlaces } from '../../analysis/docs/file-places.ts';
import { foreignNames, type IsForeign } from '../../analysis/docs/foreign-names.ts';
import { goneByFile, newPathOf, newPlaceOf } from '../../analysis/docs/gone-files.ts';
import type { GoneTable } from '../../analysis/docs/gone-mentions.ts';
import { type HandedOn, handedOnBy, mayHandOn } from '../../analysis/docs/handed-on.ts';
import { type PythonModule, pythonModule } from '../../analysis/docs/python-modules.ts';
import { isChangelog, isDocument, markdownEndings } from '../../model/document-files.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { type DocumentMentions, nothingSaid } from '../../model/mentions.ts';
import { baseName } from '../../model/paths.ts';
import type { GoneDefinitionRow, MovedDocumentRow } from '../../store/gone-definitions.ts';
import type { ContentOfFile } from '../../store/graph/snapshot-files.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { passedFor } from '../passed-for.ts';
import type { Asked } from '../symbols/answers.ts';
import { type DefinedNames, definedNames, goneNames } from './defined-names.ts';
import { type KnownRoutes, knownRoutes } from './known-routes.ts';
import { type LinkedDocument, linkedDocuments, type SaidDocument } from './linked-documents.ts';
import { type ParsedDocuments, parsedDocuments } from './parsed-documents.ts';

/** Of one repository: the first by path. Each mention takes some 300 bytes. */
const mostDocuments = 10_000;
const mostMentions = 300_000;

/** What is gone of a repository; the rows, and the documents that were moved, are told once for each version. */
export interface GoneTold {
  readonly version: number;
  readonly rows?: readonly GoneDefinitionRow[];
  readonly moved?: readonly MovedDocumentRow[];
}

/** A document of which nothing is read. */
export interface PassedOver {
  readonly path: string;
  readonly why: string;
}

/** What is kept of the documents of one repository. */
export interface DocsState {
  readonly parsed: ParsedDocuments;
  readonly names: DefinedNames;
  readonly routes: KnownRoutes;
  gone: Required<GoneTold>;
  /** Documents that are being read, by their content. */
  readonly reading: Map<string, Promise<void>>;
  listed?: { readonly seq: number; readonly documents: readonly ContentOfFile[] };
  /** The newest snapshot that anybody asked about. */
  newest: number;
  linked?: {
    readonly seq: number;
    readonly version: number;
    readonly revision: number;
    readonly documents: readonly LinkedDocument[];
  };
}

/** Of each reader by repository. */
const kept = new WeakMap<IndexReader, Map<string, DocsState>>();

/** Undefined where what is gone must be told first. */
export function docsStateOf(reader: IndexReader, { repo }: Asked, gone: GoneTold): DocsState | undefined {
  const ofReader = kept.get(reader) ?? new Map<string, DocsState>();
  kept.set(reader, ofReader);
  const known = ofReader.get(repo.key);
  if (known !== undefined && known.gone.version === gone.version) return known;
  if (gone.rows === undefined) return undefined;
  const told = { version: gone.version, rows: gone.rows, moved: gone.moved ?? [] };
  if (known !== undefined) {
    known.gone = told;
    return known;
  }
  const { indexFile, key } = repo;
  const parts = { parsed: parsedDocuments(indexFile, key), routes: knownRoutes(indexFile, key) };
  const made = { ...parts, names: definedNames(), gone: told, reading: new Map<string, Promise<void>>(), newest: 0 };
  ofReader.set(repo.key, made);
  return made;
}

/** The documents of a snapshot. */
export function documentsIn(
  { reader, asked, snapshot: { seq } }: AnalysedSnapshot,
  state: DocsState,
): readonly ContentOfFile[] {
  if (state.listed?.seq !== seq) {
    const all = reader.contents(asked.repo.key, seq, markdownEndings).filter(({ path }) => isDocument(path));
    state.listed = { seq, documents: all.slice(0, mostDocuments) };
  }
  return state.listed.documents;
}

/** Documents of a snapshot that are not read at all, and why. */
export function skippedDocuments({ reader, asked, snapshot: { seq } }: AnalysedSnapshot): readonly PassedOver[] {
  const skipped = reader.skipped(asked.repo.key, seq, markdownEndings).filter(({ path }) => isDocument(path));
  return skipped.map(({ path, skip }) => ({ path, why: passedFor[skip] }));
}

/** What a document says; undefined where nobody has read it as it is. */
export function saidIn({ path, content }: ContentOfFile, { parsed }: DocsState): DocumentMentions | undefined {
  return isChangelog(path) ? nothingSaid('changelog') : parsed.of(content);
}

/** The documents of a snapshot that nobody has read as they are, each content once. */
export function unreadDocuments(of: AnalysedSnapshot, state: DocsState): readonly ContentOfFile[] {
  const unread = documentsIn(of, state).filter(one => saidIn(one, state) === undefined);
  return [...new Map(unread.map(one => [one.content, one])).values()];
}

/** Remembers what the documents and the code of a snapshot say, and nothing else; `always`: however little is new. */
export function keepRead(of: AnalysedSnapshot, state: DocsState, always: boolean): void {
  // One that a publication overtook is nobody's any more.
  if (of.snapshot.seq < state.newest) return;
  state.newest = of.snapshot.seq;
  state.parsed.keep(new Set(documentsIn(of, state).map(({ content }) => content)), always);
  state.routes.keep(of, always);
}

/** Brings along what mentions are held against: of a snapshot that nobody asked about it is most of the work. */
export function bringNames({ graph, modules }: AnalysedSnapshot, { names }: DocsState): void {
  names.bring(graph, () => modules());
}

/** What the documents of a snapshot mention, all of which have been read. */
export function linkedIn(of: AnalysedSnapshot, state: DocsState): readonly LinkedDocument[] {
  const { graph, reader, asked, snapshot } = of;
  const { seq } = snapshot;
  const { version } = state.gone;
  const { revision } = state.parsed;
  const known = state.linked;
  if (known?.seq === seq && known.version === version && known.revision === revision) return known.documents;
  bringNames(of, state);
  const textOf = (path: string): string => reader.text(asked.repo.key, seq, path) ?? '';
  let left = mostMentions;
  const said = documentsIn(of, state).flatMap((document): SaidDocument[] => {
    const mentions = saidIn(document, state);
    if (mentions === undefined) return [];
    left -= mentions.mentions.length + mentions.paths.length + mentions.routes.length;
    return [{ path: document.path, said: left < 0 ? nothingSaid('too many') : mentions }];
  });
  const handing = new Map<string, boolean>();
  const handsOn = (path: string, name: string): boolean => {
    const key = `${path}\0${name}`;
    const text = handing.has(key) ? '' : reader.text(asked.repo.key, seq, path);
    const may = handing.get(key) ?? (text === undefined || mayHandOn(text, name));
    handing.set(key, may);
    return may;
  };
  const gone = goneTable(of, state);
  const treeOf = (paths: readonly string[]) => treePlaces(of, paths, gone, state);
  let foreign: IsForeign | undefined;
  const modules = new Map<string, PythonModule>();
  const ancestors = new Map<string, readonly SymbolRow[]>();
  const documents = linkedDocuments(said, {
    ...{ present: { ...state.names, handedOn: handedOnIn(graph, textOf), mayHandOn: handsOn }, gone, treeOf },
    unspoken: words => {
      const spoken = wordsOfCode(graph, words, 'spoken', textOf);
      return new Set(spoken && [...words].filter(word => !spoken.has(word)));
    },
    bound: names => wordsOfCode(graph, names, 'bound', textOf) ?? new Set(),
    isForeign: mention => {
      foreign ??= foreignNames(reader.foreignNames(asked.repo.key));
      return foreign(mention);
    },
    moduleAt: path => {
      const module = modules.get(path) ?? pythonModule(textOf(path));
      modules.set(path, module);
      return module;
    },
    ancestorsOf: ({ hash }) => {
      const known = ancestors.get(hash) ?? ancestorsOf(hash, one => reader.bases(asked.repo.key, seq, one));
      ancestors.set(hash, known);
      return known;
    },
    isWhole: type => isWhole(graph, type.hash),
  });
  state.linked = { seq, version, revision, documents };
  return documents;
}

/** Files that packages are entered by. */
const isEntry = /(?:^|\/)(?:index|main|mod|lib|entry|exports?|public[-_]?api)[^/]{0,40}\.[cm]?[jt]sx?$/;

function handedOnIn(graph: SnapshotGraph, textOf: (path: string) => string): (folder: string) => readonly HandedOn[] {
  const found = new Map<string, readonly HandedOn[]>();
  return folder => {
    const isIn = (path: string): boolean => folder === '' || path.startsWith(`${folder}/`);
    const entries = (): readonly GraphDocument[] =>
      graph.documents().filter(({ path, isTest }) => !isTest && isIn(path) && isEntry.test(path));
    const known = found.get(folder) ?? entries().flatMap(({ path }) => handedOnBy(textOf(path)));
    found.set(folder, known);
    return known;
  };
}

/** Of more files it is not found out which words stand in none, and of no more words: a thousand files and a word take some milliseconds. */
const mostSearched = 4000;
const mostWords = 50;
/** Of each document which of the words that were looked for it has; in documents that stay they are not looked for again. */
const found = {
  spoken: new WeakMap<GraphDocument, Found>(),
  bound: new WeakMap<GraphDocument, Found>(),
};

interface Found {
  readonly words: string;
  readonly found: ReadonlySet<string>;
}

/** Which of some words stand in the code of a snapshot, or are bound there; undefined where that takes too long. */
function wordsOfCode(
  graph: SnapshotGraph,
  asked: ReadonlySet<string>,
  how: keyof typeof found,
  textOf: (path: string) => string,
): ReadonlySet<string> | undefined {
  const documents = graph.documents().filter(({ path, language }) => language !== 'configuration' && !isDocument(path));
  const isMuch = documents.length > mostSearched || asked.size > mostWords;
  if (isMuch || graph.unread().some(path => /\.(?:vue|svelte|astro)$/.test(path))) return undefined;
  const words = [...asked].sort();
  const key = words.join(' ');
  const all = new Set<string>();
  for (const document of documents) {
    const known = found[how].get(document);
    const of = known?.words === key ? known.found : wordsIn(textOf(document.path), words, how);
    found[how].set(document, { words: key, found: of });
    for (const word of of) all.add(word);
  }
  return all;
}

function wordsIn(text: string, words: readonly string[], how: keyof typeof found): ReadonlySet<string> {
  return new Set(words.filter(word => text.includes(word) && (how === 'spoken' || binds(text, word))));
}

const mostAncestors = 50;

function ancestorsOf(hash: string, basesOf: (hash: string) => readonly SymbolRow[]): readonly SymbolRow[] {
  const found = new Map<string, SymbolRow>();
  const left = [hash];
  for (const next of left) {
    if (found.size >= mostAncestors) break;
    for (const base of basesOf(next)) {
      if (found.has(base.hash)) continue;
      found.set(base.hash, base);
      left.push(base.hash);
    }
  }
  return [...found.values()];
}

/** Whether nothing that a type, or what it extends, has comes from elsewhere. */
function isWhole(graph: SnapshotGraph, hash: string): boolean {
  const symbol = graph.numberOf(hash);
  const sites = symbol === undefined ? [] : graph.sitesOf(symbol);
  return sites.length > 0 && sites.every(site => graph.foreignBasesOf(site).length === 0 && !site.in.isPartial);
}

function goneTable({ graph }: AnalysedSnapshot, { gone, names }: DocsState): GoneTable {
  const find = (hash: string): DocumentedDefinition | undefined => {
    const symbol = graph.numberOf(hash);
    const [site] = symbol === undefined ? [] : graph.sitesOf(symbol);
    if (site === undefined) return undefined;
    const { name } = graph.shown(site);
    return names.named(name).find(one => one.hash === hash);
  };
  return goneNames(gone.rows, names, find);
}

/** Folders that are looked into: each is a question to the index. */
function treePlaces(
  { reader, asked, snapshot, graph }: AnalysedSnapshot,
  paths: readonly string[],
  gone: GoneTable,
  { gone: { rows, moved } }: DocsState,
): TreePlaces {
  const { key } = asked.repo;
  const files = reader.standing(key, snapshot.seq, paths);
  const folders = new Map<string, boolean>();
  const goneFrom = goneByFile(rows);
  const movedFrom = new Map(moved.map(one => [one.path, one.movedTo]));
  const byName = new Map<string, string[]>();
  for (const path of [...graph.documents().map(one => one.path), ...graph.unread()]) {
    const alike = byName.get(baseName(path));
    if (alike === undefined) byName.set(baseName(path), [path]);
    else alike.push(path);
  }
  return {
    isFile: path => files.has(path),
    isFolder: path => {
      const folder = path.replace(/\/+$/, '');
      const known = folders.get(folder) ?? reader.filesBelow(key, snapshot.seq, folder, 1).length > 0;
      folders.set(folder, known);
      return known;
    },
    was: path => {
      if (files.has(path)) return undefined;
      const document = newPlaceOf(path, movedFrom, one => reader.file(key, snapshot.seq, one) !== undefined);
      if (document !== undefined) return { movedTo: document };
      const definitions = goneFrom.get(path);
      if (definitions === undefined) return undefined;
      const movedTo = newPathOf(definitions.map(one => gone.successorOf(one)?.path));
      return { movedTo: movedTo === path ? undefined : movedTo };
    },
    filesCalled: name => byName.get(name) ?? [],
  };
}
