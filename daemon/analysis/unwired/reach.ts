import { atTop, type GraphDocument, kindOfDefinition, kindOfUse } from '../../model/graph.ts';
import { isTestName } from '../../model/mount.ts';
import { Closure, type Fact, factOf, idOf, kindOf, type Rules } from '../graphs/closure.ts';
import { callable, isExported, isHolder } from './standing.ts';
import { isModule, type Wiring } from './wiring.ts';

/** Where code begins to run, and what is there for others. Documents by their places in the wiring. */
export interface Roots {
  /** Files that something loads by their name: whatever they define or export is reached. */
  readonly entries: readonly number[];
  /** Files that something starts or loads by their name and nobody imports from: whatever they define is reached. */
  readonly modules: readonly number[];
  /** Files that programs begin with: their code at the top, and the function that their language starts. */
  readonly programs: readonly number[];
  /** Files of which others may use whatever is exported. */
  readonly open: readonly number[];
  /** Files of which others may use what is exported by ways that are no promise, or of whose package too little is known. */
  readonly offered: readonly number[];
  /** Files that are part of a program or library whatever uses them. */
  readonly loaded: readonly number[];
}

/** The one fact from which all others follow. */
const start = factOf(0, 0);
/** Of a document: it is loaded; it is loaded, and all that it defines is reached; all that it exports is taken; a program begins with it. */
const live = 1;
const started = 2;
const whole = 3;
const begun = 4;
/** Of a file and a name: what the file exports by the name is taken. */
const named = 5;
/** Of a symbol: a way leads to it; and from code elsewhere, or somebody takes it who can't be seen, or with its whole file. */
const reached = 6;
const taken = 7;
/** Of a symbol: code hands it on as a value, so that anything of a file may be used that it stands for as a whole. */
const handed = 8;

type Take = (fact: Fact) => void;

/** Where something else is true than before: places of documents, and symbols. */
export interface Flipped {
  readonly places: ReadonlySet<number>;
  readonly symbols: ReadonlySet<number>;
}

