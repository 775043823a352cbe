import type { ImportFact, ReferenceKind } from '../model/facts.ts';
import { type DescriptorSuffix, isStaticTail, lastDescriptorAt } from '../model/identity.ts';
import type { SymbolKind, Visibility } from '../model/symbol.ts';
import { createSegments } from './anonymous.ts';
import { type FactsBuilder, maxDepth } from './builder.ts';
import { documentationOf, previousSiblings } from './comments.ts';
import type { Language } from './language.ts';
import { part, ruleFor } from './outline-parts.ts';
import { Scopes } from './scopes.ts';
import type { SyntaxTree } from './tree.ts';

/**
 * A language as a table: which nodes define, bind locals, import and refer. One walker reads such tables; languages
 * whose references follow deeper rules (TypeScript, Python, Go) bring walkers of their own.
 */
export interface Outline extends Omit<Language, 'walk'> {
  /** Methods may bear keywords as their names. */
  readonly namesAnything?: true;
  /** Node type → the definitions that such a node makes; the last one holds what stands inside. */
  readonly definitions: Readonly<
    Record<string, (tree: SyntaxTree, node: number) => Definition | readonly Definition[] | undefined>
  >;
  /** Node types that only wrap a definition: its doc comment stands before the outermost of them. */
  readonly wrappers?: ReadonlySet<string>;
  /** Node types inside which declared locals are seen. */
  readonly scopes: ReadonlySet<string>;
  /** Node type → the locals that such a node binds in the innermost scope. */
  readonly locals: Readonly<Record<string, (tree: SyntaxTree, node: number) => readonly Local[]>>;
  readonly imports?: Readonly<Record<string, (tree: SyntaxTree, node: number) => readonly ImportFact[]>>;
  /** Leaves that name something; those that are types at once have kind `type`. */
  readonly identifiers: Readonly<Record<string, ReferenceKind>>;
  /**
   * Node type → the fields of a member access: '' is the first child, `$first` and `$last` those of the named ones,
   * `$selector` what Dart's selector follows, `$unknown` nothing that is named.
   */
  readonly members: Readonly<Record<string, MemberAccess>>;
  /** Node type → field (or '' for the first child) that holds what is called. */
  readonly calls: Readonly<Record<string, string>>;
  /** Node type → field of an assignment that is written to. */
  readonly writes: Readonly<Record<string, string>>;
  /** Whether a name is called, where no node around it says so. */
  readonly isCalled?: (tree: SyntaxTree, node: number) => boolean;
  /** Node types whose direct identifiers are types. */
  readonly typeParents?: ReadonlySet<string>;
  /** Node types that stand for the current object. */
  readonly selves: ReadonlySet<string>;
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
  /** Where the signature ends; -1: no body. May be a sibling of the defining node, as in Dart. */
  readonly body?: number;
  /** The type of the value, or of what a call returns. */
  readonly type?: number;
  readonly supers?: readonly number[];
}

export interface Local {
  readonly nameNode: number;
  readonly type?: number;
}

export interface MemberAccess {
  readonly of: string;
  readonly name: string;
  /** Such a node is itself a call, as Java's `method_invocation` is. */
  readonly call?: true;
}

/** The part of a table that defines. */
export type Declaring = Pick<Outline, 'definitions' | 'wrappers' | 'namesAnything' | 'anonymous' | 'packageClause'>;

/** A `Language` that reads the table. */
export function outlineLanguage(outline: Outline): Language {
  return {
    ...outline,
    walk(tree, facts) {
      const slots = defineAll(outline, tree, facts, previousSiblings(tree));
      referAll(outline, tree, facts, slots);
    },
  };
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

/** Defines what the table says; for languages whose references follow rules of their own. */
export function defineAll(outline: Declaring, tree: SyntaxTree, facts: FactsBuilder, previous: Int32Array): Slots {
  const byNode = new Map<number, number>();
  const nameNodes = new Set<number>();
  const byTail = new Map<string, number>();
  const typeBySlot = new Map<number, number>();
  const superBySlot = new Map<number, readonly number[]>();
  const segments = createSegments(tree);
  let prefix = '';
  const isKeyword = (name: number): boolean => !outline.namesAnything && keywords.has(tree.text(name));
  const define = (node: number, container: number, between: string, definitions: readonly Definition[]): number => {
    let inner = container;
    for (const found of definitions) {
      if (found.name === '' || found.nameNode < 0 || isKeyword(found.nameNode)) continue;
      inner = facts.define({
        ...site(tree, found.whole ?? node, found),
        documentation: documentationOf(tree, found.whole ?? node, previous, outline.wrappers),
        container: found.lifted && container >= 0 ? facts.definition(container).container : container,
        between: (container < 0 ? prefix : '') + between + (found.between ?? ''),
        ...(between === '' ? {} : { exported: false }),
      });
      byNode.set(node, inner);
      nameNodes.add(found.nameNode);
      byTail.set(facts.definition(inner).tail, inner);
      if (found.type !== undefined && found.type >= 0) typeBySlot.set(inner, found.type);
      if (found.supers !== undefined) superBySlot.set(inner, found.supers);
      if (found.body !== undefined && found.body >= tree.after[node]!) byNode.set(found.body, inner);
    }
    // A typedef names what it holds, it does not contain it: `typedef struct a {…} b`.
    return definitions.length === 1 && definitions[0]!.kind !== 'type' ? inner : container;
  };
  const visit = (node: number, container: number, between: string): void => {
    const found = ruleFor(outline.definitions, tree, node)?.(tree, node) ?? [];
    const outer = byNode.get(node) ?? container;
    const inner = define(node, outer, between, [found].flat());
    const made = outline.anonymous?.(tree, node) ?? '';
    const within = (inner === container ? between : '') + (made === '' ? '' : segments.of(node, inner, made));
    if (tree.depth[node]! > maxDepth) return;
    for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
      const clause = outline.packageClause?.(tree, child);
      if (clause === undefined) visit(child, inner, within);
      else {
        facts.setPackageName(clause.name);
        prefix = '';
        define(child, -1, '', clause.definition === undefined ? [] : [clause.definition]);
        prefix = clause.prefix;
      }
    }
  };
  visit(0, -1, '');
  return { byNode, nameNodes, byTail, typeBySlot, superBySlot };
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
    ...(found.disambiguator === undefined ? {} : { disambiguator: found.disambiguator }),
    ...(found.tailName === undefined ? {} : { tailName: found.tailName }),
    ...(found.isStatic === undefined ? {} : { isStatic: found.isStatic }),
    signature: tree.source.slice(tree.start[node]!, signatureEnd).replace(/[\s{=:;]+$/, ''),
    visibility,
    exported: found.exported ?? visibility === 'public',
    hasBody: body >= 0,
  };
}

