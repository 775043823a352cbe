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
  const strings = new Map<string, number>();
  const intern: Intern = text => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const tables = tablesOf(facts, intern);
  const { definitions, imports, exports, expressions, references } = facts;
  const counts = [definitions, imports, exports, expressions, references].map(({ length }) => length);
  const beside = [
    ...[intern(facts.language), intern(facts.packageName), facts.lineCount, facts.parseErrors],
    ...[intern(facts.configuration), facts.standalone ? 1 : 0],
  ];
  const texts = [...strings.keys()].map(text => Buffer.from(text, 'utf8'));
  const textWords = Math.ceil(texts.reduce((sum, bytes) => sum + bytes.length, 0) / 4);
  const words = headerWords + texts.length + textWords + tables.reduce((sum, table) => sum + table.length, 0);
  const view = new Uint32Array(words);
  const bytes = new Uint8Array(view.buffer);
  view.set([magic, factsFormat, texts.length, textWords, ...counts, tables.at(-1)!.length, ...beside]);
  const textStart = (headerWords + texts.length) * 4;
  let byte = textStart;
  texts.forEach((text, index) => {
    bytes.set(text, byte);
    byte += text.length;
    view[headerWords + index] = byte - textStart;
  });
  let word = textStart / 4 + textWords;
  for (const table of tables) {
    view.set(table, word);
    word += table.length;
  }
  return bytes;
}

type Intern = (text: string) => number;

/** In the order in which they are stored; the last one has the supers of all definitions. */
function tablesOf(facts: DocumentFacts, intern: Intern): readonly (readonly number[])[] {
  const supers: number[] = [];
  const definitions: number[] = [];
  for (const definition of facts.definitions) {
    definitions.push(...definitionWords(definition, supers.length, intern));
    for (const one of definition.supers) supers.push(one);
  }
  const imports = facts.imports.flatMap(one => [
    intern(one.specifier),
    intern(one.name),
    intern(one.local),
    (one.wildcard ? 1 : 0) | (one.typeOnly ? 2 : 0),
    one.line,
  ]);
  const exports = facts.exports.flatMap(one => [intern(one.name), one.of]);
  const expressions: number[] = [];
  for (const one of facts.expressions) expressions.push(...expressionWords(one, intern));
  const references: number[] = [];
  for (const one of facts.references) references.push(...referenceWords(one, intern));
  return [definitions, imports, exports, expressions, references, supers];
}

function definitionWords(definition: DefinitionFact, firstSuper: number, intern: Intern): readonly number[] {
  const { visibility, exported, hasBody } = definition;
  return [
    intern(definition.name),
    intern(definition.tail),
    symbolKinds.indexOf(definition.kind),
    definition.container + 1,
    ...rangeWords(definition.nameRange),
    ...rangeWords(definition.range),
    intern(definition.signature),
    intern(definition.documentation),
    visibilities.indexOf(visibility) | (exported ? 4 : 0) | (hasBody ? 8 : 0),
    definition.type + 1,
    (firstSuper << 8) | Math.min(definition.supers.length, 255),
  ];
}

function rangeWords({ startLine, startColumn, endLine, endColumn }: Range): readonly number[] {
  return [startLine, startColumn, endLine, endColumn];
}

function referenceWords(one: ReferenceFact, intern: Intern): readonly number[] {
  return [
    intern(one.name),
    (one.line << 4) | referenceKinds.indexOf(one.kind),
    one.column,
    ((one.endLine - one.line) << 20) | one.endColumn,
    one.enclosing + 1,
    one.expression,
  ];
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
