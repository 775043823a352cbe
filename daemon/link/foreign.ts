import { memberOfPackage } from './dart/library.ts';
import type { Value } from './values.ts';

/** Libraries of Dart whose results may hold, or be, what they are given. */
const generic =
  /^(?:core|async|collection|math|convert)\b.*(?:Map|List|Set|Queue|Future|Stream\w*|Iterable|Iterator|Completer|Zone|Expando|max|min|[dD]ecode\w*)\b/;

/**
 * Whether reading a member of one of Dart's libraries may give what that was given: the first of a list is, and what a
 * package's class has that is applied to types may be a value of one of them.
 */
export function mayBeHeld({ receiver }: Extract<Value, { kind: 'method' }>): boolean {
  const type = receiver.kind === 'instance' ? receiver.of : receiver;
  const bare = type.kind === 'applied' ? type.of : type;
  if (bare.kind !== 'external') return false;
  if (bare.manager === 'pub') return type.kind === 'applied';
  return bare.manager === 'std' && bare.package === 'dart' && generic.test(bare.name);
}

/**
 * A value of the type that something of Dart's libraries gives, whatever that is: only through type arguments can it be one
 * of ours, and none are applied here but where it is known which of them a member is of.
 */
export function foreignResult(of: Value, suffix: string): Value | undefined {
  if (of.kind === 'external') {
    const isOfDart = of.manager === 'pub' || (of.manager === 'std' && of.package === 'dart');
    if (!isOfDart || generic.test(of.name)) return undefined;
    return { kind: 'instance', of: { ...of, name: `${of.name}${suffix}` } };
  }
  if (of.kind !== 'method' || of.receiver.kind !== 'instance') return undefined;
  const { of: type } = of.receiver;
  const known = suffix === '' ? memberOfPackage(type, of.name) : undefined;
  if (known !== undefined) return known;
  if (type.kind !== 'external') return undefined;
  return foreignResult({ ...type, name: `${type.name}.${of.name}` }, suffix);
}
