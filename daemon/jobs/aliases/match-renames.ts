import { prototypeOf } from '../../model/identity.ts';
import type { RepoPath } from '../../model/paths.ts';
import { bodyIn, containerOf, type Place, placeKey, uniqueBy } from './evidence-keys.ts';
import { renamedFiles } from './file-renames.ts';
import { movedBodies, movedUnderOtherNames } from './moved-bodies.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';
import { renamedContainers } from './renamed-containers.ts';

export interface Renamed {
  /** Old hash → new. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Files that were renamed with edits, old path → new. */
  readonly files: ReadonlyMap<RepoPath, RepoPath>;
}

/**
 * The symbols that are the same thing under another identity: the same content at another path; else the same container
 * and kind and the only ones with their body; else the only ones with their body under the same name in two files or
 * namespaces; else the only ones with their body but for names; else what has its name still in a file that was renamed
 * with edits; else the only ones that have most of their members in their file. What stood in something renamed or moved
 * goes with it where it stands there still: what went together is found from the outermost in.
 */
export function matchRenames(evidence: RenameEvidence): Renamed {
  const { gone, appeared } = evidence;
  const symbols = new Map<string, string>();
  const taken = new Set<string>();
  const renames = createRenames();
  const match = (old: SymbolEvidence, found: SymbolEvidence | undefined): void => {
    if (found === undefined || symbols.has(old.hash) || taken.has(found.hash)) return;
    symbols.set(old.hash, found.hash);
    taken.add(found.hash);
    renames.add(old, found);
  };
  const pair = (keyOfOld: (old: SymbolEvidence) => string, keyOfNew: (found: SymbolEvidence) => string): void => {
    const targets = uniqueBy(appeared, keyOfNew);
    for (const [key, old] of uniqueBy(gone, keyOfOld)) match(old, targets.get(key));
  };
  const moves = movedBodies(evidence);
  const renamedIn = (container: Place, one: SymbolEvidence): string =>
    moves.speakOf(one.hash) ? '' : bodyIn(container, one);
  const follow = (): void => {
    for (let known = -1; known < symbols.size; ) {
      known = symbols.size;
      pair(renames.place, place);
      pair(
        one => renamedIn(renames.follow(containerOf(one)), one),
        one => renamedIn(containerOf(one), one),
      );
    }
  };
  pair(fileOf, fileOf);
  follow();
  for (const { old, found } of moves.roots) match(old, found);
  follow();
  for (const { old, found } of movedUnderOtherNames(evidence)) match(old, found);
  follow();
  const files = renamedFiles(evidence, symbols);
  for (const tailOf of [wholeTail, localTail]) {
    pair(
      one => placeInFile(files.get(one.path), one, tailOf),
      one => placeInFile(one.path, one, tailOf),
    );
  }
  follow();
  const isSameFile = (old: SymbolEvidence, found: SymbolEvidence): boolean =>
    old.path === found.path || files.get(old.path) === found.path;
  for (const { old, found } of renamedContainers(evidence, isSameFile)) match(old, found);
  follow();
  return { symbols, files };
}

/** What was renamed or moved so far, and so where in the new tree something of the old one stands if nobody renamed it too. */
interface Renames {
  add(old: SymbolEvidence, found: SymbolEvidence): void;
  follow(place: Place): Place;
  place(old: SymbolEvidence): string;
}

function createRenames(): Renames {
  const places = new Map<string, Place>();
  const names = new Map<string, string>();
  const renamed = (text: string): string => text.replace(word, name => names.get(name) ?? name);
  const follow = (place: Place): Place => {
    if (place.tail === '' || places.size === 0) return place;
    const known = places.get(placeKey(place));
    if (known !== undefined) return known;
    const container = containerOf(place);
    const { scope, tail } = follow(container);
    const last = place.tail.slice(container.tail.length);
    // Types of parameters, and in a renamed class what bears its name: constructors, destructors.
    return { scope, tail: tail + (tail === container.tail ? last.replace(/\(.*\)/s, renamed) : renamed(last)) };
  };
  return {
    add(old, found) {
      places.set(placeKey(old), found);
      const { scope, tail } = found;
      places.set(placeKey({ scope: old.scope, tail: prototypeOf(old.tail) }), { scope, tail: prototypeOf(tail) });
      if (old.name !== found.name) names.set(old.name, found.name);
    },
    follow,
    place: old => `${old.kind}\0${placeKey(follow(old))}`,
  };
}

const word = /[\p{L}\p{N}_$]+/gu;

function place(one: SymbolEvidence): string {
  return `${one.kind}\0${placeKey(one)}`;
}

function fileOf({ file }: SymbolEvidence): string {
  return file;
}

function placeInFile(path: RepoPath | undefined, one: SymbolEvidence, tailOf: (one: SymbolEvidence) => string): string {
  return path === undefined ? '' : [path, one.kind, tailOf(one)].join('\0');
}

const wholeTail = ({ tail }: SymbolEvidence): string => tail;
/** A file that goes to another folder often says another namespace. */
const localTail = ({ local }: SymbolEvidence): string => local;
