import { appendTo } from '../../model/append-to.ts';
import type { ProtoMethod } from '../../model/contract.ts';
import type { LinkedMember, PlacedUse } from '../../model/federation.ts';
import { once } from '../../model/once.ts';
import type { DocumentServers } from './document-servers.ts';
import { evidenceOf, type FoundEdge } from './edge-list.ts';
import { enough, evidenceOfFits, type Fit, fitTo, type OperationsByPath, weightOfUse } from './operations.ts';
import {
  type ApiDocument,
  bareName,
  isSameMethod,
  isServedBy,
  normalisedPath,
  pathOf,
  type ServedRoutes,
} from './routes.ts';
import type { ServiceHomes } from './service-edges.ts';
import { qualified, type ServiceCatalogue } from './services.ts';
import { usesOf } from './uses.ts';

/** What edges are found with that routes alone tell of. */
export interface RouteSources {
  readonly members: readonly LinkedMember[];
  readonly operations: () => OperationsByPath;
  readonly catalogue: ServiceCatalogue;
  readonly homes: ServiceHomes;
  readonly serving: ServedRoutes;
  readonly servers: DocumentServers;
}

/** Calls of paths that documents have, and of routes that are called as RPCs are. All of them are guesses. */
export function* routeEdges(sources: RouteSources): Iterable<FoundEdge> {
  const hosts = hostsOf(sources.members);
  const methods = once(() => methodsByName(sources.catalogue));
  const rpcs = once(() => rpcsByPath(sources.catalogue));
  for (const { uid, contracts } of sources.members) {
    const calls = usesOf(contracts, 'route-call').filter(
      ({ path }) => path !== undefined && path !== '/' && path !== '',
    );
    if (calls.length === 0) continue;
    yield* toDocuments(uid, calls, hosts, sources);
    yield* toServices(uid, calls, methods(), hosts, sources);
    yield* toRpcs(uid, calls, rpcs(), hosts, sources);
  }
}

function* toDocuments(
  from: string,
  calls: readonly PlacedUse[],
  hosts: Hosts,
  { operations, servers }: RouteSources,
): Iterable<FoundEdge> {
  const found = new Map<ApiDocument, Fit[]>();
  for (const call of calls) {
    for (const operation of operations().get(pathOf(call)) ?? []) {
      const { document, method } = operation;
      if (!isSameMethod(call.method ?? '', method) || isOwn(from, document, servers)) continue;
      if (document.member !== from && servers.isCopyFor(from, document)) continue;
      const behind = [document.member, ...servers.of(document)];
      if (!behind.some(one => hosts.mayBe(call, one))) continue;
      if (isElsewhere(call, document) && !behind.some(one => hosts.isNamed(call, one))) continue;
      appendTo(found, document, fitTo(call, operation));
    }
  }
  for (const [document, fits] of found) {
    const { member } = document;
    const isHost = (one: string): boolean => fits.some(({ use }) => hosts.isNamed(use, one));
    const seen = servers.of(document);
    const providers = seen.length === 0 && isHost(member) ? [member] : seen;
    const isNamed = [member, ...providers].some(isHost) || fits.some(({ use }) => isOfServer(use, document));
    const telling = fits.reduce((sum, { use }) => sum + weightOfUse(use), 0);
    if (!isNamed && telling < enough) continue;
    yield {
      ...{ from, contract: { uid: member, path: document.contract.path }, service: '', role: 'consumer' },
      ...{ tier: 'heuristic', confidence: isNamed || servers.isServed(document) ? 0.6 : 0.5 },
      ...{ providers, evidence: evidenceOfFits(fits) },
    };
  }
}

/** Whether a repository would be asking itself: it alone serves what the document says, or has it and nobody else serves it. */
function isOwn(from: string, document: ApiDocument, servers: DocumentServers): boolean {
  const providers = servers.of(document);
  return providers.length === 0 ? document.member === from : providers.every(one => one === from);
}

/** Whether a call names one of the document's servers, with its port or without. */
function isOfServer({ host = '' }: PlacedUse, { outline }: ApiDocument): boolean {
  const asked = host.toLowerCase();
  return outline.hosts.some(one => one === asked || withoutPort(one) === withoutPort(asked));
}

/** A domain that is none of the document's, where that says its own. */
function isElsewhere(call: PlacedUse, document: ApiDocument): boolean {
  const { host = '' } = call;
  return /\.[a-z]{2,}(?::\d{1,5})?$/i.test(host) && document.outline.hosts.length > 0 && !isOfServer(call, document);
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}

/** By what a path must end in, or be: the services with an RPC of that name or route. */
type MethodsByName = ReadonlyMap<string, ReadonlySet<string>>;

function methodsByName(catalogue: ServiceCatalogue): MethodsByName {
  const found = new Map<string, Set<string>>();
  const add = (key: string, fullName: string): void => {
    found.set(key, (found.get(key) ?? new Set()).add(fullName));
  };
  for (const { fullName, name, routes } of methodsIn(catalogue)) {
    add(name.toLowerCase(), fullName);
    for (const route of routes) add(templateOf(route).path, fullName);
  }
  return found;
}

function* methodsIn(catalogue: ServiceCatalogue): Iterable<ProtoMethod & { readonly fullName: string }> {
  for (const fullName of catalogue.all()) {
    for (const { outline } of catalogue.declaring(fullName)) {
      const service = outline.services.find(({ name }) => qualified(outline.package, name) === fullName);
      for (const method of service?.methods ?? []) yield { ...method, fullName };
    }
  }
}

