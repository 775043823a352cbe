import type { FactsBuilder } from '../../builder.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share; `around` says where it stands. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly scopes: Scopes;
  /** Slot of the definition that a node makes, or whose body it is. */
  readonly byNode: ReadonlyMap<number, number>;
  /** Names that are definitions, hence no references. */
  readonly nameNodes: ReadonlySet<number>;
  /** Per node: the sibling before it, or -1. */
  readonly previous: Int32Array;
  /** What chains denote, by their last node. */
  readonly values: Map<number, number>;
  /** What cascades go out from, by those of their sections that were asked. */
  readonly cascades: Map<number, number>;
  /** Slot of the class, mixin, enum or extension around, -1 outside. */
  around: number;
  /** The name of the class that the one around extends, -1 where it names none. */
  superclass: number;
}

/** A name that no scope of the file binds: the class around may have it, the library, or what it imports. */
export function freeName({ facts, around }: Walk, name: string): number {
  return facts.free(around < 0 ? name : `${name} ${facts.definition(around).tail}`);
}

/** Of what every library imports. */
export function core({ facts }: Walk, name: string): number {
  return facts.free(name);
}

/** The named sibling before a node, comments left out. */
export function before({ tree, previous }: Walk, node: number): number {
  let at = previous[node]!;
  while (at >= 0 && (!tree.isNamed(at) || tree.kind(at).includes('comment'))) at = previous[at]!;
  return at;
}

/** The named children of a node, comments left out. */
export function partsOf({ tree }: Walk, node: number): readonly number[] {
  return tree.namedChildren(node).filter(one => !tree.kind(one).includes('comment'));
}

/** Does a dot stand right before the node? */
export function followsDot({ tree }: Walk, node: number): boolean {
  return /\.\s*$/.test(tree.source.slice(Math.max(0, tree.start[node]! - 8), tree.start[node]!));
}
