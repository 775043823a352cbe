import type { LinkedDocument } from './linked-documents.ts';
import type { LinkedRoute } from './route-references.ts';

/** What the references of a document come to, of names, files and routes alike: the counts of several documents may be added. */
export interface CountedReferences {
  readonly resolved: number;
  readonly stale: number;
  /** Those of which nobody can tell. */
  readonly unresolved: number;
}

export function countedReferences(
  { names, places }: Pick<LinkedDocument, 'names' | 'places'>,
  routes: readonly LinkedRoute[],
): CountedReferences {
  const kinds = [
    ...names.map(({ definition, stale }) => (definition !== undefined ? 'resolved' : stale ? 'stale' : 'open')),
    ...places.map(({ place }) => place.kind),
    ...routes.map(({ state }) => state.kind),
  ];
  const count = (asked: (typeof kinds)[number]): number => kinds.filter(kind => kind === asked).length;
  return { resolved: count('resolved'), stale: count('stale'), unresolved: count('open') };
}
