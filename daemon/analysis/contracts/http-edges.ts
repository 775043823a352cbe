import type { OpenApiOutline } from '../../model/contract.ts';
import type { DeclaredContract, EdgeEvidence, LinkedMember, PlacedUse } from '../../model/federation.ts';
import { baseName } from '../../model/paths.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import type { ServiceHomes } from './service-edges.ts';
import { qualified, type ServiceCatalogue } from './services.ts';

interface Document {
  readonly member: string;
  readonly contract: DeclaredContract;
  readonly outline: OpenApiOutline;
}

/** Edges to OpenAPI documents, and those that routes alone tell of. */
export function* httpEdges(
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
  homes: ServiceHomes,
): Iterable<FoundEdge> {
  const documents = openApiDocuments(members);
  const serving = servedRoutes(members);
  for (const member of members) {
    yield* clientEdges(member, documents, serving);
    yield* documentRouteEdges(member, documents, serving);
    yield* serviceRouteEdges(member, members, catalogue, homes, serving);
  }
}

function openApiDocuments(members: readonly LinkedMember[]): readonly Document[] {
  return members.flatMap(({ uid, contracts }) =>
    contracts.declared.flatMap(contract =>
      contract.outline.type === 'openapi' ? [{ member: uid, contract, outline: contract.outline }] : [],
    ),
  );
}

/** By repository: the routes that it serves. */
type ServedRoutes = ReadonlyMap<string, readonly PlacedUse[]>;

function servedRoutes(members: readonly LinkedMember[]): ServedRoutes {
  return new Map(
    members.map(({ uid, contracts }) => [
      uid,
      contracts.uses.filter(({ kind, isTest }) => kind === 'route' && !isTest),
    ]),
  );
}

/**
 * Of documents that say the same API those count whose repository serves its routes, else those whose repository generates no
 * client of it; one that lies with a client is a copy.
 */
function originalsFor(member: string, alike: readonly Document[], serving: ServedRoutes): readonly Document[] {
  const others = alike.filter(one => one.member !== member);
  const served = others.filter(one => servesSome(one, serving));
  return served.length > 0 ? served : others;
}

function servesSome({ member, outline }: Document, serving: ServedRoutes): boolean {
  return (serving.get(member) ?? []).some(route =>
    outline.operations.some(operation => isServed(route, operation, outline)),
  );
}

function isServed(route: PlacedUse, operation: OpenApiOutline['operations'][number], outline: OpenApiOutline): boolean {
  return pathsOf(operation.path, outline).some(path => isSameRoute(route, operation.method, path));
}

/** Clients that are generated of a document, and configurations that say of which. */
function* clientEdges(
  member: LinkedMember,
  documents: readonly Document[],
  serving: ServedRoutes,
): Iterable<FoundEdge> {
  for (const use of member.contracts.uses) {
    if (use.kind === 'generator') {
      const named = documentsNamed(use, member.uid, documents);
      for (const document of originalsFor(member.uid, named, serving)) {
        yield toDocument(member.uid, document, 'declared', [evidenceOf(use)], confidenceOf.declared);
      }
    }
    const title = use.kind === 'openapi-client' || use.kind === 'generated' ? titleOf(use) : '';
    if (title === '') continue;
    const titled = documents.filter(({ outline }) => wordsOf(outline.title) === title);
    for (const document of originalsFor(member.uid, titled, serving)) {
      yield toDocument(member.uid, document, 'derived', [evidenceOf(use)], confidenceOf.derived);
    }
  }
}

function titleOf({ service, from }: PlacedUse): string {
  return wordsOf(service ?? from ?? '');
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .join(' ');
}

