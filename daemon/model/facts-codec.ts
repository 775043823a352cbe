import { expressionOf, expressionWords } from './expression-codec.ts';
import type {
  DefinitionFact,
  DocumentFacts,
  ExportFact,
  Expression,
  ImportFact,
  Range,
  ReferenceFact,
} from './facts.ts';
import { symbolKinds, visibilities } from './symbol.ts';

/**
 * The stored form of `DocumentFacts`: one buffer that crosses threads by transfer and is read in place.
 *
 *   header    u32 × 16   magic, format, then counts and byte offsets
 *   strings   u32 × (n+1) end offsets, then UTF-8 bytes
 *   tables    u32 rows of fixed stride: definitions, imports, exports, expressions, references, supers
 *
 * Fixed strides cost bytes and buy random access: a reader of one position touches one row.
 */
const magic = 0x53564346;
/** Part of the version under which facts are stored: a buffer of another format is never met. */
export const factsFormat = 4;
const headerWords = 16;
export const referenceKinds = ['call', 'read', 'write', 'import', 'type', 'implementation', 'reference'] as const;

const stride = { definition: 17, import: 5, export: 2, expression: 3, reference: 6 } as const;

export class BrokenFacts extends Error {}

export function encodeFacts(facts: DocumentFacts): Uint8Array {
  const writer = new FactsWriter();
  for (const one of facts.definitions) writer.definition(one);
  for (const one of facts.imports) writer.import(one);
  for (const one of facts.exports) writer.export(one);
  for (const one of facts.expressions) writer.expression(one);
  for (const one of facts.references) writer.reference(one);
  return writer.finish(facts);
}

/** What of a document's facts is in none of its tables. */
type Beside = Pick<
  DocumentFacts,
  'language' | 'packageName' | 'lineCount' | 'parseErrors' | 'configuration' | 'standalone'
>;

/**
 * Takes the rows of a document's tables one by one and makes the stored form of them, without a value for the whole. Its
 * memory serves the next document.
 */
export class FactsWriter {
  readonly #strings = new Map<string, number>();
  #ends: number[] = [];
  #texts = Buffer.allocUnsafe(4096);
  #textBytes = 0;
  readonly #definitions = new WordTable();
  readonly #imports = new WordTable();
  readonly #exports = new WordTable();
  readonly #expressions = new WordTable();
  readonly #references = new WordTable();
  readonly #supers = new WordTable();

