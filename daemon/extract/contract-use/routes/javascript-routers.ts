import { importsIn } from '../languages/javascript-imports.ts';
import { perSource } from '../text/per-source.ts';
import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf } from './forms.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** `const r = express.Router()`, `new Router({ prefix: '/v1' })` of Koa, `f: FastifyInstance`, by what the file imports. */
export const routersIn = receiversBy(
  [
    /(?<![\w$.])(?<name>[A-Za-z_$][\w$]{0,60})\s{0,5}\??:\s{0,5}(?<type>(?:\w{1,60}\.)?[A-Z]\w{0,80})/g,
    /(?<![\w$.])(?:this\.)?(?<name>[A-Za-z_$][\w$]{0,60})\s{0,5}(?::\s{0,5}[\w.]{1,60}\s{0,5})?=\s{0,5}(?:await\s{1,5}|new\s{1,5}){0,2}(?!require\b)(?<type>[A-Za-z_$][\w$.]{0,80})\s{0,5}(?:<[^<>()]{0,100}>)?\(/g,
    /(?<![\w$.])(?<name>[A-Za-z_$][\w$]{0,60})\s{0,5}=\s{0,5}(?:new\s{1,5})?require\(\s{0,5}["'](?<type>[\w@/-]{1,60}["']\s{0,5}\)(?:\.\w{1,40})?)\s{0,5}\(/g,
  ],
  (type, source) => {
    const [, inline, called] = /^([\w@/-]+)["']\s*\)(?:\.(\w+))?$/.exec(type) ?? [];
    if (inline !== undefined) return isRouter(inline, called ?? 'default');
    const [, holder, member] = /^([\w$]+)(?:\.(\w+))?$/.exec(type) ?? [];
    return importsIn(source).some(one => one.name === holder && isRouter(one.module, member ?? one.member));
  },
);

function isRouter(module: string, member: string): boolean {
  return (
    (frameworks.test(module) || /^https:\/\/deno\.land\/x\/(?:oak|hono)\b/.test(module)) &&
    /^(?:default|\*|I?Router|RouterType|AutoRouter|Express|Application|[fF]astify|FastifyInstance|Hono|OpenAPIHono|[sS]erver|createServer|polka|App)$/.test(
      member,
    )
  );
}

const frameworks =
  /^(?:express|express-promise-router|@koa\/router|koa-router|fastify|hono|@hono\/zod-openapi|@hapi\/hapi|restify|polka|itty-router|@tinyhttp\/app|@oak\/oak)$/;

/** What stands before the routes of a name: of its own, and where the same file mounts it. */
export function prefixesOf(source: Source, name: string, depth = 0): readonly string[] {
  const own = ownPrefixes(source).get(name) ?? '';
  const places = depth < 4 ? (mountsIn(source).get(name) ?? []) : [];
  if (places.length === 0) return [own];
  const prefixes = places.flatMap(({ parent, path }) =>
    prefixesOf(source, parent, depth + 1).map(prefix => joined(joined(prefix, path), own)),
  );
  return [...new Set(prefixes)].slice(0, 5);
}

function joined(prefix: string, path: string): string {
  return prefix === '' ? path : path === '' ? prefix : below(prefix, path);
}

/** `new Router({ prefix: '/v1' })`, `new Hono().basePath('/v1')`, `router.prefix('/v1')`. */
const ownPrefixes = perSource(source => {
  const found = new Map<string, string>();
  const add = (name: string, path: string): void => {
    const written = routersIn(source).has(name) ? normalPath(path)?.path : undefined;
    if (written !== undefined && written !== '/') found.set(name, written);
  };
  for (const match of inCode(
    source,
    /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,5}(?::\s{0,5}[\w.]{1,60}\s{0,5})?=\s{0,5}(?:new\s{1,5})?[\w$.]{1,80}(?:<[^<>()]{0,100}>)?(?:\(\s{0,20}\{[^{}]{0,200}?\b(?:prefix|base):\s{0,5}|\(\)\s{0,20}\.basePath\(\s{0,20})["'`]([^"'`\n]{1,200})["'`]/g,
  ))
    add(match[1]!, match[2]!);
  for (const match of inCode(
    source,
    /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,5}\.prefix\(\s{0,20}["'`]([^"'`\n]{1,200})["'`]/g,
  ))
    add(match[1]!, match[2]!);
  return found;
});

interface Mount {
  readonly parent: string;
  readonly path: string;
}

/** `app.use('/v1', auth, r)`, `router.use('/v1', r.routes())` of Koa, `app.route('/v1', r)` of Hono. */
const mountsIn = perSource(source => {
  const found = new Map<string, Mount[]>();
  if (routersIn(source).size === 0) return found;
  for (const match of inCode(source, /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,20}\.\s{0,5}(?:use|route)\s{0,5}\(/g)) {
    const [first, ...others] = argumentsAt(source, match.index + match[0].length - 1);
    if (first === undefined) continue;
    const isPath = /^\s{0,20}["'`]/.test(source.readable.slice(first.from, first.to));
    const path = isPath ? writtenPath(source, first.from, first.to)?.path : '';
    if (path === undefined) continue;
    for (const { from, to } of isPath ? others : [first, ...others]) {
      const [, name] =
        /^\s*([\w$]{1,60})(?:\.routes\(\))?\s*$/.exec(source.code.slice(from, Math.min(to, from + 200))) ?? [];
      if (name === undefined || name === match[1] || !routersIn(source).has(name)) continue;
      const places = found.get(name) ?? [];
      if (places.length < 5) places.push({ parent: match[1]!, path: path === '/' ? '' : path });
      found.set(name, places);
    }
  }
  return found;
});

/** `router.route('/carts/:id').get(one).put(change)`. */
export function* chainedRoutes(source: Source, isRouterName: (name: string) => boolean): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w$])([\w$]{1,100})\s{0,20}\.\s{0,5}route\s{0,5}\(/g)) {
    const open = match.index + match[0].length - 1;
    const given = argumentsAt(source, open);
    const [first] = given;
    if (first === undefined || given.length > 1 || !isRouterName(match[1]!)) continue;
    const written = writtenPath(source, first.from, first.to);
    if (written === undefined) continue;
    for (const { name, at } of callsBehind(source, open)) {
      if (!verbs.test(name)) continue;
      for (const prefix of prefixesOf(source, match[1]!))
        yield { kind: 'route', at, method: methodOf(name), path: joined(prefix, written.path) };
    }
  }
}

const verbs = /^(?:get|post|put|patch|delete|head|options|all)$/;

/** What is called on what a call gives, one after another. */
function* callsBehind(
  source: Source,
  open: number,
): Iterable<{ readonly name: string; readonly at: number; readonly open: number }> {
  let end = closingOf(source, open);
  for (let i = 0; i < 60 && end >= 0; i++) {
    const [call, name] = /^\s{0,200}\.\s{0,5}(\w{1,40})\s{0,5}\(/.exec(source.code.slice(end, end + 260)) ?? [];
    if (call === undefined) return;
    const next = end + call.length - 1;
    yield { name: name!, at: end + call.indexOf('.'), open: next };
    end = closingOf(source, next);
  }
}

/** `app.get('/carts', h).post('/carts', h)`: the routes that are called on one. */
export function* routesBehind(source: Source, open: number, prefixes: readonly string[]): Iterable<Found> {
  let base = '';
  for (const call of callsBehind(source, open)) {
    const [first, second] = argumentsAt(source, call.open);
    const isString = first !== undefined && /^\s{0,100}["'`]/.test(source.readable.slice(first.from, first.to));
    const written = isString ? writtenPath(source, first.from, first.to) : undefined;
    if (written === undefined) continue;
    if (call.name === 'basePath' && prefixes.length === 0) base = joined(base, written.path);
    if (second === undefined || !verbs.test(call.name)) continue;
    for (const prefix of prefixes.length === 0 ? [base] : prefixes)
      yield { kind: 'route', at: call.at, method: methodOf(call.name), path: joined(prefix, written.path) };
  }
}

/** `const app = new Hono().get('/carts', h)`, also where no name is given. */
export function* madeWithRoutes(source: Source): Iterable<Found> {
  if (!importsIn(source).some(({ name, module, member }) => /Hono$/.test(name) && isRouter(module, member))) return;
  for (const match of inCode(
    source,
    /(?:(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,5}=\s{0,5})?(?<![\w$])new\s{1,5}(?:OpenAPI)?Hono\s{0,5}(?:<[^()]{0,200}>)?\(/g,
  )) {
    const prefixes = match[1] === undefined ? [] : prefixesOf(source, match[1]);
    yield* routesBehind(source, match.index + match[0].length - 1, prefixes);
  }
}
