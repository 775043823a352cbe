import type { LinkedMember, PlacedUse } from '../../model/federation.ts';
import { baseName } from '../../model/paths.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import { routeEdges } from './route-edges.ts';
import { type ApiDocument, normalisedPath, type ServedRoutes, servedRoutes, servesSome, toDocument } from './routes.ts';
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
  const serving = servedRoutes(members);
  for (const member of members) yield* clientEdges(member, documents, serving);
  yield* routeEdges({ members, documents, catalogue, homes, serving });
}

function openApiDocuments(members: readonly LinkedMember[]): readonly ApiDocument[] {
  return members.flatMap(({ uid, contracts }) =>
    contracts.declared.flatMap(contract =>
      contract.outline.type === 'openapi' ? [{ member: uid, contract, outline: contract.outline }] : [],
    ),
  );
}

/**
 * Of documents that say the same API those count whose repository serves its routes, else those whose repository generates no
 * client of it; one that lies with a client is a copy.
 */
function originalsFor(member: string, alike: readonly ApiDocument[], serving: ServedRoutes): readonly ApiDocument[] {
  const others = alike.filter(one => one.member !== member);
  const served = others.filter(one => servesSome(one, serving));
  return served.length > 0 ? served : others;
}

/** Clients that are generated of a document, and configurations that say of which. */
function* clientEdges(
  member: LinkedMember,
  documents: readonly ApiDocument[],
  serving: ServedRoutes,
): Iterable<FoundEdge> {
  for (const use of usesOf(member.contracts, 'generator')) {
    const named = documentsNamed(use, member.uid, documents);
    for (const document of originalsFor(member.uid, named, serving)) {
      yield toDocument(member.uid, document, 'declared', [evidenceOf(use)], confidenceOf.declared);
    }
  }
  for (const use of usesOf(member.contracts, 'openapi-client', 'generated')) {
    const title = titleOf(use);
    if (title === '') continue;
    const titled = documents.filter(({ outline }) => wordsOf(outline.title) === title);
    for (const document of originalsFor(member.uid, titled, serving)) {
      yield toDocument(member.uid, document, 'derived', [evidenceOf(use)], confidenceOf.derived);
    }
  }
}

function titleOf({ title }: PlacedUse): string {
  return wordsOf(title ?? '');
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .join(' ');
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

function isSameApi(one: ApiDocument, other: ApiDocument): boolean {
  if (wordsOf(one.outline.title) !== wordsOf(other.outline.title)) return false;
  const keys = new Set(one.outline.operations.map(({ method, path }) => `${method} ${normalisedPath(path)}`));
  const shared = other.outline.operations.filter(({ method, path }) => keys.has(`${method} ${normalisedPath(path)}`));
  return shared.length * 2 >= Math.min(keys.size, other.outline.operations.length);
}
