/**
 * The deepest nesting of brackets outside strings; stops counting past `enough`. Asked before JSON is parsed: a million
 * brackets keep the parser, and so every other caller, busy for a second.
 */
export function depthOf(bytes: Uint8Array, enough: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > enough) return deepest;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}

/** About how many values the JSON holds; stops counting past `enough`. A short text of many small ones takes much memory. */
export function valuesIn(bytes: Uint8Array, enough: number): number {
  let values = 1;
  let inString = false;
  for (let at = 0; at < bytes.length && values <= enough; at++) {
    const byte = bytes[at]!;
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++;
  }
  return values;
}
