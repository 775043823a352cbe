import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** Of an index, the number of its page is what stands above so many bits, its place there what stands below. */
export const wordBits = 12;
export const pageWords = 1 << wordBits;
export const wordMask = pageWords - 1;
export const pageBytes = pageWords * 4;
const defaultResidentBytes = 32 * 1024 * 1024;

/** A page as numbers and as bytes: good until another page of the same scratch memory is asked for. */
export interface Page {
  readonly words: Int32Array;
  readonly bytes: Buffer;
  readonly view: DataView;
}

interface Frame extends Page {
  owner: PagedNumbers | undefined;
  /** Of the page in its owner. */
  number: number;
  isChanged: boolean;
  wasUsed: boolean;
}

/**
 * Memory for numbers and texts of which there may be more than fit: so many pages are in memory, those used least lately
 * lie in a file, which comes with the first of them and is nobody else's: it has no name. What fits never touches it.
 */
export class ScratchMemory {
  readonly #path: string;
  readonly #mostFrames: number;
  readonly #frames: Frame[] = [];
  readonly #idle: Frame[] = [];
  #hand = 0;
  #file = -1;
  #places = 0;
  readonly #freePlaces: number[] = [];

  /** `path`: where a file can be made. */
  constructor(path: string, residentBytes: number = defaultResidentBytes) {
    this.#path = path;
    this.#mostFrames = Math.max(8, Math.floor(residentBytes / pageBytes));
  }

  /** How many bytes the file has. */
  get spilledBytes(): number {
    return this.#places * pageBytes;
  }

  numbers(length = 0): PagedNumbers {
    const numbers = new PagedNumbers(this);
    numbers.resize(length);
    return numbers;
  }

  /** What it holds is gone. */
  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
    this.#frames.length = 0;
    this.#idle.length = 0;
  }

  /** A frame that nobody uses, with anything in it. */
  takeFrame(): Frame {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#frames.length < this.#mostFrames) {
      const frame = newFrame();
      this.#frames.push(frame);
      return frame;
    }
    const frame = this.#leastUsed();
    frame.owner?.leave(frame.number, frame);
    return frame;
  }

  putFrame(frame: Frame): void {
    frame.owner = undefined;
    this.#idle.push(frame);
  }

  /** Writes a page to the file. Returns its place there, a new one where it has none yet. */
  write({ bytes }: Page, known: number): number {
    if (this.#file < 0) this.#file = namelessFile(this.#path);
    const place = known >= 0 ? known : (this.#freePlaces.pop() ?? this.#places++);
    for (let done = 0; done < pageBytes; )
      done += writeSync(this.#file, bytes, done, pageBytes - done, place * pageBytes + done);
    return place;
  }

  read({ bytes }: Page, place: number): void {
    for (let done = 0; done < pageBytes; ) {
      const read = readSync(this.#file, bytes, done, pageBytes - done, place * pageBytes + done);
      if (read === 0) throw Object.assign(new Error('A scratch file is shorter than it was written'), { code: 'EIO' });
      done += read;
    }
  }

  freePlace(place: number): void {
    this.#freePlaces.push(place);
  }

  /** Goes round; whoever was used since the last time is let off once. */
  #leastUsed(): Frame {
    for (;;) {
      this.#hand = (this.#hand + 1) % this.#frames.length;
      const frame = this.#frames[this.#hand]!;
      if (!frame.wasUsed) return frame;
      frame.wasUsed = false;
    }
  }
}

function newFrame(): Frame {
  const bytes = Buffer.allocUnsafeSlow(pageBytes);
  const words = new Int32Array(bytes.buffer);
  const view = new DataView(bytes.buffer);
  return { words, bytes, view, owner: undefined, number: 0, isChanged: false, wasUsed: false };
}

function namelessFile(path: string): number {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  return file;
}

/** 32-bit numbers by index, 0 unless set, in pages of a scratch memory. */
export class PagedNumbers {
  readonly #memory: ScratchMemory;
  readonly #frames: (Frame | undefined)[] = [];
  /** Of each page in the file, -1 of one that never was there. */
  readonly #places: number[] = [];
  #length = 0;

  constructor(memory: ScratchMemory) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#length;
  }

  get(index: number): number {
    return this.page(index >>> wordBits).words[index & wordMask]!;
  }

  set(index: number, value: number): void {
    this.pageToChange(index >>> wordBits).words[index & wordMask] = value;
  }

  /** Only ever longer. */
  resize(length: number): void {
    this.#length = length;
    while (this.#frames.length * pageWords < length) {
      this.#frames.push(undefined);
      this.#places.push(-1);
    }
  }

  push(value: number): void {
    const index = this.#length;
    this.resize(index + 1);
    this.set(index, value);
  }

  /** Puts them behind what is there. Returns where the first of them is. */
  append(...parts: readonly ArrayLike<number>[]): number {
    const start = this.#length;
    for (const part of parts) {
      let at = this.#length;
      this.resize(at + part.length);
      for (let next = 0; next < part.length; next++) this.set(at++, part[next]!);
    }
    return start;
  }

  /** A copy of so many from `start` on. */
  slice(start: number, length: number): Int32Array {
    const copy = new Int32Array(length);
    for (let done = 0; done < length; ) {
      const from = (start + done) & wordMask;
      const { words } = this.page((start + done) >>> wordBits);
      const part = words.subarray(from, from + length - done);
      copy.set(part, done);
      done += part.length;
    }
    return copy;
  }

  page(number: number): Page {
    const frame = this.#frames[number] ?? this.#fetch(number);
    frame.wasUsed = true;
    return frame;
  }

  pageToChange(number: number): Page {
    const frame = this.#frames[number] ?? this.#fetch(number);
    frame.wasUsed = true;
    frame.isChanged = true;
    return frame;
  }

  /** Gives everything back to the memory. */
  release(): void {
    for (const frame of this.#frames) if (frame !== undefined) this.#memory.putFrame(frame);
    for (const place of this.#places) if (place >= 0) this.#memory.freePlace(place);
    this.#frames.length = 0;
    this.#places.length = 0;
    this.#length = 0;
  }

  /** For the memory: the frame is needed by somebody else. */
  leave(number: number, frame: Frame): void {
    if (frame.isChanged) this.#places[number] = this.#memory.write(frame, this.#places[number]!);
    this.#frames[number] = undefined;
  }

  #fetch(number: number): Frame {
    const frame = this.#memory.takeFrame();
    const place = this.#places[number]!;
    if (place < 0) frame.words.fill(0);
    else this.#memory.read(frame, place);
    frame.owner = this;
    frame.number = number;
    frame.isChanged = false;
    this.#frames[number] = frame;
    return frame;
  }
}
