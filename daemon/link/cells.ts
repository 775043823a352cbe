import type { AskedQuestion } from '../model/links.ts';
import { Question, type QuestionKey } from '../model/question.ts';
import type { ReferenceGroups } from '../model/reference-groups.ts';

/**
 * Memoised evaluation that remembers what each result rests on. A cell's questions are those that its own computation
 * asked and those of the cells it used, so a document's questions are complete although the work was shared.
 *
 * Results must not depend on who asked first. Therefore a computation that comes back to itself has no result, nor has
 * any that needs it (all of them reach the cycle, whatever the entry); and the bound on depth counts the height of known
 * cells, so that a memo never lets an evaluation go further than it would have gone without.
 */
export interface Cells<T, Owner extends object> {
  /** The memoised result of `compute` under a table's key; undefined for "no result". */
  get(table: CellTable<T>, key: string, compute: () => T | undefined): T | undefined;
  /** The same, taken from what earlier cells found, or left to later ones, where it rests on `isLasting` questions alone. */
  getLasting(table: CellTable<T>, key: string, lasting: Lasting<T>, compute: () => T | undefined): T | undefined;
  /** The same by a place in an object's list, of which no text need be made: always by the same `compute`. */
  at(owner: Owner, index: number, compute: (owner: Owner, index: number) => T | undefined): T | undefined;
  /** Forgets the results at an object's places. What used them keeps what they rest on. */
  forget(owner: Owner): void;
  /** `about` as in `Question`. */
  ask(question: QuestionKey, about?: string): void;
  /** Asks what nobody asks outside of the cell that is being computed. */
  askHere(question: Question): void;
  /** Runs `body` by itself: what is being computed rests on nothing that it asks, and is no higher for it. */
  apart<R>(body: () => R): R;
  /** Results that are remembered. */
  readonly size: number;
  /**
   * Runs `body` and gives every question that its results rest on, each once, in no order. By `enter` it says for which
   * group it goes on; it begins with that.
   */
  record(body: (enter: (group: ReferenceGroups) => void) => void): readonly AskedQuestion[];
}

/** What is remembered from cells to cells, while the answers to some questions stay as they are. */
export interface Lasting<T> {
  readonly results: LastingResults<T>;
  readonly isLasting: (question: QuestionKey) => boolean;
}

export type LastingResults<T> = Map<string, LastingResult<T>>;

interface LastingResult<T> {
  readonly result: T | undefined;
  readonly questions: readonly Question[];
}

/** Some kilobytes each: mostly the texts of a dozen questions. */
const mostLasting = 3000;

/** Results by what tells them apart, for the cells that filled it alone. */
export type CellTable<T> = Map<string, Cell<T>>;

/** The table under a key, made where there is none. */
export function tableIn<Key, Name, T>(tables: Map<Key, Map<Name, T>>, key: Key): Map<Name, T> {
  const known = tables.get(key);
  if (known !== undefined) return known;
  const made = new Map<Name, T>();
  tables.set(key, made);
  return made;
}

/** Chains of aliases, re-exports and inferred types longer than this have no result. */
const maxHeight = 120;

interface Cell<T> {
  state: 'open' | 'done' | 'circular';
  result: T | undefined;
  height: number;
  /** Undefined while there is none: most cells have one of the two. */
  questions: Noted[] | undefined;
  uses: Cell<T>[] | undefined;
  /** The recording that last came by, for which groups, and where in its order the cell stands. */
  seen: number;
  groups: ReferenceGroups;
  place: number;
}

/** A question, the recording that last came by it, and for which groups. */
interface Noted {
  readonly question: Question;
  seen: number;
  groups: ReferenceGroups;
}

interface Places<T> {
  readonly cells: (Cell<T> | undefined)[];
  count: number;
}

class Circular extends Error {}
class TooHigh extends Error {}
const circular = new Circular();
const tooHigh = new TooHigh();

/** `placesOf` tells how many places an object has. */
export function createCells<T, Owner extends object>(placesOf: (owner: Owner) => number): Cells<T, Owner> {
  return new Memo<T, Owner>(placesOf);
}

class Memo<T, Owner extends object> implements Cells<T, Owner> {
  readonly #placesOf: (owner: Owner) => number;
  readonly #byPlace = new Map<Owner, Places<T>>();
  readonly #questions = new Map<QuestionKey, Noted>();
  /** What is being computed, the entry first. */
  #stack: Cell<T>[] = [];
  /** What entries took over from cells that are forgotten. */
  readonly #taken = new WeakMap<Cell<T>, Set<Noted | Cell<T>>>();
  #size = 0;
  #recordings = 0;

