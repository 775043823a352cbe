import { expressionWords } from './expression-codec.ts';
import type {
  DefinitionFact,
  DocumentFacts,
  ExportFact,
  Expression,
  FunctionComplexity,
  ImportFact,
  Range,
  ReferenceFact,
  TestLines,
} from './facts.ts';
import { conditions } from './facts.ts';
import {
  cellsIn,
  conditionShift,
  factsFormat,
  flag,
  headerBytes,
  headerWords,
  magic,
  mostNarrow,
  referenceKinds,
  stride,
} from './facts-format.ts';
import { symbolKinds, visibilities } from './symbol.ts';

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
  readonly #complexity = new WordTable();
  readonly #supers = new WordTable();
  readonly #tests = new WordTable();
  readonly #intern = (text: string): number => this.#text(text);

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
    words[at + 14] =
      visibilities.indexOf(one.visibility) |
      (one.exported ? 4 : 0) |
      (one.hasBody ? bodyFlag : 0) |
      (conditions.indexOf(one.condition) << conditionShift);
    words[at + 15] = one.type + 1;
    words[at + 16] = this.#supers.length;
    words[at + 17] = one.supers.length;
    this.#supers.add(one.supers);
  }

  /** Whether a site has the name, kind and texts of the one at `slot`, which keys of literals do by the thousand. */
  isSiteLike(slot: number, one: Pick<DefinitionFact, 'name' | 'kind' | 'signature' | 'documentation'>): boolean {
    const { words } = this.#definitions;
    const at = slot * stride.definition;
    return (
      words[at] === this.#strings.get(one.name) &&
      words[at + 2] === symbolKinds.indexOf(one.kind) &&
      words[at + 12] === this.#strings.get(one.signature) &&
      words[at + 13] === this.#strings.get(one.documentation)
    );
  }

  hasBody(slot: number): boolean {
    return (this.#definitions.words[slot * stride.definition + 14]! & bodyFlag) !== 0;
  }

  /** A site that has the name, tail, kind and texts of the one at `slot`, with neither type nor supers. */
  siteLike(slot: number, one: Pick<DefinitionFact, 'container' | 'nameRange' | 'range' | 'hasBody'>): void {
    const { words, at } = this.#definitions.row(stride.definition);
    words.copyWithin(at, slot * stride.definition, (slot + 1) * stride.definition);
    words[at + 3] = one.container + 1;
    writeRange(words, at + 4, one.nameRange);
    writeRange(words, at + 8, one.range);
    words[at + 14] = (words[at + 14]! & ~bodyFlag) | (one.hasBody ? bodyFlag : 0);
  }

  import(one: ImportFact): void {
    const flags = (one.wildcard ? 1 : 0) | (one.typeOnly ? 2 : 0) | (one.escapes ? 4 : 0) | (one.exported ? 8 : 0);
    const texts = [this.#text(one.specifier), this.#text(one.name), this.#text(one.local)];
    this.#imports.add([...texts, flags, one.line]);
  }

  export(one: ExportFact): void {
    this.#exports.add([this.#text(one.name), one.of]);
  }

  expression(one: Expression): void {
    this.#expressions.add(expressionWords(one, this.#intern));
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

  complexity(one: FunctionComplexity): void {
    const { words, at } = this.#complexity.row(stride.complexity);
    words[at] = this.#text(one.name);
    words[at + 1] = one.line;
    words[at + 2] = one.endLine;
    words[at + 3] = one.cyclomatic;
    words[at + 4] = one.cognitive;
    words[at + 5] = one.parameters;
    words[at + 6] = (one.recursion << 1) | Number(one.countsAround);
    words[at + 7] = this.#text(one.container);
  }

  tests({ startLine, endLine, isRun }: TestLines): void {
    this.#tests.add([startLine, endLine * 2 + Number(isRun)]);
  }

  finish(beside: Beside): Uint8Array {
    const texts = [this.#text(beside.language), this.#text(beside.packageName)];
    const head = [...texts, beside.lineCount, beside.parseErrors, this.#text(beside.configuration)];
    const counted = [this.#definitions, this.#imports, this.#exports, this.#expressions, this.#references];
    const tables = [...counted, this.#complexity, this.#supers, this.#tests];
    const rows = counted.map((table, index) => table.length / strides[index]!);
    const measured = this.#complexity.length / stride.complexity;
    const tests = this.#tests.length / stride.tests;
    const cells = tables.reduce((sum, table) => sum + table.length, this.#ends.length);
    const isNarrow = this.#textBytes <= mostNarrow && tables.every(table => table.fitsIn(mostNarrow));
    const textStart = headerBytes + cells * (isNarrow ? 2 : 4);
    const bytes = new Uint8Array(Math.ceil((textStart + this.#textBytes) / 4) * 4);
    const counts = [this.#ends.length, this.#textBytes, ...rows, this.#supers.length];
    const flags = (beside.standalone ? flag.standalone : 0) | (isNarrow ? flag.narrow : 0);
    new Uint32Array(bytes.buffer, 0, headerWords).set([magic, factsFormat, ...counts, ...head, flags, measured, tests]);
    const into = cellsIn(bytes, isNarrow, cells);
    into.set(this.#ends);
    let at = this.#ends.length;
    for (const table of tables) {
      into.set(table.words.subarray(0, table.length), at);
      at += table.length;
      table.length = 0;
    }
    bytes.set(this.#texts.subarray(0, this.#textBytes), textStart);
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
    this.#textBytes += writeText(this.#texts, text, this.#textBytes);
    this.#strings.set(text, this.#ends.length);
    return this.#ends.push(this.#textBytes) - 1;
  }
}

/** Beside a definition's visibility. */
const bodyFlag = 8;

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
    for (let cell = 0; cell < row.length; cell++) words[at + cell] = row[cell]!;
  }

  fitsIn(most: number): boolean {
    for (let at = 0; at < this.length; at++) if (this.words[at]! > most) return false;
    return true;
  }
}

/** Past so many characters the runtime's own encoder is the quicker one. */
const shortText = 32;

/** Writes a text as UTF-8 and gives the number of bytes. */
function writeText(into: Buffer, text: string, at: number): number {
  if (text.length > shortText) return into.write(text, at);
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code > 0x7f) return into.write(text, at);
    into[at + place] = code;
  }
  return text.length;
}

function writeRange(words: Uint32Array, at: number, { startLine, startColumn, endLine, endColumn }: Range): void {
  words[at] = startLine;
  words[at + 1] = startColumn;
  words[at + 2] = endLine;
  words[at + 3] = endColumn;
}
