const pageLength = 256 * 1024;

/** Runs of numbers, kept side by side: as arrays of their own, thousands of short ones would take several times the room. */
export class NumberRuns {
  readonly #pages: Int32Array[] = [];
  #free = 0;

  /** Keeps one run made of several. Returns where it is. */
  add(...parts: readonly (Int32Array | Uint32Array)[]): NumberRun {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (this.#pages.length === 0 || this.#free + length > this.#pages.at(-1)!.length) {
      this.#pages.push(new Int32Array(Math.max(pageLength, length)));
      this.#free = 0;
    }
    const run = { page: this.#pages.length - 1, at: this.#free };
    for (const part of parts) {
      this.#pages.at(-1)!.set(part, this.#free);
      this.#free += part.length;
    }
    return run;
  }

  /** So many numbers of a run, behind the first `from`. */
  read({ page, at }: NumberRun, from: number, length: number): Int32Array {
    return this.#pages[page]!.subarray(at + from, at + from + length);
  }
}

export interface NumberRun {
  readonly page: number;
  readonly at: number;
}
