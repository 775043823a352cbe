import { hashOf, sameBytes } from '../bytes.ts';

interface Seen<Value> {
  readonly from: number;
  readonly to: number;
  readonly value: Value;
  /** Other bytes of the same hash. */
  readonly next: Seen<Value> | undefined;
  /** How many follow. */
  readonly behind: number;
}

/** Bytes of one hash beyond these were made to have it: they are made anew each time. */
const mostAlike = 8;

/** Of so many one has to have come again, or none is looked for any more: that takes half as long as making it. */
const oneIn = 8;

/**
 * What runs of bytes stand for, so that it is made once for all that are alike. When that is too much it forgets all of it, and where
 * hardly any came again remembers no more.
 */
export class SeenBytes<Value> {
  readonly #view: DataView;
  readonly #most: number;
  readonly #seen = new Map<number, Seen<Value>>();
  #count = 0;
  #hits = 0;
  #isOfUse = true;

  constructor(view: DataView, most: number) {
    this.#view = view;
    this.#most = most;
  }

  valueAt(from: number, to: number, make: () => Value): Value {
    if (!this.#isOfUse) return make();
    const view = this.#view;
    const hash = hashOf(0, view, from, to);
    const first = this.#seen.get(hash);
    for (let one = first; one !== undefined; one = one.next) {
      if (one.to - one.from === to - from && sameBytes(view, one.from, view, from, to - from)) {
        this.#hits++;
        return one.value;
      }
    }
    const value = make();
    const behind = first === undefined ? 0 : first.behind + 1;
    if (behind >= mostAlike) return value;
    if (this.#count >= this.#most) {
      this.#isOfUse = this.#hits * oneIn >= this.#most;
      this.clear();
    }
    const next = this.#count === 0 ? undefined : first;
    this.#count++;
    this.#seen.set(hash, { from, to, value, next, behind: next === undefined ? 0 : behind });
    return value;
  }

  clear(): void {
    this.#seen.clear();
    this.#count = 0;
    this.#hits = 0;
  }
}
