import type { FactsView } from '../../model/facts-codec.ts';
import { atTop, type GraphDocument, isOfTests, kindOfDefinition } from '../../model/graph.ts';
import { descriptorsOf, lastDescriptorAt } from '../../model/identity.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import { wordHash } from '../../model/word-hash.ts';
import type { DocumentView } from '../document-view.ts';

/** Languages whose programs begin with a function, or a method of a type, and how that is called. */
const startNames: Readonly<Record<string, RegExp>> = {
  ...{ go: /^main$/, rust: /^main$/, java: /^main$/, kotlin: /^main$/, dart: /^main$/, csharp: /^Main$/ },
  ...{ c: /^(?:w?main|_tmain|w?WinMain|DllMain)$/, cpp: /^(?:w?main|_tmain|w?WinMain|DllMain)$/ },
};

export function startsOf(view: DocumentView, graph: GraphDocument): readonly number[] | undefined {
  const name = Object.hasOwn(startNames, graph.language) ? startNames[graph.language] : undefined;
  const found = name === undefined ? [] : named(view, graph, name);
  return found.length > 0 || startsAtTop(view, graph.language) ? found : undefined;
}

/** What begins with the code at its top needs no function for that. A file of C# without any is a framework's to start. */
function startsAtTop({ facts }: DocumentView, language: string): boolean {
  return language === 'python' || (language === 'csharp' && /"runs":true/.test(facts().configuration));
}

/** What the language runs by itself where the file is loaded. */
export function selfRun(view: DocumentView, graph: GraphDocument): readonly number[] {
  return graph.language === 'go' ? named(view, graph, /^init$/).filter(at => graph.containers[at] === atTop) : [];
}

function named(view: DocumentView, graph: GraphDocument, name: RegExp): readonly number[] {
  return namedAs(view, graph, name).filter(at => /^(?:function|method)$/.test(kindOfDefinition(graph, at)));
}

function namedAs({ facts }: DocumentView, { slots }: GraphDocument, name: RegExp): readonly number[] {
  return [...slots.keys()].filter(at => name.test(facts().definitionName(slots[at]!)));
}

/** Definitions that are tests though their file is none. */
export function testsIn(graph: GraphDocument): ReadonlySet<number> {
  const found = graph.isTest ? [] : [...graph.symbols.keys()].filter(at => isOfTests({ in: graph, at }));
  return found.length === 0 ? none : new Set(found);
}

const none: ReadonlySet<number> = new Set();

/** Index of the definition that each stands in or, of what an `impl` block of Rust defines, whose member it is, if that is of the file. */
export function ownersOf(view: DocumentView, graph: GraphDocument): Int32Array {
  const { containers, language } = graph;
  if (language !== 'rust') return containers;
  const byTail = new Map(Array.from(graph.slots, (slot, at) => [view.facts().definitionTail(slot), at]));
  return containers.map((container, at) => byTail.get(ownerIn(view, graph, at)) ?? container);
}

/** Members of what is no definition of the file by its place, and names that the language has for modules. */
export function unlisted(view: DocumentView, graph: GraphDocument): ReadonlySet<number> {
  switch (graph.language) {
    case 'python':
      return new Set(namedAs(view, graph, /^__\w+__$/));
    case 'rust':
      return new Set([...graph.symbols.keys()].filter(at => ownerIn(view, graph, at) !== ''));
    default:
      return new Set();
  }
}

/** What an `impl` block defines stands beside it by its place, and in its type by its tail: the type's tail, '' of anything else. */
function ownerIn({ facts }: DocumentView, { containers, slots }: GraphDocument, at: number): string {
  const container = containers[at]!;
  const tail = facts().definitionTail(slots[at]!);
  const outer = container === atTop ? '' : facts().definitionTail(slots[container]!);
  if (lastDescriptorAt(tail) <= outer.length) return '';
  const [type = ''] = descriptorsOf(tail.slice(outer.length));
  return outer + type;
}

const hasExtensions: ReadonlySet<string> = new Set(['dart', 'csharp', 'rust', 'kotlin']);
const noWords = new Uint32Array();

/** Extensions of Dart and traits of Rust, each with its members; classes of C# with their extension methods; functions of Kotlin that are extensions. */
export function extending(view: DocumentView, graph: GraphDocument): WiredDocument['extending'] {
  const all = [...graph.symbols.keys()];
  const membersOf = (at: number): readonly number[] => all.filter(one => graph.containers[one] === at);
  const withMembers = (found: readonly number[]) => new Map(found.map(at => [at, membersOf(at)] as const));
  switch (graph.language) {
    case 'dart':
      return withMembers(exportedSlots(view, name => name.startsWith('extends ')));
    case 'csharp':
      return byOwner(
        exportedSlots(view, () => true),
        graph.containers,
      );
    case 'rust':
      return withMembers(all.filter(at => kindOfDefinition(graph, at) === 'trait'));
    case 'kotlin':
      return new Map(all.filter(at => isExtension(view, graph, at)).map(at => [at, [at]]));
    default:
      return new Map();
  }
}

function byOwner(members: readonly number[], owners: Int32Array): WiredDocument['extending'] {
  const found = new Map<number, number[]>();
  for (const at of members) {
    const known = found.get(owners[at]!);
    if (known === undefined) found.set(owners[at]!, [at]);
    else known.push(at);
  }
  return found;
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

/** Words that code uses as members of something. Names of Rust say behind them where they are looked for. */
export function memberWords(facts: FactsView): Uint32Array {
  const found = new Set<number>();
  if (!hasExtensions.has(facts.language)) return noWords;
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