/** Of `GET /v1/{name=carts/*}`: its method, '' for any, and the path as others are held against it. */
function templateOf(route: string): { readonly method: string; readonly path: string } {
  const space = route.indexOf(' ');
  const path = route
    .slice(space + 1)
    .replace(/\{[^{}=]{0,200}=([^{}]{0,200})\}/g, (_, inner: string) => inner)
    .replace(/\*{1,2}/g, '{}');
  const method = route.slice(0, space);
  return { method: method === '*' ? '' : method, path: normalisedPath(path) };
}

/** By path: services with an RPC that is called there as HTTP. */
type RpcsByPath = ReadonlyMap<string, readonly { readonly method: string; readonly fullName: string }[]>;

function rpcsByPath(catalogue: ServiceCatalogue): RpcsByPath {
  const found = new Map<string, { method: string; fullName: string }[]>();
  for (const { fullName, routes } of methodsIn(catalogue)) {
    for (const route of routes) {
      const { method, path } = templateOf(route);
      const known = found.get(path) ?? [];
      if (!known.some(one => one.method === method && one.fullName === fullName)) known.push({ method, fullName });
      found.set(path, known);
    }
  }
  return found;
}

/** A route that an RPC says that it has is as good as one of a document: a gateway serves it that nobody writes. */
function* toRpcs(
  from: string,
  calls: readonly PlacedUse[],
  rpcs: RpcsByPath,
  hosts: Hosts,
  { homes, serving }: RouteSources,
): Iterable<FoundEdge> {
  const found = new Map<string, Set<PlacedUse>>();
  for (const call of calls) {
    for (const { method, fullName } of rpcs.get(pathOf(call)) ?? []) {
      if (!isSameMethod(call.method ?? '', method)) continue;
      found.set(fullName, (found.get(fullName) ?? new Set()).add(call));
    }
  }
  for (const [fullName, all] of found) {
    const implementing = homes.providersOf(fullName);
    // Who implements it alone calls itself.
    if (implementing.length === 1 && implementing[0] === from) continue;
    for (const { service, providers } of homes.homesFor(from, fullName)) {
      const behind = [...new Set([service.member, ...providers])];
      const meant = [...all].filter(call => behind.some(one => hosts.mayBe(call, one)));
      const isNamed = meant.some(call => behind.some(one => hosts.isNamed(call, one)));
      const telling = meant.reduce((sum, call) => sum + weightOfUse(call), 0);
      if (meant.length === 0 || (!isNamed && telling < enough)) continue;
      const isServed = meant.some(({ method = '', path }) =>
        behind.some(one => isServedBy(one, method, path!, serving)),
      );
      yield {
        ...{ from, contract: { uid: service.member, path: service.contract.path }, service: fullName },
        ...{ role: 'consumer', tier: 'heuristic', confidence: isNamed || isServed ? 0.6 : 0.5, providers },
        ...{ evidence: meant.map(evidenceOf), by: 'routes' },
      };
    }
  }
}

/** A route is called as an RPC is, and another repository serves it. */
function* toServices(
  from: string,
  calls: readonly PlacedUse[],
  methods: MethodsByName,
  hosts: Hosts,
  { members, serving, homes }: RouteSources,
): Iterable<FoundEdge> {
  for (const call of calls) {
    const path = pathOf(call);
    const names = new Set([...(methods.get(path) ?? []), ...(methods.get(lastWord(path)) ?? [])]);
    if (names.size === 0) continue;
    const serves = members.filter(
      ({ uid }) => uid !== from && hosts.mayBe(call, uid) && isServedBy(uid, call.method ?? '', path, serving),
    );
    for (const fullName of serves.length === 0 ? [] : names) {
      const providers = serves.map(({ uid }) => uid);
      for (const { service } of homes.homesFor(from, fullName)) {
        yield {
          ...{ from, contract: { uid: service.member, path: service.contract.path }, service: fullName },
          ...{ role: 'consumer', tier: 'heuristic', confidence: 0.4, providers, evidence: [evidenceOf(call)] },
          by: 'routes',
        };
      }
    }
  }
}

/** `getquote` of `/shipping/get-quote`. */
function lastWord(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '{}');
  return (segments.at(-1) ?? '').replace(/[^a-z0-9]/g, '');
}

/** Which repository a host may stand for: mostly a service is reached by the name of its repository. */
interface Hosts {
  isNamed(call: PlacedUse, member: string): boolean;
  /** Not where the host is another repository's name. The name itself goes before names that are alike. */
  mayBe(call: PlacedUse, member: string): boolean;
}

function hostsOf(members: readonly LinkedMember[]): Hosts {
  const exact = new Map<string, string[]>();
  const alike = new Map<string, string[]>();
  for (const { uid, name } of members) {
    const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
    exact.set(last, [...(exact.get(last) ?? []), uid]);
    alike.set(bareName(last), [...(alike.get(bareName(last)) ?? []), uid]);
  }
  const meant = ({ host = '' }: PlacedUse): readonly string[] => {
    const name = host.replace(/[.:].*$/s, '').toLowerCase();
    return exact.get(name) ?? alike.get(bareName(name)) ?? [];
  };
  return {
    isNamed: (call, member) => meant(call).includes(member),
    mayBe: (call, member) => {
      const named = meant(call);
      return named.length === 0 || named.includes(member);
    },
  };
}
