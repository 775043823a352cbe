const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** How much a JSON text holds. */
export interface JsonExtent {
  /** The deepest nesting of brackets. */
  readonly depth: number;
  /** About how many values: a short text of many small ones takes much memory. */
  readonly values: number;
}

/**
 * What a JSON text holds by the signs outside its strings; stops counting where either is past `enough`. Asked before JSON is
 * parsed: a million brackets, or values, keep the parser, and so every other caller, busy for a second.
 */
export function extentOf(bytes: Uint8Array, enough: JsonExtent): JsonExtent {
  let open = 0;
  let depth = 0;
  let values = 1;
  eachSign(bytes, sign => {
    if (opens(sign)) {
      values++;
      if (++open > depth) depth = open;
    } else if (sign === comma) values++;
    else if (sign === closeList || sign === closeObject) open--;
    return depth <= enough.depth && values <= enough.values;
  });
  return { depth, values };
}

/** How many fields objects have as they are written, each time that one is. */
export function membersIn(bytes: Uint8Array): number {
  let members = 0;
  eachSign(bytes, sign => {
    if (sign === colon) members++;
    return true;
  });
  return members;
}

function opens(sign: number): boolean {
  return sign === openList || sign === openObject;
}

/** Brackets, commas and colons outside strings, until one is not followed by more: `take` says. */
function eachSign(bytes: Uint8Array, take: (sign: number) => boolean): void {
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if ((byte === comma || byte === colon || byte >= openList) && !take(byte)) return;
  }
}
