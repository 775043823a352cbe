import type { SyntaxTree } from '../../tree.ts';

/** The methods of a context manager that a `with` calls. */
export interface ManagersCalls {
  /** The word `with`. */
  readonly sign: number;
  readonly enter: string;
  readonly exit: string;
  readonly isAwaited: boolean;
}

/** What the statement that an item of a `with` belongs to calls; undefined of any other node. */
export function managersCalls(tree: SyntaxTree, item: number): ManagersCalls | undefined {
  if (tree.kind(item) !== 'with_item') return undefined;
  const words = tree.children(tree.parent[tree.parent[item]!]!);
  const sign = words.find(word => tree.kind(word) === 'with');
  if (sign === undefined) return undefined;
  const isAwaited = words.some(word => tree.kind(word) === 'async');
  const prefix = isAwaited ? '__a' : '__';
  return { sign, enter: `${prefix}enter__`, exit: `${prefix}exit__`, isAwaited };
}
