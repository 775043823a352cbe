import type { ScopeKey } from '../../model/document.ts';
import type { DefinitionFact, DocumentFacts, Range } from '../../model/facts.ts';
import { atTop, type CodeGraph, type GraphDocument, type GraphSite, isOfTests, traitsOf } from '../../model/graph.ts';
import type { QuestionKey } from '../../model/question.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { Finder, SpokenNames, WiredDocument } from '../../model/wiring.ts';
import type { DocumentViews } from '../document-view.ts';
import { referenceAt } from '../effective-links.ts';
import { type ExportAlias, exportAliasesOf, exportingLanguages } from '../export-aliases.ts';
import { type ExternalRow, externalRow } from '../external-rows.ts';
import { askers } from '../questions.ts';
import { documentAt, firstDocument, lastDocument, type Prepare, pathOf } from '../rows.ts';
import { fitting, settleCandidates } from '../settle-candidates.ts';
import { definitionSites, enclosedAt } from '../symbol-rows.ts';
import { importsOwn, localNames } from './document-wiring.ts';
import { finderOf } from './finders.ts';
import { foreignBasesOf, spokenIn, wiringOf } from './wired-documents.ts';

/** A graph, and what its numbers stand for. */
export interface SnapshotGraph extends CodeGraph {
  /** A definition as an answer shows it. */
  shown(site: GraphSite): ShownDefinition;
  /** Where all of each of a document's definitions lies, its body included. */
  rangesOf(document: GraphDocument): readonly Range[];
  /** What a document defines. */
  definedIn(document: GraphDocument): readonly Defined[];
  /** All that a document says by itself; made anew each time. */
  factsOf(document: GraphDocument): DocumentFacts;
  /** What is known of a symbol of a dependency; undefined of any other. */
  external(symbol: number): ExternalRow | undefined;
  /** The part of the file at a path; undefined where the snapshot reads none there. */
  documentAt(path: string): GraphDocument | undefined;
  /** Documents with an import that leads to the file at a path, which nobody need read. */
  importersOf(path: string): readonly GraphDocument[];
  /** Documents whose links rest on the answer to one of some questions; of a later snapshot's, where there is one. */
  askersOf(questions: Iterable<QuestionKey>): readonly GraphDocument[];
  /** Whether a document uses one of some names for what is no definition of the snapshot, or for nobody knows what. */
  usesInVain(document: GraphDocument, names: ReadonlySet<string>): boolean;
  /** Documents that import something of a name from where the repository has none of it. `places`: what such a place was called. */
  importersInVain(name: string, places: readonly string[]): readonly GraphDocument[];
  /** Where a document lies, whether anybody reads it or not. */
  pathOf(document: number): string;
  /** Where a reference of a document stands. */
  placeOf(document: number, reference: number): Range;
  /** Uses that nothing but the name ties to a symbol, which no other definition of the name can mean; and how many uses of the name are open. */
  byNameAlone(symbol: number): { readonly users: readonly GraphSite[]; readonly open: number };
  /** How a document is tied to others by imports and exports. */
  wiringOf(document: GraphDocument): WiredDocument;
  /** Names that a document has in texts; made once. */
  spokenIn(document: GraphDocument): SpokenNames;
  /** What is written at a definition that has it found otherwise than by its name; undefined where nothing is. */
  finderOf(site: GraphSite): Finder | undefined;
  /** Names of what a definition extends or implements that is somebody else's. */
  foreignBasesOf(site: GraphSite): readonly string[];
  /** Under which other names a document exports what is defined in the repository. */
  exportAliasesOf(document: GraphDocument): readonly ExportAlias[];
}

/** A definition, and what others may do with it. */
export interface Defined extends Pick<DefinitionFact, 'name' | 'kind' | 'exported' | 'visibility' | 'nameRange'> {
  /** 32 hex digits. */
  readonly hash: string;
  /** Name of what it stands in; '' at the top. */
  readonly within: string;
}

/** Positions 0-based. */
export interface ShownDefinition {
  /** 32 hex digits. */
  readonly hash: string;
  readonly name: string;
  /** Names of what it stands in, outermost first. */
  readonly containers: readonly string[];
  readonly kind: SymbolKind;
  readonly path: string;
  readonly nameRange: Range;
  /** All of it, its body included. */
  readonly range: Range;
  readonly isTest: boolean;
}

