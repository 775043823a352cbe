import type { FactsView } from '../../model/facts-codec.ts';
import {
  atTop,
  type GraphDocument,
  importOf,
  isOfTests,
  kindOfDefinition,
  kindOfUse,
  traitsOf,
} from '../../model/graph.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import type { WiredDocument, WiredExport, WiredImport } from '../../model/wiring.ts';
import { wordHash } from '../../model/word-hash.ts';
import type { DocumentView } from '../document-view.ts';

export function wiredDocument(view: DocumentView, graph: GraphDocument): WiredDocument {
  const facts = view.facts();
  return {
    graph,
    imports: Array.from(graph.imports.targets, (_, at) => importIn(facts, graph, at)),
    exports:
      graph.language === 'rust'
        ? exportsOfRust(view, graph)
        : listsExports.has(graph.language)
          ? exportsOf(view, graph)
          : [],
    takes: graph.language === 'python' ? takenOfEither(facts) : [],
    handedOn: handedOn(facts, graph),
    selfRun: graph.language === 'go' ? namedAtTop(view, graph, /^init$/) : [],
    starts: startsOf(view, graph),
    tests: graph.isTest ? none : testsIn(graph),
    unlisted: unlisted(view, graph),
    extending: extending(view, graph),
    memberWords: hasExtensions.has(graph.language) ? memberWords(facts) : noWords,
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
function takenOfEither(facts: FactsView): WiredDocument['takes'] {
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

/** Languages whose programs begin with a function, or a method of a type, and how that is called. */
const startNames: Readonly<Record<string, RegExp>> = {
  ...{ go: /^main$/, rust: /^main$/, java: /^main$/, kotlin: /^main$/, dart: /^main$/, csharp: /^Main$/ },
  ...{ c: /^(?:w?main|_tmain|w?WinMain|DllMain)$/, cpp: /^(?:w?main|_tmain|w?WinMain|DllMain)$/ },
};

/** What begins with the code at its top needs no function for that. */
const startAtTop: ReadonlySet<string> = new Set(['python', 'csharp']);

function startsOf(view: DocumentView, graph: GraphDocument): readonly number[] | undefined {
  const name = Object.hasOwn(startNames, graph.language) ? startNames[graph.language] : undefined;
  const found = name === undefined ? [] : named(view, graph, name);
  return found.length > 0 || startAtTop.has(graph.language) ? found : undefined;
}

function namedAtTop(view: DocumentView, graph: GraphDocument, name: RegExp): readonly number[] {
  return named(view, graph, name).filter(at => graph.containers[at] === atTop);
}

function named(view: DocumentView, graph: GraphDocument, name: RegExp): readonly number[] {
  return namedAs(view, graph, name).filter(at => /^(?:function|method)$/.test(kindOfDefinition(graph, at)));
}

function namedAs({ facts }: DocumentView, { slots }: GraphDocument, name: RegExp): readonly number[] {
  return [...slots.keys()].filter(at => name.test(facts().definitionName(slots[at]!)));
}

function testsIn(graph: GraphDocument): ReadonlySet<number> {
  const found = Array.from(graph.symbols.keys()).filter(at => isOfTests({ in: graph, at }));
  return found.length === 0 ? none : new Set(found);
}

const none: ReadonlySet<number> = new Set();

function unlisted(view: DocumentView, graph: GraphDocument): ReadonlySet<number> {
  switch (graph.language) {
    case 'python':
      return new Set(namedAs(view, graph, /^__\w+__$/));
    case 'rust':
      return new Set([...graph.symbols.keys()].filter(at => isOfImplementation(view, graph, at)));
    default:
      return new Set();
  }
}

/** What an `impl` block defines stands at the top by its place, and by its tail in a type. */
function isOfImplementation({ facts }: DocumentView, { containers, slots }: GraphDocument, at: number): boolean {
  const container = containers[at]!;
  const tail = facts().definitionTail(slots[at]!);
  const outer = container === atTop ? '' : facts().definitionTail(slots[container]!);
  return lastDescriptorAt(tail) > outer.length;
}

const hasExtensions: ReadonlySet<string> = new Set(['dart', 'csharp', 'rust', 'kotlin']);
const noWords = new Uint32Array();

/** Extensions of Dart and classes of C# with extensions, traits of Rust, each with its members; functions of Kotlin that are extensions. */
function extending(view: DocumentView, graph: GraphDocument): WiredDocument['extending'] {
  const all = [...graph.symbols.keys()];
  const membersOf = (at: number): readonly number[] => all.filter(one => graph.containers[one] === at);
  const withMembers = (found: readonly number[]) => new Map(found.map(at => [at, membersOf(at)] as const));
  switch (graph.language) {
    case 'dart':
      return withMembers(exportedSlots(view, name => name.startsWith('extends ')));
    case 'csharp':
      return withMembers(exportedSlots(view, () => true).map(at => graph.containers[at]!));
    case 'rust':
      return withMembers(all.filter(at => kindOfDefinition(graph, at) === 'trait'));
    case 'kotlin':
      return new Map(all.filter(at => isExtension(view, graph, at)).map(at => [at, [at]]));
    default:
      return new Map();
  }
}

function isExtension({ facts }: DocumentView, { containers, slots }: GraphDocument, at: number): boolean {
  const slot = slots[at]!;
  return (
    containers[at] === atTop &&
    facts()
      .definitionSignature(slot)
      .includes(`.${facts().definitionName(slot)}`)
  );
}

/** Names of Rust say behind them where they are looked for. */
function memberWords(facts: FactsView): Uint32Array {
  const found = new Set<number>();
  for (let index = 0; index < facts.expressionCount; index++) {
    const one = facts.expression(index);
    if (one.op === 'member') found.add(wordHash(one.name.replace(/[#()!]+$/, '')));
  }
  return Uint32Array.from(found);
}

/** Definitions (indexes) that the file exports under some names. */
function exportedSlots({ facts, links }: DocumentView, isMeant: (name: string) => boolean): readonly number[] {
  const all = Array.from({ length: facts().exportCount }, (_, index) => facts().export(index));
  return all.flatMap(({ name, of }) => {
    const one = facts().expression(of);
    return one.op === 'slot' && isMeant(name) ? [links.definitionOfSlot(one.slot)] : [];
  });
}