/** Where the part before the body ends, comments between them left out. */
function headEnd(tree: SyntaxTree, node: number, body: number): number {
  const before = tree.children(node).filter(child => child < body && !tree.kind(child).includes('comment'));
  return Math.min(tree.start[body]!, tree.end[before.at(-1) ?? body]!);
}

function referAll(outline: Outline, tree: SyntaxTree, facts: FactsBuilder, slots: Slots): void {
  const scopes = new Scopes();
  const bound = new Set<number>();
  const values = createValues(outline, tree, facts, scopes, slots);
  for (const [slot, type] of slots.typeBySlot) facts.setType(slot, values.typed(type, slot));
  for (const [slot, types] of slots.superBySlot)
    for (const type of types) facts.addSuper(slot, values.typeName(type, slot));

  const children = (node: number): void => {
    if (tree.depth[node]! > maxDepth) return;
    for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) visit(child);
  };
  const inner = (node: number): void => {
    if (outline.packageClause?.(tree, node) !== undefined) return;
    const imports = ruleFor(outline.imports ?? {}, tree, node)?.(tree, node) ?? [];
    for (const one of imports) {
      const index = facts.addImport(one);
      if (one.local !== '' && !one.wildcard) scopes.declare(one.local, facts.imported(index), 'global');
      const leaf = one.name === '*' ? -1 : leafNamed(outline, tree, node, one.name);
      if (leaf >= 0) facts.refer(leaf, 'import', facts.imported(index));
    }
    if (imports.length > 0) return;
    for (const local of ruleFor(outline.locals, tree, node)?.(tree, node) ?? []) {
      if (local.nameNode < 0 || slots.nameNodes.has(local.nameNode)) continue;
      bound.add(local.nameNode);
      const slot = facts.enclosing;
      scopes.declare(tree.text(local.nameNode), () => values.typed(local.type ?? -1, slot));
    }
    const kind = Object.hasOwn(outline.identifiers, tree.kind(node))
      ? outline.identifiers[tree.kind(node)]!
      : undefined;
    if (kind !== undefined && !slots.nameNodes.has(node) && !bound.has(node)) values.refer(node, kind);
    if (outline.scopes.has(tree.kind(node))) scopes.inside('function', () => children(node));
    else children(node);
  };
  const visit = (node: number): void => {
    const slot = slots.byNode.get(node);
    if (slot === undefined) inner(node);
    else facts.within(slot, () => inner(node));
  };
  visit(0);
}

interface Values {
  /** A value whose declared type is written at `node`. */
  typed(node: number, from: number): number;
  typeName(node: number, from: number): number;
  refer(node: number, kind: ReferenceKind): void;
}

