import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { type RouteState, type RouteTable, routeState } from '../../analysis/docs/route-table.ts';
import { isOfItsDay } from '../../model/document-files.ts';
import type { RouteMention } from '../../model/mentions.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import type { DocsState } from './docs-state.ts';
import type { LinkedDocument } from './linked-documents.ts';

/** A route that a document mentions, and what it comes to. */
export interface LinkedRoute {
  readonly mention: RouteMention;
  readonly state: RouteState;
}

/** Different ones that are held against one table: what comes after them stays open. */
const mostHeld = 5000;

const held = new WeakMap<RouteTable, Map<string, RouteState>>();

export function linkedRoutes(
  of: AnalysedSnapshot,
  { routes }: DocsState,
  { path, said }: LinkedDocument,
): readonly LinkedRoute[] {
  if (said.routes.length === 0) return [];
  const table = routes.of(of);
  const known = held.get(table) ?? new Map<string, RouteState>();
  held.set(table, known);
  const isPast = isOfItsDay(path);
  return said.routes.map(mention => {
    const key = `${isPast} ${mention.isFar ?? false} ${mention.method} ${mention.template}`;
    const state = known.get(key) ?? (known.size < mostHeld ? routeState(mention, table, isPast) : { kind: 'open' });
    if (known.size < mostHeld) known.set(key, state);
    return { mention, state };
  });
}

/** As documents tell it; nothing of what stays open. */
export function routeReference(
  { mention, state }: LinkedRoute,
  context: string,
): OutputOf<Operations['docs.file']>['symbols'] {
  if (state.kind === 'open') return [];
  const shown = { ...placed(mention), context, kind: 'route' as const };
  if (state.kind === 'resolved') {
    const name = `${state.method === '' ? mention.method : state.method} ${state.path}`;
    return [{ ...shown, resolution: 'resolved', name, filePath: state.file }];
  }
  return [{ ...shown, resolution: 'stale', ...reasonOf(state) }];
}

export function staleRoute({
  mention,
  state,
}: LinkedRoute): OutputOf<Operations['docs.stale']>['reports'][number]['stale'] {
  return state.kind === 'stale' ? [{ ...placed(mention), kind: 'route', ...reasonOf(state) }] : [];
}

function placed({ rawText, line, column, endColumn, written, kind: source }: RouteMention) {
  return { rawText, line, column, endColumn, written, source };
}

function reasonOf({ reason, suggestion }: Extract<RouteState, { readonly kind: 'stale' }>) {
  return { reason, ...(suggestion === undefined ? {} : { suggestion }) };
}
