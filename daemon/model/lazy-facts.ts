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
import { FactsView } from './facts-codec.ts';

/**
 * Stored facts, decoded table by table when first touched. Most documents are opened only because another one imports
 * from them: their references, three quarters of the whole, stay bytes, and so do positions and texts of definitions.
 * Throws `BrokenFacts` where the buffer is none.
 */
export function lazyFacts(blob: Uint8Array): DocumentFacts {
  return new LazyFacts(blob);
}

/** One class for all, so that whoever reads tables of many documents reads them at one place in an object. */
class LazyFacts implements DocumentFacts {
  readonly language: string;
  readonly lineCount: number;
  readonly packageName: string;
  readonly standalone: boolean;
  readonly configuration: string;
  readonly parseErrors: number;
  readonly #view: FactsView;
  #definitions: readonly DefinitionFact[] | undefined;
  #imports: readonly ImportFact[] | undefined;
  #exports: readonly ExportFact[] | undefined;
  #expressions: readonly Expression[] | undefined;
  #references: readonly ReferenceFact[] | undefined;
  #complexity: readonly FunctionComplexity[] | undefined;
  #tests: readonly TestLines[] | undefined;

  constructor(blob: Uint8Array) {
    const view = new FactsView(blob, { keepsTexts: true });
    this.#view = view;
    this.language = view.language;
    this.lineCount = view.lineCount;
    this.packageName = view.packageName;
    this.standalone = view.standalone;
    this.configuration = view.configuration;
    this.parseErrors = view.parseErrors;
  }

  get definitions(): readonly DefinitionFact[] {
    const view = this.#view;
    this.#definitions ??= rows(view.definitionCount, slot => new LazyDefinition(view, slot));
    return this.#definitions;
  }
  get imports(): readonly ImportFact[] {
    this.#imports ??= rows(this.#view.importCount, index => this.#view.import(index));
    return this.#imports;
  }
  get exports(): readonly ExportFact[] {
    this.#exports ??= rows(this.#view.exportCount, index => this.#view.export(index));
    return this.#exports;
  }
  get expressions(): readonly Expression[] {
    this.#expressions ??= rows(this.#view.expressionCount, index => this.#view.expression(index));
    return this.#expressions;
  }
  get references(): readonly ReferenceFact[] {
    this.#references ??= rows(this.#view.referenceCount, index => this.#view.reference(index));
    return this.#references;
  }
  get complexity(): readonly FunctionComplexity[] {
    this.#complexity ??= rows(this.#view.complexityCount, index => this.#view.complexity(index));
    return this.#complexity;
  }
  get tests(): readonly TestLines[] {
    this.#tests ??= rows(this.#view.testsCount, index => this.#view.tests(index));
    return this.#tests;
  }
}

function rows<T>(count: number, read: (index: number) => T): readonly T[] {
  const all = new Array<T>(count);
  for (let index = 0; index < count; index++) all[index] = read(index);
  return all;
}

class LazyDefinition implements DefinitionFact {
  readonly name: string;
  readonly tail: string;
  readonly kind: DefinitionFact['kind'];
  readonly container: number;
  readonly visibility: DefinitionFact['visibility'];
  readonly exported: boolean;
  readonly hasBody: boolean;
  readonly condition: DefinitionFact['condition'];
  readonly type: number;
  readonly supers: readonly number[];
  readonly #view: FactsView;
  readonly #slot: number;

  constructor(view: FactsView, slot: number) {
    const head = view.definitionHead(slot);
    this.name = head.name;
    this.tail = head.tail;
    this.kind = head.kind;
    this.container = head.container;
    this.visibility = head.visibility;
    this.exported = head.exported;
    this.hasBody = head.hasBody;
    this.condition = head.condition;
    this.type = head.type;
    this.supers = head.supers;
    this.#view = view;
    this.#slot = slot;
  }

  get nameRange(): Range {
    return this.#view.definitionNameRange(this.#slot);
  }
  get range(): Range {
    return this.#view.definitionRange(this.#slot);
  }
  get signature(): string {
    return this.#view.definitionSignature(this.#slot);
  }
  get documentation(): string {
    return this.#view.definitionDocumentation(this.#slot);
  }
}
