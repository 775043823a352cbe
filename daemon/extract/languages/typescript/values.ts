import { calleeOf, operatorOf } from './callee.ts';
import { isFunction, literalText, named, type Walk } from './context.ts';
import { importedModule, makesRequire, noteRequire, requiredModule } from './required-modules.ts';

const maxNesting = 60;
const literalTypes: Readonly<Record<string, string>> = {
  string: 'String',
  template_string: 'String',
  number: 'Number',
  true: 'Boolean',
  false: 'Boolean',
  regex: 'RegExp',
};

/** The evident value of an expression: index of an expression of the facts, -1 where syntax tells nothing. */
export function evidentValue(walk: Walk, node: number, nesting = 0): number {
  const { tree, facts } = walk;
  if (node < 0 || nesting > maxNesting) return -1;
  const inner = (child: number): number => evidentValue(walk, child, nesting + 1);
  const kind = tree.kind(node);
  switch (kind) {
    case 'identifier':
    case 'shorthand_property_identifier':
      return named(walk, tree.text(node));
    case 'this':
      return walk.thisValue;
    case 'super':
      return ofBase(walk);
    case 'member_expression':
      if (isModuleExports(walk, node)) return facts.free('exports');
      return facts.member(inner(tree.child(node, 'object')), tree.text(tree.child(node, 'property')));
    case 'nested_identifier':
      return facts.member(inner(tree.child(node, 'object')), tree.text(tree.child(node, 'property')));
    case 'subscript_expression':
      return subscript(walk, inner(tree.child(node, 'object')), tree.child(node, 'index'));
    case 'call_expression':
      return afterOperator(walk, node, callValue(walk, node, inner));
    case 'new_expression':
      return facts.instance(withTypeArguments(walk, inner(tree.child(node, 'constructor')), node));
    case 'await_expression':
      return facts.awaited(inner(tree.namedChildren(node)[0] ?? -1));
    case 'parenthesized_expression': {
      const cast = walk.docs.cast(node);
      return cast >= 0 ? cast : inner(tree.namedChildren(node).find(child => tree.kind(child) !== 'comment') ?? -1);
    }
    case 'non_null_expression':
      return inner(tree.namedChildren(node)[0] ?? -1);
    case 'as_expression':
    case 'satisfies_expression':
      return asserted(walk, node, inner);
    case 'type_assertion': {
      const [type = -1, value = -1] = tree.namedChildren(node);
      const declared = walk.typeValue(tree.namedChildren(type)[0] ?? -1);
      return declared < 0 ? inner(value) : declared;
    }
    case 'binary_expression':
      return binary(walk, node, inner);
    case 'ternary_expression':
      return facts.either(inner(tree.child(node, 'consequence')), inner(tree.child(node, 'alternative')));
    case 'assignment_expression':
      return fillsExports(walk, node) ? facts.free('exports') : inner(tree.child(node, 'right'));
    case 'sequence_expression':
      return inner(tree.namedChildren(node).at(-1) ?? -1);
    case 'array':
      return facts.instance(facts.generic(facts.free('Array'), arrayElement(walk, node, inner)));
    default:
      if (isFunction(kind)) return functionValue(walk, node, nesting);
      return Object.hasOwn(literalTypes, kind) ? facts.instance(facts.free(literalTypes[kind]!)) : -1;
  }
}

/** In a static member, as `this` is the class itself, `super` is its base. */
function ofBase({ facts, classSlot, thisValue }: Walk): number {
  const base = facts.superOf(classSlot);
  return thisValue === facts.slot(classSlot) ? base : facts.instance(base);
}

function isModuleExports({ tree, scopes }: Walk, node: number): boolean {
  if (tree.text(tree.child(node, 'property')) !== 'exports') return false;
  return tree.text(tree.child(node, 'object')) === 'module' && scopes.resolve('module') === undefined;
}

/** `module.exports = {}`, `exports = module.exports = {}`: the object is what the file exports. */
function fillsExports(walk: Walk, assignment: number): boolean {
  const { tree } = walk;
  let value = assignment;
  let isExports = false;
  while (tree.kind(value) === 'assignment_expression') {
    isExports ||= isModuleExports(walk, tree.child(value, 'left'));
    value = tree.child(value, 'right');
  }
  return isExports && tree.kind(value) === 'object';
}

function subscript(walk: Walk, of: number, index: number): number {
  const text = literalText(walk, index);
  if (text !== undefined) return walk.facts.member(of, text);
  if (walk.tree.kind(index) === 'number') return walk.facts.member(of, walk.tree.text(index));
  return walk.facts.element(of);
}

