import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { assignedTo } from './assigned.ts';
import { type WrittenPath, writtenPath } from './written-path.ts';

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
  /** Where neither the pattern nor an argument tells it. */
  readonly method?: string;
  /** Whether paths may do without a slash before them. */
  readonly isRelative?: true;
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
      const found = routeOf(source, form, match);
      if (found !== undefined) yield found;
    }
  }
}

function routeOf(source: Source, form: RouteForm, match: RegExpExecArray): Found | undefined {
  const open = match.index + match[0].length - 1;
  const given = argumentsAt(source, open);
  const where = pathArgument(source, given, form.argument ?? 0);
  if (where === undefined || given.length < (form.least ?? 1)) return undefined;
  const path =
    writtenPath(source, where.from, where.to, form.isRelative) ??
    (form.kind === 'route-call' ? pathOfVariable(source, where, match.index) : undefined);
  if (path === undefined) return undefined;
  const method = form.methodArgument === undefined ? undefined : given[form.methodArgument];
  const told = method === undefined ? undefined : methodIn(source.readable.slice(method.from, method.to));
  return {
    kind: form.kind,
    at: match.index,
    method: told ?? methodOf(match.groups?.['method'] ?? form.method ?? ''),
    ...path,
  };
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
function pathArgument(source: Source, given: readonly Argument[], place: number): Argument | undefined {
  for (const { from, to } of given) {
    const [name] =
      /^\s{0,60}(?:url|uri|path|endpoint|requestUri|rule)\s{0,5}(?:=(?!=)|:(?!:))/.exec(
        source.code.slice(from, Math.min(to, from + 100)),
      ) ?? [];
    if (name !== undefined) return { from: from + name.length, to };
  }
  const where = given[place];
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

/** The path of a route below the prefix of what it stands in. */
export function below(prefix: string, path: string): string {
  const joined = `${prefix.replace(/^(?!\/|$)/, '/').replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
  return joined === '/' ? joined : joined.replace(/\/$/, '');
}
