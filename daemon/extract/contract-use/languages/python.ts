import { protoOfName } from '../generated-names.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { pythonRoutes } from '../routes/python.ts';
import { pythonLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { argumentsAt, chainBefore, closingOf, type Found, inCode, type Source } from '../text/source.ts';

/** grpcio, grpclib, betterproto, and OpenAPI clients. */
export const pythonReader: Reader = {
  lexis: pythonLexis,
  marks: literals([
    '_pb2',
    'grpc',
    'betterproto',
    'Stub(',
    'protoc',
    'requests',
    'httpx',
    'aiohttp',
    'urllib',
    'urlopen',
    'flask',
    'Flask',
    'fastapi',
    'FastAPI',
    'APIRouter',
    'urlpatterns',
    'routers',
    '.route(',
    '@app.',
    '@router.',
    '@bp.',
    '@blueprint.',
    '@api.',
    'tornado',
    'sanic',
    'bottle',
    'starlette',
    'falcon',
    'litestar',
    '_client',
    'session.',
  ]),
  detectors: [imports, clients, servers, loads, methodPaths, generators, openApiClients, pythonRoutes],
};

interface Import {
  /** As the file calls it. */
  readonly name: string;
  readonly module: string;
  /** Of what is taken from the module; '' for itself. */
  readonly member: string;
  readonly at: number;
}

export function* importsIn(source: Source): Iterable<Import> {
  for (const match of inCode(source, /^[ \t]{0,100}import[ \t]{1,20}([^\n;(]{1,1000})/gm)) {
    for (const one of match[1]!.split(',')) {
      const [, module, alias] = /^\s*([\w.]{1,300})(?:\s+as\s+(\w{1,200}))?\s*$/.exec(one) ?? [];
      if (module !== undefined)
        yield { name: alias ?? module, module, member: '', at: match.index + match[0].search(/\S/) };
    }
  }
  for (const match of inCode(
    source,
    /^[ \t]{0,100}from[ \t]{1,20}([\w.]{1,300})[ \t]{1,20}import[ \t]{0,20}(?:\(([^()]{1,4000})\)?|([^\n;]{1,1000}))/gm,
  )) {
    const [whole, from, listed, inLine] = match;
    const names = (listed ?? inLine ?? '').replaceAll('\\', ' ');
    for (const one of names.split(',')) {
      const [, member, alias] = /^\s*(\w{1,200})(?:\s+as\s+(\w{1,200}))?\s*$/.exec(one) ?? [];
      if (member !== undefined)
        yield { name: alias ?? member, module: from!, member, at: match.index + whole.search(/\S/) };
    }
  }
}

/** Modules by the names that they have in the file. */
interface Scope {
  readonly modules: ReadonlyMap<string, string>;
  /** Names taken from modules: the module. */
  readonly members: ReadonlyMap<string, Import>;
  readonly isGrpc: boolean;
}

const scopeOf = perSource(foundScopeOf);

function foundScopeOf(source: Source): Scope {
  const modules = new Map<string, string>();
  const members = new Map<string, Import>();
  let isGrpc = false;
  for (const one of importsIn(source)) {
    if (/^(?:grpc|grpclib|betterproto\w*|grpc_\w+|purerpc)(?:\.|$)/.test(one.module)) isGrpc = true;
    if (one.member !== '') members.set(one.name, one);
    modules.set(one.name, one.member === '' ? one.module : joined(one.module, one.member));
  }
  return { modules, members, isGrpc };
}

function joined(module: string, member: string): string {
  return module.endsWith('.') ? module + member : `${module}.${member}`;
}

function* imports(source: Source): Iterable<Found> {
  for (const { module, member, at } of importsIn(source)) {
    const full = member === '' ? module : joined(module, member);
    const generated = [full, module].find(
      one => /_(?:pb2|pb2_grpc|grpc)$/.test(one) && !/^google\.protobuf\b/.test(one),
    );
    if (generated === undefined) continue;
    const file = protoOfModule(generated);
    const [, service] =
      generated === module ? (/^([A-Z]\w{0,150})(?:Stub|Servicer|AsyncStub|Base)$/.exec(member) ?? []) : [];
    yield {
      kind: 'stub-import',
      at,
      from: generated,
      ...(file === undefined ? {} : { file }),
      ...(service === undefined ? {} : { service }),
    };
  }
}

/** `shop.v1.cart_pb2_grpc` → `cart.proto`, also for `cart_grpc` of grpclib. */
function protoOfModule(module: string): string | undefined {
  const name = module.slice(module.lastIndexOf('.') + 1);
  const [, ofGrpclib] = /^(\w{1,200})_grpc$/.exec(name) ?? [];
  return protoOfName(name) ?? (ofGrpclib === undefined ? undefined : `${ofGrpclib}.proto`);
}

/** `cart_pb2_grpc.CartServiceStub(channel)`; of names without a module, those that something generated gives, or in a file of gRPC. */
function* clients(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150}?)(?:Async)?Stub\s{0,5}\(/g)) {
    const [whole, service] = match;
    const place = placeOf(source, scope, match.index, whole.replace(/\s{0,5}\($/, ''));
    if (place === undefined || argumentsAt(source, match.index + whole.length - 1).length === 0) continue;
    yield { kind: 'client', at: match.index, service: service!, ...place };
  }
  yield* mentions(source, scope);
}

