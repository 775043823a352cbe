import type { MountedDocument, ScopeKey } from '../model/document.ts';
import { isPackageScope, scopeOfTail } from '../model/mount.ts';
import { Question } from '../model/question.ts';
import { type Cells, type CellTable, tableIn } from './cells.ts';
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

/** Sites by `memberName`, or the one document whose surface has them. */
type SitesOfScope = ReadonlyMap<string, readonly Site[]> | MountedDocument;

/**
 * Sites in scopes of several files: a look at each file for each name would cost their product. Linkers of one manifest
 * share them.
 */
const sitesOfScopes = new WeakMap<Manifest, Map<ScopeKey, SitesOfScope>>();

export function createDefinitions(manifest: Manifest, cells: Cells<Value, MountedDocument>): Definitions {
  /** What is private to a file of a larger scope has the file as its scope. */
  const documentsOf = (scope: ScopeKey): readonly string[] => {
    const file = manifest.document(scope);
    return file === undefined || file.scope === scope ? manifest.documentsOf(scope) : [file.path];
  };

  const ofScopes = sitesOfScopes.get(manifest) ?? new Map<ScopeKey, SitesOfScope>();
  sitesOfScopes.set(manifest, ofScopes);

  const sitesOf = (scope: ScopeKey, member: string): readonly Site[] => {
    let sites = ofScopes.get(scope);
    if (sites === undefined) {
      const documents = documentsOf(scope).flatMap(path => manifest.document(path) ?? []);
      sites = documents.length === 1 ? documents[0]! : allSites(documents);
      ofScopes.set(scope, sites);
    }
    return 'facts' in sites ? sitesIn(sites, member) : (sites.get(member) ?? []);
  };

  /** By scope and container. */
  const tables = new Map<ScopeKey, Map<string, CellTable<Value>>>();

  const named = (scope: ScopeKey, container: string, name: string): Value | undefined =>
    cells.get(tableIn(tableIn(tables, scope), container), name, () => {
      cells.askHere(new Question(memberKey(scope, container, name), scope));
      return meantBy(scope, container, sitesOf(scope, memberName(container, name)));
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

/** What a name's sites are the sites of: of those that stand in the container itself, where any do. */
function meantBy(scope: ScopeKey, container: string, sites: readonly Site[]): Value | undefined {
  if (sites.length === 1 && !isPackageScope(scope))
    return { kind: 'definition', scope, tail: tailAt(sites[0]!), sites };
  const found = [...byTail(sites)];
  const own = found.filter(([tail]) => containerOf(tail) === container);
  const meant = own.length > 0 ? own : found;
  return either(meant.flatMap(([tail, sites]) => apart(scope, tail, sites)));
}

function tailAt({ document, slot }: Site): string {
  return document.facts.definitions[slot]!.tail;
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
  for (const site of sites) listed(found, tailAt(site)).push(site);
  return found;
}

function listed<Key, T>(lists: Map<Key, T[]>, key: Key): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}