function createValues(outline: Outline, tree: SyntaxTree, facts: FactsBuilder, scopes: Scopes, slots: Slots): Values {
  /** What a name denotes seen from inside a definition: its own members, those of its containers, the file's, else free. */
  const named = (name: string, from: number): number => {
    const isStatic = (slot: number): boolean => slot >= 0 && isStaticTail(facts.definition(slot).tail);
    for (let container = from, inside = -1; ; inside = container, container = facts.definition(container).container) {
      // A constructor bears its class's name; the name means the class.
      const slots = facts.slotsNamed(container, name).filter(one => facts.definition(one).kind !== 'constructor');
      const slot = slots.find(one => isStatic(one) === isStatic(inside)) ?? slots[0];
      if (slot !== undefined) return facts.slot(slot);
      if (container < 0) return facts.free(name);
    }
  };
  const typeName = (node: number, from: number): number => {
    const leaf = lastIdentifier(outline, tree, node);
    if (leaf < 0) return -1;
    const resolved = scopes.resolve(tree.text(leaf));
    return resolved?.kind === 'global' ? resolved.expression : named(tree.text(leaf), from);
  };
  const isClass = (slot: number): boolean =>
    /^(?:class|struct|interface|trait|enum|object)$/.test(facts.definition(slot).kind);
  /** The class that a definition stands in, or that its tail names (`impl Foo { fn f() }`, `void Foo::f() {}`). */
  const classAround = (from: number): number => {
    for (let slot = from; slot >= 0; slot = facts.definition(slot).container) {
      if (isClass(slot)) return slot;
      for (let tail = facts.definition(slot).tail; tail !== ''; tail = tail.slice(0, lastDescriptorAt(tail))) {
        const named = slots.byTail.get(tail);
        if (named !== undefined && isClass(named)) return named;
      }
    }
    return -1;
  };
  const meaningOf = (node: number, depth: number): number => {
    const kind = tree.kind(node);
    if (node < 0 || depth > 40) return -1;
    if (outline.selves.has(kind) || outline.selves.has(tree.text(node))) {
      return facts.instance(facts.slot(classAround(facts.enclosing)));
    }
    if (Object.hasOwn(outline.identifiers, kind)) {
      const local = scopes.resolve(tree.text(node));
      return local === undefined ? named(tree.text(node), facts.enclosing) : local.expression;
    }
    const access = ruleFor(outline.members, tree, node);
    if (access !== undefined) {
      const name = part(tree, node, access.name);
      const of = part(tree, node, access.of);
      const member =
        of < 0 || of === name ? meaningOf(name, depth + 1) : facts.member(meaningOf(of, depth + 1), tree.text(name));
      return access.call === true ? facts.call(member) : member;
    }
    const called = ruleFor(outline.calls, tree, node);
    if (called !== undefined) return facts.call(meaningOf(part(tree, node, called), depth + 1));
    const only = tree.namedChildren(node);
    return only.length === 1 && /paren|expression$|variable/.test(kind) ? meaningOf(only[0]!, depth + 1) : -1;
  };
  return {
    typed: (node, from) => facts.instance(typeName(node, from)),
    typeName,
    refer(node, kind) {
      const shape = shapeOf(outline, tree, node, kind);
      const name = tree.text(node);
      if (name === '' || outline.selves.has(name)) return;
      if (shape.isMember) return facts.refer(node, shape.kind, facts.member(meaningOf(shape.of, 0), name));
      const local = scopes.resolve(name);
      if (local?.kind === 'local') return;
      facts.refer(node, shape.kind, local?.kind === 'global' ? local.expression : named(name, facts.enclosing));
    },
  };
}

/** How an identifier is used: which kind of reference, and as a member of what. */
function shapeOf(outline: Outline, tree: SyntaxTree, node: number, kind: ReferenceKind) {
  const parent = tree.parent[node]!;
  const access = ruleFor(outline.members, tree, parent);
  const isName = access !== undefined && part(tree, parent, access.name) === node;
  const receiver = isName ? part(tree, parent, access.of) : -1;
  // Java's `f()` and `x.f()` are one kind of node: without a receiver it is no member.
  const isMember = isName && receiver !== node && (receiver >= 0 || access.of.startsWith('$'));
  const whole = isMember ? parent : node;
  return { kind: useOf(outline, tree, node, whole, isName && access.call === true, kind), of: receiver, isMember };
}

function useOf(
  outline: Outline,
  tree: SyntaxTree,
  node: number,
  whole: number,
  isCall: boolean,
  kind: ReferenceKind,
): ReferenceKind {
  const user = tree.parent[whole]!;
  const called = ruleFor(outline.calls, tree, user);
  const written = ruleFor(outline.writes, tree, user);
  if (isCall || (called !== undefined && part(tree, user, called) === whole)) return 'call';
  if (outline.isCalled?.(tree, node)) return 'call';
  if (written !== undefined && part(tree, user, written) === whole) return 'write';
  const isType =
    outline.typeParents?.has(tree.kind(tree.parent[node]!)) || /^(?:type|returns)$/.test(tree.field(whole));
  return isType ? 'type' : kind;
}

/** The name that a written type ends in: `b.C<D>` is `C`. */
function lastIdentifier(outline: Outline, tree: SyntaxTree, node: number): number {
  if (node < 0) return -1;
  if (Object.hasOwn(outline.identifiers, tree.kind(node))) return node;
  let last = -1;
  for (const child of tree.namedChildren(node)) {
    if (/argument|dimension|modifier|annotation/.test(tree.kind(child))) continue;
    const found = lastIdentifier(outline, tree, child);
    if (found >= 0) last = found;
  }
  return last;
}

function leafNamed(outline: Outline, tree: SyntaxTree, node: number, name: string): number {
  for (let at = tree.after[node]! - 1; at > node; at--) {
    if (Object.hasOwn(outline.identifiers, tree.kind(at)) && tree.text(at) === name) return at;
  }
  return -1;
}
