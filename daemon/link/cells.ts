import type { QuestionKey } from '../model/links.ts';

/**
 * Memoised evaluation that remembers what each result rests on. A cell's questions are those that its own computation
 * asked and those of the cells it used, so a document's questions are complete although the work was shared.
 *
 * Results must not depend on who asked first. Therefore a computation that comes back to itself has no result, nor has
 * any that needs it (all of them reach the cycle, whatever the entry); and the bound on depth counts the height of known
 * cells, so that a memo never lets an evaluation go further than it would have gone without.
 */
export interface Cells<T> {
  /** The memoised result of `compute`; undefined for "no result". */
  get(key: string, compute: () => T | undefined): T | undefined;
  /** The same by a place in an object's list, of which no text need be made. */
  at(owner: object, index: number, compute: () => T | undefined): T | undefined;
  /** Forgets the results at an object's places. What used them keeps what they rest on. */
  forget(owner: object): void;
  ask(question: QuestionKey): void;
  /** Runs `body` by itself: what is being computed rests on nothing that it asks, and is no higher for it. */
  apart<R>(body: () => R): R;
  /** Results that are remembered. */
  readonly size: number;
  /** Runs `body` and gives every question that its result rests on, each once, in no order. */
  record(body: () => void): readonly QuestionKey[];
}

/** Chains of aliases, re-exports and inferred types longer than this have no result. */
const maxHeight = 120;

interface Cell<T> {
  state: 'open' | 'done' | 'circular';
  result: T | undefined;
  height: number;
  /** Undefined while there is none: most cells have one of the two. */
  questions: Question[] | undefined;
  uses: Cell<T>[] | undefined;
  /** The recording that last came by. */
  seen: number;
}

interface Question {
  readonly key: QuestionKey;
  seen: number;
}

class Circular extends Error {}
class TooHigh extends Error {}
const circular = new Circular();
const tooHigh = new TooHigh();

export function createCells<T>(): Cells<T> {
  return new Memo<T>();
}

class Memo<T> implements Cells<T> {
  readonly #byKey = new Map<string, Cell<T>>();
  readonly #byPlace = new Map<object, Map<number, Cell<T>>>();
  readonly #questions = new Map<QuestionKey, Question>();
  /** What is being computed, the entry first. */
  #stack: Cell<T>[] = [];
  #size = 0;
  #recordings = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string, compute: () => T | undefined): T | undefined {
    return this.#entered(this.#byKey, key, compute);
  }

  at(owner: object, index: number, compute: () => T | undefined): T | undefined {
    let cells = this.#byPlace.get(owner);
    if (cells === undefined) {
      cells = new Map();
      this.#byPlace.set(owner, cells);
    }
    return this.#entered(cells, index, compute);
  }

  forget(owner: object): void {
    this.#size -= this.#byPlace.get(owner)?.size ?? 0;
    this.#byPlace.delete(owner);
  }

  ask(key: QuestionKey): void {
    const known = this.#questions.get(key);
    const question = known ?? { key, seen: 0 };
    if (known === undefined) this.#questions.set(key, question);
    const user = this.#user();
    if (user === undefined) return;
    if (user.questions === undefined) user.questions = [question];
    else user.questions.push(question);
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

  record(body: () => void): readonly QuestionKey[] {
    const root = openCell<T>();
    this.#stack.push(root);
    try {
      body();
    } finally {
      this.#stack.pop();
    }
    return questionsUnder(root, ++this.#recordings);
  }

  #user(): Cell<T> | undefined {
    return this.#stack[this.#stack.length - 1];
  }

  /** At its entry an evaluation that has no result ends. */
  #entered<Key>(cells: Map<Key, Cell<T>>, key: Key, body: () => T | undefined): T | undefined {
    if (this.#stack.length > 1) return this.#used(cells, key, body);
    try {
      return this.#used(cells, key, body);
    } catch (error) {
      if (error === circular || error === tooHigh) return undefined;
      throw error;
    }
  }

  #used<Key>(cells: Map<Key, Cell<T>>, key: Key, body: () => T | undefined): T | undefined {
    const user = this.#user();
    const known = cells.get(key);
    const cell = known ?? openCell<T>();
    if (user !== undefined) {
      if (user.uses === undefined) user.uses = [cell];
      else user.uses.push(cell);
    }
    if (known === undefined) {
      if (this.#stack.length > maxHeight) throw tooHigh;
      cells.set(key, cell);
      this.#compute(cells, key, cell, body);
    } else if (known.state !== 'done') throw circular;
    else if (this.#stack.length + known.height > maxHeight) throw tooHigh;
    if (user !== undefined) user.height = Math.max(user.height, cell.height + 1);
    return cell.result;
  }

  #compute<Key>(cells: Map<Key, Cell<T>>, key: Key, cell: Cell<T>, body: () => T | undefined): void {
    this.#stack.push(cell);
    this.#size++;
    try {
      cell.result = body();
      cell.state = 'done';
    } catch (error) {
      if (error === circular) cell.state = 'circular';
      else if (error === tooHigh && cells.delete(key)) this.#size--;
      throw error;
    } finally {
      this.#stack.pop();
    }
  }
}

function openCell<T>(): Cell<T> {
  return { state: 'open', result: undefined, height: 0, questions: undefined, uses: undefined, seen: 0 };
}

function questionsUnder<T>(root: Cell<T>, recording: number): readonly QuestionKey[] {
  const found: QuestionKey[] = [];
  const pending = [root];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    for (const question of cell.questions ?? []) {
      if (question.seen === recording) continue;
      question.seen = recording;
      found.push(question.key);
    }
    for (const one of cell.uses ?? []) {
      if (one.seen === recording) continue;
      one.seen = recording;
      pending.push(one);
    }
  }
  return found;
}
