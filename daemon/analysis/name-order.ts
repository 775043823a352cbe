/** Names in order, and which they are. */
export interface OrderedNames {
  readonly order: Uint32Array;
  readonly ordered: readonly string[];
}

/**
 * Lower-case names in order, and which they are, counted from `first`; most lists of a million come so. Those that begin
 * with the same character are sorted among themselves, one such group at a step.
 */
export function* inOrder(lower: readonly string[], first: number): Generator<void, OrderedNames> {
  const order = Uint32Array.from(lower, (_, index) => first + index);
  if (lower.every((name, index) => index === 0 || lower[index - 1]! <= name)) return { order, ordered: lower };
  const groups = alike(lower);
  let end = 0;
  for (const unit of [...groups.keys()].sort((a, b) => a - b)) {
    const group = groups.get(unit)!.sort((a, b) => compareText(lower[a]!, lower[b]!));
    for (const index of group) order[end++] = first + index;
    yield;
  }
  return { order, ordered: Array.from(order, name => lower[name - first]!) };
}

/** By their first unit, -1 for none, the indexes of names. */
function alike(names: readonly string[]): ReadonlyMap<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [index, name] of names.entries()) {
    const unit = name === '' ? -1 : name.charCodeAt(0);
    const known = groups.get(unit);
    if (known === undefined) groups.set(unit, [index]);
    else known.push(index);
  }
  return groups;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
