const pageLength = 64 * 1024;

/** Numbers that are gathered and then taken in order: eight bytes each, and nothing is copied while it grows. */
export class NumberList {
  #pages: Float64Array[] = [];
  #count = 0;

  push(value: number): void {
    const at = this.#count++ % pageLength;
    if (at === 0) this.#pages.push(new Float64Array(pageLength));
    this.#pages.at(-1)![at] = value;
  }

  /** Takes all of them out, ascending. */
  takeSorted(): Float64Array {
    const all = new Float64Array(this.#count);
    this.#pages.forEach((page, number) => {
      const start = number * pageLength;
      all.set(page.subarray(0, Math.min(pageLength, this.#count - start)), start);
    });
    this.#pages = [];
    this.#count = 0;
    return all.sort();
  }
}
