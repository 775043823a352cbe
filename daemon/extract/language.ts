import type { TestLines } from '../model/facts.ts';
import type { FactsBuilder } from './builder.ts';
import type { ComplexityTable } from './complexity/table.ts';
import type { Content } from './manifests/values.ts';
import type { SyntaxTree } from './tree.ts';

/**
 * One programming language: a grammar, and a walk over its trees that tells the builder what it sees. Pure: the same
 * tree gives the same facts.
 *
 * Trees nest as deeply as hostile input wants. A recursive walk stops descending at `tree.depth[node] > maxDepth`
 * (see `builder.ts`; no tree that it is given goes much deeper: `deepestNode`) and may still scan the subtree in a loop, since it is a contiguous run of nodes.
 */
export interface Language {
  /** As facts name it: `typescript`, `python`. */
  readonly name: string;
  /** File of the grammar, resolvable from this package. */
  readonly grammar: string;
  /** Rewrites a text before it is parsed, its length and line ends kept; facts still quote the original. */
  readonly prepare?: (source: string) => string;
  /** Rewrites as `prepare` does, of what it gives, to be tried where the parser can't read that. */
  readonly retries?: readonly ((prepared: string) => string)[];
  /** The tree with nodes where they belong that the grammar hangs elsewhere. */
  readonly rehang?: (tree: SyntaxTree) => SyntaxTree;
  walk(tree: SyntaxTree, facts: FactsBuilder): void;
  /** How its functions are measured, where they are. */
  readonly complexity?: ComplexityTable;
  /** What a file's tree says of how it is built or run: see `DocumentFacts.configuration`. */
  readonly project?: (tree: SyntaxTree) => Content;
  /** Where test code stands between other code, in languages that mark it. */
  readonly tests?: (tree: SyntaxTree) => readonly TestLines[];
  /** Refers to what stands in the text and not in the prepared one; after the walk. */
  readonly referToBlanked?: (tree: SyntaxTree, prepared: string, facts: FactsBuilder) => void;
}
