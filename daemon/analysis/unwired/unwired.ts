import { atTop, type GraphDocument, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { once } from '../../model/once.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import type { Audience } from './audience.ts';
import { ceilingOf, doubtsOf } from './doubts.ts';
import { exportsByName, type Reach, type Roots, reachFrom } from './reach.ts';
import { type Tallies, tallyUses } from './tallies.ts';
import { type DocumentsAt, isExported, type Wiring, wiringOf } from './wiring.ts';

export interface UnwiredQuestion {
  readonly documents: readonly WiredDocument[];
  readonly documentsAt: DocumentsAt;
  readonly roots: Roots;
  audienceOf(document: GraphDocument): Audience;
  /** Names of imports that should lead into the repository and do not: number of the name → how many. */
  readonly missing: ReadonlyMap<string, number>;
  /** How its name is written. */
  nameOf(site: GraphSite): string;
  /** The decorators and annotations of a definition, '' for none. */
  markOf(site: GraphSite): string;
  /** Extensions of files in a document's package that import code and that nobody reads. */
  unreadNear(document: GraphDocument): readonly string[];
}

export interface Unwired {
  /** All exported symbols, by the path of their file and its definitions. */
  readonly exported: readonly ExportedSymbol[];
  readonly claims: readonly Claim[];
}

export interface ExportedSymbol {
  readonly site: GraphSite;
  readonly kind: SymbolKind;
  /** Of one that no entrypoint reaches. */
  readonly claim: Claim | undefined;
}

/** That no entrypoint reaches an exported symbol. */
export interface Claim {
  readonly site: GraphSite;
  readonly kind: SymbolKind;
  /** Uses outside tests and in them. */
  readonly references: number;
  readonly testReferences: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** What files export that no entrypoint reaches. */
export function findUnwired(question: UnwiredQuestion): Unwired {
  const wiring = wiringOf(question.documents, question.documentsAt);
  const reach = reachFrom(wiring, question.roots);
  const tallies = tallyUses(wiring, reach);
  const open = openNamesOf(question.documents);
  const exported: ExportedSymbol[] = [];
  const imported = importedFiles(wiring);
  wiring.documents.forEach((document, index) => {
    if (isData(document.graph) && !imported.byCode.has(index)) return;
    for (const at of candidatesIn(document)) {
      const node = wiring.offsets[index]! + at;
      const site = { in: document.graph, at };
      const isWired = isReached({ wiring, reach, tallies }, index, node) || imported.wholeByTests.has(index);
      const kind = wiring.parts[index]!.kinds[at]!;
      const claim = isWired
        ? undefined
        : claimOf({
            ...{ question, tallies, open, site, kind },
            isLoaded: reach.live[index] === 1 || document.graph.isTest,
          });
      exported.push({ site, kind, claim });
    }
  });
  return { exported, claims: exported.flatMap(({ claim }) => claim ?? []) };
}

const kept = new WeakMap<WiredDocument, readonly number[]>();

/** Definitions of a document that it exports, and that stand and fall by themselves. */
function candidatesIn(document: WiredDocument): readonly number[] {
  const known = kept.get(document);
  if (known !== undefined) return known;
  const found = candidates(document);
  kept.set(document, found);
  return found;
}

function candidates({ graph, exports, tests }: WiredDocument): readonly number[] {
  if (exportsByName.has(graph.language)) {
    const own = exports.filter(({ definition, name }) => definition >= 0 && name !== '=');
    return [...new Set(own.map(({ definition }) => definition))].sort((a, b) => graph.slots[a]! - graph.slots[b]!);
  }
  if (graph.isTest) return [];
  const found: number[] = [];
  for (let at = 0; at < graph.symbols.length; at++) if (standsAlone(graph, at) && !tests.has(at)) found.push(at);
  return found.sort((a, b) => graph.slots[a]! - graph.slots[b]!);
}

/** What tests read as data, until code imports it. */
function isData({ path }: GraphDocument): boolean {
  return data.test(path);
}

/** Files that anything but data imports, and those that tests hand on as a whole. */
function importedFiles(wiring: Wiring): {
  readonly byCode: ReadonlySet<number>;
  readonly wholeByTests: ReadonlySet<number>;
} {
  const byCode = new Set<number>();
  const wholeByTests = new Set<number>();
  wiring.documents.forEach(({ graph, imports }, document) => {
    if (isData(graph)) return;
    imports.forEach(({ escapes }, at) => {
      const file = wiring.fileOf(document, at);
      if (file < 0) return;
      byCode.add(file);
      if (escapes && graph.isTest && wiring.documents[file]!.graph.isTest) wholeByTests.add(file);
    });
  });
  return { byCode, wholeByTests };
}

const data = /(?:^|\/)(?:__?)?(?:fixtures?|testdata|snapshots?|mocks?|templates?)(?:__?)?\//;

const counted: ReadonlySet<SymbolKind> = new Set([
  ...(['function', 'class', 'interface', 'struct', 'enum', 'trait', 'type'] as const),
  ...(['variable', 'constant', 'object', 'macro'] as const),
]);
const holders: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);

/** What stands at the top, or in what only groups. */
function standsAlone(graph: GraphDocument, at: number): boolean {
  if (!isExported(graph, at) || !counted.has(kindOfDefinition(graph, at))) return false;
  for (let outer = graph.containers[at]!; outer !== atTop; outer = graph.containers[outer]!) {
    if (!holders.has(kindOfDefinition(graph, outer))) return false;
  }
  return true;
}

interface Findings {
  readonly wiring: Wiring;
  readonly reach: Reach;
  readonly tallies: Tallies;
}

/**
 * A file that lists its exports is asked for each of them by others: what it uses itself needs no export. Of tests' files
 * tests are the users. In other languages whatever reached code names is reached.
 */
function isReached({ wiring, reach, tallies }: Findings, document: number, node: number): boolean {
  const { graph } = wiring.documents[document]!;
  if (!exportsByName.has(graph.language)) return reach.reached[node] === 1;
  const symbol = graph.symbols[node - wiring.offsets[document]!]!;
  if (reach.taken[node] === 1 || tallies.reached[symbol]! > 0) return true;
  return graph.isTest && tallies.tests[symbol]! + tallies.unreached[symbol]! + tallies.unloaded[symbol]! > 0;
}

interface Claimed {
  readonly question: UnwiredQuestion;
  readonly tallies: Tallies;
  readonly open: () => ReadonlyMap<number, number>;
  readonly site: GraphSite;
  readonly kind: SymbolKind;
  readonly isLoaded: boolean;
}

function claimOf({ question, tallies, open, site, kind, isLoaded }: Claimed): Claim {
  const { in: graph, at } = site;
  const symbol = graph.symbols[at]!;
  const grounds = groundsOf(tallies, symbol, isLoaded);
  const openUses = exportsByName.has(graph.language)
    ? question.missing.size === 0
      ? 0
      : (question.missing.get(question.nameOf(site)) ?? 0)
    : (open().get(graph.names[at]!) ?? 0);
  const doubts = doubtsOf({
    ...{ graph, isLoaded, openUses, mark: question.markOf(site) },
    hangsOnLoading: !isLoaded || tallies.unloaded[symbol]! > 0,
    ...{ audience: question.audienceOf(graph), unread: question.unreadNear(graph) },
  });
  const confidence = Math.min(grounds.confidence, ceilingOf(graph.language), ...doubts.map(({ cap }) => cap));
  const { reached, unreached, unloaded, own, ownReached, handedOn, tests } = tallies;
  return {
    site,
    kind,
    references: [reached, unreached, unloaded, own, ownReached, handedOn].reduce((sum, one) => sum + one[symbol]!, 0),
    testReferences: tests[symbol]!,
    confidence,
    reason: [grounds.reason, ...doubts.map(({ because }) => because)].join('; '),
  };
}

/** Why nothing reaches a symbol, as far as its uses say. */
function groundsOf(tallies: Tallies, symbol: number, isLoaded: boolean): { confidence: number; reason: string } {
  const users = [
    tallies.unreached[symbol]! > 0 && { confidence: 0.75, reason: 'code that is itself unwired' },
    tallies.unloaded[symbol]! > 0 && { confidence: 0.85, reason: 'files that nothing loads' },
    tallies.tests[symbol]! > 0 && { confidence: 0.9, reason: 'tests' },
    tallies.own[symbol]! + tallies.ownReached[symbol]! > 0 && { confidence: 0.9, reason: 'its own file' },
  ].filter(one => one !== false);
  const handedOn = tallies.handedOn[symbol]! > 0 ? ', those who hand it on apart' : '';
  const [first, ...others] = users.map(({ reason }) => reason);
  const confidence = Math.min(isLoaded ? 0.95 : 0.85, ...users.map(one => one.confidence));
  const unloaded = isLoaded ? '' : ', and nothing loads its file';
  if (first === undefined) return { confidence, reason: `nothing uses it${handedOn}${unloaded}` };
  const last = others.pop();
  const all = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return { confidence, reason: `nothing but ${all} uses it${handedOn}${unloaded}` };
}

/** Names with uses outside tests that nothing settles; made when it is first asked for. */
function openNamesOf(documents: readonly WiredDocument[]): () => ReadonlyMap<number, number> {
  return once(() => {
    const counts = new Map<number, number>();
    for (const { graph } of documents) {
      if (graph.isTest) continue;
      graph.openNames.forEach((name, index) => {
        counts.set(name, (counts.get(name) ?? 0) + graph.openCounts[index]!);
      });
    }
    return counts;
  });
}
