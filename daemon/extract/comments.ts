import type { SyntaxTree } from './tree.ts';

/** The comments that end on the line before the definition, without their marks. */
export function documentationOf(
  tree: SyntaxTree,
  node: number,
  previous: Int32Array,
  wrappers: ReadonlySet<string> | undefined,
): string {
  let outer = node;
  while (wrappers?.has(tree.kind(tree.parent[outer]!)) && begins(tree, outer, previous)) outer = tree.parent[outer]!;
  const comments: string[] = [];
  let start = tree.start[outer]!;
  for (let before = previous[outer]!; before >= 0; before = previous[before]!) {
    const kind = tree.kind(before);
    if (/attribute|annotation/.test(kind)) {
      start = tree.start[before]!;
      continue;
    }
    // Rust's `//!` is about what it stands in.
    if (!kind.includes('comment') || tree.childOfKind(before, 'inner_doc_comment_marker') >= 0) break;
    const gap = tree.source.slice(tree.end[before]!, start);
    const text = tree.text(before);
    if (gap.trim() !== '' || gap.split('\n').length > (text.endsWith('\n') ? 1 : 2)) break;
    if (/\n/.test(text.at(-1) + gap) && isBehindCode(tree, before)) break;
    comments.unshift(text);
    start = tree.start[before]!;
  }
  return comments.map(stripComment).join('\n').trim();
}

/** A comment at the end of a line of code speaks of that. */
function isBehindCode({ source, start }: SyntaxTree, comment: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', start[comment]! - 1) + 1, start[comment]!);
  return line.trim() !== '';
}

function stripComment(comment: string): string {
  return comment
    .replace(/^\/\*[*!]*|\*+\/$/g, '')
    .split('\n')
    .map(line => line.replace(/^\s*(?:\/\/[/!]*|#+|\*(?!\/))? ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** Whether what stands above a node's parent stands above the node: it is what the parent wraps, or a body's first statement. */
function begins(tree: SyntaxTree, node: number, previous: Int32Array): boolean {
  const parent = tree.parent[node]!;
  return tree.kind(parent).startsWith('body') ? previous[node]! < 0 : firstRealChild(tree, parent) <= node;
}

function firstRealChild(tree: SyntaxTree, node: number): number {
  const real = tree.namedChildren(node).find(child => !/comment|attribute|annotation|modifier/.test(tree.kind(child)));
  return real ?? -1;
}

/** Per node: the sibling before it, or -1. */
export function previousSiblings(tree: SyntaxTree): Int32Array {
  const previous = new Int32Array(tree.size).fill(-1);
  for (let node = 0; node < tree.size; node++) {
    let last = -1;
    for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
      previous[child] = last;
      last = child;
    }
  }
  return previous;
}
