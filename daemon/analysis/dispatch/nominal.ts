import { type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import {
  eachReached,
  type Hierarchy,
  keyOfOwner,
  mostAbove,
  type Owner,
  type Related,
  remembered,
} from './hierarchy.ts';
import {
  type Fit,
  fitOf,
  isDispatched,
  isMarked,
  isToldVirtual,
  type Member,
  mayOverride,
  memberAt,
  qualifierOf,
  typeParametersIn,
} from './member.ts';
import type { Overridden, Overriding } from './overriding.ts';

/** A type below another, and what it has above itself that the other has not. */
interface Bridge {
  readonly heir: Related;
  readonly bases: readonly Related[];
}

/** Types below one that may have a member of it. */
const mostInheriting = 300;

/** How much surer it is of members whose parameters are the same than of those where their number decides. */
const openConfidence = 0.8;
/** It is marked as overriding, and of its name and number of parameters there is none that would fit better. */
const markedConfidence = 0.6;
/** A type extends what has the member, and implements what declares it. */
const inheritedConfidence = 0.9;

/**
 * Members that override others by what types say that they extend or implement, however far above: what lies between and has
 * no such member cuts nothing off. What is above a member is what counts; below one is what has that above it.
 */
export function nominalOverriding(hierarchy: Hierarchy): Overriding {
  const { graph } = hierarchy;
  const above = new Map<number, readonly Overridden[]>();
  const memberOf = (site: GraphSite): Member => memberAt(graph, site);
  const bridges = new Map<number | string, readonly Bridge[]>();
  const parameters = new Map<number, ReadonlySet<string>>();
  const typeParameters = ({ site }: Member): ReadonlySet<string> =>
    remembered(parameters, site.in.symbols[site.at]!, () => parametersAround(hierarchy, site));
  const fit = (base: Member, over: Member): Fit => fitOf(base, over, typeParameters);

  const overridden = (symbol: number): readonly Overridden[] => {
    const known = above.get(symbol);
    if (known !== undefined) return known;
    // Whoever asks again on the way is in a cycle.
    above.set(symbol, []);
    const found = findAbove(symbol);
    above.set(symbol, found);
    return found;
  };

  const findAbove = (symbol: number): readonly Overridden[] => {
    const site = declaringSite(hierarchy, symbol);
    if (site === undefined) return [];
    const owners = hierarchy.ownersOf(symbol);
    const name = site.in.names[site.at]!;
    const found: Overridden[] = [];
    const over = memberOf(site);
    if (over.hasBody) found.push(...aboveHeirs(over, owners));
    const isAbove = (owner: Owner): boolean => hierarchy.membersOf(owner, name).length > 0;
    if (!owners.some(owner => hierarchy.allAbove(owner).some(isAbove))) return found;
    const marked: Overridden[] = [];
    const take = (owner: Related): boolean => {
      const fitting = fittingIn(owner, over);
      const isFound = fitting.some(one => one.fit !== 'other');
      for (const { member, fit } of fitting) {
        const isBest = fit === 'exact' || (fit === 'open' && !fitting.some(other => other.fit === 'exact'));
        if (isBest)
          found.push({ site: member.site, confidence: owner.confidence * (fit === 'exact' ? 1 : openConfidence) });
        else if (fit === 'other') marked.push({ site: member.site, confidence: owner.confidence * markedConfidence });
      }
      return !isFound;
    };
    eachReached(owners, hierarchy.basesOf, mostAbove, take);
    return found.length === 0 && isMarked(over) ? marked : found;
  };

  const fittingIn = (owner: Owner, over: Member): readonly { readonly member: Member; readonly fit: Fit }[] =>
    hierarchy.membersOf(owner, over.site.in.names[over.site.at]!).flatMap(site => {
      const member = memberOf(site);
      if (!isOverridable(member, over) || !isMeant(owner, over)) return [];
      const how = fit(member, over);
      return how === 'none' ? [] : [{ member, fit: how }];
    });

  const isOverridable = (base: Member, over: Member): boolean => {
    if (!mayOverride(base, over)) return false;
    if (base.language !== 'cpp' || isToldVirtual(base)) return true;
    return overridden(base.site.in.symbols[base.site.at]!).length > 0;
  };

  /** Whether a member that says which interface's it is means that one. */
  const isMeant = (owner: Owner, over: Member): boolean => {
    const qualifier = qualifierOf(over);
    return qualifier === '' || qualifier === hierarchy.nameOf(owner.symbol).replace(/\+\d+$/, '');
  };

  /** What types below, which have the member from this one, declare by what else they implement. */
  const aboveHeirs = (over: Member, owners: readonly Owner[]): readonly Overridden[] => {
    const name = over.site.in.names[over.site.at]!;
    const found = new Map<number, Overridden>();
    for (const owner of owners) {
      for (const { heir, bases } of bridgesBelow(owner)) {
        for (const base of bases) {
          for (const { member, fit } of fittingIn(base, over)) {
            if (member.hasBody || fit === 'other' || !inherits(owner, heir, name)) continue;
            const confidence = heir.confidence * base.confidence * inheritedConfidence;
            found.set(member.site.in.symbols[member.site.at]!, { site: member.site, confidence });
          }
        }
      }
    }
    return [...found.values()];
  };

  /** Types below one that have other bases besides, with those. */
  const bridgesBelow = (owner: Owner): readonly Bridge[] =>
    remembered(bridges, keyOfOwner(owner), () => {
      const own = new Set([owner, ...hierarchy.allAbove(owner)].map(keyOfOwner));
      const below = hierarchy.allBelow(owner).slice(0, mostInheriting);
      const found = below.filter(heir => hierarchy.basesOf(heir).length > 1);
      return found.flatMap(heir => {
        const others = hierarchy.allAbove(heir).filter(base => !own.has(keyOfOwner(base)));
        return others.length === 0 ? [] : [{ heir, bases: others }];
      });
    });

  /** Whether a type has a member of one above it: on some way between nothing declares another, nor does it itself. */
  const inherits = (from: Owner, heir: Owner, name: number): boolean => {
    let isReached = false;
    eachReached([from], hierarchy.heirsOf, mostInheriting, one => {
      if (hierarchy.membersOf(one, name).length > 0) return false;
      isReached ||= keyOfOwner(one) === keyOfOwner(heir);
      return true;
    });
    return isReached;
  };

  const overriding = (symbol: number): readonly Overridden[] => {
    const site = declaringSite(hierarchy, symbol);
    if (site === undefined) return [];
    const base = memberOf(site);
    const name = site.in.names[site.at]!;
    const found = new Map<number, Overridden>();
    const take = (owner: Owner): void => {
      for (const one of hierarchy.membersOf(owner, name)) {
        const over = one.in.symbols[one.at]!;
        if (found.has(over) || over === symbol || !mayOverride(base, memberOf(one))) continue;
        const way = overridden(over).find(({ site: { in: document, at } }) => document.symbols[at] === symbol);
        if (way !== undefined) found.set(over, { site: one, confidence: way.confidence });
      }
    };
    for (const owner of hierarchy.ownersOf(symbol)) {
      for (const heir of hierarchy.allBelow(owner)) {
        take(heir);
        // What it declares not it may have from another base.
        const mayInherit = !base.hasBody && hierarchy.membersOf(heir, name).length === 0;
        if (mayInherit && hierarchy.basesOf(heir).length > 1) for (const other of hierarchy.allAbove(heir)) take(other);
      }
    }
    return [...found.values()];
  };

  return { overridden, overriding };
}

/** Where a member is declared in what it is a member of; undefined of what is none that may override or be overridden. */
function declaringSite({ graph, ownersAt }: Hierarchy, symbol: number): GraphSite | undefined {
  const site = graph.sitesOf(symbol).find(one => ownersAt(one).length > 0);
  return site !== undefined && isDispatched(kindOfDefinition(site.in, site.at)) ? site : undefined;
}

/** Type parameters of a member and of the types around it. */
function parametersAround({ graph }: Hierarchy, site: GraphSite): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = site.at; at >= 0; at = site.in.containers[at]!) {
    for (const name of typeParametersIn(graph.declaredAt({ in: site.in, at }))) found.add(name);
  }
  return found;
}
