import type { SyntaxTree } from '../../tree.ts';

/** The JSDoc comment right above a node, without its stars; '' where there is none. */
export function documentationAbove(tree: SyntaxTree, node: number): string {
  const { source } = tree;
  let at = tree.start[node]! - 1;
  while (at >= 0 && /\s/.test(source[at]!)) at--;
  if (source[at] !== '/' || source[at - 1] !== '*') return '';
  const open = source.lastIndexOf('/*', at - 2);
  if (open < 0 || source[open + 2] !== '*' || source.indexOf('*/', open + 2) !== at - 1) return '';
  return source
    .slice(open + 3, at - 1)
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** The declaration's text from `from` up to its body: what a reader would call its signature. */
export function signatureOf(tree: SyntaxTree, from: number, body: number, end: number = from): string {
  const start = tree.start[from]!;
  const stop = body >= 0 ? tree.start[body]! : tree.end[end]!;
  return tree.source
    .slice(start, Math.min(stop, start + 1600))
    .replace(/(?:=>|=|\{|;|,)?\s*$/, '')
    .trim();
}
