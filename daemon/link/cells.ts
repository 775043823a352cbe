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
  ask(question: QuestionKey): void;
  /** Results that are remembered. */
  readonly size: number;
  /** Runs `body` and gives every question that its result rests on. */
  record(body: () => void): Set<QuestionKey>;
}

/** Chains of aliases, re-exports and inferred types longer than this have no result. */
const maxHeight = 120;

interface Cell<T> {
  state: 'open' | 'done' | 'circular';
  result: T | undefined;
  height: number;
  readonly questions: QuestionKey[];
  readonly uses: Cell<T>[];
}

class Circular extends Error {}
class TooHigh extends Error {}
const circular = new Circular();
const tooHigh = new TooHigh();

export function createCells<T>(): Cells<T> {
  const cells = new Map<string, Cell<T>>();
  const stack: Cell<T>[] = [];

  const compute = (key: string, cell: Cell<T>, body: () => T | undefined): T | undefined => {
    stack.push(cell);
    try {
      cell.result = body();
    } catch (error) {
      if (error === tooHigh) cells.delete(key);
      if (error !== circular) throw error;
      cell.state = 'circular';
      throw circular;
    } finally {
      stack.pop();
    }
    cell.state = 'done';
    return cell.result;
  };

  const use = (key: string, body: () => T | undefined): T | undefined => {
    const user = stack[stack.length - 1];
    const known = cells.get(key);
    const cell = known ?? { state: 'open', result: undefined, height: 0, questions: [], uses: [] };
    user?.uses.push(cell);
    if (known === undefined) {
      if (stack.length > maxHeight) throw tooHigh;
      cells.set(key, cell);
      compute(key, cell, body);
    } else if (known.state !== 'done') throw circular;
    else if (stack.length + known.height > maxHeight) throw tooHigh;
    if (user !== undefined) user.height = Math.max(user.height, cell.height + 1);
    return cell.result;
  };

  return {
    get size() {
      return cells.size;
    },
    get(key, body) {
      if (stack.length > 1) return use(key, body);
      try {
        return use(key, body);
      } catch (error) {
        if (error === circular || error === tooHigh) return undefined;
        throw error;
      }
    },
    ask: question => {
      stack[stack.length - 1]?.questions.push(question);
    },
    record(body) {
      const root: Cell<T> = { state: 'open', result: undefined, height: 0, questions: [], uses: [] };
      stack.push(root);
      try {
        body();
      } finally {
        stack.pop();
      }
      return questionsUnder(root);
    },
  };
}

function questionsUnder<T>(root: Cell<T>): Set<QuestionKey> {
  const found = new Set<QuestionKey>();
  const seen = new Set<Cell<T>>([root]);
  const pending = [root];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    for (const question of cell.questions) found.add(question);
    for (const used of cell.uses) {
      if (seen.has(used)) continue;
      seen.add(used);
      pending.push(used);
    }
  }
  return found;
}
