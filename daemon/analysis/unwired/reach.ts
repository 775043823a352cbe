import { atTop } from '../../model/graph.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { callable, isExported, unitOf, type Wiring } from './wiring.ts';

/** Where code begins to run, and what is there for others. Documents by their places in the wiring. */
export interface Roots {
  /** Files that something starts or loads by their name: whatever they define or export is reached. */
  readonly entries: readonly number[];
  /** Files of which others may use whatever is exported. */
  readonly open: readonly number[];
  /** Files of which others may use what is exported by ways that are no promise, or of whose package too little is known. */
  readonly offered: readonly number[];
  /** Files that are part of a program or library whatever uses them. */
  readonly loaded: readonly number[];
}

export interface Reach {
  /** By document: it is loaded. */
  readonly live: Uint8Array;
  /** By node: a way leads from a root to it. */
  readonly reached: Uint8Array;
  /** By node: somebody takes it who can't be seen, or in ways that can't be seen: from outside, or with its whole file. */
  readonly taken: Uint8Array;
}

/**
 * Follows uses and imports from the roots. A file that is loaded runs what stands in no function; a definition brings along
 * what its code uses, what stands in it, and what it stands in; handing a symbol on is no use of it.
 */
export function reachFrom(wiring: Wiring, roots: Omit<Roots, 'offered'>): Reach {
  const { documents, parts, offsets } = wiring;
  const live = new Uint8Array(documents.length);
  const reached = new Uint8Array(wiring.nodeCount);
  const taken = new Uint8Array(wiring.nodeCount);
  const pendingDocuments: number[] = [];
  const pendingNodes: number[] = [];

  const load = (document: number): void => {
    if (live[document] === 1) return;
    live[document] = 1;
    pendingDocuments.push(document);
  };
  const reach = (node: number): void => {
    if (reached[node] === 1) return;
    reached[node] = 1;
    pendingNodes.push(node);
  };
  const exports = exportsFollowed(wiring, {
    load,
    take: node => {
      taken[node] = 1;
      reach(node);
    },
  });
  const useAll = (document: number, user: number): void => {
    const { usesByUser, userStarts, targets } = parts[document]!;
    const { handedOn } = documents[document]!;
    for (let at = userStarts[user - atTop]!; at < userStarts[user - atTop + 1]!; at++) {
      const use = usesByUser[at]!;
      if (!handedOn.has(use)) wiring.eachSite(targets[use]!, reach);
    }
  };
  const follow = (document: number): void => {
    useAll(document, atTop);
    for (const at of parts[document]!.loaded) useAll(document, at);
    const { graph, imports, selfRun } = documents[document]!;
    imports.forEach(({ escapes }, at) => {
      for (const file of wiring.loadedBy(document, at)) load(file);
      if (escapes) exports.takeAll(document, at);
    });
    for (const at of selfRun) reach(offsets[document]! + at);
    for (const file of wiring.units.get(unitOf(graph)) ?? []) if (!documents[file]!.graph.isTest) load(file);
  };
  const spread = (node: number): void => {
    const document = wiring.documentOf(node);
    const at = node - offsets[document]!;
    const { graph } = documents[document]!;
    const { kinds, children, childStarts, wholeFiles } = parts[document]!;
    load(document);
    wiring.eachSite(graph.symbols[at]!, reach);
    const container = graph.containers[at]!;
    if (container >= 0 && !callable.has(kinds[container]!)) reach(offsets[document]! + container);
    const hasMembers = !holdsApart.has(kinds[at]!);
    for (let index = childStarts[at + 1]!; hasMembers && index < childStarts[at + 2]!; index++) {
      reach(offsets[document]! + children[index]!);
    }
    const whole = wholeFiles.get(at);
    if (whole !== undefined) exports.takeAll(document, whole);
    useAll(document, at);
  };

  for (const document of roots.entries) {
    load(document);
    exports.takeFile(document);
    for (let node = offsets[document]!; node < offsets[document + 1]!; node++) reach(node);
  }
  for (const document of roots.open) exports.takeFile(document);
  for (const document of roots.loaded) load(document);
  while (pendingDocuments.length > 0 || pendingNodes.length > 0) {
    const node = pendingNodes.pop();
    if (node !== undefined) spread(node);
    else follow(pendingDocuments.pop()!);
  }
  return { live, reached, taken };
}

/** What stands in these stands for itself. */
const holdsApart: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);

/** Follows names through files that export what others define. */
function exportsFollowed(
  wiring: Wiring,
  { load, take }: { readonly load: (document: number) => void; readonly take: (node: number) => void },
) {
  const { documents, offsets } = wiring;
  const seenWhole = new Set<number>();
  const seenNames = new Set<string>();

  const takeFile = (document: number): void => {
    if (seenWhole.has(document)) return;
    seenWhole.add(document);
    load(document);
    const { exports, graph, imports } = documents[document]!;
    for (const { definition, import: from, name } of exports) {
      if (definition >= 0) take(offsets[document]! + definition);
      if (from < 0) continue;
      const imported = imports[from]!.name;
      if (name === '*' || imported === '*') takeAll(document, from);
      else takeName(document, from, imported);
    }
    if (exportsByName.has(graph.language)) return;
    graph.symbols.forEach((_, at) => {
      if (isExported(graph, at)) take(offsets[document]! + at);
    });
  };
  const takeAll = (document: number, from: number): void => {
    const file = wiring.fileOf(document, from);
    if (file >= 0) takeFile(file);
  };
  const takeName = (document: number, from: number, name: string): void => {
    const file = wiring.fileOf(document, from);
    if (file < 0 || seenNames.has(`${file} ${name}`)) return;
    seenNames.add(`${file} ${name}`);
    load(file);
    const { exports, imports } = documents[file]!;
    const own = exports.filter(each => each.name === name);
    for (const { definition, import: at } of own) {
      if (definition >= 0) take(offsets[file]! + definition);
      if (at >= 0 && imports[at]!.name === '*') takeAll(file, at);
      else if (at >= 0) takeName(file, at, imports[at]!.name);
    }
    if (own.length > 0 || name === 'default') return;
    for (const each of exports) if (each.name === '*' && each.import >= 0) takeName(file, each.import, name);
  };
  return { takeFile, takeAll };
}

/** Languages whose files list what they export. */
export const exportsByName: ReadonlySet<string> = new Set(['typescript', 'javascript']);