  definition(one: DefinitionFact): void {
    const { words, at } = this.#definitions.row(stride.definition);
    words[at] = this.#text(one.name);
    words[at + 1] = this.#text(one.tail);
    words[at + 2] = symbolKinds.indexOf(one.kind);
    words[at + 3] = one.container + 1;
    writeRange(words, at + 4, one.nameRange);
    writeRange(words, at + 8, one.range);
    words[at + 12] = this.#text(one.signature);
    words[at + 13] = this.#text(one.documentation);
    words[at + 14] = visibilities.indexOf(one.visibility) | (one.exported ? 4 : 0) | (one.hasBody ? 8 : 0);
    words[at + 15] = one.type + 1;
    words[at + 16] = (this.#supers.length << 8) | Math.min(one.supers.length, 255);
    this.#supers.add(one.supers);
  }

  /** A site that has the name, tail, kind and texts of the one at `slot`, with neither type nor supers. */
  siteLike(slot: number, one: Pick<DefinitionFact, 'container' | 'nameRange' | 'range' | 'hasBody'>): void {
    const { words, at } = this.#definitions.row(stride.definition);
    words.copyWithin(at, slot * stride.definition, (slot + 1) * stride.definition);
    words[at + 3] = one.container + 1;
    writeRange(words, at + 4, one.nameRange);
    writeRange(words, at + 8, one.range);
    words[at + 14] = (words[at + 14]! & ~8) | (one.hasBody ? 8 : 0);
  }

  import(one: ImportFact): void {
    const flags = (one.wildcard ? 1 : 0) | (one.typeOnly ? 2 : 0);
    const texts = [this.#text(one.specifier), this.#text(one.name), this.#text(one.local)];
    this.#imports.add([...texts, flags, one.line]);
  }

  export(one: ExportFact): void {
    this.#exports.add([this.#text(one.name), one.of]);
  }

  expression(one: Expression): void {
    this.#expressions.add(expressionWords(one, text => this.#text(text)));
  }

  reference(one: ReferenceFact): void {
    const { words, at } = this.#references.row(stride.reference);
    words[at] = this.#text(one.name);
    words[at + 1] = (one.line << 4) | referenceKinds.indexOf(one.kind);
    words[at + 2] = one.column;
    words[at + 3] = ((one.endLine - one.line) << 20) | one.endColumn;
    words[at + 4] = one.enclosing + 1;
    words[at + 5] = one.expression;
  }

  finish(beside: Beside): Uint8Array {
    const texts = [this.#text(beside.language), this.#text(beside.packageName)];
    const head = [...texts, beside.lineCount, beside.parseErrors, this.#text(beside.configuration)];
    const tables = [this.#definitions, this.#imports, this.#exports, this.#expressions, this.#references, this.#supers];
    const rows = tables.slice(0, -1).map((table, index) => table.length / strides[index]!);
    const textWords = Math.ceil(this.#textBytes / 4);
    let word = headerWords + this.#ends.length + textWords;
    const words = new Uint32Array(tables.reduce((sum, table) => sum + table.length, word));
    const counts = [this.#ends.length, textWords, ...rows, this.#supers.length];
    words.set([magic, factsFormat, ...counts, ...head, beside.standalone ? 1 : 0]);
    words.set(this.#ends, headerWords);
    const bytes = new Uint8Array(words.buffer);
    bytes.set(this.#texts.subarray(0, this.#textBytes), (headerWords + this.#ends.length) * 4);
    for (const table of tables) {
      words.set(table.words.subarray(0, table.length), word);
      word += table.length;
      table.length = 0;
    }
    this.#strings.clear();
    this.#ends = [];
    this.#textBytes = 0;
    return bytes;
  }

  #text(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const most = this.#textBytes + text.length * 3;
    if (most > this.#texts.length) {
      const more = Buffer.allocUnsafe(most * 2);
      this.#texts.copy(more, 0, 0, this.#textBytes);
      this.#texts = more;
    }
    this.#textBytes += this.#texts.write(text, this.#textBytes);
    this.#strings.set(text, this.#ends.length);
    return this.#ends.push(this.#textBytes) - 1;
  }
}

const strides = [stride.definition, stride.import, stride.export, stride.expression, stride.reference] as const;

/** Words that grow. */
class WordTable {
  words = new Uint32Array(64);
  length = 0;

  /** Room for one more row: where to write it. */
  row(length: number): { readonly words: Uint32Array; readonly at: number } {
    const at = this.length;
    this.length += length;
    if (this.length > this.words.length) {
      const words = new Uint32Array(this.length * 2);
      words.set(this.words);
      this.words = words;
    }
    return { words: this.words, at };
  }

  add(row: readonly number[]): void {
    const { words, at } = this.row(row.length);
    words.set(row, at);
  }
}

function writeRange(words: Uint32Array, at: number, { startLine, startColumn, endLine, endColumn }: Range): void {
  words[at] = startLine;
  words[at + 1] = startColumn;
  words[at + 2] = endLine;
  words[at + 3] = endColumn;
}

export function decodeFacts(blob: Uint8Array): DocumentFacts {
  return new FactsView(blob).decode();
}

/** Reads single rows of an encoded `DocumentFacts` without decoding the rest. Throws `BrokenFacts` where the buffer is none. */
export class FactsView {
  readonly #words: Uint32Array;
  readonly #bytes: Buffer;
  readonly #textStart: number;
  readonly #starts: {
    definitions: number;
    imports: number;
    exports: number;
    expressions: number;
    references: number;
    supers: number;
  };

  constructor(blob: Uint8Array) {
    const aligned = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob);
    if (aligned.byteLength < headerWords * 4 || aligned.byteLength % 4 !== 0) throw new BrokenFacts('truncated');
    this.#words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
    this.#bytes = Buffer.from(aligned.buffer, aligned.byteOffset, aligned.byteLength);
    if (this.#words[0] !== magic || this.#words[1] !== factsFormat) throw new BrokenFacts('not a facts buffer');
    this.#textStart = (headerWords + this.#word(2)) * 4;
    const definitions = headerWords + this.#word(2) + this.#word(3);
    const imports = definitions + this.#word(4) * stride.definition;
    const exports = imports + this.#word(5) * stride.import;
    const expressions = exports + this.#word(6) * stride.export;
    const references = expressions + this.#word(7) * stride.expression;
    const supers = references + this.#word(8) * stride.reference;
    if (supers + this.#word(9) !== this.#words.length) throw new BrokenFacts('sections do not fit');
    this.#starts = { definitions, imports, exports, expressions, references, supers };
  }

  get language(): string {
    return this.text(this.#word(10));
  }
  get packageName(): string {
    return this.text(this.#word(11));
  }
  get standalone(): boolean {
    return this.#word(15) !== 0;
  }
  get configuration(): string {
    return this.text(this.#word(14));
  }
  get lineCount(): number {
    return this.#word(12);
  }
  get parseErrors(): number {
    return this.#word(13);
  }
  get definitionCount(): number {
    return this.#word(4);
  }
  get importCount(): number {
    return this.#word(5);
  }
  get exportCount(): number {
    return this.#word(6);
  }
  get expressionCount(): number {
    return this.#word(7);
  }
  get referenceCount(): number {
    return this.#word(8);
  }

  text(index: number): string {
    const end = this.#word(headerWords + index);
    const start = index === 0 ? 0 : this.#word(headerWords + index - 1);
    if (index >= this.#word(2) || start > end || end > this.#word(3) * 4) throw new BrokenFacts('text out of bounds');
    return this.#bytes.toString('utf8', this.#textStart + start, this.#textStart + end);
  }

  definition(slot: number): DefinitionFact {
    const row = this.#starts.definitions + slot * stride.definition;
    const flags = this.#word(row + 14);
    const supers = this.#word(row + 16);
    const firstSuper = this.#starts.supers + (supers >>> 8);
    return {
      name: this.text(this.#word(row)),
      tail: this.text(this.#word(row + 1)),
      kind: oneOf(symbolKinds, this.#word(row + 2)),
      container: this.#word(row + 3) - 1,
      nameRange: this.#range(row + 4),
      range: this.#range(row + 8),
      signature: this.text(this.#word(row + 12)),
      documentation: this.text(this.#word(row + 13)),
      visibility: oneOf(visibilities, flags & 3),
      exported: (flags & 4) !== 0,
      hasBody: (flags & 8) !== 0,
      type: this.#word(row + 15) - 1,
      supers: [...this.#words.subarray(firstSuper, firstSuper + (supers & 255))],
    };
  }

  /** Slot of the enclosing definition, -1 at the top. */
  definitionContainer(slot: number): number {
    return this.#word(this.#starts.definitions + slot * stride.definition + 3) - 1;
  }

  definitionName(slot: number): string {
    return this.text(this.#word(this.#starts.definitions + slot * stride.definition));
  }

  definitionTail(slot: number): string {
    return this.text(this.#word(this.#starts.definitions + slot * stride.definition + 1));
  }

  definitionNameRange(slot: number): Range {
    return this.#range(this.#starts.definitions + slot * stride.definition + 4);
  }

  definitionRange(slot: number): Range {
    return this.#range(this.#starts.definitions + slot * stride.definition + 8);
  }

  import(index: number): ImportFact {
    const row = this.#starts.imports + index * stride.import;
    const flags = this.#word(row + 3);
    return {
      specifier: this.text(this.#word(row)),
      name: this.text(this.#word(row + 1)),
      local: this.text(this.#word(row + 2)),
      wildcard: (flags & 1) !== 0,
      typeOnly: (flags & 2) !== 0,
      line: this.#word(row + 4),
    };
  }

  export(index: number): ExportFact {
    const row = this.#starts.exports + index * stride.export;
    return { name: this.text(this.#word(row)), of: this.#word(row + 1) };
  }

  expression(index: number): Expression {
    const row = this.#starts.expressions + index * stride.expression;
    const words = [this.#word(row), this.#word(row + 1), this.#word(row + 2)] as const;
    const expression = expressionOf(words, text => this.text(text));
    if (expression === undefined) throw new BrokenFacts('no such operation');
    return expression;
  }

  reference(index: number): ReferenceFact {
    const row = this.#starts.references + index * stride.reference;
    const lineAndKind = this.#word(row + 1);
    const end = this.#word(row + 3);
    return {
      name: this.text(this.#word(row)),
      kind: oneOf(referenceKinds, lineAndKind & 15),
      line: lineAndKind >>> 4,
      column: this.#word(row + 2),
      endLine: (lineAndKind >>> 4) + (end >>> 20),
      endColumn: end & 0xfffff,
      enclosing: this.#word(row + 4) - 1,
      expression: this.#word(row + 5),
    };
  }

  referenceRange(index: number): Range {
    const row = this.#starts.references + index * stride.reference;
    const startLine = this.#word(row + 1) >>> 4;
    const end = this.#word(row + 3);
    return {
      startLine,
      startColumn: this.#word(row + 2),
      endLine: startLine + (end >>> 20),
      endColumn: end & 0xfffff,
    };
  }

  decode(): DocumentFacts {
    const all = <T>(count: number, read: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => read(i));
    return {
      language: this.language,
      lineCount: this.lineCount,
      packageName: this.packageName,
      standalone: this.standalone,
      configuration: this.configuration,
      definitions: all(this.definitionCount, i => this.definition(i)),
      imports: all(this.importCount, i => this.import(i)),
      exports: all(this.exportCount, i => this.export(i)),
      expressions: all(this.expressionCount, i => this.expression(i)),
      references: all(this.referenceCount, i => this.reference(i)),
      parseErrors: this.parseErrors,
    };
  }

  #word(index: number): number {
    const value = this.#words[index];
    if (value === undefined) throw new BrokenFacts('offset past the end');
    return value;
  }

  #range(row: number): Range {
    return {
      startLine: this.#word(row),
      startColumn: this.#word(row + 1),
      endLine: this.#word(row + 2),
      endColumn: this.#word(row + 3),
    };
  }
}

function oneOf<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new BrokenFacts('no such kind');
  return value;
}
