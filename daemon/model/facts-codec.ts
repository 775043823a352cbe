import { expressionOf } from './expression-codec.ts';
import type {
  DefinitionFact,
  DocumentFacts,
  ExportFact,
  Expression,
  FunctionComplexity,
  ImportFact,
  Range,
  ReferenceFact,
  ReferenceKind,
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
  referenceKinds,
  stride,
} from './facts-format.ts';
import { FactsWriter } from './facts-writer.ts';
import { symbolKinds, visibilities } from './symbol.ts';

export class BrokenFacts extends Error {}

/** A definition without its places and its texts for people. */
export type DefinitionHead = Omit<DefinitionFact, 'nameRange' | 'range' | 'signature' | 'documentation'>;

/** A writer's memory past which it is not kept for the next document. */
const keptBytes = 1024 * 1024;
/** Takes the next document; none where the last one failed halfway. */
let spare: FactsWriter | undefined;

export function encodeFacts(facts: DocumentFacts): Uint8Array {
  const writer = spare ?? new FactsWriter();
  spare = undefined;
  for (const one of facts.definitions) writer.definition(one);
  for (const one of facts.imports) writer.import(one);
  for (const one of facts.exports) writer.export(one);
  for (const one of facts.expressions) writer.expression(one);
  for (const one of facts.references) writer.reference(one);
  for (const one of facts.complexity) writer.complexity(one);
  for (const one of facts.tests) writer.tests(one);
  const bytes = writer.finish(facts);
  if (bytes.byteLength <= keptBytes) spare = writer;
  return bytes;
}

export function decodeFacts(blob: Uint8Array): DocumentFacts {
  return new FactsView(blob).decode();
}

