import { type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { eachReached, type Hierarchy, keyOfOwner, type Owner, type Related, remembered } from './hierarchy.ts';
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

/** Types that are looked at above a member, and below one. */
const mostAbove = 64;
const mostBelow = 5_000;
/** Below a type that others have a member of. */
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
  const members = new Map<number, Member>();
  const memberOf = (site: GraphSite): Member =>
    remembered(members, site.in.symbols[site.at]!, () => memberAt(graph, site));
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
    const over = memberOf(site);
    const owners = hierarchy.ownersOf(symbol);
    const found: Overridden[] = [];
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
    if (over.hasBody) found.push(...aboveHeirs(over, owners));
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
    const declares = (owner: Owner): boolean => hierarchy.membersOf(owner, name).length > 0;
    const own = new Set(owners.map(keyOfOwner));
    eachReached(owners, hierarchy.basesOf, mostAbove, one => own.add(keyOfOwner(one)).size > 0);
    const found = new Map<number, Overridden>();
    eachReached(owners, hierarchy.heirsOf, mostInheriting, heir => {
      if (declares(heir)) return false;
      if (hierarchy.basesOf(heir).length < 2) return true;
      eachReached([heir], hierarchy.basesOf, mostAbove, base => {
        if (own.has(keyOfOwner(base))) return false;
        for (const { member, fit } of fittingIn(base, over)) {
          if (member.hasBody || fit === 'other') continue;
          const confidence = heir.confidence * base.confidence * inheritedConfidence;
          found.set(member.site.in.symbols[member.site.at]!, { site: member.site, confidence });
        }
        return true;
      });
      return true;
    });
    return [...found.values()];
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
    const takeAny = (owner: Owner): boolean => {
      take(owner);
      return true;
    };
    eachReached(hierarchy.ownersOf(symbol), hierarchy.heirsOf, mostBelow, heir => {
      take(heir);
      // What it declares not it may have from another base.
      const mayInherit = !base.hasBody && hierarchy.membersOf(heir, name).length === 0;
      if (mayInherit && hierarchy.basesOf(heir).length > 1) {
        eachReached([heir], hierarchy.basesOf, mostAbove, takeAny);
      }
      return true;
    });
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
