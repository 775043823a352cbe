const space = 0x20;
const backtick = 0x60;
/** `/ # . : !` after a name, and `(` where a method's disambiguator begins. */
const endsName = new Uint8Array(256);
for (const mark of '/#.:!(') endsName[mark.charCodeAt(0)] = 1;
/** What no name has outside of backticks. */
const startsOther = new Uint8Array(256);
for (const mark of '[])` ') startsOther[mark.charCodeAt(0)] = 1;

/** Whether these bytes have the form of a global symbol: scheme, manager, package, version and descriptors. */
export function isScipSymbol(bytes: Uint8Array, from: number, to: number): boolean {
  let at = descriptorsAt(bytes, from, to);
  if (at < 0 || at >= to) return false;
  while (at >= 0 && at < to) at = descriptorEnd(bytes, at, to);
  return at === to;
}

/** After the fourth single space, each of the four parts having something in it; a doubled space is one of the part. */
function descriptorsAt(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (let part = 0; part < 4; part++) {
    const start = at;
    while (at < to && (bytes[at] !== space || bytes[at + 1] === space)) at += bytes[at] === space ? 2 : 1;
    if (at >= to || at === start) return -1;
    at++;
  }
  return at;
}

/** Where the descriptor that begins at `at` ends, -1 if none begins there. */
function descriptorEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] === 0x5b) return closed(bytes, nameEnd(bytes, at + 1, to), to, 0x5d);
  if (bytes[at] === 0x28) return closed(bytes, nameEnd(bytes, at + 1, to), to, 0x29);
  const end = nameEnd(bytes, at, to);
  if (end < 0 || end >= to || endsName[bytes[end]!] === 0) return -1;
  return bytes[end] === 0x28 ? methodEnd(bytes, end + 1, to) : end + 1;
}

function closed(bytes: Uint8Array, at: number, to: number, bracket: number): number {
  return at >= 0 && at < to && bytes[at] === bracket ? at + 1 : -1;
}

function methodEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== 0x29) at++;
  return at + 1 < to && bytes[at + 1] === 0x2e ? at + 2 : -1;
}

/** Behind a name of one character or more, in backticks or without; -1 if there is none. */
function nameEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  if (bytes[at] !== backtick) {
    while (at < to && endsName[bytes[at]!] === 0 && startsOther[bytes[at]!] === 0) at++;
    return at > from ? at : -1;
  }
  for (at++; at < to; at++) {
    if (bytes[at] !== backtick) continue;
    if (bytes[at + 1] !== backtick || at + 1 >= to) return at > from + 1 ? at + 1 : -1;
    at++;
  }
  return -1;
}
