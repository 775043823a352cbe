/** Bytes of protocol buffers, also such as no encoder writes. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(rest)]);
}

export function tag(field: number, type: number): Uint8Array {
  return varint(field * 8 + type);
}

export function number(field: number, value: number | bigint): Uint8Array {
  return bytesOf(tag(field, 0), varint(value));
}

export function run(field: number, ...content: readonly (Uint8Array | string)[]): Uint8Array {
  const bytes = bytesOf(...content);
  return bytesOf(tag(field, 2), varint(bytes.length), bytes);
}

export function packed(field: number, ...values: readonly number[]): Uint8Array {
  return run(field, ...values.map(value => varint(value)));
}

export function bytesOf(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}
