import { protoOfModule } from '../generated-names.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { javascriptRoutes } from '../routes/javascript.ts';
import { isTechnology, serviceOf } from '../service-names.ts';
import { javascriptLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { argumentsAt, chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { type Import, importsIn } from './javascript-imports.ts';
import { loadedPackages } from './javascript-packages.ts';
import { nestUses, registered } from './javascript-servers.ts';

/** grpc-js with packages loaded or generated, grpc-web, ts-proto, protobuf-ts, nice-grpc, Connect, NestJS, and OpenAPI clients. */
export const javascriptReader: Reader = {
  lexis: javascriptLexis,
  marks: literals([
    'grpc',
    'Grpc',
    "_pb'",
    '_pb"',
    '_pb.',
    '_connect',
    'connectrpc',
    'bufbuild',
    'protobuf',
    'protoLoader',
    '.proto',
    'twirp',
    'fetch(',
    'fetch<',
    'axios',
    "'got'",
    '"got"',
    "'ky'",
    '"ky"',
    'undici',
    'superagent',
    '$http',
    'nestjs/micro',
    'ControllerMethods',
    'HttpClient',
    '@Controller',
    'openapi',
    'swagger',
    'Api(',
    'ofetch',
    'useFetch',
    ".get('/",
    '.get("/',
    '.get(`/',
    ".post('/",
    '.post("/',
    '.post(`/',
    ".put('/",
    '.put("/',
    '.put(`/',
    ".patch('/",
    '.patch("/',
    '.patch(`/',
    ".delete('/",
    '.delete("/',
    '.delete(`/',
    ".all('/",
    '.all("/',
    '.all(`/',
    ".use('/",
    '.use("/',
    '.use(`/',
    ".route('/",
    '.route("/',
    '.route(`/',
    '.route({',
    '.route([',
    '.route(\n',
    'hapi',
    '.get(\n',
    '.post(\n',
    '.put(\n',
    '.patch(\n',
    '.delete(\n',
    '.get(`${',
    '.post(`${',
    '.put(`${',
    '.patch(`${',
    '.delete(`${',
  ]),
  places: /\/(?:api|routes|app)\//,
  detectors: [imports, clients, loadedPackages, registered, nestUses, methodPaths, openApiClients, javascriptRoutes],
};

/** Whether a module looks like generated code: by its name, its folder, or the registry that it is from. */
export function isGeneratedModule(module: string): boolean {
  return (
    protoOfModule(module) !== undefined ||
    /(?:^|[/@._-])(?:gen|generated|grpc_?gen|protos?|protobufs?|pb|genproto|proto-?gen|stubs?|_proto|codegen)(?:[/._-]|$)/i.test(
      module,
    ) ||
    /^@buf\//.test(module)
  );
}

const libraries =
  /^(?:@?grpc(?:\/|-web$|$)|@grpc\/|@?protobufjs|@bufbuild\/|@connectrpc\/|@protobuf-ts\/(?!.*gen)|@improbable-eng\/|nice-grpc|google-protobuf|ts-proto|@nestjs\/|grpc-tools)/;

function* imports(source: Source): Iterable<Found> {
  const told = new Set<string>();
  for (const { module, member, at } of importsIn(source)) {
    if (!isGeneratedModule(module) || libraries.test(module) || /\.(?:css|scss|svg|json|png|vue|proto)$/.test(module))
      continue;
    const file = protoOfModule(module);
    const service = serviceOfMember(member) ?? /-(\w{1,150})_connectquery/.exec(module)?.[1];
    const isSure = file !== undefined || module.startsWith('@buf/') || service !== undefined;
    const key = `${at} ${service ?? ''}`;
    if (!isSure || told.has(key)) continue;
    told.add(key);
    yield {
      kind: 'stub-import',
      at,
      from: module,
      ...(file === undefined ? {} : { file }),
      ...(service === undefined ? {} : { service }),
      ...bufModule(module),
    };
  }
}

/** The service by an imported name of generated code; undefined for messages and the like. */
function serviceOfMember(member: string): string | undefined {
  const [, service] =
    /^(?:I)?([A-Z]\w{0,150}?)(?:PromiseClient|ServiceClientImpl|ClientImpl|Client(?:JSON|Protobuf)?|Definition|ControllerMethods|ServiceServer|Handlers)$/.exec(
      member,
    ) ?? [];
  if (service !== undefined)
    return member.endsWith('ServiceClientImpl') || member.endsWith('ServiceServer') ? `${service}Service` : service;
  return /^[A-Z]\w{0,150}Service$/.test(member) ? member : undefined;
}

/** `@buf/acme_petapis.bufbuild_es/…` → `buf.build/acme/petapis`. */
function bufModule(module: string): { readonly module?: string } {
  const [, owner, name] = /^@buf\/([\w-]{1,100}?)_([\w-]{1,100})\./.exec(module) ?? [];
  return owner === undefined ? {} : { module: `buf.build/${owner}/${name!}` };
}

function* clients(source: Source): Iterable<Found> {
  const names = new Map(importsIn(source).map(one => [one.name, one]));
  yield* constructed(source, names);
  yield* byDefinition(source, names);
  yield* byName(source);
}

/**
 * `new CartServiceClient(address, credentials)`: classes that end so are common, so it counts only if the class is from what
 * looks generated, or credentials, a channel or a transport of gRPC are handed to it.
 */
function* constructed(source: Source, names: ReadonlyMap<string, Import>): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<![\w$])new\s{1,10}((?:[\w$]{1,150}\.){0,6})([A-Z][\w$]{0,150})\s{0,5}(?:<[^<>()]{0,100}>)?\(/g,
  )) {
    const [whole, chain, name] = match;
    const { bare, isClient } = withoutClient(name!);
    const given = argumentsAt(source, match.index + whole.length - 1);
    const written = given.map(({ from, to }) => source.code.slice(from, to)).join(',');
    const hasCredentials = credentials.test(written);
    const known = names.get(chain === '' ? name! : chain!.slice(0, chain!.indexOf('.')));
    const isGenerated = known !== undefined && isGeneratedModule(known.module) && !libraries.test(known.module);
    if (bare === '' || given.length === 0 || isTechnology(bare) || /(?:Credentials|Server|Channel)$/.test(bare))
      continue;
    if (known !== undefined && libraries.test(known.module) && !known.module.includes('/gen')) continue;
    const isSure = isGenerated || hasCredentials || isOfGrpcAlone(name!, written) || isTransport(source, written);
    if (!(isClient ? isSure : hasCredentials && chain !== '')) continue;
    const file = known === undefined ? undefined : protoOfModule(known.module);
    const from = known === undefined ? {} : { from: known.module };
    yield { kind: 'client', at: match.index, service: bare, ...from, ...(file === undefined ? {} : { file }) };
  }
}