function callValue(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts } = walk;
  const ofLibrary = libraryCall(walk, node, inner);
  if (ofLibrary >= 0) return ofLibrary;
  const required = requiredModule(walk, node);
  if (required !== undefined) return facts.imported(importedModule(walk, required, node));
  const callee = calleeOf(tree, node);
  const of = inner(callee);
  // A function that returns its own result says nothing about it, and would make its type depend on itself.
  if (walk.returning.slot >= 0 && of === facts.slot(walk.returning.slot)) return -1;
  const made = facts.call(withTypeArguments(walk, of, node));
  if (makesRequire(walk, node)) noteRequire(walk, made);
  return made;
}

function afterOperator({ tree, facts }: Walk, call: number, value: number): number {
  const operator = operatorOf(tree, call);
  if (operator === undefined) return value;
  return operator === 'await' ? facts.awaited(value) : -1;
}

/** What the library's functions make of what they are given: `Object.entries(record)` gives pairs. */
function libraryCall(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts, scopes } = walk;
  const callee = calleeOf(tree, node);
  if (tree.kind(callee) !== 'member_expression') return -1;
  const name = tree.text(callee);
  if (!/^(?:Object\.(?:entries|values)|Array\.from)$/.test(name)) return -1;
  const list = tree.namedChildren(tree.child(node, 'arguments'));
  const isPlain = list.length === 1 && scopes.resolve(name.slice(0, name.indexOf('.'))) === undefined;
  const element = isPlain ? facts.element(inner(list[0]!)) : -1;
  if (element < 0) return -1;
  const pair = facts.generic(facts.generic(facts.free('tuple'), facts.instance(facts.free('String'))), element);
  const held = name === 'Object.entries' ? facts.instance(pair) : element;
  return facts.instance(facts.generic(facts.free('Array'), held));
}

export function withTypeArguments(walk: Walk, of: number, node: number): number {
  const { tree, facts } = walk;
  const list = tree.child(node, 'type_arguments');
  if (list < 0) return of;
  return tree.namedChildren(list).reduce((type, argument) => {
    const value = walk.typeValue(argument);
    return facts.generic(type, value < 0 ? facts.unknown() : value);
  }, of);
}

function asserted(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree } = walk;
  const [value = -1, type = -1] = tree.namedChildren(node);
  if (tree.kind(node) === 'satisfies_expression') {
    const own = inner(value);
    return own < 0 ? walk.typeValue(type) : own;
  }
  return type < 0 ? inner(value) : walk.typeValue(type);
}

function binary(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts } = walk;
  const right = tree.child(node, 'right');
  switch (tree.text(tree.child(node, 'operator'))) {
    case '||':
    case '??':
      return facts.either(inner(tree.child(node, 'left')), inner(right));
    case '&&':
      return inner(right);
    case '+':
      return -1;
    default:
      return facts.instance(facts.free('Boolean'));
  }
}

function arrayElement(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts } = walk;
  for (const child of tree.namedChildren(node).slice(0, 4)) {
    const isSpread = tree.kind(child) === 'spread_element';
    const value = isSpread ? facts.element(inner(tree.namedChildren(child)[0] ?? -1)) : inner(child);
    if (value >= 0) return value;
  }
  return facts.unknown();
}

function functionValue(walk: Walk, node: number, nesting: number): number {
  const { facts } = walk;
  const declared = resultType(walk, node);
  const told = declared >= 0 ? declared : walk.docs.result(node);
  const result = told >= 0 ? told : bodyValue(walk, node, nesting);
  const made = facts.functionOf(result < 0 ? facts.unknown() : result);
  return parameterTypes(walk, node).reduce((of, argument) => facts.generic(of, argument), made);
}

/** What a function gives whose body is an expression, or one `return`; its parameters are what they are declared to be. */
function bodyValue(walk: Walk, node: number, nesting: number): number {
  const { tree, scopes } = walk;
  const value = onlyResult(walk, tree.child(node, 'body'));
  if (value < 0 || tree.child(node, 'return_type') >= 0) return -1;
  const list = tree.child(node, 'parameters');
  const parameters = list < 0 ? [tree.child(node, 'parameter')] : tree.namedChildren(list);
  let found = -1;
  scopes.inside('function', () => {
    for (const one of tree.namedChildren(tree.child(node, 'type_parameters')))
      scopes.declare(tree.text(tree.child(one, 'name')), -1);
    for (const one of parameters.filter(child => child >= 0)) hideParameter(walk, one);
    const outer = walk.thisValue;
    if (tree.kind(node) !== 'arrow_function') walk.thisValue = -1;
    found = evidentValue(walk, value, nesting + 1);
    walk.thisValue = outer;
  });
  return found;
}

