import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf } from './forms.ts';
import { clientsBy } from './receivers.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** fetch, axios, got, ky, undici and clients that look like them; Express, Koa, Fastify, Hono, hapi, NestJS, and files of Next.js, Nuxt and SvelteKit. */
export function* javascriptRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* fetches(source);
  yield* members(source);
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
    if (first === undefined || !/["'`/\w]/.test(source.readable[first.from] ?? '')) continue;
    const role = roleOf(source, holder!, given) ?? (ofAxios(source).has(holder!) ? 'route-call' : undefined);
    if (role === undefined) continue;
    const written = writtenPath(source, first.from, first.to);
    if (
      written === undefined ||
      (role === 'route' && !/^\s{0,20}["'`]/.test(source.readable.slice(first.from, first.to)))
    )
      continue;
    yield { kind: role, at: match.index, method: methodOf(name === 'del' ? 'delete' : name!), ...written };
  }
}

/** `const c = axios.create(…)`, `c: AxiosInstance`. */
const ofAxios = clientsBy(
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
  if (/^(?:app|router|server|fastify|instance|[\w$]{0,60}(?:[rR]outer|[rR]outes?|App|Server))$/.test(holder))
    return given.length > 1 ? 'route' : undefined;
  if (
    /(?:axios|http|[cC]lient|api|Api|API|request|got|ky|agent|[fF]etch(?:er)?|service|Service|superagent|[rR]est)$/i.test(
      holder,
    )
  ) {
    return /=>|\bfunction\b/.test(handed) && isHandler ? 'route' : 'route-call';
  }
  return undefined;
}

/** `axios({ url: '/carts', method: 'post' })`, `fastify.route({ method: 'GET', url: '/carts' })`, hapi's `server.route({ path })`. */
function* objects(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<![\w$])(?:(axios|request|ajax|\$\.ajax|uni\.request|wx\.request|[\w$]{0,40}(?:axios|http|client)(?:\.request)?|request)|([\w$]{1,60})\.route)\s{0,5}(?:<[^<>()]{0,100}>)?\(\s{0,20}(?=\{)/gi,
  )) {
    const open = match.index + match[0].trimEnd().length - 1;
    const [first] = argumentsAt(source, open);
    if (first === undefined) continue;
    const text = source.readable.slice(first.from, first.to);
    const field = /\b(?:url|path)\s{0,5}:\s{0,10}/.exec(source.code.slice(first.from, first.to));
    if (field === null) continue;
    const from = first.from + field.index + field[0].length;
    const written = writtenPath(source, from, fieldEnd(source.code, from, first.to));
    const [, method] = /\bmethod\s{0,5}:\s{0,5}\[?\s{0,5}["'`](\w{3,7})["'`]/.exec(text) ?? [];
    if (written !== undefined)
      yield {
        kind: match[2] === undefined ? 'route-call' : 'route',
        at: match.index,
        method: methodOf(method ?? ''),
        ...written,
      };
  }
}

function fieldEnd(code: string, from: number, most: number): number {
  let depth = 0;
  for (let i = from; i < most; i++) {
    const one = code[i]!;
    if ('([{'.includes(one)) depth++;
    else if (')]}'.includes(one) && --depth < 0) return i;
    else if (one === ',' && depth === 0) return i;
  }
  return most;
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
