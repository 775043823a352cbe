import type { Tree } from 'web-tree-sitter';
import type { Columns } from './columns.ts';
import type { Runtime } from './parsers.ts';

/**
 * The memory of the parser's runtime as the installed release of web-tree-sitter lays it out, in words of four and two
 * bytes; addresses are in bytes. A subtree is two words: a token in short form, told by its lowest bit, or the address of
 * a heap subtree, whose children lie right in front of it.
 */
export interface ParserMemory {
  readonly words: Int32Array;
  readonly halves: Uint16Array;
  /** Address of the tree's root. */
  readonly root: number;
  readonly tables: GrammarTables;
}

/** Of the tables that a grammar consists of, those that say how subtrees are shown: their places in `halves`. */
interface GrammarTables {
  readonly publicSymbols: number;
  /** A row of aliases for each production. */
  readonly aliases: number;
  readonly aliasesInRow: number;
  /** By production: the first of its field entries, and how many it has. Undefined in a grammar without fields. */
  readonly fieldSlices: number | undefined;
  /** The field; the child, and in the upper byte whether the entry is inherited. */
  readonly fieldEntries: number;
}

const subtreeBytes = 8;
/** Bytes from the start of a heap subtree. */
const heap = { padding: 4, size: 16, childCount: 36, symbol: 40, flags: 44, visibleChildren: 48, production: 66 };
/** The flags of a heap subtree; the short form has them one bit higher. */
const flag = { visible: 1, extra: 4 };
/** Bytes from the start of a grammar. */
const grammar = {
  version: 0,
  symbolCount: 4,
  aliasCount: 8,
  fieldCount: 32,
  aliasesInRow: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  publicSymbols: 76,
  aliases: 84,
};
const versions = { oldest: 13, newest: 15 };

/** What the parser calls the type of a node of error recovery; a column has the number behind the grammar's last. */
export const errorTypeId = 65535;

/** Undefined where the runtime doesn't show its memory, or a tree's grammar doesn't lie where it should. */
export function memoryOf(tree: Tree, runtime: Runtime): ParserMemory | undefined {
  const { HEAP32: words, HEAPU16: halves } = runtime;
  const root = (tree as unknown as Record<number, number>)[0];
  if (!(words instanceof Int32Array) || !(halves instanceof Uint16Array) || root === undefined) return undefined;
  const at = words[(root + subtreeBytes) >> 2] ?? 0;
  const word = (offset: number): number => words[(at + offset) >> 2] ?? 0;
  const isKnown = word(grammar.version) >= versions.oldest && word(grammar.version) <= versions.newest;
  const symbols = word(grammar.symbolCount) + word(grammar.aliasCount);
  if (!isKnown || symbols !== tree.language.types.length) return undefined;
  const tables = {
    publicSymbols: word(grammar.publicSymbols) >> 1,
    aliases: word(grammar.aliases) >> 1,
    aliasesInRow: halves[(at + grammar.aliasesInRow) >> 1]!,
    fieldSlices: word(grammar.fieldCount) === 0 ? undefined : word(grammar.fieldSlices) >> 1,
    fieldEntries: word(grammar.fieldEntries) >> 1,
  };
  return { words, halves, root, tables };
}

/** Fills columns with the nodes of a tree, without what tokens consist of. Gives their number. */
export function readTree(memory: ParserMemory, named: Uint8Array, columns: Columns): number {
  return new TreeReader(memory, named, columns).read();
}

/**
 * A subtree whose children are being read: the address of the next one and of the first behind them; where in the text
 * the last one ended; how many that are no extras were read, as grammars count; its production; the field that it gives
 * its children, where it is hidden; the node that it is, or lies in.
 */
const frame = { next: 0, last: 1, end: 2, place: 3, production: 4, field: 5, node: 6, isHidden: 7, words: 8 };

/** Frames are rows of one table, for trees nest as deeply as hostile input wants; it serves one tree after the other. */
let frames = new Int32Array(256 * frame.words);

class TreeReader {
  readonly #words: Int32Array;
  readonly #halves: Uint16Array;
  readonly #tables: GrammarTables;
  readonly #named: Uint8Array;
  readonly #columns: Columns;
  #size = 0;
  /** The innermost frame. */
  #top = 0;

  constructor({ words, halves, root, tables }: ParserMemory, named: Uint8Array, columns: Columns) {
    this.#words = words;
    this.#halves = halves;
    this.#tables = tables;
    this.#named = named;
    this.#columns = columns;
    // Around the root lies a hidden subtree with nothing else in it.
    frames.set([root, root + subtreeBytes, 0, 0, 0, 0, -1, 1]);
  }

