import type { TProperties } from 'typebox';
import { nearest } from '../client/protocol/nearest.ts';
import {
  fieldInPath,
  type HttpBinding,
  type HttpMethod,
  inputFields,
  type Operation,
  pathFields,
  publicPath,
  repositoryFields,
} from '../client/protocol/operation.ts';
import { type OperationName, operationNames, operations } from '../client/protocol/registry.ts';
import type { Group } from './answer.ts';

/** An operation as HTTP reaches it. */
export interface Route {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly binding: HttpBinding;
  readonly pattern: RegExp;
  /** The names of the template's fields, in order. */
  readonly fields: readonly string[];
  /** Every field that the operation takes, and those of them that it reads from the query. */
  readonly inputs: TProperties;
  readonly queryInputs: TProperties;
  /** The patterns that HTTP demands of fields beyond their schema. */
  readonly demands: ReadonlyMap<string, RegExp>;
}

export type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly rawFields: readonly string[] }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined };

/**
 * Finds the route of a path as it stands on the request line, still percent-encoded. The table is our own because ids
 * hold slashes anywhere in a path (`/daemon/repos/acme/x/trust`), which prefix-tree routers can't express, and because
 * 405 and the nearest path want the same table. Where several templates fit, the one with most literal text wins.
 */
export function matchRoute(method: string, path: string): Match {
  const asked = method === 'HEAD' ? 'GET' : method;
  const fixed = fixedRoutes.get(path);
  const found = fixed?.find(route => route.binding.method === asked);
  if (found !== undefined) return { kind: 'route', route: found, rawFields: [] };
  const fitting = [...(fixed ?? [])];
  for (const route of openRoutes) {
    const match = route.pattern.exec(path);
    if (match === null) continue;
    if (route.binding.method === asked) return { kind: 'route', route, rawFields: match.slice(1) };
    fitting.push(route);
  }
  const methods = methodsAt(path, fitting);
  return methods === undefined
    ? { kind: 'unknown', nearest: nearestPath(path) }
    : { kind: 'wrong-method', allow: methods };
}

/** What a path takes by the one of some templates, the most literal first, that it is of; undefined where it is of none. */
function methodsAt(path: string, [best, ...others]: readonly Route[]): string | undefined {
  if (best === undefined || isAfterId(path, best)) return undefined;
  const same = others.filter(({ binding }) => binding.path === best.binding.path);
  return allowed([best, ...same].map(({ binding }) => binding.method));
}

/** Whether a path is something unknown of a repository: who encodes one slash of an id encodes all of them. */
function isAfterId(path: string, { binding, pattern }: Route): boolean {
  return binding.path === bareRepository && /%2f.*\//i.test(pattern.exec(path)![1]!);
}

const bareRepository = '/index/repos/:repo*';

/** Which part of the API a path belongs to, known or not. */
export function groupOf(path: string): Group {
  if (fixedRoutes.get(path)?.some(({ binding }) => binding.speaks === 'otlp')) return 'otlp';
  return /^\/index\/repos(?:\/|$)/.test(path) ? 'index' : 'core';
}

/** The methods that a path takes, for a preflight; undefined for an unknown path. */
export function allowedMethods(path: string): string | undefined {
  return methodsAt(path, [...(fixedRoutes.get(path) ?? []), ...openRoutes.filter(route => route.pattern.test(path))]);
}

export const routes: readonly Route[] = operationNames.flatMap(name => {
  const operation: Operation = operations[name];
  return operation.http === undefined ? [] : [routeOf(name, operation, operation.http)];
});

const fixedRoutes = new Map<string, Route[]>();
for (const route of routes) {
  if (route.fields.length > 0) continue;
  const path = route.binding.path;
  fixedRoutes.set(path, [...(fixedRoutes.get(path) ?? []), route]);
}

const openRoutes = routes
  .filter(route => route.fields.length > 0)
  .sort((a, b) => literalLength(b.binding.path) - literalLength(a.binding.path));

function routeOf(name: OperationName, operation: Operation, binding: HttpBinding): Route {
  const source = binding.path
    .split('/')
    .map(segment => {
      // Clients that encode each segment whole send the colon of `symbols:batchGet` so.
      if (!segment.startsWith(':')) return segment.replace(/[.]/g, '\\.').replace(':', '(?::|%3[Aa])');
      return segment.endsWith('*') ? '(.+)' : '([^/]+)';
    })
    .join('/');
  const inputs = inputFields(operation);
  // POST takes its fields from the body; where to look may be said in the query all the same.
  const queryInputs = binding.method !== 'POST' ? inputs : operation.scope === 'repository' ? repositoryFields : {};
  const pattern = new RegExp(`^${source}$`, 's');
  const demands = new Map<string, RegExp>();
  for (const [field, schema] of Object.entries(binding.fields ?? {})) {
    demands.set(field, new RegExp((schema as { readonly pattern: string }).pattern));
  }
  return { name, operation, binding, pattern, fields: pathFields(binding.path), inputs, queryInputs, demands };
}

function literalLength(template: string): number {
  return template.replace(fieldInPath, '').length;
}

function allowed(methods: readonly HttpMethod[]): string {
  const withHead = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set([...withHead, 'OPTIONS'])].join(', ');
}

function nearestPath(path: string): string | undefined {
  const segments = path.split('/');
  const templateOf = new Map<string, string>();
  for (const { binding } of routes) {
    const filled = binding.path.split('/').map((segment, at) => (segment.startsWith(':') && segments[at]) || segment);
    templateOf.set(filled.join('/'), publicPath(binding.path));
  }
  const found = nearest(path, templateOf.keys());
  return found === undefined ? undefined : templateOf.get(found);
}
