/** What boxes have in common, so that they may have a colour in common. */
export interface Groups {
  readonly names: readonly string[];
  /** Of each box an index into the names, or -1. */
  readonly groupOf: readonly number[];
}

/** Colours that can be told apart. */
const mostGroups = 8;

/**
 * Groups by the outermost directory of which there are several. Where most would stand alone there are none; of more than
 * eight the largest have a name, and the others none.
 */
export function groupsOf(places: readonly (readonly string[])[]): Groups {
  const deepest = places.reduce((most, place) => Math.max(most, place.length), 0);
  for (let level = 1; level <= deepest; level++) {
    const sizes = new Map<string, number>();
    const keys = places.map(place => (place.length < level ? '' : place.slice(0, level).join('/')));
    for (const key of keys) if (key !== '') sizes.set(key, (sizes.get(key) ?? 0) + 1);
    const large = [...sizes].filter(([, size]) => size > 1);
    if (sizes.size < 2) continue;
    if (large.length < 2) break;
    large.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const names = large
      .slice(0, mostGroups)
      .map(([name]) => name)
      .sort();
    return { names, groupOf: keys.map(key => names.indexOf(key)) };
  }
  return { names: [], groupOf: places.map(() => -1) };
}
