import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf } from './forms.ts';
import { segmentsOf } from './written-path.ts';

interface Directive {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** '' of one that has none. */
  readonly method: string;
  /** Undefined of one that has none. */
  readonly path?: string;
  /** Whether a path ends there. */
  readonly isWhole: boolean;
}

/**
 * Akka and Pekko: `pathPrefix("v1") { path("carts" / LongNumber) { id => get { … } } }`, with the method outside of the path as
 * well, or beside it: `(get & path("carts")) { … }`.
 */
export function* directiveRoutes(source: Source): Iterable<Found> {
  const directives = directivesIn(source);
  for (const one of directives) {
    const inner = directives.filter(other => one.from < other.at && other.at < one.to);
    const outer = directives.filter(other => other.from < one.at && one.at < other.to);
    const isInner =
      one.method === '' ? inner.some(({ method }) => method !== '') : inner.some(({ isWhole }) => isWhole);
    // A prefix alone is no route.
    if (isInner || (one.method === '' && !one.isWhole)) continue;
    const around = [...outer, one];
    const paths = around.map(({ path }) => path).filter(path => path !== undefined);
    const method = around.findLast(other => other.method !== '')?.method ?? '';
    if (paths.length > 0 && (paths.length > 1 || paths[0] !== ''))
      yield { kind: 'route', at: one.at, method, path: paths.reduce(below, '') };
  }
}

const mostDirectives = 400;

function directivesIn(source: Source): readonly Directive[] {
  const found: Directive[] = [];
  for (const match of inCode(
    source,
    /(?<![\w.])(?:(get|post|put|patch|delete|head|options)\s{0,5}\{|(path|pathPrefix|pathEnd|pathEndOrSingleSlash|pathSingleSlash)\b\s{0,5}(\(?))/g,
  )) {
    if (found.length >= mostDirectives) break;
    const [whole, verb, name, isOpen] = match;
    const end = match.index + whole.length;
    const close = verb !== undefined ? end - 1 : isOpen === '' ? end : closingOf(source, end - 1, 1_000);
    const [between] = /^[\s\w&).]{0,80}\{/.exec(source.code.slice(close, close + 82)) ?? [];
    if (close < 0 || between === undefined) continue;
    const from = close + between.length - 1;
    const path = verb === undefined ? (isOpen === '' ? '' : matched(source, end - 1)) : undefined;
    if (verb === undefined && path === undefined) continue;
    const before = /[\s(](get|post|put|patch|delete)\s{0,5}&\s{0,5}$/.exec(
      source.code.slice(Math.max(0, match.index - 30), match.index),
    )?.[1];
    const beside = verb ?? before ?? /&\s{0,5}(get|post|put|patch|delete)\b/.exec(between)?.[1] ?? '';
    const to = closingOf(source, from, 200_000);
    found.push({
      at: match.index,
      from,
      to: to < 0 ? source.code.length : to,
      method: methodOf(beside),
      ...(path === undefined ? {} : { path }),
      isWhole: name !== undefined && name !== 'pathPrefix',
    });
  }
  return found;
}

/** `"carts" / LongNumber / "lines"`. */
function matched(source: Source, open: number): string | undefined {
  const [first, second] = argumentsAt(source, open);
  if (first === undefined || second !== undefined) return undefined;
  const text = source.readable.slice(first.from, first.to);
  return /^[\s\w."/-]{1,300}$/.test(text) ? segmentsOf(text) : undefined;
}

/** http4s: `case GET -> Root / "carts" / LongVar(id) =>`, below `Router("/v1" -> routes)` of the same file. */
export function* caseRoutes(source: Source): Iterable<Found> {
  const blocks = blocksOfRouters(source);
  for (const match of inCode(
    source,
    /\bcase\s{1,5}(?:\w{1,60}\s{0,5}@\s{0,5}\(?\s{0,5})?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s{0,5}->\s{0,5}Root\b((?:\s{0,5}\/\s{0,5}(?:"[^"\n]{0,100}"|\w{1,60}(?:\([^()\n]{0,60}\))?)){0,20})/g,
  )) {
    const path = match[2] === '' ? '/' : segmentsOf(match[2]!);
    const prefix = blocks.findLast(({ from, to }) => from < match.index && match.index < to)?.prefix ?? '';
    if (path !== undefined)
      yield { kind: 'route', at: match.index, method: methodOf(match[1]!), path: below(prefix, path) };
  }
}

interface Routes {
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
}

function blocksOfRouters(source: Source): readonly Routes[] {
  const found: Routes[] = [];
  if (!/\bRouter\s{0,5}\(/.test(source.code)) return found;
  const prefixes = new Map<string, string>();
  for (const match of inCode(source, /"(\/[\w/.-]{0,200})"\s{0,5}->\s{0,5}(\w{1,100})/g))
    prefixes.set(match[2]!, match[1]!);
  for (const match of inCode(
    source,
    /\b(?:val|def)\s{1,5}(\w{1,100})[^=\n]{0,150}=\s{0,40}HttpRoutes\.of\w{0,20}(?:\[[^\][]{0,60}\])?\s{0,5}\{/g,
  )) {
    const from = match.index + match[0].length - 1;
    const to = closingOf(source, from, 200_000);
    const prefix = prefixes.get(match[1]!);
    if (prefix !== undefined && found.length < 100) found.push({ from, to: to < 0 ? source.code.length : to, prefix });
  }
  return found;
}
