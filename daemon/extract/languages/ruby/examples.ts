import type { SyntaxTree } from '../../tree.ts';

/**
 * Groups of examples (`describe Cart do … end`) and other blocks at the top of a file are as good as classes that no other
 * file can name: what they define is private to the file, and has tails that say so.
 */
export const ofExamples = 'static/';

const groups = /^(?:[xf]?(?:describe|context|feature)|shared_(?:examples|examples_for|context))$/;
/** Of Rake and Bundler, which run their blocks where they stand. */
const runsHere = /^(?:namespace|task|file|multitask|group|source|loop|proc|lambda|begin|at_exit|catch)$/;

/** Whether a block that this call is given stands for such a group; `isAtTop` where no class or module is around. */
export function makesGroup(tree: SyntaxTree, call: number, isAtTop: boolean): boolean {
  if (tree.kind(call) !== 'call' || tree.kind(tree.child(tree.parent[call]!, 'left')) === 'constant') return false;
  const receiver = tree.text(tree.child(call, 'receiver'));
  const name = tree.text(tree.child(call, 'method'));
  if (/^(?:Class|Module)$/.test(receiver)) return isAtTop && name === 'new';
  if (groups.test(name)) return receiver === '' || /^(?:RSpec|Minitest)$/.test(receiver);
  return isAtTop && receiver === '' && !runsHere.test(name);
}

/** Whether a node stands in such a group, and in no class or method that may have it instead. */
export function standsInGroup(tree: SyntaxTree, node: number): boolean {
  const calls: number[] = [];
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (kind === 'class' || kind === 'singleton_class') return false;
    if (kind === 'module') return calls.some(call => makesGroup(tree, call, false));
    if (kind === 'block' || kind === 'do_block') calls.push(tree.parent[at]!);
  }
  return calls.some(call => makesGroup(tree, call, true));
}

/** The innermost `describe` or `context` around a node, each having variables of its own; -1 where there is none. */
export function groupAround(tree: SyntaxTree, node: number): number {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    const isBlock = /^(?:do_)?block$/.test(tree.kind(at));
    if (isBlock && groups.test(tree.text(tree.child(tree.parent[at]!, 'method')))) return at;
    if (/^(?:class|module|singleton_class)$/.test(tree.kind(at))) return -1;
  }
  return -1;
}
