import type { ApiShape } from '../../../../model/openapi-schema.ts';
import type { FlatShapes } from './flat-shape.ts';
import { type Direction, type Holder, holder } from './found.ts';
import { nameOf } from './pointed-at.ts';

/** The shapes of two revisions while they are compared. */
export interface ShapePairs {
  readonly old: FlatShapes;
  readonly now: FlatShapes;
  /** Of each pair that a reference led to, by direction: it is compared once, and told once. */
  readonly holders: ReadonlyMap<Direction, Map<ApiShape, Map<ApiShape, Holder>>>;
  /** What is to be compared yet. */
  readonly tasks: PairTask[];
  /** Pairs that may still be compared. */
  left: number;
}

/** What one place holds in both revisions. */
export interface ShapePair {
  readonly direction: Direction;
  readonly old: ApiShape;
  readonly now: ApiShape;
  /** Behind the holder's name. */
  readonly where: string;
  /** The lines of what has the shape: of a property, not of its shape. */
  readonly before: number;
  readonly after: number;
}

export interface PairTask {
  readonly within: Holder;
  readonly pair: ShapePair;
}

const mostPairs = 500_000;

export function shapePairs(old: FlatShapes, now: FlatShapes): ShapePairs {
  return {
    old,
    now,
    holders: new Map([
      ['request', new Map()],
      ['response', new Map()],
    ]),
    tasks: [],
    left: mostPairs,
  };
}

/** Has a place compared, and what changed told of whatever holds it; what a reference names is told of that. */
export function compareShapes(pairs: ShapePairs, within: Holder, pair: ShapePair): void {
  if (--pairs.left < 0) return;
  const reference = pair.old.reference ?? pair.now.reference;
  if (reference === undefined) {
    pairs.tasks.push({ within, pair });
    return;
  }
  const byOld = pairs.holders.get(pair.direction)!;
  const [old, now] = [target(pairs.old, pair.old), target(pairs.now, pair.now)];
  const byNow = byOld.get(old) ?? new Map<ApiShape, Holder>();
  byOld.set(old, byNow);
  const known = byNow.get(now) ?? holder(nameOf(reference));
  within.shapes.add(known);
  if (byNow.has(now)) return;
  byNow.set(now, known);
  const inside = { ...pair, where: '', before: old.line, after: now.line };
  pairs.tasks.push({ within: known, pair: inside });
}

/** What the reference leads to, as far as it is in the document. */
function target(shapes: FlatShapes, shape: ApiShape): ApiShape {
  const { reference } = shape;
  return (reference === undefined ? undefined : shapes.schema.shapes.get(reference)) ?? shape;
}
