import { generatorCommands } from '../builds/commands.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { goRoutes } from '../routes/go.ts';
import { isTechnology, serviceOf } from '../service-names.ts';
import { goLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { argumentsAt, chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { importsIn, isGenerated, isVersioned, type Packages, packagesOf, placeOfOpen } from './go-packages.ts';

/** gRPC of Go, connect-go and Twirp. */
export const goReader: Reader = {
  lexis: goLexis,
  marks: literals([
    'grpc',
    'connect"',
    'twirp',
    'pb"',
    'pb "',
    '/gen/',
    'genproto',
    'Client(',
    'Server(',
    'ServiceClient',
    'ServiceServer',
    'ServiceHandler',
    'Client,',
    'Client)',
    'Server,',
    'Server)',
    'Unimplemented',
    'net/http',
    'gin-gonic',
    'labstack/echo',
    'go-chi',
    'gorilla/mux',
    'gofiber',
    'httprouter',
    'resty',
    'fasthttp',
    'go:generate',
    'buf.build/gen',
  ]),
  detectors: [imports, clients, servers, values, methodPaths, goRoutes, directives],
};

/** `//go:generate protoc …`. */
function* directives(source: Source): Iterable<Found> {
  if (source.text.includes('//go:generate'))
    yield* generatorCommands({
      ...source,
      text: source.text.replace(/^(?!\/\/go:generate ).*$/gm, line => ' '.repeat(line.length)),
    });
}

function* imports(source: Source): Iterable<Found> {
  for (const one of importsIn(source)) {
    const { path, at } = one;
    if (!isGenerated(one) || !path.includes('/')) continue;
    if (/^connectrpc\.com\/|^google\.golang\.org\/genproto\/googleapis\//.test(path) || path.startsWith('net/'))
      continue;
    yield { kind: 'stub-import', at, from: path, ...registryModule(path) };
  }
}

/** `buf.build/gen/go/acme/petapis/connectrpc/go/…` → `buf.build/acme/petapis`. */
function registryModule(path: string): { readonly module?: string } {
  const [, host, owner, name] = /^([\w.-]{1,100})\/gen\/go\/([\w-]{1,100})\/([\w-]{1,100})\//.exec(path) ?? [];
  return host === undefined ? {} : { module: `${host}/${owner!}/${name!}` };
}

/** `pb.NewCartServiceClient(conn)`, of connect-go `(httpClient, url)`, of Twirp `NewHaberdasherProtobufClient(url, httpClient)`. */
function* clients(source: Source): Iterable<Found> {
  const packages = packagesOf(source);
  for (const match of inCode(source, /(?<!\w)New([A-Z]\w{0,150}?)(Protobuf|JSON)?Client(?:\[[^\][\n]{1,100}\])?\(/g)) {
    const [whole, name, twirp] = match;
    const chain = chainBefore(source.code, match.index);
    if (isDeclared(source.code, match.index - chain.length)) continue;
    const alias = chain.replace(/\.$/, '');
    if (alias.includes('.')) continue;
    const path = packages.byName.get(alias);
    const given = argumentsAt(source, match.index + whole.length - 1);
    const generated = path !== undefined && isGenerated({ name: alias, path });
    const [first] = given;
    const connection = first !== undefined && isConnection(source.code.slice(first.from, first.to));
    if (given.length === 0 || (alias !== '' && path === undefined)) continue;
    const second = twirp === undefined ? undefined : given[1];
    const isTwirp =
      second !== undefined && /[hH][tT][tT][pP]|[cC]lient/.test(source.code.slice(second.from, second.to));
    const isOpen = alias === '' && packages.open.length > 0 && name!.endsWith('Service');
    if (!generated && !connection && !isTwirp && !isOpen && !(packages.usesGrpc && given.length === 1)) continue;
    const service = serviceOf(name!, '');
    if (service === '' || (!generated && isTechnology(service))) continue;
    yield { kind: 'client', at: match.index, service, ...placeOf(source, packages, alias, whole) };
  }
  yield* gateways(source, packages);
  yield* mentions(source, packages);
}

/** The package that a name is from, by the one that stands before it; of a function that the file itself has, none. */
function placeOf(source: Source, packages: Packages, alias: string, called: string): Pick<Found, 'from' | 'among'> {
  const path = packages.byName.get(alias);
  if (path !== undefined) return { from: path };
  const name = /^\w*/.exec(called)![0];
  return alias !== '' || source.code.includes(`func ${name}(`) ? {} : placeOfOpen(packages);
}

/** grpc-gateway's: what is asked over HTTP is asked of the service. */
function* gateways(source: Source, packages: Packages): Iterable<Found> {
  for (const match of inCode(source, /(?<!\w)Register([A-Z]\w{0,150}?)Handler(?:FromEndpoint|Client)?\(/g)) {
    const path = packages.byName.get(chainBefore(source.code, match.index).replace(/\.$/, ''));
    if (path === undefined || argumentsAt(source, match.index + match[0].length - 1).length < 3) continue;
    yield { kind: 'client', at: match.index, service: match[1]!, from: path };
  }
}

function isConnection(argument: string): boolean {
  return /^\s{0,20}&?(?:\w{1,60}\.){0,4}\w{0,60}(?:[cC]onn|[cC]hannel|ClientConn|Connection|clientCtx)\w{0,10}(?:\(\))?\s{0,20}$/.test(
    argument,
  );
}

/** Whether `func`, with a receiver or without, stands before a name. */
function isDeclared(code: string, at: number): boolean {
  return /\bfunc\s{1,10}(?:\([^()\n]{0,200}\)\s{0,10})?$/.test(code.slice(Math.max(0, at - 250), at));
}

/** Types alone: `cart pb.CartServiceClient`. */
function* mentions(source: Source, packages: Packages): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w.])(\w{1,100})\.([A-Z]\w{0,150})Client\b(?!\()/g)) {
    const [, alias, name] = match;
    const path = packages.byName.get(alias!);
    // Constructors are told of as values.
    if (/^New[A-Z]/.test(name!)) continue;
    if (path === undefined || !isGenerated({ name: alias!, path })) continue;
    yield { kind: 'stub-import', at: match.index, service: name!, from: path };
  }
}

/** Registrations, handlers, and what implementations embed. */
function* servers(source: Source): Iterable<Found> {
  const packages = packagesOf(source);
  for (const pattern of serving) {
    for (const match of inCode(source, pattern)) {
      const [whole, name] = match;
      const chain = chainBefore(source.code, match.index);
      const alias = chain.replace(/\.$/, '');
      const path = packages.byName.get(alias);
      if (isDeclared(source.code, match.index - chain.length) || (alias !== '' && path === undefined)) continue;
      const isCall = whole.endsWith('(');
      const given = isCall ? argumentsAt(source, match.index + whole.length - 1).length : 1;
      const isConstructor = whole.startsWith('New');
      if (given === 0 || (isConstructor && (path === undefined || !isGenerated({ name: alias, path })))) continue;
      if ((!isConstructor && isCall && given < 2) || (isConstructor && isTechnology(name!))) continue;
      yield { kind: 'server', at: match.index, service: name!, ...placeOf(source, packages, alias, whole) };
    }
  }
}

const serving: readonly RegExp[] = [
  /(?<!\w)Register([A-Z]\w{0,150})Server\(/g,
  /(?<!\w)Register([A-Z]\w{0,150})HTTPServer\(/g,
  /(?<!\w)(?:Unimplemented|Unsafe)([A-Z]\w{0,150})(?:Server|Handler)\b(?!\()/g,
  /(?<!\w)New([A-Z]\w{0,150})(?:Handler|Server)\(/g,
];

/** Constructors and registrations that are handed on: `fx.Provide(pb.NewCartServiceClient)`, `wire.NewSet(…)`, `newCart := pb.New…`. */
function* values(source: Source): Iterable<Found> {
  const packages = packagesOf(source);
  const { code } = source;
  for (const { kind, pattern } of valued) {
    for (const match of inCode(source, pattern)) {
      const [whole, name] = match;
      const chain = chainBefore(code, match.index);
      const alias = chain.replace(/\.$/, '');
      const path = packages.byName.get(alias);
      if (!isHandedOn(code, match.index - chain.length, match.index + whole.length)) continue;
      const isSaid =
        path === undefined
          ? alias === '' && packages.open.length > 0 && name!.endsWith('Service')
          : isGenerated({ name: alias, path }) || (isVersioned({ name: alias, path }) && name!.endsWith('Service'));
      const place = placeOf(source, packages, alias, whole);
      if (!isSaid || (place.from === undefined && place.among === undefined)) continue;
      yield { kind, at: match.index, service: name!, ...place };
    }
  }
}

const valued: readonly { readonly kind: 'client' | 'server'; readonly pattern: RegExp }[] = [
  {
    kind: 'client',
    pattern: /(?<!\w)New([A-Z]\w{0,150}?)(?:Protobuf|JSON)?Client(?![\w(])(?:\[[^\][\n]{1,100}\](?!\())?/g,
  },
  { kind: 'client', pattern: /(?<!\w)Register([A-Z]\w{0,150}?)Handler(?:FromEndpoint|Client)?(?![\w(])/g },
  { kind: 'server', pattern: /(?<!\w)Register([A-Z]\w{0,150}?)(?:HTTP)?Server(?![\w(])/g },
  { kind: 'server', pattern: /(?<!\w)New([A-Z]\w{0,150}Service)Handler(?![\w(])/g },
];

/** Whether what stands there is an argument, an element, or what a variable is set to. */
function isHandedOn(code: string, from: number, to: number): boolean {
  const before = code.slice(Math.max(0, from - 60), from);
  if (!/(?:[(,{[:]|(?<![=!<>])=|\breturn)\s{0,50}$/.test(before)) return false;
  return /^[ \t]{0,20}(?:[,)}\];\n\r]|$)/.test(code.slice(to, to + 24));
}
