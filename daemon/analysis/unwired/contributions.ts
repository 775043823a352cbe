import type { GraphDocument } from '../../model/graph.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SpokenNames } from '../../model/wiring.ts';
import { hangsOnFolder, importedFiles } from './candidates.ts';
import { isOfC, overloadsByText } from './doubts.ts';
import type { Reach } from './reach.ts';
import { isExported, standsAlone } from './standing.ts';
import type { Wiring } from './wiring.ts';

/** What one document says about others. Places of documents and numbers of names, each as often as it is said. */
export interface Contribution {
  readonly byCode: readonly number[];
  /** Its folder, where it is loaded and that makes a difference to the others there. */
  readonly liveFolder: readonly string[];
  readonly wholeByTests: readonly number[];
  /** Names with uses outside tests that nothing settles. */
  readonly open: readonly (readonly [name: number, count: number])[];
  /** Names of imports that should lead into the repository and do not. */
  readonly missing: readonly string[];
  /** Of what is reached and stands by itself, in languages in which another may stand for it. */
  readonly reachedNames: readonly number[];
  /** Words that code outside tests uses as members of something. */
  readonly members: Uint32Array;
  /** Names that code and settings say in texts, tests apart. */
  readonly spoken: Pick<SpokenNames, 'words' | 'affixes'>;
  /** Once, if code asks which classes are built from others. */
  readonly asksHeirs: readonly true[];
  /** Once, if an import of code in C, tests apart, leads to a file of the repository that nobody reads. */
  readonly unread: readonly true[];
}

export function contributionOf(
  place: number,
  wiring: Wiring,
  reach: Reach,
  spokenIn: (document: GraphDocument) => SpokenNames,
): Contribution {
  const { graph, imports, memberWords } = wiring.documents[place]!;
  const { openNames, openCounts, isTest, language, symbols, names } = graph;
  const isNamed = (name: string): boolean => !/^(?:default|\*|)$/.test(name);
  const lost = imports.filter(({ isMissing, name }) => isMissing && isNamed(name));
  const isUnread = isOfC(graph) && !isTest && wiring.imported(place).some(({ isUnread }) => isUnread);
  const alone = (symbol: number, at: number): boolean =>
    reach.isReached(symbol) && isExported(graph, at) && standsAlone(graph, at);
  return {
    ...importedFiles(wiring, place),
    liveFolder: hangsOnFolder(graph) && reach.isLive(place) ? [directoryOf(graph.path)] : [],
    open: isTest ? [] : Array.from(openNames, (name, index) => [name, openCounts[index]!] as const),
    missing: isTest ? [] : lost.map(({ name }) => name),
    reachedNames: overloadsByText.has(language)
      ? Array.from(symbols).flatMap((symbol, at) => (alone(symbol, at) ? [names[at]!] : []))
      : [],
    members: isTest ? noWords : memberWords,
    spoken: isTest ? nothingSpoken : spokenIn(graph),
    asksHeirs: !isTest && spokenIn(graph).heirs === 'all' ? [true] : [],
    unread: isUnread ? [true] : [],
  };
}

const noWords = new Uint32Array();
const nothingSpoken = { words: noWords, affixes: [] };

/** What all documents say together. */
export class Counts {
  readonly byCode = new Occurrences<number>();
  readonly liveFolders = new Occurrences<string>();
  readonly wholeByTests = new Occurrences<number>();
  readonly open = new Occurrences<number>();
  readonly missing = new Occurrences<string>();
  readonly reachedNames = new Occurrences<number>();
  readonly members = new Occurrences<number>();
  readonly spoken = new Occurrences<number>();
  readonly affixes = new Occurrences<string>();
  readonly asksHeirs = new Occurrences<true>();
  readonly unread = new Occurrences<true>();

  /** Tells which files are imported now and were not, or the other way round, and in which folders files are loaded. */
  put(now: Contribution, before: Contribution | undefined): Differing {
    const folders = new Set([...(before?.liveFolder ?? []), ...now.liveFolder]);
    const liveFolders = new Set([...folders].filter(folder => this.liveFolders.has(folder)));
    const files = [...(before?.byCode ?? []), ...now.byCode];
    const states = (): readonly string[] =>
      files.map(file => `${this.byCode.has(file)} ${this.wholeByTests.has(file)}`);
    const known = states();
    for (const [one, by] of [
      [before, -1],
      [now, 1],
    ] as const) {
      if (one === undefined) continue;
      for (const file of one.byCode) this.byCode.add(file, by);
      for (const folder of one.liveFolder) this.liveFolders.add(folder, by);
      for (const file of one.wholeByTests) this.wholeByTests.add(file, by);
      for (const [name, count] of one.open) this.open.add(name, by * count);
      for (const name of one.missing) this.missing.add(name, by);
      for (const name of one.reachedNames) this.reachedNames.add(name, by);
      for (const word of one.members) this.members.add(word, by);
      for (const word of one.spoken.words) this.spoken.add(word, by);
      for (const affix of one.spoken.affixes) this.affixes.add(affix, by);
      for (const each of one.asksHeirs) this.asksHeirs.add(each, by);
      for (const each of one.unread) this.unread.add(each, by);
    }
    return {
      places: states().flatMap((state, index) => (state === known[index] ? [] : [files[index]!])),
      folders: [...folders].filter(folder => this.liveFolders.has(folder) !== liveFolders.has(folder)),
    };
  }
}

interface Differing {
  readonly places: readonly number[];
  readonly folders: readonly string[];
}

class Occurrences<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  keys(): Iterable<Key> {
    return this.#counts.keys();
  }

  has(key: Key): boolean {
    return this.#counts.has(key);
  }

  add(key: Key, by: number): void {
    const count = this.of(key) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
