const pageBytes = 1 << 18;
/** Before each string: its key and its length, four bytes each. */
const headBytes = 8;
/** As many places are looked at for one string without a thought; it happens by chance in no table of twenty million. */
const usualProbes = 256;
/** What may be spent in all on places beyond, and on strings of one hash: who needs more has strings made to collide. */
const mostEffort = 1e8;
const effortToCompare = 100;

/** Distinct pairs of a number and a byte string, numbered as they come. They lie in pages, so that nothing large is ever copied. */
export class ByteStrings {
  #count = 0;
  /** By hash: a number + 1, or 0 where none is, and its hash beside it: one look at memory tells most. Of a power of two. */
  #places = new Int32Array(2 << 10);
  /** By number, in units of four bytes. */
  #starts = new Uint32Array(1 << 9);
  readonly #pages: Page[] = [];
  #free = pageBytes;
  #bytes = 0;
  #effort = 0;

  get count(): number {
    return this.#count;
  }

  /** That the strings take, without what leads to them. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The number of the pair, `count` before the call if it is new; -1 where it would take too long to tell. */
  add(key: number, view: DataView, from: number, to: number): number {
    const hash = hashOf(key, view, from, to);
    const places = this.#places;
    const mask = places.length - 1;
    let place = (hash << 1) & mask;
    for (let probes = 0; ; probes++) {
      const number = places[place]! - 1;
      if (number < 0) return this.#put(place, hash, key, view, from, to);
      if (places[place + 1] === hash) {
        if (this.equals(number, key, view, from, to)) return number;
        this.#effort += effortToCompare;
      } else if (probes > usualProbes) this.#effort++;
      if (this.#effort > mostEffort) return -1;
      place = (place + 2) & mask;
    }
  }

  /** Whether the pair of that number is this one. */
  equals(number: number, key: number, view: DataView, from: number, to: number): boolean {
    const start = this.#starts[number]!;
    const page = this.#pages[start >>> pageShift]!.view;
    const at = (start & pageMask) << 2;
    if (page.getInt32(at + 4, true) !== to - from || page.getInt32(at, true) !== key) return false;
    return sameBytes(page, at + headBytes, view, from, to - from);
  }

  keyOf(number: number): number {
    const start = this.#starts[number]!;
    return this.#pages[start >>> pageShift]!.view.getInt32((start & pageMask) << 2, true);
  }

  text(number: number): string {
    const start = this.#starts[number]!;
    const { buffer, view } = this.#pages[start >>> pageShift]!;
    const at = (start & pageMask) << 2;
    return buffer.toString('utf8', at + headBytes, at + headBytes + view.getInt32(at + 4, true));
  }

  #put(place: number, hash: number, key: number, view: DataView, from: number, to: number): number {
    const start = this.#allocate(headBytes + to - from);
    const page = this.#pages.at(-1)!.view;
    page.setInt32(start, key, true);
    page.setInt32(start + 4, to - from, true);
    copyBytes(page, start + headBytes, view, from, to - from);
    const number = this.#count++;
    if (number === this.#starts.length) this.#widen();
    this.#starts[number] = ((this.#pages.length - 1) << pageShift) + (start >>> 2);
    this.#places[place] = number + 1;
    this.#places[place + 1] = hash;
    // Three quarters of the places.
    if (this.#count * 8 > this.#places.length * 3) this.#spread();
    return number;
  }

  /** No string lies in two pages: one that is longer than a page has a page to itself, which counts as one. */
  #allocate(bytes: number): number {
    const rounded = (bytes + 3) & ~3;
    if (this.#free + rounded > pageBytes) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(pageBytes, rounded));
      this.#pages.push({ buffer, view: new DataView(buffer.buffer) });
      this.#free = 0;
    }
    const start = this.#free;
    this.#free += rounded;
    this.#bytes += rounded;
    return start;
  }

  #widen(): void {
    const starts = new Uint32Array(this.#starts.length * 2);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  #spread(): void {
    const old = this.#places;
    const places = new Int32Array(old.length * 2);
    const mask = places.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let place = (old[from + 1]! << 1) & mask;
      while (places[place] !== 0) place = (place + 2) & mask;
      places[place] = old[from]!;
      places[place + 1] = old[from + 1]!;
    }
    this.#places = places;
  }
}

interface Page {
  readonly buffer: Buffer;
  readonly view: DataView;
}

/** Of a start, the page and, below, the place in it. */
const pageShift = 16;
const pageMask = (1 << pageShift) - 1;

/** Word by word, the last word overlapping the one before it; mixed at the end as MurmurHash3 does (public domain). */
function hashOf(key: number, view: DataView, from: number, to: number): number {
  let hash = Math.imul(key, 0x9e3779b1) ^ (to - from);
  if (to - from >= 4) {
    const last = to - 4;
    for (let at = from; at < last; at += 4) hash = stirred(hash, view.getInt32(at, true));
    hash = stirred(hash, view.getInt32(last, true));
  } else for (let at = from; at < to; at++) hash = stirred(hash, view.getUint8(at));
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function stirred(hash: number, word: number): number {
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ word, 0x9e3779b1);
}

function sameBytes(a: DataView, atA: number, b: DataView, atB: number, length: number): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) if (a.getInt32(atA + at, true) !== b.getInt32(atB + at, true)) return false;
  for (; at < length; at++) if (a.getUint8(atA + at) !== b.getUint8(atB + at)) return false;
  return true;
}

/** For the few bytes of a name this is quicker than a call that knows how to copy. */
function copyBytes(into: DataView, atInto: number, from: DataView, atFrom: number, length: number): void {
  let at = 0;
  for (; at + 4 <= length; at += 4) into.setInt32(atInto + at, from.getInt32(atFrom + at, true), true);
  for (; at < length; at++) into.setUint8(atInto + at, from.getUint8(atFrom + at));
}
