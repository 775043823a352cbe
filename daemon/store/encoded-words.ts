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
  if (index === keys || words[start + index] !== key) return noRows;
  const boundary = start + keys + index;
  const first = start + keys * 2 + 1;
  return words.subarray(first + words[boundary]!, first + words[boundary + 1]!);
}

/** So many groups that were written at `start`. */
export interface Groups {
  readonly words: Uint32Array;
  readonly start: number;
  readonly keys: number;
}

/**
 * Writes groups without the rows that are old (`isOld[row >>> shift]` is 1), and with those that are new; keys, and the rows
 * of each, ascending. There must be room for all of both.
 */
export function mergeGroups(
  words: Uint32Array,
  start: number,
  [before, now]: readonly [Groups, Groups],
  isOld: Uint8Array,
  shift: number,
): { readonly end: number; readonly keys: number; readonly rows: number } {
  const keys = new Uint32Array(before.keys + now.keys);
  const ends = new Uint32Array(before.keys + now.keys);
  const rows = new Uint32Array(rowsOf(before) + rowsOf(now));
  let count = 0;
  let filled = 0;
  for (let at = 0, next = 0; at < before.keys || next < now.keys; ) {
    const was = at < before.keys ? before.words[before.start + at]! : endOfKeys;
    const is = next < now.keys ? now.words[now.start + next]! : endOfKeys;
    const from = filled;
    if (was <= is) {
      const end = rowsEnd(before, at);
      for (let row = rowsEnd(before, at++ - 1); row < end; row++) {
        if (isOld[before.words[row]! >>> shift] !== 1) rows[filled++] = before.words[row]!;
      }
    }
    const stay = filled;
    if (is <= was) {
      const end = rowsEnd(now, next);
      for (let row = rowsEnd(now, next++ - 1); row < end; row++) rows[filled++] = now.words[row]!;
    }
    if (stay > from && filled > stay) rows.subarray(from, filled).sort();
    if (filled === from) continue;
    keys[count] = was < is ? was : is;
    ends[count++] = filled;
  }
  words.set(keys.subarray(0, count), start);
  words[start + count] = 0;
  words.set(ends.subarray(0, count), start + count + 1);
  words.set(rows.subarray(0, filled), start + count * 2 + 1);
  return { end: start + count * 2 + 1 + filled, keys: count, rows: filled };
}

/** Behind all keys. */
const endOfKeys = 2 ** 32;

/** Where the rows of a group end, and those of the next begin; of the group before the first, where all begin. */
function rowsEnd({ words, start, keys }: Groups, group: number): number {
  return start + keys * 2 + 1 + words[start + keys + group + 1]!;
}

function rowsOf({ words, start, keys }: Groups): number {
  return words[start + keys * 2]!;
}

const noRows = new Uint32Array(0);