export function snapshotGraph(graph: CodeGraph, repo: number, views: DocumentViews, prepare: Prepare): SnapshotGraph {
  const viewOf = (document: number) => views.at(document, graph.seq)!;
  const usesInVain: SnapshotGraph['usesInVain'] = ({ document }, names) => {
    const { facts, links } = viewOf(document);
    const isHere = links.targetsByReference(symbol => graph.sitesOf(symbol).length > 0);
    const written = new Set([...names, ...localNames(facts(), names)]);
    const count = facts().referenceCount;
    for (let index = 0; index < count; index++) {
      if (isHere[index] !== true && written.has(facts().referenceName(index))) return true;
    }
    return false;
  };
  const shown = (site: GraphSite): ShownDefinition => {
    const { document, slots, path } = site.in;
    const view = viewOf(document);
    const slot = slots[site.at]!;
    const facts = view.facts();
    const name = facts.definitionName(slot);
    const { kind } = facts.definitionTraits(slot);
    const { containers } = enclosedAt(path, facts, slot);
    return {
      hash: view.hashOf(slot),
      name,
      containers,
      kind,
      path,
      nameRange: facts.definitionNameRange(slot),
      range: facts.definitionRange(slot),
      isTest: isOfTests(site),
    };
  };
  return {
    get seq() {
      return graph.seq;
    },
    document: document => graph.document(document),
    documents: () => graph.documents(),
    eachUse: (symbol, take) => graph.eachUse(symbol, take),
    eachUseBy: (user, take) => graph.eachUseBy(user, take),
    confidence: (user, use) => graph.confidence(user, use),
    unread: () => graph.unread(),
    documentsUsing: symbol => graph.documentsUsing(symbol),
    partlyReadNaming: (names, language) => graph.partlyReadNaming(names, language),
    sitesOf: symbol => graph.sitesOf(symbol),
    documentsAt: imported => graph.documentsAt(imported),
    documentsIn: scope => graph.documentsIn(scope),
    eachImport: (of, take) => graph.eachImport(of, take),
    numberOf: hash => graph.numberOf(hash),
    declaredAt: site => graph.declaredAt(site),
    declarationsNamed: (name, language) => graph.declarationsNamed(name, language),
    shown,
    rangesOf: ({ document, slots }) => {
      const facts = viewOf(document).facts();
      return Array.from(slots, slot => facts.definitionRange(slot));
    },
    definedIn: ({ document, slots }) => {
      const view = viewOf(document);
      const facts = view.facts();
      return Array.from(slots, slot => {
        const container = facts.definitionContainer(slot);
        return {
          ...facts.definitionTraits(slot),
          hash: view.hashOf(slot),
          name: facts.definitionName(slot),
          nameRange: facts.definitionNameRange(slot),
          within: container < 0 ? '' : facts.definitionName(container),
        };
      });
    },
    factsOf: ({ document }) => viewOf(document).facts().decode(),
    external: symbol => externalRow(symbol, prepare),
    documentAt: path => {
      const document = documentAt(repo, path, prepare);
      return document === undefined ? undefined : graph.document(document);
    },
    importersOf: path => {
      const found = new Set<GraphDocument>();
      const none = new Uint32Array();
      const file = { path, scope: path as ScopeKey, language: '', symbols: none, slots: none };
      graph.eachImport(file, importer => found.add(importer));
      return [...found];
    },
    askersOf: questions =>
      [...askers(repo, questions, prepare).keys()].flatMap(document => graph.document(document) ?? []),
    usesInVain,
    importersInVain: (name, places) =>
      leavingUnsettled(name, repo, prepare).flatMap(document => {
        const one = graph.document(document);
        const isOne = one !== undefined && importsOwn(viewOf(document).facts(), one, name, places);
        return isOne && usesInVain(one, new Set([name])) ? [one] : [];
      }),
    pathOf: document => pathOf(document, prepare),
    placeOf: (document, reference) => {
      const view = viewOf(document);
      const { line, column, endLine, endColumn } = referenceAt(view, view.facts, reference);
      return { startLine: line, startColumn: column, endLine, endColumn };
    },
    wiringOf: one => wiringOf(one, viewOf(one.document)),
    spokenIn: one => spokenIn(one, viewOf(one.document)),
    finderOf: site => finderOf(site, viewOf(site.in.document)),
    exportAliasesOf: ({ document, language }) => {
      if (!exportingLanguages.has(language)) return [];
      const view = viewOf(document);
      return exportAliasesOf(view.facts(), () => view);
    },
    foreignBasesOf: site => foreignBasesOf(site, viewOf(site.in.document), symbol => graph.sitesOf(symbol).length > 0),
    byNameAlone: symbol => {
      const { seq } = graph;
      const of = { symbol, repo, seq, sites: definitionSites(symbol, repo, seq, views, prepare) };
      const { settled, unresolved } = settleCandidates(of, false, views, prepare);
      const holds = views.holding(repo, seq);
      const isNamed = graph.sitesOf(symbol).some(site => traitsOf(site).isNamed);
      const users = (settled?.documents ?? []).flatMap(document => {
        const view = views.at(document, seq);
        const one = graph.document(document);
        if (view === undefined || one === undefined || settled === undefined) return [];
        if (isNamed && one.context !== undefined) return [];
        const enclosing = fitting(view, settled, holds).map(reference => view.facts().referenceEnclosing(reference));
        const indexes = enclosing.map(slot => (slot < 0 ? atTop : view.links.definitionOfSlot(slot)));
        return [...new Set(indexes)].map(at => ({ in: one, at }));
      });
      return { users, open: unresolved };
    },
  };
}

/** Of more documents that leave a name unsettled, the rest is not looked at. */
const mostLeaving = 1000;

/** Documents some version of which leaves a name unsettled. */
function leavingUnsettled(name: string, repo: number, prepare: Prepare): readonly number[] {
  return prepare<[string, number, number], number>(
    `SELECT document FROM candidate WHERE key = (SELECT id FROM name WHERE text = ?) AND document BETWEEN ? AND ?
       LIMIT ${mostLeaving}`,
  )
    .pluck()
    .all(name, firstDocument(repo), lastDocument(repo));
}
