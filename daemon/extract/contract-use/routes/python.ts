import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodIn, methodOf, type RouteForm, routesBy } from './forms.ts';
import { receiversBy } from './receivers.ts';
import { writtenPath } from './written-path.ts';

/** requests, httpx, aiohttp, urllib; Flask, FastAPI, Starlette, Sanic, Bottle, aiohttp, Tornado and Django. */
export function* pythonRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* routesBy(source, calls);
  yield* decorated(source);
  if (/\burlpatterns\b|\bregister\(/.test(source.code)) yield* routesBy(source, ofDjango);
  if (/\b(?:Starlette|starlette|tornado|aiohttp|add_url_rule|add_api_route)\b/.test(source.code))
    yield* routesBy(source, ofOthers);
}

/** `c: httpx.Client`, `self.c = requests.Session()`, `with httpx.Client() as c`. */
const ofLibraries = receiversBy(
  [
    /(?<![\w.])(?:self\.)?(?<name>[a-z_]\w{0,60})[ \t]{0,5}:[ \t]{0,5}(?:Optional\[)?(?!(?:return|raise|pass|continue|break|yield|await|del|assert|not|print)\b)(?<type>[A-Za-z_][\w.]{0,80})/g,
    /(?<![\w.])(?:self\.)?(?<name>[a-z_]\w{0,60})[ \t]{0,5}=[ \t]{0,5}(?:await[ \t]{1,5})?(?<type>[A-Za-z_][\w.]{0,80})\(/g,
    /\bwith[ \t]{1,5}(?<type>[A-Za-z_][\w.]{0,80})\([^\n]{0,200}\)[ \t]{1,5}as[ \t]{1,5}(?<name>\w{1,60})/g,
  ],
  (type, source) =>
    /^(?:httpx\.(?:Async)?Client|requests\.[sS]ession|aiohttp\.ClientSession)$/.test(type) ||
    (/^(?:Async)?Client$/.test(type) && /\bfrom httpx import\b/.test(source.code)) ||
    (type === 'Session' && /\bfrom requests import\b/.test(source.code)) ||
    (type === 'ClientSession' && /\bfrom aiohttp import\b/.test(source.code)),
);

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /(?<![\w.@])(?:self\.)?(?<receiver>[a-z_]\w{0,60})\.(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g,
    receivers: ofLibraries,
  },
  {
    kind: 'route-call',
    pattern:
      /(?<![\w.@])(?:requests|httpx|\w{0,40}[sS]ession|\w{0,40}_?client|http|aiohttp|self\.(?:\w{0,40}client|\w{0,40}session|http)|s)\.(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g,
  },
  {
    kind: 'route-call',
    pattern:
      /(?<![\w.@])(?:requests|httpx|\w{0,40}[sS]ession|\w{0,40}_?client|http|self\.(?:\w{0,40}client|\w{0,40}session|http))\.(?:request|stream)\s{0,5}\(/g,
    argument: 1,
    methodArgument: 0,
  },
  { kind: 'route-call', pattern: /(?<!\w)(?:urlopen|urllib2?\.request\.Request|Request)\s{0,5}\(/g },
];

const ofDjango: readonly RouteForm[] = [
  { kind: 'route', pattern: /(?<![\w.])(?:path|re_path|url)\s{0,5}\(/g, isRelative: true, least: 2 },
  { kind: 'route', pattern: /\brouter\.register\s{0,5}\(/g, isRelative: true, least: 2 },
];

const ofOthers: readonly RouteForm[] = [
  { kind: 'route', pattern: /(?<![\w.])(?:Route|Mount|WebSocketRoute)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\bweb\.(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\.add_(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\.add_route\s{0,5}\(/g, argument: 1, methodArgument: 0, least: 3 },
  { kind: 'route', pattern: /\.(?:add_url_rule|add_api_route)\s{0,5}\(/g },
];

/** `@app.route('/carts', methods=['POST'])`, `@router.get('/carts/{id}')`, below the prefix of the blueprint or router. */
function* decorated(source: Source): Iterable<Found> {
  const prefixes = prefixesOf(source);
  for (const match of inCode(
    source,
    /@(?:(\w{1,100})\.)?(route|api_route|get|post|put|patch|delete|head|options|websocket)\s{0,5}\(/g,
  )) {
    const [whole, holder, name] = match;
    const given = argumentsAt(source, match.index + whole.length - 1);
    const where = given.find(({ from, to }) => /^\s*(?:path|rule)\s*=/.test(source.code.slice(from, to))) ?? given[0];
    if (where === undefined) continue;
    const from =
      where.from + (/^\s{0,40}(?:path|rule)\s{0,5}=/.exec(source.code.slice(where.from, where.to))?.[0].length ?? 0);
    const written = writtenPath(source, from, where.to, prefixes.has(holder ?? ''));
    const isEmpty = /^\s{0,20}(?:""|'')\s{0,20}$/.test(source.readable.slice(from, where.to));
    const prefix = prefixes.get(holder ?? '') ?? '';
    if (written === undefined && !(isEmpty && prefix !== '')) continue;
    const [, methods] =
      /\bmethods\s{0,5}=\s{0,5}[[({]([^\])}]{1,200})/.exec(source.readable.slice(match.index, given.at(-1)!.to)) ?? [];
    const method = methods === undefined ? methodOf(name!) : (methodIn(methods) ?? '');
    yield { kind: 'route', at: match.index, method, path: below(prefix, written?.path ?? '/') };
  }
}

/** `Blueprint(…, url_prefix='/api')`, `APIRouter(prefix='/carts')`, by the variables that hold them. */
function prefixesOf(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of inCode(source, /(?<![\w.])(?:Blueprint|APIRouter|APIBlueprint)\s{0,5}\(/g)) {
    const before = source.code.slice(Math.max(0, match.index - 120), match.index);
    const [, name] = /(\w{1,100})\s{0,5}(?::\s{0,5}\w{1,40}\s{0,5})?=\s{0,5}$/.exec(before) ?? [];
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const where = given.find(({ from, to }) => /^\s*(?:url_prefix|prefix)\s*=/.test(source.code.slice(from, to)));
    const written =
      where === undefined
        ? undefined
        : writtenPath(source, where.from + source.code.slice(where.from, where.to).indexOf('=') + 1, where.to);
    if (name !== undefined && written !== undefined && found.size < 100) found.set(name, written.path);
  }
  return found;
}
