import type { FactsBuilder } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import type { Scope } from './scopes.ts';
import type { Values } from './values.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly values: Values;
  /** Scopes by the syntax node that opens them. */
  readonly scopes: Map<number, Scope>;
  /** Slots by the node that defines them. */
  readonly slots: Map<number, number>;
  /** Identifiers that are definitions, hence no references. */
  readonly sites: Set<number>;
  /** Types to be settled once every name of the scope is bound. */
  readonly pending: { readonly slot: number; readonly type: () => number }[];
  /** What `__all__` lists; undefined where the module has none. */
  all: Set<string> | undefined;
}
