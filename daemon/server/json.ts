import { repeatedMember } from '../../client/protocol/json-members.ts';
import { extentOf } from '../../client/protocol/json-signs.ts';

/** Foreign JSON, read with its bounds kept. */
export type Parsed =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `value` is there as long as parsing it was harmless, so that its id can be answered. */
  | { readonly kind: 'too_deep'; readonly value: unknown }
  | { readonly kind: 'too_many' }
  /** It names that field twice. */
  | { readonly kind: 'repeated'; readonly value: unknown; readonly path: string }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'not_utf8' };

const harmlessDepth = 2000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a message may hold at most. */
export interface JsonBounds {
  readonly jsonDepth: number;
  readonly jsonValues: number;
}

export function parseJson(bytes: Uint8Array, { jsonDepth, jsonValues }: JsonBounds): Parsed {
  const { depth, values } = extentOf(bytes, { depth: harmlessDepth, values: jsonValues });
  if (depth > harmlessDepth) return { kind: 'too_deep', value: undefined };
  if (values > jsonValues) return { kind: 'too_many' };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'not_utf8' };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (depth > jsonDepth) return { kind: 'too_deep', value };
    const path = repeatedMember(bytes, value);
    return path === undefined ? { kind: 'value', value } : { kind: 'repeated', value, path };
  } catch {
    return { kind: 'not_json' };
  }
}
