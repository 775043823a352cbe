import type {
  DefinitionFact,
  DocumentFacts,
  ExportFact,
  ImportFact,
  Range,
  ReferenceFact,
  ReferenceKind,
} from '../model/facts.ts';
import { type DescriptorSuffix, descriptor, staticDescriptor } from '../model/identity.ts';
import type { SymbolKind, Visibility } from '../model/symbol.ts';
import { settleExported } from './exported.ts';
import { createExpressions, type Operations } from './expressions.ts';
import type { SyntaxTree } from './tree.ts';

/** Walkers descend no deeper than this many levels of the syntax tree. */
export const maxDepth = 600;

const maxSignatureLength = 400;
const maxDocumentationLength = 4000;
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
}

/**
 * Collects the facts of one file. Definitions get slots in the order of `define`; equal expressions share one index.
 * -1 for an expression means "none"; operations on it give -1, so that walkers need no checks in between.
 */
export interface FactsBuilder extends Operations {
  define(site: DefinitionSite): number;
  /** What the definition's value is, or what calling it gives; a second type for the same slot joins by `either`. */
  setType(slot: number, expression: number): void;
  addSuper(slot: number, expression: number): void;
  setExported(slot: number, exported: boolean): void;
  definition(slot: number): DefinitionFact;
  readonly definitions: readonly DefinitionFact[];
  /** Slots directly inside a container (-1: the top) with that name. */
  slotsNamed(container: number, name: string): readonly number[];

  /** Runs `body` with `slot` as the innermost enclosing definition of references and definitions. */
  within(slot: number, body: () => void): void;
  /** Runs `body` with more descriptors between the container and what it defines, e.g. of an anonymous callback. */
  between(descriptors: string, body: () => void): void;
  /** Slot of the innermost `within`, -1 at the top. */
  readonly enclosing: number;

  addImport(one: ImportFact): number;
  addExport(name: string, of: number): void;
  setPackageName(name: string): void;
  markStandalone(): void;

  /** An occurrence at `node` (an identifier; quotes of a string key are the walker's to trim by `from` and `to`). */
  refer(node: number, kind: ReferenceKind, expression: number, name?: string): void;

  /** An occurrence between two offsets of the source: a name in a text that the tree doesn't take apart. */
  referAt(start: number, end: number, kind: ReferenceKind, expression: number): void;

  range(node: number): Range;
  /** Line and column of an offset of the source. */
  positionAt(offset: number): readonly [line: number, column: number];
  finish(language: string): DocumentFacts;
}

