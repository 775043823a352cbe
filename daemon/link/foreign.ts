import type { Value } from './values.ts';

/** Libraries of Dart whose results may hold, or be, what they are given. */
const generic =
  /^(?:core|async|collection|math|convert)\b.*(?:Map|List|Set|Queue|Future|Stream\w*|Iterable|Iterator|Completer|Zone|Expando|max|min|[dD]ecode\w*)\b/;

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
