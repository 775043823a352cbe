/** A promise of the daemon's, the tests that hold it, and how each of them is shown to be one. */
export interface Promised {
  /** P1 to P55. */
  readonly number: number;
  /** What users may rely on, in a sentence or two. */
  readonly says: string;
  readonly tests: readonly TestAt[];
  readonly breaks: readonly Break[];
}

/** Where a test stands: a file below `test/`, and the title of one test in it, or all of them. */
export interface TestAt {
  /** `fault/crash.test.ts`, `long/oracle.long.ts`, `bench/soak.ts`. */
  readonly file: string;
  /** As the source has it; with `${…}` in it the part before that is meant. */
  readonly title?: string;
}

/** A change to the product after which the promise does not hold any more, so that `red` must fail. */
export interface Break {
  /** What goes wrong with it: `the lock is not taken`. */
  readonly how: string;
  /** A file of the product, from the root. */
  readonly file: string;
  /** A text that stands exactly once in that file. */
  readonly from: string;
  readonly to: string;
  /** The test that fails then; without it, all tests of the promise in `npm test` are run, and one of them must fail. */
  readonly red?: TestAt;
}
