import { type FactsBuilder, maxDepth } from '../../builder.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import type { DocTypes } from './jsdoc.ts';

/** What the parts of the walk share. Mutable members are set and restored by whoever enters a class or function. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly scopes: Scopes;
  /** Slots of declarations that a scope's entry already defined, by declaration node. */
  readonly slotOf: Map<number, number>;
  /** Slots of variables that hold an object made of another by `Object.create`. */
  readonly madeObjects: Set<number>;
  /** Evident types of a callback's parameters, by function node: known when the call around it is seen. */
  readonly parameterTypes: Map<number, readonly number[]>;
  /** What the surroundings want an object, array or function to be, by its node: see `expect`. */
  readonly expected: Map<number, number>;
  visit(node: number): void;
  visitChildren(node: number): void;
  /** Binds what the statements directly in a block declare: see `declarations.ts`. */
  declareStatements(block: number, isTop?: boolean): void;
  /** Defines the keys of an object in a container, where `this` denotes `self`: see `objects.ts`. */
  visitMembers(object: number, container: number, self: number): void;
  /** What a value of the type at `node` is: see `types.ts`. */
  typeValue(node: number): number;
  /** What comments say of types. */
  docs: DocTypes;
  /** Assignments to `this` define fields of classes, which need not declare them. */
  readonly assignsFields: boolean;
  /** What `this` denotes here, -1 where unknown. */
  thisValue: number;
  /** Slot of the innermost class, -1 outside. */
  classSlot: number;
  /** The function whose `return` statements we are among. */
  returning: Returning;
  /** Variables declared here are definitions: at the top of the file or of a namespace. */
  isTop: boolean;
  /** The definition whose declared type is being read: members of object types in it are its members. -1 outside. */
  typeHolder: number;
  /** Names at the top that a statement other than their declaration exports. */
  readonly lateExports: ReadonlySet<string>;
  /** The container's members are exported. */
  isExported: boolean;
}

export interface Returning {
  /** What the function is declared to return, -1 where that is not known. */
  readonly expected: number;
  /** Slot whose type the returned values make up, -1 where the function is anonymous or its result is declared. */
  readonly slot: number;
  remaining: number;
}

export const returningNothing: Returning = { expected: -1, slot: -1, remaining: 0 };

/** What a name denotes here: a binding of the file, else a free name. -1 for a local of unknown value. */
export function named(walk: Walk, name: string): number {
  const found = walk.scopes.resolve(name);
  return found === undefined ? walk.facts.free(name) : found.expression;
}

/** Recursion stops here; `visit` still takes what names it finds below. */
export function isTooDeep(walk: Walk, node: number): boolean {
  return node >= 0 && walk.tree.depth[node]! > maxDepth;
}

/** A string literal's text without its quotes; undefined for anything else. */
export function literalText(walk: Walk, node: number): string | undefined {
  if (walk.tree.kind(node) !== 'string') return undefined;
  return walk.tree.source.slice(walk.tree.start[node]! + 1, walk.tree.end[node]! - 1);
}

/** A member's name as code would write it after a dot; undefined for computed names that only running tells. */
export function propertyName(walk: Walk, node: number): string | undefined {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'property_identifier':
    case 'private_property_identifier':
    case 'identifier':
    case 'shorthand_property_identifier':
    case 'shorthand_property_identifier_pattern':
    case 'type_identifier':
    case 'number':
      return tree.text(node);
    case 'string':
      return literalText(walk, node);
    case 'computed_property_name': {
      const [inner = -1] = tree.namedChildren(node);
      const text = literalText(walk, inner);
      if (text !== undefined) return text;
      return tree.kind(inner) === 'member_expression' ? `[${tree.text(inner)}]` : undefined;
    }
    default:
      return undefined;
  }
}

/** What the key of a member mentions, whether or not it names the member. */
export function visitComputedKey(walk: Walk, key: number): void {
  if (walk.tree.kind(key) === 'computed_property_name') walk.visit(key);
}

export function isFunction(kind: string): boolean {
  return (
    kind === 'arrow_function' || kind === 'function_expression' || kind === 'function' || kind === 'generator_function'
  );
}

/**
 * Notes what the surroundings want an expression's value to be (a declared type, a parameter's, a property's): keys of
 * object literals then refer to members of it, and parameters of functions get their types from it.
 */
export function expect(walk: Walk, node: number, value: number): void {
  const { tree } = walk;
  if (value < 0 || node < 0 || isTooDeep(walk, node)) return;
  const bare = unwrap(walk, node);
  switch (tree.kind(bare)) {
    case 'object':
    case 'array':
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
      walk.expected.set(bare, value);
      return;
    case 'ternary_expression':
      expect(walk, tree.child(bare, 'consequence'), value);
      expect(walk, tree.child(bare, 'alternative'), value);
      return;
    case 'binary_expression':
      expect(walk, tree.child(bare, 'right'), value);
      return;
  }
}

/** Strips what changes neither value nor members: parentheses, `as const`, `!`, `satisfies`. */
export function unwrap(walk: Walk, node: number): number {
  const { tree } = walk;
  let at = node;
  for (let step = 0; step < 20; step++) {
    const kind = tree.kind(at);
    const isWrapper =
      kind === 'parenthesized_expression' ||
      kind === 'non_null_expression' ||
      kind === 'satisfies_expression' ||
      kind === 'as_expression' ||
      kind === 'type_assertion';
    if (!isWrapper) return at;
    const inner = tree.namedChildren(at);
    const next = kind === 'type_assertion' ? inner.at(-1) : inner[0];
    if (next === undefined) return at;
    at = next;
  }
  return at;
}
