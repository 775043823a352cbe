import type { ManifestDelta } from '../../model/delta.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import { type DocumentSources, type Found, symbolsOf } from './found-symbols.ts';
import { grouped } from './grouped.ts';
import { outermostOf } from './outermost.ts';
import type { MovingBody } from './symbol-bodies.ts';

export interface LivingSources {
  /** The documents, as they are after a publication, that define something of a name, or did; undefined where it is more than `most`. */
  readonly bearers: (name: string, most: number) => readonly ManifestLine[] | undefined;
}

/** What so many files have is no evidence, whatever it says. */
const mostBearers = 8;

/**
 * Tells of symbols which others there are now of their kind, with their tail (but for namespaces) and their very body, as
 * `bodyOf` tells it; undefined where that takes too much looking. `mostOpened`: documents beside those of the delta; to
 * open one takes a millisecond, and an edit waits for it.
 */
export function createTwins(
  delta: ManifestDelta,
  sources: DocumentSources & LivingSources,
  { bodyOf, mostOpened }: { readonly bodyOf: (body: MovingBody) => string; readonly mostOpened: number },
): (one: Found) => readonly string[] | undefined {
  const opened = new Map<RepoPath, ReadonlyMap<string, readonly Found[]>>();
  let left = mostOpened + delta.size;
  const isTwin = (one: Found, other: Found): boolean =>
    other.hash !== one.hash && bodyOf(other.bodies().moving(other.tail)) === bodyOf(one.bodies().moving(one.tail));
  const open = (line: ManifestLine): ReadonlyMap<string, readonly Found[]> | undefined => {
    const known = opened.get(line.entry.path);
    if (known !== undefined) return known;
    if (left-- <= 0) return undefined;
    const made = byLocal(symbolsOf(line, sources));
    opened.set(line.entry.path, made);
    return made;
  };
  const namesakes = new Map<string, readonly ManifestLine[] | undefined>();
  const bearersOf = (name: string): readonly ManifestLine[] | undefined => {
    if (!namesakes.has(name)) namesakes.set(name, sources.bearers(name, mostBearers));
    return namesakes.get(name);
  };
  return one => {
    const { root, local } = outermostOf(one.tail, one.byTail);
    const twins: string[] = [];
    const lines = bearersOf(one.byTail.get(root)![0]!.name);
    if (lines === undefined) return undefined;
    for (const line of lines) {
      const others = open(line);
      if (others === undefined) return undefined;
      for (const other of others.get(keyOf(one, local)) ?? []) if (isTwin(one, other)) twins.push(other.hash);
    }
    return twins;
  };
}

function byLocal(symbols: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  return grouped(symbols, one => keyOf(one, outermostOf(one.tail, one.byTail).local));
}

function keyOf({ sites }: Found, local: string): string {
  return `${sites[0]!.kind}\0${local}`;
}
