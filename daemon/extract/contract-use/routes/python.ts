import { perSource } from '../text/per-source.ts';
import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, methodsGiven, type RouteForm, routesBy } from './forms.ts';
import { type Block, blocksIn, prefixAt, routesBelow } from './nested.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, pathOfExpression, writtenPath } from './written-path.ts';

/** requests, httpx, aiohttp, urllib; Flask, FastAPI, Starlette, Litestar, Sanic, Bottle, aiohttp, Falcon, Tornado and Django. */
export function* pythonRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* routesBy(source, calls);
  yield* decorated(source);
  if (/\burlpatterns\b|\bregister\(/.test(source.code)) {
    yield* routesBelow(source, ofDjango, included(source));
    yield* expressions(source);
  }
  if (/\b(?:Starlette|starlette|tornado|aiohttp|add_url_rule|add_api_route)\b/.test(source.code))
    yield* routesBelow(source, ofOthers, mounted(source));
  if (/\b(?:falcon|starlette)\b/.test(source.code)) yield* routesBy(source, ofFalcon);
  if (/\btornado\b/.test(source.code)) yield* handlers(source);
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
  { kind: 'route', pattern: /(?<![\w.])path\s{0,5}\((?![^\n,]{0,200},\s{0,40}include\()/g, isRelative: true, least: 2 },
  { kind: 'route', pattern: /\brouter\.register\s{0,5}\(/g, isRelative: true, least: 2 },
];

/** `path("v1/", include([…]))`, `path("v1/", include(of_carts))` of a list of the file. */
const included = perSource(source =>
  withLists(
    source,
    blocksIn(source, /(?<![\w.])path\s{0,5}\((?=[^\n,]{0,200},\s{0,40}include\()/g, 'arguments'),
    /\binclude\(\s{0,20}\(?\s{0,20}(\w{1,100})\s{0,20}[,)]/g,
  ),
);

/** `Mount("/v1", routes=[…])`, `Mount("/v1", routes=of_carts)`. */
const mounted = perSource(source =>
  withLists(
    source,
    blocksIn(source, /(?<![\w.])Mount\s{0,5}\(/g, 'arguments'),
    /\broutes\s{0,5}=\s{0,5}(\w{1,100})\s{0,20}[,)]/g,
  ),
);

/** With the lists of the file that blocks name. */
function withLists(source: Source, blocks: readonly Block[], names: RegExp): readonly Block[] {
  const prefixes = new Map<string, string>();
  for (const match of blocks.length === 0 ? [] : inCode(source, names)) {
    const prefix = prefixAt(blocks, match.index);
    if (prefix !== '' && !prefixes.has(match[1]!)) prefixes.set(match[1]!, prefix);
  }
  if (prefixes.size === 0) return blocks;
  const lists: Block[] = [];
  for (const match of inCode(source, /^(\w{1,100})[ \t]{0,5}(?::[^=\n]{1,100})?=[ \t]{0,5}\[/gm)) {
    const from = match.index + match[0].length - 1;
    const prefix = prefixes.get(match[1]!);
    const to = closingOf(source, from, 200_000);
    if (prefix !== undefined && to >= 0 && lists.length < 100) lists.push({ from, to, prefix });
  }
  // What stands in such a list has the list's prefix before its own.
  return [...lists, ...blocks.map(block => ({ ...block, prefix: below(prefixAt(lists, block.from), block.prefix) }))];
}

const methods = /^\s*methods\s*=/;

const ofOthers: readonly RouteForm[] = [
  { kind: 'route', pattern: /(?<![\w.])(?:Route|WebSocketRoute)\s{0,5}\(/g, least: 2, methodList: methods },
  { kind: 'route', pattern: /\bweb\.(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\.add_(?<method>get|post|put|patch|delete|head)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\.add_route\s{0,5}\(/g, argument: 1, methodArgument: 0, least: 3 },
  { kind: 'route', pattern: /\.(?:add_url_rule|add_api_route)\s{0,5}\(/g, methodList: methods },
];

const ofFalcon: readonly RouteForm[] = [
  { kind: 'route', pattern: /\.add_route\s{0,5}\(/g, least: 2, methodList: methods },
];

/** Django: `re_path(r"^carts/(?P<id>\d+)/$", view)`. */
function* expressions(source: Source): Iterable<Found> {
  const around = included(source);
  for (const match of inCode(
    source,
    /(?<![\w.])(?:re_path|url)\s{0,5}\(\s{0,40}r?(["'])([^"'\n]{0,300})\1\s{0,20},(?!\s{0,40}include\()/g,
  )) {
    const path = pathOfExpression(match[2]!, true)?.path;
    if (path !== undefined)
      yield { kind: 'route', at: match.index, method: '', path: below(prefixAt(around, match.index), path) };
  }
}

/** Tornado: `(r"/carts/([0-9]+)", CartHandler)` in a list, `url(r"/carts", CartHandler)`. */
function* handlers(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?:[[,]\s{0,200}|\b(?:url|URLSpec))\(\s{0,40}r?(["'])(\/[^"'\n]{0,300})\1\s{0,20},\s{0,40}(?:[a-z_]\w{0,60}\.){0,5}[A-Z]\w{0,100}/g,
  )) {
    const path = pathOfExpression(match[2]!);
    if (path !== undefined)
      yield { kind: 'route', at: match.index + match[0].indexOf('('), method: '', path: path.path };
  }
}

/** `@app.route('/carts', methods=['POST'])`, `@router.get('/carts/{id}')`, below the prefix of the blueprint or router. */
function* decorated(source: Source): Iterable<Found> {
  const prefixes = prefixesOf(source);
  const controllers = /\b(?:litestar|starlite)\b/.test(source.code) ? controllersOf(source) : [];
  for (const match of inCode(
    source,
    /@(?:(\w{1,100})\.)?(route|api_route|get|post|put|patch|delete|head|options|websocket)\s{0,5}\(/g,
  )) {
    const [whole, holder, name] = match;
    const given = argumentsAt(source, match.index + whole.length - 1);
    const prefix = holder === undefined ? prefixAt(controllers, match.index) : (prefixes.get(holder) ?? '');
    const where = given.find(({ from, to }) => /^\s*(?:path|rule)\s*=/.test(source.code.slice(from, to))) ?? given[0];
    if (where === undefined) {
      if (holder === undefined && prefix !== '')
        yield { kind: 'route', at: match.index, method: methodOf(name!), path: prefix };
      continue;
    }
    const from =
      where.from + (/^\s{0,40}(?:path|rule)\s{0,5}=/.exec(source.code.slice(where.from, where.to))?.[0].length ?? 0);
    const written = writtenPath(source, from, where.to, prefix !== '');
    const isEmpty = /^\s{0,20}(?:""|'')\s{0,20}$/.test(source.readable.slice(from, where.to));
    if (written === undefined && !(isEmpty && prefix !== '')) continue;
    const listed = methodsGiven(source, given, methods);
    for (const method of listed.length > 0 ? listed : [methodOf(name!)])
      yield { kind: 'route', at: match.index, method, path: below(prefix, written?.path ?? '/') };
  }
}

/** Litestar: classes of controllers with `path = "/carts"`, each to where the next class begins. */
function controllersOf(source: Source): readonly Block[] {
  const found: Block[] = [];
  const classes = [...inCode(source, /^class[ \t]{1,5}\w{1,100}\(([^()\n]{0,200})\)/gm)];
  for (const [i, match] of classes.slice(0, 200).entries()) {
    const to = classes[i + 1]?.index ?? source.code.length;
    const head = source.readable
      .slice(match.index, Math.min(to, match.index + 2_000))
      .split(/\n[ \t]+(?:@|def |async )/, 1);
    const [, path] =
      /^[ \t]{1,20}path[ \t]{0,5}(?::[^=\n]{1,30})?=[ \t]{0,5}["']([^"'\n]{1,200})["']/m.exec(head[0]!) ?? [];
    const prefix = path === undefined || !match[1]!.includes('Controller') ? undefined : normalPath(path, true)?.path;
    if (prefix !== undefined) found.push({ from: match.index, to, prefix });
  }
  return found;
}

/**
 * `Blueprint(…, url_prefix='/api')`, `APIRouter(prefix='/carts')`, by the variables that hold them, with what
 * `app.include_router(router, prefix='/v1')` puts before.
 */
function prefixesOf(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of inCode(source, /(?<![\w.])(?:Blueprint|APIRouter|APIBlueprint)\s{0,5}\(/g)) {
    const before = source.code.slice(Math.max(0, match.index - 120), match.index);
    const [, name] = /(\w{1,100})\s{0,5}(?::\s{0,5}\w{1,40}\s{0,5})?=\s{0,5}$/.exec(before) ?? [];
    const written = prefixGiven(source, argumentsAt(source, match.index + match[0].length - 1));
    if (name !== undefined && written !== undefined && found.size < 100) found.set(name, written);
  }
  for (const match of inCode(source, /\.(include_router|register_blueprint)\s{0,5}\(\s{0,40}(\w{1,100})\s{0,20},/g)) {
    const written = prefixGiven(source, argumentsAt(source, source.code.indexOf('(', match.index)));
    const name = match[2]!;
    // Flask takes the one for the other.
    if (written !== undefined && found.size < 100)
      found.set(name, match[1] === 'include_router' ? below(written, found.get(name) ?? '') : written);
  }
  return found;
}

function prefixGiven(source: Source, given: ReturnType<typeof argumentsAt>): string | undefined {
  const where = given.find(({ from, to }) => /^\s*(?:url_prefix|prefix)\s*=/.test(source.code.slice(from, to)));
  return where === undefined
    ? undefined
    : writtenPath(source, where.from + source.code.slice(where.from, where.to).indexOf('=') + 1, where.to)?.path;
}
