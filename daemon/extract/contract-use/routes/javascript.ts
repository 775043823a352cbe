import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, methodsIn } from './forms.ts';
import { chainedRoutes, madeWithRoutes, prefixesOf, routersIn, routesBehind } from './javascript-routers.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** fetch, axios, got, ky, undici and clients that look like them; Express, Koa, Fastify, Hono, hapi, NestJS, and files of Next.js, Nuxt and SvelteKit. */
export function* javascriptRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* fetches(source);
  yield* members(source);
  yield* chainedRoutes(source, name => isRouterName(name) || routersIn(source).has(name));
  yield* madeWithRoutes(source);
  yield* objects(source);
  if (/@Controller\(/.test(source.code)) yield* controllers(source);
  yield* ofFile(source);
}

/** `fetch(url, { method: 'POST' })`. */
function* fetches(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<![\w$])(?:window\.|globalThis\.|self\.|node)?(?:\$?fetch|ofetch|useFetch|useSWR|axios|got|ky|request|fetchJson|fetchApi|apiFetch|authFetch)\s{0,5}(?:<[^<>()]{0,150}>)?\(/g,
  )) {
    if (/\b(?:function|async)\s{1,5}$/.test(source.code.slice(Math.max(0, match.index - 12), match.index))) continue;
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const [first, second] = given;
    if (first === undefined) continue;
    const written = writtenPath(source, first.from, first.to);
    if (written === undefined) continue;
    const options = second === undefined ? '' : source.readable.slice(second.from, second.to);
    const [, method] = /\bmethod\s{0,5}:\s{0,5}["'`](\w{3,7})["'`]/.exec(options) ?? [];
    const isPlain = /^\s{0,20}\{/.test(options) || options === '';
    yield {
      kind: 'route-call',
      at: match.index,
      method: method === undefined ? (isPlain && !/\bmethod\b/.test(options) ? 'GET' : '') : methodOf(method),
      ...written,
    };
  }
}

/** `app.get('/carts/:id', handler)` serves; `axios.get('/carts')` and `this.http.get<Cart>(url)` call. */
function* members(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<![\w$])([\w$]{1,100})(?:\(\))?\s{0,20}[?!]?\.\s{0,5}(get|post|put|patch|delete|head|options|del|all)\s{0,5}(?:<[^()]{0,150}?>)?\(/g,
  )) {
    const [whole, holder, name] = match;
    const given = argumentsAt(source, match.index + whole.length - 1);
    const [first] = given;
    if (first === undefined || !/^\s{0,100}["'`/\w]/.test(source.readable.slice(first.from, first.from + 120)))
      continue;
    const role = routersIn(source).has(holder!)
      ? roleOf(source, 'router', given)
      : (roleOf(source, holder!, given) ?? (ofAxios(source).has(holder!) ? 'route-call' : undefined));
    if (role === undefined) continue;
    const written = writtenPath(source, first.from, first.to);
    if (
      written === undefined ||
      (role === 'route' && !/^\s{0,100}["'`]/.test(source.readable.slice(first.from, first.to)))
    )
      continue;
    const method = methodOf(name === 'del' ? 'delete' : name!);
    const prefixes = role === 'route' ? prefixesOf(source, holder!) : [''];
    for (const prefix of prefixes)
      yield {
        kind: role,
        at: match.index,
        method,
        ...written,
        path: prefix === '' ? written.path : below(prefix, written.path),
      };
    if (role === 'route') yield* routesBehind(source, match.index + whole.length - 1, prefixes);
  }
}

/** `const c = axios.create(…)`, `c: AxiosInstance`. */
const ofAxios = receiversBy(
  [
    /(?<![\w$.])(?:this\.)?(?<name>[a-z_]\w{0,60})\s{0,5}[?!]?:\s{0,5}(?<type>[A-Z]\w{0,80})/g,
    /(?<![\w$.])(?:this\.)?(?<name>[a-z_]\w{0,60})\s{0,5}(?::\s{0,5}\w{1,60}\s{0,5})?=\s{0,5}(?:await\s{1,5}|new\s{1,5})?(?<type>[A-Za-z_$][\w$.]{0,80})\s{0,5}\(/g,
  ],
  type => /^(?:AxiosInstance|KyInstance|axios\.create|ky\.(?:create|extend)|got\.extend)$/.test(type),
);

function roleOf(
  source: Source,
  holder: string,
  given: readonly { readonly from: number; readonly to: number }[],
): 'route' | 'route-call' | undefined {
  const last = given.at(-1)!;
  const handed = given.length > 1 ? source.code.slice(last.from, Math.min(last.to, last.from + 300)) : '';
  const isHandler = /=>|\bfunction\b|^\s{0,40}(?:async\s|[\w$.]{1,100}\s{0,40}$)/.test(handed);
  if (isRouterName(holder)) return given.length > 1 ? 'route' : undefined;
  if (
    /(?:axios|http|[cC]lient|api|Api|API|request|got|ky|agent|[fF]etch(?:er)?|service|Service|superagent|[rR]est)$/i.test(
      holder,
    )
  ) {
    const isAddress = /^\s{0,20}["'`]https?:/.test(source.readable.slice(given[0]!.from, given[0]!.to));
    return /=>|\bfunction\b/.test(handed) && isHandler && !isAddress ? 'route' : 'route-call';
  }
  return undefined;
}

function isRouterName(name: string): boolean {
  return /^(?:app|router|server|fastify|instance|[\w$]{0,60}(?:[rR]outer|[rR]outes?|App|Server))$/.test(name);
}

/** `axios({ url: '/carts', method: 'post' })`, `fastify.route({ method: 'GET', url: '/carts' })`, hapi's `server.route({ path })`. */
function* objects(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<![\w$])(?:(axios|request|ajax|\$\.ajax|uni\.request|wx\.request|[\w$]{0,40}(?:axios|http|client)(?:\.request)?|request)|([\w$]{1,60})\.route)\s{0,5}(?:<[^<>()]{0,100}>)?\(\s{0,40}(?=[{[])/gi,
  )) {
    const open = match.index + match[0].trimEnd().length - 1;
    const [first] = argumentsAt(source, open);
    if (first === undefined) continue;
    for (const at of objectsIn(source, first.from)) {
      const fields = argumentsAt(source, at);
      const address = fieldOf(source, fields, /^\s{0,200}(?:url|path)\s{0,5}:/);
      const written = address === undefined ? undefined : writtenPath(source, address.from, address.to);
      if (written === undefined) continue;
      const verb = fieldOf(source, fields, /^\s{0,200}method\s{0,5}:/);
      if (match[2] === undefined)
        yield { kind: 'route-call', at: match.index, method: verbsIn(source, verb)[0] ?? '', ...written };
      else if (verb !== undefined) {
        const place = at === first.from ? match.index : at;
        const methods = verbsIn(source, verb);
        for (const method of methods.length === 0 ? [''] : methods)
          yield { kind: 'route', at: place, method, ...written };
      }
    }
  }
}

/** The object that begins at an offset, or those of a list that does. */
function objectsIn(source: Source, from: number): readonly number[] {
  const begin = from + source.code.slice(from, from + 200).search(/\S/);
  if (source.code[begin] === '{') return [begin];
  if (source.code[begin] !== '[') return [];
  return argumentsAt(source, begin)
    .map(one => one.from + source.code.slice(one.from, one.to).search(/\S/))
    .filter(at => source.code[at] === '{');
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a field of an object has. */
function fieldOf(source: Source, fields: readonly Span[], name: RegExp): Span | undefined {
  for (const { from, to } of fields) {
    const [label] = name.exec(source.code.slice(from, Math.min(to, from + 300))) ?? [];
    if (label !== undefined) return { from: from + label.length, to };
  }
  return undefined;
}

/** One, or a list of them. */
function verbsIn(source: Source, where: Span | undefined): readonly string[] {
  if (where === undefined) return [];
  const text = source.readable.slice(where.from, Math.min(where.to, where.from + 200));
  if (!/^\s*(?:["'`]|\[)/.test(text)) return [];
  return methodsIn(text);
}

/** NestJS: `@Get(':id')` below `@Controller('carts')`. */
function* controllers(source: Source): Iterable<Found> {
  const prefixes: { readonly at: number; readonly prefix: string }[] = [];
  for (const match of inCode(
    source,
    /@Controller\(\s{0,20}(?:\{[^{}]{0,200}?\bpath:\s{0,5})?(?:\[\s{0,5})?(?:["'`]([^"'`\n]{0,200})["'`])?/g,
  )) {
    prefixes.push({ at: match.index, prefix: match[1] === undefined ? '' : (normalPath(match[1], true)?.path ?? '') });
  }
  for (const match of inCode(
    source,
    /@(Get|Post|Put|Patch|Delete|Head|Options|All)\(\s{0,20}(?:\[\s{0,5})?(?:["'`]([^"'`\n]{0,200})["'`])?/g,
  )) {
    const around = prefixes.findLast(one => one.at < match.index);
    if (around === undefined) continue;
    const path = match[2] === undefined || match[2] === '' ? '/' : (normalPath(match[2], true)?.path ?? '/');
    yield { kind: 'route', at: match.index, method: methodOf(match[1]!), path: below(around.prefix, path) };
  }
}

/** Routes that files are by where they lie. */
function* ofFile({ path, code }: Source): Iterable<Found> {
  const [, app] = /(?:^|\/)app\/((?:[^/]{1,100}\/){0,20})route\.[jt]sx?$/.exec(path) ?? [];
  const [, page] = /(?:^|\/)pages\/(api(?:\/[^/]{1,100}){0,20})\.[jt]sx?$/.exec(path) ?? [];
  const [, kit] = /(?:^|\/)src\/routes\/((?:[^/]{1,100}\/){0,20})\+server\.[jt]s$/.exec(path) ?? [];
  const [, nuxt, verb] =
    /(?:^|\/)server\/((?:api|routes)(?:\/[^/.]{1,100}){1,20}?)(?:\.(get|post|put|patch|delete))?\.[jt]s$/.exec(path) ??
    [];
  if (page !== undefined) yield { kind: 'route', at: 0, method: '', ...fileRoute(page.replace(/\/index$/, '')) };
  if (nuxt !== undefined && /\b(?:defineEventHandler|eventHandler|defineCachedEventHandler)\b/.test(code)) {
    yield {
      kind: 'route',
      at: 0,
      method: methodOf(verb ?? ''),
      ...fileRoute(nuxt.replace(/^routes\//, '').replace(/\/index$/, '')),
    };
  }
  const folder = app ?? kit;
  if (folder === undefined) return;
  for (const match of code.matchAll(
    /\bexport\s{1,10}(?:async\s{1,10})?(?:function|const)\s{1,10}(GET|POST|PUT|PATCH|DELETE|HEAD)\b/g,
  )) {
    yield { kind: 'route', at: match.index, method: match[1]!, ...fileRoute(folder) };
  }
}

/** Folders in parentheses, and slots, are none of the path. */
function fileRoute(folder: string): { readonly path: string } {
  const segments = folder.split('/').filter(part => part !== '' && !/^\(.*\)$|^@/.test(part));
  return { path: normalPath(`/${segments.join('/')}`)?.path ?? '/' };
}
