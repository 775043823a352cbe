import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import { slotAround } from '../../slot-around.ts';
import type { SyntaxTree } from '../../tree.ts';
import type { Names } from './names.ts';
import type { Values } from './values.ts';

/** What the parts of the walk over a file share. Variables in `scopes` have no sign. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  readonly scopes: Scopes;
  readonly names: Names;
  readonly values: Values;
  /** The comment that stands before a node, '' where there is none. */
  commentOn(node: number): string;
  /** Walks what stands at a node. */
  visit(node: number): void;
}

/** Slot of the class around what is walked, -1 outside of classes. */
export function classAround({ facts }: Pick<Walk, 'facts'>): number {
  return slotAround(facts, isClassKind);
}

export function isClassKind(kind: string): boolean {
  return kind === 'class' || kind === 'interface' || kind === 'trait' || kind === 'enum';
}
