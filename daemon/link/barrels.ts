import { familyOf } from '../model/families.ts';
import type { Manifest } from './manifest.ts';

/** What lies behind a barrel. */
export interface Offers {
  /** Names that are exported there, each with the files that export it in the order in which they are looked into. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Whether these are all names: whatever is handed on leads to a file, or to a dependency. */
  readonly areAll: boolean;
}

/** Files that a file exports wholesale, and whether it exports nothing else so but dependencies. */
export interface Handed {
  readonly files: readonly string[];
  readonly areAll: boolean;
}

/**
 * What lies behind barrels, remembered from linker to linker: a look at a hundred files, of which a save changes one. It
 * holds as long as the same files are there and their configuration says the same; of what else has changed it is mended.
 */
export type Barrels = Map<string, Barrel>;

interface Barrel extends Offers {
  readonly names: Map<string, readonly string[]>;
  /** By path, in the order in which they are looked into; the barrel first, of which nothing but its modules counts. */
  readonly visits: Map<string, Visit>;
}

interface Visit {
  readonly place: number;
  content: string;
  names: readonly string[];
  readonly handed: Handed;
}

/** What a gathering asks for. */
export interface BarrelSources {
  readonly manifest: Manifest;
  /** What a file exports wholesale; undefined where it takes an evaluation to know. */
  readonly handedBy: (path: string) => Handed | undefined;
}

/** What is exported behind a barrel; undefined where there is none, or it takes an evaluation to know what. */
export function offersBehind(path: string, sources: BarrelSources): Offers | undefined {
  const { barrels } = sources.manifest;
  const known = barrels.get(path);
  if (known !== undefined && isMended(known, sources)) return known;
  barrels.delete(path);
  const found = gather(path, sources);
  if (found === undefined || found.visits.size < 2) return undefined;
  if (!isRemembered(path, sources)) return found;
  barrels.set(path, found);
  let count = 0;
  for (const { names } of barrels.values()) count += names.size;
  for (const [oldest, { names }] of barrels) {
    if (count <= namesRemembered || oldest === path) break;
    barrels.delete(oldest);
    count -= names.size;
  }
  return found;
}

/** Names behind all of them together: some hundred bytes each. */
const namesRemembered = 100_000;

/** Languages whose modules are found by the paths of files and by configuration, and by nothing that code says. */
const remembered: ReadonlySet<string> = new Set(['ecmascript', 'python']);

function isRemembered(path: string, { manifest }: BarrelSources): boolean {
  return remembered.has(familyOf(manifest.document(path)?.facts.language ?? ''));
}

function gather(path: string, { manifest, handedBy }: BarrelSources): Barrel | undefined {
  const offers = new Map<string, readonly string[]>();
  let areAll = true;
  const visits = new Map<string, Visit>();
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (visits.has(at)) continue;
    const handed = handedBy(at);
    if (handed === undefined) return undefined;
    areAll &&= handed.areAll;
    const names = manifest.exportedNames(at);
    visits.set(at, { place: visits.size, content: manifest.contentOf(at), names, handed });
    const alone = [at];
    for (const name of at === path ? [] : names) {
      const others = offers.get(name);
      offers.set(name, others === undefined ? alone : [...others, at]);
    }
    pending.push(...handed.files.toReversed());
  }
  return { names: offers, areAll, visits };
}

/** Takes in what files behind a barrel export now; false where that may lead to other files. */
function isMended(barrel: Barrel, { manifest, handedBy }: BarrelSources): boolean {
  for (const [path, visit] of barrel.visits) {
    const content = manifest.contentOf(path);
    if (content === visit.content) continue;
    const names = manifest.exportedNames(path);
    if (names.includes('=') || visit.names.includes('=')) return false;
    const handed = handedBy(path);
    if (handed === undefined || handed.areAll !== visit.handed.areAll) return false;
    if (!isSame(handed.files, visit.handed.files)) return false;
    if (visit.place > 0 && !isSame(names, visit.names)) offerOtherwise(barrel, path, visit, names);
    visit.names = names;
    visit.content = content;
  }
  return true;
}

function offerOtherwise(
  { names: offers, visits }: Barrel,
  path: string,
  { place, names }: Visit,
  now: readonly string[],
): void {
  for (const name of new Set([...names, ...now])) {
    const others = (offers.get(name) ?? []).filter(other => other !== path);
    const next = others.findIndex(other => visits.get(other)!.place > place);
    others.splice(next < 0 ? others.length : next, 0, ...now.filter(one => one === name).map(() => path));
    if (others.length === 0) offers.delete(name);
    else offers.set(name, others);
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
