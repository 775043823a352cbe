import { depthOf } from '../../client/protocol/json-depth.ts';

/** Foreign JSON, read with its bounds kept. */
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
