import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { methodOf, type RouteForm, routesBy } from './forms.ts';
import { normalPath, withHoles, writtenPath } from './written-path.ts';

/** Addresses that are made of strings for URLSession, Alamofire and AsyncHTTPClient; Vapor. */
export function* swiftRoutes(source: Source): Iterable<Found> {
  yield* routesBy(source, calls);
  yield* urls(source);
  if (/\bimport\s{1,5}Vapor\b/.test(source.code)) yield* ofVapor(source);
}

const calls: readonly RouteForm[] = [
  { kind: 'route-call', pattern: /\bAF\.request\s{0,3}\(/g, methodArgument: 1, method: 'GET' },
  { kind: 'route-call', pattern: /\bHTTPClientRequest\s{0,3}\(/g },
];

/** `URL(string: "\(base)/carts/\(id)")` in a file that sends requests: a whole address only where something is sent to it. */
function* urls(source: Source): Iterable<Found> {
  if (!/\bURL(?:Session|Request)\b/.test(source.code)) return;
  for (const match of inCode(source, /(?<![\w.])URL\s{0,3}\((?=\s{0,20}string\s{0,5}:)/g)) {
    const [first] = argumentsAt(source, match.index + match[0].length - 1);
    const path = first === undefined ? undefined : writtenPath(source, first.from, first.to);
    if (path === undefined || path.path === '/') continue;
    const method = methodAround(source, match.index);
    if (path.host === undefined || method !== undefined)
      yield { kind: 'route-call', at: match.index, method: method ?? '', ...path };
  }
}

/**
 * The method of the request that an address is of, as it is set behind it and before the next address; what is read at once is
 * got. Undefined where neither a request nor a reading is seen, '' where a request may be of any method.
 */
function methodAround({ code, readable }: Source, at: number): string | undefined {
  const next = code.slice(at + 4, at + 1_000).indexOf('URL(string');
  const end = next < 0 ? at + 1_000 : at + 4 + next;
  const [, method] = /\.httpMethod\s{0,5}=\s{0,5}(?:"|\w{0,40}\.)(\w{3,7})\b/.exec(readable.slice(at, end)) ?? [];
  if (method !== undefined) return methodOf(method);
  const around = code.slice(Math.max(0, at - 60), end);
  if (/\bURLRequest\b/.test(around)) return '';
  return /\.(?:data|bytes|download|dataTask|dataTaskPublisher)\(\s{0,5}(?:from|with|for)\s{0,5}:/.test(around)
    ? 'GET'
    : undefined;
}

/** `app.get("carts", ":id") { … }`. */
function* ofVapor(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<!\w)(?:app|routes?|router|\w{0,40}[gG]roup\w{0,10})\.(get|post|put|patch|delete)\s{0,3}\(/g,
  )) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const parts = given.map(
      ({ from, to }) => /^\s{0,20}"([^"\n]{1,200})"\s{0,20}$/.exec(source.readable.slice(from, to))?.[1],
    );
    const segments = parts.filter(part => part !== undefined);
    const path = normalPath(withHoles(`/${segments.join('/')}`));
    if (segments.length > 0 && path !== undefined)
      yield { kind: 'route', at: match.index, method: methodOf(match[1]!), ...path };
  }
}
