import { isFunction, literalText, propertyName, unwrap, type Walk } from './context.ts';

/**
 * Notes of the module that an expression at `node` denotes, if it does, that code hands it on (`register(ns)`,
 * `lazy(() => import('m'))`) unless names alone are taken out of it there: `ns.a`, `const { a } = ns`,
 * `(await import('m')).a`, `import('m').then(({ a }) => …)`. Of what an import takes by its name it is noted as well: that may
 * be a namespace (`export * as ns`), as the file can't tell.
 */
export function noteModuleValue(walk: Walk, node: number, expression: number): void {
  const module = walk.facts.importAt(expression);
  if (module === undefined || module.escapes) return;
  // A parameter of that type is known by it, wherever it goes; another name is looked after where it is bound.
  const isOtherName = walk.tree.kind(node) !== 'call_expression' && walk.tree.text(node) !== module.local;
  if (!isOtherName && !isTakenApart(walk, node, 0)) walk.facts.letEscape(expression);
}

function isTakenApart(walk: Walk, node: number, nesting: number): boolean {
  const { tree } = walk;
  let value = node;
  while (/^(?:await|parenthesized|non_null)_expression$/.test(tree.kind(tree.parent[value]!)))
    value = tree.parent[value]!;
  const parent = tree.parent[value]!;
  switch (tree.kind(parent)) {
    // What is taken out of a value of that type is found by the type.
    case 'type_query':
    case 'expression_statement':
      return true;
    case 'member_expression':
    case 'nested_identifier':
      return tree.child(parent, 'object') === value && isPlainMember(walk, parent, nesting);
    case 'nested_type_identifier':
      return tree.child(parent, 'module') === value;
    case 'subscript_expression':
      return tree.child(parent, 'object') === value && literalText(walk, tree.child(parent, 'index')) !== undefined;
    case 'variable_declarator':
      return !isExportedHere(walk, parent) && isBoundApart(walk, tree.child(parent, 'name'), parent, nesting);
    default:
      return false;
  }
}

/** What others do with a variable, its file can't tell. */
function isExportedHere({ tree }: Walk, declarator: number): boolean {
  const isName = tree.kind(tree.child(declarator, 'name')) === 'identifier';
  return isName && tree.kind(tree.parent[tree.parent[declarator]!]!) === 'export_statement';
}

/** What `then` gives its callback is the module again. */
function isPlainMember(walk: Walk, member: number, nesting: number): boolean {
  const { tree } = walk;
  const call = tree.parent[member]!;
  if (tree.text(tree.child(member, 'property')) !== 'then' || tree.kind(call) !== 'call_expression') return true;
  const callback = unwrap(walk, tree.namedChildren(tree.child(call, 'arguments'))[0] ?? -1);
  if (!isFunction(tree.kind(callback))) return false;
  const single = tree.child(callback, 'parameter');
  const [first = single] = tree.namedChildren(tree.child(callback, 'parameters'));
  const pattern = tree.kind(first) === 'required_parameter' ? tree.child(first, 'pattern') : first;
  return first < 0 || isBoundApart(walk, pattern, callback, nesting);
}

/** Whether names alone are taken out of what a pattern binds, in the pattern or in the scope that `binder` stands in. */
function isBoundApart(walk: Walk, pattern: number, binder: number, nesting: number): boolean {
  const { tree } = walk;
  if (tree.kind(pattern) === 'object_pattern') {
    return tree.namedChildren(pattern).every(one => tree.kind(one) === 'comment' || isNamedProperty(walk, one));
  }
  if (tree.kind(pattern) !== 'identifier' || nesting > 2) return false;
  const name = tree.text(pattern);
  const scope = isFunction(tree.kind(binder)) ? binder : scopeAround(walk, binder);
  for (let node = scope; node < tree.after[scope]!; node++) {
    const isName = /^(?:shorthand_property_)?identifier$/.test(tree.kind(node)) && node !== pattern;
    if (isName && tree.text(node) === name && !isTakenApart(walk, node, nesting + 1)) return false;
  }
  return true;
}

function isNamedProperty(walk: Walk, property: number): boolean {
  const { tree } = walk;
  switch (tree.kind(property)) {
    case 'pair_pattern':
      return propertyName(walk, tree.child(property, 'key')) !== undefined;
    case 'shorthand_property_identifier_pattern':
    case 'object_assignment_pattern':
      return true;
    default:
      return false;
  }
}

function scopeAround({ tree }: Walk, node: number): number {
  let at = node;
  while (at > 0 && tree.kind(at) !== 'statement_block') at = tree.parent[at]!;
  return at;
}
