import type { ReferenceKind } from '../model/facts.ts';
import { referenceKinds } from '../model/facts-format.ts';
import { familyOf } from '../model/families.ts';
import { once } from '../model/once.ts';
import { argumentCount, shapeOf, takesSoMany } from '../model/parameter-shape.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import { type Holds, unresolvedIn } from './effective-links.ts';
import { type Bearer, isReachable, mayMean, mayUse } from './guesses.ts';
import { elsewhere, unpackTraits } from './link-format.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { bearersOf, type DefinitionSite } from './symbol-rows.ts';

export interface SymbolInRepo {
  readonly symbol: number;
  readonly repo: number;
  readonly seq: number;
  readonly sites: readonly DefinitionSite[];
}

/** What of a name that nothing settled belongs to a symbol. */
export interface Settled {
  readonly name: number;
  readonly documents: readonly number[];
  readonly fits: (view: DocumentView, reference: number, kind: ReferenceKind) => boolean;
}

/** A name left unresolved in more documents than this is likely one of a library's; the one definition gets none of them. */
const settledDocuments = 50;

/**
 * An unresolved occurrence belongs to the symbol when it is within its reach and no other definition of the repository
 * that bears the name fits how it is used, in the same family of languages. Decided here, at read time: nothing stored
 * depends on a name being unique.
 */
export function settleCandidates(
  of: SymbolInRepo,
  onlyCalls: boolean,
  views: DocumentViews,
  prepare: Prepare,
): { readonly settled: Settled | undefined; readonly unresolved: number } {
  const site = of.sites[0];
  if (site === undefined) return { settled: undefined, unresolved: 0 };
  const name = site.view.links.nameAt(site.index);
  const newest = once(() => newestOf(of.repo, prepare));
  const documents = leavingUnsettled(name, of, newest, views, prepare);
  if (documents === undefined) return { settled: undefined, unresolved: views.usesLeft(name, of.repo, newest()) };
  if (documents.length === 0) return { settled: undefined, unresolved: 0 };
  const bearer = bearerAt(site);
  const { family } = bearer;
  const means = (kind: ReferenceKind): boolean => (!onlyCalls || kind === 'call') && mayUse(kind, bearer.kind);
  const { unresolved, kinds } = unsettledUses({ name, documents }, means, family, of, views);
  const own = withoutRivals(kinds, of, site, name, views, prepare);
  if (own.size === 0) return { settled: undefined, unresolved };
  const takes = takenBy(of, bearer);
  const isWithinReach = isReachable(bearer)
    ? () => true
    : ({ facts }: DocumentView, reference: number, kind: ReferenceKind): boolean =>
        mayMean({ kind, op: facts().expression(facts().reference(reference).expression).op }, bearer);
  const fits = (view: DocumentView, reference: number, kind: ReferenceKind): boolean =>
    familyOf(view.language) === family &&
    own.has(kind) &&
    isWithinReach(view, reference, kind) &&
    takes(view, reference);
  return { settled: { name, documents, fits }, unresolved };
}

/** Whether a call passes as many arguments as a site of a function takes; in other languages than Java's nobody wrote it down. */
function takenBy(
  { sites }: SymbolInRepo,
  { kind, family }: Bearer,
): (view: DocumentView, reference: number) => boolean {
  if (family !== 'jvm' || (kind !== 'method' && kind !== 'function')) return () => true;
  const shapes = sites.flatMap(({ view, index }) =>
    view.links.slotsOf(index).map(slot => {
      const facts = view.facts();
      return facts.definition(slot).supers.map(type => shapeOf(at => facts.expression(at), type));
    }),
  );
  return (view, reference) => {
    const facts = view.facts();
    const count = argumentCount(at => facts.expression(at), facts.reference(reference).expression);
    return count === undefined || shapes.some(parameters => takesSoMany(parameters, count));
  };
}

/**
 * The documents whose versions leave a name unsettled; undefined where they are too many to tell for whom. Hint rows that
 * only other snapshots need don't count: the same tree has the same answer, whatever it was before.
 */
