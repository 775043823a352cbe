import { appendTo } from '../../model/append-to.ts';
import type { LinkedMember } from '../../model/federation.ts';
import type { FoundEdge } from './edge-list.ts';
import { enough, evidenceOfFits, type Fit, fitTo, type OperationsByPath } from './operations.ts';
import { type ApiDocument, isSameApi, isSameMethod, pathOf, type ServedRoutes, titleWords } from './routes.ts';
import { isOfSchemas } from './service-edges.ts';
import { usesOf } from './uses.ts';

/** Who serves what OpenAPI documents say. */
export interface DocumentServers {
  /** Repositories, sorted: the document's own where it serves it, else others that do, else its own if it has code at all. */
  of(document: ApiDocument): readonly string[];
  /** Whether anybody is seen to serve it. */
  isServed(document: ApiDocument): boolean;
  /** Whether the document's own repository is. */
  isAtHome(document: ApiDocument): boolean;
  /** Whether a repository that asks for what the document says has another than this: this is a copy, or its own. */
  isCopyFor(member: string, document: ApiDocument): boolean;
  /** Of those whose routes are what another repository's document says. All of them are guesses. */
  readonly edges: readonly FoundEdge[];
}

/** What tells who serves documents. */
export interface ServingSources {
  readonly members: readonly LinkedMember[];
  readonly documents: readonly ApiDocument[];
  readonly operations: () => OperationsByPath;
  readonly serving: ServedRoutes;
  /** By document: who generates a server of it. */
  readonly generated: ReadonlyMap<ApiDocument, ReadonlySet<string>>;
  /** Those that their own repositories generate something of. */
  readonly used: ReadonlySet<ApiDocument>;
}

/** A repository, and what it serves of a document. */
interface Server {
  readonly member: LinkedMember;
  readonly fits: readonly Fit[];
}

/**
 * A document that its own repository doesn't serve, and that is no copy of one that its own does, is served by whoever generates
 * a server of it or has its routes: as many as tell enough, and none that a document of its own says. Who asks for them too
 * passes them on, where another serves them. Of several copies that nobody's repository serves one counts.
 */
export function documentServers(sources: ServingSources): DocumentServers {
  const { members, documents, generated, used, operations, serving } = sources;
  const ofSchemas = new Set(members.filter(({ contracts }) => isOfSchemas(contracts)).map(({ uid }) => uid));
  const isKept = (document: ApiDocument): boolean => ofSchemas.has(document.member) && !used.has(document);
  const hasRoutes = documents.length > 0 && [...serving.values()].some(({ size }) => size > 0);
  const atHome = new Set(hasRoutes ? servedAtHome(operations(), serving) : []);
  for (const [document, uids] of generated) if (uids.has(document.member)) atHome.add(document);
  const homeless = homelessAmong(documents, atHome);
  const byRoutes = hasRoutes && homeless.size > 0 ? serversOf(sources, homeless) : new Map<ApiDocument, Server[]>();
  const providers = new Map<ApiDocument, readonly string[]>();
  for (const document of homeless) {
    const routed = (byRoutes.get(document) ?? []).map(({ member }) => member.uid);
    const all = new Set([...(generated.get(document) ?? []), ...routed]);
    if (all.size > 0) providers.set(document, [...all].sort());
  }
  const titled = titledAlike(homeless);
  return {
    edges: [...byRoutes].flatMap(([document, all]) =>
      isCopy(document, titled(document), isKept) ? [] : all.map(one => edgeOf(document, one)),
    ),
    isCopyFor: (member, document) =>
      !atHome.has(document) &&
      (!homeless.has(document) ||
        isCopy(
          document,
          titled(document).filter(one => one.member !== member),
          isKept,
        )),
    isAtHome: document => atHome.has(document),
    isServed: document => atHome.has(document) || providers.has(document),
    of: document => providers.get(document) ?? (isKept(document) && !atHome.has(document) ? [] : [document.member]),
  };
}

