import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, type RouteForm, resourceRoutes, routesBy } from './forms.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** Rails, Sinatra and Grape; Faraday, HTTParty, RestClient, Net::HTTP and the like. */
export function* rubyRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* routesBy(source, calls);
  yield* chained(source);
  yield* /\bGrape::API\b/.test(source.code) ? ofGrape(source) : verbs(source);
}

/** `c = Faraday.new(…)`, also of an instance. */
const ofFaraday = receiversBy(
  [/(?<![\w.])(?<name>[a-z_]\w{0,60})\s{0,5}(?:\|\|)?=\s{0,5}(?:::)?(?<type>[A-Z][\w:]{0,80})\.new\b/g],
  type => /^(?:Faraday(?:::Connection)?|Excon|RestClient::Resource)$/.test(type),
);

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /(?<![\w.])(?<receiver>[a-z_]\w{0,60})&?\.(?<method>get|post|put|patch|delete|head)\s{0,2}\(/g,
    receivers: ofFaraday,
  },
  {
    kind: 'route-call',
    pattern:
      /\b(?:Faraday|HTTParty|RestClient|HTTP|Typhoeus|Excon|\w{0,40}(?:conn|connection|client|http|faraday))\.(?<method>get|post|put|patch|delete|head)\s{0,2}\(/gi,
  },
  { kind: 'route-call', pattern: /\bNet::HTTP::(?<method>Get|Post|Put|Patch|Delete)\.new\s{0,2}\(/g },
  { kind: 'route-call', pattern: /\bNet::HTTP\.(?<method>get|post)\w{0,20}\s{0,2}\(/g },
];

/** `Faraday.new(url).get("/carts")`, also with a block that sets it up before the call. */
function* chained(source: Source): Iterable<Found> {
  for (const match of inCode(source, /\b(?:Faraday|Excon)\.new\s{0,2}(?=[({])/g)) {
    let end = match.index + match[0].length;
    for (let i = 0; i < 2 && end >= 0; i++) {
      const [before] = /^\s{0,10}[({]/.exec(source.code.slice(end, end + 12)) ?? [];
      if (before !== undefined) end = closingOf(source, end + before.length - 1, 2_000);
    }
    if (end < 0) continue;
    const [call, method] =
      /^\s{0,40}&?\.\s{0,5}(get|post|put|patch|delete|head)\s{0,2}\(/.exec(source.code.slice(end, end + 60)) ?? [];
    const [first] = call === undefined ? [] : argumentsAt(source, end + call.length - 1);
    const path = first === undefined ? undefined : writtenPath(source, first.from, first.to);
    if (path !== undefined) yield { kind: 'route-call', at: match.index, method: methodOf(method!), ...path };
  }
}

interface Scope {
  readonly indent: number;
  readonly prefix: string;
}

/** Lines such as `get '/carts/:id' do` and `resources :carts`, below what stands around them with less before it. */
function* verbs(source: Source): Iterable<Found> {
  const isRails = /\.draw\b/.test(source.code) || /(?:^|\/)config\/routes(?:\/|\.rb$)/.test(source.path);
  if (!isRails && !/\b(?:Sinatra|Grape|Roda|Hanami)\b|\brequire ['"]sinatra/.test(source.readable)) return;
  const scopes: Scope[] = [];
  const pattern =
    /^([ \t]{0,100})(get|post|put|patch|delete|head|resources?|namespace|scope)[ (]{1,3}(?:(?:path:|module:\s{0,3}["':]\w{1,60}["']?,)\s{0,3})?(?::(\w{1,100})|["']([^"'\n]{0,300})["'])([^\n]{0,300})/gm;
  for (const match of linesOf(source, pattern)) {
    const [, indent, word, symbol, text, rest] = match;
    const name = text ?? `/${symbol!}`;
    while (scopes.length > 0 && scopes.at(-1)!.indent >= indent!.length) scopes.pop();
    const path = normalPath(below(scopes.at(-1)?.prefix ?? '', name))?.path;
    if (path === undefined) continue;
    const at = match.index + indent!.length;
    if (/^resources?$/.test(word!)) yield* resourceRoutes(at, path, rest!, word === 'resource');
    else if (/^(?:namespace|scope)$/.test(word!)) {
      if (scopes.length < 50) scopes.push({ indent: indent!.length, prefix: path });
    } else yield { kind: 'route', at, method: methodOf(word!), path };
    if (/^resources?$/.test(word!) && /\bdo\b/.test(rest!) && scopes.length < 50) {
      scopes.push({ indent: indent!.length, prefix: word === 'resource' ? path : below(path, '{}') });
    }
  }
}

function* linesOf(source: Source, pattern: RegExp): Iterable<RegExpExecArray> {
  let count = 0;
  for (const match of source.readable.matchAll(pattern)) {
    const at = match.index + match[1]!.length;
    if (source.code.charCodeAt(at) === source.readable.charCodeAt(at) && ++count < 2_000) yield match;
  }
}

/**
 * Grape: lines such as `get ':id' do` and `post do`, below `resource :carts do` and the like, which are no more than prefixes,
 * and below the prefix and the version of the class.
 */
function* ofGrape(source: Source): Iterable<Found> {
  const scopes: Scope[] = [];
  let base = '';
  const pattern =
    /^([ \t]{0,100})(class|get|post|put|patch|delete|head|resources?|namespace|group|segment|route_param|prefix|version)\b[ (]{0,3}(?::(\w{1,100})|["']([^"'\n]{0,300})["'])?([^\n]{0,300})/gm;
  for (const match of linesOf(source, pattern)) {
    const [, indent, word, symbol, text, rest] = match;
    const name = symbol ?? text;
    while (scopes.length > 0 && scopes.at(-1)!.indent >= indent!.length) scopes.pop();
    if (word === 'class') base = '';
    else if (word === 'prefix' || word === 'version') {
      if (name !== undefined && !/\busing:\s{0,5}:(?!path)/.test(rest!)) base = below(base, name);
    } else {
      const own = word === 'route_param' ? '{}' : (name ?? '');
      const path = normalPath(below(scopes.at(-1)?.prefix ?? base, own))?.path;
      const isBlock = /^\W{0,5}\{|\bdo\b|,\s*$/.test(rest!);
      if (path === undefined || !isBlock) continue;
      if (/^(?:get|post|put|patch|delete|head)$/.test(word!))
        yield { kind: 'route', at: match.index + indent!.length, method: methodOf(word!), path };
      else if (name !== undefined && scopes.length < 50) scopes.push({ indent: indent!.length, prefix: path });
    }
  }
}
