import type { Value } from './values.ts';

/** Libraries of Dart whose results may hold, or be, what they are given. */
const generic =
  /^(?:core|async|collection|math|convert)\b.*(?:Map|List|Set|Queue|Future|Stream\w*|Iterable|Iterator|Completer|Zone|Expando|max|min|[dD]ecode\w*)\b/;

/** Whether reading a member of one of Dart's libraries may give what that was given: the first of a list is. */
export function mayBeHeld({ receiver }: Extract<Value, { kind: 'method' }>): boolean {
  const type = receiver.kind === 'instance' ? receiver.of : receiver;
  const bare = type.kind === 'applied' ? type.of : type;
  return bare.kind === 'external' && bare.manager === 'std' && bare.package === 'dart' && generic.test(bare.name);
}

/**
 * A value of the type that something of Dart's libraries gives, whatever that is: only through type arguments can it be one
 * of ours, and none are applied here.
 */
export function foreignResult(of: Value, suffix: string): Value | undefined {
  if (of.kind === 'external') {
    const isOfDart = of.manager === 'pub' || (of.manager === 'std' && of.package === 'dart');
    if (!isOfDart || generic.test(of.name)) return undefined;
    return { kind: 'instance', of: { ...of, name: `${of.name}${suffix}` } };
  }
  if (of.kind !== 'method' || of.receiver.kind !== 'instance' || of.receiver.of.kind !== 'external') return undefined;
  const { of: type } = of.receiver;
  return foreignResult({ ...type, name: `${type.name}.${of.name}` }, suffix);
}
