import type { FactsView } from '../../model/facts-codec.ts';
import { type GraphDocument, importOf } from '../../model/graph.ts';
import type { WiredDocument, WiredImport } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { extending, memberWords, ownersOf, selfRun, startsOf, testsIn, unlisted } from './wired-definitions.ts';
import { handedOn, handsOver, takenOfEither, wiredExports } from './wired-exports.ts';

export function wiredDocument(view: DocumentView, graph: GraphDocument): WiredDocument {
  const facts = view.facts();
  return {
    graph,
    imports: Array.from(graph.imports.targets, (_, at) => importIn(facts, graph, at)),
    owners: ownersOf(view, graph),
    exports: wiredExports(view, graph),
    takes: graph.language === 'python' ? takenOfEither(facts) : [],
    handedOn: handedOn(facts, graph),
    handsOver: handsOver(facts, graph),
    selfRun: selfRun(view, graph),
    starts: startsOf(view, graph),
    tests: testsIn(graph),
    unlisted: unlisted(view, graph),
    extending: extending(view, graph),
    memberWords: memberWords(facts),
  };
}

function importIn(facts: FactsView, graph: GraphDocument, at: number): WiredImport {
  const { specifier, name, escapes } = facts.import(at);
  const { to } = importOf(graph, at);
  return { name, escapes, isMissing: (to === undefined || to.kind === 'external') && looksOwn.test(specifier) };
}

/**
 * Whether a document imports something of a name from where the repository has, or ought to have, what it imports from: there is
 * such a place, or was one called so, or nobody writes a package like that.
 */
export function importsOwn(facts: FactsView, graph: GraphDocument, name: string, places: readonly string[]): boolean {
  for (let at = 0; at < facts.importCount; at++) {
    const one = facts.import(at);
    if (one.name !== name) continue;
    const { to } = importOf(graph, at);
    const isNamed = places.includes(one.specifier.split(/[./:\\]+/).at(-1)!);
    if (isNamed || looksOwn.test(one.specifier) || (to !== undefined && to.kind !== 'external')) return true;
  }
  return false;
}

/** What a document calls things that it imports under some names; the default of a package of a registry is not among them. */
export function* localNames(facts: FactsView, names: ReadonlySet<string>): Iterable<string> {
  for (let at = 0; at < facts.importCount; at++) {
    const { name, local, specifier } = facts.import(at);
    if (names.has(name) && (name !== 'default' || looksOwn.test(specifier))) yield local;
  }
}

/** How nobody writes a package of a registry: by a path, or by an alias for one. */
const looksOwn = /^(?:\.{0,2}\/|\.\.?$|[@~#]\/|~)/;
