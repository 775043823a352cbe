import { bareType } from '../instances.ts';
import { optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { parametersOf } from './overloads.ts';

/**
 * What `->` or `*` leads to: what the operator of a value's class gives, where it has one; else the value itself, for
 * pointers are looked through. Where it isn't known what the operator gives, nothing is: the value itself isn't meant.
 */
export function pointed(look: Lookup, of: Value, sign: string): Value | undefined {
  const value = look.held(of);
  if (value?.kind !== 'instance' || bareType(value)?.kind !== 'definition') return of;
  const operator = optionsOf(look.member(value, `operator${sign}`)).find(isUnary);
  return operator === undefined ? of : look.call(operator);
}

/** `a * b` is another operator of that name. */
function isUnary(one: Value): one is DefinitionValue {
  return one.kind === 'definition' && roleOf(one) === 'callable' && parametersOf(one).length === 0;
}
