import type { SyntaxTree } from '../../tree.ts';

/** C's declarators wrap the name in what is to be done with it: `*(*f[3])(int)`. */

/** The node of the declared name, -1 where there is none (abstract declarators, structured bindings). */
export function declaratorName(tree: SyntaxTree, declarator: number): number {
  for (let node = declarator; node >= 0; ) {
    const kind = tree.kind(node);
    if (/^(?:identifier|field_identifier|type_identifier|destructor_name|operator_name)$/.test(kind)) return node;
    if (kind === 'operator_cast') return node;
    if (kind === 'qualified_identifier' || kind === 'template_function') node = tree.child(node, 'name');
    else if (tree.child(node, 'declarator') >= 0) node = tree.child(node, 'declarator');
    else if (/declarator$/.test(kind)) node = tree.namedChildren(node).at(-1) ?? -1;
    else return -1;
  }
  return -1;
}

/** The type behind the arrow of `auto f() -> T`; -1 where none stands there. */
export function trailingTypeOf(tree: SyntaxTree, declarator: number): number {
  return tree.namedChildren(tree.childOfKind(declarator, 'trailing_return_type'))[0] ?? -1;
}

/** What a declarator is given: in a condition, `if (auto *d = find())`, it stands beside it. */
export function initialValue(tree: SyntaxTree, declarator: number): number {
  const own = tree.child(declarator, 'value');
  return own >= 0 ? own : tree.child(tree.parent[declarator]!, 'value');
}

/** `int *f(int)` declares a function, `int (*f)(int)` a variable. */
export function declares(tree: SyntaxTree, declarator: number): 'function' | 'variable' {
  for (let node = declarator; node >= 0; ) {
    const kind = tree.kind(node);
    if (kind === 'operator_cast') return 'function';
    if (kind === 'function_declarator') {
      const inner = tree.child(node, 'declarator');
      const isPointer =
        tree.kind(inner) === 'parenthesized_declarator' && !isName(tree, tree.namedChildren(inner)[0] ?? -1);
      return isPointer ? 'variable' : 'function';
    }
    if (!/^(?:pointer|reference|attributed)_declarator$/.test(kind)) return 'variable';
    node =
      tree.child(node, 'declarator') >= 0 ? tree.child(node, 'declarator') : (tree.namedChildren(node).at(-1) ?? -1);
  }
  return 'variable';
}

/** `int (f)(void)`: a name in parentheses, which no macro of that name expands. */
function isName(tree: SyntaxTree, node: number): boolean {
  return /identifier$/.test(tree.kind(node));
}
