import type { GraphDocument, GraphSite } from '../../model/graph.ts';
import { once } from '../../model/once.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import type { Audience } from './audience.ts';
import { candidatesOf, importedFiles, standsAlone } from './candidates.ts';
import { claimOf, type ExportedSymbol } from './claims.ts';
import { exportsByName, type Reach, type Roots, reachFrom } from './reach.ts';
import { type Tallies, tallyUses } from './tallies.ts';
import { withUsersDoubts } from './users-doubts.ts';
import { type DocumentsAt, type Wiring, wiringOf } from './wiring.ts';

export interface UnwiredQuestion {
  readonly documents: readonly WiredDocument[];
  readonly documentsAt: DocumentsAt;
  readonly roots: Roots;
  audienceOf(document: GraphDocument): Audience;
  /** Names of imports that should lead into the repository and do not, and how many. */
  readonly missing: ReadonlyMap<string, number>;
  /** How its name is written. */
  nameOf(site: GraphSite): string;
  /** The decorators and annotations of a definition, '' for none. */
  markOf(site: GraphSite): string;
  /** Extensions of files in a document's package that import code and that nobody reads. */
  unreadNear(document: GraphDocument): readonly string[];
}

/** All exported symbols, by the paths of their files and as they stand there. */
export function findUnwired(question: UnwiredQuestion): readonly ExportedSymbol[] {
  const wiring = wiringOf(question.documents, question.documentsAt);
  const { offered, ...roots } = question.roots;
  const reach = reachFrom(wiring, roots);
  const perhaps = offered.length === 0 ? reach : reachFrom(wiring, { ...roots, open: [...roots.open, ...offered] });
  const tallies = tallyUses(wiring, reach);
  const imported = importedFiles(wiring);
  const candidates = candidatesOf(wiring, imported.byCode);
  const open = openNamesOf(question.documents);
  const reachedNames = reachedNamesIn(wiring, reach);
  const includesUnread = once(() => isAnyUnread(wiring));
  const openUses = (site: GraphSite): number => {
    const { in: graph, at } = site;
    if (!exportsByName.has(graph.language)) return open().get(graph.names[at]!) ?? 0;
    return question.missing.size === 0 ? 0 : (question.missing.get(question.nameOf(site)) ?? 0);
  };
  const found = wiring.documents.flatMap(({ graph }, document) =>
    candidates(document).map((at): ExportedSymbol => {
      const site = { in: graph, at };
      const node = wiring.offsets[document]! + at;
      const kind = wiring.parts[document]!.kinds[at]!;
      const isWired = isReached({ wiring, reach, tallies }, document, node) || imported.wholeByTests.has(document);
      if (isWired) return { site, kind, claim: undefined };
      const claim = claimOf(tallies, {
        ...{ site, kind, openUses: openUses(site), mark: question.markOf(site) },
        isLoaded: reach.live[document] === 1 || (graph.isTest && imported.byCode.has(document)),
        audience: question.audienceOf(graph),
        servesOffered: perhaps.reached[node] !== reach.reached[node],
        hasReachedNamesake: reachedNames().has(graph.names[at]!),
        isMacro: kind === 'macro' && ofC.has(graph.language),
        includesUnread: ofC.has(graph.language) && includesUnread(),
        unread: question.unreadNear(graph),
      });
      return { site, kind, claim };
    }),
  );
  return withUsersDoubts(found);
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

const ofC: ReadonlySet<string> = new Set(['c', 'cpp']);

/** Whether an import of code in C, tests apart, leads to a file of the repository that nobody reads. */
function isAnyUnread(wiring: Wiring): boolean {
  return wiring.documents.some(
    ({ graph, imports }, document) =>
      ofC.has(graph.language) && !graph.isTest && imports.some((_, at) => wiring.isUnread(document, at)),
  );
}

/** Names with uses outside tests that nothing settles. */
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

/** Names of what is reached and stands by itself. */
function reachedNamesIn({ documents, offsets }: Wiring, { reached }: Reach): () => ReadonlySet<number> {
  return once(() => {
    const names = new Set<number>();
    documents.forEach(({ graph }, document) => {
      graph.names.forEach((name, at) => {
        if (reached[offsets[document]! + at] === 1 && standsAlone(graph, at)) names.add(name);
      });
    });
    return names;
  });
}
