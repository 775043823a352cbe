import { argumentsAt, chainBefore, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, methodsIn, type RouteForm, routesBy } from './forms.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** net/http, gorilla, chi, gin, echo, fiber, httprouter; calls of net/http, resty and what looks like its clients. */
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
    const holder = holderBefore(source.code, match.index);
    const first = given[0];
    if (name === 'Path' && given.length === 1 && ofGorilla.test(source.code)) {
      yield* pathOfGorilla(source, match.index, groups);
      continue;
    }
    const isOfThree = /^(?:Handle|Handler|HandlerFunc)$/.test(name) && given.length === 3;
    const isOther = /^(?:Methods|PathPrefix|Path|Handler|HandlerFunc)$/.test(name) && !isOfThree;
    if (
      first === undefined ||
      isOther ||
      given.length < 2 ||
      (/^[A-Z][a-z]/.test(name) && !/^(?:Handle|Method|Match)/.test(name) && isClient(holder))
    )
      continue;
    const isSecond = /^(?:Method|MethodFunc|Match)$/.test(name) || isOfThree;
    const where = given[isSecond ? 1 : 0]!;
    const literal = /^\s{0,20}["`](?:([A-Z]{3,7}) )?(?:[\w.-]{0,100})(\/[^"`\n]{0,300})["`]\s{0,10}$/.exec(
      source.readable.slice(where.from, where.to),
    );
    const written = literal === null ? writtenPath(source, where.from, where.to) : normalPath(literal[2]!);
    if (written === undefined) continue;
    const path = below(prefixOf(groups, holder, match.index), written.path);
    const own = literal?.[1] ?? methodOf(name);
    const listed = isSecond
      ? methodsIn(source.readable.slice(first.from, first.to))
      : own === ''
        ? chained(source, match.index + match[0].length - 1)
        : [own];
    for (const method of listed.length === 0 ? [''] : listed)
      yield { kind: 'route', at: match.index + 1, method, path };
  }
}

const ofGorilla = /\bmux\./;

/** gorilla: `r.Methods("GET").Path("/carts").Handler(h)`, in either order. */
function* pathOfGorilla(source: Source, at: number, groups: readonly Group[]): Iterable<Found> {
  const open = source.code.indexOf('(', at);
  const [first] = argumentsAt(source, open);
  const close = closingOf(source, open, 1_000);
  const written = first === undefined ? undefined : writtenPath(source, first.from, first.to);
  if (written === undefined || close < 0) return;
  if (!/^[\s\w."(),]{0,200}?\.\s{0,20}Handler(?:Func)?\(/.test(source.code.slice(close, close + 250))) return;
  const [, before] = /\.Methods\(([^()\n]{1,100})\)$/.exec(source.readable.slice(Math.max(0, at - 120), at)) ?? [];
  const listed = before === undefined ? chained(source, open) : methodsIn(before);
  const path = below(prefixOf(groups, holderBefore(source.code, at), at), written.path);
  for (const method of listed.length === 0 ? [''] : listed) yield { kind: 'route', at: at + 1, method, path };
}

/** What a call is made on: the name before, with what else is called on it between: `r` of `r.With(auth).Get`. */
function holderBefore(code: string, end: number): string {
  let at = end;
  for (let i = 0; i < 6 && code[at - 1] === ')'; i++) {
    const open = openingOf(code, at - 1);
    const called = open < 0 ? '' : chainBefore(code, open);
    if (called === '') return '';
    at = open - called.length + Math.max(0, called.lastIndexOf('.'));
  }
  return chainBefore(code, at).replace(/^.*\./, '');
}

/** The parenthesis that the one at `close` closes, or -1 where it is too far off. */
function openingOf(code: string, close: number): number {
  let depth = 0;
  for (let i = close; i >= 0 && close - i < 500; i--) {
    if (code[i] === ')') depth++;
    else if (code[i] === '(' && --depth === 0) return i;
  }
  return -1;
}

function isClient(holder: string): boolean {
  return /(?:[cC]lient|http|resty|req)$/.test(holder);
}

/** gorilla: `.HandleFunc("/carts", h).Methods("GET", "PUT")`. */
function chained(source: Source, open: number): readonly string[] {
  const end = closingOf(source, open, 3_000);
  const [, methods] =
    end < 0
      ? []
      : (/^(?:\s{0,20}\.\s{0,20}(?!Methods)\w{1,30}\([^()]{0,100}\)){0,3}\s{0,20}\.\s{0,20}Methods\(([^()\n]{1,100})\)/.exec(
          source.readable.slice(end, end + 400),
        ) ?? []);
  return methods === undefined ? [] : methodsIn(methods);
}

/** chi: `r.Mount("/admin", sub)`, `r.Mount("/admin", adminRoutes())`, where the file has these. */
function mountsOf(source: Source): readonly Group[] {
  const groups: Group[] = [];
  const functions = new Map<string, string>();
  for (const match of inCode(
    source,
    /\.Mount\(\s{0,5}["`](\/[^"`\n]{0,200})["`]\s{0,5},\s{0,5}(\w{1,80})(?:(\(\))|\s{0,5})\)/g,
  )) {
    const prefix = normalPath(match[1]!)?.path ?? '/';
    if (match[3] !== undefined) functions.set(match[2]!, prefix);
    else {
      const from = Math.max(0, source.code.lastIndexOf('\nfunc ', match.index));
      groups.push({ name: match[2]!, prefix, from, to: match.index });
    }
    if (groups.length > 100 || functions.size > 100) break;
  }
  for (const match of functions.size === 0 ? [] : inCode(source, /^func (\w{1,80})\(\)[^{\n]{0,100}\{/gm)) {
    const prefix = functions.get(match[1]!);
    const from = match.index + match[0].length - 1;
    const [, name] = /\b(\w{1,80})\s{0,5}:=\s{0,5}chi\.NewRouter\(/.exec(source.code.slice(from, from + 1_000)) ?? [];
    const to = closingOf(source, from, 200_000);
    if (prefix !== undefined && name !== undefined && to >= 0) groups.push({ name, prefix, from, to });
  }
  return groups;
}

function groupsOf(source: Source): readonly Group[] {
  const groups: Group[] = [...mountsOf(source)];
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
    /\.(?:Route|Mount|Group)\(\s{0,5}(?:["`](\/[^"`\n]{0,200})["`]\s{0,5},\s{0,5})?func\(\s{0,5}(\w{1,80})\b/g,
  )) {
    const open = source.code.indexOf('(', match.index);
    const outer = prefixOf(groups, holderBefore(source.code, match.index), match.index);
    const to = closingOf(source, open, 200_000);
    groups.push({
      name: match[2]!,
      prefix: match[1] === undefined ? outer : below(outer, normalPath(match[1])?.path ?? '/'),
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
