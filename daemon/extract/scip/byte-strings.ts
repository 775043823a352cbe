const pageBytes = 1 << 18;
/** Before each string: its prefix's number and its own length, four bytes each. */
const headBytes = 8;
/** A table in which more places than these are looked at for one string was filled with strings made to collide. */
const mostProbes = 4096;

/**
 * Distinct byte strings, numbered as they come. They lie in pages, so that nothing large is ever copied, each as the
 * number of what stands before its last slash (a file, a package: shared by hundreds) and the rest.
 */
export class ByteStrings {
  readonly #prefixes: ByteStrings | undefined;
  #count = 0;
  /** Number + 1 by hash, 0 where none is. A power of two. */
  #places = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 9);
  /** In units of four bytes. */
  #starts = new Uint32Array(1 << 9);
  readonly #pages: Page[] = [];
  #free = 0;
  #bytes = 0;
  #lastPrefix = -1;

  constructor(prefixes?: ByteStrings) {
    this.#prefixes = prefixes;
  }

  get count(): number {
    return this.#count;
  }

  /** That the strings take, without what leads to them. */
  get byteLength(): number {
    return this.#bytes + (this.#prefixes?.byteLength ?? 0);
  }

  /** The number of `bytes[from, to)`, `count` before the call if it is new; -1 where it would take too long to tell. */
  add(view: DataView, from: number, to: number): number {
    const hash = hashOf(view, from, to);
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (let probes = 0; ; probes++) {
      const number = this.#places[place]! - 1;
      if (number < 0) break;
      if (this.#hashes[number] === hash && this.#equals(number, view, from, to)) return number;
      if (probes > mostProbes) return -1;
      place = (place + 1) & mask;
    }
    return this.#put(place, hash, view, from, to);
  }

  text(number: number): string {
    const { buffer, view } = this.#pageOf(number);
    const at = this.#inPage(number);
    const prefix = view.getUint32(at, true);
    const own = buffer.toString('utf8', at + headBytes, at + headBytes + view.getUint32(at + 4, true));
    return this.#prefixes === undefined ? own : this.#prefixes.text(prefix) + own;
  }

  /** How long the string is, in bytes. */
  #equals(number: number, view: DataView, from: number, to: number): boolean {
    const page = this.#pageOf(number).view;
    const at = this.#inPage(number);
    const length = page.getUint32(at + 4, true);
    if (length > to - from || !sameBytes(page, at + headBytes, view, to - length, length)) return false;
    if (this.#prefixes === undefined) return length === to - from;
    return this.#prefixes.#equals(page.getUint32(at, true), view, from, to - length);
  }

  #put(place: number, hash: number, view: DataView, from: number, to: number): number {
    const split = this.#prefixes === undefined ? from : afterLastSlash(view, from, to);
    const prefix = this.#prefixes === undefined ? 0 : this.#prefixOf(view, from, split);
    if (prefix < 0) return -1;
    const length = to - split;
    const start = this.#allocate(headBytes + length);
    const page = this.#pages.at(-1)!;
    page.view.setUint32(start, prefix, true);
    page.view.setUint32(start + 4, length, true);
    page.buffer.set(new Uint8Array(view.buffer, view.byteOffset + split, length), start + headBytes);
    const number = this.#count++;
    if (number === this.#hashes.length) this.#widen();
    this.#hashes[number] = hash;
    this.#starts[number] = ((this.#pages.length - 1) * pageBytes + start) / 4;
    this.#places[place] = number + 1;
    if (this.#count * 2 > this.#places.length) this.#spread();
    return number;
  }

  /** Most often the one of the string before. */
  #prefixOf(view: DataView, from: number, split: number): number {
    const prefixes = this.#prefixes!;
    const last = this.#lastPrefix;
    if (last < 0 || !prefixes.#equals(last, view, from, split)) this.#lastPrefix = prefixes.add(view, from, split);
    return this.#lastPrefix;
  }

  /** No string lies in two pages: one that is longer than a page has a page to itself, which counts as one. */
  #allocate(bytes: number): number {
    const rounded = (bytes + 3) & ~3;
    if (this.#pages.length === 0 || this.#free + rounded > pageBytes) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(pageBytes, rounded));
      this.#pages.push({ buffer, view: new DataView(buffer.buffer) });
      this.#free = 0;
    }
    const start = this.#free;
    this.#free += rounded;
    this.#bytes += rounded;
    return start;
  }

  #pageOf(number: number): Page {
    return this.#pages[Math.floor(this.#starts[number]! / (pageBytes / 4))]!;
  }

  #inPage(number: number): number {
    return (this.#starts[number]! % (pageBytes / 4)) * 4;
  }

  #widen(): void {
    const hashes = new Int32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const starts = new Uint32Array(hashes.length);
    starts.set(this.#starts);
    this.#starts = starts;
  }

  #spread(): void {
    const places = new Int32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let place = this.#hashes[number]! & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

interface Page {
  readonly buffer: Buffer;
  readonly view: DataView;
}

/** Word by word, the last word overlapping the one before it; mixed at the end as MurmurHash3 does (public domain). */
function hashOf(view: DataView, from: number, to: number): number {
  let hash = to - from;
  if (to - from >= 4) {
    const last = to - 4;
    for (let at = from; at < last; at += 4)
      hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(at, true), 0x9e3779b1);
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(last, true), 0x9e3779b1);
  } else for (let at = from; at < to; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function sameBytes(a: DataView, atA: number, b: DataView, atB: number, length: number): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) if (a.getInt32(atA + at, true) !== b.getInt32(atB + at, true)) return false;
  for (; at < length; at++) if (a.getUint8(atA + at) !== b.getUint8(atB + at)) return false;
  return true;
}

function afterLastSlash(view: DataView, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) if (view.getUint8(at) === 0x2f) return at + 1;
  return from;
}