function servedAtHome(operations: OperationsByPath, serving: ServedRoutes): ReadonlySet<ApiDocument> {
  const found = new Set<ApiDocument>();
  for (const [uid, routes] of serving) {
    for (const [path, served] of routes) {
      for (const { document, method } of operations.get(path) ?? []) {
        if (document.member === uid && served.some(route => isSameMethod(route.method ?? '', method)))
          found.add(document);
      }
    }
  }
  return found;
}

/** Those that nobody serves who has them, or what they are copies of. */
function homelessAmong(documents: readonly ApiDocument[], atHome: ReadonlySet<ApiDocument>): ReadonlySet<ApiDocument> {
  const titled = titledAlike(atHome);
  const isCopied = (document: ApiDocument): boolean => titled(document).some(one => isSameApi(one, document));
  return new Set(documents.filter(document => !atHome.has(document) && !isCopied(document)));
}

/** Those of some documents that are called as one is. */
function titledAlike(documents: Iterable<ApiDocument>): (document: ApiDocument) => readonly ApiDocument[] {
  const titled = new Map<string, ApiDocument[]>();
  for (const one of documents) appendTo(titled, titleWords(one.outline), one);
  return ({ outline }) => titled.get(titleWords(outline)) ?? [];
}

function serversOf(
  { members, operations, serving, generated }: ServingSources,
  documents: ReadonlySet<ApiDocument>,
): ReadonlyMap<ApiDocument, readonly Server[]> {
  const found = new Map<ApiDocument, Server[]>();
  for (const member of members) {
    for (const [document, fits] of routesOf(member, documents, operations(), serving)) {
      appendTo(found, document, { member, fits });
    }
  }
  return new Map(
    [...found].map(([document, all]) => {
      const last = all.filter(one => !passesOn(one));
      return [document, last.length > 0 || generated.has(document) ? last : all];
    }),
  );
}

/** What another has says the same, and is more likely what others mean: what is kept for others, else the first. */
function isCopy(
  document: ApiDocument,
  documents: readonly ApiDocument[],
  isKept: (document: ApiDocument) => boolean,
): boolean {
  const isRather = (one: ApiDocument): boolean =>
    isKept(one) === isKept(document) ? one.member < document.member : isKept(one);
  return documents.some(one => one.member !== document.member && isRather(one) && isSameApi(one, document));
}

function edgeOf({ member: uid, contract, outline }: ApiDocument, { member, fits }: Server): FoundEdge {
  const served = new Set(fits.map(({ operation }) => operation)).size;
  return {
    ...{ from: member.uid, contract: { uid, path: contract.path }, service: '', role: 'provider', tier: 'heuristic' },
    ...{ providers: [], evidence: evidenceOfFits(fits) },
    confidence: served * 2 >= outline.operations.length ? 0.6 : 0.5,
  };
}

/** By document: the routes of a repository that fit it, where they tell enough. */
function routesOf(
  { uid }: LinkedMember,
  documents: ReadonlySet<ApiDocument>,
  operations: OperationsByPath,
  serving: ServedRoutes,
): ReadonlyMap<ApiDocument, readonly Fit[]> {
  const found = new Map<ApiDocument, Fit[]>();
  for (const [path, routes] of serving.get(uid) ?? []) {
    for (const route of routes) {
      const fitting = (operations.get(path) ?? []).filter(({ method }) => isSameMethod(route.method ?? '', method));
      if (fitting.some(({ document }) => document.member === uid)) continue;
      for (const one of fitting) if (documents.has(one.document)) appendTo(found, one.document, fitTo(route, one));
    }
  }
  return new Map([...found].filter(([, fits]) => tellEnough(fits)));
}

/** Each path once, however many may be asked of it. */
function tellEnough(fits: readonly Fit[]): boolean {
  const weights = new Map(fits.map(({ operation, weight }) => [operation, weight]));
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0) >= enough;
}

/** A gateway serves what it asks of another. */
function passesOn({ member, fits }: Server): boolean {
  const served = new Set(fits.map(({ use }) => pathOf(use)));
  return usesOf(member.contracts, 'route-call').some(
    use => !use.isTest && use.path !== undefined && served.has(pathOf(use)),
  );
}
