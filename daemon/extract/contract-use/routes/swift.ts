import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf, type RouteForm, routesBy } from './forms.ts';
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

interface Group {
  readonly name: string;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
}

/** `app.get("carts", ":id") { … }`, below the group that it is called on. */
function* ofVapor(source: Source): Iterable<Found> {
  const groups = groupsOf(source);
  for (const match of inCode(source, /(?<![\w.])(\w{1,60})\.(get|post|put|patch|delete)\s{0,3}\(/g)) {
    const [whole, holder, name] = match;
    const group = groupAt(groups, holder!, match.index);
    const isNamed = /^(?:app|routes?|router|\w{0,40}[gG]roup\w{0,10})$/.test(holder!);
    if (group === undefined && !isNamed) continue;
    const segments = segmentsAt(source, match.index + whole.length - 1);
    const path = normalPath(withHoles(below(group?.prefix ?? '', segments.join('/'))));
    if ((segments.length > 0 || (group?.prefix ?? '') !== '') && path !== undefined)
      yield { kind: 'route', at: match.index, method: methodOf(name!), ...path };
  }
}

/** The strings that a call is given; parameters that have a type of their own are as well. */
function segmentsAt(source: Source, open: number): readonly string[] {
  return argumentsAt(source, open)
    .map(({ from, to }) => {
      const text = source.readable.slice(from, Math.min(to, from + 300));
      return (
        /^\s{0,60}"([^"\n]{1,200})"\s{0,60}$/.exec(text)?.[1] ??
        (/^\s{0,60}[A-Z]\w{0,60}\.parameter\s{0,60}$/.test(text) ? ':part' : undefined)
      );
    })
    .filter(part => part !== undefined);
}

/** `let v = app.grouped("v1")`, `routes.group("v1", "carts") { v in … }`, `func boot(routes: RoutesBuilder)`. */
function groupsOf(source: Source): readonly Group[] {
  const groups: Group[] = [];
  for (const match of inCode(
    source,
    /(?<!\w)(?:(?:let|var)\s{1,5}(\w{1,60})\s{0,5}=\s{0,5}(\w{1,60})\.grouped\s{0,3}\(|(\w{1,60})\.group\s{0,3}\(|(\w{1,60})\s{0,5}:\s{0,5}(?:any\s{1,5})?(?:RoutesBuilder|Application|Router)\b)/g,
  )) {
    if (groups.length > 300) break;
    const [whole, made, parent, grouping, declared] = match;
    const end = source.code.length;
    if (declared !== undefined) {
      groups.push({ name: declared, prefix: '', from: match.index, to: end });
      continue;
    }
    const open = match.index + whole.length - 1;
    const outer = groupAt(groups, parent ?? grouping!, match.index)?.prefix ?? '';
    const segments = segmentsAt(source, open);
    const prefix = segments.length === 0 ? outer : below(outer, segments.join('/'));
    const close = closingOf(source, open, 2_000);
    if (made !== undefined) groups.push({ name: made, prefix, from: match.index, to: end });
    else if (close >= 0) {
      const [body, name] = /^\s{0,5}\{\s{0,60}(\w{1,60})\s{1,5}in\b/.exec(source.code.slice(close, close + 140)) ?? [];
      const to = body === undefined ? -1 : closingOf(source, close + body.indexOf('{'), 200_000);
      if (name !== undefined) groups.push({ name, prefix, from: close, to: to < 0 ? end : to });
    }
  }
  return groups;
}

function groupAt(groups: readonly Group[], name: string, at: number): Group | undefined {
  return groups.findLast(group => group.name === name && group.from < at && at < group.to);
}