  constructor(placesOf: (owner: Owner) => number) {
    this.#placesOf = placesOf;
  }

  get size(): number {
    return this.#size;
  }

  get(table: CellTable<T>, key: string, compute: () => T | undefined): T | undefined {
    const known = table.get(key);
    if (known !== undefined) return this.#again(known);
    const cell = openCell<T>();
    this.#begin(cell);
    table.set(key, cell);
    try {
      cell.result = compute();
      cell.state = 'done';
    } catch (error) {
      if (this.#endsWithout(cell, error)) table.delete(key);
      return this.#failed(error);
    }
    this.#stack.pop();
    return this.#ended(cell);
  }

  getLasting(
    table: CellTable<T>,
    key: string,
    { results, isLasting }: Lasting<T>,
    compute: () => T | undefined,
  ): T | undefined {
    const known = table.has(key) ? undefined : results.get(key);
    if (known !== undefined) {
      this.#size++;
      const questions = known.questions.map(one => this.#noted(one.key, () => one));
      table.set(key, { ...openCell<T>(), state: 'done', result: known.result, questions });
    }
    const isFirst = !table.has(key);
    const result = this.get(table, key, compute);
    const cell = isFirst ? table.get(key) : undefined;
    if (cell?.state !== 'done' || cell.uses !== undefined) return result;
    const questions = (cell.questions ?? []).map(({ question }) => question);
    if (!questions.every(one => isLasting(one.key))) return result;
    results.set(key, { result, questions });
    for (const oldest of results.keys()) {
      if (results.size <= mostLasting) break;
      results.delete(oldest);
    }
    return result;
  }

  at(owner: Owner, index: number, compute: (owner: Owner, index: number) => T | undefined): T | undefined {
    const places = this.#byPlace.get(owner) ?? this.#newPlaces(owner);
    const known = places.cells[index];
    if (known !== undefined) return this.#again(known);
    const cell = openCell<T>();
    this.#begin(cell);
    places.cells[index] = cell;
    places.count++;
    try {
      cell.result = compute(owner, index);
      cell.state = 'done';
    } catch (error) {
      if (this.#endsWithout(cell, error)) {
        places.cells[index] = undefined;
        places.count--;
      }
      return this.#failed(error);
    }
    this.#stack.pop();
    return this.#ended(cell);
  }

  forget(owner: Owner): void {
    this.#size -= this.#byPlace.get(owner)?.count ?? 0;
    this.#byPlace.delete(owner);
  }

  ask(key: QuestionKey, about = ''): void {
    this.#note(this.#noted(key, () => new Question(key, about)));
  }

  askHere(question: Question): void {
    this.#note({ question, seen: 0, groups: 0 });
  }

  apart<R>(body: () => R): R {
    const stack = this.#stack;
    // Two deep: who has no result here has none at the entry either, and it is the entry that says so.
    this.#stack = [openCell<T>(), openCell<T>()];
    try {
      return body();
    } finally {
      this.#stack = stack;
    }
  }

  record(body: (enter: (group: ReferenceGroups) => void) => void): readonly AskedQuestion[] {
    const roots = new Map<ReferenceGroups, Cell<T>>();
    const base = this.#stack.length;
    const enter = (group: ReferenceGroups): void => {
      const root = roots.get(group) ?? openCell<T>();
      roots.set(group, root);
      this.#stack[base] = root;
    };
    try {
      body(enter);
    } finally {
      this.#stack.length = base;
    }
    return questionsUnder(roots, ++this.#recordings);
  }

  #newPlaces(owner: Owner): Places<T> {
    const places = { cells: new Array<Cell<T> | undefined>(this.#placesOf(owner)), count: 0 };
    this.#byPlace.set(owner, places);
    return places;
  }

  #user(): Cell<T> | undefined {
    return this.#stack[this.#stack.length - 1];
  }

  #noted(key: QuestionKey, question: () => Question): Noted {
    const known = this.#questions.get(key);
    const noted = known ?? { question: question(), seen: 0, groups: 0 };
    if (known === undefined) this.#questions.set(key, noted);
    return noted;
  }

  #note(noted: Noted): void {
    const user = this.#user();
    if (user === undefined) return;
    if (user.questions === undefined) user.questions = [noted];
    else user.questions.push(noted);
  }

  #uses(cell: Cell<T>): void {
    const user = this.#user();
    if (user === undefined) return;
    if (user.uses === undefined) user.uses = [cell];
    else if (user.uses[user.uses.length - 1] !== cell) user.uses.push(cell);
  }