/** A configuration names the document's file, here or there, or where it is served under that name. */
function documentsNamed(use: PlacedUse, member: string, documents: readonly Document[]): readonly Document[] {
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

function isSameApi(one: Document, other: Document): boolean {
  if (wordsOf(one.outline.title) !== wordsOf(other.outline.title)) return false;
  const keys = new Set(one.outline.operations.map(({ method, path }) => `${method} ${normalised(path)}`));
  const shared = other.outline.operations.filter(({ method, path }) => keys.has(`${method} ${normalised(path)}`));
  return shared.length * 2 >= Math.min(keys.size, other.outline.operations.length);
}

/** Calls of paths that a document of another repository has. */
function* documentRouteEdges(
  member: LinkedMember,
  documents: readonly Document[],
  serving: ServedRoutes,
): Iterable<FoundEdge> {
  const calls = callsOf(member);
  if (calls.length === 0) return;
  for (const document of documents) {
    const { outline } = document;
    if (document.member === member.uid) continue;
    const found = calls.filter(call =>
      outline.operations.some(({ method, path }) => pathsOf(path, outline).some(one => isSameRoute(call, method, one))),
    );
    const telling = found.reduce((sum, { path = '' }) => sum + weightOf(path), 0);
    if (telling < enough) continue;
    const confidence = servesSome(document, serving) ? 0.6 : 0.5;
    yield toDocument(member.uid, document, 'heuristic', found.map(evidenceOf), confidence);
  }
}

/** Calls of routes that another repository serves, and that are called as an RPC of a service that it is the home of. */
function* serviceRouteEdges(
  member: LinkedMember,
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
  homes: ServiceHomes,
  serving: ServedRoutes,
): Iterable<FoundEdge> {
  const calls = callsOf(member);
  if (calls.length === 0) return;
  for (const fullName of catalogue.all()) {
    const [service] = catalogue.declaring(fullName);
    const methods = service?.outline.services.find(
      ({ name }) => qualified(service.outline.package, name) === fullName,
    )?.methods;
    if (methods === undefined) continue;
    const names = new Set(methods.map(({ name }) => name.toLowerCase()));
    const routes = methods.flatMap(method => method.routes);
    const isOfService = (use: PlacedUse): boolean =>
      routes.some(route => isRoute(use, route)) || names.has(lastWord(use.path ?? ''));
    const called = calls.filter(isOfService);
    if (called.length === 0) continue;
    for (const other of members) {
      if (other.uid === member.uid) continue;
      const served = (serving.get(other.uid) ?? []).filter(isOfService);
      const found = called.filter(call =>
        served.some(route => isSameRoute(call, route.method ?? '', route.path ?? '')),
      );
      if (found.length === 0) continue;
      for (const { service: home } of homes.homesFor(member.uid, fullName)) {
        yield {
          ...{ from: member.uid, contract: { uid: home.member, path: home.contract.path }, service: fullName },
          ...{ role: 'consumer', tier: 'heuristic', confidence: 0.4, providers: [other.uid] },
          evidence: found.map(evidenceOf),
        };
      }
    }
  }
}

function callsOf({ contracts }: LinkedMember): readonly PlacedUse[] {
  return contracts.uses.filter(({ kind, path }) => kind === 'route-call' && path !== undefined && path !== '/');
}

function isRoute(use: PlacedUse, route: string): boolean {
  const [method = '', path = ''] = route.split(' ');
  return isSameRoute(use, method, path);
}

/** `getquote` of `/shipping/get-quote`. */
function lastWord(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '{}');
  return (segments.at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isSameRoute(use: PlacedUse, method: string, path: string): boolean {
  const isSameMethod = use.method === undefined || use.method === '' || method === '' || use.method === method;
  return isSameMethod && normalised(use.path ?? '') === normalised(path);
}

function pathsOf(path: string, { basePaths }: OpenApiOutline): readonly string[] {
  return [...new Set(['', ...basePaths])].map(base => `${base.replace(/\/+$/, '')}${path}`);
}

/** Parameters are alike, whatever they are called; so are paths with and without a slash at their end. */
function normalised(path: string): string {
  return path
    .replace(/\{[^{}/]*\}|:[A-Za-z_]\w*|<[^<>/]*>/g, '{}')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/** How much a path tells: `/health` is everybody's, `/carts/{}/items` is not. */
function weightOf(path: string): number {
  const words = path.split('/').filter(segment => segment !== '' && segment !== '{}' && !/^v\d+$|^api$/.test(segment));
  if (words.length === 1 && everybodys.has(words[0]!.toLowerCase())) return 0;
  return Math.min(words.length, 2) / 2;
}

/** One path of two words, or two paths of one. */
const enough = 1;

const everybodys: ReadonlySet<string> = new Set([
  ...['health', 'healthz', 'healthcheck', 'ready', 'readyz', 'live', 'livez', 'status', 'metrics', 'ping', 'version'],
  ...['login', 'logout', 'users', 'user', 'search', 'info', 'config', 'docs', 'swagger', 'openapi.json'],
]);

function toDocument(
  from: string,
  { member, contract }: Document,
  tier: FoundEdge['tier'],
  evidence: readonly EdgeEvidence[],
  confidence: number,
): FoundEdge {
  return {
    ...{ from, contract: { uid: member, path: contract.path }, service: '', role: 'consumer', tier, confidence },
    ...{ providers: [member], evidence },
  };
}
