import type {
  Condition,
  DefinitionFact,
  DocumentFacts,
  ExportFact,
  ImportFact,
  Range,
  ReferenceFact,
  ReferenceKind,
} from '../model/facts.ts';
import { type DescriptorSuffix, descriptor, staticDescriptor } from '../model/identity.ts';
import { shownDocumentation, shownSignature } from '../model/shown-text.ts';
import type { SymbolKind, Visibility } from '../model/symbol.ts';
import { settleExported } from './exported.ts';
import { Expressions } from './expressions.ts';
import { lineAt, type SyntaxTree } from './tree.ts';

/** Walkers descend no deeper than this many levels of the syntax tree. */
export const maxDepth = 600;

/** Trees that walkers see are no deeper, so that what follows a chain of nodes by recursion, and asks no depth, ends as well. */
export const deepestNode = 800;

const maxTailLength = 2000;
const columnLimit = 0xfffff;
const rowSpanLimit = 0xfff;

/** A definition as a walker sees it. Only the first five are always needed. */
export interface DefinitionSite {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly suffix: DescriptorSuffix;
  /** The identifier. */
  readonly nameNode: number;
  /** The whole declaration. */
  readonly node: number;
  /** Its body, where that stands behind it as a sibling. */
  readonly bodyBehind?: number | undefined;
  /** Slot of the enclosing definition; default: the innermost `within`. */
  readonly container?: number;
  /** Descriptors between the container and this one (an anonymous callback, a literal wrapper that must show). */
  readonly between?: string;
  /** The name in the tail, where SCIP spells it differently (`<constructor>`). */
  readonly tailName?: string;
  /** Erased parameter types, in languages that overload for real. */
  readonly disambiguator?: string;
  /** The class itself has it, not its instances, in languages where those may have another of the same name. */
  readonly isStatic?: boolean;
  readonly signature?: string;
  readonly documentation?: string;
  readonly visibility?: Visibility;
  /** By its own words; what it stands in is looked at in the end: see `DefinitionFact`. */
  readonly exported?: boolean;
  readonly hasBody?: boolean;
  readonly condition?: Condition;
}

/** An import as a walker sees it. */
export type ImportSite = Omit<ImportFact, 'escapes' | 'exported'> & Partial<Pick<ImportFact, 'exported'>>;

/**
 * Collects the facts of one file. Definitions get slots in the order of `define`; equal expressions share one index.
 * -1 for an expression means "none"; operations on it give -1, so that walkers need no checks in between.
 */
export class FactsBuilder extends Expressions {
  readonly #tree: SyntaxTree;
  readonly #starts: Int32Array;
  readonly #definitions: Mutable<DefinitionFact>[] = [];
  readonly #supers: number[][] = [];
  /** Slots by name, of each container; the first is the top. */
  readonly #byContainer: (Map<string, number[]> | undefined)[] = [];
  readonly #descriptors: string[] = [];
  readonly #statics = new Map<number, string>();
  readonly #imports: Mutable<ImportFact>[] = [];
  readonly #exports: ExportFact[] = [];
  readonly #references: ReferenceFact[] = [];
  #packageName = '';
  #passed: readonly number[] | undefined;
  #standalone = false;
  #enclosing = -1;
  #between = '';
  /** Where the last position was looked for. */
  #lastLine = 0;

  constructor(tree: SyntaxTree) {
    super();
    this.#tree = tree;
    this.#starts = tree.lineStarts;
  }

