import type { RouteMention } from '../../model/mentions.ts';
import type { KnownRoute, SeenRoutes } from '../../model/routes.ts';

/** Routes that files of a repository tell of, as mentions are held against them. */
export interface RouteTable {
  readonly routes: readonly TableRoute[];
  /** Paths that routes may be mounted at, by their segments with slashes between. */
  readonly mounts: ReadonlySet<string>;
  /** Routes that were served once, and are not any more. */
  readonly gone: readonly TableRoute[];
  /** All that may serve was read. */
  readonly isWhole: boolean;
}

export interface TableRoute extends Pick<KnownRoute, 'method' | 'isOpen'> {
  /** In small letters; `{}` for each parameter. */
  readonly segments: readonly string[];
  /** As it was told. */
  readonly path: string;
  /** Of the file that tells it. */
  readonly file: string;
}

/** What a mention of a route comes to; `open`: nobody can tell. */
export type RouteState =
  | { readonly kind: 'resolved'; readonly file: string; readonly method: string; readonly path: string }
  | { readonly kind: 'stale'; readonly reason: 'route_deleted'; readonly suggestion: string | undefined }
  | { readonly kind: 'open' };

export type SeenFile = SeenRoutes & { readonly path: string };

const mostRoutes = 10_000;
const hole = '{}';
const open: RouteState = { kind: 'open' };

/** `gone`: what was served once. */
export function routeTable(files: readonly SeenFile[], isRead: boolean, gone: readonly KnownRoute[] = []): RouteTable {
  const routes: TableRoute[] = [];
  const mounts = new Set<string>();
  for (const { path: file, ...seen } of files) {
    for (const { method, path, isOpen } of seen.routes) {
      const more = isOpen === undefined ? {} : { isOpen };
      if (routes.length < mostRoutes) routes.push({ method, path, file, segments: segmentsOf(path), ...more });
    }
    for (const one of seen.mounts) mounts.add(segmentsOf(one).join('/'));
  }
  const went = gone.map(({ method, path }) => ({ method, path, file: '', segments: segmentsOf(path) }));
  return { routes, mounts, gone: went, isWhole: isRead && routes.length < mostRoutes };
}

function segmentsOf(path: string): readonly string[] {
  const parts = path.toLowerCase().split('/');
  return parts.filter(part => part !== '');
}

/** What a document's route is here. `isPast`: the document tells of another day, in which nothing is out of date. */
export function routeState(mention: RouteMention, table: RouteTable, isPast: boolean): RouteState {
  const segments = segmentsOf(mention.path);
  let isLoose = false;
  for (const route of table.routes) {
    if (!isMethod(route.method, mention.method)) continue;
    const fit = fitOf(route, segments, table.mounts);
    if (fit === 'whole') return { kind: 'resolved', file: route.file, method: route.method, path: route.path };
    isLoose ||= fit === 'loose';
  }
  const isTold = isPast || mention.isFar === true || /(?:^|\/)(?:\*{1,2}|\.{3})$/.test(mention.template);
  const near = nearRoutes(segments, table);
  if (isLoose || isTold || !table.isWhole) return open;
  if (near.length === 0 && !wasServed(mention, segments, table)) return open;
  return { kind: 'stale', reason: 'route_deleted', suggestion: suggested(mention, segments, near, table) };
}

function wasServed({ method }: RouteMention, segments: readonly string[], { gone, mounts }: RouteTable): boolean {
  return gone.some(route => isMethod(route.method, method) && fitOf(route, segments, mounts) === 'whole');
}

/** What serves GET answers HEAD, and servers answer OPTIONS by themselves. */
function isMethod(served: string, asked: string): boolean {
  return served === '' || served === asked || asked === 'OPTIONS' || (asked === 'HEAD' && served === 'GET');
}

/**
 * How a route fits the path that a document has. `whole`: it is that, or is it below where it may be mounted; `loose`: it might
 * be, where a parameter of the document stands for what the route has, or for what nobody can tell.
 */
function fitOf(
  { segments: own, isOpen, file }: TableRoute,
  asked: readonly string[],
  mounts: ReadonlySet<string>,
): 'whole' | 'loose' | 'none' {
  const before = asked.length - own.length;
  if (before < 0) return fitOfLonger(own, asked);
  const isBare = own.every(part => part === hole);
  const end = endFit(own, asked, before === 0 || isBare);
  if (end !== 'none' && (before === 0 || !isBare)) return end;
  if (end !== 'none' && isMountedAt(asked.slice(0, before), mounts)) return end;
  if (end !== 'none' && isNamedAfter(file, asked[before - 1]!)) return 'loose';
  return isOpen === true && isBeginning(own.slice(0, -1), asked) ? 'loose' : 'none';
}

