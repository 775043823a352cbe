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
  ask(question: QuestionKey): void;
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
  readonly questions: Question[];
  readonly uses: Cell<T>[];
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
  const byKey = new Map<string, Cell<T>>();
  const byPlace = new Map<object, Map<number, Cell<T>>>();
  const questions = new Map<QuestionKey, Question>();
  const stack: Cell<T>[] = [];
  let size = 0;
  let recordings = 0;

  const used = (cell: Cell<T>): T | undefined => {
    const user = stack[stack.length - 1];
    if (user !== undefined) user.height = Math.max(user.height, cell.height + 1);
    return cell.result;
  };

  const known = (cell: Cell<T>): T | undefined => {
    stack[stack.length - 1]?.uses.push(cell);
    if (cell.state !== 'done') throw circular;
    if (stack.length + cell.height > maxHeight) throw tooHigh;
    return used(cell);
  };

  const made = (cell: Cell<T>, forget: () => void, body: () => T | undefined): T | undefined => {
    stack[stack.length - 1]?.uses.push(cell);
    size++;
    stack.push(cell);
    try {
      if (stack.length - 1 > maxHeight) throw tooHigh;
      cell.result = body();
    } catch (error) {
      if (error === tooHigh) {
        forget();
        size--;
      }
      if (error !== circular) throw error;
      cell.state = 'circular';
      throw circular;
    } finally {
      stack.pop();
    }
    cell.state = 'done';
    return used(cell);
  };

  const ofKey = (key: string, body: () => T | undefined): T | undefined => {
    const found = byKey.get(key);
    if (found !== undefined) return known(found);
    const cell = openCell<T>();
    byKey.set(key, cell);
    return made(cell, () => byKey.delete(key), body);
  };

  const ofPlace = (owner: object, index: number, body: () => T | undefined): T | undefined => {
    let cells = byPlace.get(owner);
    if (cells === undefined) {
      cells = new Map();
      byPlace.set(owner, cells);
    }
    const found = cells.get(index);
    if (found !== undefined) return known(found);
    const cell = openCell<T>();
    cells.set(index, cell);
    return made(cell, () => cells.delete(index), body);
  };

  /** At its entry an evaluation that has no result ends. */
  const entered = (work: () => T | undefined): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (error === circular || error === tooHigh) return undefined;
      throw error;
    }
  };

  return {
    get size() {
      return size;
    },
    get: (key, body) => (stack.length > 1 ? ofKey(key, body) : entered(() => ofKey(key, body))),
    at: (owner, index, body) =>
      stack.length > 1 ? ofPlace(owner, index, body) : entered(() => ofPlace(owner, index, body)),
    ask(key) {
      const known = questions.get(key);
      const question = known ?? { key, seen: 0 };
      if (known === undefined) questions.set(key, question);
      stack[stack.length - 1]?.questions.push(question);
    },
    record(body) {
      const root = openCell<T>();
      stack.push(root);
      try {
        body();
      } finally {
        stack.pop();
      }
      return questionsUnder(root, ++recordings);
    },
  };
}

function openCell<T>(): Cell<T> {
  return { state: 'open', result: undefined, height: 0, questions: [], uses: [], seen: 0 };
}

function questionsUnder<T>(root: Cell<T>, recording: number): readonly QuestionKey[] {
  const found: QuestionKey[] = [];
  const pending = [root];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    for (const question of cell.questions) {
      if (question.seen === recording) continue;
      question.seen = recording;
      found.push(question.key);
    }
    for (const one of cell.uses) {
      if (one.seen === recording) continue;
      one.seen = recording;
      pending.push(one);
    }
  }
  return found;
}
