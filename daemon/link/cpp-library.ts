import type { Value } from './values.ts';

/**
 * What the containers and pointers of C++'s library do to the types that they hold. Names are a type's own below `std`;
 * arguments are values of the types.
 */
export interface CppType {
  readonly bare: Extract<Value, { kind: 'external' }>;
  readonly arguments: readonly (Value | undefined)[];
}

const sequences = words(
  `vector array deque list forward_list set multiset unordered_set unordered_multiset initializer_list span valarray stack
  queue priority_queue`,
);
const maps = words('map multimap unordered_map unordered_multimap');
/** `->` and `*` lead to what they hold. */
const pointers = words('shared_ptr unique_ptr optional iterator');
const ofPointers = words(
  `get reset release swap use_count unique owner_before get_deleter value has_value value_or emplace operator`,
);
const givesElement = words('front back at top');
const givesIterator = words('begin end cbegin cend rbegin rend crbegin crend find lower_bound upper_bound erase');

export function cppType(value: Value): CppType | undefined {
  const type = value.kind === 'instance' ? value.of : undefined;
  const bare = type?.kind === 'applied' ? type.of : undefined;
  if (bare?.kind !== 'external' || bare.manager !== 'std' || bare.package !== 'cpp') return undefined;
  return { bare, arguments: type?.kind === 'applied' ? type.arguments : [] };
}

/** What iterating over a value gives, and indexing it; of a map these are two things. */
export function cppElement({ bare, arguments: given }: CppType): Value | undefined {
  return sequences.has(bare.name) ? given[0] : undefined;
}

/** The type that has a member, where the value only leads to it. */
export function cppThrough({ bare, arguments: given }: CppType, member: string): Value | undefined {
  return pointers.has(bare.name) && !ofPointers.has(member) ? given[0] : undefined;
}

/** A pair's parts. */
export function cppHeld({ bare, arguments: given }: CppType, member: string): Value | undefined {
  if (bare.name !== 'pair') return undefined;
  return member === 'first' ? given[0] : member === 'second' ? given[1] : undefined;
}

/** What calling a method gives. */
export function cppResult(type: CppType, method: string): Value | undefined {
  const { bare, arguments: given } = type;
  if (pointers.has(bare.name)) return method === 'get' || method === 'value' ? given[0] : undefined;
  if (bare.name === 'weak_ptr' && method === 'lock') return typed(bare, 'shared_ptr', given);
  const element = maps.has(bare.name) ? typed(bare, 'pair', given) : cppElement(type);
  if (element !== undefined && givesIterator.has(method)) return typed(bare, 'iterator', [element]);
  if (maps.has(bare.name)) return method === 'at' ? given[1] : undefined;
  return givesElement.has(method) ? element : undefined;
}

function typed(bare: CppType['bare'], name: string, parts: readonly (Value | undefined)[]): Value {
  return { kind: 'instance', of: { kind: 'applied', of: { ...bare, name }, arguments: parts } };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