/** Documents leave out what stands before all routes of an API. */
function fitOfLonger(own: readonly string[], asked: readonly string[]): 'whole' | 'loose' | 'none' {
  const before = own.length - asked.length;
  const end = endFit(own.slice(before), asked, false);
  return end === 'whole' && !own.slice(0, before).every(isGeneral) ? 'loose' : end;
}

/** The last segments, as many as the route has; of parts of paths (`isWhole` is false) one at least must be the same. */
function endFit(own: readonly string[], asked: readonly string[], isWhole: boolean): 'whole' | 'loose' | 'none' {
  const before = asked.length - own.length;
  let fit: 'whole' | 'loose' = 'whole';
  let isSame = isWhole;
  for (let at = own.length - 1; at >= 0; at--) {
    const [one, other] = [own[at]!, asked[before + at]!];
    isSame ||= one === other && one !== hole;
    if (one === other || isFilled(one, other)) continue;
    if (!isFilled(other, one)) return 'none';
    fit = 'loose';
  }
  return isSame ? fit : 'none';
}

/** Whether a segment with parameters may be another: `{}.json` and `42.json`. */
function isFilled(pattern: string, segment: string): boolean {
  if (pattern === hole) return true;
  const at = pattern.indexOf(hole);
  if (at < 0) return false;
  const tail = pattern.slice(pattern.lastIndexOf(hole) + hole.length);
  return segment.startsWith(pattern.slice(0, at)) && segment.endsWith(tail);
}

function isBeginning(own: readonly string[], asked: readonly string[]): boolean {
  return own.length > 0 && own.every((part, at) => isFilled(part, asked[at]!) || part === asked[at]);
}

/** A path that something is mounted at ends what comes before. */
function isMountedAt(before: readonly string[], mounts: ReadonlySet<string>): boolean {
  return before.some((_, at) => mounts.has(before.slice(at).join('/')));
}

/** `routes/users.ts` may be mounted at `/users`. */
function isNamedAfter(file: string, segment: string): boolean {
  const plain = segment.replace(/s$/, '');
  return plain.length > 2 && file.toLowerCase().includes(plain);
}

/** What many APIs begin with, which says nothing of whose it is. */
function isGeneral(segment: string): boolean {
  return (
    segment === hole ||
    /^(?:api|apis|rest|public|internal|external|v\d{1,3}(?:[._]\d{1,3})?(?:(?:alpha|beta)\d{0,2})?)$/.test(segment)
  );
}

/** Routes of the same first segment that says anything. */
function nearRoutes(asked: readonly string[], { routes }: RouteTable): readonly TableRoute[] {
  const first = asked.find(part => !isGeneral(part));
  if (first === undefined || first.includes(hole)) return [];
  return routes.filter(({ segments }) => segments.find(part => !isGeneral(part)) === first);
}

/** The same path with another method, or what has most segments in common with it. */
function suggested(
  mention: RouteMention,
  asked: readonly string[],
  near: readonly TableRoute[],
  { mounts }: RouteTable,
): string | undefined {
  const same = near.find(route => route.method !== '' && fitOf(route, asked, mounts) === 'whole');
  const found = same ?? closest(mention.method, asked, near);
  return found === undefined ? undefined : shownRoute(mention, found, same !== undefined);
}

function closest(method: string, asked: readonly string[], near: readonly TableRoute[]): TableRoute | undefined {
  const plain = (segments: readonly string[]): readonly string[] => segments.slice(firstOf(segments));
  const wanted = plain(asked);
  const score = ({ segments, method: served }: TableRoute): number => {
    const own = plain(segments);
    let alike = 0;
    for (let at = 0; at < Math.min(own.length, wanted.length); at++) {
      if (own[at] === wanted[at]) alike += 4;
      else if (own[at] === hole || wanted[at] === hole) alike += 1;
    }
    return alike - 2 * Math.abs(own.length - wanted.length) + (served === method ? 1 : 0);
  };
  return near.toSorted((a, b) => score(b) - score(a) || (a.path < b.path ? -1 : 1))[0];
}

/** A route with its parameters as the document calls them, and what that has before it. */
function shownRoute({ method, template }: RouteMention, route: TableRoute, isBelow: boolean): string {
  const written = template.split('/').filter(part => part !== '');
  const parts = route.path.split('/').filter(part => part !== '');
  const shift = isBelow ? written.length - parts.length : firstOf(written) - firstOf(parts);
  const shown = parts.map((part, at) => {
    const there = written[at + shift] ?? '';
    return part === hole && /^[:{<$*[]/.test(there) ? there : part;
  });
  return `${route.method === '' ? method : route.method} /${[...written.slice(0, Math.max(0, shift)), ...shown].join('/')}`;
}

/** Where the first segment stands that says anything. */
function firstOf(segments: readonly string[]): number {
  return segments.findIndex(part => !isGeneral(part.toLowerCase()));
}
