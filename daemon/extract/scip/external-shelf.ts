import type { ScipSymbolInformation } from './information.ts';
import type { PagedNumbers, ScratchMemory } from './scratch-memory.ts';
import { type SymbolTold, symbolTold } from './symbol-told.ts';

/** What of it is worth keeping: who implements whom is nobody's business outside of the repository. */
export type ExternalSaid = Pick<SymbolTold, 'kind' | 'written' | 'signature' | 'documentation'>;

/** Keeps in scratch memory what an index tells of symbols of dependencies, which may be most of it. */
export class ExternalShelf {
  /** By symbol: where its words begin, + 1. */
  readonly #starts: PagedNumbers;
  /** How many bytes, then these. */
  readonly #words: PagedNumbers;

  constructor(memory: ScratchMemory) {
    this.#starts = memory.numbers();
    this.#words = memory.numbers();
  }

  /** Of what is told again, the last counts. */
  put(information: ScipSymbolInformation): void {
    const { kind, written, signature, documentation } = symbolTold(information);
    if (kind === 0 && signature === '' && documentation === '') return;
    const text = Buffer.from(JSON.stringify({ kind, written, signature, documentation } satisfies ExternalSaid));
    const words = new Int32Array(Math.ceil(text.length / 4));
    Buffer.from(words.buffer).set(text);
    const { symbol } = information;
    if (symbol >= this.#starts.length) this.#starts.resize(symbol + 1);
    this.#starts.set(symbol, this.#words.append([text.length], words) + 1);
  }

  of(symbol: number): ExternalSaid | undefined {
    const start = symbol < this.#starts.length ? this.#starts.get(symbol) - 1 : -1;
    if (start < 0) return undefined;
    const length = this.#words.get(start);
    const words = this.#words.slice(start + 1, Math.ceil(length / 4));
    return JSON.parse(Buffer.from(words.buffer, 0, length).toString()) as ExternalSaid;
  }
}
