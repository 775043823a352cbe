import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf, type RouteForm, routesBy } from './forms.ts';
import { normalPath, servedPath, withHoles } from './written-path.ts';

/** Code whose routes have a prefix. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
}

/**
 * What stands in the braces behind a call, in its own parentheses, or in these and what is called on what it gives. The pattern ends with
 * the bracket that opens the arguments; the first of them is the prefix, unless the pattern has it as its group `path`.
 */
export function blocksIn(source: Source, pattern: RegExp, where: 'braces' | 'arguments' | 'chain'): readonly Block[] {
  const found: Block[] = [];
  for (const match of inCode(source, pattern)) {
    const open = match.index + match[0].length - 1;
    const [first] = argumentsAt(source, open);
    const text = match.groups?.['path'];
    const written =
      text !== undefined
        ? normalPath(withHoles(text), true)
        : first === undefined
          ? undefined
          : servedPath(source, first.from, first.to, true);
    if (written === undefined || found.length > 300) continue;
    const span =
      where === 'braces'
        ? bracesBehind(source, open)
        : where === 'chain'
          ? chainBehind(source, open)
          : spanAt(source, open);
    if (span !== undefined) found.push({ ...span, prefix: below(prefixAt(found, match.index), written.path) });
  }
  return found;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanAt(source: Source, open: number): Span {
  const to = closingOf(source, open, 200_000);
  return { from: open, to: to < 0 ? source.code.length : to };
}

function bracesBehind(source: Source, open: number): Span | undefined {
  const close = closingOf(source, open);
  const body = close < 0 ? -1 : source.code.slice(close, close + 60).search(/\{/);
  return body < 0 ? undefined : spanAt(source, close + body);
}

/** A call's arguments with what is called on what it gives: `(…).a(…).b(…)`, also with `->`. */
export function chainBehind(source: Source, open: number): Span | undefined {
  const from = closingOf(source, open);
  let to = from;
  for (let i = 0; i < 200 && to >= 0; i++) {
    const [call] = /^\s{0,500}(?:\.|->)\s{0,5}\w{1,60}\s{0,5}\(/.exec(source.code.slice(to, to + 600)) ?? [];
    if (call === undefined) break;
    to = closingOf(source, to + call.length - 1, 200_000);
  }
  return from < 0 ? undefined : { from: open, to: to < 0 ? source.code.length : to };
}

/** Of the innermost block around an offset; '' where there is none. */
export function prefixAt(blocks: readonly Block[], at: number): string {
  let prefix = '';
  for (const block of blocks) if (block.from < at && at < block.to) prefix = block.prefix;
  return prefix;
}

/**
 * Routes that stand in blocks of code which give them their prefix: `route("/carts") { get("/{id}") { … } }`. Both patterns end
 * with the parenthesis that opens the arguments.
 */
export function* nestedRoutes(source: Source, blocks: RegExp, routes: RegExp, isRelative = false): Iterable<Found> {
  const found = blocksIn(source, blocks, 'braces');
  for (const match of inCode(source, routes)) {
    const open = match.index + match[0].length - 1;
    const [first] = argumentsAt(source, open);
    const written =
      first === undefined ? undefined : servedPath(source, first.from, first.to, isRelative || found.length > 0);
    if (written === undefined) continue;
    yield {
      kind: 'route',
      at: match.index,
      method: methodOf(match.groups?.['method'] ?? ''),
      path: below(prefixAt(found, match.index), written.path),
    };
  }
}

/** Routes of forms, with the prefixes of the blocks around them. */
export function* routesBelow(source: Source, forms: readonly RouteForm[], blocks: readonly Block[]): Iterable<Found> {
  for (const found of routesBy(source, forms)) {
    const prefix = prefixAt(blocks, found.at);
    yield prefix === '' ? found : { ...found, path: below(prefix, found.path!) };
  }
}

/** Routes of forms with receivers, below where the file mounts these: the pattern has the groups `path` and `name`. */
export function* routesMounted(source: Source, forms: readonly RouteForm[], mounts: RegExp): Iterable<Found> {
  const prefixes = new Map<string, string>();
  for (const match of inCode(source, mounts)) {
    const path = normalPath(withHoles(match.groups!['path']!))?.path;
    if (path !== undefined && prefixes.size < 100) prefixes.set(match.groups!['name']!, path);
  }
  for (const found of routesBy(source, forms)) {
    const [, name] = /^(?:this\.)?(\w{1,60})/.exec(source.code.slice(found.at, found.at + 80)) ?? [];
    const prefix = prefixes.get(name ?? '');
    yield prefix === undefined ? found : { ...found, path: below(prefix, found.path!) };
  }
}
