const hashBytes = 16;

/** Hashes in hex, one behind the other as bytes. */
export function hashesOf(hex: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(hex.length * hashBytes));
  for (let at = 0; at < hex.length; at++) bytes.write(hex[at]!, at * hashBytes, 'hex');
  return bytes;
}

/** In hex. */
export function hashAt(hashes: Uint8Array, at: number): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset + at * hashBytes, hashBytes).toString('hex');
}

export function countOf(hashes: Uint8Array): number {
  return hashes.length / hashBytes;
}

/** Places in all lists together. */
const placeRange = 2 ** 27;

/**
 * Calls `take` for each place of each list, in the order of the hashes that stand there. Only the first place of a hash is
 * given it.
 */
export function eachInOrder(
  lists: readonly Uint8Array[],
  take: (hash: Buffer | undefined, list: number, at: number) => void,
): void {
  const places = placesOf(lists);
  // The first bits of a hash decide nearly always: with its place behind them they make a number.
  const keys = new Float64Array(places.count);
  for (let place = 0; place < keys.length; place++) {
    keys[place] = places.head(place) * placeRange + place;
  }
  keys.sort();
  let last = -1;
  for (let from = 0, to = 0; from < keys.length; from = to) {
    const head = Math.floor(keys[from]! / placeRange);
    for (to = from + 1; to < keys.length && Math.floor(keys[to]! / placeRange) === head; ) to++;
    const alike = Array.from(keys.subarray(from, to), key => key - head * placeRange);
    if (alike.some(place => !places.isSame(place, alike[0]!))) {
      alike.sort((a, b) => places.hash(a).compare(places.hash(b)) || a - b);
    }
    for (const place of alike) {
      const isRepeated = last >= 0 && places.isSame(place, last);
      take(isRepeated ? undefined : places.hash(place), places.list(place), places.at(place));
      last = place;
    }
  }
}

interface Places {
  readonly count: number;
  /** The first 26 bits of the hash. */
  head(place: number): number;
  hash(place: number): Buffer;
  isSame(place: number, other: number): boolean;
  list(place: number): number;
  at(place: number): number;
}

const wordsOfHash = hashBytes / 4;

function placesOf(lists: readonly Uint8Array[]): Places {
  const count = lists.reduce((sum, list) => sum + countOf(list), 0);
  if (count > placeRange) throw new RangeError(`${count} symbols in one publication`);
  const words = new Uint32Array(count * wordsOfHash);
  const all = Buffer.from(words.buffer);
  const listOf = new Uint16Array(count);
  const starts: number[] = [];
  let end = 0;
  lists.forEach((list, number) => {
    starts.push(end);
    all.set(list, end * hashBytes);
    listOf.fill(number, end, end + countOf(list));
    end += countOf(list);
  });
  return {
    count,
    head: place => all.readUInt32BE(place * hashBytes) >>> 6,
    hash: place => all.subarray(place * hashBytes, (place + 1) * hashBytes),
    isSame: (place, other) => {
      const a = place * wordsOfHash;
      const b = other * wordsOfHash;
      return (
        words[a] === words[b] &&
        words[a + 1] === words[b + 1] &&
        words[a + 2] === words[b + 2] &&
        words[a + 3] === words[b + 3]
      );
    },
    list: place => listOf[place]!,
    at: place => place - starts[listOf[place]!]!,
  };
}
