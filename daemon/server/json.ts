/** Foreign JSON, read with its bounds kept: a million nested brackets would hold the event loop for a second. */
export type Parsed =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `value` is there as long as parsing it was harmless, so that its id can be answered. */
  | { readonly kind: 'too_deep'; readonly value: unknown }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'not_utf8' };

const harmlessDepth = 2000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Uint8Array, maxDepth: number): Parsed {
  const depth = depthOf(bytes, harmlessDepth);
  if (depth > harmlessDepth) return { kind: 'too_deep', value: undefined };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'not_utf8' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return depth > maxDepth ? { kind: 'too_deep', value } : { kind: 'value', value };
  } catch {
    return { kind: 'not_json' };
  }
}

/** The deepest nesting of brackets outside strings; stops counting past `enough`. */
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
