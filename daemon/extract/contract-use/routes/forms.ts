import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { assignedTo } from './assigned.ts';
import { servedPath, type WrittenPath, writtenPath } from './written-path.ts';

/**
 * A call that has a path among its arguments. The pattern ends with the parenthesis that opens them; its group `method`, where it
 * has one, is the method of HTTP, in any letter case.
 */
export interface RouteForm {
  readonly kind: 'route' | 'route-call';
  readonly pattern: RegExp;
  /** Which argument has the path, from 0; the first where it isn't said. */
  readonly argument?: number;
  /** Which argument has the method, as a string or as the last name of a constant. */
  readonly methodArgument?: number;
  /** How an argument begins that has a list of methods: each is a route. */
  readonly methodList?: RegExp;
  /** Where neither the pattern nor an argument tells it. */
  readonly method?: string;
  /** Whether paths may do without a slash before them. */
  readonly isRelative?: true;
  /** Whether an empty string is the path of what it stands in. */
  readonly allowsEmpty?: true;
  /** With fewer arguments it is something else. */
  readonly least?: number;
  /** What the group `receiver` of the pattern has to be one of, where any name may stand there. */
  readonly receivers?: (source: Source) => ReadonlySet<string>;
}

export function* routesBy(source: Source, forms: readonly RouteForm[]): Iterable<Found> {
  for (const form of forms) {
    const receivers = form.receivers?.(source);
    if (receivers?.size === 0) continue;
    for (const match of inCode(source, form.pattern)) {
      if (receivers?.has(match.groups!['receiver']!) === false) continue;
      yield* routesOf(source, form, match);
    }
  }
}

function* routesOf(source: Source, form: RouteForm, match: RegExpExecArray): Iterable<Found> {
  const open = match.index + match[0].length - 1;
  const given = argumentsAt(source, open);
  const where = pathArgument(source, given, form);
  if (where === undefined || given.length < (form.least ?? 1)) return;
  const path =
    (form.kind === 'route' ? servedPath : writtenPath)(source, where.from, where.to, form.isRelative) ??
    (form.allowsEmpty === true && /^\s*(?:""|'')\s*$/.test(source.readable.slice(where.from, where.to))
      ? { path: '/' }
      : undefined) ??
    (form.kind === 'route-call' ? pathOfVariable(source, where, match.index) : undefined);
  if (path === undefined) return;
  const method = form.methodArgument === undefined ? undefined : given[form.methodArgument];
  const told = method === undefined ? undefined : methodIn(source.readable.slice(method.from, method.to));
  const listed = form.methodList === undefined ? [] : methodsGiven(source, given, form.methodList);
  for (const one of listed.length > 0 ? listed : [told ?? methodOf(match.groups?.['method'] ?? form.method ?? '')])
    yield { kind: form.kind, at: match.index, method: one, ...path };
}

/** What an argument lists that begins so: `methods=['GET', 'PUT']`. */
export function methodsGiven(source: Source, given: readonly Argument[], label: RegExp): readonly string[] {
  const where = given.find(({ from, to }) => label.test(source.code.slice(from, Math.min(to, from + 200))));
  return where === undefined ? [] : methodsIn(source.readable.slice(where.from, Math.min(where.to, where.from + 300)));
}

/** `url = BASE + "/stock/" + id` where `url` is what is called, or what it has when it is filled in. */
function pathOfVariable(source: Source, { from, to }: Argument, at: number): WrittenPath | undefined {
  const [, name] =
    /^\s{0,60}\$?(\w{1,100})(?:\.(?:c_str\(\)|data\(\)|format\([^()]{0,150}\)))?\s{0,60}$/.exec(
      source.code.slice(from, Math.min(to, from + 300)),
    ) ?? [];
  const assigned = name === undefined ? undefined : assignedTo(source, name, at);
  return assigned === undefined ? undefined : writtenPath(source, assigned.from, assigned.to);
}

interface Argument {
  readonly from: number;
  readonly to: number;
}

/** The argument that is called `url` or the like, without its name; else the one at its place, if that has no name. */
function pathArgument(source: Source, given: readonly Argument[], form: RouteForm): Argument | undefined {
  for (const { from, to } of given) {
    const [label, name] =
      /^\s{0,60}(url|uri|path|endpoint|requestUri|rule)\s{0,5}(?:=(?!=)|:(?!:))/.exec(
        source.code.slice(from, Math.min(to, from + 100)),
      ) ?? [];
    // Of a route, it is what serves it.
    if (label !== undefined && !(form.kind === 'route' && name === 'endpoint'))
      return { from: from + label.length, to };
  }
  const where = given[form.argument ?? 0];
  if (where === undefined) return undefined;
  return /^\s{0,60}\w{1,40}\s{0,5}=(?![=>])/.test(source.code.slice(where.from, where.from + 120)) ? undefined : where;
}

/** A method of HTTP in capitals: `GET` of `get`, `getForObject`, `GetAsync` or `HttpMethod.Get`; '' for others. */
export function methodOf(name: string): string {
  const [, method] = /^(get|post|put|patch|delete|head|options)/i.exec(name) ?? [];
  return method?.toUpperCase() ?? '';
}

/** Of an expression: `"POST"`, `http.MethodPost`, `HttpMethod.POST`, `:post`. */
export function methodIn(expression: string): string | undefined {
  const [, method] =
    /(?:^|[^A-Za-z]|Method)(get|post|put|patch|delete|head|options)(?![a-z])/i.exec(expression.slice(0, 200)) ?? [];
  return method?.toUpperCase();
}

/** All that an expression lists: `["GET", "PUT"]`, `http.MethodGet, http.MethodPut`. */
export function methodsIn(expression: string): readonly string[] {
  const found = expression
    .slice(0, 300)
    .split(/[,|]/)
    .map(methodIn)
    .filter(one => one !== undefined);
  return [...new Set(found)];
}

/** The path of a route below the prefix of what it stands in. */
export function below(prefix: string, path: string): string {
  const joined = `${prefix.replace(/^(?!\/|$)/, '/').replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
  return joined === '/' ? joined : joined.replace(/\/$/, '');
}

/**
 * The usual routes of a resource, as frameworks make them of its name. Options may leave actions out: `only: [:index]`,
 * `'except' => ['destroy']`, `->only('show')`.
 */
export function* resourceRoutes(at: number, path: string, options: string, isSingle = false): Iterable<Found> {
  const one = isSingle ? path : below(path, '{}');
  const [, word, list = ''] =
    /\b(only|except)["']?\s{0,5}(?::|=>|\()\s{0,5}(%[iw]\[[^\][]{0,200}|\[[^\][]{0,200}|:\w{1,20}|["'][\w'", ]{1,100})/.exec(
      options,
    ) ?? [];
  const named = new Set([...list.matchAll(/\w{4,20}/g)].map(([name]) => name));
  const routes: readonly (readonly [string, string, RegExp])[] = [
    ...(isSingle ? [] : [['GET', path, /^index$/] as const]),
    ['POST', path, /^(?:create|store)$/],
    ['GET', one, /^show$/],
    ['PUT', one, /^update$/],
    ['PATCH', one, /^update$/],
    ['DELETE', one, /^(?:delete|destroy)$/],
  ];
  for (const [method, where, action] of routes) {
    const isNamed = [...named].some(name => action.test(name));
    if (word === undefined || isNamed === (word === 'only')) yield { kind: 'route', at, method, path: where };
  }
}
