import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { csharpRoutes } from '../routes/csharp.ts';
import { isTechnology } from '../service-names.ts';
import { csharpLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { perSource } from '../text/per-source.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { type ImportedType, splitPath, typeImports, versionMarks } from './type-imports.ts';

/** Grpc.Tools, code-first services of protobuf-net, and OpenAPI clients of NSwag and Kiota. */
export const csharpReader: Reader = {
  lexis: csharpLexis,
  marks: literals([
    'Grpc',
    'grpc',
    'Client',
    'ServerCallContext',
    'ServiceBase',
    'Base,',
    'Base(',
    'Base {',
    'Base\n',
    'Base\r',
    'MapGet(',
    'MapPost(',
    'MapPut(',
    'MapDelete(',
    'MapPatch(',
    'MapGroup(',
    'MapMethods(',
    '[HttpGet',
    '[HttpPost',
    '[HttpPut',
    '[HttpDelete',
    '[HttpPatch',
    '[Route',
    'HttpTrigger',
    'RestRequest',
    'HttpRequestMessage',
    'Refit',
    'Flurl',
    'Google.Protobuf',
    'global using',
    '.Parser.',
    ...versionMarks('.V', ';', '.'),
  ]),
  detectors: [clients, servers, codeFirst, messageTypes, methodPaths, csharpRoutes],
};

interface Scope {
  /** Aliases of namespaces and types: what they stand for. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Classes whose nested types are open: `using static Shop.V1.CartService`. */
  readonly statics: readonly string[];
  readonly open: readonly string[];
}

const scopeOf = perSource(foundScopeOf);

function foundScopeOf(source: Source): Scope {
  const aliases = new Map<string, string>();
  const statics: string[] = [];
  const open = new Set<string>();
  for (const match of inCode(
    source,
    /\busing\s{1,10}(static\s{1,10})?(?:(\w{1,150})\s{0,10}=\s{0,10})?(?:global::)?([\w.]{1,300})\s{0,5};/g,
  )) {
    const [, isStatic, alias, path] = match;
    if (alias !== undefined) aliases.set(alias, path!);
    else if (isStatic !== undefined) statics.push(path!);
    else if (!ofLibraries.test(path!)) open.add(path!);
  }
  for (const match of inCode(source, /\bnamespace\s{1,10}([\w.]{1,300})/g)) open.add(match[1]!);
  return { aliases, statics, open: [...open].slice(0, 50) };
}

const ofLibraries = /^(?:System|Microsoft|Grpc|Google\.(?:Protobuf|Api)|Xunit|NUnit|Moq|Newtonsoft|Serilog)(?:\.|$)/;

/** The namespace by what is written before the class, `Shop.V1.`; else those that it may be of. */
function placeOf(scope: Scope, chain: string): Pick<Found, 'from' | 'among'> {
  const before = chain.replace(/^global::/, '').replace(/\.$/, '');
  if (before !== '') {
    const [first, ...rest] = before.split('.');
    return { from: [scope.aliases.get(first!) ?? first!, ...rest].join('.') };
  }
  if (scope.open.length === 1) return { from: scope.open[0]! };
  return scope.open.length === 0 ? {} : { among: scope.open };
}

/** `CartService.CartServiceClient`: made, given by a factory, or a type alone. */
function* clients(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const { code } = source;
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150})\.\1Client\b/g)) {
    const [whole, service] = match;
    const chain = chainBefore(code, match.index);
    const kind = isMade(code, match.index - chain.length, match.index + whole.length) ? 'client' : 'stub-import';
    yield { kind, at: match.index, service: service!, ...placeOf(scope, chain) };
  }
  for (const match of inCode(source, /(?<![\w.])([A-Z]\w{0,150})\s{0,5}[(>{]/g)) {
    const name = match[1]!;
    const path = scope.aliases.get(name) ?? scope.statics.map(one => `${one}.${name}`).find(isClient);
    if (path === undefined || !isClient(path)) continue;
    if (!isMade(code, match.index, match.index + name.length)) continue;
    const [, from, service] = /^(?:(.{1,300})\.)?(\w{1,150})\.\2Client$/.exec(path) ?? [];
    yield { kind: 'client', at: match.index, service: service!, ...(from === undefined ? {} : { from }) };
  }
}

function isClient(path: string): boolean {
  return /(?:^|\.)(\w{1,150})\.\1Client$/.test(path);
}

/** Whether a client's type stands where one is made: `new T(…)`, `T x = new(…)`, `AddGrpcClient<T>(…)`, `CreateClient<T>`. */
function isMade(code: string, from: number, to: number): boolean {
  const before = code.slice(Math.max(0, from - 80), from);
  const after = code.slice(to, to + 200);
  if (/\bnew\s{1,10}(?:global::)?$/.test(before)) return /^\s{0,10}[({]/.test(after);
  if (
    /\b(?:Add\w{0,40}Client|Create\w{0,40}Client|CreateClient|Create|GetClient)\w{0,20}<\s{0,5}(?:global::)?$/.test(
      before,
    )
  )
    return true;
  return /^\??\s{1,10}\w{1,100}\s{0,5}(?:\{[^{}]{0,60}\}\s{0,5})?=>?\s{0,10}new\s{0,5}\(/.test(after);
}

/** Implementations, and what a server is made of by hand. */
function* servers(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const { code } = source;
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150})\.(?:\1Base\b|BindService\()/g)) {
    if (isAliased(code, match.index)) continue;
    yield { kind: 'server', at: match.index, service: match[1]!, ...placeOf(scope, chainBefore(code, match.index)) };
  }
  for (const match of inCode(
    source,
    /\bclass\s{1,10}\w{1,150}\s{0,10}(?:\([^()]{0,500}\)\s{0,10})?:\s{0,10}([A-Z]\w{0,150})\b/g,
  )) {
    const [, from, service] = /^(?:(.{1,300})\.)?(\w{1,150})\.\2Base$/.exec(scope.aliases.get(match[1]!) ?? '') ?? [];
    if (service !== undefined)
      yield { kind: 'server', at: match.index, service, ...(from === undefined ? {} : { from }) };
  }
  for (const match of inCode(source, /:\s{0,10}([A-Z]\w{0,150})Base\b/g)) {
    const path = scope.statics.find(one => one === match[1] || one.endsWith(`.${match[1]!}`));
    const from = path?.slice(0, Math.max(0, path.length - match[1]!.length - 1));
    if (from !== undefined)
      yield { kind: 'server', at: match.index, service: match[1]!, ...(from === '' ? {} : { from }) };
  }
}

function isAliased(code: string, at: number): boolean {
  return /\busing\s{1,10}\w{1,150}\s{0,10}=[\s\w.:]{0,300}$/.test(code.slice(Math.max(0, at - 400), at));
}

/** protobuf-net.Grpc and MagicOnion: interfaces instead of `.proto` files. */
function* codeFirst(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /\.(?:CreateGrpcService|AddCodeFirstGrpcClient|MagicOnionClient\.Create)<\s{0,5}(?:[\w.]{1,200}\.)?I([A-Z]\w{0,150})>/g,
  )) {
    const service = match[1]!;
    if (!isTechnology(service)) yield { kind: 'client', at: match.index + 1, service };
  }
}

