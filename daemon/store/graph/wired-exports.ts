import type { ReferenceKind } from '../../model/facts.ts';
import type { FactsView } from '../../model/facts-codec.ts';
import { atTop, type GraphDocument, kindOfDefinition, kindOfUse, traitsOf } from '../../model/graph.ts';
import type { WiredDocument, WiredExport } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';

/** Names that a file exports, in languages whose files export names, not only definitions. */
export function wiredExports(view: DocumentView, graph: GraphDocument): readonly WiredExport[] {
  switch (graph.language) {
    case 'typescript':
    case 'javascript':
    case 'python':
    case 'dart':
      return exportsOf(view, graph);
    case 'rust':
      return exportsOfRust(view, graph);
    default:
      return [];
  }
}

function exportsOf(view: DocumentView, graph: GraphDocument): readonly WiredExport[] {
  const facts = view.facts();
  const indexes = Array.from({ length: facts.exportCount }, (_, index) => index);
  // What nobody can write is for those who look things up in a library of Dart.
  const written = indexes.filter(index => graph.language !== 'dart' || !facts.export(index).name.includes(' '));
  return written.map(index => {
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

/** What a file of Rust shows: public definitions of its modules and of its enums, and what `pub use` takes from others. */
function exportsOfRust(view: DocumentView, graph: GraphDocument): readonly WiredExport[] {
  const facts = view.facts();
  const isShown = (at: number): boolean => {
    const container = graph.containers[at]!;
    const isNamed = container === atTop || /^(?:module|enum)$/.test(kindOfDefinition(graph, container));
    return isNamed && traitsOf({ in: graph, at }).exported;
  };
  const own = [...graph.symbols.keys()].filter(isShown);
  const definitions = own.map(at => ({ name: facts.definitionName(graph.slots[at]!), definition: at, import: -1 }));
  const imports = Array.from({ length: facts.importCount }, (_, index) => ({ ...facts.import(index), index }));
  const shown = imports.filter(({ exported }) => exported);
  return [
    ...definitions,
    ...shown.map(({ wildcard, local, index }) => ({ name: wildcard ? '*' : local, definition: -1, import: index })),
  ];
}

/** Uses of which each occurrence is that of an export, or of the import that it takes its name from. */
export function handedOn(facts: FactsView, graph: GraphDocument): ReadonlySet<number> {
  const { uses } = graph;
  const found = new Set<number>();
  const names = handedNames(facts);
  if (names.size === 0) return found;
  for (let use = 0; use < uses.users.length; use++) {
    const reference = uses.references[use]!;
    if (!isOfModule(graph, uses.users[use]!) || reference >= facts.referenceCount) continue;
    const counts = names.get(facts.referenceExpression(reference));
    const kind = kindOfUse(uses.marks[use]!);
    const occurs = kind === 'import' ? counts?.bound : kind === 'read' ? counts?.read : undefined;
    if (occurs === uses.counts[use]) found.add(use);
  }
  return found;
}

/** Uses that read a name, those of an import of whose value code takes names alone apart. */
export function handsOver(facts: FactsView, { language, uses }: GraphDocument): ReadonlySet<number> {
  const found = new Set<number>();
  if (language !== 'typescript' && language !== 'javascript') return found;
  for (let use = 0; use < uses.users.length; use++) {
    if (readsValue.has(kindOfUse(uses.marks[use]!)) && !isTakenApart(facts, uses.references[use]!)) found.add(use);
  }
  return found;
}

const readsValue: ReadonlySet<ReferenceKind> = new Set(['read', 'import', 'reference']);

function isTakenApart(facts: FactsView, reference: number): boolean {
  if (reference >= facts.referenceCount) return false;
  const one = facts.expression(facts.referenceExpression(reference));
  return one.op === 'import' && !facts.import(one.import).escapes;
}

function isOfModule(graph: GraphDocument, user: number): boolean {
  return user === atTop || kindOfDefinition(graph, user) === 'module';
}

/** How often code binds and reads what it imports and exports, as far as it does nothing else with it: by expression. */
function handedNames(facts: FactsView): ReadonlyMap<number, { bound: number; read: number }> {
  const names = new Map<number, { bound: number; read: number; readByExports: number }>();
  for (let index = 0; index < facts.exportCount; index++) {
    const { of, name } = facts.export(index);
    if (!isHandedOn(facts, name, of)) continue;
    const known = names.get(of) ?? { bound: 0, read: 0, readByExports: 0 };
    names.set(of, known);
    known.readByExports += readsIn(facts, name, of);
  }
  if (names.size === 0) return names;
  for (let reference = 0; reference < facts.referenceCount; reference++) {
    const kind = facts.referenceKind(reference);
    for (const of of optionsOf(facts, facts.referenceExpression(reference))) {
      const counts = names.get(of);
      if (counts === undefined) continue;
      if (kind === 'import') counts.bound++;
      else counts.read += kind === 'read' ? 1 : Number.POSITIVE_INFINITY;
    }
  }
  for (const [of, { read, readByExports }] of names) if (read > readByExports) names.delete(of);
  return names;
}

/** How often an export under some name reads what an import binds: where it names it, and where it gives it another name. */
function readsIn(facts: FactsView, name: string, of: number): number {
  // In Python every name of a module is exported, without a word that would read it, and in Rust an import is one.
  if (facts.language === 'python' || facts.language === 'rust') return 0;
  const one = facts.expression(of);
  return one.op === 'import' && facts.import(one.import).local !== name ? 2 : 1;
}

/** An import that is exported; of Rust what a `pub use` names, as the visibility in front of others tells. */
function isHandedOn(facts: FactsView, name: string, of: number): boolean {
  const { op } = facts.expression(of);
  return facts.language === 'rust'
    ? op === 'member' && !/^(?:use|super|crate|impl) |::\*$/.test(name)
    : op === 'import';
}

/** Each expression that one may stand for: itself, or what it is either of. */
function optionsOf(facts: FactsView, expression: number): readonly number[] {
  const one = facts.expression(expression);
  return one.op === 'either' ? [...optionsOf(facts, one.of), ...optionsOf(facts, one.other)] : [expression];
}

/**
 * What code takes out of one of several modules: `impl.run` of `import fast as impl` and `import slow as impl`, of which a link
 * names one.
 */
export function takenOfEither(facts: FactsView): WiredDocument['takes'] {
  const found: { readonly import: number; readonly name: string }[] = [];
  for (let index = 0; index < facts.expressionCount; index++) {
    const member = facts.expression(index);
    const options = member.op === 'member' ? optionsOf(facts, member.of) : [];
    if (member.op !== 'member' || options.length < 2) continue;
    for (const option of options) {
      const one = facts.expression(option);
      if (one.op === 'import') found.push({ import: one.import, name: member.name });
    }
  }
  return found;
}
