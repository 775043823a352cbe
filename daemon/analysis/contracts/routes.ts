import type { OpenApiOutline } from '../../model/contract.ts';
import type { DeclaredContract, LinkedMember, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { usesOf } from './uses.ts';

/** An OpenAPI document of a repository. */
export interface ApiDocument {
  readonly member: string;
  readonly contract: DeclaredContract;
  readonly outline: OpenApiOutline;
}

/** By repository, and by path: the routes that it serves, tests aside. */
export type ServedRoutes = ReadonlyMap<string, ReadonlyMap<string, readonly PlacedUse[]>>;

export function servedRoutes(members: readonly LinkedMember[]): ServedRoutes {
  return new Map(
    members.map(({ uid, contracts }) => {
      const routes = usesOf(contracts, 'route').filter(({ isTest, path }) => !isTest && path !== undefined);
      return [uid, grouped(routes)];
    }),
  );
}

function grouped(routes: readonly PlacedUse[]): ReadonlyMap<string, readonly PlacedUse[]> {
  const byPath = new Map<string, PlacedUse[]>();
  for (const route of routes) {
    const path = pathOf(route);
    const known = byPath.get(path) ?? [];
    known.push(route);
    byPath.set(path, known);
  }
  return byPath;
}

/** Whether a repository serves a route. */
export function isServedBy(member: string, method: string, path: string, serving: ServedRoutes): boolean {
  const routes = serving.get(member)?.get(normalisedPath(path)) ?? [];
  return routes.some(route => isSameMethod(route.method ?? '', method));
}

export function isSameMethod(one: string, other: string): boolean {
  return one === '' || other === '' || one === other;
}

/** An operation's path, without and with what stands before all of them. */
export function pathsOf(path: string, { basePaths }: OpenApiOutline): readonly string[] {
  return [...new Set(['', ...basePaths])].map(base => `${base.replace(/\/+$/, '')}${path}`);
}

/** The path of a route as others are held against it. */
export const pathOf = keptBy(({ path = '' }: PlacedUse): string => normalisedPath(path));

/** Parameters are alike, whatever they are called, and so are numbers; so are paths with and without a slash at their end. */
export function normalisedPath(path: string): string {
  return path
    .replace(/\{[^{}/]{0,200}\}|:[A-Za-z_]\w{0,200}|<[^<>/]{0,200}>|(?<=\/)\d{1,20}(?=\/|$)/g, '{}')
    .replace(/\/{1,10}$/, '')
    .toLowerCase();
}

/** Whether two documents say the same API: by its title, and half of what may be asked of the smaller one. */
export function isSameApi(one: ApiDocument, other: ApiDocument): boolean {
  if (titleWords(one.outline) !== titleWords(other.outline)) return false;
  const keys = new Set(operationKeys(one.outline));
  const shared = operationKeys(other.outline).filter(key => keys.has(key));
  return shared.length * 2 >= Math.min(keys.size, other.outline.operations.length);
}

export const titleWords = keptBy(({ title }: OpenApiOutline): string => wordsOf(title));

const operationKeys = keptBy(({ operations }: OpenApiOutline): readonly string[] =>
  operations.map(({ method, path }) => `${method} ${normalisedPath(path)}`),
);

export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .join(' ');
}

/** `cart-service` and `cart` are one. */
export function bareName(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters.length > 'service'.length ? letters.replace(/(?:service|svc|api)$/, '') : letters;
}
