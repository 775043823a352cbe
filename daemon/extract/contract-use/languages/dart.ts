import { protoOfName } from '../generated-names.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { dartRoutes } from '../routes/dart.ts';
import { isTechnology } from '../service-names.ts';
import { dartLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { argumentsAt, chainBefore, type Found, inCode, type Source } from '../text/source.ts';

/** gRPC of Dart. */
export const dartReader: Reader = {
  lexis: dartLexis,
  marks: literals([
    '.pb.dart',
    '.pbgrpc.dart',
    'package:grpc',
    'connectrpc',
    'package:http',
    'package:dio',
    'package:shelf',
    'retrofit',
  ]),
  detectors: [imports, clients, mentions, servers, methodPaths, dartRoutes],
};

interface Import {
  readonly at: number;
  readonly path: string;
  readonly alias: string | undefined;
}

function importsIn(source: Source): readonly Import[] {
  const found: Import[] = [];
  for (const match of inCode(
    source,
    /(?<![\w.])(?:import|export)\s{1,10}['"]([^'"\n]{1,300})['"](?:\s{1,20}(?:deferred\s{1,5})?as\s{1,10}(\w{1,100}))?/g,
  )) {
    if (found.length < 500) found.push({ at: match.index, path: match[1]!, alias: match[2] });
  }
  return found;
}

function* imports(source: Source): Iterable<Found> {
  for (const { at, path } of importsIn(source)) {
    const file = /\.pb(?:grpc|server|enum|json)?\.dart$/.test(path)
      ? protoOfName(path.slice(path.lastIndexOf('/') + 1))
      : undefined;
    if (file !== undefined && !/^package:protobuf\//.test(path)) yield { kind: 'stub-import', at, file, from: path };
  }
}

/** Classes of the file's own. */
const declaredIn = perSource(
  source => new Set([...inCode(source, /\bclass\s{1,10}(\w{1,150})/g)].map(match => match[1]!)),
);

/**
 * `CartServiceClient(channel)`: any class may end so, so it counts only where generated services are imported, or a channel
 * of gRPC is handed over.
 */
function* clients(source: Source): Iterable<Found> {
  const all = importsIn(source);
  const services = all.filter(({ path }) => /\.pbgrpc\.dart$|\.connect\.client\.dart$/.test(path));
  const isGrpc = all.some(({ path }) => /^package:(?:grpc|connectrpc)\//.test(path));
  for (const match of inCode(source, /(?<![\w$])([A-Z]\w{0,150})Client\s{0,5}\(/g)) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const [first] = given;
    const before = source.code.slice(Math.max(0, match.index - 30), match.index);
    if (declaredIn(source).has(`${match[1]!}Client`)) continue;
    if (first === undefined || /\b(?:class|extends|implements)\s{1,5}$/.test(before) || isTechnology(match[1]!))
      continue;
    const isChannel = /[cC]hannel|[tT]ransport/.test(source.code.slice(first.from, first.to));
    if (services.length === 0 && !(isGrpc && isChannel)) continue;
    const alias = chainBefore(source.code, match.index).replace(/\.$/, '');
    const of = services.filter(one => (one.alias ?? '') === alias);
    const from = of.length === 1 ? { from: of[0]!.path } : of.length === 0 ? {} : { among: of.map(one => one.path) };
    yield { kind: 'client', at: match.index, service: match[1]!, ...from };
  }
}

/** A client that is handed over, by its type: `final CartServiceClient cart;`. */
function* mentions(source: Source): Iterable<Found> {
  const services = importsIn(source).filter(({ path }) => /\.pbgrpc\.dart$|\.connect\.client\.dart$/.test(path));
  if (services.length === 0) return;
  const told = new Set<string>();
  for (const match of inCode(source, /(?<![\w$])([A-Z]\w{0,150})Client\b(?!\s{0,5}\()/g)) {
    const alias = chainBefore(source.code, match.index).replace(/\.$/, '');
    const of = services.filter(one => (one.alias ?? '') === alias);
    const [only] = of;
    if (only === undefined || isTechnology(match[1]!) || told.has(match[0])) continue;
    told.add(match[0]);
    if (declaredIn(source).has(match[0])) continue;
    const from = of.length === 1 ? { from: only.path } : { among: of.map(one => one.path) };
    yield { kind: 'stub-import', at: match.index, service: match[1]!, ...from };
  }
}

/** `extends GreeterServiceBase`: of `Greeter`, and where that is its name already of `GreeterService`; both are told. */
function* servers(source: Source): Iterable<Found> {
  const services = importsIn(source).filter(({ path }) => /\.pbgrpc\.dart$|\.pbserver\.dart$/.test(path));
  if (services.length === 0 && !/package:grpc/.test(source.readable)) return;
  for (const match of inCode(source, /\bextends\s{1,10}(?:\w{1,60}\.)?([A-Z]\w{0,150})Base\b/g)) {
    if (services.length === 0 && !match[1]!.endsWith('Service')) continue;
    const from = services.length === 1 ? { from: services[0]!.path } : {};
    yield { kind: 'server', at: match.index, service: match[1]!, ...from };
    const [, short] = /^(\w{1,150})Service$/.exec(match[1]!) ?? [];
    if (short !== undefined) yield { kind: 'server', at: match.index, service: short, ...from };
  }
}