  read(): number {
    for (;;) {
      const at = frames[this.#top + frame.next]!;
      if (at !== frames[this.#top + frame.last]) {
        this.#readSubtree(at);
        continue;
      }
      if (frames[this.#top + frame.isHidden] === 0) this.#columns.after[frames[this.#top + frame.node]!] = this.#size;
      if (this.#top === 0) return this.#size;
      this.#top -= frame.words;
    }
  }

  #readSubtree(at: number): void {
    const words = this.#words;
    const top = this.#top;
    const first = words[at >> 2]!;
    const second = words[(at >> 2) + 1]!;
    const isShort = (first & 1) === 1;
    const flags = isShort ? first >> 1 : words[(first + heap.flags) >> 2]!;
    const padding = isShort ? (second >> 16) & 0xff : words[(first + heap.padding) >> 2]!;
    const start = frames[top + frame.end]! + padding;
    const end = start + (isShort ? second >>> 24 : words[(first + heap.size) >> 2]!);
    let alias = 0;
    let field = 0;
    if ((flags & flag.extra) === 0) {
      const place = frames[top + frame.place]!++;
      alias = this.#aliasOf(frames[top + frame.production]!, place);
      field = this.#fieldOf(frames[top + frame.production]!, place) || frames[top + frame.field]!;
    }
    frames[top + frame.next] = at + subtreeBytes;
    frames[top + frame.end] = end;
    const isHidden = alias === 0 && (flags & flag.visible) === 0;
    const symbol = alias || (isShort ? (first >> 8) & 0xff : this.#halves[(first + heap.symbol) >> 1]!);
    const isToken = !isHidden && this.#addNode(symbol, start >> 1, end >> 1, field);
    if (isShort || isToken || words[(first + heap.childCount) >> 2] === 0) return;
    if (words[(first + heap.visibleChildren) >> 2]! > 0) this.#open(first, start - padding, isHidden, field);
  }

  /** Whether it is a token. */
  #addNode(symbol: number, start: number, end: number, field: number): boolean {
    const columns = this.#columns;
    const node = this.#size++;
    const above = frames[this.#top + frame.node]!;
    const type = symbol === errorTypeId ? this.#named.length - 1 : this.#halves[this.#tables.publicSymbols + symbol]!;
    columns.type[node] = type;
    columns.parent[node] = above;
    columns.depth[node] = above < 0 ? 0 : Math.min(columns.depth[above]! + 1, 65535);
    columns.fieldOf[node] = field;
    columns.start[node] = start;
    columns.end[node] = end;
    columns.after[node] = this.#size;
    return this.#named[type] === 0;
  }

  /** Goes into a subtree, that of the last node where it isn't hidden. `end` is where the text before it ends. */
  #open(subtree: number, end: number, isHidden: boolean, field: number): void {
    const top = this.#top + frame.words;
    if (top === frames.length) {
      const more = new Int32Array(2 * frames.length);
      more.set(frames);
      frames = more;
    }
    frames[top + frame.next] = subtree - subtreeBytes * this.#words[(subtree + heap.childCount) >> 2]!;
    frames[top + frame.last] = subtree;
    frames[top + frame.end] = end;
    frames[top + frame.place] = 0;
    frames[top + frame.production] = this.#halves[(subtree + heap.production) >> 1]!;
    frames[top + frame.field] = isHidden ? field : 0;
    frames[top + frame.node] = isHidden ? frames[this.#top + frame.node]! : this.#size - 1;
    frames[top + frame.isHidden] = isHidden ? 1 : 0;
    this.#top = top;
  }

  #aliasOf(production: number, place: number): number {
    const { aliases, aliasesInRow } = this.#tables;
    return production === 0 ? 0 : this.#halves[aliases + production * aliasesInRow + place]!;
  }

  #fieldOf(production: number, place: number): number {
    const { fieldSlices, fieldEntries } = this.#tables;
    if (fieldSlices === undefined || place > 0xff) return 0;
    const halves = this.#halves;
    const from = fieldEntries + 2 * halves[fieldSlices + 2 * production]!;
    const to = from + 2 * halves[fieldSlices + 2 * production + 1]!;
    for (let entry = from; entry < to; entry += 2) if (halves[entry + 1] === place) return halves[entry]!;
    return 0;
  }
}
