import type { SyntaxTree } from '../../tree.ts';

/**
 * Names at the top of a file that a statement other than their declaration exports: `export { a }`, `export default a`,
 * `module.exports = { a, b: c }`, `exports.a = a`. Known before anything is defined, so that a definition and its members
 * are as public as if the declaration said `export`.
 */
export function lateExports(tree: SyntaxTree): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of tree.namedChildren(0)) {
    const kind = tree.kind(statement);
    if (kind === 'export_statement') collectExported(tree, statement, names);
    else if (kind === 'expression_statement') collectAssigned(tree, tree.firstChild(statement), names);
  }
  return names;
}

function collectExported(tree: SyntaxTree, statement: number, names: Set<string>): void {
  if (tree.child(statement, 'source') >= 0) return;
  const value = tree.child(statement, 'value');
  if (tree.kind(value) === 'identifier') names.add(tree.text(value));
  const clause = tree.childOfKind(statement, 'export_clause');
  for (const one of clause < 0 ? [] : tree.namedChildren(clause)) {
    if (tree.kind(one) === 'export_specifier') names.add(tree.text(tree.child(one, 'name')));
  }
}

function collectAssigned(tree: SyntaxTree, assignment: number, names: Set<string>): void {
  let value = assignment;
  let isExports = false;
  while (tree.kind(value) === 'assignment_expression') {
    isExports ||= /^(?:module\.)?exports(?:\.[\w$]+)?$/.test(tree.text(tree.child(value, 'left')).slice(0, 200));
    value = tree.child(value, 'right');
  }
  if (!isExports) return;
  for (const one of tree.kind(value) === 'object' ? tree.namedChildren(value) : [value]) {
    const name = tree.kind(one) === 'pair' ? tree.child(one, 'value') : one;
    if (/identifier$/.test(tree.kind(name))) names.add(tree.text(name));
  }
}
