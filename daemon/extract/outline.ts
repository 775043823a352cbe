import type { Condition } from '../model/facts.ts';
import { type DescriptorSuffix, descriptor } from '../model/identity.ts';
import type { SymbolKind, Visibility } from '../model/symbol.ts';
import { createSegments, type Segments } from './anonymous.ts';
import { type FactsBuilder, maxDepth } from './builder.ts';
import { documentationOf } from './comments.ts';
import type { SyntaxTree } from './tree.ts';

/** What a language defines, as a table: which nodes make definitions, and what qualifies them. */
export interface Declaring {
  /** Methods may bear keywords as their names. */
  readonly namesAnything?: true;
  /** Node type → the definitions that such a node makes; the last one holds what stands inside. */
  readonly definitions: Readonly<
    Record<string, (tree: SyntaxTree, node: number) => Definition | readonly Definition[] | undefined>
  >;
  /** Node types that only wrap a definition: its doc comment stands before the outermost of them. */
  readonly wrappers?: ReadonlySet<string>;
  /**
   * Nodes that hold members and have no name (`new Runnable() {…}`): what they are made of. Their place, as far as names
   * tell it, and that make up the segment of their members' tails; '' of nodes that are none.
   */
  readonly anonymous?: (tree: SyntaxTree, node: number) => string;
  /** A clause without a body that qualifies all that follows it in the file. */
  readonly packageClause?: (tree: SyntaxTree, node: number) => Package | undefined;
}

export interface Package {
  readonly name: string;
  /** Descriptors put before the tails of what follows; '' where the scope key already holds the package. */
  readonly prefix: string;
  /** The namespace as a symbol of its own, where the language sees it as one. */
  readonly definition?: Definition;
}

export interface Definition {
  readonly name: string;
  readonly nameNode: number;
  readonly kind: SymbolKind;
  readonly suffix: DescriptorSuffix;
  readonly disambiguator?: string;
  /** The name in the tail, where other definitions of its place may bear the same. */
  readonly tailName?: string;
  /** What it is made of, where it has no name: its tail is that of `anonymous`. */
  readonly made?: string;
  /** The class itself has it, not its instances: see `DefinitionSite`. */
  readonly isStatic?: true;
  /** Descriptors between the container and this one, e.g. the class named in `void Foo::m()`. */
  readonly between?: string;
  readonly visibility?: Visibility;
  readonly exported?: boolean;
  /** It belongs to what its container belongs to, as a property promoted by a constructor's parameter does. */
  readonly lifted?: true;
  /** The declaration around the name, where the rule's node is only a part of it (one of several declarators). */
  readonly whole?: number;
  /** Where the signature begins, if not where the rule's node does. */
  readonly head?: number;
  /** Where the signature ends; -1: no body. May be a sibling of the defining node, as in Dart. */
  readonly body?: number;
  /** The type of the value, or of what a call returns. */
  readonly type?: number;
  readonly supers?: readonly number[];
  readonly condition?: Condition;
}

/** Words that name nothing; a parser that lost its way takes `else if (…) {` for a function. */
const keywords = new Set(['if', 'else', 'for', 'while', 'do', 'switch', 'case', 'return', 'break', 'continue', 'try']);

export interface Slots {
  /** Slot of the definition that a node makes, or whose body it is. */
  readonly byNode: ReadonlyMap<number, number>;
  readonly nameNodes: ReadonlySet<number>;
  readonly byTail: ReadonlyMap<string, number>;
  readonly typeBySlot: ReadonlyMap<number, number>;
  readonly superBySlot: ReadonlyMap<number, readonly number[]>;
}

/** Defines what the table says. */
export function defineAll(outline: Declaring, tree: SyntaxTree, facts: FactsBuilder, previous: Int32Array): Slots {
  const definer = new Definer(outline, tree, facts, previous);
  definer.visit(0, -1, '');
  return definer;
}

class Definer implements Slots {
  readonly byNode = new Map<number, number>();
  readonly nameNodes = new Set<number>();
  readonly byTail = new Map<string, number>();
  readonly typeBySlot = new Map<number, number>();
  readonly superBySlot = new Map<number, readonly number[]>();
  readonly #outline: Declaring;
  readonly #tree: SyntaxTree;
  readonly #facts: FactsBuilder;
  readonly #previous: Int32Array;
  readonly #segments: Segments;
  /** Of the package whose clause was the last. */
  #prefix = '';

  constructor(outline: Declaring, tree: SyntaxTree, facts: FactsBuilder, previous: Int32Array) {
    this.#outline = outline;
    this.#tree = tree;
    this.#facts = facts;
    this.#previous = previous;
    this.#segments = createSegments(tree);
  }

