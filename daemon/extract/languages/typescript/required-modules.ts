import { literalText, type Walk } from './context.ts';

/** The specifier of `require('x')` or `import('x')`. */
export function requiredModule(walk: Walk, node: number): string | undefined {
  const { tree } = walk;
  if (tree.kind(node) !== 'call_expression') return undefined;
  const callee = tree.child(node, 'function');
  if (tree.kind(callee) !== 'import' && !isRequire(walk, callee)) return undefined;
  const [argument = -1] = tree.namedChildren(tree.child(node, 'arguments')).filter(one => tree.kind(one) !== 'comment');
  const isPlainTemplate = tree.kind(argument) === 'template_string' && !tree.text(argument).includes('${');
  return isPlainTemplate ? tree.text(argument).slice(1, -1) : literalText(walk, argument);
}

/** Whether what is called loads the module that it is given: Node.js's `require`, or what `createRequire` made. */
export function isRequire(walk: Walk, callee: number): boolean {
  const { tree } = walk;
  if (tree.kind(callee) !== 'identifier') return makesRequire(walk, callee);
  const found = walk.scopes.resolve(tree.text(callee));
  return found === undefined ? tree.text(callee) === 'require' : madeRequires.get(walk)?.has(found.expression) === true;
}

/** Refers to what loads a module, where that is something of the file's own. */
export function visitRequire(walk: Walk, call: number): void {
  const { tree, facts } = walk;
  const callee = tree.child(call, 'function');
  if (tree.kind(callee) !== 'identifier') {
    if (tree.kind(callee) !== 'import') walk.visit(callee);
    return;
  }
  const found = walk.scopes.resolve(tree.text(callee));
  if (found?.kind === 'global') facts.refer(callee, 'call', found.expression);
}

/** Whether a value is what `createRequire` of Node.js gives. */
export function makesRequire({ tree }: Walk, node: number): boolean {
  if (tree.kind(node) !== 'call_expression') return false;
  const callee = tree.child(node, 'function');
  const name = tree.kind(callee) === 'member_expression' ? tree.child(callee, 'property') : callee;
  return /^(?:identifier|property_identifier)$/.test(tree.kind(name)) && /^_*createRequire$/.test(tree.text(name));
}

/** By file, expressions that denote what `createRequire` made. */
const madeRequires = new WeakMap<Walk, Set<number>>();

/** Notes that an expression denotes what `createRequire` made. */
export function noteRequire(walk: Walk, expression: number): void {
  const known = madeRequires.get(walk);
  if (known === undefined) madeRequires.set(walk, new Set([expression]));
  else known.add(expression);
}

const modules = new WeakMap<Walk, Map<string, number>>();

/** The import that stands for a whole module, made once for each specifier, for types alone once more. */
export function importedModule(walk: Walk, specifier: string, node: number, typeOnly = isInType(walk, node)): number {
  let known = modules.get(walk);
  if (known === undefined) {
    known = new Map();
    modules.set(walk, known);
  }
  const key = `${typeOnly ? 'type ' : ''}${specifier}`;
  const index = known.get(key);
  if (index !== undefined) return index;
  const line = walk.facts.range(node).startLine;
  const made = walk.facts.addImport({ specifier, name: '*', local: '', wildcard: false, typeOnly, line });
  known.set(key, made);
  return made;
}

/** Whether `import('x')` stands where a type does: `import('x').T`, `typeof import('x')`. */
function isInType({ tree }: Walk, node: number): boolean {
  if (tree.kind(node) !== 'call_expression' || tree.kind(tree.child(node, 'function')) !== 'import') return false;
  let value = node;
  while (/^(?:member_expression|nested_identifier|nested_type_identifier)$/.test(tree.kind(tree.parent[value]!)))
    value = tree.parent[value]!;
  const parent = tree.parent[value]!;
  switch (tree.kind(parent)) {
    case 'as_expression':
    case 'satisfies_expression':
      return tree.namedChildren(parent)[0] !== value;
    case 'type_assertion':
      return false;
    // Where the grammar takes type arguments for comparisons: nobody compares a promise.
    case 'unary_expression':
      return tree.text(tree.child(parent, 'operator')) === 'typeof';
    case 'binary_expression':
      return tree.text(tree.child(parent, 'operator')) === '<' && tree.child(parent, 'right') === value;
    default:
      return typePlaces.test(tree.kind(parent));
  }
}

const typePlaces = /^type_|_type$|_type_|^(?:implements_clause|extends_type_clause|constraint|asserts)$/;
