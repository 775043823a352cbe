import type { ListCall, Place } from './list-call.ts';
import type { Listed } from './listed.ts';
import { byPlaceOfEdge, byPlaceOfRef, fileRow, isEdge } from './pages.ts';
import type { EdgeRow, FileRow, RefRow, ServedSymbolRow } from './shown.ts';

/** What a mirror adds and takes away, in the names of a delta artifact. */
export interface Deltas {
  readonly files: { readonly added: FileRow[]; readonly modified: FileRow[]; readonly deleted: string[] };
  readonly symbols: {
    readonly added: ServedSymbolRow[];
    readonly modified: ServedSymbolRow[];
    readonly deleted: string[];
  };
  readonly refs: { readonly added: RefRow[]; readonly deleted: RefRow[] };
  readonly callgraph: { readonly added: EdgeRow[]; readonly deleted: EdgeRow[] };
}

export interface ChangesPage {
  readonly deltas: Deltas;
  readonly next: Place | undefined;
}

export function noDeltas(): Deltas {
  return {
    files: { added: [], modified: [], deleted: [] },
    symbols: { added: [], modified: [], deleted: [] },
    refs: { added: [], deleted: [] },
    callgraph: { added: [], deleted: [] },
  };
}

/** A document that one snapshot has, or both, under its path: that is the same in all files of a repository. */
interface Changed {
  readonly path: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** So many documents are compared for one page, however little differs in them. */
const documentsPerPage = 250;

/**
 * What differs between two snapshots, one document after the other in the order in which they are listed: each with its
 * file, the symbols that it defines or did, and its rows of references and calls. Ends a page behind the document that
 * fills it. Undefined where that can't be told by what is shown.
 */
export function changesPage(before: Listed, after: Listed, { from, limit }: ListCall): ChangesPage | undefined {
  const pair = compared(before, after);
  if (!isTellable(pair)) return undefined;
  const deltas = noDeltas();
  const first = from?.position ?? 0;
  let rows = 0;
  for (let position = first; position < pair.documents.length; position++) {
    if (rows >= limit || position - first >= documentsPerPage) return { deltas, next: { position, given: 0 } };
    rows += tellDocument(pair.documents[position]!, pair, deltas);
  }
  return { deltas, next: undefined };
}

/**
 * Files that are shown alike can't be told apart, as which of them goes; and where paths are kept back, what is cut out of
 * texts hangs on which paths there are, also out of those of files that nobody touched.
 */
function isTellable({ before, after, documents }: Compared): boolean {
  const { exposePaths, pathPrefixStrip } = after.shown.privacy;
  if (exposePaths && pathPrefixStrip === '') return true;
  return documents.every(({ path, before: was, after: is }) => {
    const shownPath = after.shown.path(path);
    const isAlone = [before, after].every(side => side.documentsAt(shownPath).length <= 1);
    return isAlone && (exposePaths || (was === undefined) === (is === undefined));
  });
}

interface Compared {
  readonly before: Listed;
  readonly after: Listed;
  /** Those that may differ. */
  readonly documents: readonly Changed[];
  /** By path: the place among these of one whose content differs. */
  placeOf(path: string): number | undefined;
}

function compared(before: Listed, after: Listed): Compared {
  const [one, other] = [byPath(before), byPath(after)];
  const documents = touchedPaths(before, after, one, other).map(path => ({
    path,
    before: one.get(path),
    after: other.get(path),
  }));
  const place = ({ before: was, after: is }: Changed): number =>
    is === undefined ? before.positions[was!]! + 2 ** 32 : after.positions[is]!;
  documents.sort((a, b) => place(a) - place(b));
  const places = new Map(documents.map(({ path }, at) => [path, at]));
  return {
    ...{ before, after, documents },
    placeOf: path => {
      const at = places.get(path);
      return at !== undefined && isRewritten(documents[at]!, before, after) ? at : undefined;
    },
  };
}

function isRewritten({ before: was, after: is }: Changed, before: Listed, after: Listed): boolean {
  const hash = ({ catalogue, lists }: Listed, document: number): string =>
    lists.contentHash(catalogue.documents[document]!.document);
  return was === undefined || is === undefined || hash(before, was) !== hash(after, is);
}

function byPath({ catalogue }: Listed): ReadonlyMap<string, number> {
  return new Map(catalogue.documents.map(({ path }, document) => [path, document]));
}

/** In one file the publications between tell; of two files all documents are compared. */
function touchedPaths(
  before: Listed,
  after: Listed,
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): readonly string[] {
  const numbers = before.reader === after.reader ? after.lists.changedSince(before.catalogue.seq) : undefined;
  if (numbers !== undefined) {
    const wanted = new Set(numbers);
    const paths = new Set<string>();
    for (const { catalogue } of [before, after]) {
      for (const { document, path } of catalogue.documents) if (wanted.has(document)) paths.add(path);
    }
    const changed = [...paths].map(path => ({ path, before: one.get(path), after: other.get(path) }));
    // A symbol of several files is counted in the one at which it is shown, which may be another one now.
    for (const rewritten of changed.filter(document => isRewritten(document, before, after))) {
      for (const hash of hashesIn(rewritten, { before, after })) {
        for (const side of [before, after]) for (const path of pathsDefining(hash, side)) paths.add(path);
      }
    }
    return [...paths];
  }
  return [...new Set([...one.keys(), ...other.keys()])];
}

/** Returns how many rows were told. */
function tellDocument(one: Changed, pair: Compared, deltas: Deltas): number {
  const { before, after } = pair;
  const start = countOf(deltas);
  tellFile(one, before, after, deltas.files);
  if (isRewritten(one, before, after)) {
    for (const hash of hashesIn(one, pair)) {
      if (isToldAt(hash, one, pair)) tellSymbol(hash, before, after, deltas.symbols);
    }
  }
  const [was, is] = [rowsAt(before, one.before), rowsAt(after, one.after)];
  tellRows(was.refs, is.refs, deltas.refs);
  tellRows(was.edges, is.edges, deltas.callgraph);
  return countOf(deltas) - start;
}

function pathsDefining(hash: string, { lists, catalogue, documentOf }: Listed): readonly string[] {
  return lists.defining(hash).flatMap(number => {
    const document = documentOf(number);
    return document === undefined ? [] : [catalogue.documents[document]!.path];
  });
}

function countOf(deltas: Deltas): number {
  return Object.values(deltas)
    .flatMap(lists => Object.values(lists as Record<string, readonly unknown[]>))
    .reduce((sum, list) => sum + list.length, 0);
}

function hashesIn(
  { before: was, after: is }: Changed,
  { before, after }: Pick<Compared, 'before' | 'after'>,
): ReadonlySet<string> {
  const of = (listed: Listed, document: number | undefined): readonly string[] =>
    document === undefined ? [] : listed.lists.definedIn(listed.catalogue.documents[document]!.document);
  return new Set([...of(before, was), ...of(after, is)]);
}

/** A symbol of several documents is told of at the first of them whose content differs. */
function isToldAt(hash: string, { path }: Changed, { before, after, placeOf }: Compared): boolean {
  const own = placeOf(path)!;
  return [before, after].every(side =>
    pathsDefining(hash, side).every(path => {
      const place = placeOf(path);
      return place === undefined || place >= own;
    }),
  );
}

function tellFile({ path, before: was, after: is }: Changed, before: Listed, after: Listed, to: Deltas['files']): void {
  const old = was === undefined ? undefined : fileRow(before, was);
  const now = is === undefined ? undefined : fileRow(after, is);
  if (now === undefined) to.deleted.push(before.shown.path(path));
  else if (old === undefined) to.added.push(now);
  else if (JSON.stringify(old) !== JSON.stringify(now)) to.modified.push(now);
}

function tellSymbol(hash: string, before: Listed, after: Listed, to: Deltas['symbols']): void {
  const [old, now] = [before.symbol(hash), after.symbol(hash)].map(row => row && after.shown.symbol(row));
  if (now === undefined) {
    if (old !== undefined) to.deleted.push(old.id);
  } else if (old === undefined) to.added.push(now);
  else if (JSON.stringify(old) !== JSON.stringify(now)) to.modified.push(now);
}

interface Rows {
  readonly refs: readonly RefRow[];
  readonly edges: readonly EdgeRow[];
}

function rowsAt({ catalogue, lists, shown }: Listed, document: number | undefined): Rows {
  if (document === undefined) return { refs: [], edges: [] };
  const { document: number, path, language } = catalogue.documents[document]!;
  const references = lists.references(number);
  return {
    refs: references.map(reference => shown.ref(path, language, reference)).sort(byPlaceOfRef),
    edges: references
      .filter(isEdge)
      .map(reference => shown.edge(path, language, reference))
      .sort(byPlaceOfEdge),
  };
}

/** What either list has more of than the other. */
function tellRows<Row>(
  was: readonly Row[],
  is: readonly Row[],
  to: { readonly added: Row[]; readonly deleted: Row[] },
): void {
  const left = new Map<string, number>();
  for (const row of was) left.set(JSON.stringify(row), (left.get(JSON.stringify(row)) ?? 0) + 1);
  for (const row of is) {
    const text = JSON.stringify(row);
    const count = left.get(text) ?? 0;
    if (count === 0) to.added.push(row);
    else left.set(text, count - 1);
  }
  for (const row of was) {
    const text = JSON.stringify(row);
    const count = left.get(text) ?? 0;
    if (count === 0) continue;
    to.deleted.push(row);
    left.set(text, count - 1);
  }
}
