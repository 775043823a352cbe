import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { phpRoutes } from '../routes/php.ts';
import { isTechnology } from '../service-names.ts';
import { phpLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { type ImportedType, splitPath, typeImports, versionMarks } from './type-imports.ts';

/** gRPC of PHP, RoadRunner's and Spiral's servers. */
export const phpReader: Reader = {
  lexis: phpLexis,
  marks: literals([
    'grpc',
    'Grpc',
    'GRPC',
    'ChannelCredentials',
    'Client(',
    'ServiceClient',
    'Route::',
    '#[Route',
    '#[Get',
    '#[Post',
    '#[Put',
    '#[Delete',
    'Slim\\',
    'Guzzle',
    'Http::',
    'curl_',
    '->request(',
    "->get('",
    '->get("',
    "->post('",
    '->post("',
    "->put('",
    '->put("',
    "->patch('",
    '->patch("',
    "->delete('",
    '->delete("',
    'mergeFrom',
    'serializeTo',
    ...versionMarks('\\V', '\\'),
  ]),
  detectors: [clients, servers, messageTypes, methodPaths, phpRoutes],
};

interface Imported {
  readonly path: string;
  readonly at: number;
}

/** Classes by the names that they have in the file. */
const importsIn = perSource(foundImportsIn);

function foundImportsIn(source: Source): ReadonlyMap<string, Imported> {
  const found = new Map<string, Imported>();
  for (const match of inCode(
    source,
    /(?<![\w$\\])use\s{1,10}\\?([\w\\]{1,300}?)(?:\\\{([^{}]{1,2000})\})?(?:\s{1,10}as\s{1,10}(\w{1,150}))?\s{0,5};/g,
  )) {
    const [, path, several, alias] = match;
    if (several === undefined) found.set(alias ?? path!.replace(/^.*\\/, ''), { path: path!, at: match.index });
    for (const one of several?.split(',') ?? []) {
      const [, name, renamed] = /^\s*([\w\\]{1,200})(?:\s+as\s+(\w{1,150}))?\s*$/.exec(one) ?? [];
      if (name !== undefined)
        found.set(renamed ?? name.replace(/^.*\\/, ''), { path: `${path!}\\${name}`, at: match.index });
    }
    if (found.size > 2_000) break;
  }
  return found;
}

/**
 * `new \Shop\V1\CartServiceClient($host, ['credentials' => …])`: clients of HTTP are called so too, so it counts only with
 * credentials of a channel, in a file that speaks of gRPC, of a namespace that does, or if it is made as those of gRPC are.
 */
function* clients(source: Source): Iterable<Found> {
  const imports = importsIn(source);
  const isGrpc = /ChannelCredentials|\bGrpc\\|\bgrpc\b/.test(source.readable);
  for (const match of inCode(
    source,
    /(?<![\w$])new\s{1,10}(\\?(?:\w{1,100}\\){0,12})([A-Z]\w{0,150})Client\s{0,5}\(/g,
  )) {
    const [whole, chain, service] = match;
    const path = chain === '' ? imports.get(`${service!}Client`)?.path : resolved(chain!, imports);
    const given = argumentsAt(source, match.index + whole.length - 1);
    const isNamed = path !== undefined && /(?:^|\\)(?:\w*Grpc\w*|Proto\w*|Protobuf|Generated|Pb)(?:\\|$)/.test(path);
    if (given.length === 0 || isTechnology(service!) || !(isGrpc || isNamed || isAlike(source, path, given))) continue;
    if (path !== undefined && ofOthers.test(path)) continue;
    const from = path === undefined ? '' : dotted(path.replace(/\\?\w{1,200}$/, ''));
    yield { kind: 'client', at: match.index, service: service!, ...(from === '' ? {} : { from }) };
  }
  // Calls of stubs are waited for, or read from, before they give anything.
  const isCalled = /->(?:wait|responses|readAll)\(/.test(source.code);
  for (const { path, at } of imports.values()) {
    const [, from, service, ending] = /^(.{1,300})\\([A-Z]\w{0,150})(Client|Interface)$/.exec(path) ?? [];
    if (service === undefined || ofOthers.test(path)) continue;
    const isNamed = /(?:^|\\)(?:\w*Grpc\w*|Proto\w*|V\d\w*|Generated|Pb)(?:\\|$)/.test(from!);
    const isStub = isCalled && ending === 'Client' && service.endsWith('Service');
    if (!isStub && !(isGrpc && isNamed)) continue;
    yield { kind: 'stub-import', at, service, from: dotted(from!) };
  }
}

/** Namespaces of libraries whose clients speak something else. */
const ofOthers =
  /^\\?(?:GuzzleHttp|Symfony|Psr|Http|Aws|Grpc|Illuminate|Elastic|Elasticsearch|OpenSearch|Stripe|Twilio|Predis|MongoDB|Nyholm|Laminas|Buzz|Algolia|Meilisearch|Sentry|Spiral)\\/;

/**
 * A place and an array of options, in a namespace such as a `.proto` file's package gives; addresses and settings of HTTP are none. A
 * place that is read from somewhere, `getenv('CRM')`, has no look of its own: an address of HTTP by its name is one, unless the
 * namespace has a version.
 */
function isAlike(
  source: Source,
  path: string | undefined,
  given: readonly { readonly from: number; readonly to: number }[],
): boolean {
  const namespace = path === undefined ? '' : path.replace(/^\\/, '').replace(/\\?\w{1,200}$/, '');
  const [host, options] = given.map(({ from, to }) =>
    source.readable
      .slice(from, Math.min(to, from + 1_000))
      .trim()
      .replace(/^(?:hostname|opts)\s{0,5}:(?!:)\s{0,5}/, ''),
  );
  if (!/\\|^V\d/.test(namespace) || given.length !== 2 || host === undefined || options === undefined) return false;
  const isRead = read.test(host) && (/(?:^|\\)V\d/.test(namespace) || !/ur[il]|http|key|token|secret/i.test(host));
  const isHost = (/^(?:\$\w|["'])/.test(host) || isRead) && !/["']https?:/.test(host);
  const isOptions = /^(?:\[|array\s{0,5}\()/.test(options);
  return (
    isHost && isOptions && !/base_ur[il]|["'](?:headers|timeout|auth|verify|handler|http_errors)["']/.test(options)
  );
}

/** Calls, constants and what classes have, also as text; what is made there is none. */
const read =
  /^\(?(?:\(?string\)\s{0,5})?(?!(?:new|fn|function|clone|array|list|null|true|false|match|throw)\b)\\?[A-Za-z_]\w/i;

function resolved(chain: string, imports: ReadonlyMap<string, Imported>): string {
  const [first = '', ...rest] = chain.replace(/^\\/, '').split('\\');
  return `${[chain.startsWith('\\') ? first : (imports.get(first)?.path ?? first), ...rest].join('\\')}Client`;
}

function dotted(path: string): string {
  return path.replace(/^\\|\\$/g, '').replaceAll('\\', '.');
}

/** `class CartService implements CartServiceInterface`, `registerService(CartServiceInterface::class, …)`. */
function* servers(source: Source): Iterable<Found> {
  // Of the methods of services the first parameter is the call's context.
  const isServer = /\bContextInterface\s{1,5}\$|->registerService\(/.test(source.code);
  const imports = importsIn(source);
  const pattern =
    /(?:\bclass\s{1,10}\w{1,150}(?:\s{1,20}extends\s{1,10}[\w\\]{1,200})?\s{1,20}implements\s{1,10}(?:[\w\\]{1,200}\s{0,5},\s{0,10}){0,5}|->registerService\(\s{0,20})(\\?(?:\w{1,100}\\){0,12})([A-Z]\w{0,150})Interface\b/g;
  for (const match of inCode(source, pattern)) {
    const [, chain, service] = match;
    const path = chain === '' ? (imports.get(`${service!}Interface`)?.path ?? '') : `${chain!}${service!}Interface`;
    if (/(?:Client|Context|Exception|Interceptor|Invoker|Factory)$/.test(service!)) continue;
    // Clients that Spiral generates have the service's interface, too.
    if (/^class\s{1,10}\w{0,150}Client\b/.test(match[0])) continue;
    if (/^\\?(?:Spiral\\RoadRunner|Psr|Symfony|Google\\Protobuf)\\/.test(path)) continue;
    const namespace = path.replace(/^\\/, '').replace(/\\?\w{1,200}$/, '');
    if (!isServer && !isBesideMessages(source, service!, namespace)) continue;
    const from = dotted(namespace);
    yield { kind: 'server', at: match.index, service: service!, ...(from === '' ? {} : { from }) };
  }
}

/**
 * Whether an interface is one that is generated with a service, in a file that has none of the methods: it is of a namespace with a
 * version, which isn't the file's own, as is a request or an answer that the file imports.
 */
function isBesideMessages(source: Source, service: string, namespace: string): boolean {
  if (!service.endsWith('Service') || !/\\V\d\w{0,10}$/.test(namespace)) return false;
  const [, own] = /\bnamespace\s{1,10}([\w\\]{1,300})\s{0,5}[;{]/.exec(source.code.slice(0, 20_000)) ?? [];
  if (own?.split('\\')[0] === namespace.split('\\')[0]) return false;
  return [...importsIn(source).values()].some(
    ({ path }) => path.startsWith(`${namespace}\\`) && /(?:Request|Response|Reply)$/.test(path),
  );
}

/** `use Acme\\Events\\V1\\OrderPlaced;`, and `\\Acme\\Events\\V1\\OrderPlaced` in full. */
function messageTypes(source: Source): readonly Found[] {
  const speaks = /->(?:mergeFrom|serializeTo)(?:Json)?String\(|\bGoogle\\Protobuf\\/.test(source.code);
  return typeImports(source, typesIn(source), speaks);
}

function* typesIn(source: Source): Iterable<ImportedType> {
  for (const { path, at } of importsIn(source).values()) {
    if (!ofOthers.test(path) && !/(?:Client|Interface)$/.test(path)) yield { at, ...splitPath(dotted(path)) };
  }
  for (const match of inCode(
    source,
    /(?<![\w$\\])\\((?:[A-Z]\w{0,100}\\){1,10}V\d\w{0,10}(?:\\[A-Z]\w{0,150}){1,4})\b/g,
  )) {
    if (!/(?:Client|Interface)$/.test(match[1]!)) yield { at: match.index, ...splitPath(dotted(match[1]!)) };
  }
}