function withoutClient(name: string): { readonly bare: string; readonly isClient: boolean } {
  const [, bare] = /^([A-Z]\w{0,150}?)(?:PromiseClient|ClientImpl|ClientJSON|ClientProtobuf|Client)$/.exec(name) ?? [];
  return { bare: serviceOf(bare ?? name, ''), isClient: bare !== undefined };
}

/** What grpc-web and ts-proto alone call so. */
function isOfGrpcAlone(name: string, written: string): boolean {
  return name.endsWith('PromiseClient') || (name.endsWith('ClientImpl') && /[rR]pc|GrpcWebImpl/.test(written));
}

const credentials =
  /\b(?:[gG]rpc\w{0,10}\.)?(?:credentials\.create\w{0,30}|ChannelCredentials\.create\w{0,30}|createInsecure|createSsl|ServerCredentials)\b/;

function isTransport(source: Source, written: string): boolean {
  return (
    /^\s{0,40}(?:this\.)?(?:\w{1,60}\.)?\w{0,40}(?:[tT]ransport|[rR]pc|[cC]hannel)\w{0,10}(?:\(\))?\s{0,40}(?:,|$)/.test(
      written,
    ) && /protobuf-ts|grpc|twirp|Rpc\b/.test(source.readable)
  );
}

/** `makeClientConstructor(definition, 'shop.v1.CartService')`. */
function* byName(source: Source): Iterable<Found> {
  const pattern =
    /(?<![\w$])make(?:Generic)?ClientConstructor\s{0,5}\(\s{0,20}[\w$.{}]{1,150}\s{0,10},\s{0,10}["'`]((?:\w{1,100}\.){0,12})(\w{1,150})["'`]/g;
  for (const match of inCode(source, pattern)) {
    const [, chain, service] = match;
    if (!/^[A-Z]/.test(service!)) continue;
    yield {
      kind: 'client',
      at: match.index,
      service: service!,
      ...(chain === '' ? {} : { fullName: chain! + service! }),
    };
  }
}

/** `createClient(CartService, transport)` of Connect, `createClient(CartServiceDefinition, channel)` of nice-grpc, and makers of constructors. */
function* byDefinition(source: Source, names: ReadonlyMap<string, Import>): Iterable<Found> {
  const isOfRpc = /connectrpc|@bufbuild\/connect|nice-grpc|bufbuild/.test(source.readable);
  const pattern =
    /(?<![\w$])(createClient|createPromiseClient|createCallbackClient|createConnectClient|makePromiseClient|\w{0,60}[cC]lient\w{0,40}\.create|make(?:Generic)?ClientConstructor|use(?:Suspense|Infinite)?Query|useMutation)\s{0,5}(?:<[^<>()]{0,150}>)?\(\s{0,40}(?:([\w$]{1,100})\.)?([A-Z][\w$]{0,150})(?:\.method\.\w{1,100}|\.\w{1,100})?\s{0,20}[,)]/g;
  for (const match of inCode(source, pattern)) {
    const [, maker, holder, name] = match;
    const known = names.get(holder ?? name!);
    const isGenerated = known !== undefined && isGeneratedModule(known.module);
    const called = holder === undefined ? calledThere(known, name!) : name!;
    const isDefinition = called.endsWith('Definition');
    const isGeneric = maker!.startsWith('make');
    if (!(isDefinition || isGeneric || isGenerated || (isOfRpc && maker!.startsWith('create')))) continue;
    if (/^use/.test(maker!) && !(isGenerated && isOfRpc)) continue;
    const isOfGrpcTools = isGeneric || /_grpc_pb(?:\.js)?$/.test(known?.module ?? '');
    const bare = called.replace(/(?<=.)Client$/, '');
    const service = isDefinition
      ? called.slice(0, -10)
      : isOfGrpcTools && bare === called
        ? bare.replace(/(?<=.)Service$/, '')
        : bare;
    const file = known === undefined ? undefined : protoOfModule(known.module);
    yield {
      kind: 'client',
      at: match.index,
      service,
      ...(known === undefined ? {} : { from: known.module }),
      ...(file === undefined ? {} : { file }),
    };
  }
}

/** A name as the module calls it that it is imported from. */
function calledThere(known: Import | undefined, name: string): string {
  return known === undefined || !/^[A-Z]/.test(known.member) ? name : known.member;
}

/** `new DefaultApi(configuration)`, `createClient<paths>(…)` of openapi-fetch. */
function* openApiClients(source: Source): Iterable<Found> {
  const names = new Map(importsIn(source).map(one => [one.name, one]));
  for (const match of inCode(
    source,
    /(?<![\w$])new\s{1,10}(?:[\w$]{1,100}\.)?([A-Z][\w$]{0,150}Api|OpenAPIClientAxios|SwaggerClient)\s{0,5}\(/g,
  )) {
    const before = chainBefore(source.code, match.index + match[0].lastIndexOf(match[1]!)).replace(/\.$/, '');
    const known = names.get(before === '' ? match[1]! : before);
    const given = argumentsAt(source, match.index + match[0].length - 1)
      .map(({ from, to }) => source.readable.slice(from, to))
      .join(',');
    const isGenerated =
      known !== undefined &&
      /openapi|swagger|generated|\bgen\b|api-client|client-api|[/-](?:api|client|sdk)s?(?:\/|$)|^@/i.test(known.module);
    if (!isGenerated && !/[cC]onfiguration|basePath/.test(given)) continue;
    if (/^@nestjs|^vscode/.test(known?.module ?? '')) continue;
    const [, file] = /["'`]([^"'`\n]{1,300}\.(?:json|ya?ml))["'`]/.exec(given) ?? [];
    yield {
      kind: 'openapi-client',
      at: match.index,
      service: match[1]!,
      ...(known === undefined ? {} : { from: known.module }),
      ...(file === undefined ? {} : { file }),
    };
  }
  for (const match of inCode(
    source,
    /(?<![\w$])(?:createClient|createFetchClient|createQueryHook)\s{0,5}<\s{0,10}((?:\w{1,100}\.)?paths)\b/g,
  )) {
    const known = names.get(match[1]!.replace(/\..*$/, ''));
    yield { kind: 'openapi-client', at: match.index, ...(known === undefined ? {} : { from: known.module }) };
  }
}
