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

/** Parameter types as written, names and defaults left out, and what `this` must be; '' in C, which does not overload. */
export function parametersOf(tree: SyntaxTree, declarator: number): string {
  let node = declarator;
  while (node >= 0 && tree.child(node, 'parameters') < 0) {
    node =
      tree.child(node, 'declarator') >= 0 ? tree.child(node, 'declarator') : (tree.namedChildren(node).at(-1) ?? -1);
  }
  const isCpp = tree.typeNames.includes('class_specifier');
  if (!isCpp) return '';
  const types = tree
    .namedChildren(tree.child(node, 'parameters'))
    .filter(one => /parameter_declaration$/.test(tree.kind(one)))
    .map(one => parameterType(tree, one))
    .filter(type => type !== 'void');
  const qualifiers = tree.namedChildren(node).filter(one => /^(?:type|ref)_qualifier$/.test(tree.kind(one)));
  return [...types, ...qualifiers.map(one => tree.text(one))].join(',');
}

function parameterType(tree: SyntaxTree, parameter: number): string {
  const declarator = tree.child(parameter, 'declarator');
  const name = declaratorName(tree, declarator);
  const value = tree.child(parameter, 'default_value');
  const end = value < 0 ? tree.end[parameter]! : tree.start[value]!;
  const before = tree.source.slice(tree.start[parameter]!, name < 0 ? end : tree.start[name]!);
  const behind = name < 0 ? '' : tree.source.slice(tree.end[name]!, end);
  return (before + behind)
    .replace(/=\s*$/, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([*&<>,]) ?/g, '$1')
    .trim();
}
