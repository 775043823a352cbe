import { declareLocal } from './declare.ts';
import type { Walk } from './walk.ts';

/** What `(a, b)` takes at a position out of a value: an element of a tuple, or what `Deconstruct` gives; of a record, a property. */
export function partOf({ facts }: Walk, value: number, position: number, count: number): number {
  const unknown = new Array<number>(count).fill(-1);
  // No extension: of a value of which nothing is known any would do.
  const own = facts.otherwise(facts.member(value, 'Deconstruct'), facts.unknown());
  const given = facts.parameter(facts.overload(own, unknown), position);
  return facts.otherwise(
    facts.member(value, `Item${position + 1}`),
    facts.otherwise(given, facts.parameter(value, position)),
  );
}

/** Declares the locals of `var (a, (b, c))`. */
export function declareParts(walk: Walk, pattern: number, value: number): void {
  const { tree } = walk;
  const parts = tree.namedChildren(pattern);
  parts.forEach((part, position) => {
    const taken = partOf(walk, value, position, parts.length);
    if (tree.kind(part) === 'tuple_pattern') declareParts(walk, part, taken);
    else declareLocal(walk, part, taken);
  });
}

/** What a part of `(var a, B b)` is given where that is assigned to or looped with; -1 elsewhere. */
export function givenPart(walk: Walk, part: number): number {
  const { tree, facts, values } = walk;
  const whole = tree.parent[part] ?? -1;
  if (tree.kind(whole) !== 'tuple_expression') return -1;
  const user = tree.parent[whole] ?? -1;
  const parts = tree.namedChildren(whole);
  const of = (value: number): number => partOf(walk, value, parts.indexOf(part), parts.length);
  if (tree.child(user, 'left') !== whole) return tree.kind(user) === 'argument' ? of(givenPart(walk, user)) : -1;
  const right = values.of(tree.child(user, 'right'));
  return of(tree.kind(user) === 'foreach_statement' ? facts.element(right) : right);
}