  /** The result of a cell that was met before. */
  #again(cell: Cell<T>): T | undefined {
    this.#uses(cell);
    if (cell.state !== 'done') return this.#failed(circular);
    if (this.#stack.length + cell.height > maxHeight) return this.#failed(tooHigh);
    return this.#ended(cell);
  }

  #begin(cell: Cell<T>): void {
    if (this.#stack.length > maxHeight) throw tooHigh;
    this.#uses(cell);
    this.#stack.push(cell);
    this.#size++;
  }

  #ended(cell: Cell<T>): T | undefined {
    const user = this.#user();
    if (user !== undefined && user.height <= cell.height) user.height = cell.height + 1;
    return cell.result;
  }

  /** Whether the cell is to be forgotten: what is too high from here may not be from elsewhere. */
  #endsWithout(cell: Cell<T>, error: unknown): boolean {
    this.#stack.pop();
    if (error === circular) cell.state = 'circular';
    if (error !== tooHigh) return false;
    this.#size--;
    this.#restOn(cell);
    return true;
  }

  /**
   * The entry rests on what a cell rests on that is forgotten: of each name in a chain without end all below it are such
   * cells, and to keep them would cost the process.
   */
  #restOn(forgotten: Cell<T>): void {
    const [entry] = this.#stack;
    if (entry === undefined) return;
    const known = this.#taken.get(entry) ?? new Set();
    this.#taken.set(entry, known);
    const isNew = (one: Noted | Cell<T>): boolean => {
      const isKnown = known.has(one);
      known.add(one);
      return !isKnown;
    };
    const user = this.#user();
    if (user?.uses?.at(-1) === forgotten) user.uses.pop();
    entry.questions = joined(entry.questions, forgotten.questions?.filter(isNew));
    entry.uses = joined(entry.uses, forgotten.uses?.filter(isNew));
  }

  /** At its entry an evaluation that has no result ends. */
  #failed(error: unknown): undefined {
    if (this.#stack.length > 1 || (error !== circular && error !== tooHigh)) throw error;
    return undefined;
  }
}

/** The first list with the second's members behind its own. */
function joined<Member>(to: Member[] | undefined, more: readonly Member[] | undefined): Member[] | undefined {
  if (to === undefined || more === undefined) return to ?? more?.slice();
  for (const one of more) to.push(one);
  return to;
}

function openCell<T>(): Cell<T> {
  return {
    state: 'open',
    result: undefined,
    height: 0,
    questions: undefined,
    uses: undefined,
    seen: 0,
    groups: 0,
    place: 0,
  };
}

function questionsUnder<T>(roots: ReadonlyMap<ReferenceGroups, Cell<T>>, recording: number): readonly AskedQuestion[] {
  const usedFirst = inOrder(roots.values(), recording);
  for (const [group, root] of roots) root.groups = group;
  passOnGroups(usedFirst);
  const found: Noted[] = [];
  for (const { questions, groups } of usedFirst) {
    if (questions === undefined) continue;
    for (const noted of questions) {
      if (noted.seen !== recording) {
        noted.seen = recording;
        noted.groups = 0;
        found.push(noted);
      }
      noted.groups |= groups;
    }
  }
  return found.map(({ question, groups }) => ({ question, groups }));
}

/** All cells under some, each behind those that it uses, as far as these don't use it in turn. */
function inOrder<T>(roots: Iterable<Cell<T>>, recording: number): readonly Cell<T>[] {
  const order: Cell<T>[] = [];
  const open: Cell<T>[] = [];
  const met = (cell: Cell<T>): void => {
    cell.seen = recording;
    cell.groups = 0;
    cell.place = 0;
    open.push(cell);
  };
  for (const root of roots) {
    met(root);
    for (let cell = open.at(-1); cell !== undefined; cell = open.at(-1)) {
      // While a cell is open, its place counts which of those that it uses were looked at.
      const next = cell.uses?.[cell.place++];
      if (next === undefined) {
        open.pop();
        cell.place = order.length;
        order.push(cell);
      } else if (next.seen !== recording) met(next);
    }
  }
  return order;
}

/** What a cell is used for, those that it uses are. */
function passOnGroups<T>(usedFirst: readonly Cell<T>[]): void {
  let isMissed = true;
  while (isMissed) {
    isMissed = false;
    for (let at = usedFirst.length - 1; at >= 0; at--) {
      const { uses, groups } = usedFirst[at]!;
      if (uses === undefined) continue;
      for (const one of uses) {
        if ((one.groups | groups) === one.groups) continue;
        one.groups |= groups;
        // It uses what uses it, and had its turn.
        if (one.place > at) isMissed = true;
      }
    }
  }
}
