import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { phpRoutes } from '../routes/php.ts';
import { isTechnology } from '../service-names.ts';
import { phpLexis } from '../text/lexis.ts';
import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';

/** gRPC of PHP, RoadRunner's and Spiral's servers. */
export const phpReader: Reader = {
  lexis: phpLexis,
  marks:
    /[gG][rR][pP][cC]|ChannelCredentials|Route::|#\[Route|#\[(?:Get|Post|Put|Delete)|Guzzle|Http::|curl_setopt|->(?:get|post|put|patch|delete|request)\(\s{0,5}['"]|createClient|OpenAPI/,
  detectors: [clients, servers, methodPaths, phpRoutes],
};

/** Classes by the names that they have in the file. */
function importsIn(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of inCode(
    source,
    /(?<![\w$\\])use\s{1,10}\\?([\w\\]{1,300}?)(?:\\\{([^{}]{1,2000})\})?(?:\s{1,10}as\s{1,10}(\w{1,150}))?\s{0,5};/g,
  )) {
    const [, path, several, alias] = match;
    if (several === undefined) found.set(alias ?? path!.replace(/^.*\\/, ''), path!);
    for (const one of several?.split(',') ?? []) {
      const [, name, renamed] = /^\s*([\w\\]{1,200})(?:\s+as\s+(\w{1,150}))?\s*$/.exec(one) ?? [];
      if (name !== undefined) found.set(renamed ?? name.replace(/^.*\\/, ''), `${path!}\\${name}`);
    }
    if (found.size > 2_000) break;
  }
  return found;
}

/**
 * `new \Shop\V1\CartServiceClient($host, ['credentials' => …])`: clients of HTTP are called so too, so it counts only with
 * credentials of a channel, in a file that speaks of gRPC, or of a namespace that does.
 */
function* clients(source: Source): Iterable<Found> {
  const imports = importsIn(source);
  const isGrpc = /ChannelCredentials|\bGrpc\\|\bgrpc\b/.test(source.readable);
  for (const match of inCode(
    source,
    /(?<![\w$])new\s{1,10}(\\?(?:\w{1,100}\\){0,12})([A-Z]\w{0,150})Client\s{0,5}\(/g,
  )) {
    const [whole, chain, service] = match;
    const path = chain === '' ? imports.get(`${service!}Client`) : resolved(chain!, imports);
    const given = argumentsAt(source.code, match.index + whole.length - 1);
    const isNamed = path !== undefined && /(?:^|\\)(?:\w*Grpc\w*|Proto\w*|Protobuf|Generated|Pb)(?:\\|$)/.test(path);
    if (given.length === 0 || isTechnology(service!) || !(isGrpc || isNamed)) continue;
    if (path !== undefined && /^(?:GuzzleHttp|Symfony|Psr|Http|Aws|Grpc)\\/.test(path)) continue;
    const from = path === undefined ? '' : dotted(path.replace(/\\?\w{1,200}$/, ''));
    yield { kind: 'client', at: match.index, service: service!, ...(from === '' ? {} : { from }) };
  }
  for (const path of imports.values()) {
    const [, from, service] = /^(.{1,300})\\([A-Z]\w{0,150})(?:Client|Interface)$/.exec(path) ?? [];
    if (service === undefined || !isGrpc || !/(?:^|\\)(?:\w*Grpc\w*|Proto\w*|V\d\w*|Generated|Pb)(?:\\|$)/.test(from!))
      continue;
    const at = source.code.search(/(?<![\w$\\])use\s/);
    yield { kind: 'stub-import', at: Math.max(at, source.code.indexOf(path)), service, from: dotted(from!) };
  }
}

function resolved(chain: string, imports: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = chain.replace(/^\\/, '').split('\\');
  return `${[chain.startsWith('\\') ? first : (imports.get(first) ?? first), ...rest].join('\\')}Client`;
}

function dotted(path: string): string {
  return path.replace(/^\\|\\$/g, '').replaceAll('\\', '.');
}

/** `class CartService implements CartServiceInterface`, `registerService(CartServiceInterface::class, …)`. */
function* servers(source: Source): Iterable<Found> {
  if (!/RoadRunner|GRPC|Grpc|grpc/.test(source.text)) return;
  const imports = importsIn(source);
  const pattern =
    /(?:\bclass\s{1,10}\w{1,150}(?:\s{1,20}extends\s{1,10}[\w\\]{1,200})?\s{1,20}implements\s{1,10}(?:[\w\\]{1,200}\s{0,5},\s{0,10}){0,5}|->registerService\(\s{0,20})(\\?(?:\w{1,100}\\){0,12})([A-Z]\w{0,150})Interface\b/g;
  for (const match of inCode(source, pattern)) {
    const [, chain, service] = match;
    const path = chain === '' ? (imports.get(`${service!}Interface`) ?? '') : `${chain!}${service!}Interface`;
    if (/^\\?(?:Spiral\\RoadRunner|Psr|Symfony|Google\\Protobuf)\\/.test(path)) continue;
    const from = dotted(path.replace(/\\?\w{1,200}$/, ''));
    yield { kind: 'server', at: match.index, service: service!, ...(from === '' ? {} : { from }) };
  }
}
