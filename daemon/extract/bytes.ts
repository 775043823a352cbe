/** Of 32 bits: word by word, the last word overlapping the one before it; mixed at the end as MurmurHash3 does (public domain). */
export function hashOf(key: number, view: DataView, from: number, to: number): number {
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

export function sameBytes(a: DataView, atA: number, b: DataView, atB: number, length: number): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) if (a.getInt32(atA + at, true) !== b.getInt32(atB + at, true)) return false;
  for (; at < length; at++) if (a.getUint8(atA + at) !== b.getUint8(atB + at)) return false;
  return true;
}

/** For the few bytes of a name this is quicker than a call that knows how to copy. */
export function copyBytes(into: DataView, atInto: number, from: DataView, atFrom: number, length: number): void {
  let at = 0;
  for (; at + 4 <= length; at += 4) into.setInt32(atInto + at, from.getInt32(atFrom + at, true), true);
  for (; at < length; at++) into.setUint8(atInto + at, from.getUint8(atFrom + at));
}
