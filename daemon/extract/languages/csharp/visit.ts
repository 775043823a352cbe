import { maxDepth } from '../../builder.ts';
import { lineOf } from '../../tree.ts';
import { declareLocal, declareParameters, declareTypeParameters, describe } from './declare.ts';
import { declareParts, givenPart } from './deconstruct.ts';
import { expectedAt, valueExpected } from './expected.ts';
import { visitImplicitCreation, visitInitializer, visitPattern, visitWith } from './members.ts';
import { referBinary, referElement } from './operators.ts';
import { referTo, referToType } from './refer.ts';
import type { Walk } from './walk.ts';

/** Walks what stands at a node: declares its locals, and refers to what its names mean. */
export function visit(walk: Walk, node: number): void {
  const slot = walk.slots.byNode.get(node);
  if (slot === undefined) visitPlain(walk, node);
  else walk.facts.within(slot, () => visitDefinition(walk, node, slot));
}

function visitChildren(walk: Walk, node: number): void {
  const { tree } = walk;
  if (tree.depth[node]! > maxDepth) return;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) visitChild(walk, child);
}

function visitChild(walk: Walk, child: number): void {
  const field = walk.tree.field(child);
  if ((field === 'type' || field === 'returns') && walk.tree.isNamed(child)) referToType(walk, child, 'type');
  else visit(walk, child);
}

function visitDefinition(walk: Walk, node: number, slot: number): void {
  const { kind, tail } = walk.facts.definition(slot);
  if (kind === 'namespace') {
    referToNamespace(walk, walk.tree.child(node, 'name'));
    const body = walk.tree.child(node, 'body');
    if (body < 0) walk.names.follow(tail);
    else walk.scopes.inside('block', () => visitChildren(walk, body));
    return;
  }
  walk.scopes.inside('function', () => {
    declareTypeParameters(walk, node, slot);
    describe(walk, node, slot);
    declareParameters(walk, node);
    const rule = rules[walk.tree.kind(node)];
    if (rule === undefined) visitChildren(walk, node);
    else rule(walk, node);
  });
}

/** What stands before the last name of a namespace. */
function referToNamespace(walk: Walk, name: number): void {
  if (walk.tree.kind(name) === 'qualified_name')
    referToType(walk, walk.tree.child(name, 'qualifier'), 'read', 'namespace');
}

function visitPlain(walk: Walk, node: number): void {
  const { tree } = walk;
  if (!tree.isNamed(node)) return;
  const rule = rules[tree.kind(node)];
  if (rule !== undefined) rule(walk, node);
  else if (scopeKinds.has(tree.kind(node))) walk.scopes.inside('block', () => visitChildren(walk, node));
  else visitChildren(walk, node);
}

const scopeKinds = new Set([
  'block',
  'for_statement',
  'using_statement',
  'fixed_statement',
  'catch_clause',
  'switch_section',
  'switch_expression_arm',
  'query_expression',
]);

type Rule = (walk: Walk, node: number) => void;

