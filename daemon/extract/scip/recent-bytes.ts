import { copyBytes, hashOf, sameBytes } from '../bytes.ts';

const placeBits = 12;
/** Longer strings are seldom met again. */
const longest = 240;

/** What was made of byte strings that came lately: in 1 MiB and as many values, each in the place of one before it. */
export class RecentBytes<Made> {
  readonly #made: (Made | undefined)[] = new Array<Made | undefined>(1 << placeBits).fill(undefined);
  readonly #lengths = new Int32Array(1 << placeBits);
  readonly #strings = new DataView(new ArrayBuffer(longest << placeBits));

  /** Undefined where it is not known any more. */
  find(view: DataView, from: number, to: number): Made | undefined {
    const place = placeOf(view, from, to);
    if (this.#lengths[place] !== to - from) return undefined;
    return sameBytes(this.#strings, place * longest, view, from, to - from) ? this.#made[place] : undefined;
  }

  /** Returns what was made. */
  keep(view: DataView, from: number, to: number, made: Made): Made {
    if (to - from > longest) return made;
    const place = placeOf(view, from, to);
    copyBytes(this.#strings, place * longest, view, from, to - from);
    this.#lengths[place] = to - from;
    this.#made[place] = made;
    return made;
  }
}

function placeOf(view: DataView, from: number, to: number): number {
  return hashOf(0, view, from, to) >>> (32 - placeBits);
}
