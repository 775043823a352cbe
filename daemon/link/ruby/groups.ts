import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { either, first, optionsOf, sure } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { Value } from '../values.ts';
import { typeAt } from './ancestors.ts';
import { isOfRspec } from './library.ts';
import { methodOf } from './members.ts';

/** Whether a tail is of a group of examples, whose methods and variables are private to the file. */
export function isOfGroup(tail: string | undefined): boolean {
  return tail?.endsWith('static/') ?? false;
}

export function inGroup(look: Lookup, from: MountedDocument, tail: string, name: string): Value | undefined {
  return look.definition(from.path as string as ScopeKey, tail, name);
}

/** What Minitest makes of `describe`, where the repository adds to it. */
const classesOfGroups = ['Minitest#Spec#', 'Minitest#Test#', 'MiniTest#Spec#', 'MiniTest#Test#'];

/** A method that an example calls: of its file's groups, then of the class that such groups extend. */
export function calledInGroup(look: Lookup, from: MountedDocument, tail: string, name: string): Value | undefined {
  const isMethod = (one: Value): boolean => one.kind === 'definition' && one.tail.endsWith(').');
  const own = either(optionsOf(inGroup(look, from, tail, name)).filter(isMethod));
  if (own !== undefined) return sure(own, 0.95);
  if (isOfRspec(from.path)) return undefined;
  return first(classesOfGroups, one => {
    const type = typeAt(look, one);
    return type && sure(methodOf(look, type, name), 0.85);
  });
}