/** Namespaces of messages: `using Acme.Events.V1;`, and `Acme.Events.V1.OrderPlaced` in full. */
function messageTypes(source: Source): readonly Found[] {
  return typeImports(
    source,
    typesIn(source),
    /\bGoogle\.Protobuf\b|\.Parser\.Parse|\bglobal\s{1,10}using\b/.test(source.code),
  );
}

function* typesIn(source: Source): Iterable<ImportedType> {
  const { open } = scopeOf(source);
  for (const match of inCode(source, /(?<![\w.])([A-Z]\w{0,150})\.Parser\.Parse(?:From|Json|Text|Delimited)/g)) {
    for (const from of open) yield { at: match.index, from, type: match[1]! };
  }
  for (const match of inCode(
    source,
    /(?<![\w.])(?:global::)?((?:[A-Z]\w{0,100}\.){1,10}V\d\w{0,10})((?:\.[A-Z]\w{0,150}){0,4})/g,
  )) {
    const [, from, names] = match;
    const type = names!.slice(1);
    const before = source.code.slice(Math.max(0, match.index - 20), match.index);
    // What it is in itself it does not import.
    if (/\bnamespace\s{1,10}$/.test(before) || ofService(type) || ofLibraries.test(from!)) continue;
    yield { at: match.index, from: from!, ...(type === '' ? {} : { type }) };
  }
  for (const match of inCode(
    source,
    /\busing\s{1,10}(?:\w{1,150}\s{0,10}=\s{0,10})?(?:global::)?([A-Z][\w.]{1,300})\s{0,5};/g,
  )) {
    const path = match[1]!;
    if (open.includes(path)) yield { at: match.index, from: path };
    else if (path.includes('.') && !ofService(path) && match[0].includes('='))
      yield { at: match.index, ...splitPath(path) };
  }
}

/** `CartService.CartServiceClient`, `CartService.CartServiceBase`. */
function ofService(path: string): boolean {
  return /(?:^|\.)(\w{1,150})\.\1(?:Client|Base)$/.test(path);
}
