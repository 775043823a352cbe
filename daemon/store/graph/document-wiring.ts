import type { FactsView } from '../../model/facts-codec.ts';
import { atTop, type GraphDocument, importOf, isOfTests, kindOfDefinition, kindOfUse } from '../../model/graph.ts';
import type { WiredDocument, WiredExport, WiredImport } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';

export function wiredDocument(view: DocumentView, graph: GraphDocument): WiredDocument {
  const facts = view.facts();
  return {
    graph,
    imports: Array.from(graph.imports.targets, (_, at) => importIn(facts, graph, at)),
    exports: listsExports.has(graph.language) ? exportsOf(view) : [],
    handedOn: handedOn(facts, graph),
    selfRun: graph.language === 'go' ? startsOfGo(view, graph) : [],
    tests: graph.isTest ? none : testsIn(graph),
  };
}

/** Languages whose files export names, not only definitions. */
const listsExports: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'dart']);

function importIn(facts: FactsView, graph: GraphDocument, at: number): WiredImport {
  const { specifier, name, escapes } = facts.import(at);
  const { to } = importOf(graph, at);
  return { name, escapes, isMissing: (to === undefined || to.kind === 'external') && looksOwn.test(specifier) };
}

/** How nobody writes a package of a registry: by a path, or by an alias for one. */
const looksOwn = /^(?:\.{0,2}\/|\.\.?$|[@~#]\/|~)/;

function exportsOf(view: DocumentView): readonly WiredExport[] {
  const facts = view.facts();
  return Array.from({ length: facts.exportCount }, (_, index) => {
    const { name, of } = facts.export(index);
    const one = facts.expression(of);
    if (one.op === 'import') return { name, definition: -1, import: one.import };
    if (one.op !== 'slot') return { name, definition: -1, import: -1 };
    const { kind, type } = facts.definitionHead(one.slot);
    const whole = kind === 'namespace' && type >= 0 ? facts.expression(type) : undefined;
    return {
      name,
      definition: view.links.definitionOfSlot(one.slot),
      import: whole?.op === 'import' ? whole.import : -1,
    };
  });
}

/** Uses of which each occurrence is that of an export, or of the import that it takes its name from. */
function handedOn(facts: FactsView, { uses }: GraphDocument): ReadonlySet<number> {
  const found = new Set<number>();
  const names = handedNames(facts);
  if (names.size === 0) return found;
  for (let use = 0; use < uses.users.length; use++) {
    const reference = uses.references[use]!;
    if (uses.users[use] !== atTop || reference >= facts.referenceCount) continue;
    const counts = names.get(facts.referenceExpression(reference));
    const kind = kindOfUse(uses.marks[use]!);
    const occurs = kind === 'import' ? counts?.bound : kind === 'read' ? counts?.read : undefined;
    if (occurs === uses.counts[use]) found.add(use);
  }
  return found;
}

/** How often code binds and reads what it imports and exports, as far as it does nothing else with it: by expression. */
function handedNames(facts: FactsView): ReadonlyMap<number, { bound: number; read: number }> {
  const names = new Map<number, { bound: number; read: number; readByExports: number }>();
  for (let index = 0; index < facts.exportCount; index++) {
    const { name, of } = facts.export(index);
    const expression = facts.expression(of);
    if (expression.op !== 'import') continue;
    const known = names.get(of) ?? { bound: 0, read: 0, readByExports: 0 };
    names.set(of, known);
    known.readByExports += readsIn(facts, name, expression.import);
  }
  if (names.size === 0) return names;
  for (let reference = 0; reference < facts.referenceCount; reference++) {
    const counts = names.get(facts.referenceExpression(reference));
    if (counts === undefined) continue;
    const kind = facts.referenceKind(reference);
    if (kind === 'import') counts.bound++;
    else counts.read += kind === 'read' ? 1 : Number.POSITIVE_INFINITY;
  }
  for (const [of, { read, readByExports }] of names) if (read > readByExports) names.delete(of);
  return names;
}

/** How often an export under some name reads what an import binds: where it names it, and where it gives it another name. */
function readsIn(facts: FactsView, name: string, imported: number): number {
  // In Python every name of a module is exported, without a word that would read it.
  if (facts.language === 'python') return 0;
  return facts.import(imported).local === name ? 1 : 2;
}

function startsOfGo({ facts }: DocumentView, graph: GraphDocument): readonly number[] {
  const found: number[] = [];
  graph.slots.forEach((slot, at) => {
    const isTop = graph.containers[at] === atTop && kindOfDefinition(graph, at) === 'function';
    if (isTop && /^(?:init|main)$/.test(facts().definitionName(slot))) found.push(at);
  });
  return found;
}

function testsIn(graph: GraphDocument): ReadonlySet<number> {
  const found = Array.from(graph.symbols.keys()).filter(at => isOfTests({ in: graph, at }));
  return found.length === 0 ? none : new Set(found);
}

const none: ReadonlySet<number> = new Set();
