import { type GraphDocument, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { directoryOf } from '../../model/paths.ts';
import type { Finder, SpokenNames, WiredDocument } from '../../model/wiring.ts';
import { wordHash } from '../../model/word-hash.ts';
import type { Audience } from './audience.ts';
import { type Candidate, candidatesOf, hangsOnFolder, type LeftOut, leftOutOf } from './candidates.ts';
import { claimOf, type ExportedSymbol } from './claims.ts';
import { type Contribution, Counts, contributionOf } from './contributions.ts';
import { isCalledUnnamed, isOfC } from './doubts.ts';
import { foreignBase } from './foreign-bases.ts';
import { hearsayOf } from './hearsay.ts';
import { exportsByName, Reach, type Roots } from './reach.ts';
import type { Surroundings } from './surroundings.ts';
import { type IsClaimed, type Tally, tallyOf } from './tallies.ts';
import { withUsersDoubts } from './users-doubts.ts';
import { type Leads, Wiring } from './wiring.ts';

export interface UnwiredQuestion extends Leads {
  /** By path. What is the same object as before is taken for unchanged. */
  readonly documents: readonly GraphDocument[];
  /** The same object for as long as the surroundings hang on documents of Rust alone. */
  readonly model: object;
  surroundingsOf(documents: readonly WiredDocument[]): Surroundings;
  wired(document: GraphDocument): WiredDocument;
  /** Of a symbol that is defined in several files: whether it is this one that is shown. */
  isShownAt(site: GraphSite): boolean;
  /** How its name is written. */
  nameOf(site: GraphSite): string;
  /** Names that a document has in texts, pages and settings. */
  spokenIn(document: GraphDocument): SpokenNames;
  /** What has a definition found otherwise than by its name. */
  finderOf(site: GraphSite): Finder | undefined;
  /** Names of what a definition extends or implements that is somebody else's. */
  foreignBasesOf(site: GraphSite): readonly string[];
  /** Extensions of files in a document's package that import code and that nobody reads. */
  unreadNear(document: GraphDocument): readonly string[];
}

/** Exported symbols of a repository, kept from snapshot to snapshot. */
export class UnwiredExports {
  #kept: KeptExports | undefined;

  /**
   * All of them, by the paths of their files and as they stand there. Costs what the documents do that are otherwise than when it
   * was asked before, and those that hang on them; all of them, where documents came or went or the roots are others.
   */
  at(question: UnwiredQuestion): FoundExports {
    this.#kept = this.#kept?.follows(question) === true ? this.#kept : new KeptExports(question);
    return { exported: this.#kept.exported(question), leftOut: this.#kept.leftOut() };
  }
}

export interface FoundExports {
  readonly exported: readonly ExportedSymbol[];
  /** How many exported definitions are none of `exported` by the name of a folder, by that. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** What is kept while the same documents and roots are there. */
class KeptExports {
  #documents: readonly GraphDocument[];
  readonly #model: object;
  #surroundings: Surroundings;
  readonly #wiring: Wiring;
  readonly #reach: Reach;
  /** With what is offered, where anything is. */
  readonly #perhaps: Reach;
  readonly #counts = new Counts();
  readonly #contributed: Contribution[] = [];
  /** Places of documents of folders that count by what is loaded of them. */
  readonly #placesIn = new Map<string, number[]>();
  /** By place. */
  readonly #leftOut: (LeftOut | undefined)[] = [];
  /** By place. */
  readonly #candidates: Looked[][] = [];
  /** Places of what no root reaches and is a candidate, by symbol. */
  readonly #unwired = new Map<number, number>();
  /** Of what nothing reaches, by symbol. */
  readonly #tallies = new Map<number, Tally>();

  constructor(question: UnwiredQuestion) {
    const documents = question.documents.map(one => question.wired(one));
    this.#documents = question.documents;
    this.#model = question.model;
    this.#surroundings = question.surroundingsOf(documents);
    this.#wiring = new Wiring(documents, question);
    const { offered, ...roots } = this.#surroundings.roots;
    this.#reach = new Reach(this.#wiring, roots);
    this.#perhaps =
      offered.length === 0 ? this.#reach : new Reach(this.#wiring, { ...roots, open: [...roots.open, ...offered] });
    documents.forEach(({ graph }, place) => {
      if (!hangsOnFolder(graph)) return;
      const folder = directoryOf(graph.path);
      this.#placesIn.set(folder, [...(this.#placesIn.get(folder) ?? []), place]);
    });
    const places = documents.map((_, place) => place);
    for (const place of places) this.#contribute(place, question);
    for (const place of places) this.#look(place, question);
  }

  /** Brings it along; false where too much is otherwise. */
  follows(question: UnwiredQuestion): boolean {
    const { documents } = question;
    if (question.model !== this.#model || documents.length !== this.#documents.length) return false;
    const changed: number[] = [];
    for (let place = 0; place < documents.length; place++) {
      const [before, now] = [this.#documents[place]!, documents[place]!];
      if (before === now) continue;
      if (!isSameFile(before, now)) return false;
      changed.push(place);
    }
    if (changed.some(place => documents[place]!.language === 'rust')) {
      const surroundings = question.surroundingsOf(documents.map(one => question.wired(one)));
      if (!areSameRoots(surroundings.roots, this.#surroundings.roots)) return false;
      this.#surroundings = surroundings;
    }
    if (changed.length > 0) this.#change(changed, question);
    return true;
  }

  exported(question: UnwiredQuestion): readonly ExportedSymbol[] {
    const found = this.#candidates.flatMap((ofPlace, place) =>
      ofPlace.map((one): ExportedSymbol => (one.isWired ? one.symbol : this.#claimed(one, place, question))),
    );
    const isExported = this.#candidates.flatMap(ofPlace => ofPlace.map(one => one.isExported));
    const owners = new Map(this.#wiring.documents.map(one => [one.graph, one.owners]));
    const around = {
      ownersOf: (graph: GraphDocument) => owners.get(graph)!,
      sitesOf: (symbol: number) => this.#sitesOf(symbol),
    };
    return withUsersDoubts(found, around).filter((_, at) => isExported[at]);
  }

  leftOut(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const one of this.#leftOut) {
      if (one !== undefined && one.count > 0) counts.set(one.folder, (counts.get(one.folder) ?? 0) + one.count);
    }
    return counts;
  }

  #change(changed: readonly number[], question: UnwiredQuestion): void {
    const { documents } = question;
    const symbols = new Set<number>();
    for (const place of changed) {
      for (const symbol of this.#documents[place]!.symbols) symbols.add(symbol);
      for (const symbol of documents[place]!.symbols) symbols.add(symbol);
      this.#forgetTallies(this.#documents[place]!);
    }
    const affected = new Set(changed);
    const addSites = (symbol: number): void => this.#wiring.eachSite(symbol, place => affected.add(place));
    symbols.forEach(addSites);
    const reaches = this.#perhaps === this.#reach ? [this.#reach] : [this.#reach, this.#perhaps];
    const changes = reaches.map(reach => reach.changing(changed, symbols));
    const wired = changed.map(place => [place, question.wired(documents[place]!)] as const);
    this.#wiring.replace(new Map(wired), question);
    this.#documents = documents;
    symbols.forEach(addSites);
    for (const flipped of changes.map(finish => finish())) {
      for (const place of flipped.places) affected.add(place);
      flipped.symbols.forEach(addSites);
    }
    for (const place of affected) this.#forgetTallies(documents[place]!);
    for (const place of [...affected]) for (const other of this.#contribute(place, question)) affected.add(other);
    for (const place of affected) this.#look(place, question);
  }

  /** What a document uses and defines is used otherwise than before, and what that stands in. */
  #forgetTallies({ uses, symbols }: GraphDocument): void {
    for (const used of [...uses.targets, ...symbols]) {
      this.#tallies.delete(used);
      this.#wiring.eachSite(used, (place, at) => {
        const { graph, owners } = this.#wiring.documents[place]!;
        for (let outer = owners[at]!; outer >= 0; outer = owners[outer]!) this.#tallies.delete(graph.symbols[outer]!);
      });
    }
  }

  /** Puts in what a document says about others, for what it said before. Returns documents to which that makes a difference. */
  #contribute(place: number, { spokenIn }: UnwiredQuestion): readonly number[] {
    const before = this.#contributed[place];
    const now = contributionOf(place, this.#wiring, this.#reach, spokenIn);
    this.#contributed[place] = now;
    const { places, folders } = this.#counts.put(now, before);
    return [...places, ...folders.flatMap(folder => this.#placesIn.get(folder) ?? [])];
  }

  #isProduct(place: number): boolean {
    const { path } = this.#wiring.documents[place]!.graph;
    return this.#counts.byCode.has(place) || this.#counts.liveFolders.has(directoryOf(path));
  }

  #look(place: number, { nameOf, finderOf, isShownAt }: UnwiredQuestion): void {
    const one = this.#wiring.documents[place]!;
    const { graph } = one;
    const isWhole = this.#counts.wholeByTests.has(place) || this.#surroundings.isTakenByTests(graph);
    const candidates = candidatesOf(one, this.#isProduct(place));
    this.#leftOut[place] = candidates.length > 0 ? undefined : leftOutOf(one);
    const isShown = ({ at }: Candidate): boolean =>
      !this.#wiring.isShared(graph.symbols[at]!) || isShownAt({ in: graph, at });
    const looked = candidates.filter(isShown).flatMap(({ at, isExported }): readonly Looked[] => {
      const site = { in: graph, at };
      const symbol = { site, kind: kindOfDefinition(graph, at), claim: undefined };
      const isWired = isWhole || (isExported ? this.#isReached(site) : this.#reach.isReached(graph.symbols[at]!));
      if (isWired) return isExported ? [{ isWired, isExported, symbol }] : [];
      return [{ isWired, isExported, symbol, name: nameOf(site), finder: finderOf(site) }];
    });
    this.#list(place, looked);
  }

  #list(place: number, looked: Looked[]): void {
    for (const { symbol } of this.#candidates[place] ?? []) {
      const number = symbol.site.in.symbols[symbol.site.at]!;
      if (this.#unwired.get(number) === place) this.#unwired.delete(number);
    }
    for (const { isWired, symbol } of looked) {
      if (!isWired) this.#unwired.set(symbol.site.in.symbols[symbol.site.at]!, place);
    }
    this.#candidates[place] = looked;
  }

  #isClaimed(place: number, user: number): boolean {
    const { graph, owners } = this.#wiring.documents[place]!;
    for (let at = user; at >= 0; at = owners[at]!) if (this.#unwired.has(graph.symbols[at]!)) return true;
    return false;
  }

  /**
   * A file that lists its exports is asked for each of them by others: what it uses itself needs no export. In other languages
   * whatever reached code names is reached.
   */
  #isReached({ in: graph, at }: GraphSite): boolean {
    const symbol = graph.symbols[at]!;
    return exportsByName.has(graph.language) ? this.#reach.isTaken(symbol) : this.#reach.isReached(symbol);
  }

  #sitesOf(symbol: number): readonly GraphDocument[] {
    const found: GraphDocument[] = [];
    this.#wiring.eachSite(symbol, place => found.push(this.#wiring.documents[place]!.graph));
    return found;
  }

  /** Of whatever file declares it that of which least is known. */
  #audienceOf(symbol: number): Audience {
    const found = new Set(this.#sitesOf(symbol).map(graph => this.#surroundings.audienceOf(graph)));
    return leastKnown.find(one => found.has(one)) ?? 'nobody';
  }

  #tallyOf(symbol: number): Tally {
    const isClaimed: IsClaimed = (place, user) => this.#isClaimed(place, user);
    const known = this.#tallies.get(symbol) ?? tallyOf(symbol, this.#wiring, this.#reach, isClaimed);
    this.#tallies.set(symbol, known);
    return known;
  }

  /** Of what extends others' types, what values of these have by it: who uses that need not name what it stands in. */
  #extendingBy(symbol: number): readonly GraphSite[] {
    const found: GraphSite[] = [];
    this.#wiring.eachSite(symbol, (place, by) => {
      const { graph, extending } = this.#wiring.documents[place]!;
      for (const at of extending.get(by) ?? []) found.push({ in: graph, at });
    });
    return found;
  }

  #claimed(unwired: Unwired, place: number, question: UnwiredQuestion): ExportedSymbol {
    const { site, kind } = unwired.symbol;
    const { in: graph, at } = site;
    const symbol = graph.symbols[at]!;
    const { byCode, members, missing, open, reachedNames, unread } = this.#counts;
    const tally = this.#tallyOf(symbol);
    if (exportsByName.has(graph.language) && graph.isTest && isUsedElsewhere(tally)) return unwired.symbol;
    const extending = this.#extendingBy(symbol).map(question.nameOf);
    const names = [unwired.name, ...extending];
    const circumstances = {
      openUses: exportsByName.has(graph.language) ? missing.of(unwired.name) : open.of(graph.names[at]!),
      isLoaded: this.#reach.isLive(place) || (graph.isTest && byCode.has(place)),
      audience: this.#audienceOf(symbol),
      servesOffered: this.#perhaps.isReached(symbol) !== this.#reach.isReached(symbol),
      hasReachedNamesake: reachedNames.has(graph.names[at]!),
      isCalledOnOthers: extending.some(name => members.has(wordHash(name))),
      isCalledUnnamed: names.some(name => isCalledUnnamed(graph.language, name)),
      ...hearsayOf(site, names, { counts: this.#counts, wiring: this.#wiring, spokenIn: question.spokenIn }),
      isMacro: kind === 'macro' && isOfC(graph),
      includesUnread: isOfC(graph) && unread.has(true),
      foreignBase: foreignBase(symbol, this.#wiring, question.foreignBasesOf),
      unread: question.unreadNear(graph),
    };
    const grounds = Object.values(circumstances).join(' ');
    if (unwired.told?.tally !== tally || unwired.told.grounds !== grounds) {
      const claim = claimOf(tally, { site, kind, name: unwired.name, finder: unwired.finder, ...circumstances });
      unwired.told = { tally, grounds, symbol: { site, kind, claim } };
    }
    return unwired.told.symbol;
  }
}

const leastKnown: readonly Audience[] = ['unknown', 'somebody', 'everybody', 'nobody'];

/** A candidate as it is kept: without the claim about it. */
type Looked = Wired | Unwired;

interface Wired {
  readonly isWired: true;
  readonly isExported: boolean;
  readonly symbol: ExportedSymbol;
}

interface Unwired {
  readonly isWired: false;
  readonly isExported: boolean;
  readonly symbol: ExportedSymbol;
  readonly name: string;
  readonly finder: Finder | undefined;
  /** With the claim, and what that was made of. */
  told?: { readonly tally: Tally; readonly grounds: string; readonly symbol: ExportedSymbol };
}

/** Of tests' files tests are the users. */
function isUsedElsewhere({ tests, reached, unreached, unloaded }: Tally): boolean {
  return tests + reached + unreached + unloaded > 0;
}

function isSameFile(one: GraphDocument, other: GraphDocument): boolean {
  return (
    one.document === other.document &&
    one.path === other.path &&
    one.language === other.language &&
    one.isTest === other.isTest &&
    one.scope === other.scope
  );
}

function areSameRoots(one: Roots, other: Roots): boolean {
  return (['entries', 'modules', 'programs', 'open', 'offered', 'loaded'] as const).every(
    kind => one[kind].length === other[kind].length && one[kind].every((place, at) => place === other[kind][at]),
  );
}