const rules: Readonly<Record<string, Rule>> = {
  identifier: (walk, node) => referTo(walk, node),
  generic_name(walk, node) {
    referTo(walk, node);
    visitChildren(walk, walk.tree.childOfKind(node, 'type_argument_list'));
  },
  qualified_name: (walk, node) => referToType(walk, node, 'type'),
  alias_qualified_name: (walk, node) => referToType(walk, node, 'type'),
  type_argument_list: typesOf('type'),
  base_list: (walk, node) => walk.names.beyond(walk.facts.enclosing, () => typesOf('implementation')(walk, node)),
  explicit_interface_specifier: typesOf('type'),
  using_directive: visitUsing,
  member_access_expression(walk, node) {
    visit(walk, walk.tree.child(node, 'expression'));
    visit(walk, walk.tree.child(node, 'name'));
  },
  as_expression(walk, node) {
    visit(walk, walk.tree.child(node, 'left'));
    referToType(walk, walk.tree.child(node, 'right'), 'type');
  },
  object_creation_expression(walk, node) {
    walk.facts.calling(walk.values.arguments(node), () => {
      referToType(walk, walk.tree.child(node, 'type'), 'call');
    });
    visit(walk, walk.tree.child(node, 'arguments'));
    visitInitializer(walk, walk.tree.child(node, 'initializer'), walk.values.of(node));
  },
  implicit_object_creation_expression: visitImplicitCreation,
  constructor_initializer(walk, node) {
    const word = walk.tree.children(node).find(child => /^(?:this|base)$/.test(walk.tree.kind(child))) ?? -1;
    walk.facts.refer(word, 'call', walk.values.made(node));
    visit(walk, walk.tree.childOfKind(node, 'argument_list'));
  },
  binary_expression(walk, node) {
    visitChildren(walk, node);
    referBinary(walk, node);
  },
  element_access_expression(walk, node) {
    visitChildren(walk, node);
    referElement(walk, node);
  },
  with_expression: visitWith,
  variable_declaration: visitVariables,
  parameter(walk, node) {
    visitChildren(walk, node);
  },
  argument: visitUnnamed,
  tuple_element: visitUnnamed,
  attribute: visitAttribute,
  lambda_expression: visitLambda,
  anonymous_method_expression: visitLambda,
  foreach_statement: visitForeach,
  accessor_declaration: visitAccessor,
  catch_declaration(walk, node) {
    referToType(walk, walk.tree.child(node, 'type'), 'type');
    declareLocal(walk, walk.tree.child(node, 'name'), walk.names.typed(walk.tree.child(node, 'type')));
  },
  declaration_expression(walk, node) {
    referToType(walk, walk.tree.child(node, 'type'), 'type');
    declareLocal(walk, walk.tree.child(node, 'name'), outValue(walk, node));
  },
  is_pattern_expression(walk, node) {
    visit(walk, walk.tree.child(node, 'expression'));
    visitPattern(walk, walk.tree.child(node, 'pattern'), walk.values.of(walk.tree.child(node, 'expression')));
  },
  switch_statement: visitSwitch,
  switch_expression: visitSwitch,
  anonymous_object_creation_expression: visitAnonymousObject,
  from_clause: visitRange,
  join_clause: visitRange,
  let_clause: visitRange,
  goto_statement: () => undefined,
  labeled_statement: (walk, node) => visit(walk, walk.tree.namedChildren(node).at(-1) ?? -1),
  type_parameter: () => undefined,
  type_parameter_constraints_clause(walk, node) {
    for (const child of walk.tree.namedChildren(node).slice(1)) visitChildren(walk, child);
  },
  preproc_if: visitBranch,
  preproc_elif: visitBranch,
};

function typesOf(kind: 'type' | 'implementation'): Rule {
  return (walk, node) => {
    for (const child of walk.tree.namedChildren(node)) {
      if (walk.tree.kind(child) === 'primary_constructor_base_type') {
        referToType(walk, walk.tree.child(child, 'type'), kind);
        visit(walk, walk.tree.childOfKind(child, 'argument_list'));
      } else if (walk.tree.kind(child) === 'argument_list') visit(walk, child);
      else referToType(walk, child, kind);
    }
  };
}

/** Conditions name what the compiler is told, nothing of the program. */
function visitBranch(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) {
    if (walk.tree.field(child) !== 'condition') visitChild(walk, child);
  }
}

/**
 * `using A.B`, `using static A.B.C`, `using X = A.B.C<D>`; with `global` before it, it is handed on to all of the project.
 * Inside a namespace the path begins at one around, and says so: `N/|A.B`.
 */
