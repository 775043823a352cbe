import { scipLimitKeys } from './limits.ts';

/**
 * - `invalid`: the bytes are no SCIP index, or a damaged one
 * - `too large`: past a limit, whatever else it may be
 * - `unacceptable`: well formed, and still nothing that can be taken in
 */
export type ScipProblemKind = 'invalid' | 'too large' | 'unacceptable';

/** What is wrong with a whole index. What is wrong with one document or occurrence is counted in the report instead. */
export class ScipProblem extends Error {
  readonly kind: ScipProblemKind;
  /** Of the byte in the index, inflated if it came as gzip, at which it shows. */
  readonly offset: number;
  /** What whoever sent the index can do about it. */
  readonly remedy: string;

  constructor(kind: ScipProblemKind, what: string, offset: number, remedy: string) {
    super(`${what} (at byte ${offset})`);
    this.name = 'ScipProblem';
    this.kind = kind;
    this.offset = offset;
    this.remedy = remedy;
  }
}

const makeAgain = 'Run the indexer again and send the file that it wrote, whole and unchanged';

export function invalidIndex(what: string, offset: number, remedy: string = makeAgain): ScipProblem {
  return new ScipProblem('invalid', what, offset, remedy);
}

/** `limit` is what bounds it; without one, it can't be raised. */
export function tooLarge(what: string, offset: number, limit?: keyof typeof scipLimitKeys): ScipProblem {
  const remedy = limit === undefined ? makeAgain : `Index the repository in parts, or raise ${scipLimitKeys[limit]}`;
  return new ScipProblem('too large', what, offset, remedy);
}

export function unacceptable(what: string, offset: number, remedy: string): ScipProblem {
  return new ScipProblem('unacceptable', what, offset, remedy);
}
