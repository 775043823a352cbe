import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import { slotAround } from '../../slot-around.ts';
import type { SyntaxTree } from '../../tree.ts';
import type { Names } from './names.ts';
import type { Values } from './values.ts';

/** What the parts of the walk over a file share. Types in `scopes` have `#` behind their names: `T#`. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  readonly scopes: Scopes;
  readonly names: Names;
  readonly values: Values;
  /** Walks what stands at a node. */
  visit(node: number): void;
}

/** Slot of the type around what is walked, -1 outside of types. */
export function typeAround({ facts }: Pick<Walk, 'facts'>): number {
  return slotAround(facts, isTypeKind);
}

export function isTypeKind(kind: string): boolean {
  return kind === 'class' || kind === 'struct' || kind === 'interface' || kind === 'enum';
}

/** A modifier that a declaration bears. */
export function hasModifier(tree: SyntaxTree, node: number, word: string): boolean {
  return tree.children(node).some(child => tree.kind(child) === 'modifier' && tree.text(child) === word);
}