/** Where a class of generated code is from; undefined where nothing tells that it is one. */
function placeOf(source: Source, scope: Scope, at: number, name: string): Pick<Found, 'from' | 'file'> | undefined {
  const chain = chainBefore(source.code, at);
  const before = source.code.slice(Math.max(0, at - chain.length - 40), at - chain.length);
  if (/\b(?:class|def)\s{1,10}$/.test(before)) return undefined;
  const alias = chain.replace(/\.$/, '');
  if (alias === '' && source.code.includes(`class ${name}`)) return undefined;
  const module = alias === '' ? scope.members.get(name)?.module : (scope.modules.get(alias) ?? alias);
  if (module === undefined) return alias === '' && !scope.isGrpc ? undefined : {};
  const file = protoOfModule(module);
  if (file === undefined && !scope.isGrpc && !/_pb2|grpc|proto/.test(module)) return undefined;
  return { from: module, ...(file === undefined ? {} : { file }) };
}

/** Annotations: `stub: cart_pb2_grpc.CartServiceStub`. */
function* mentions(source: Source, scope: Scope): Iterable<Found> {
  for (const match of inCode(source, /(?<=\.)([A-Z]\w{0,150}?)(?:Async)?Stub\b(?!\s{0,5}\()/g)) {
    const place = placeOf(source, scope, match.index, match[0]);
    if (place?.file !== undefined) yield { kind: 'stub-import', at: match.index, service: match[1]!, ...place };
  }
}

function* servers(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(source, /(?<!\w)add_([A-Z]\w{0,150})Servicer_to_server\s{0,5}\(/g)) {
    const place = placeOf(source, scope, match.index, match[0].replace(/\s{0,5}\($/, ''));
    if (place !== undefined) yield { kind: 'server', at: match.index, service: match[1]!, ...place };
  }
  for (const match of inCode(source, /\bclass\s{1,10}\w{1,150}\s{0,5}\(([^()]{1,600})\)/g)) {
    for (const base of match[1]!.matchAll(/(?<!\w)([A-Z]\w{0,150}?)(Servicer|Base)(?=\s{0,20}(?:,|$))/g)) {
      const at = match.index + match[0].indexOf('(') + 1 + base.index;
      const place = placeOf(source, scope, at, base[0]);
      // `Base` is the ending of much else: grpclib's and betterproto's come from modules that are known as theirs.
      if (place === undefined || (base[2] === 'Base' && !isOfGrpclib(source, place))) continue;
      yield { kind: 'server', at, service: base[1]!, ...place };
    }
  }
}

function isOfGrpclib(source: Source, place: Pick<Found, 'from'>): boolean {
  return (
    place.from !== undefined && (place.from.endsWith('_grpc') || /\b(?:grpclib|betterproto\w{0,3})\b/.test(source.code))
  );
}

/** `grpc.protos_and_services('cart.proto')`. */
function* loads(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /\bgrpc\.(?:protos_and_services|protos|services)\(\s{0,20}["']([^"'\n]{1,300}\.proto)["']/g,
  )) {
    yield { kind: 'load', at: match.index, file: match[1]! };
  }
}

/** `protoc.main(['', '-I../protos', 'cart.proto'])` of grpcio-tools, and commands that are run. */
function* generators(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /\bprotoc\.main\s{0,3}\(|\b(?:run|call|check_call|check_output|system|Popen)\s{0,3}\(/g,
  )) {
    const to = closingOf(source, match.index + match[0].length - 1);
    const text = source.readable.slice(match.index, to);
    if (!/\bprotoc\b/.test(text)) continue;
    for (const one of text.matchAll(/["'\s]([\w./*-]{1,300}\.proto)\b/g))
      yield { kind: 'generator', at: match.index + one.index + 1, file: one[1]! };
  }
}

/** Of openapi-generator: `openapi_client.DefaultApi(api_client)`. */
function* openApiClients(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150}Api)\s{0,5}\(/g)) {
    const alias = chainBefore(source.code, match.index).replace(/\.$/, '');
    const module = alias === '' ? scope.members.get(match[1]!)?.module : scope.modules.get(alias);
    const [first] = argumentsAt(source, match.index + match[0].length - 1);
    const given = first === undefined ? '' : source.code.slice(first.from, first.to);
    if (
      module === undefined ||
      !(/client|_api$|\bapi\b|openapi|swagger/i.test(module) || /api_?client|configuration/i.test(given))
    )
      continue;
    if (!/api_?client|\bclient\b|configuration|conf/i.test(given) && !/openapi_client|swagger_client/.test(module))
      continue;
    yield { kind: 'openapi-client', at: match.index, from: module, service: match[1]! };
  }
}
