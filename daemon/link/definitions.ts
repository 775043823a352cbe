import type { MountedDocument, ScopeKey } from '../model/document.ts';
import { isPackageScope, scopeOfTail } from '../model/mount.ts';
import type { Cells } from './cells.ts';
import type { Manifest } from './manifest.ts';

import { either, pick } from './options.ts';
import { heirsKey, memberKey, methodsKey, nameKey } from './questions.ts';
import { joined, type SharedNames, sharedNamesOf } from './shared-names.ts';

import { containerOf, memberName, surfaceOf } from './surface.ts';
import type { Site, Value } from './values.ts';
import { writtenName } from './written-names.ts';

/** The definitions of a manifest, found by where they stand. */
export interface Definitions {
  /** The definition at a slot of a document, with all its sites. */
  at(document: MountedDocument, slot: number): Value | undefined;
  /** Definitions of a name, as code writes it, directly in a container; several when a type and a value share it. */
  named(scope: ScopeKey, container: string, name: string): Value | undefined;
  /** Whether anything of a scope bears the name: see `Questions`. */
  isNamed(scope: ScopeKey, name: string): boolean;
  heirsOf(scope: ScopeKey, name: string): readonly string[];
  methodsNamed(scope: ScopeKey, name: string): readonly string[];
}

/** By `memberName`. */
type SitesByMember = ReadonlyMap<string, readonly Site[]>;

/**
 * Sites in scopes of several files: a look at each file for each name would cost their product. Linkers of one manifest
 * share them.
 */
const sitesOfScopes = new WeakMap<Manifest, Map<ScopeKey, SitesByMember>>();

export function createDefinitions(manifest: Manifest, cells: Cells<Value>): Definitions {
  /** What is private to a file of a larger scope has the file as its scope. */
  const documentsOf = (scope: ScopeKey): readonly string[] => {
    const file = manifest.document(scope);
    return file === undefined || file.scope === scope ? manifest.documentsOf(scope) : [file.path];
  };

  const ofScopes = sitesOfScopes.get(manifest) ?? new Map<ScopeKey, SitesByMember>();
  sitesOfScopes.set(manifest, ofScopes);

  const sitesOf = (scope: ScopeKey, member: string): readonly Site[] => {
    const known = ofScopes.get(scope);
    if (known !== undefined) return known.get(member) ?? [];
    const documents = documentsOf(scope).flatMap(path => manifest.document(path) ?? []);
    if (documents.length <= 1) return documents.flatMap(document => sitesIn(document, member));
    const sites = allSites(documents);
    ofScopes.set(scope, sites);
    return sites.get(member) ?? [];
  };

  const named = (scope: ScopeKey, container: string, name: string): Value | undefined =>
    cells.get(`d${scope}\0${container}\0${name}`, () => {
      cells.ask(memberKey(scope, container, name));
      const found = [...byTail(sitesOf(scope, memberName(container, name)))];
      const own = found.filter(([tail]) => containerOf(tail) === container);
      const meant = own.length > 0 ? own : found;
      return either(meant.flatMap(([tail, sites]) => apart(scope, tail, sites)));
    });

  const shared = new Map<ScopeKey, SharedNames>();
  const sharedIn = (scope: ScopeKey): SharedNames => {
    const known = shared.get(scope);
    if (known !== undefined) return known;
    const made = joined(
      documentsOf(scope)
        .flatMap(path => manifest.document(path)?.facts ?? [])
        .map(sharedNamesOf),
    );
    shared.set(scope, made);
    return made;
  };

  return {
    named,
    isNamed(scope, name) {
      cells.ask(nameKey(scope, name));
      return sharedIn(scope).names.has(name);
    },
    methodsNamed(scope, name) {
      cells.ask(methodsKey(scope, name));
      return sharedIn(scope).methods.get(name) ?? [];
    },
    heirsOf(scope, name) {
      cells.ask(heirsKey(scope, name));
      return sharedIn(scope).heirs.get(name) ?? [];
    },
    at(document, slot) {
      const { tail } = document.facts.definitions[slot]!;
      const name = writtenName(document.facts, slot);
      return pick(named(scopeOfTail(document, tail), containerOf(tail), name), tail);
    },
  };
}

function sitesIn(document: MountedDocument, member: string): readonly Site[] {
  return (surfaceOf(document.facts).members.get(member) ?? []).map(slot => ({ document, slot }));
}

function allSites(documents: readonly MountedDocument[]): ReadonlyMap<string, readonly Site[]> {
  const all = new Map<string, Site[]>();
  for (const document of documents) {
    for (const [member, slots] of surfaceOf(document.facts).members) {
      for (const slot of slots) listed(all, member).push({ document, slot });
    }
  }
  return all;
}

/** Of a package that has several scopes, what each of them has is a definition of its own. */
function apart(scope: ScopeKey, tail: string, sites: readonly Site[]): readonly Value[] {
  if (!isPackageScope(scope)) return [{ kind: 'definition', scope, tail, sites }];
  const found = new Map<ScopeKey, Site[]>();
  for (const site of sites) listed(found, site.document.scope).push(site);
  return [...found].map(([own, those]) => ({ kind: 'definition', scope: own, tail, sites: those }));
}

function byTail(sites: readonly Site[]): Map<string, Site[]> {
  const found = new Map<string, Site[]>();
  for (const site of sites) listed(found, site.document.facts.definitions[site.slot]!.tail).push(site);
  return found;
}

function listed<Key, T>(lists: Map<Key, T[]>, key: Key): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}