function visitUsing(walk: Walk, node: number): void {
  const { tree, facts, scopes, names } = walk;
  const alias = tree.child(node, 'name');
  const path = tree.namedChildren(node).at(-1) ?? -1;
  const words = tree.children(node).map(child => tree.text(child));
  const isStatic = words.includes('static');
  const written = tree.text(path).replace(/\s/g, '');
  const around = written.startsWith('global::') ? '' : names.namespace();
  const specifier = written.replace(/^global::/, '');
  const used = facts.addImport({
    specifier: around === '' ? specifier : `${around}|${specifier}`,
    name: isStatic ? 'static' : '*',
    local: tree.text(alias),
    wildcard: alias < 0,
    typeOnly: false,
    line: lineOf(tree, node),
  });
  const denoted = alias < 0 ? -1 : names.type(path);
  if (words.includes('global')) {
    facts.addExport('*', facts.imported(used));
    facts.addExport(tree.text(alias), denoted);
  }
  if (alias >= 0) scopes.declare(`${tree.text(alias)}#`, denoted, 'global');
  referToType(walk, path, 'import', alias < 0 && !isStatic ? 'namespace' : 'type');
}

function visitVariables(walk: Walk, node: number): void {
  const { tree, names, values } = walk;
  const written = tree.child(node, 'type');
  referToType(walk, written, 'type');
  const declared = names.typed(written);
  for (const one of tree.namedChildren(node).filter(child => tree.kind(child) === 'variable_declarator')) {
    const name = tree.child(one, 'name');
    const value = tree.namedChildren(one).findLast(child => child !== name && tree.field(child) !== 'name') ?? -1;
    const slot = walk.slots.byNode.get(one);
    if (slot !== undefined) walk.facts.setType(slot, declared);
    const look = (): void => {
      if (value >= 0 && tree.kind(value) !== 'tuple_pattern') visit(walk, value);
    };
    if (slot === undefined) look();
    else walk.facts.within(slot, look);
    if (slot === undefined) declareLocal(walk, name, declared < 0 ? values.of(value) : declared);
    declareParts(walk, tree.childOfKind(one, 'tuple_pattern'), values.of(value));
  }
}

function visitUnnamed(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) {
    if (walk.tree.field(child) !== 'name') visitChild(walk, child);
  }
}

/** `[Route]` is `RouteAttribute`; what it sets by name are its properties. */
function visitAttribute(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const attribute = referToType(walk, tree.child(node, 'name'), 'type', 'attribute');
  const list = tree.childOfKind(node, 'attribute_argument_list');
  for (const one of tree.namedChildren(list)) {
    const value = tree.namedChildren(one).at(-1) ?? -1;
    if (tree.kind(value) === 'assignment_expression') {
      const left = tree.child(value, 'left');
      facts.refer(left, 'write', facts.member(facts.instance(attribute), tree.text(left)));
      visit(walk, tree.child(value, 'right'));
    } else visit(walk, value);
  }
}

function visitLambda(walk: Walk, node: number): void {
  const { tree, facts, scopes, names } = walk;
  const list = tree.child(node, 'parameters');
  const expected = valueExpected(walk, expectedAt(walk, node));
  const taken = (position: number): number =>
    facts.otherwise(position === 0 ? elementFor(walk, node) : -1, facts.parameter(expected, position));
  scopes.inside('function', () => {
    const parameters = tree.kind(list) === 'implicit_parameter' ? [list] : tree.namedChildren(list);
    parameters.forEach((one, position) => {
      if (tree.kind(one) === 'implicit_parameter') {
        declareLocal(walk, one, taken(position));
        return;
      }
      visitChildren(walk, one);
      const written = tree.child(one, 'type');
      const type = written < 0 ? taken(position) : names.typed(written);
      declareLocal(walk, tree.child(one, 'name'), type);
    });
    for (const child of tree.namedChildren(node)) if (child !== list) visitChild(walk, child);
  });
}

/** Of LINQ and of lists: what they are called with takes the elements of what they are called on. */
const overElements =
  /^(?:All|Any|Average|Count|ConvertAll|Distinct(?:By)?|Exists|Find\w*|First\w*|ForEach|GroupBy|Last\w*|Max(?:By)?|Min(?:By)?|OrderBy\w*|RemoveAll|Select\w*|Single\w*|SkipWhile|Sum|TakeWhile|ThenBy\w*|To(?:Dictionary|Lookup)|TrueForAll|Where)$/;

