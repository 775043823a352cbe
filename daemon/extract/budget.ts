/**
 * What reading one file may cost, counted in the parser's own steps: the same bytes take the same steps on every machine
 * and at every speed, so that what a budget allows is a function of the bytes. One budget is for all readings of a file.
 */
export interface Budget {
  /** Takes one step off; false where none was left. */
  spend(): boolean;
  readonly isSpent: boolean;
}

/**
 * A step is a hundred operations of the parser. It makes 24,000 (Kotlin) to 47,000 (PHP) of them in a second of processor
 * time over code of thirteen languages on the machine on which it was measured, 3,000 to 10,000 where code is badly
 * broken. 2 MiB of source take up to that many.
 */
export const stepsPerSecond = 24_000;

export const defaultParseSteps = 2 * stepsPerSecond;

export function openBudget(steps: number): Budget {
  let left = steps;
  return {
    spend: () => --left >= 0,
    get isSpent() {
      return left <= 0;
    },
  };
}

/**
 * Past so much processor time over one file its worker counts as stuck: code of the hostile kind takes a second for ten
 * steps. Far from what a budget of steps takes of code that people write, so that no machine is slow enough to come near.
 */
export function stuckAfterMs(parseSteps: number): number {
  return Math.max(15_000, (8000 * parseSteps) / stepsPerSecond);
}
