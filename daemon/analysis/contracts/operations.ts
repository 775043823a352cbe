import { appendTo } from '../../model/append-to.ts';
import type { OpenApiOutline } from '../../model/contract.ts';
import type { EdgeEvidence, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { anyMethod, operationKey } from './breaking/openapi/paths.ts';
import { evidenceOf } from './edge-list.ts';
import { type ApiDocument, normalisedPath, pathOf, pathsOf } from './routes.ts';

/** An operation of a document. */
export interface Operation {
  readonly document: ApiDocument;
  readonly method: string;
  /** As the document has it. */
  readonly path: string;
  readonly weight: number;
}

/** A route that is called or served, and one of the operations that it fits. */
export interface Fit {
  readonly use: PlacedUse;
  readonly operation: string;
  /** Of the operation. */
  readonly weight: number;
}

/** By path as others are held against it, with and without what stands before all of a document. */
export type OperationsByPath = ReadonlyMap<string, readonly Operation[]>;

export function operationsByPath(documents: readonly ApiDocument[]): OperationsByPath {
  const found = new Map<string, Operation[]>();
  for (const document of documents) {
    for (const { key, ...operation } of keyed(document.outline)) appendTo(found, key, { document, ...operation });
  }
  return found;
}

const keyed = keptBy((outline: OpenApiOutline) =>
  outline.operations.flatMap(({ method, path }) =>
    [...new Set(pathsOf(path, outline).map(normalisedPath))].map(key => ({
      ...{ key, method, path },
      weight: weightOf(normalisedPath(path)),
    })),
  ),
);

/** Where the document doesn't tell the method, and the route neither, any may be meant. */
export function fitTo(use: PlacedUse, { method, path, weight }: Operation): Fit {
  return { use, operation: operationKey({ method: method || use.method || anyMethod, path }), weight };
}

/** Each line once, with all that its routes fit. */
export function evidenceOfFits(fits: readonly Fit[]): readonly EdgeEvidence[] {
  const lines = new Map<string, { readonly use: PlacedUse; readonly operations: Set<string> }>();
  for (const { use, operation } of fits) {
    const key = `${use.line} ${use.at}`;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, { use, operations: new Set([operation]) });
    else known.operations.add(operation);
  }
  return [...lines.values()].map(({ use, operations }) => ({
    ...evidenceOf(use),
    operations: [...operations].sort(),
  }));
}

/** How much the path of a route tells: `/health` is everybody's, `/carts/{}/items` is not. */
export const weightOfUse = keptBy((use: PlacedUse): number => weightOf(pathOf(use)));

/** Of a path as others are held against it. */
function weightOf(path: string): number {
  const words = path.split('/').filter(segment => segment !== '' && segment !== '{}' && !/^v\d+$|^api$/.test(segment));
  if (words.length === 1 && everybodys.has(words[0]!)) return 0;
  return Math.min(words.length, 2) / 2;
}

/** One path of two words, or two paths of one. */
export const enough = 1;

const everybodys: ReadonlySet<string> = new Set([
  ...['health', 'healthz', 'healthcheck', 'ready', 'readyz', 'live', 'livez', 'status', 'metrics', 'ping', 'version'],
  ...['login', 'logout', 'users', 'user', 'search', 'info', 'config', 'docs', 'swagger', 'openapi.json'],
]);
