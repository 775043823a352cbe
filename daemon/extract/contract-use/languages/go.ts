import { generatorCommands } from '../builds/commands.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { goRoutes } from '../routes/go.ts';
import { isTechnology, serviceOf } from '../service-names.ts';
import { goLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { argumentsAt, chainBefore, type Found, inCode, nextOf, type Source } from '../text/source.ts';

/** gRPC of Go, connect-go and Twirp. */
export const goReader: Reader = {
  lexis: goLexis,
  marks: literals([
    'grpc',
    'connect"',
    'twirp',
    'pb"',
    'genproto',
    'Client(',
    'Server(',
    'Unimplemented',
    'net/http',
    'gin-gonic',
    'labstack/echo',
    'go-chi',
    'gorilla/mux',
    'gofiber',
    'resty',
    'fasthttp',
    'go:generate',
    'buf.build/gen',
  ]),
  detectors: [imports, clients, servers, methodPaths, goRoutes, directives],
};

/** `//go:generate protoc …`. */
function* directives(source: Source): Iterable<Found> {
  if (source.text.includes('//go:generate'))
    yield* generatorCommands({
      ...source,
      text: source.text.replace(/^(?!\/\/go:generate ).*$/gm, line => ' '.repeat(line.length)),
    });
}

/** Packages by the names that they have in the file; `.` for one whose names are all there. */
interface Packages {
  readonly byName: ReadonlyMap<string, string>;
  readonly usesGrpc: boolean;
}

const packagesOf = perSource(foundPackagesOf);

function foundPackagesOf(source: Source): Packages {
  const byName = new Map<string, string>();
  let usesGrpc = false;
  for (const { name, path } of importsIn(source)) {
    byName.set(name, path);
    if (
      /^google\.golang\.org\/grpc(?:\/|$)|^connectrpc\.com\/|bufbuild\/connect-go|twitchtv\/twirp|go-kratos\/|go-zero\/zrpc/.test(
        path,
      )
    )
      usesGrpc = true;
  }
  return { byName, usesGrpc };
}

interface Import {
  readonly name: string;
  readonly path: string;
  readonly at: number;
}

function* importsIn(source: Source): Iterable<Import> {
  for (const match of inCode(source, /\bimport\s{1,20}(?:\(|([\w.]{1,100})?\s{0,20}["`]([^"`\n]{1,300})["`])/g)) {
    const [whole, name, path] = match;
    if (path !== undefined) yield { name: name ?? nameOfPackage(path), path, at: match.index };
    else yield* listed(source, match.index + whole.length);
  }
}

function* listed(source: Source, from: number): Iterable<Import> {
  const closed = nextOf(source.code, ')', from, 20_000);
  const list = source.readable.slice(from, closed < 0 ? from + 20_000 : closed);
  for (const match of list.matchAll(/^[ \t]{0,20}(?:([\w.]{1,100})[ \t]{1,20})?["`]([^"`\n]{1,300})["`]/gm)) {
    const [whole, name, path] = match;
    const at = from + match.index + whole.search(/\S/);
    yield { name: name ?? nameOfPackage(path!), path: path!, at };
  }
}

/** As most packages are named: the last part of the path that is no version. */
function nameOfPackage(path: string): string {
  const parts = path.split('/').filter(part => !/^v\d{1,3}$/.test(part));
  const last = parts.at(-1) ?? path;
  return last
    .replace(/\.v\d{1,3}$/, '')
    .replace(/^go-|[.-]go$/, '')
    .replaceAll('-', '_');
}

/** Whether a path or a name tells that a package was generated: of a service's own packages these are the usual ones. */
function isGenerated({ name, path }: { readonly name: string; readonly path: string }): boolean {
  if (
    /^google\.golang\.org\/(?:grpc|protobuf)(?:\/|$)|^github\.com\/(?:golang|gogo)\/protobuf(?:\/|$)|^(?:connectrpc\.com|github\.com\/bufbuild)\/connect(?:-go)?$/.test(
      path,
    )
  )
    return false;
  return (
    /(?:^|\/)(?:genproto|gen|generated|pb|pbs|protos?|protobuf|protogen|grpc_?gen|gen[-_]?go|api\/gen|rpc)(?:\/|$)|pb(?:\/v\d{1,3}(?:alpha|beta)?\d{0,3})?$|connect$|^buf\.build\/gen\//.test(
      path,
    ) || /^_?pb$|pb$|^pb\w|connect$|_pb$|proto$/.test(name)
  );
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
    if (!generated && !connection && !isTwirp && !(packages.usesGrpc && given.length === 1)) continue;
    const service = serviceOf(name!, '');
    if (service === '' || (!generated && isTechnology(service))) continue;
    yield { kind: 'client', at: match.index, service, ...(path === undefined ? {} : { from: path }) };
  }
  yield* gateways(source, packages);
  yield* mentions(source, packages);
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
      yield { kind: 'server', at: match.index, service: name!, ...(path === undefined ? {} : { from: path }) };
    }
  }
}

const serving: readonly RegExp[] = [
  /(?<!\w)Register([A-Z]\w{0,150})Server\(/g,
  /(?<!\w)Register([A-Z]\w{0,150})HTTPServer\(/g,
  /(?<!\w)(?:Unimplemented|Unsafe)([A-Z]\w{0,150})(?:Server|Handler)\b(?!\()/g,
  /(?<!\w)New([A-Z]\w{0,150})(?:Handler|Server)\(/g,
];
