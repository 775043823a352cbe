import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { elixirRoutes } from '../routes/elixir.ts';
import { isTechnology } from '../service-names.ts';
import { elixirLexis, erlangLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { type ImportedType, splitPath, typeImports, versionMarks } from './type-imports.ts';

/** gRPC of Elixir. */
export const elixirReader: Reader = {
  lexis: elixirLexis,
  marks: literals([
    ...['GRPC.', '.Stub', '.Service', 'HTTPoison', 'Tesla', 'Req.', 'Finch', 'Router', '.decode(', '.encode('],
    ...versionMarks('.V', '.', ',', '\n'),
  ]),
  detectors: [clients, servers, messageTypes, methodPaths, elixirRoutes],
};

/** What grpcbox of Erlang is told to serve and to call. */
export const erlangReader: Reader = {
  lexis: erlangLexis,
  marks: literals(['grpc', '_client:']),
  detectors: [atoms, erlangClients, methodPaths],
};

function aliasesOf(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of inCode(
    source,
    /(?<![\w.])alias\s{1,10}([A-Z][\w.]{0,300}?)(?:\.\{([^{}]{1,2000})\}|,\s{0,10}as:\s{0,5}(\w{1,150}))?(?=\s|$)/gm,
  )) {
    const [, path, several, alias] = match;
    if (found.size > 1_000) break;
    if (several === undefined) found.set(alias ?? path!.replace(/^.*\./, ''), path!);
    for (const one of several?.split(',') ?? []) found.set(one.trim().replace(/^.*\./, ''), `${path!}.${one.trim()}`);
  }
  return found;
}

/** The service of a module, by what the file calls it: `CartService`, from `Shop.V1`. */
function serviceAt(chain: string, aliases: ReadonlyMap<string, string>): Pick<Found, 'service' | 'from'> | undefined {
  const [first = '', ...rest] = chain.split('.');
  const path = [aliases.get(first) ?? first, ...rest].join('.').replace(/\.(?:Stub|Service)$/, '');
  const [, from, service] = /^(?:([\w.]{1,300})\.)?([A-Z]\w{0,150})$/.exec(path) ?? [];
  return service === undefined || path === 'GRPC' ? undefined : { service, ...(from === undefined ? {} : { from }) };
}

/** `Shop.V1.CartService.Stub.get_cart(channel, request)`. */
function* clients(source: Source): Iterable<Found> {
  const aliases = aliasesOf(source);
  for (const match of inCode(
    source,
    /(?<!\w)Stub\.[a-z_]\w{0,150}[!?]?\s{0,5}[( ]|\|>\s{0,20}([A-Z][\w.]{0,300})\.Stub\.[a-z_]\w{0,150}/g,
  )) {
    const chain = match[1] ?? chainBefore(source.code, match.index).replace(/\.$/, '');
    const named = chain === '' ? serviceAt('Stub', aliases) : serviceAt(chain, aliases);
    if (named !== undefined && named.service !== 'Stub') yield { kind: 'client', at: match.index, ...named };
  }
  for (const [name, path] of aliases) {
    if (!path.endsWith('.Stub') || name === 'Stub') continue;
    const named = serviceAt(path, aliases);
    for (const match of inCode(source, /(?<![\w.])([A-Z]\w{0,150})\.[a-z_]\w{0,150}[!?]?\(/g)) {
      if (match[1] === name && named !== undefined) yield { kind: 'client', at: match.index, ...named };
    }
  }
}

/** `use GRPC.Server, service: Shop.V1.CartService.Service`. */
function* servers(source: Source): Iterable<Found> {
  const aliases = aliasesOf(source);
  for (const match of inCode(
    source,
    /\buse\s{1,5}GRPC\.Server\s{0,5},\s{0,40}(?:\w{1,40}:\s{0,5}[^,\n]{1,200},\s{0,40}){0,5}service:\s{0,10}([A-Z][\w.]{0,300})/g,
  )) {
    const named = serviceAt(match[1]!, aliases);
    if (named !== undefined) yield { kind: 'server', at: match.index, ...named };
  }
}

/** `alias Acme.Events.V1.OrderPlaced`, `Acme.Events.V1.OrderPlaced.decode(…)`, `%Acme.Events.V1.OrderPlaced{}`. */
function messageTypes(source: Source): readonly Found[] {
  const all = [...typesIn(source)];
  // Of a package that something is taken of it is known what.
  const told = new Set(all.flatMap(({ from, type }) => (type === undefined ? [] : [from])));
  const meant = all.filter(({ from, type }) => type !== undefined || !told.has(from));
  return [...typeImports(source, meant, false), ...typeImports(source, codedIn(source), true)];
}

function* typesIn(source: Source): Iterable<ImportedType> {
  const aliases = aliasesOf(source);
  for (const match of inCode(source, /(?<![\w.:])([A-Z]\w{0,150}(?:\.[A-Z]\w{0,150}){0,10})(?![\w:])/g)) {
    const path = resolved(match[1]!, aliases);
    // Modules that are made here are nobody else's.
    const isMade = /\bdefmodule\s{1,5}$/.test(source.code.slice(Math.max(0, match.index - 20), match.index));
    if (path.includes('.') && !isMade && !/\.(?:Stub|Service)$/.test(path))
      yield { at: match.index, ...splitPath(path) };
  }
}

function* codedIn(source: Source): Iterable<ImportedType> {
  const aliases = aliasesOf(source);
  for (const match of inCode(source, /(?<![\w.:])([A-Z][\w.]{0,300})\.(?:decode|encode)(?:_to_iodata)?[!]?\(/g)) {
    const path = resolved(match[1]!, aliases);
    if (path.includes('.')) yield { at: match.index, ...splitPath(path) };
  }
}

function resolved(path: string, aliases: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = path.split('.');
  return [aliases.get(first) ?? first, ...rest].join('.');
}

/** `services => #{'shop.v1.CartService' => cart_service}`. */
function* atoms(source: Source): Iterable<Found> {
  for (const match of source.readable.matchAll(/'((?:[a-z_]\w{0,100}\.){1,12}([A-Z]\w{0,150}))'\s{0,5}=>/g)) {
    yield { kind: 'server', at: match.index, service: match[2]!, fullName: match[1]! };
  }
}

/**
 * Modules that grpcbox makes of services: `shop_v1_cart_client:get(Ctx, Request)` of `Cart`, from `shop.v1`. Packages without a
 * version are taken to have one name.
 */
function* erlangClients(source: Source): Iterable<Found> {
  const isGrpc = /grpc/.test(source.readable);
  for (const match of inCode(source, /(?<![\w@:?])([a-z][a-z\d_]{0,150})_client:[a-z]\w{0,150}\s{0,5}\(/g)) {
    const words = match[1]!.split('_').filter(word => word !== '');
    const version = words.findLastIndex(word => /^v\d{1,3}(?:(?:alpha|beta)\d{0,3})?$/.test(word));
    if ((version < 1 && !isGrpc) || version === words.length - 1) continue;
    const last = version >= 1 ? version + 1 : Math.min(1, words.length - 1);
    const service = words
      .slice(last)
      .map(word => word.charAt(0).toUpperCase() + word.slice(1))
      .join('');
    const from = words.slice(0, last).join('.');
    if (/^[A-Z]/.test(service) && !isTechnology(service) && match[1] !== 'grpcbox')
      yield { kind: 'client', at: match.index, service, ...(from === '' ? {} : { from }) };
  }
}
