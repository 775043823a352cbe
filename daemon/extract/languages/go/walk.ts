import type { FactsBuilder } from '../../builder.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly scopes: Scopes;
  /** Slots by the node that defines them: an identifier, a whole declaration, or a type without a name of its own. */
  readonly slots: Map<number, number>;
  /** Identifiers that are definitions, hence no references. */
  readonly sites: Set<number>;
  /** Names that the file's imports bind: uses of a package are no references, uses of its members are. */
  readonly packages: Set<string>;
  /** What stands for a type parameter's argument, and the constraint of that: a node, -1 where it has none. */
  readonly constraints: Map<number, number>;
  /** Names of the file's type parameters. */
  readonly typeParameters: Set<string>;
}

/** What an identifier denotes where the walk stands; -1 where nothing can be said. */
export function nameValue({ tree, facts, scopes }: Walk, node: number): number {
  const name = tree.text(node);
  if (name === '_' || name === '') return -1;
  return scopes.resolve(name)?.expression ?? facts.free(name);
}
