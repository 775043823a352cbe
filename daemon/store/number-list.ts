const pageLength = 64 * 1024;
/** The first page grows until it is one: of most lists it is never full. */
const firstLength = 256;

/** Numbers that are gathered and then taken in order: eight bytes each, and nothing is copied while it grows. */
export class NumberList {
  #pages: Float64Array[] = [];
  #count = 0;

  push(value: number): void {
    const at = this.#count++ % pageLength;
    if (at === 0) this.#pages.push(new Float64Array(this.#count === 1 ? firstLength : pageLength));
    else if (this.#count <= pageLength && at === this.#pages[0]!.length) this.#pages[0] = grown(this.#pages[0]!);
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

function grown(page: Float64Array): Float64Array {
  const larger = new Float64Array(page.length * 4);
  larger.set(page);
  return larger;
}
