/**
 * The stored form of `DocumentFacts`: one buffer that crosses threads by transfer and is read in place.
 *
 *   header    u32 × 18   magic, format, then counts and byte offsets
 *   strings   end offsets
 *   tables    rows of fixed stride: definitions, imports, exports, expressions, references, complexity, supers, tests
 *   texts     UTF-8
 *
 * Fixed strides cost bytes and buy random access: a reader of one position touches one row. Cells of strings and tables
 * are u16 where all of the document's fit (`narrow`), as almost all documents' do, else u32.
 */
export const magic = 0x53564346;
/** Part of the version under which facts are stored, and of an index file's: a buffer of another format is never met. */
export const factsFormat = 11;
export const headerWords = 18;
export const headerBytes = headerWords * 4;
/** What a narrow cell holds at most. */
export const mostNarrow = 0xffff;
/** Where among a definition's flags its condition stands. */
export const conditionShift = 4;
export const flag = { standalone: 1, narrow: 2 } as const;
export const referenceKinds = ['call', 'read', 'write', 'import', 'type', 'implementation', 'reference'] as const;

export const stride = {
  definition: 18,
  import: 5,
  export: 2,
  expression: 3,
  reference: 6,
  complexity: 8,
  tests: 2,
} as const;

export function cellsIn(bytes: Uint8Array, isNarrow: boolean, count: number): Uint16Array | Uint32Array {
  const start = bytes.byteOffset + headerBytes;
  return isNarrow ? new Uint16Array(bytes.buffer, start, count) : new Uint32Array(bytes.buffer, start, count);
}
