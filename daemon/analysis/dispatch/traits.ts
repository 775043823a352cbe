import { atTop, type GraphDocument, type GraphSite, kindOfDefinition, kindOfUse } from '../../model/graph.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import { type Hierarchy, remembered } from './hierarchy.ts';
import { isDispatched } from './member.ts';
import type { Overridden, Overriding } from './overriding.ts';

/**
 * What Rust's `impl` blocks have for what a trait declares. A block is no definition, but the tails of its members name the
 * trait, which the document that it stands in says to implement.
 */
export function traitOverriding(hierarchy: Hierarchy): Overriding {
  const { graph } = hierarchy;
  const implemented = new Map<number, ReadonlyMap<number, number>>();
  const implementedIn = (one: GraphDocument): ReadonlyMap<number, number> =>
    remembered(implemented, one.document, () => traitsImplementedIn(hierarchy, one));

  const overridden = (symbol: number): readonly Overridden[] => {
    const [site] = graph.sitesOf(symbol);
    const trait = site === undefined ? undefined : traitOf(hierarchy, site);
    if (site === undefined || trait === undefined) return [];
    const name = site.in.names[site.at]!;
    return [...implementedIn(site.in)]
      .filter(([one]) => hierarchy.nameOf(one) === trait)
      .flatMap(([one, confidence]) =>
        hierarchy.membersOf({ symbol: one, anonymous: '' }, name).map(base => ({ site: base, confidence })),
      );
  };

  const overriding = (symbol: number): readonly Overridden[] => {
    const [site] = graph.sitesOf(symbol);
    const container = site?.in.containers[site.at] ?? -1;
    if (site === undefined || container < 0 || kindOfDefinition(site.in, container) !== 'trait') return [];
    const trait = site.in.symbols[container]!;
    const name = site.in.names[site.at]!;
    const documents = new Set<GraphDocument>();
    graph.eachUse(trait, (user, use) => {
      if (kindOfUse(user.uses.marks[use]!) === 'implementation') documents.add(user);
    });
    return [...documents].flatMap(one => {
      const confidence = implementedIn(one).get(trait) ?? 0;
      return namedIn(one, name)
        .map(at => ({ in: one, at }))
        .filter(over => traitOf(hierarchy, over) === hierarchy.nameOf(trait))
        .map(over => ({ site: over, confidence }));
    });
  };

  return { overridden, overriding };
}

/** The trait of the block that a member stands in, by its name; undefined of what stands in none of a trait. */
function traitOf({ graph }: Hierarchy, { in: one, at }: GraphSite): string | undefined {
  if (!isDispatched(kindOfDefinition(one, at))) return undefined;
  const { tail } = graph.declaredAt({ in: one, at });
  const around = tail.slice(0, lastDescriptorAt(tail));
  return /^`impl ([^`<\s]+)[^`]*`#$/.exec(around.slice(lastDescriptorAt(around)))?.[1];
}

function namedIn({ names }: GraphDocument, name: number): readonly number[] {
  const found: number[] = [];
  names.forEach((one, at) => {
    if (one === name) found.push(at);
  });
  return found;
}

/** Traits that a document says to implement, by symbol, and how sure that is. */
function traitsImplementedIn({ graph }: Hierarchy, one: GraphDocument): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let at = atTop; at < one.symbols.length; at++) {
    graph.eachUseBy({ in: one, at }, (symbol, use) => {
      if (kindOfUse(one.uses.marks[use]!) !== 'implementation') return;
      found.set(symbol, Math.max(found.get(symbol) ?? 0, graph.confidence(one, use)));
    });
  }
  return found;
}
