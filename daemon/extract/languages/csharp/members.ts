import type { SyntaxTree } from '../../tree.ts';
import { declareLocal } from './declare.ts';
import { partOf } from './deconstruct.ts';
import { type Expected, expectedAt, typeExpected, valueExpected } from './expected.ts';
import { referToType } from './refer.ts';
import type { Walk } from './walk.ts';

/** `{ Name = value, Inner = { … }, element }`: names are members of what is made. */
export function visitInitializer(walk: Walk, node: number, target: number): void {
  const { tree, facts } = walk;
  for (const one of tree.namedChildren(node)) {
    const left = tree.kind(one) === 'assignment_expression' ? tree.child(one, 'left') : -1;
    if (tree.kind(left) !== 'identifier') {
      walk.visit(one);
      continue;
    }
    const member = facts.member(target, tree.text(left));
    facts.refer(left, 'write', member);
    const right = tree.child(one, 'right');
    if (tree.kind(right) === 'initializer_expression') visitInitializer(walk, right, member);
    else walk.visit(right);
  }
}

/** `x with { Name = value }` */
export function visitWith(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const [of, ...changes] = tree.namedChildren(node);
  if (of === undefined) return;
  walk.visit(of);
  for (const one of changes) {
    const [name, ...rest] = tree.namedChildren(one);
    if (name !== undefined) facts.refer(name, 'write', facts.member(values.of(of), tree.text(name)));
    for (const value of rest) walk.visit(value);
  }
}

/** A pattern, of a value: what it names are members of that, or of the type that it asks for. */
export function visitPattern(walk: Walk, node: number, subject: number): void {
  const { tree, names } = walk;
  const written = tree.child(node, 'type');
  const hasType = written >= 0 && tree.kind(written) !== 'implicit_type';
  switch (tree.kind(node)) {
    case 'declaration_pattern':
    case 'var_pattern':
    case 'recursive_pattern': {
      if (hasType) referToType(walk, written, 'type');
      const value = hasType ? names.typed(written) : subject;
      const clause = tree.childOfKind(node, 'property_pattern_clause');
      for (const one of tree.namedChildren(clause)) visitSubpattern(walk, one, value);
      const positional = tree.childOfKind(node, 'positional_pattern_clause');
      const parts = tree.namedChildren(positional);
      parts.forEach((one, position) => {
        const taken = partOf(walk, value, position, parts.length);
        for (const part of tree.namedChildren(one)) visitPattern(walk, part, taken);
      });
      declareLocal(walk, tree.child(node, 'name'), value);
      break;
    }
    case 'type_pattern':
      referToType(walk, written, 'type');
      break;
    case 'and_pattern':
    case 'or_pattern':
    case 'negated_pattern':
    case 'parenthesized_pattern':
      for (const child of tree.namedChildren(node)) visitPattern(walk, child, subject);
      break;
    default:
      walk.visit(node);
  }
}

function visitSubpattern(walk: Walk, node: number, of: number): void {
  const { tree, facts } = walk;
  const [name, pattern] = tree.namedChildren(node);
  if (name === undefined || pattern === undefined) return;
  const member = tree.kind(name) === 'identifier' ? facts.member(of, tree.text(name)) : -1;
  if (member >= 0) facts.refer(name, 'read', member);
  visitPattern(walk, pattern, member);
}

/** `Foo a = new() { … }`: it is of the type that its place asks for. */
export function visitImplicitCreation(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const expected = expectedAt(walk, node);
  const [word = node] = tree.children(node);
  facts.calling(values.arguments(node), () => referToExpected(walk, word, expected));
  walk.visit(tree.childOfKind(node, 'argument_list'));
  visitInitializer(walk, tree.childOfKind(node, 'initializer_expression'), valueExpected(walk, expected));
}

/** Type parameters are nobody's, nor are the language's own types. */
function referToExpected(walk: Walk, word: number, expected: Expected): void {
  const { tree, facts, scopes } = walk;
  const name = expected.by === 'type' ? tree.text(nameOfType(tree, expected.type)) : tree.text(word);
  if (name === '' || scopes.resolve(`${name}#`)?.kind === 'local') return;
  facts.refer(word, 'call', typeExpected(walk, expected), name);
}

/** The name that a type is called by: `List` of `A.B.List<int>?`. */
function nameOfType(tree: SyntaxTree, type: number): number {
  switch (tree.kind(type)) {
    case 'identifier':
      return type;
    case 'generic_name':
      return tree.firstChild(type);
    case 'nullable_type':
      return nameOfType(tree, tree.child(type, 'type'));
    case 'qualified_name':
      return nameOfType(tree, tree.child(type, 'name'));
    default:
      return -1;
  }
}