function onlyResult({ tree }: Walk, body: number): number {
  if (tree.kind(body) !== 'statement_block') return body;
  const [statement = -1, another] = tree.namedChildren(body).filter(child => tree.kind(child) !== 'comment');
  const isResult = tree.kind(statement) === 'return_statement' && another === undefined;
  return isResult ? (tree.namedChildren(statement)[0] ?? -1) : -1;
}

/** Binds all that a parameter names: what is around the function bears these names in vain. */
function hideParameter(walk: Walk, parameter: number): void {
  const { tree } = walk;
  const type = annotated(walk, parameter, 'type');
  const pattern = tree.child(parameter, 'pattern') < 0 ? parameter : tree.child(parameter, 'pattern');
  for (let at = pattern; at < tree.after[pattern]!; at++) {
    if (!/^(?:identifier|shorthand_property_identifier_pattern)$/.test(tree.kind(at))) continue;
    walk.scopes.declare(tree.text(at), at === pattern ? walk.typeValue(type) : -1);
  }
}

/** What a function is declared to give; a type guard of its first parameter gives a truth that says what that is. */
export function resultType(walk: Walk, node: number, valueOfType = walk.typeValue): number {
  const { tree, facts } = walk;
  const declared = tree.child(node, 'return_type');
  const isAnnotation = /^type_(?:predicate_)?annotation$/.test(tree.kind(declared));
  const type = isAnnotation ? (tree.namedChildren(declared)[0] ?? -1) : declared;
  if (tree.kind(type) !== 'type_predicate') return valueOfType(type);
  const [first = -1] = tree.namedChildren(tree.child(node, 'parameters'));
  const isOfFirst = tree.text(tree.child(type, 'name')) === tree.text(tree.child(first, 'pattern'));
  const guarded = isOfFirst ? valueOfType(tree.child(type, 'type')) : -1;
  return facts.instance(facts.generic(facts.free('Boolean'), guarded < 0 ? facts.unknown() : guarded));
}

/** What each parameter takes by its annotation; unknown where it has none. */
export function parameterTypes(walk: Walk, node: number): number[] {
  const { tree, facts } = walk;
  const list = tree.child(node, 'parameters');
  return tree
    .namedChildren(list)
    .filter(child => tree.kind(child) !== 'comment' && tree.kind(tree.child(child, 'pattern')) !== 'this')
    .flatMap((parameter, position) => {
      const type = annotated(walk, parameter, 'type');
      const isRest = tree.kind(tree.child(parameter, 'pattern')) === 'rest_pattern';
      if (isRest) return restTypes(walk, type);
      return [type < 0 ? documentedParameter(walk, parameter, position) : walk.typeValue(type)];
    })
    .map(type => (type < 0 ? facts.unknown() : type));
}

/** What the comment above a function says of one of its parameters. */
export function documentedParameter(walk: Walk, parameter: number, position: number): number {
  const { tree } = walk;
  const isOptional = tree.kind(parameter) === 'assignment_pattern';
  const pattern = isOptional ? tree.child(parameter, 'left') : parameter;
  let around = tree.parent[parameter]!;
  if (tree.kind(around) === 'formal_parameters') around = tree.parent[around]!;
  const name = tree.kind(pattern) === 'identifier' ? tree.text(pattern) : '';
  return tree.kind(pattern) === 'rest_pattern' ? -1 : walk.docs.parameter(around, name, position);
}

/** `...rest: [A, B]` takes A, then B; of `...rest: A[]` so many parameters count. */
const restParameters = 4;

function restTypes(walk: Walk, type: number): number[] {
  const { tree, facts } = walk;
  if (tree.kind(type) === 'tuple_type') return tree.namedChildren(type).map(walk.typeValue);
  const element = facts.element(walk.typeValue(type));
  return Array.from({ length: restParameters }, () => element);
}

/** The type node in an annotation field, -1 where there is none. */
export function annotated(walk: Walk, node: number, field: 'type' | 'return_type'): number {
  const { tree } = walk;
  const annotation = tree.child(node, field);
  return tree.kind(annotation) === 'type_annotation' ? (tree.namedChildren(annotation)[0] ?? -1) : -1;
}
