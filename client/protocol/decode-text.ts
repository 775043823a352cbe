import type { TSchema } from 'typebox';

/**
 * The value that a text stands for where text is all there is (path, query, command line): `true` and `false`, integers
 * in plain decimal digits within the safe range, decimal numbers. Text that the schema's type does not read that way is
 * returned as it is, so that validation refuses it in the schema's own words.
 */
export function decodeText(schema: TSchema, text: string): unknown {
  switch ((schema as { readonly type?: string }).type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
      return /^(0|-?[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case 'number':
      return /^-?(0|[1-9]\d{0,15})(\.\d{1,17})?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
