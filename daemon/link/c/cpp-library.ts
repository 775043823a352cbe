import type { Value } from '../values.ts';

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
const givesElement = words('front back at top operator[]');
/** Of a map or set: where it is now, and whether it is new there. */
const insertsOne = words('insert emplace try_emplace insert_or_assign');
const isKeyed = /^(?:unordered_)?(?:map|set)$/;
const givesIterator = words('begin end cbegin cend rbegin rend crbegin crend find lower_bound upper_bound erase');

export function cppType(value: Value): CppType | undefined {
  const type = value.kind === 'instance' ? value.of : undefined;
  const bare = type?.kind === 'applied' ? type.of : undefined;
  if (bare?.kind !== 'external' || bare.manager !== 'std' || bare.package !== 'cpp') return undefined;
  return { bare, arguments: type?.kind === 'applied' ? type.arguments : [] };
}

/** What iterating over a value gives. */
export function cppElement({ bare, arguments: given }: CppType): Value | undefined {
  if (maps.has(bare.name)) return typed(bare, 'pair', given);
  return sequences.has(bare.name) ? given[0] : undefined;
}

/** The type that has a member, where the value only leads to it. */
export function cppThrough({ bare, arguments: given }: CppType, member: string): Value | undefined {
  return pointers.has(bare.name) && !ofPointers.has(member) ? given[0] : undefined;
}

/** The parts of a pair or tuple, by name or position. */
export function cppHeld({ bare, arguments: given }: CppType, member: string): Value | undefined {
  if (bare.name !== 'pair' && bare.name !== 'tuple') return undefined;
  if (/^\d$/.test(member)) return given[Number(member)];
  return member === 'first' ? given[0] : member === 'second' ? given[1] : undefined;
}

/** What calling a method gives. */
export function cppResult(type: CppType, method: string): Value | undefined {
  const { bare, arguments: given } = type;
  if (pointers.has(bare.name)) return method === 'get' || method === 'value' ? given[0] : undefined;
  if (bare.name === 'weak_ptr' && method === 'lock') return typed(bare, 'shared_ptr', given);
  const element = cppElement(type);
  if (element === undefined) return undefined;
  const iterator = typed(bare, 'iterator', [element]);
  if (givesIterator.has(method)) return iterator;
  if (insertsOne.has(method) && isKeyed.test(bare.name)) return typed(bare, 'pair', [iterator]);
  if (!givesElement.has(method)) return undefined;
  return maps.has(bare.name) ? given[1] : element;
}

function typed(bare: CppType['bare'], name: string, parts: readonly (Value | undefined)[]): Value {
  return { kind: 'instance', of: { kind: 'applied', of: { ...bare, name }, arguments: parts } };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
