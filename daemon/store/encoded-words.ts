/** Encoded bodies are buffers of 32-bit words that are read in place: what their formats share. */

/** The words of a buffer, copied where it does not begin at one; undefined where it has fewer, or ends in the midst of one. */
export function wordsOf(body: Uint8Array, least: number): Uint32Array | undefined {
  if (body.byteLength < least * 4 || body.byteLength % 4 !== 0) return undefined;
  const aligned = body.byteOffset % 4 === 0 ? body : new Uint8Array(body);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** Index of the first row of `stride` words, ascending by the first of each, that begins with `key` or more. */
export function lowerBound(words: Uint32Array, stride: number, key: number): number {
  let low = 0;
  let high = words.length / stride;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle * stride]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Writes rows in groups: the keys, ascending; where each one's rows start, counted from the first, and where the last
 * one's end; the rows. Returns where they end.
 */
export function writeGroups(
  words: Uint32Array,
  start: number,
  keys: readonly number[],
  rowsOf: (key: number) => readonly number[],
): number {
  words.set(keys, start);
  let boundary = start + keys.length;
  let at = boundary + keys.length + 1;
  const first = at;
  for (const key of keys) {
    words[boundary++] = at - first;
    for (const row of rowsOf(key)) words[at++] = row;
  }
  words[boundary] = at - first;
  return at;
}

/** The rows of a key among groups of so many keys that were written at `start`; none where it is not among them. */
export function groupOf(words: Uint32Array, start: number, keys: number, key: number): Uint32Array {
  const index = lowerBound(words.subarray(start, start + keys), 1, key);
  if (index === keys || words[start + index] !== key) return none;
  const boundary = start + keys + index;
  const first = start + keys * 2 + 1;
  return words.subarray(first + words[boundary]!, first + words[boundary + 1]!);
}

/** So many groups that were written at `start`: key and rows of each. */
export function* groupsIn(
  words: Uint32Array,
  start: number,
  keys: number,
): Iterable<readonly [key: number, rows: Uint32Array]> {
  const first = start + keys * 2 + 1;
  for (let at = start, boundary = start + keys; at < start + keys; at++, boundary++) {
    yield [words[at]!, words.subarray(first + words[boundary]!, first + words[boundary + 1]!)];
  }
}

/** Groups without the rows that are old, and with those that are new; keys, and the rows of each, ascending. */
export function mergedGroups(
  before: ReturnType<typeof groupsIn>,
  now: ReturnType<typeof groupsIn>,
  isOld: (row: number) => boolean,
): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [key, rows] of before) {
    const stay = [...rows].filter(row => !isOld(row));
    if (stay.length > 0) groups.set(key, stay);
  }
  for (const [key, rows] of now) {
    const known = groups.get(key);
    groups.set(key, known === undefined ? [...rows] : [...known, ...rows].sort((a, b) => a - b));
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

const none = new Uint32Array(0);
