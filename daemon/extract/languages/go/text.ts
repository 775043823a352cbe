import type { SyntaxTree } from '../../tree.ts';

/** The comment right above a declaration, or above the only spec's keyword, or beside it on its line. */
export function documentationOf(tree: SyntaxTree, node: number, declaration: number): string {
  const above = commentAbove(tree, tree.start[node]!);
  if (above !== '') return above;
  const isGroup = declaration >= 0 && tree.children(declaration).some(child => tree.kind(child) === '(');
  if (declaration >= 0 && !isGroup) return commentAbove(tree, tree.start[declaration]!);
  const rest = /^[,;]?[ \t]*\/\/[ \t]?([^\n]*)/.exec(tree.source.slice(tree.end[node]!, tree.end[node]! + 400));
  return rest?.[1]?.trim() ?? '';
}

const maxLines = 200;

/** Line comments that end on the line before, directives left out; else one block comment. */
function commentAbove(tree: SyntaxTree, offset: number): string {
  const { source } = tree;
  const lines: string[] = [];
  let end = source.lastIndexOf('\n', offset - 1);
  if (end < 0 || source.slice(end + 1, offset).trim() !== '') return '';
  if (source.slice(0, end).endsWith('*/')) {
    const start = source.lastIndexOf('/*', end);
    return start < 0
      ? ''
      : source
          .slice(start + 2, end - 2)
          .replace(/^[ \t]*\*[ \t]?/gm, '')
          .trim();
  }
  while (end > 0 && lines.length < maxLines) {
    const start = source.lastIndexOf('\n', end - 1) + 1;
    const line = source.slice(start, end).trim();
    if (!line.startsWith('//')) break;
    if (!/^\/\/(?:go:|export |line |nolint|\s*\+build)/.test(line)) lines.unshift(line.slice(2).replace(/^ /, ''));
    end = start - 1;
  }
  return lines.join('\n').trim();
}

/** A declaration's text up to its body. */
export function headOf(tree: SyntaxTree, node: number, body: number): string {
  return tree.source.slice(tree.start[node]!, body < 0 ? tree.end[node]! : tree.start[body]!).trim();
}
