import type { LinkedMember, PlacedUse } from '../../model/federation.ts';
import { once } from '../../model/once.ts';
import { baseName } from '../../model/paths.ts';
import { type DocumentServers, documentServers } from './document-servers.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import { operationsByPath } from './operations.ts';
import { routeEdges } from './route-edges.ts';
import { type ApiDocument, isSameApi, servedRoutes, titleWords, wordsOf } from './routes.ts';
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
  const mentions = members.flatMap(member => [...mentionsOf(member, documents)]);
  const servers = documentServers({ members, documents, operations, serving, generated: generatedServers(mentions) });
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
function* mentionsOf(member: LinkedMember, documents: readonly ApiDocument[]): Iterable<Mention> {
  const from = member.uid;
  for (const use of usesOf(member.contracts, 'generator')) {
    yield { from, use, tier: 'declared', alike: documentsNamed(use, from, documents) };
  }
  for (const use of usesOf(member.contracts, 'openapi-client', 'generated')) {
    const title = titleOf(use);
    if (title === '') continue;
    yield { from, use, tier: 'derived', alike: documents.filter(({ outline }) => titleWords(outline) === title) };
  }
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
 * Of documents that say the same API those count whose repository serves it; one that lies with a client is a copy. Who serves
 * what it generates no client of provides it.
 */
function* mentionedEdges({ from, use, tier, alike }: Mention, servers: DocumentServers): Iterable<FoundEdge> {
  const others = alike.filter(({ member }) => member !== from);
  const originals = others.filter(servers.isAtHome);
  for (const document of originals.length > 0 ? originals : others) {
    const serves = use.kind !== 'openapi-client' && servers.of(document).includes(from);
    const role = use.role === 'server' || serves ? 'provider' : 'consumer';
    yield {
      ...{ from, contract: { uid: document.member, path: document.contract.path }, service: '', role, tier },
      ...{ confidence: confidenceOf[tier], evidence: [evidenceOf(use)] },
      providers: role === 'provider' ? [] : servers.of(document),
    };
  }
}

function titleOf({ title }: PlacedUse): string {
  return wordsOf(title ?? '');
}

/** A configuration names the document's file, here or there, or where it is served under that name. */
function documentsNamed(use: PlacedUse, member: string, documents: readonly ApiDocument[]): readonly ApiDocument[] {
  const { file } = use;
  if (file === undefined || file.endsWith('.proto')) return [];
  const name = baseName(file.replaceAll('\\', '/').replace(/[?#].*$/, ''));
  if (name === '') return [];
  const own = documents.filter(one => one.member === member && baseName(one.contract.path) === name);
  const [mine] = own;
  // What lies with the client is the copy of another's, where there is one.
  if (mine !== undefined) return documents.filter(one => one === mine || isSameApi(one, mine));
  const titled = documents.filter(({ contract }) => baseName(contract.path) === name);
  return titled.length === 1 ? titled : titled.filter(({ contract }) => file.endsWith(contract.path));
}