/** What a root leads to, by uses and imports. */
export class Reach {
  readonly #wiring: Wiring;
  readonly #names = new ExportNames();
  /** What follows from a fact, by its kind. */
  readonly #consequences: readonly ((id: number, take: Take) => void)[] = [
    (_, take) => this.#begin(take),
    (place, take) => this.#follow(place, take),
    (place, take) => this.#start(place, take),
    (place, take) => this.#takeFile(place, take),
    (place, take) => this.#runProgram(place, take),
    (id, take) => this.#takeName(id, take),
    (symbol, take) => this.#wiring.eachSite(symbol, (place, at) => this.#spread(place, at, take)),
    (symbol, take) => this.#takeSymbol(symbol, take),
    (symbol, take) => this.#wiring.eachSite(symbol, (place, at) => this.#takeFileOf(place, at, take)),
  ];
  readonly #closure: Closure;
  readonly #roots: Omit<Roots, 'offered'>;

  constructor(wiring: Wiring, roots: Omit<Roots, 'offered'>) {
    this.#wiring = wiring;
    this.#roots = roots;
    const rules: Rules = {
      each: (fact, take) => this.#consequences[kindOf(fact)]!(idOf(fact), take),
      groupsBehind: fact => this.#groupsBehind(fact),
      eachIn: (group, take) => this.#eachIn(group, take),
    };
    this.#closure = new Closure(rules, start);
  }

  /** The file at a place is loaded. */
  isLive(place: number): boolean {
    return this.#closure.has(factOf(live, place));
  }

  isReached(symbol: number): boolean {
    return this.#closure.has(factOf(reached, symbol));
  }

  /** Somebody takes it who can't be seen, or with its whole file, or code elsewhere uses it that is reached. */
  isTaken(symbol: number): boolean {
    return this.#closure.has(factOf(taken, symbol));
  }

  /**
   * To be called before documents at some places change, with the symbols that they define before and after; what it returns is
   * to be called after, and tells where something else is true now: whose files are loaded, and what leads to which symbols.
   */
  changing(places: Iterable<number>, symbols: Iterable<number>): () => Flipped {
    const touched: Fact[] = [...places].flatMap(place => this.#ofDocument(place));
    for (const symbol of symbols) touched.push(...factsOfSymbol(symbol));
    const changed = this.#closure.changing(touched);
    return () => {
      const found = { places: new Set<number>(), symbols: new Set<number>() };
      for (const fact of changed()) {
        if (kindOf(fact) === live) found.places.add(idOf(fact));
        else if (kindOf(fact) === reached || kindOf(fact) === taken) found.symbols.add(idOf(fact));
      }
      return found;
    };
  }

  #begin(take: Take): void {
    for (const place of this.#roots.entries) {
      take(factOf(started, place));
      take(factOf(whole, place));
    }
    for (const place of this.#roots.modules) take(factOf(started, place));
    for (const place of this.#roots.programs) take(factOf(begun, place));
    for (const place of this.#roots.open) take(factOf(whole, place));
    for (const place of this.#roots.loaded) take(factOf(live, place));
  }

  #start(place: number, take: Take): void {
    take(factOf(live, place));
    for (const symbol of this.#wiring.documents[place]!.graph.symbols) take(factOf(reached, symbol));
    for (const file of this.#wiring.part(place).wholeFiles.values()) this.#takeAll(place, file, take);
  }

  #runProgram(place: number, take: Take): void {
    const { graph, starts } = this.#wiring.documents[place]!;
    take(factOf(live, place));
    if (starts === undefined) take(factOf(started, place));
    for (const at of starts ?? []) take(factOf(reached, graph.symbols[at]!));
  }

  /** A file that is loaded runs what stands in no function, and loads what it imports. */
  #follow(place: number, take: Take): void {
    const wiring = this.#wiring;
    const { graph, imports, takes, selfRun } = wiring.documents[place]!;
    if (isComponent(graph.path)) take(factOf(started, place));
    this.#useAll(place, atTop, take);
    for (const at of wiring.part(place).loaded) this.#useAll(place, at, take, isRunAtLoad(graph));
    imports.forEach(({ escapes, name }, at) => {
      const { loads, file } = wiring.imported(place)[at]!;
      for (const file of loads) if (!isTestName(wiring.documents[file]!.graph.path)) take(factOf(live, file));
      if (escapes && isModule(name, wiring.documents[file]?.graph.path)) this.#takeAll(place, at, take);
    });
    for (const { import: from, name } of takes) this.#takeFrom(place, from, name, take);
    for (const at of selfRun) take(factOf(reached, graph.symbols[at]!));
    for (const file of wiring.unit(place)) if (!wiring.documents[file]!.graph.isTest) take(factOf(live, file));
  }

  /** Handing a symbol on is no use of it. */
  #useAll(place: number, user: number, take: Take, isMeant: (use: number) => boolean = () => true): void {
    const { usesByUser, userStarts, targets, own } = this.#wiring.part(place);
    const { handedOn, tests, handsOver } = this.#wiring.documents[place]!;
    // A file of tests that is loaded is none.
    const isTest = tests.has(user);
    for (let at = userStarts[user - atTop]!; at < userStarts[user - atTop + 1]!; at++) {
      const use = usesByUser[at]!;
      if (handedOn.has(use) || !isMeant(use)) continue;
      const symbol = targets[use]!;
      take(factOf(isTest || own[use] === 1 ? reached : taken, symbol));
      if (handsOver.has(use)) take(factOf(handed, symbol));
    }
  }

  /** A definition brings along what its code uses, what stands in it, and what it stands in. */
  #spread(place: number, at: number, take: Take): void {
    const { graph, owners } = this.#wiring.documents[place]!;
    const { children, childStarts } = this.#wiring.part(place);
    take(factOf(live, place));
    const container = owners[at]!;
    if (container >= 0 && !callable.has(kindOfDefinition(graph, container))) {
      take(factOf(reached, graph.symbols[container]!));
    }
    const hasMembers = !isHolder(graph, at);
    for (let index = childStarts[at + 1]!; hasMembers && index < childStarts[at + 2]!; index++) {
      take(factOf(reached, graph.symbols[children[index]!]!));
    }
    this.#useAll(place, at, take);
  }

  #takeSymbol(symbol: number, take: Take): void {
    take(factOf(reached, symbol));
    for (const made of this.#wiring.madeBy(symbol)) take(factOf(taken, made));
  }

  #takeFileOf(place: number, at: number, take: Take): void {
    const file = this.#wiring.part(place).wholeFiles.get(at);
    if (file !== undefined) this.#takeAll(place, file, take);
  }

  #takeFile(place: number, take: Take): void {
    take(factOf(live, place));
    const { exports, graph, imports } = this.#wiring.documents[place]!;
    for (const { definition, import: from, name } of exports) {
      if (definition >= 0) take(factOf(taken, graph.symbols[definition]!));
      if (from < 0) continue;
      const imported = imports[from]!.name;
      const { path } = this.#wiring.documents[this.#wiring.imported(place)[from]!.file]?.graph ?? {};
      const isWhole = name === '*' || (handsModulesOn.has(graph.language) && isModule(imported, path));
      if (isWhole) this.#takeAll(place, from, take);
      else if (imported !== '*') this.#takeFrom(place, from, imported, take);
    }
    if (exportsByName.has(graph.language)) return;
    graph.symbols.forEach((symbol, at) => {
      if (isExported(graph, at)) take(factOf(taken, symbol));
    });
  }

  #takeAll(place: number, from: number, take: Take): void {
    const { file } = this.#wiring.imported(place)[from]!;
    if (file >= 0) take(factOf(whole, file));
  }

  #takeFrom(place: number, from: number, name: string, take: Take): void {
    const { file } = this.#wiring.imported(place)[from]!;
    if (file >= 0) take(factOf(named, this.#names.idOf(file, name)));
  }

  /** Names are followed through files that export what others define. */
  #takeName(id: number, take: Take): void {
    const { place, name } = this.#names.at(id);
    take(factOf(live, place));
    const { imports } = this.#wiring.documents[place]!;
    const { exports } = this.#wiring.part(place);
    const own = exports.get(name) ?? [];
    for (const { definition, import: from } of own) {
      if (definition >= 0) this.#takeDefinition(place, definition, take);
      if (from >= 0 && imports[from]!.name === '*') this.#takeAll(place, from, take);
      else if (from >= 0) this.#takeFrom(place, from, imports[from]!.name, take);
    }
    if (own.length > 0 || name === 'default') return;
    for (const { import: from } of exports.get('*') ?? []) if (from >= 0) this.#takeFrom(place, from, name, take);
  }

  /** Whoever takes a module by its name may name what it shows. */
  #takeDefinition(place: number, at: number, take: Take): void {
    const { graph } = this.#wiring.documents[place]!;
    const { children, childStarts } = this.#wiring.part(place);
    take(factOf(taken, graph.symbols[at]!));
    if (!isHolder(graph, at)) return;
    for (const one of children.subarray(childStarts[at + 1], childStarts[at + 2])) {
      if (isExported(graph, one)) this.#takeDefinition(place, one, take);
    }
  }

  /** Groups are documents, by their places, and the roots. */
  #groupsBehind(fact: Fact): Iterable<number> {
    const id = idOf(fact);
    switch (kindOf(fact)) {
      case reached:
      case taken:
      case handed:
        return this.#wiring.around(id);
      case named: {
        const { place } = this.#names.at(id);
        return [place, ...this.#wiring.importers(place)];
      }
      default:
        return [rootGroup, id, ...this.#wiring.unit(id), ...this.#wiring.importers(id)];
    }
  }

  #eachIn(group: number, take: Take): void {
    const facts = group === rootGroup ? [start] : this.#ofDocument(group);
    for (const fact of facts) take(fact);
    if (group === rootGroup) return;
    for (const symbol of this.#wiring.documents[group]!.graph.symbols) factsOfSymbol(symbol).forEach(take);
  }

  #ofDocument(place: number): readonly Fact[] {
    return [live, started, whole, begun]
      .map(kind => factOf(kind, place))
      .concat(this.#names.of(place).map(id => factOf(named, id)));
  }
}

