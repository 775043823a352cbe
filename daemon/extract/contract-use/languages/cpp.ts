import { protoOfName } from '../generated-names.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { cppRoutes } from '../routes/cpp.ts';
import { cLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';

/** gRPC of C++. In C nothing is generated for gRPC but messages. */
export const cppReader: Reader = {
  lexis: cLexis,
  marks: literals([
    '.pb.h',
    '.pbrpc.h',
    'grpc',
    'NewStub',
    'CURLOPT_URL',
    'cpr::',
    'httplib',
    'cpprest',
    'crow::',
    'CROW_ROUTE',
  ]),
  detectors: [includesOfStubs, clients, servers, methodPaths, cppRoutes],
};

export function* includes(source: Source): Iterable<Found> {
  for (const match of inCode(source, /#\s{0,10}(?:include|import)\s{0,10}["<]([^">\n]{1,300})[">]/g)) {
    const path = match[1]!;
    const file = /\.(?:pb|pbrpc|pbobjc)\.h$/.test(path) ? protoOf(path) : undefined;
    if (file === undefined || /^google\/protobuf\//.test(path)) continue;
    yield { kind: 'stub-import', at: match.index, file, from: path };
  }
}

/** Of C++, with the service that the file uses and that an include is of by its name, or as the only one. */
function* includesOfStubs(source: Source): Iterable<Found> {
  const all = [...includes(source)];
  const stubs = all.filter(({ from }) => from?.endsWith('.grpc.pb.h'));
  const used = new Map<string, Found>();
  for (const one of clients(source)) if (!used.has(one.service!)) used.set(one.service!, one);
  for (const one of all) {
    const isStub = stubs.includes(one);
    const of = isStub ? [...used.values()].filter(({ service }) => isNamedAs(service!, one.file!)) : [];
    const meant = of.length === 0 && isStub && stubs.length === 1 && used.size === 1 ? [...used.values()] : of;
    if (meant.length === 0) yield one;
    for (const { kind: _, at: __, ...named } of meant) yield { ...one, ...named, from: named.from ?? one.from! };
  }
}

/** `CartService`, or `Cart`, of `shop/cart.proto`, also of `cart_service.proto`. */
function isNamedAs(service: string, file: string): boolean {
  const plain = (name: string): string =>
    name
      .replaceAll(/[_-]/g, '')
      .toLowerCase()
      .replace(/service$/, '');
  return plain(service) === plain(file.slice(file.lastIndexOf('/') + 1).replace(/\.proto$/, ''));
}

/** With its folder: includes name it from a root, as imports of `.proto` files do. */
function protoOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const file =
    protoOfName(path.slice(slash)) ?? protoOfName(path.slice(slash).replace(/\.(?:pbrpc|pbobjc)\.h$/, '.pb.h'));
  return file === undefined ? undefined : path.slice(0, slash) + file;
}

interface Scope {
  readonly names: ReadonlyMap<string, string>;
  readonly open: readonly string[];
}

const scopeOf = perSource(foundScopeOf);

function foundScopeOf(source: Source): Scope {
  const names = new Map<string, string>();
  const open = new Set<string>();
  for (const match of inCode(
    source,
    /\busing\s{1,10}(namespace\s{1,10})?(?:(\w{1,150})\s{0,10}=\s{0,10})?([\w:]{1,300})\s{0,5};/g,
  )) {
    const [, isNamespace, alias, path] = match;
    if (isNamespace !== undefined) open.add(dotted(path!));
    else if (path!.includes('::')) names.set(alias ?? path!.slice(path!.lastIndexOf(':') + 1), dotted(path!));
  }
  for (const match of inCode(source, /\bnamespace\s{1,10}(\w{1,150})\s{0,10}=\s{0,10}([\w:]{1,300})\s{0,5};/g))
    names.set(match[1]!, dotted(match[2]!));
  for (const match of inCode(source, /\bnamespace\s{1,10}([\w:]{1,300})\s{0,10}\{/g)) open.add(dotted(match[1]!));
  open.delete('std');
  return { names, open: [...open].slice(0, 50) };
}

function dotted(path: string): string {
  return path.replace(/^::/, '').replaceAll('::', '.');
}

/** The service by its last name, with the namespace that is written before it, or that `using` gives it. */
function serviceAt(scope: Scope, chain: string): Pick<Found, 'service' | 'from' | 'among'> | undefined {
  const [first = '', ...rest] = dotted(chain.replace(/(?:::|\.)$/, '')).split('.');
  if (first === '') return undefined;
  const path = [scope.names.get(first) ?? first, ...rest].join('.');
  const service = path.slice(path.lastIndexOf('.') + 1);
  if (!/^[A-Za-z]\w{0,150}$/.test(service)) return undefined;
  const from = path.slice(0, Math.max(0, path.length - service.length - 1));
  if (from !== '') return { service, from };
  if (scope.open.length === 1) return { service, from: scope.open[0]! };
  return scope.open.length === 0 ? { service } : { service, among: scope.open };
}

/** `CartService::NewStub(channel)`; a type `CartService::Stub` is a mention. */
function* clients(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(source, /::(?:experimental_)?NewStub\s{0,5}\(|::Stub(?:Interface)?\b/g)) {
    const named = serviceAt(scope, chainBefore(source.code, match.index));
    if (named === undefined || /^(?:grpc|std)$/.test(named.service ?? '')) continue;
    yield { kind: match[0].includes('NewStub') ? 'client' : 'stub-import', at: match.index, ...named };
  }
}

function* servers(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const isGrpc = /grpc/.test(source.readable);
  for (const match of inCode(
    source,
    /::((?:Async|Callback|Experimental\w{0,20}|StreamedUnary\w{0,20})?Service|With(?:Async|Callback|Raw|Generic|Streamed)\w{1,150})\b/g,
  )) {
    const chain = chainBefore(source.code, match.index);
    const before = source.code.slice(Math.max(0, match.index - chain.length - 60), match.index - chain.length);
    const isBase = /(?:[:,<]\s{0,10}(?:(?:public|virtual|final)\s{1,10}){0,2})(?:::)?$/.test(before);
    const isField = match[1] !== 'Service' && !match[1]!.startsWith('With');
    const named = serviceAt(scope, chain);
    if (!isGrpc || named === undefined || (!isBase && !isField) || /^(?:grpc|impl|internal)$/.test(named.service!))
      continue;
    if (/^grpc(?:\.impl|$)/.test(named.from ?? '')) continue;
    yield { kind: 'server', at: match.index, ...named };
  }
}