/** Reads single rows of an encoded `DocumentFacts` without decoding the rest. Throws `BrokenFacts` where the buffer is none. */
export class FactsView {
  readonly #header: Uint32Array;
  /** End offsets of the strings, then the tables. */
  readonly #cells: Uint16Array | Uint32Array;
  readonly #bytes: Buffer;
  readonly #textStart: number;
  readonly #texts: (string | undefined)[] | undefined;
  readonly #starts: {
    definitions: number;
    imports: number;
    exports: number;
    expressions: number;
    references: number;
    complexity: number;
    supers: number;
    tests: number;
  };

  /** `keepsTexts`: most rows will be read, and few texts are in one of them alone. */
  constructor(blob: Uint8Array, { keepsTexts = false } = {}) {
    const aligned = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob);
    if (aligned.byteLength < headerBytes || aligned.byteLength % 4 !== 0) throw new BrokenFacts('truncated');
    this.#header = new Uint32Array(aligned.buffer, aligned.byteOffset, headerWords);
    this.#bytes = Buffer.from(aligned.buffer, aligned.byteOffset, aligned.byteLength);
    if (this.#head(0) !== magic || this.#head(1) !== factsFormat) throw new BrokenFacts('not a facts buffer');
    const definitions = this.#head(2);
    const imports = definitions + this.#head(4) * stride.definition;
    const exports = imports + this.#head(5) * stride.import;
    const expressions = exports + this.#head(6) * stride.export;
    const references = expressions + this.#head(7) * stride.expression;
    const complexity = references + this.#head(8) * stride.reference;
    const supers = complexity + this.#head(16) * stride.complexity;
    const tests = supers + this.#head(9);
    this.#starts = { definitions, imports, exports, expressions, references, complexity, supers, tests };
    const cells = tests + this.#head(17) * stride.tests;
    const isNarrow = (this.#head(15) & flag.narrow) !== 0;
    this.#textStart = headerBytes + cells * (isNarrow ? 2 : 4);
    if (Math.ceil((this.#textStart + this.#head(3)) / 4) * 4 !== aligned.byteLength) {
      throw new BrokenFacts('sections do not fit');
    }
    this.#cells = cellsIn(aligned, isNarrow, cells);
    this.#texts = keepsTexts ? new Array<string | undefined>(definitions) : undefined;
  }

  get language(): string {
    return this.text(this.#head(10));
  }
  get packageName(): string {
    return this.text(this.#head(11));
  }
  get standalone(): boolean {
    return (this.#head(15) & flag.standalone) !== 0;
  }
  get configuration(): string {
    return this.text(this.#head(14));
  }
  get lineCount(): number {
    return this.#head(12);
  }
  get parseErrors(): number {
    return this.#head(13);
  }
  get definitionCount(): number {
    return this.#head(4);
  }
  get importCount(): number {
    return this.#head(5);
  }
  get exportCount(): number {
    return this.#head(6);
  }
  get expressionCount(): number {
    return this.#head(7);
  }
  get referenceCount(): number {
    return this.#head(8);
  }

  get complexityCount(): number {
    return this.#head(16);
  }

  text(index: number): string {
    const known = this.#texts?.[index];
    if (known !== undefined) return known;
    const text = this.#decoded(index);
    if (this.#texts !== undefined) this.#texts[index] = text;
    return text;
  }

  #decoded(index: number): string {
    const end = this.#word(index);
    const start = index === 0 ? 0 : this.#word(index - 1);
    if (index >= this.#head(2) || start > end || end > this.#head(3)) throw new BrokenFacts('text out of bounds');
    return this.#bytes.toString('utf8', this.#textStart + start, this.#textStart + end);
  }

  definition(slot: number): DefinitionFact {
    const row = this.#starts.definitions + slot * stride.definition;
    return {
      ...this.definitionHead(slot),
      nameRange: this.#range(row + 4),
      range: this.#range(row + 8),
      signature: this.definitionSignature(slot),
      documentation: this.definitionDocumentation(slot),
    };
  }

  definitionHead(slot: number): DefinitionHead {
    const row = this.#starts.definitions + slot * stride.definition;
    return {
      name: this.text(this.#word(row)),
      tail: this.text(this.#word(row + 1)),
      container: this.#word(row + 3) - 1,
      ...this.definitionTraits(slot),
      type: this.#word(row + 15) - 1,
      supers: this.#supers(this.#word(row + 16), this.#word(row + 17)),
      condition: oneOf(conditions, (this.#word(row + 14) >> conditionShift) & 3),
    };
  }

  definitionTraits(slot: number): Pick<DefinitionFact, 'kind' | 'visibility' | 'exported' | 'hasBody'> {
    const row = this.#starts.definitions + slot * stride.definition;
    const flags = this.#word(row + 14);
    return {
      kind: oneOf(symbolKinds, this.#word(row + 2)),
      visibility: oneOf(visibilities, flags & 3),
      exported: (flags & 4) !== 0,
      hasBody: (flags & 8) !== 0,
    };
  }

  definitionSignature(slot: number): string {
    return this.text(this.#word(this.#starts.definitions + slot * stride.definition + 12));
  }

  definitionDocumentation(slot: number): string {
    return this.text(this.#word(this.#starts.definitions + slot * stride.definition + 13));
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

  /** An import without its texts. */
  importHead(index: number): Pick<ImportFact, 'wildcard' | 'typeOnly' | 'line'> {
    const row = this.#starts.imports + index * stride.import;
    const flags = this.#word(row + 3);
    return { wildcard: (flags & 1) !== 0, typeOnly: (flags & 2) !== 0, line: this.#word(row + 4) };
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
      escapes: (flags & 4) !== 0,
      exported: (flags & 8) !== 0,
      line: this.#word(row + 4),
    };
  }

  export(index: number): ExportFact {
    const row = this.#starts.exports + index * stride.export;
    return { name: this.text(this.#word(row)), of: this.#word(row + 1) };
  }

  expression(index: number): Expression {
    const row = this.#starts.expressions + index * stride.expression;
    const expression = expressionOf(this.#word(row), this.#word(row + 1), this.#word(row + 2), this);
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

  referenceName(index: number): string {
    return this.text(this.#word(this.#starts.references + index * stride.reference));
  }

  referenceKind(index: number): ReferenceKind {
    return oneOf(referenceKinds, this.#word(this.#starts.references + index * stride.reference + 1) & 15);
  }

  /** Index of the expression that it denotes. */
  referenceExpression(index: number): number {
    return this.#word(this.#starts.references + index * stride.reference + 5);
  }

  /** Slot of the innermost definition around it, -1 at the top. */
  referenceEnclosing(index: number): number {
    return this.#word(this.#starts.references + index * stride.reference + 4) - 1;
  }

  /** Whether it begins where the one before it does. */
  isReferenceBeside(index: number): boolean {
    if (index === 0) return false;
    const row = this.#starts.references + index * stride.reference;
    const before = row - stride.reference;
    return this.#word(row + 1) >>> 4 === this.#word(before + 1) >>> 4 && this.#word(row + 2) === this.#word(before + 2);
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

  complexity(index: number): FunctionComplexity {
    const row = this.#starts.complexity + index * stride.complexity;
    const recursion = this.#word(row + 6);
    return {
      name: this.text(this.#word(row)),
      container: this.text(this.#word(row + 7)),
      line: this.#word(row + 1),
      endLine: this.#word(row + 2),
      cyclomatic: this.#word(row + 3),
      cognitive: this.#word(row + 4),
      parameters: this.#word(row + 5),
      recursion: recursion >> 1,
      countsAround: (recursion & 1) !== 0,
    };
  }

  get testsCount(): number {
    return this.#head(17);
  }

  tests(index: number): TestLines {
    const row = this.#starts.tests + index * stride.tests;
    const end = this.#word(row + 1);
    return { startLine: this.#word(row), endLine: end >> 1, isRun: (end & 1) !== 0 };
  }

  /** Whether a line, 0-based, is one of test code between other code. */
  isOfTests(line: number): boolean {
    let low = 0;
    let high = this.testsCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.tests(middle).endLine < line) low = middle + 1;
      else high = middle;
    }
    return low < this.testsCount && this.tests(low).startLine <= line;
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
      complexity: all(this.complexityCount, i => this.complexity(i)),
      tests: all(this.testsCount, i => this.tests(i)),
      parseErrors: this.parseErrors,
    };
  }

  #head(index: number): number {
    return this.#header[index]!;
  }

  #word(index: number): number {
    const value = this.#cells[index];
    if (value === undefined) throw new BrokenFacts('offset past the end');
    return value;
  }

  #supers(from: number, count: number): readonly number[] {
    if (count === 0) return noSupers;
    const supers = new Array<number>(count);
    for (let at = 0; at < count; at++) supers[at] = this.#word(this.#starts.supers + from + at);
    return supers;
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

const noSupers: readonly number[] = [];

function oneOf<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new BrokenFacts('no such kind');
  return value;
}