function leavingUnsettled(
  name: number,
  { repo, seq }: SymbolInRepo,
  newest: () => number,
  views: DocumentViews,
  prepare: Prepare,
): readonly number[] | undefined {
  const rows = prepare<[number, number, number], { document: number; uses: number }>(
    'SELECT document, uses FROM candidate WHERE key = ? AND document BETWEEN ? AND ?',
  );
  const documents: number[] = [];
  for (const { document, uses } of rows.iterate(name, firstDocument(repo), lastDocument(repo))) {
    if (newest() === seq) {
      if (uses === 0) continue;
    } else {
      const view = views.at(document, seq);
      if (view === undefined || unresolvedIn(view, name, views.holding(repo, seq)).length === 0) continue;
    }
    if (documents.length === settledDocuments) return undefined;
    documents.push(document);
  }
  return documents;
}

function newestOf(repo: number, prepare: Prepare): number {
  return prepare<[number], { seq: number }>('SELECT max(seq) AS seq FROM snapshot WHERE repo = ?').get(repo)!.seq;
}

function bearerAt({ view, index }: DefinitionSite): Bearer {
  const { kind } = unpackTraits(view.links.traitsAt(index));
  const { container } = view.facts().definition(view.links.primarySlotAt(index));
  const around = container < 0 ? undefined : view.facts().definition(container).kind;
  return { kind, family: familyOf(view.language), container: around };
}

/**
 * Occurrences of the name that may mean a definition of the symbol's kind, and those of unknown use that likely don't;
 * and which kinds of use the former are.
 */
function unsettledUses(
  { name, documents }: Pick<Settled, 'name' | 'documents'>,
  means: (kind: ReferenceKind) => boolean,
  family: string,
  { repo, seq }: SymbolInRepo,
  views: DocumentViews,
): { readonly unresolved: number; readonly kinds: ReadonlySet<ReferenceKind> } {
  let unresolved = 0;
  const kinds = new Set<ReferenceKind>();
  const holds = views.holding(repo, seq);
  for (const document of documents) {
    const view = views.at(document, seq);
    if (view === undefined || familyOf(view.language) !== family) continue;
    for (const packed of unresolvedIn(view, name, holds)) {
      const use = packed & 7;
      const isKnown = use !== elsewhere;
      if (isKnown && !means(referenceKinds[use]!)) continue;
      unresolved++;
      if (isKnown) kinds.add(referenceKinds[use]!);
    }
  }
  return { unresolved, kinds };
}

/**
 * The kinds of use that no other definition in the repository that bears the name may have. Of thousands that bear it
 * the first few settle that.
 */
function withoutRivals(
  kinds: ReadonlySet<ReferenceKind>,
  of: SymbolInRepo,
  site: DefinitionSite,
  name: number,
  views: DocumentViews,
  prepare: Prepare,
): ReadonlySet<ReferenceKind> {
  const own = new Set(kinds);
  for (const document of own.size === 0 ? [] : bearersOf(name, of.repo, prepare)) {
    const view = views.at(document, of.seq);
    if (view === undefined || familyOf(view.language) !== familyOf(site.view.language)) continue;
    const { links } = view;
    for (let index = 0; index < links.definitionCount; index++) {
      if (links.nameAt(index) !== name || links.symbolAt(index) === of.symbol) continue;
      const { kind } = unpackTraits(links.traitsAt(index));
      // Its calls are the class's.
      if (kind === 'constructor' && containerAt(view, index) === of.symbol) continue;
      for (const use of own) if (mayUse(use, kind)) own.delete(use);
    }
    if (own.size === 0) break;
  }
  return own;
}

/** The symbol that a definition stands in; undefined at the top of its file. */
function containerAt({ facts, links }: DocumentView, index: number): number | undefined {
  const { container } = facts().definition(links.primarySlotAt(index));
  return container < 0 ? undefined : links.symbolOfSlot(container);
}

/** The unresolved occurrences of a document that belong to the symbol: indexes of its references. */
export function fitting(view: DocumentView, { name, fits }: Settled, holds: Holds): number[] {
  const references: number[] = [];
  for (const packed of unresolvedIn(view, name, holds)) {
    const use = packed & 7;
    if (use !== elsewhere && fits(view, packed >>> 3, referenceKinds[use]!)) references.push(packed >>> 3);
  }
  return references;
}
