import { descriptorsOf, lastDescriptorAt } from '../../model/identity.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { type DocumentSources, type Found, symbolsOf } from './found-symbols.ts';
import { grouped } from './grouped.ts';
import { outermostOf } from './outermost.ts';
import type { LivingSources } from './twins.ts';

/** Fewer words and signs are no evidence under another name in another place: what is short is often written twice. */
const fewestTokens = 24;
/** A name that more documents have tells too little to look for them. */
const mostBearers = 64;
const mostNames = 4;
/** Names that are looked up, and documents that are opened, for all symbols of one publication. */
const mostLookedUp = 256;
const mostOpened = 32;

/**
 * Tells of what may move by itself which others there are of its kind that say the same but for names: in the documents
 * that changed, those that take as many lines; in all others, those of what has members, by the members' names. undefined
 * of what can't move or says little, and where too many would have to be looked at.
 */
export function createNamelessTwins(
  after: readonly Found[],
  sources: DocumentSources & LivingSources,
): (one: Found) => readonly string[] | undefined {
  const changed = new Set(after.map(({ line }) => line.entry.path));
  const byForm = grouped(after, formOf);
  const inChanged = (one: Found): readonly Found[] =>
    (byForm.get(formOf(one)) ?? []).filter(other => isAlone(other) && isLike(one, other));
  const opened = new Map<string, readonly Found[]>();
  const open = (line: ManifestLine): readonly Found[] | undefined => {
    const known = opened.get(line.entry.path);
    if (known !== undefined || opened.size >= mostOpened) return known;
    const made = symbolsOf(line, sources).filter(isAlone);
    opened.set(line.entry.path, made);
    return made;
  };
  const namesakes = new Map<string, readonly ManifestLine[] | undefined>();
  const bearersOf = (name: string): readonly ManifestLine[] | undefined => {
    if (!namesakes.has(name) && namesakes.size < mostLookedUp) namesakes.set(name, sources.bearers(name, mostBearers));
    return namesakes.get(name);
  };
  const elsewhere = (one: Found): readonly Found[] | undefined => {
    const names = memberNames(one);
    if (names.length === 0) return [];
    let lines: readonly ManifestLine[] | undefined;
    for (const name of names) {
      const bearers = bearersOf(name);
      if (bearers === undefined) continue;
      const paths = new Set(bearers.map(({ entry }) => entry.path));
      lines = lines === undefined ? bearers : lines.filter(({ entry }) => paths.has(entry.path));
    }
    const found = lines?.flatMap(line => (changed.has(line.entry.path) ? [] : [open(line)]));
    if (found === undefined || found.includes(undefined)) return undefined;
    return found.flatMap(some => some!.filter(other => isLike(one, other)));
  };
  return one => {
    if (!isAlone(one) || one.bodies().moving(one.tail).tokens < fewestTokens) return undefined;
    const others = elsewhere(one);
    if (others === undefined) return undefined;
    return [...inChanged(one), ...others].flatMap(({ hash }) => (hash === one.hash ? [] : [hash]));
  };
}

/** It stands in nothing but namespaces and modules. */
function isAlone({ tail, byTail }: Found): boolean {
  const { root, local } = outermostOf(tail, byTail);
  return root === tail && descriptorsOf(local).length === 1;
}

/** Kind and number of lines: to tell more, a body must be taken apart, and those of a whole file take milliseconds. */
function formOf({ sites }: Found): string {
  const lines = sites.map(({ range }) => range.endLine - range.startLine);
  return `${sites[0]!.kind}\0${lines}`;
}

function namelessOf(one: Found): string {
  return one.bodies().moving(one.tail).nameless;
}

function isLike(one: Found, other: Found): boolean {
  return one.sites[0]!.kind === other.sites[0]!.kind && namelessOf(one) === namelessOf(other);
}

/** Of what stands right in it, the longest ones, which fewest others bear: whatever says the same has them too. */
function memberNames({ tail, sites, byTail }: Found): readonly string[] {
  const names = new Set<string>();
  for (const [other, [site]] of byTail) {
    if (other.startsWith(tail) && other !== tail && lastDescriptorAt(other) === tail.length) names.add(site!.name);
  }
  names.delete(sites[0]!.name);
  return [...names].sort((a, b) => b.length - a.length).slice(0, mostNames);
}
