import type { Runtime } from './parsers.ts';

interface WebAssemblyModules {
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly name: string }[];
  };
}

/** Its types come with those of browsers alone. */
const { Module } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyModules }).WebAssembly;

/** What the loader gives each grammar: the memory that all share, and where in it the grammar lies. */
const given = new Set(['memory', '__indirect_function_table', '__stack_pointer', '__memory_base', '__table_base']);
/** Called where an assertion does not hold. The runtime has no such function, so that the call fails: a parse ends by it either way. */
const ending = new Set(['__assert_fail']);

/**
 * The functions that a grammar calls and its runtime has not. The loader notices none of them: a parse would fail in the
 * middle of a file that happens to need one, and the file would be blamed.
 */
export function missingImports(grammar: Uint8Array, runtime: Runtime): readonly string[] {
  return Module.imports(new Module(untilImports(grammar)))
    .map(({ name }) => name)
    .filter(name => !given.has(name) && !ending.has(name) && typeof runtime[`_${name}`] !== 'function');
}

const headerBytes = 8;
const importSection = 2;

/** A module as far as it says what it imports: a hundredth of a grammar, so that compiling it takes no time. */
function untilImports(bytes: Uint8Array): Uint8Array {
  let end = headerBytes;
  while (end < bytes.length && bytes[end]! <= importSection) {
    const { value, next } = sizeAt(bytes, end + 1);
    end = next + value;
  }
  return bytes.subarray(0, end);
}

/** An unsigned number in groups of seven bits, the lowest first. */
function sizeAt(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let place = at, shift = 0; ; place++, shift += 7) {
    const byte = bytes[place] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: place + 1 };
  }
}
