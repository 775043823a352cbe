import { familyOf } from '../model/families.ts';
import { tellsConstructors } from '../model/graph.ts';
import { argumentCount, type ParameterShape, parameterTypes, shapeOf, takesSoMany } from '../model/parameter-shape.ts';
import type { SymbolKind } from '../model/symbol.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import { unpackTraits } from './link-format.ts';
import type { Prepare } from './rows.ts';
import type { SymbolInRepo } from './settle-candidates.ts';
import { definitionSites } from './symbol-rows.ts';

/** A symbol whose occurrences are listed as those of another. */
export interface Listed extends SymbolInRepo {
  readonly as: 'itself' | 'what it makes' | 'what makes it';
  /**
   * Whether a call of what it makes may be a use of it, where that has several constructors: one that none is told for is
   * counted as unresolved, as it is of functions that overload each other. Undefined where all its calls are.
   */
  readonly mayTake?: ((view: DocumentView, packed: number) => boolean) | undefined;
}

/** Of a constructor the class's calls are its own, too; of a class, where it has several constructors, theirs. */
export function listedWith(of: SymbolInRepo, views: DocumentViews, prepare: Prepare): readonly Listed[] {
  const made = classOf(of, views, prepare);
  if (made !== undefined) {
    return [
      { ...of, as: 'itself' },
      { ...made, as: 'what it makes', mayTake: callsOf(of, made) },
    ];
  }
  const makers = constructorsOf(of).map(symbol => ({ ...of, symbol, as: 'what makes it' as const }));
  return [{ ...of, as: 'itself' }, ...makers];
}

/** The constructors of a class that an indexer or the linker tells apart from it. */
function constructorsOf({ sites }: SymbolInRepo): readonly number[] {
  const found = new Set<number>();
  for (const { view, index } of sites) {
    const { links, language } = view;
    if (!tellsConstructors.has(language) || !isMade.has(unpackTraits(links.traitsAt(index)).kind)) continue;
    const slots = new Set(links.slotsOf(index));
    for (let other = 0; other < links.definitionCount; other++) {
      if (unpackTraits(links.traitsAt(other)).kind !== 'constructor') continue;
      const container = view.facts().definitionContainer(links.primarySlotAt(other));
      if (slots.has(container)) found.add(links.symbolAt(other));
    }
  }
  return [...found];
}

/** Of a class with several constructors: those calls that pass as many arguments as one takes. */
function callsOf(of: SymbolInRepo, made: SymbolInRepo): Listed['mayTake'] {
  const { language } = of.sites[0]!.view;
  // What Kotlin declares beside its class's name is no definition.
  const isOnly = language !== 'kotlin' && constructorsOf(made).length < 2;
  if (isOnly) return undefined;
  const takes = of.sites.flatMap(({ view, index }) => view.links.slotsOf(index).map(slot => parametersAt(view, slot)));
  return (view, packed) => {
    const facts = view.facts();
    const count = argumentCount(at => facts.expression(at), facts.reference(packed >>> 7).expression);
    return count === undefined || takes.some(parameters => takesSoMany(parameters, count));
  };
}

/** As the extractor tells them; elsewhere than in Java and Kotlin by their types, and none of them must be passed. */
function parametersAt(view: DocumentView, slot: number): readonly ParameterShape[] {
  const { supers, tail } = view.facts().definition(slot);
  if (familyOf(view.language) === 'jvm') return supers.map(type => shapeOf(at => view.facts().expression(at), type));
  return parameterTypes(tail).map(type => (/^params|\.\.\.$/.test(type) ? 'rest' : 'optional'));
}

const isMade: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'enum']);

/**
 * The class that a constructor makes, from a site inside it (C++ may have the body elsewhere); undefined of any other
 * symbol, and of a constructor with a name of its own (Dart).
 */
function classOf(of: SymbolInRepo, views: DocumentViews, prepare: Prepare): SymbolInRepo | undefined {
  const [first] = of.sites;
  if (first === undefined || unpackTraits(first.view.links.traitsAt(first.index)).kind !== 'constructor') {
    return undefined;
  }
  for (const { view, index } of of.sites) {
    for (const slot of view.links.slotsOf(index)) {
      const { container, name } = view.facts().definition(slot);
      // What stands around a class without name makes nothing: `Class.new { def initialize; end }` in a method.
      if (container < 0 || isFunction(view.facts().definition(container).kind)) continue;
      if (view.language === 'dart' && view.facts().definitionName(container) !== name) return undefined;
      const symbol = view.links.symbolOfSlot(container);
      return { ...of, symbol, sites: definitionSites(symbol, of.repo, of.seq, views, prepare) };
    }
  }
  return undefined;
}

function isFunction(kind: SymbolKind): boolean {
  return kind === 'function' || kind === 'method' || kind === 'constructor';
}
