import type { LinkedMember, PlacedUse } from '../../model/federation.ts';
import { once } from '../../model/once.ts';
import { type DocumentServers, documentServers } from './document-servers.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import { type Naming, namedDocuments } from './named-documents.ts';
import { type OperationsByPath, operationsByPath } from './operations.ts';
import { routeEdges } from './route-edges.ts';
import { type ApiDocument, pathOf, servedRoutes, titleWords, wordsOf } from './routes.ts';
import type { ServiceHomes } from './service-edges.ts';
import type { ServiceCatalogue } from './services.ts';
import { usesOf } from './uses.ts';

/** Edges to OpenAPI documents, and those that routes alone tell of. */
export function* httpEdges(
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
  homes: ServiceHomes,
): Iterable<FoundEdge> {
  const documents = openApiDocuments(members);
  const operations = once(() => operationsByPath(documents));
  const serving = servedRoutes(members);
  const names = new Map(members.map(({ uid, name }) => [uid, name]));
  const mentions = members.flatMap(member => [...mentionsOf({ member, documents, names }, operations)]);
  const generated = generatedServers(mentions);
  const used = new Set(mentions.flatMap(({ from, alike }) => alike.filter(({ member }) => member === from)));
  const servers = documentServers({ members, documents, operations, serving, generated, used });
  yield* servers.edges;
  for (const mention of mentions) yield* mentionedEdges(mention, servers);
  yield* routeEdges({ members, operations, catalogue, homes, serving, servers });
}

function openApiDocuments(members: readonly LinkedMember[]): readonly ApiDocument[] {
  return members.flatMap(({ uid, contracts }) =>
    contracts.declared.flatMap(contract =>
      contract.outline.type === 'openapi' ? [{ member: uid, contract, outline: contract.outline }] : [],
    ),
  );
}

/** What a repository generates of a document, and what says so. */
interface Mention {
  readonly from: string;
  readonly use: PlacedUse;
  readonly tier: 'declared' | 'derived';
  /** All that say the API that is meant, wherever they lie. */
  readonly alike: readonly ApiDocument[];
}

/** Configurations that say of which document they generate, and generated code that tells the title of its API. */
function* mentionsOf(naming: Naming, operations: () => OperationsByPath): Iterable<Mention> {
  const { member, documents } = naming;
  const from = member.uid;
  for (const written of usesOf(member.contracts, 'generator')) {
    const use = withSide(written, member);
    yield { from, use, tier: 'declared', alike: namedDocuments(use, naming) };
  }
  for (const use of usesOf(member.contracts, 'openapi-client', 'generated')) {
    const title = titleOf(use);
    if (title === '') continue;
    const titled = documents.filter(({ outline }) => titleWords(outline) === title);
    yield {
      from,
      use,
      tier: 'derived',
      alike: titled.length === 0 ? [] : havingPaths(use, titled, member, operations()),
    };
  }
}

/** Of documents that are called alike those that have a path which the generated file asks for, where it tells any. */
function havingPaths(
  { at }: PlacedUse,
  titled: readonly ApiDocument[],
  { contracts }: LinkedMember,
  operations: OperationsByPath,
): readonly ApiDocument[] {
  const asked = usesOf(contracts, 'route-call').filter(call => call.at === at && call.path !== undefined);
  if (asked.length === 0) return titled;
  const having = new Set(asked.flatMap(call => operations.get(pathOf(call)) ?? []).map(({ document }) => document));
  return titled.filter(document => having.has(document));
}

/** What oapi-codegen makes where its command leaves that to a configuration, which is another file. */
function withSide(use: PlacedUse, { contracts }: LinkedMember): PlacedUse {
  if (use.role !== undefined || !/\boapi-codegen\b/.test(use.seen)) return use;
  if (usesOf(contracts, 'openapi-client').length > 0) return use;
  const [, given] = /\s--?config[\s=]{1,5}["']?(?:\.{1,2}\/){0,12}([\w./-]{1,200})/.exec(use.seen) ?? [];
  const isGiven = ({ at }: PlacedUse): boolean => given === undefined || at === given || at.endsWith(`/${given}`);
  const isServer = usesOf(contracts, 'generated').some(
    one => one.language === 'configuration' && one.role === 'server' && isGiven(one),
  );
  return isServer ? { ...use, role: 'server' } : use;
}

/** By document: who generates a server of it. */
function generatedServers(mentions: readonly Mention[]): ReadonlyMap<ApiDocument, ReadonlySet<string>> {
  const found = new Map<ApiDocument, Set<string>>();
  for (const { from, use, alike } of mentions) {
    if (use.role !== 'server') continue;
    for (const document of alike) found.set(document, (found.get(document) ?? new Set()).add(from));
  }
  return found;
}

/**
 * Of documents that say the same API those count whose repository serves it, else one that others have: what lies with a client
 * is a copy. Who serves what it has itself depends on nobody's copy, and who serves what it generates no client of provides it.
 * Who of two has it first nobody knows where neither serves it, nor keeps it for others.
 */
function* mentionedEdges({ from, use, tier, alike }: Mention, servers: DocumentServers): Iterable<FoundEdge> {
  const own = alike.filter(({ member }) => member === from);
  if (own.some(servers.isAtHome)) return;
  const others = alike.filter(({ member }) => member !== from);
  const served = others.filter(servers.isAtHome);
  const originals = served.length > 0 ? served : others.filter(one => !servers.isCopyFor(from, one));
  for (const document of originals) {
    const isGuess = own.length > 0 && !servers.isServed(document) && servers.of(document).length > 0;
    const serves = use.kind !== 'openapi-client' && servers.of(document).includes(from);
    const role = use.role === 'server' || serves ? 'provider' : 'consumer';
    const told = isGuess ? 'heuristic' : tier;
    yield {
      ...{ from, contract: { uid: document.member, path: document.contract.path }, service: '', role, tier: told },
      ...{ confidence: confidenceOf[told], evidence: [evidenceOf(use)] },
      providers: role === 'provider' ? [] : servers.of(document),
    };
  }
}

function titleOf({ title }: PlacedUse): string {
  return wordsOf(title ?? '');
}
