import { callsWord, definitionWords, headerWords, magic } from './link-format.ts';

/** A body about rows that are known from the start, as columns. */
export interface LinkColumns {
  /** By symbol, ascending: symbol, name, packed traits and primary slot of each. */
  readonly definitions: Uint32Array;
  /** Of each slot its definition's place among them. */
  readonly slots: Uint32Array;
  /** Of each reference the symbol that it points at; 0 for none. */
  readonly targets: Uint32Array;
  /** Of all of them, in hundredths, or what stands in place of these. */
  readonly confidence: number;
  /** Which references are calls, as `callBits` packs them. */
  readonly calls: Uint32Array;
}

export function packLinks({ definitions, slots, targets, confidence, calls }: LinkColumns): Uint8Array {
  const { symbols, starts, references } = bySymbol(targets);
  const fixed = headerWords + definitions.length + slots.length;
  const end = fixed + symbols.length + starts.length + references.length + 1;
  const words = new Uint32Array(end + calls.length);
  const definitionCount = definitions.length / definitionWords;
  words.set([magic, definitionCount, slots.length, symbols.length, references.length]);
  words[callsWord] = calls.length;
  words.set(calls, end);
  words.set(definitions, headerWords);
  words.set(slots, headerWords + definitions.length);
  words.set(symbols, fixed);
  words.set(starts, fixed + symbols.length);
  const first = fixed + symbols.length + starts.length;
  for (let at = 0; at < references.length; at++) words[first + at] = references[at]! * 128 + confidence;
  return new Uint8Array(words.buffer);
}

/** References fit into so many bits. */
const referenceRange = 2 ** 20;

function bySymbol(targets: Uint32Array): { symbols: Uint32Array; starts: Uint32Array; references: Uint32Array } {
  const keys = new Float64Array(targets.length);
  for (let at = 0; at < keys.length; at++) keys[at] = targets[at]! * referenceRange + at;
  keys.sort();
  let from = 0;
  while (from < keys.length && keys[from]! < referenceRange) from++;
  const references = new Uint32Array(keys.length - from);
  const symbols = new Uint32Array(references.length);
  const starts = new Uint32Array(references.length + 1);
  let count = 0;
  for (let at = 0; at < references.length; at++) {
    const key = keys[from + at]!;
    const symbol = Math.floor(key / referenceRange);
    references[at] = key - symbol * referenceRange;
    if (count > 0 && symbols[count - 1] === symbol) continue;
    symbols[count] = symbol;
    starts[count++] = at;
  }
  starts[count] = references.length;
  return { symbols: symbols.subarray(0, count), starts: starts.subarray(0, count + 1), references };
}
