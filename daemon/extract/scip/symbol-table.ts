import { ByteStrings } from './byte-strings.ts';
import type { ScipLimits } from './limits.ts';
import { tooLarge, unacceptable } from './problem.ts';
import type { ScipRejections } from './report.ts';
import { isScipSymbol } from './symbol-grammar.ts';
import type { WireReader } from './wire.ts';

/** The global symbols of an index, numbered from 0 as they come. */
export interface ScipSymbols {
  readonly count: number;
  text(symbol: number): string;
}

/** No real symbol is near: a path and some names. */
const longestSymbol = 64 * 1024;
const mostMalformed = 100_000;

export class SymbolTable implements ScipSymbols {
  readonly #strings = new ByteStrings(new ByteStrings());
  readonly #malformed = new Set<number>();
  readonly #limits: ScipLimits;
  readonly #rejections: ScipRejections;

  constructor(limits: ScipLimits, rejections: ScipRejections) {
    this.#limits = limits;
    this.#rejections = rejections;
  }

  get count(): number {
    return this.#strings.count;
  }

  text(symbol: number): string {
    return this.#strings.text(symbol);
  }

  /** The number of the global symbol that the reader's bytes from `from` to `to` are, -1 if they are none. */
  symbolAt(reader: WireReader, from: number, to: number): number {
    if (to - from > longestSymbol) return this.#tooLong(to - from);
    const known = this.#strings.count;
    const symbol = this.#strings.add(reader.view, from, to);
    if (symbol === known) this.#check(symbol, reader, from, to);
    else if (symbol < 0)
      throw tooLarge('Symbols that were made to be slow to tell apart', reader.base + from, 'symbols');
    return this.#malformed.size > 0 && this.#malformed.has(symbol) ? -1 : symbol;
  }

  #check(symbol: number, reader: WireReader, from: number, to: number): void {
    const { symbols, symbolBytes } = this.#limits;
    if (symbol >= symbols) throw tooLarge(`More than ${symbols} symbols`, reader.base + from, 'symbols');
    if (this.#strings.byteLength > symbolBytes)
      throw tooLarge(`Symbols of more than ${symbolBytes} bytes`, reader.base + from, 'symbolBytes');
    if (isScipSymbol(reader.bytes, from, to)) return;
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
