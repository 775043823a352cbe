import type { GoneDefinition } from './definition-table.ts';

/** A definition that went, as far as it tells of its file. */
export type GoneFromFile = Pick<GoneDefinition, 'path' | 'goneAt' | 'replacedBy'>;

/** By each path the definitions that went from there last of all. `gone`: the newest last. */
export function goneByFile<Gone extends GoneFromFile>(gone: readonly Gone[]): ReadonlyMap<string, readonly Gone[]> {
  const files = new Map<string, Gone[]>();
  for (const one of gone) {
    const known = files.get(one.path);
    if (known?.[0]?.goneAt === one.goneAt) known.push(one);
    else files.set(one.path, [one]);
  }
  return files;
}

/**
 * The path that a file has now: more of what it defined than not is there, of that what has gone on at all. Undefined where it
 * went as a whole, for the greater part, or to several places alike. `successors`: where each of its definitions is now.
 */
export function newPathOf(successors: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const path of successors) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  const known = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [found] = [...counts].find(([, count]) => count * 2 > known && count * 2 >= successors.length) ?? [];
  return found;
}

/** Where a document is by now that was moved as it was, maybe several times; undefined where it is nowhere. `moved`: old path → new. */
export function newPlaceOf(
  path: string,
  moved: ReadonlyMap<string, string>,
  isFile: (path: string) => boolean,
): string | undefined {
  const seen = new Set<string>();
  for (let next = moved.get(path); next !== undefined && !seen.has(next); next = moved.get(next)) {
    if (isFile(next)) return next;
    seen.add(next);
  }
  return undefined;
}