function factsOfSymbol(symbol: number): readonly Fact[] {
  return [factOf(reached, symbol), factOf(taken, symbol), factOf(handed, symbol)];
}

const rootGroup = -1;

/** Languages in which an export is meant for others; in Python a module that is imported is a name like any other. */
const handsModulesOn: ReadonlySet<string> = new Set(['typescript', 'javascript']);

/** Names of files' exports as numbers. */
class ExportNames {
  readonly #ids = new Map<string, number>();
  readonly #names: { readonly place: number; readonly name: string }[] = [];
  readonly #byPlace = new Map<number, number[]>();

  idOf(place: number, name: string): number {
    const key = `${place} ${name}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#names.push({ place, name }) - 1;
    this.#ids.set(key, id);
    const ofPlace = this.#byPlace.get(place);
    if (ofPlace === undefined) this.#byPlace.set(place, [id]);
    else ofPlace.push(id);
    return id;
  }

  at(id: number): { readonly place: number; readonly name: string } {
    return this.#names[id]!;
  }

  of(place: number): readonly number[] {
    return this.#byPlace.get(place) ?? [];
  }
}

/** A class that is declared runs what stands in it; what it is built from is of use to whoever uses the class. */
function isRunAtLoad({ language, uses }: GraphDocument): (use: number) => boolean {
  return use => !buildsOnLoad.has(language) || kindOfUse(uses.marks[use]!) !== 'implementation';
}

const buildsOnLoad: ReadonlySet<string> = new Set(['python', 'ruby']);

/** Whether a file has more in it than code: of what it defines, imports and exports, its framework and its template take what they want. */
export function isComponent(path: string): boolean {
  return /\.(?:vue|svelte|astro|mdx)$/.test(path);
}

/** Languages whose files list what they export. */
export const exportsByName: ReadonlySet<string> = new Set(['typescript', 'javascript']);
