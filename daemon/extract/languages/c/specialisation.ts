import { descriptor } from '../../../model/identity.ts';
import type { SyntaxTree } from '../../tree.ts';

/**
 * The name of a class as tails bear it: `fm<int>` of a specialisation, which is a class of its own; `fm` of the template,
 * also where a member is defined outside of it (`template <class T> void fm<T>::f()`).
 */
export function classTail(tree: SyntaxTree, written: number): string {
  const name = tree.child(written, 'name') >= 0 ? tree.child(written, 'name') : written;
  const given = argumentsOf(tree, written);
  return tree.text(name) + (isOfTemplate(tree, written, given) ? '' : given);
}

/** `f<int>` where a function is defined for some arguments; undefined of all others. */
export function functionTail(tree: SyntaxTree, nameNode: number): string | undefined {
  const whole = tree.parent[nameNode]!;
  return tree.kind(whole) === 'template_function' ? tree.text(nameNode) + argumentsOf(tree, whole) : undefined;
}

export function classDescriptor(tree: SyntaxTree, written: number): string {
  return descriptor(classTail(tree, written), 'type');
}

function argumentsOf(tree: SyntaxTree, written: number): string {
  return tree
    .text(tree.child(written, 'arguments'))
    .replace(/\s+/g, ' ')
    .replace(/ ?([*&<>,]) ?/g, '$1');
}

/** Whether the arguments are the template's own parameters, in order. */
function isOfTemplate(tree: SyntaxTree, node: number, given: string): boolean {
  if (given === '') return true;
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (tree.kind(at) !== 'template_declaration') continue;
    const names = tree
      .namedChildren(tree.child(at, 'parameters'))
      .map(one => /(\w*)\s*(?:=.*)?$/s.exec(tree.text(one))![1]);
    if (given.replace(/\.\.\./g, '') === `<${names.join(',')}>`) return true;
  }
  return false;
}
