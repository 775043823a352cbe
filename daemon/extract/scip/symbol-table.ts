import type { WireReader } from '../wire.ts';
import { ByteStrings, longestBytes } from './byte-strings.ts';
import type { ScipLimits } from './limits.ts';
import { tooLarge, unacceptable } from './problem.ts';
import type { ScipRejections } from './report.ts';
import type { ScratchMemory } from './scratch-memory.ts';
import { areDescriptors, isScipSymbol } from './symbol-grammar.ts';

/** The global symbols of an index, numbered from 0 as they come. */
export interface ScipSymbols {
  readonly count: number;
  text(symbol: number): string;
  /** The number of what stands up to the last slash of its text, which many share. */
  prefixOf(symbol: number): number;
  prefixText(prefix: number): string;
  /** Copies what stands behind that slash to the beginning of `into`, of `longestBytes`. Returns how many bytes it has. */
  copyRest(symbol: number, into: DataView): number;
}

const mostMalformed = 100_000;
const recentPrefixes = 256;

/**
 * A symbol is kept as the number of what stands before its last slash (scheme, package, file: shared by hundreds) and the
 * rest: a tenth of the bytes, and most often told by comparing that with the symbol's before.
 */
export class SymbolTable implements ScipSymbols {
  readonly #prefixes: ByteStrings;
  /** By prefix. */
  readonly #rests: ByteStrings;
  /** Numbers + 1. */
  readonly #recentPrefixes = new Int32Array(recentPrefixes);
  /** A prefix that is a symbol of its own, as those are that end behind a namespace: then the rest is looked at alone. */
  #soundPrefix = -1;
  readonly #malformed = new Set<number>();
  readonly #limits: ScipLimits;
  readonly #rejections: ScipRejections;

  constructor(limits: ScipLimits, rejections: ScipRejections, memory: ScratchMemory) {
    this.#prefixes = new ByteStrings(memory);
    this.#rests = new ByteStrings(memory);
    this.#limits = limits;
    this.#rejections = rejections;
  }

  get count(): number {
    return this.#rests.count;
  }

  text(symbol: number): string {
    return this.prefixText(this.prefixOf(symbol)) + this.#rests.text(symbol);
  }

  prefixOf(symbol: number): number {
    return this.#rests.keyOf(symbol);
  }

  prefixText(prefix: number): string {
    return this.#prefixes.text(prefix);
  }

  copyRest(symbol: number, into: DataView): number {
    return this.#rests.copy(symbol, into);
  }

  /** The number of the global symbol that the reader's bytes from `from` to `to` are, -1 if they are none. */
  symbolAt(reader: WireReader, from: number, to: number): number {
    // No real symbol is near: a path and some names.
    if (to - from > longestBytes) return this.#tooLong(to - from);
    const { view } = reader;
    const split = afterLastSlash(view, from, to);
    const prefix = this.#prefixAt(view, from, split);
    const known = this.#rests.count;
    const symbol = prefix < 0 ? -1 : this.#rests.add(prefix, view, split, to);
    if (symbol === known) this.#check(symbol, prefix, reader, from, split, to);
    else if (symbol < 0) throw tooLarge('Symbols made to be slow to tell apart', reader.base + from);
    return this.#malformed.size > 0 && this.#malformed.has(symbol) ? -1 : symbol;
  }

  /** A file's symbols follow each other, and so do those of the few that it uses. */
  #prefixAt(view: DataView, from: number, split: number): number {
    const place = placeOfRecent(view, from, split);
    const recent = this.#recentPrefixes[place]! - 1;
    if (recent >= 0 && this.#prefixes.equals(recent, 0, view, from, split)) return recent;
    const prefix = this.#prefixes.add(0, view, from, split);
    this.#recentPrefixes[place] = prefix + 1;
    return prefix;
  }

  #check(symbol: number, prefix: number, reader: WireReader, from: number, split: number, to: number): void {
    const { symbols, symbolBytes } = this.#limits;
    if (symbol >= symbols) throw tooLarge(`More than ${symbols} symbols`, reader.base + from, 'symbols');
    if (this.#rests.byteLength + this.#prefixes.byteLength > symbolBytes)
      throw tooLarge(`Symbols of more than ${symbolBytes} bytes`, reader.base + from, 'symbolBytes');
    const { bytes } = reader;
    if (prefix !== this.#soundPrefix && isScipSymbol(bytes, from, split)) this.#soundPrefix = prefix;
    const isSound = prefix === this.#soundPrefix ? areDescriptors(bytes, split, to) : isScipSymbol(bytes, from, to);
    if (isSound) return;
    this.#malformed.add(symbol);
    this.#rejections.add('symbol', '', () => this.text(symbol));
    if (this.#malformed.size > mostMalformed)
      throw unacceptable('Symbols that are not SCIP’s', reader.base + from, 'Use an indexer that writes SCIP symbols');
  }

  #tooLong(bytes: number): number {
    this.#rejections.add('symbol', '', () => `${bytes} bytes`);
    return -1;
  }
}

/** Whether it begins with `local `: a symbol that means something in one document alone. */
export function isLocal(reader: WireReader, from: number, to: number): boolean {
  const { view } = reader;
  return to - from >= 6 && view.getInt32(from, true) === 0x61636f6c && view.getInt16(from + 4, true) === 0x206c;
}

/** By the end of the file's name, before its backtick and slash. */
function placeOfRecent(view: DataView, from: number, split: number): number {
  if (split - from < 12) return 0;
  return Math.imul(view.getInt32(split - 8, true) ^ view.getInt32(split - 12, true), 0x9e3779b1) >>> 24;
}

function afterLastSlash(view: DataView, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) if (view.getUint8(at) === 0x2f) return at + 1;
  return from;
}
