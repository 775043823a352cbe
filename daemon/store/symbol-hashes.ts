const hashBytes = 16;

/** Hashes in hex, one behind the other as bytes. */
export function hashesOf(hex: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(hex.length * hashBytes));
  for (let at = 0; at < hex.length; at++) bytes.write(hex[at]!, at * hashBytes, 'hex');
  return bytes;
}

export function countOf(hashes: Uint8Array): number {
  return hashes.length / hashBytes;
}

/** Places in all lists together. */
const placeRange = 2 ** 27;

/** Calls `take` for each place of each list, in the order of the hashes that stand there. */
export function eachInOrder(
  lists: readonly Uint8Array[],
  take: (hash: Buffer, list: number, at: number) => void,
): void {
  const places = placesOf(lists);
  // The first bits of a hash decide nearly always: with its place behind them they make a number.
  const keys = new Float64Array(places.count);
  for (let place = 0; place < keys.length; place++) {
    keys[place] = (places.head(place) >>> 6) * placeRange + place;
  }
  keys.sort();
  for (let from = 0, to = 0; from < keys.length; from = to) {
    const head = Math.floor(keys[from]! / placeRange);
    for (to = from + 1; to < keys.length && Math.floor(keys[to]! / placeRange) === head; ) to++;
    const alike = Array.from(keys.subarray(from, to), key => key % placeRange);
    if (alike.length > 1) alike.sort((a, b) => places.hash(a).compare(places.hash(b)));
    for (const place of alike) take(places.hash(place), places.list(place), places.at(place));
  }
}

interface Places {
  readonly count: number;
  head(place: number): number;
  hash(place: number): Buffer;
  list(place: number): number;
  at(place: number): number;
}

function placesOf(lists: readonly Uint8Array[]): Places {
  const all = Buffer.concat(lists);
  const count = countOf(all);
  if (count > placeRange) throw new RangeError(`${count} symbols in one publication`);
  const listOf = new Uint16Array(count);
  const starts: number[] = [];
  lists.forEach((list, number) => {
    const start = (starts.at(-1) ?? 0) + countOf(lists[number - 1] ?? new Uint8Array());
    starts.push(start);
    listOf.fill(number, start, start + countOf(list));
  });
  return {
    count,
    head: place => all.readUInt32BE(place * hashBytes),
    hash: place => all.subarray(place * hashBytes, (place + 1) * hashBytes),
    list: place => listOf[place]!,
    at: place => place - starts[listOf[place]!]!,
  };
}