function elementFor({ tree, facts, values }: Walk, node: number): number {
  const call = tree.parent[tree.parent[tree.parent[node]!] ?? -1] ?? -1;
  const callee = tree.kind(call) === 'invocation_expression' ? tree.child(call, 'function') : -1;
  if (tree.kind(callee) !== 'member_access_expression') return -1;
  const name = tree.text(tree.child(callee, 'name')).replace(/<.*/s, '');
  return overElements.test(name) ? facts.element(values.of(tree.child(callee, 'expression'))) : -1;
}

function outValue(walk: Walk, node: number): number {
  const { tree, facts, names, values } = walk;
  const written = tree.child(node, 'type');
  if (tree.kind(written) !== 'implicit_type') return names.typed(written);
  const argument = tree.parent[node]!;
  const list = tree.parent[argument] ?? -1;
  const call = tree.parent[list] ?? -1;
  if (tree.kind(argument) !== 'argument') return -1;
  if (tree.kind(call) !== 'invocation_expression') return givenPart(walk, argument);
  return facts.parameter(values.called(call), tree.namedChildren(list).indexOf(argument));
}

function visitForeach(walk: Walk, node: number): void {
  const { tree, facts, scopes, names, values } = walk;
  scopes.inside('block', () => {
    const [written, left, right] = ['type', 'left', 'right'].map(field => tree.child(node, field)) as [
      number,
      number,
      number,
    ];
    referToType(walk, written, 'type');
    visit(walk, right);
    const isWritten = written >= 0 && tree.kind(written) !== 'implicit_type';
    if (tree.kind(left) === 'identifier') {
      declareLocal(walk, left, isWritten ? names.typed(written) : facts.element(values.of(right)));
    } else if (tree.kind(left) === 'tuple_pattern') declareParts(walk, left, facts.element(values.of(right)));
    else visit(walk, left);
    visit(walk, tree.child(node, 'body'));
  });
}

function visitAccessor(walk: Walk, node: number): void {
  const { tree, facts, scopes, names } = walk;
  const property = tree.parent[tree.parent[node]!]!;
  scopes.inside('function', () => {
    if (!/^(?:get|#)/.test(tree.text(node))) scopes.declare('value', names.typed(tree.child(property, 'type')));
    if (facts.enclosing >= 0) visitChildren(walk, node);
  });
}

function visitSwitch(walk: Walk, node: number): void {
  const { tree, scopes, values } = walk;
  const [value, ...rest] = tree.namedChildren(node);
  if (value === undefined) return;
  visit(walk, value);
  const subject = values.of(value);
  const parts = tree.kind(node) === 'switch_expression' ? rest : rest.flatMap(body => tree.namedChildren(body));
  for (const part of parts) {
    scopes.inside('block', () => {
      for (const child of tree.namedChildren(part)) {
        if (tree.kind(child).endsWith('_pattern')) visitPattern(walk, child, subject);
        else visitChild(walk, child);
      }
    });
  }
}

/** `new { Name = value, other.Part }`: the names before `=` are the object's own. */
function visitAnonymousObject(walk: Walk, node: number): void {
  const { tree } = walk;
  const children = tree.children(node);
  children.forEach((child, at) => {
    if (tree.isNamed(child) && tree.text(children[at + 1] ?? -1) !== '=') visit(walk, child);
  });
}

/** `from x in xs`, `join x in xs on …`, `let x = …`. */
function visitRange(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const [first, second, ...rest] = tree.namedChildren(node).filter(child => tree.field(child) !== 'type');
  if (first === undefined || second === undefined) return;
  const written = tree.child(node, 'type');
  referToType(walk, written, 'type');
  visit(walk, second);
  const value = values.of(second);
  const isValue = tree.kind(node) === 'let_clause';
  declareLocal(walk, first, written >= 0 ? walk.names.typed(written) : isValue ? value : facts.element(value));
  for (const child of rest) visit(walk, child);
}