export function createBuilder(tree: SyntaxTree): FactsBuilder {
  const definitions: Mutable<DefinitionFact>[] = [];
  const supers: number[][] = [];
  const bySite = new Map<string, number[]>();
  const descriptors: string[] = [];
  const statics = new Map<number, string>();
  const imports: ImportFact[] = [];
  const exports: ExportFact[] = [];
  const references: ReferenceFact[] = [];
  const expressions = createExpressions();
  const position = positionsOf(tree);
  let packageName = '';
  let standalone = false;
  let enclosing = -1;
  let between = '';

  const range = (node: number): Range => span(tree.start[node]!, tree.end[node]!);
  const span = (from: number, to: number): Range => {
    const start = position(from);
    const end = position(to);
    return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
  };

  const occur = (at: Range, kind: ReferenceKind, expression: number, name: string): void => {
    const fits = at.startLine < 0xfffffff && at.endLine - at.startLine < rowSpanLimit && at.endColumn < columnLimit;
    if (!fits) return;
    references.push({
      name,
      kind,
      line: at.startLine,
      column: at.startColumn,
      endLine: at.endLine,
      endColumn: at.endColumn,
      enclosing,
      expression: expression < 0 ? expressions.operations.unknown() : expression,
    });
  };

  return {
    ...expressions.operations,
    get enclosing() {
      return enclosing;
    },
    define(site) {
      const container = site.container ?? enclosing;
      const slot = definitions.length;
      const place = between + (site.between ?? '');
      descriptors.push(place + descriptor(site.tailName ?? site.name, site.suffix, site.disambiguator));
      if (site.isStatic) statics.set(slot, place + staticDescriptor(site.name, site.suffix));
      supers.push([]);
      definitions.push({
        name: site.name,
        tail: tailOf(definitions[container], descriptors[slot]!),
        kind: site.kind,
        container,
        nameRange: range(site.nameNode),
        range: range(site.node),
        signature: shownSignature(site.signature ?? ''),
        documentation: shownDocumentation(site.documentation ?? ''),
        visibility: site.visibility ?? 'public',
        exported: site.exported ?? false,
        hasBody: site.hasBody ?? false,
        type: -1,
        supers: supers[slot]!,
      });
      const key = `${container}\0${site.name}`;
      const known = bySite.get(key);
      if (known === undefined) bySite.set(key, [slot]);
      else known.push(slot);
      return slot;
    },
    setType(slot, expression) {
      const definition = definitions[slot]!;
      // What is defined by its own members needs no type besides.
      if (expression < 0 || definition.type === expression || expression === expressions.operations.slot(slot)) return;
      definition.type = definition.type < 0 ? expression : expressions.operations.either(definition.type, expression);
    },
    addSuper(slot, expression) {
      if (expression >= 0 && supers[slot]!.length < 255) supers[slot]!.push(expression);
    },
    setExported(slot, exported) {
      definitions[slot]!.exported = exported;
    },
    definition: slot => definitions[slot]!,
    definitions,
    slotsNamed: (container, name) => bySite.get(`${container}\0${name}`) ?? [],
    within(slot, body) {
      const outer = { enclosing, between };
      enclosing = slot;
      between = '';
      body();
      enclosing = outer.enclosing;
      between = outer.between;
    },
    between(descriptors, body) {
      const outer = between;
      between += descriptors;
      body();
      between = outer;
    },
    addImport(one) {
      imports.push(one);
      return imports.length - 1;
    },
    addExport(name, of) {
      if (of >= 0) exports.push({ name, of });
    },
    setPackageName(name) {
      packageName = name;
    },
    markStandalone() {
      standalone = true;
    },
    refer: (node, kind, expression, name) => occur(range(node), kind, expression, name ?? tree.text(node)),
    referAt: (start, end, kind, expression) => occur(span(start, end), kind, expression, tree.source.slice(start, end)),
    range,
    positionAt(offset) {
      const { line, column } = position(offset);
      return [line, column];
    },
    finish(language) {
      tellStaticsApart(definitions, descriptors, statics);
      settleExported(definitions);
      return {
        language,
        lineCount: lineCountOf(tree),
        packageName,
        standalone,
        definitions,
        imports,
        exports,
        expressions: expressions.all,
        references,
        configuration: '',
        parseErrors: tree.errors,
      };
    },
  };
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

/** Line and column of an offset. Walkers ask in nearly ascending order, so the last line is tried first. */
function positionsOf(tree: SyntaxTree): (offset: number) => { line: number; column: number } {
  const starts = tree.lineStarts;
  let last = 0;
  return offset => {
    if (starts[last]! > offset || (last + 1 < starts.length && starts[last + 1]! <= offset)) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      last = low;
    }
    return { line: last, column: offset - starts[last]! };
  };
}

function lineCountOf(tree: SyntaxTree): number {
  const { length } = tree.lineStarts;
  return tree.source.length === tree.lineStarts[length - 1]! ? length - 1 : length;
}

/** On one line, as far as anybody reads it. */
export function shownSignature(text: string): string {
  return clip(oneLine(text), maxSignatureLength);
}

export function shownDocumentation(text: string): string {
  return clip(text, maxDocumentationLength);
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

function oneLine(text: string): string {
  return text
    .slice(0, 4 * maxSignatureLength)
    .replace(/\s+/g, ' ')
    .trim();
}