  visit(node: number, container: number, between: string): void {
    const tree = this.#tree;
    const outline = this.#outline;
    const found = ruleFor(outline.definitions, tree, node)?.(tree, node) ?? [];
    const outer = this.byNode.get(node) ?? container;
    const inner = this.#define(node, outer, between, [found].flat());
    const made = outline.anonymous?.(tree, node) ?? '';
    const within =
      (inner === container ? between : '') +
      (made === '' ? '' : descriptor(this.#segments.of(node, inner, made), 'type'));
    if (tree.depth[node]! > maxDepth) return;
    for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
      const clause = outline.packageClause?.(tree, child);
      if (clause === undefined) this.visit(child, inner, within);
      else this.#enterPackage(child, clause);
    }
  }

  #enterPackage(node: number, { name, definition, prefix }: Package): void {
    this.#facts.setPackageName(name);
    this.#prefix = '';
    this.#define(node, -1, '', definition === undefined ? [] : [definition]);
    this.#prefix = prefix;
  }

  #define(node: number, container: number, between: string, definitions: readonly Definition[]): number {
    let inner = container;
    for (const found of definitions) {
      if (found.name === '' || found.nameNode < 0 || this.#isKeyword(found.nameNode)) continue;
      inner = this.#facts.define(this.#factOf(node, container, between, found));
      this.#note(node, inner, found);
    }
    // A typedef names what it holds, it does not contain it: `typedef struct a {…} b`.
    return definitions.length === 1 && definitions[0]!.kind !== 'type' ? inner : container;
  }

  #factOf(node: number, container: number, between: string, found: Definition) {
    const whole = found.whole ?? node;
    return {
      ...site(this.#tree, whole, found),
      ...(found.made === undefined ? {} : { tailName: this.#segments.of(node, container, found.made) }),
      documentation: documentationOf(this.#tree, whole, this.#previous, this.#outline.wrappers),
      container: found.lifted && container >= 0 ? this.#facts.definition(container).container : container,
      between: (container < 0 ? this.#prefix : '') + between + (found.between ?? ''),
      ...(between === '' ? {} : { exported: false }),
    };
  }

  #note(node: number, slot: number, { nameNode, type, supers, body }: Definition): void {
    this.byNode.set(node, slot);
    this.nameNodes.add(nameNode);
    this.byTail.set(this.#facts.definition(slot).tail, slot);
    if (type !== undefined && type >= 0) this.typeBySlot.set(slot, type);
    if (supers !== undefined) this.superBySlot.set(slot, supers);
    if (body !== undefined && body >= this.#tree.after[node]!) this.byNode.set(body, slot);
  }

  #isKeyword(name: number): boolean {
    return !this.#outline.namesAnything && keywords.has(this.#tree.text(name));
  }
}

function site(tree: SyntaxTree, node: number, found: Definition) {
  const { body = -1, visibility = 'public' } = found;
  const signatureEnd = body > node && body < tree.after[node]! ? headEnd(tree, node, body) : tree.end[node]!;
  return {
    name: found.name,
    kind: found.kind,
    suffix: found.suffix,
    nameNode: found.nameNode,
    node,
    bodyBehind: body >= tree.after[node]! ? body : undefined,
    ...(found.disambiguator === undefined ? {} : { disambiguator: found.disambiguator }),
    ...(found.tailName === undefined ? {} : { tailName: found.tailName }),
    ...(found.isStatic === undefined ? {} : { isStatic: found.isStatic }),
    signature: tree.source.slice(tree.start[found.head ?? node]!, signatureEnd).replace(/[\s{=:;]+$/, ''),
    visibility,
    exported: found.exported ?? visibility === 'public',
    hasBody: body >= 0,
    ...(found.condition === undefined ? {} : { condition: found.condition }),
  };
}

/** Where the part before the body ends, comments between them left out. */
function headEnd(tree: SyntaxTree, node: number, body: number): number {
  const before = tree.children(node).filter(child => child < body && !tree.kind(child).includes('comment'));
  return Math.min(tree.start[body]!, tree.end[before.at(-1) ?? body]!);
}

/** Tokens bear the names of their keywords (`import`), so only named nodes are looked up. */
function ruleFor<T>(table: Readonly<Record<string, T>>, tree: SyntaxTree, node: number): T | undefined {
  if (!tree.isNamed(node)) return undefined;
  const kind = tree.kind(node);
  return Object.hasOwn(table, kind) ? table[kind] : undefined;
}