  define(site: DefinitionSite): number {
    const container = site.container ?? this.#enclosing;
    const slot = this.#definitions.length;
    const place = this.#between + (site.between ?? '');
    const own = place + descriptor(site.tailName ?? site.name, site.suffix, site.disambiguator);
    const supers: number[] = [];
    this.#descriptors.push(own);
    if (site.isStatic) this.#statics.set(slot, place + staticDescriptor(site.name, site.suffix));
    this.#supers.push(supers);
    this.#definitions.push({
      name: site.name,
      tail: tailOf(this.#definitions[container], own),
      kind: site.kind,
      container,
      nameRange: this.range(site.nameNode),
      range: this.range(site.node, site.bodyBehind),
      signature: shownSignature(site.signature ?? ''),
      documentation: shownDocumentation(site.documentation ?? ''),
      visibility: site.visibility ?? 'public',
      exported: site.exported ?? false,
      hasBody: site.hasBody ?? false,
      condition: site.condition ?? '',
      type: -1,
      supers,
    });
    this.#byContainer[container + 1] ??= new Map();
    const byName = this.#byContainer[container + 1]!;
    const known = byName.get(site.name);
    if (known === undefined) byName.set(site.name, [slot]);
    else known.push(slot);
    return slot;
  }

  /** What the definition's value is, or what calling it gives; a second type for the same slot joins by `either`. */
  setType(slot: number, expression: number): void {
    const definition = this.#definitions[slot]!;
    // What is defined by its own members needs no type besides.
    if (expression < 0 || definition.type === expression || expression === this.slot(slot)) return;
    definition.type = definition.type < 0 ? expression : this.either(definition.type, expression);
  }

  addSuper(slot: number, expression: number): void {
    if (expression >= 0 && this.#supers[slot]!.length < 255) this.#supers[slot]!.push(expression);
  }

  setExported(slot: number, exported: boolean): void {
    this.#definitions[slot]!.exported = exported;
  }

  definition(slot: number): DefinitionFact {
    return this.#definitions[slot]!;
  }

  get definitions(): readonly DefinitionFact[] {
    return this.#definitions;
  }

  /** Slots directly inside a container (-1: the top) with that name. */
  slotsNamed(container: number, name: string): readonly number[] {
    return this.#byContainer[container + 1]?.get(name) ?? [];
  }

  /** Runs `body` with `slot` as the innermost enclosing definition of references and definitions. */
  within(slot: number, body: () => void): void {
    const enclosing = this.#enclosing;
    const between = this.#between;
    this.#enclosing = slot;
    this.#between = '';
    body();
    this.#enclosing = enclosing;
    this.#between = between;
  }

  /** Runs `body` with more descriptors between the container and what it defines, e.g. of an anonymous callback. */
  between(descriptors: string, body: () => void): void {
    const outer = this.#between;
    this.#between += descriptors;
    body();
    this.#between = outer;
  }

  /** Slot of the innermost `within`, -1 at the top. */
  get enclosing(): number {
    return this.#enclosing;
  }

  addImport(one: ImportSite): number {
    this.#imports.push({ exported: false, ...one, escapes: false });
    return this.#imports.length - 1;
  }

  /** Says of the whole module that an expression denotes that it is used in ways that can't be seen. */
  letEscape(expression: number): void {
    const one = this.expressions[expression];
    if (one?.op === 'import') this.#imports[one.import]!.escapes = true;
  }

  /** The same of the module whose path code imports for its effect, by that path: `import a.b` has `a.b` known, and binds `a`. */
  letPathEscape(path: string): void {
    for (const one of this.#imports) if (one.name === '' && one.specifier === path) one.escapes = true;
  }

  /** The imports that an expression may denote, each an expression. */
  importsIn(expression: number): readonly number[] {
    const one = this.expressions[expression];
    switch (one?.op) {
      case 'import':
        return [expression];
      case 'either':
      case 'otherwise':
        return [...this.importsIn(one.of), ...this.importsIn(one.other)];
      default:
        return [];
    }
  }

  /** The import whose value an expression is; undefined for any other. */
  importAt(expression: number): ImportFact | undefined {
    const one = this.expressions[expression];
    return one?.op === 'import' ? this.#imports[one.import] : undefined;
  }

  addExport(name: string, of: number): void {
    if (of >= 0) this.#exports.push({ name, of });
  }

  hasExport(name: string): boolean {
    return this.#exports.some(one => one.name === name);
  }

  setPackageName(name: string): void {
    this.#packageName = name;
  }

  markStandalone(): void {
    this.#standalone = true;
  }

  /** What `refer` is told within as a call has these arguments: of the written name of a class the last part. */
  calling(passed: readonly number[], refer: () => void): void {
    this.#passed = passed;
    refer();
    this.#passed = undefined;
  }

  /** An occurrence at `node` (an identifier; quotes of a string key are the walker's to trim by `from` and `to`). */
  refer(node: number, kind: ReferenceKind, expression: number, name?: string): void {
    const { start, end } = this.#tree;
    const passed = kind === 'call' && expression >= 0 ? this.#passed : undefined;
    const denoted = passed === undefined ? expression : this.overload(expression, passed);
    this.#occur(start[node]!, end[node]!, kind, denoted, name ?? this.#tree.text(node));
  }

  /** An occurrence between two offsets of the source: a name in a text that the tree doesn't take apart. */
  referAt(start: number, end: number, kind: ReferenceKind, expression: number): void {
    this.#occur(start, end, kind, expression, this.#tree.source.slice(start, end));
  }

  range(first: number, last = first): Range {
    const from = this.#tree.start[first]!;
    const to = this.#tree.end[last]!;
    const startLine = this.#lineOf(from);
    const endLine = this.#lineOf(to);
    const starts = this.#starts;
    return { startLine, startColumn: from - starts[startLine]!, endLine, endColumn: to - starts[endLine]! };
  }

  /** Line and column of an offset of the source. */
  positionAt(offset: number): readonly [line: number, column: number] {
    const line = this.#lineOf(offset);
    return [line, offset - this.#starts[line]!];
  }

  /** With what was read and measured of the same text beside. */
  finish(
    language: string,
    beside: Pick<DocumentFacts, 'complexity' | 'configuration' | 'parseErrors' | 'tests'>,
  ): DocumentFacts {
    tellStaticsApart(this.#definitions, this.#descriptors, this.#statics);
    settleExported(this.#definitions);
    return {
      language,
      lineCount: lineCountOf(this.#tree),
      packageName: this.#packageName,
      standalone: this.#standalone,
      definitions: this.#definitions,
      imports: this.#imports,
      exports: this.#exports,
      expressions: this.expressions,
      references: this.#references,
      ...beside,
    };
  }

  /** No occurrence of what has no place, as no node has none. */
  #occur(from: number, to: number, kind: ReferenceKind, expression: number, name: string): void {
    const line = this.#lineOf(from);
    const endLine = this.#lineOf(to);
    const column = from - this.#starts[line]!;
    const endColumn = to - this.#starts[endLine]!;
    const fits = line < 0xfffffff && endLine - line < rowSpanLimit && endColumn < columnLimit;
    if (!fits) return;
    const enclosing = this.#enclosing;
    const of = expression < 0 ? this.unknown() : expression;
    this.#references.push({ name, kind, line, column, endLine, endColumn, enclosing, expression: of });
  }

  /** Walkers ask in nearly ascending order, so the last line is tried first. */
  #lineOf(offset: number): number {
    const starts = this.#starts;
    const last = this.#lastLine;
    if (starts[last]! > offset || (last + 1 < starts.length && starts[last + 1]! <= offset)) {
      this.#lastLine = lineAt(this.#tree, offset);
    }
    return this.#lastLine;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function tailOf(container: DefinitionFact | undefined, descriptors: string): string {
  return ((container?.tail ?? '') + descriptors).slice(0, maxTailLength);
}

/**
 * Static members get their own descriptors where instances have a member of that name, whichever comes first; any other
 * keeps the tail that it would have without the word. Known at the end only: a class may be declared in several parts.
 */
function tellStaticsApart(
  definitions: readonly Mutable<DefinitionFact>[],
  descriptors: readonly string[],
  statics: ReadonlyMap<number, string>,
): void {
  if (statics.size === 0) return;
  const memberName = ({ container, name }: DefinitionFact): string => `${definitions[container]?.tail}\0${name}`;
  const ofInstances = new Set(definitions.filter((_, slot) => !statics.has(slot)).map(memberName));
  const clashing = new Set([...statics.keys()].filter(slot => ofInstances.has(memberName(definitions[slot]!))));
  if (clashing.size === 0) return;
  definitions.forEach((one, slot) => {
    const own = clashing.has(slot) ? statics.get(slot)! : descriptors[slot]!;
    one.tail = tailOf(definitions[one.container], own);
  });
}

function lineCountOf(tree: SyntaxTree): number {
  const { length } = tree.lineStarts;
  return tree.source.length === tree.lineStarts[length - 1]! ? length - 1 : length;
}
