import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { swiftRoutes } from '../routes/swift.ts';
import { isTechnology } from '../service-names.ts';
import { cLexis, swiftLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { includes } from './cpp.ts';
import { type ImportedType, typeImports, versionMarks } from './type-imports.ts';

/** grpc-swift in both its generations, and Connect. */
export const swiftReader: Reader = {
  lexis: swiftLexis,
  marks: literals([
    'GRPC',
    'import Connect',
    'AF.request',
    'URLSession',
    'URLRequest',
    'HTTPClientRequest',
    'Vapor',
    'SwiftProtobuf',
    ...versionMarks('_V', '_'),
  ]),
  detectors: [clients, servers, messageTypes, methodPaths, swiftRoutes],
};

/** gRPC of Objective-C. */
export const objectiveCReader: Reader = {
  lexis: cLexis,
  marks: literals(['.pbrpc.h', '.pbobjc.h', 'GRPC']),
  detectors: [includes, objectiveC],
};

/** `Shop_V1_CartService` → `CartService`, from `Shop_V1`. */
function named(name: string): Pick<Found, 'service' | 'from'> {
  const bar = name.lastIndexOf('_');
  return bar <= 0 ? { service: name } : { service: name.slice(bar + 1), from: name.slice(0, bar) };
}

/** `Shop_V1_CartServiceNIOClient(channel: …)`, `Shop_V1_CartService.Client(wrapping: …)`. */
function* clients(source: Source): Iterable<Found> {
  if (!/\bimport\s{1,5}(?:GRPC\w{0,30}|Connect)\b/.test(source.code)) return;
  for (const match of inCode(source, /(?<![\w.])([A-Z]\w{0,200}?)(?:Async|NIO|Test)?Client(?:<[^<>]{0,100}>)?\(/g)) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const [first] = given;
    const label = first === undefined ? '' : source.code.slice(first.from, first.to);
    if (!/^\s{0,40}(?:channel|client|wrapping)\s{0,5}:/.test(label) || isTechnology(match[1]!)) continue;
    yield { kind: 'client', at: match.index, ...named(match[1]!) };
  }
  for (const match of inCode(
    source,
    /(?<![\w.])([A-Z]\w{0,200})\.Client(?:<[^<>]{0,100}>)?\(\s{0,40}wrapping\s{0,5}:/g,
  )) {
    yield { kind: 'client', at: match.index, ...named(match[1]!) };
  }
}

function* servers(source: Source): Iterable<Found> {
  if (!/\bimport\s{1,5}GRPC\w{0,30}\b/.test(source.code)) return;
  const pattern =
    /\b(?:class|struct|actor|extension)\s{1,10}\w{1,150}\s{0,10}:[^{}]{0,300}?(?<!\w)([A-Z]\w{0,200}?)(?:(?:Async)?Provider\b|\.(?:Simple|Streaming)?ServiceProtocol\b)/g;
  for (const match of inCode(source, pattern)) {
    if (!/(?:Channel|CallHandler|Service)$/.test(match[1]!) || match[1]!.includes('_'))
      yield { kind: 'server', at: match.index, ...named(match[1]!) };
  }
}

/** `Acme_Events_V1_OrderPlaced(serializedBytes: …)`: the module that generated code is in says nothing of it. */
function messageTypes(source: Source): readonly Found[] {
  return typeImports(source, typesIn(source), /\bimport\s{1,5}SwiftProtobuf\b/.test(source.code));
}

function* typesIn(source: Source): Iterable<ImportedType> {
  for (const match of inCode(source, /(?<!\w)((?:[A-Z][A-Za-z\d]{0,80}_){1,10})([A-Z][A-Za-z\d]{0,150})(?![\w])/g)) {
    const [, prefix, type] = match;
    if (/(?:Client|Provider|ServiceProtocol)$/.test(type!)) continue;
    yield { at: match.index, from: prefix!.slice(0, -1).replaceAll('_', '.'), type: type! };
  }
}

/** `[[HLWGreeter alloc] initWithHost:…]`, `[HLWGreeter serviceWithHost:…]`: with the prefix of the classes and without it. */
function* objectiveC(source: Source): Iterable<Found> {
  if (!/\.pbrpc\.h[>"]/.test(source.readable)) return;
  for (const match of inCode(
    source,
    /\[\s{0,5}\[\s{0,5}([A-Z]\w{0,150})\s{1,5}alloc\s{0,5}\]\s{0,10}initWithHost:|\[\s{0,5}([A-Z]\w{0,150})\s{1,5}serviceWithHost:/g,
  )) {
    const name = (match[1] ?? match[2])!;
    yield { kind: 'client', at: match.index, service: name };
    const [, short] = /^[A-Z]{2,4}([A-Z][a-z]\w{0,150})$/.exec(name) ?? [];
    if (short !== undefined) yield { kind: 'client', at: match.index, service: short };
  }
}
