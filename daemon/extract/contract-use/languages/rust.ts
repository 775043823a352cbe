import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { rustRoutes } from '../routes/rust.ts';
import { isTechnology } from '../service-names.ts';
import { rustLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { wholePath } from './rust-names.ts';
import { messageTypes } from './rust-types.ts';
import { versionMarks } from './type-imports.ts';

/** tonic and prost. */
export const rustReader: Reader = {
  lexis: rustLexis,
  marks: literals([
    '_client::',
    '_server::',
    '_client;',
    '_server;',
    '_client,',
    '_server,',
    '_client}',
    '_server}',
    '_client as ',
    '_server as ',
    'include_proto',
    'generate_api!',
    'tonic',
    'prost',
    'reqwest',
    'ureq',
    'hyper::',
    'actix',
    'axum',
    'rocket',
    'warp::',
    'OUT_DIR',
    '.route(',
    ...versionMarks('::v', '::'),
  ]),
  detectors: [includes, apis, modules, clients, servers, messageTypes, methodPaths, rustRoutes],
};

/** `tonic::include_proto!("shop.v1")`, and files of that name. */
function* includes(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /\binclude(?:_proto)?!\s{0,5}[({[]\s{0,10}(?:concat!\(\s{0,10}env!\(\s{0,5}"OUT_DIR"\s{0,5}\)\s{0,5},\s{0,10})?"([\w./-]{1,300})"/g,
  )) {
    const isProto = match[0].startsWith('include_proto');
    const [, name] = isProto ? ['', match[1]!] : (/^(?:\/|.*\/)?([\w.]{1,200})\.rs$/.exec(match[1]!) ?? []);
    const isPackage = isProto || (match[0].includes('OUT_DIR') && name?.includes('.') === true);
    if (name !== undefined && isPackage) yield { kind: 'stub-import', at: match.index, from: name };
  }
}

/** `progenitor::generate_api!("../api/openapi.json")`, `generate_api!(spec = "…", interface = Builder)`. */
function* apis(source: Source): Iterable<Found> {
  const pattern =
    /\bgenerate_api!\s{0,5}[({[]\s{0,40}(?:(?:[^"(){};]{0,300}[\s,])?spec\s{0,5}=\s{0,5}(?:\{\s{0,40}path\s{0,5}=\s{0,5})?)?"([^"\n]{1,300}\.(?:json|ya?ml))"/g;
  for (const match of inCode(source, pattern)) yield { kind: 'generator', at: match.index, file: match[1]! };
}

/** A module that tonic makes for a service: `shop::v1::cart_service_client`. */
interface Module {
  readonly at: number;
  readonly name: string;
  readonly side: 'client' | 'server';
  readonly from: string;
  /** Whether the module is imported for itself, `use shop::v1::cart_service_client;`, not for what is in it. */
  readonly isBare: boolean;
}

const modulesIn = perSource(foundModulesIn);

function foundModulesIn(source: Source): readonly Module[] {
  const found: Module[] = [];
  for (const match of inCode(source, /(?<!\w)([a-z]\w{0,150})_(client|server)::(?=[A-Z{*])/g)) {
    found.push({
      at: match.index,
      name: match[1]!,
      side: match[2] as Module['side'],
      from: pathBefore(source, match.index),
      isBare: false,
    });
    if (found.length > 300) break;
  }
  return [...found, ...bareModules(source)];
}

/** Any module may be called a client, so it has to be one of a service, or of a place of generated code. */
function* bareModules(source: Source): Iterable<Module> {
  const isTonic = /\btonic\b/.test(source.code);
  for (const match of inCode(
    source,
    /(?<!\w)([a-z]\w{0,150})_(client|server)(?=\s{0,10}(?:[;,}]|as\s{1,10}\w{1,100}\s{0,10}[;,}]))/g,
  )) {
    const before = source.code.slice(Math.max(0, match.index - 1_000), match.index);
    if (!/\buse\s{1,10}[\w:{},\s*]{0,900}$/.test(before.slice(before.lastIndexOf(';') + 1))) continue;
    const from = pathBefore(source, match.index);
    const isOfService = match[1]!.endsWith('_service') && from !== '';
    const isOfProto = /(?:^|::)(?:v\d\w{0,20}|\w{0,50}(?:proto|pb|grpc)\w{0,50})(?:::|$)/.test(from);
    if (isTechnology(match[1]!) || !(isOfService || isOfProto || (isTonic && from !== ''))) continue;
    yield { at: match.index, name: match[1]!, side: match[2] as Module['side'], from, isBare: true };
  }
}

/** What stands before a name of a path, also in braces: `use shop::v1::{cart_service_client::…`. */
function pathBefore(source: Source, at: number): string {
  const { code } = source;
  const chain = chainBefore(code, at).replace(/::$/, '');
  const statement = code.slice(Math.max(0, at - 1_000), at);
  const use = statement.slice(statement.lastIndexOf(';') + 1);
  const [, outer] = /\buse\s{1,10}([\w:]{1,300})::\{[^;]*$/.exec(use) ?? [];
  const path = [outer ?? '', chain].filter(part => part !== '').join('::');
  return wholePath(source, path).replace(/^(?:crate|self|super)(?:::|$)/, '');
}

function* modules(source: Source): Iterable<Found> {
  for (const { at, name, side, from, isBare } of modulesIn(source)) {
    if (isBare) {
      yield { kind: 'stub-import', at, service: pascal(name), ...(from === '' ? {} : { from }) };
      continue;
    }
    const head = source.code.slice(at, at + 400);
    const [, listed] = /^\w{1,200}::(\{[^{};]{0,300}|\w{1,200}|\*)/.exec(head) ?? [];
    const ending = side === 'client' ? 'Client' : 'Server';
    const named = listed
      ?.match(/[A-Z]\w{0,150}/g)
      ?.find(one => one.endsWith(ending) && plain(one.slice(0, -6)) === plain(name));
    if (named === undefined && listed !== '*') continue;
    const service = named?.slice(0, -6) ?? pascal(name);
    yield { kind: 'stub-import', at, service, ...(from === '' ? {} : { from }) };
  }
}

function pascal(name: string): string {
  return name
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `CartServiceClient::connect(…)`, where a module `cart_service_client` stands in the file too. */
function* clients(source: Source): Iterable<Found> {
  const known = new Map(
    modulesIn(source)
      .filter(one => one.side === 'client')
      .map(one => [plain(one.name), one]),
  );
  const pattern =
    /(?<!\w)([A-Z]\w{0,150})Client(?:::<[^<>;]{1,100}(?:<[^<>;]{1,100}>)?[^<>;]{0,50}>)?::(?:connect|new|with_interceptor|with_origin)\s{0,5}\(/g;
  for (const match of inCode(source, pattern)) {
    const module = ownModule(source, match.index) ?? known.get(plain(match[1]!));
    const isTonic =
      module === undefined &&
      /\b(?:tonic|Channel|Endpoint)\b/.test(source.code) &&
      /_client::\*|::\*;/.test(source.code);
    if (module === undefined && !isTonic) continue;
    yield {
      kind: 'client',
      at: match.index,
      service: match[1]!,
      ...(module === undefined || module.from === '' ? {} : { from: module.from }),
    };
  }
}

/** Of a client that is called with its module before it, `user::user_service_client::UserServiceClient`, or a name for that. */
function ownModule(source: Source, at: number): Pick<Module, 'from'> | undefined {
  const [, from = '', module] = /^(?:([\w:]{1,600})::)?([a-z]\w{0,150}_client)$/.exec(pathBefore(source, at)) ?? [];
  return module === undefined ? undefined : { from };
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** `impl CartService for X`, `CartServiceServer::new(…)`, where a module `cart_service_server` stands in the file too. */
function* servers(source: Source): Iterable<Found> {
  const known = new Map(
    modulesIn(source)
      .filter(one => one.side === 'server')
      .map(one => [plain(one.name), one]),
  );
  if (known.size === 0) return;
  const pattern =
    /\bimpl\b(?:\s{0,5}<[^<>{};]{0,200}>)?\s{1,10}(?:\w{1,100}::){0,10}([A-Z]\w{0,150})\s{1,20}for\b|(?<!\w)([A-Z]\w{0,150})Server(?:::<[^<>;]{1,100}>)?::(?:new|with_interceptor|from_arc|from)\s{0,5}\(/g;
  for (const match of inCode(source, pattern)) {
    const service = (match[1] ?? match[2])!;
    const module = known.get(plain(service));
    if (module !== undefined)
      yield { kind: 'server', at: match.index, service, ...(module.from === '' ? {} : { from: module.from }) };
  }
}
