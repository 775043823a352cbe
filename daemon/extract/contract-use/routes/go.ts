import { argumentsAt, chainBefore, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodIn, methodOf, type RouteForm, routesBy } from './forms.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** net/http, gorilla, chi, gin, echo, fiber; calls of net/http, resty and what looks like its clients. */
export function* goRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  if (!/http|gin|echo|chi\b|mux|fiber|resty/.test(source.text)) return;
  yield* routesBy(source, calls);
  yield* declared(source);
}

const calls: readonly RouteForm[] = [
  { kind: 'route-call', pattern: /(?<![\w.])http\.(?<method>Get|Post|PostForm|Head)\(/g },
  { kind: 'route-call', pattern: /(?<!\w)http\.NewRequest\(/g, argument: 1, methodArgument: 0 },
  { kind: 'route-call', pattern: /(?<!\w)http\.NewRequestWithContext\(/g, argument: 2, methodArgument: 1 },
  { kind: 'route-call', pattern: /(?<!\w)otelhttp\.(?<method>Get|Post|PostForm|Head)\(/g, argument: 1 },
  {
    kind: 'route-call',
    pattern: /\b(?:\w{0,60}[cC]lient|httpc|hc)\.(?<method>Get|Post|PostForm|Put|Patch|Delete|Head)\(/g,
  },
  {
    kind: 'route-call',
    pattern:
      /\bR\(\)(?:\s{0,20}\.\s{0,20}(?!Get|Post|Put|Patch|Delete)\w{1,40}\([^()]{0,300}\)){0,12}\s{0,20}\.\s{0,20}(?<method>Get|Post|Put|Patch|Delete|Head)\(/g,
  },
];

/** A group of routes: by the variable that holds it, or by the function that is given one. */
interface Group {
  readonly name: string;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
}

function* declared(source: Source): Iterable<Found> {
  const groups = groupsOf(source);
  const pattern =
    /\.(?<name>HandleFunc|Handle|HandlerFunc|Handler|Methods|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options|All|Method|MethodFunc|Match|PathPrefix|Path)\(/g;
  for (const match of inCode(source, pattern)) {
    const name = match.groups!['name']!;
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const holder = chainBefore(source.code, match.index);
    const isOther = /^(?:Methods|PathPrefix|Path|Handler|HandlerFunc)$/.test(name);
    if (
      isOther ||
      given.length < 2 ||
      (/^[A-Z][a-z]/.test(name) && !/^(?:Handle|Method|Match)/.test(name) && isClient(holder))
    )
      continue;
    const isSecond = /^(?:Method|MethodFunc|Match)$/.test(name) || (/^Handle$/.test(name) && given.length === 3);
    const where = given[isSecond ? 1 : 0]!;
    const literal = /^\s{0,20}["`](?:([A-Z]{3,7}) )?(?:[\w.-]{0,100})(\/[^"`\n]{0,300})["`]\s{0,10}$/.exec(
      source.readable.slice(where.from, where.to),
    );
    const written = literal === null ? writtenPath(source, where.from, where.to) : normalPath(literal[2]!);
    if (written === undefined) continue;
    const prefix = prefixOf(groups, holder.replace(/^.*\./, ''), match.index);
    const first = given[0]!;
    const method = isSecond
      ? (methodIn(source.readable.slice(first.from, first.to)) ?? '')
      : (literal?.[1] ?? (methodOf(name) || chained(source, match.index + match[0].length - 1)));
    yield { kind: 'route', at: match.index + 1, method, path: below(prefix, written.path) };
  }
}

function isClient(holder: string): boolean {
  return /(?:[cC]lient|http|resty|req)$/.test(holder);
}

/** gorilla: `.HandleFunc("/carts", h).Methods("GET")`. */
function chained(source: Source, open: number): string {
  const end = closingOf(source, open, 3_000);
  const [, methods] =
    end < 0 ? [] : (/^\s{0,20}\.\s{0,20}Methods\(([^()\n]{1,100})\)/.exec(source.readable.slice(end, end + 160)) ?? []);
  return methods === undefined ? '' : (methodIn(methods) ?? '');
}

function groupsOf(source: Source): readonly Group[] {
  const groups: Group[] = [];
  for (const match of inCode(
    source,
    /(?<!\w)(\w{1,80})\s{0,5}:?=\s{0,5}([\w.]{1,100})\.(?:Group|PathPrefix|Route|Party)\(\s{0,5}["`](\/[^"`\n]{0,200})["`]/g,
  )) {
    const outer = prefixOf(groups, match[2]!.replace(/^.*\./, ''), match.index);
    groups.push({
      name: match[1]!,
      prefix: below(outer, normalPath(match[3]!)?.path ?? '/'),
      from: match.index,
      to: source.code.length,
    });
    if (groups.length > 200) break;
  }
  for (const match of inCode(
    source,
    /(?<!\w)(\w{1,80})\.(?:Route|Mount|Group)\(\s{0,5}["`](\/[^"`\n]{0,200})["`]\s{0,5},\s{0,5}func\(\s{0,5}(\w{1,80})\b/g,
  )) {
    const open = source.code.indexOf('(', match.index);
    const outer = prefixOf(groups, match[1]!, match.index);
    const to = closingOf(source, open, 200_000);
    groups.push({
      name: match[3]!,
      prefix: below(outer, normalPath(match[2]!)?.path ?? '/'),
      from: match.index,
      to: to < 0 ? source.code.length : to,
    });
    if (groups.length > 400) break;
  }
  return groups;
}

/** Of the innermost group that has the name there; the last one that was made. */
function prefixOf(groups: readonly Group[], name: string, at: number): string {
  let prefix = '';
  for (const group of groups) if (group.name === name && group.from < at && at < group.to) prefix = group.prefix;
  return prefix;
}
