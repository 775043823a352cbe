import type { ApiShape } from '../../../../model/openapi-schema.ts';
import { type FlatShapes, flat, isOrNull } from './flat-shape.ts';
import { type Direction, type Holder, holder } from './found.ts';
import { nameOf } from './pointed-at.ts';
import { nullChange } from './type-rules.ts';

/** The shapes of two revisions while they are compared. */
export interface ShapePairs {
  readonly old: FlatShapes;
  readonly now: FlatShapes;
  /** Of each pair that a reference led to, by direction: it is compared once, and told once. Parameters are for themselves. */
  readonly holders: ReadonlyMap<Role, Map<ApiShape, Map<ApiShape, Holder>>>;
  /** What is to be compared yet. */
  readonly tasks: PairTask[];
  /** Pairs that may still be compared. */
  left: number;
}

/** What is written as text, and what may be left out of a request as a whole, is held to rules of its own. */
type Role = Direction | 'text' | 'parameter' | 'text parameter';

/** What one place holds in both revisions. */
export interface ShapePair {
  readonly direction: Direction;
  /** Values stand in a URL as they are: 5 and "5" are the same there. */
  readonly isText?: boolean;
  /** It is a parameter that may be left out in both revisions. */
  readonly isOptional?: boolean;
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
      ['text', new Map()],
      ['parameter', new Map()],
      ['text parameter', new Map()],
    ]),
    tasks: [],
    left: mostPairs,
  };
}

/** Has a place compared, and what changed told of whatever holds it; what a reference names is told of that. */
export function compareShapes(pairs: ShapePairs, within: Holder, pair: ShapePair): void {
  if (--pairs.left < 0) return;
  const reference = pair.old.reference ?? pair.now.reference;
  if (reference === undefined || pair.old.leadsNowhere || pair.now.leadsNowhere) {
    pairs.tasks.push({ within, pair });
    return;
  }
  const byOld = pairs.holders.get(roleOf(pair))!;
  const { old, now } = withoutNull(pairs, within, pair);
  const byNow = byOld.get(old) ?? new Map<ApiShape, Holder>();
  byOld.set(old, byNow);
  const known = byNow.get(now) ?? holder(nameOf(reference));
  within.shapes.add(known);
  if (byNow.has(now)) return;
  byNow.set(now, known);
  const inside = { ...pair, old, now, where: '', before: old.line, after: now.line };
  pairs.tasks.push({ within: known, pair: inside });
}

function roleOf({ direction, isText, isOptional }: ShapePair): Role {
  if (isOptional) return isText ? 'text parameter' : 'parameter';
  return isText ? 'text' : direction;
}

/** What references lead to, where null may stand in their place: told here, since what they name knows nothing of it. */
function withoutNull(pairs: ShapePairs, within: Holder, pair: ShapePair): Pick<ShapePair, 'old' | 'now'> {
  const [old, now] = [target(pairs.old, pair.old), target(pairs.now, pair.now)];
  const [hadNull, hasNull] = [isOrNull(pair.old), isOrNull(pair.now)];
  if (hadNull === hasNull) return { old, now };
  const [was, is] = [hadNull || takesNull(pairs.old, old), hasNull || takesNull(pairs.now, now)];
  if (was !== is && was !== undefined && is !== undefined) {
    const { direction, where, before, after } = pair;
    const { id, severity, message } = nullChange(direction, where || within.name, is);
    const compatibility = severity === 'safe' ? [] : [direction];
    within.changes.push({ id: `${direction}-${id}`, severity, compatibility, where, message, before, after });
  }
  return { old: withoutMark(old), now: withoutMark(now) };
}

/** undefined where the types tell nothing of it. */
function takesNull(shapes: FlatShapes, shape: ApiShape): boolean | undefined {
  const { types, isNullable } = flat(shapes, shape);
  return types.length === 0 ? undefined : isNullable;
}

function withoutMark(shape: ApiShape): ApiShape {
  return shape.isNullable ? { ...shape, isNullable: false } : shape;
}

/** What the reference leads to, as far as it is in the document. */
export function target(shapes: FlatShapes, shape: ApiShape): ApiShape {
  const { reference } = shape;
  return (reference === undefined ? undefined : shapes.schema.shapes.get(reference)) ?? shape;
}
