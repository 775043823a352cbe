import type { TypedField } from './field-types.ts';
import type { TypeTable } from './types.ts';

/**
 * The value that a field has where nothing is sent, in one form however it is written: its default, else the zero of its type,
 * of an enum the first value. Enums' values are their numbers. Undefined where the field has none, or nobody knows it.
 */
export function defaultValue({ types }: TypeTable, { field, meant }: TypedField): string | undefined {
  if (field.cardinality === 'repeated' || field.cardinality === 'map') return undefined;
  const written = field.default;
  switch (meant.kind) {
    case 'scalar':
      return written === undefined ? zeroOf(meant.name) : scalarValue(meant.name, written);
    case 'enum': {
      const { values } = types.get(meant.name)!.enum!;
      const value = written === undefined ? values[0] : values.find(({ name }) => name === written);
      return value === undefined ? written : String(value.number);
    }
    case 'message':
    case 'unknown':
      return written;
  }
}

function zeroOf(type: string): string {
  if (type === 'string' || type === 'bytes') return '""';
  return type === 'bool' ? 'false' : '0';
}

function scalarValue(type: string, written: string): string {
  switch (type) {
    case 'string':
    case 'bytes':
    case 'bool':
      return written;
    case 'float':
      return floatValue(written, Math.fround);
    case 'double':
      return floatValue(written, value => value);
    default:
      return wholeValue(written);
  }
}

/** `16`, `0x10`, `020` and their signs; what is no whole number stays as written. */
function wholeValue(written: string): string {
  const { sign, digits } = signed(written);
  if (!/^(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,25})$/.test(digits)) return written;
  const value = /^0[0-9]/.test(digits) ? octal(digits) : BigInt(digits);
  return value === undefined ? written : String(sign === '-' ? -value : value);
}

function octal(digits: string): bigint | undefined {
  return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : undefined;
}

/** `1`, `1.0`, `1e0`, `0x1`, `inf`, `nan`. Minus zero is another value than zero. */
function floatValue(written: string, rounded: (value: number) => number): string {
  const { sign, digits } = signed(written);
  if (digits === 'inf') return `${sign}inf`;
  if (digits === 'nan') return 'nan';
  const value = /^0[0-9]+$/.test(digits) ? Number(octal(digits) ?? Number.NaN) : Number(digits);
  return Number.isNaN(value) ? written : `${sign}${rounded(value)}`;
}

function signed(written: string): { readonly sign: '' | '-'; readonly digits: string } {
  const sign = written.startsWith('-') ? '-' : '';
  return { sign, digits: sign === '' && !written.startsWith('+') ? written : written.slice(1) };
}
