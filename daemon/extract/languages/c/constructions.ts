import type { SyntaxTree } from '../../tree.ts';
import { declaratorName, initialValue } from './declarator.ts';
import { isCpp, type Walk } from './walk.ts';

/** The arguments that what `used` names is called with, a class by any way of making one; undefined where nothing calls it. */
export function givenTo(walk: Walk, used: number): readonly number[] | undefined {
  const { tree } = walk;
  const user = tree.parent[used]!;
  const field = tree.field(used);
  switch (tree.kind(user)) {
    case 'call_expression':
      return field === 'function' ? tree.namedChildren(tree.child(user, 'arguments')) : undefined;
    case 'new_expression':
      return field === 'type' ? tree.namedChildren(tree.child(user, 'arguments')) : undefined;
    case 'compound_literal_expression':
      return field === 'type' ? listed(walk, tree.child(user, 'value')) : undefined;
    case 'field_initializer':
      return tree.namedChildren(tree.namedChildren(user)[1] ?? -1);
    case 'declaration':
      return field === 'type'
        ? (givenBy(walk, tree.childrenIn(user, 'declarator')) ?? byDefault(walk, used))
        : undefined;
    case 'field_declaration': {
      const isPlain = tree.kind(tree.child(user, 'declarator')) === 'field_identifier';
      return field === 'type' && isPlain ? listed(walk, tree.child(user, 'default_value')) : undefined;
    }
    case 'parameter_declaration': {
      const declarator = tree.child(user, 'declarator');
      const isCall = walk.given.has(tree.parent[user]!) && tree.kind(declarator) === 'abstract_function_declarator';
      return isCall ? tree.namedChildren(tree.child(declarator, 'parameters')) : undefined;
    }
    default:
      return undefined;
  }
}

/** `(f)(x)`: what is called with the parentheses around it; anything else as it is. */
export function calleeIn(tree: SyntaxTree, node: number): number {
  let at = node;
  while (tree.kind(tree.parent[at]!) === 'parenthesized_expression') at = tree.parent[at]!;
  const isCalled = tree.kind(tree.parent[at]!) === 'call_expression' && tree.field(at) === 'function';
  return isCalled ? at : node;
}

/** `(name)(x)` of C is a cast, too, which the grammar doesn't know. */
export function mayBeCast({ tree, valueNames }: Walk, callee: number): boolean {
  if (isCpp(tree) || tree.kind(callee) !== 'parenthesized_expression') return false;
  const [name = -1] = tree.namedChildren(callee);
  const given = tree.namedChildren(tree.child(tree.parent[callee]!, 'arguments'));
  return given.length === 1 && tree.kind(name) === 'identifier' && !valueNames().has(tree.text(name));
}

/** One name of the class stands for all that are declared: the first that is made counts. */
function givenBy(walk: Walk, declarators: readonly number[]): readonly number[] | undefined {
  return declarators.map(one => givenAt(walk, one)).find(given => given !== undefined);
}

/** `Box a;` makes a box, of nothing; what the library's own types do then is nobody's concern, nor what stands elsewhere. */
function byDefault({ tree }: Walk, type: number): readonly number[] | undefined {
  const declaration = tree.parent[type]!;
  const isPlain = tree.childrenIn(declaration, 'declarator').some(one => tree.kind(one) === 'identifier');
  const isElsewhere = tree.text(tree.childOfKind(declaration, 'storage_class_specifier')) === 'extern';
  return isPlain && isCpp(tree) && !isElsewhere && !/^(?:::)?std::/.test(tree.text(type)) ? [] : undefined;
}

/** `Box a(1), b{2}, c = {3};` make a box each; a pointer to one does not. */
function givenAt(walk: Walk, declarator: number): readonly number[] | undefined {
  const { tree, given } = walk;
  if (tree.kind(declarator) === 'function_declarator') {
    const list = tree.child(declarator, 'parameters');
    return given.has(list) ? tree.namedChildren(list) : undefined;
  }
  const value = initialValue(tree, declarator);
  const isPlain =
    /identifier$/.test(tree.kind(tree.child(declarator, 'declarator'))) || tree.kind(declarator) === 'identifier';
  if (!isPlain) return undefined;
  return tree.kind(value) === 'argument_list' ? tree.namedChildren(value) : listed(walk, value);
}

/** What stands in braces; members by their names are given to no constructor. */
function listed({ tree }: Walk, list: number): readonly number[] | undefined {
  if (tree.kind(list) !== 'initializer_list' || !isCpp(tree)) return undefined;
  const given = tree.namedChildren(list);
  return given.some(one => tree.kind(one) === 'initializer_pair') ? undefined : given;
}

/**
 * `Guard guard(mutex, this);` and `Guard guard(make());` read like a function's declaration. In a function it is a variable,
 * and these are what it is made of, where one of them is no type, or some are like calls and the others like names.
 */
export function markGiven(walk: Walk, node: number): void {
  const { tree, slots, given } = walk;
  if (tree.kind(node) !== 'declaration' || !isCpp(tree)) return;
  for (const declarator of tree.childrenIn(node, 'declarator')) {
    if (slots.nameNodes.has(declaratorName(tree, declarator))) continue;
    let at = declarator;
    while (/^(?:pointer|reference)_declarator$/.test(tree.kind(at))) at = tree.namedChildren(at).at(-1) ?? -1;
    const list = tree.kind(at) === 'function_declarator' ? tree.child(at, 'parameters') : -1;
    if (list < 0 || !(holdsValue(walk, list) || holdsCalls(walk, list))) continue;
    for (let inner = list; inner < tree.after[list]!; inner++)
      if (tree.kind(inner) === 'parameter_list') given.add(inner);
  }
}

function holdsValue({ tree, scopes, valueNames }: Walk, list: number): boolean {
  for (let at = list; at < tree.after[list]!; at++) {
    if (tree.kind(at) !== 'type_identifier' || tree.kind(tree.parent[at]!) !== 'parameter_declaration') continue;
    const name = tree.text(at);
    if (name === 'this' || scopes.resolve(name)?.kind === 'local' || valueNames().has(name)) return true;
  }
  return false;
}

/** No parameter is written so, `make()`, or `make(name)`: functions that are declared in functions take no functions. */
function holdsCalls({ tree }: Walk, list: number): boolean {
  const given = tree.namedChildren(list);
  return given.some(one => tree.child(one, 'declarator') >= 0) && given.every(one => isLikeArgument(tree, one));
}

function isLikeArgument(tree: SyntaxTree, node: number): boolean {
  const [type = -1, declarator = -1, ...rest] = tree.namedChildren(node);
  if (tree.kind(node) !== 'parameter_declaration' || rest.length > 0) return false;
  if (!/^(?:type_identifier|qualified_identifier|template_type)$/.test(tree.kind(type))) return false;
  if (declarator < 0) return true;
  const isCall = tree.kind(declarator) === 'abstract_function_declarator' && tree.child(declarator, 'declarator') < 0;
  return isCall && tree.namedChildren(tree.child(declarator, 'parameters')).every(one => isLikeArgument(tree, one));
}
