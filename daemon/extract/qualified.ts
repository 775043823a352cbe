/** Packages nest no deeper than this where a name is looked at as written in full. */
const maxPath = 16;

/**
 * The identifiers of a path like `a.b.C` in their order, as far as they are names alone; none of any other expression.
 * `partsOf` gives what a node is a path of: itself, an identifier; what it qualifies and the last name; nothing.
 */
export function qualifiedBy(node: number, partsOf: (node: number) => readonly number[]): readonly number[] {
  const path: number[] = [];
  for (let at = node; path.length < maxPath; ) {
    const parts = partsOf(at);
    const [first = -1, last = -1] = parts;
    if (parts.length === 1) return [first, ...path];
    if (parts.length !== 2 || partsOf(last).length !== 1) return [];
    path.unshift(last);
    at = first;
  }
  return [];
}

/** Whether all of some names are such as packages have by custom: no type's begins with a small letter. */
export function namesPackages(names: readonly string[]): boolean {
  return names.length > 0 && names.every(name => /^[\p{Ll}_]/u.test(name));
}
