import { type CodeGraph, type GraphSite, keyOf, kindOfDefinition } from '../../model/graph.ts';
import { createHierarchy, remembered } from './hierarchy.ts';
import { createMaking, type Making } from './making.ts';
import { nominalOverriding } from './nominal.ts';
import { structuralOverriding } from './structural.ts';
import { traitOverriding } from './traits.ts';

/** A member that another one overrides or is overridden by, and how sure that its type extends or implements the other's. */
export interface Overridden {
  readonly site: GraphSite;
  readonly confidence: number;
}

/** Which members override which: the one direction is the other's inverse. */
export interface Overriding {
  /** Those that override a member. */
  overriding(member: number): readonly Overridden[];
  /** Those that a member overrides. */
  overridden(member: number): readonly Overridden[];
}

/** How sure it is that a call of a member runs one that overrides it: it may, or not. */
export const dispatchConfidence = 0.7;

/** What calls may run besides what they name. It remembers what it was asked, and so is made for each question. */
export interface Dispatch extends Overriding, Making {
  readonly graph: CodeGraph;
  /** Types that implement an interface by what members they have, where nothing in them need say so. */
  implementers(type: number): readonly Overridden[];
}

export function createDispatch(graph: CodeGraph): Dispatch {
  const hierarchy = createHierarchy(graph);
  const [nominal, ofTraits, structural] = [
    nominalOverriding(hierarchy),
    traitOverriding(hierarchy),
    structuralOverriding(hierarchy),
  ];
  const by = (symbol: number): Overriding => {
    switch (graph.sitesOf(symbol)[0]?.in.language) {
      case 'go':
        return structural;
      case 'rust':
        return ofTraits;
      default:
        return nominal;
    }
  };
  /** Where it is shown, not where its type declares it. */
  const shown = ({ site, confidence }: Overridden): Overridden => ({
    site: graph.sitesOf(keyOf(site))[0] ?? site,
    confidence,
  });
  const [below, above] = [new Map<number, readonly Overridden[]>(), new Map<number, readonly Overridden[]>()];
  return {
    graph,
    ...createMaking(hierarchy),
    overriding: member => remembered(below, member, () => by(member).overriding(member).map(shown)),
    overridden: member => remembered(above, member, () => by(member).overridden(member).map(shown)),
    implementers: type => {
      const isInterface = graph
        .sitesOf(type)
        .some(({ in: one, at }) => one.language === 'go' && kindOfDefinition(one, at) === 'interface');
      return isInterface ? structural.implementers(type) : [];
    },
  };
}
