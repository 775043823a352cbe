import { cppElement, cppHeld, cppResult, cppThrough, cppType } from './c/cpp-library.ts';
import { dotnetHeld, dotnetTaken, isOfDotnet } from './csharp/dotnet-library.ts';
import { dotnetResult } from './csharp/dotnet-types.ts';
import { embeddedByRecord, heldByField } from './go/records.ts';
import { bareType, instance } from './instances.ts';
import { jvmElement, jvmLibraryValue, jvmParameter, jvmResult, jvmTaken } from './jvm/library.ts';
import { isLibraryMember } from './library-members.ts';
import { type RustType, rustElement, rustResult, rustTaken, rustThrough } from './rust/library.ts';
import type { Value } from './values.ts';

/**
 * What containers of a language's own library do to the types that they hold: enough to follow an element out of an
 * array, a promise or a map. Names are those that the libraries use; languages with the same name mean the same thing.
 */

/** Iterating or indexing gives the first argument. */
const sequences = new Set(
  `Array ReadonlyArray Set ReadonlySet WeakSet Iterable Iterator IterableIterator AsyncIterable AsyncIterator
  AsyncIterableIterator Generator AsyncGenerator ArrayIterator SetIterator NodeListOf ArrayLike [] list List Sequence
  set frozenset deque tuple Tuple Collection IEnumerable IAsyncEnumerable IEnumerator IList ICollection IReadOnlyList
  IReadOnlyCollection ReadOnlyCollection IOrderedEnumerable IQueryable HashSet ISet Stack Queue LinkedList Span
  ReadOnlySpan ConcurrentBag ConcurrentQueue ImmutableArray ImmutableList Stream array iterable Traversable
  ArrayObject IterableBase IterableMixin ListBase ListMixin ListQueue SetBase SetMixin LinkedHashSet SplayTreeSet
  UnmodifiableListView UnmodifiableSetView`.split(/\s+/),
);
const promises = new Set([
  'Promise',
  'PromiseLike',
  'Awaited',
  'Awaitable',
  'Coroutine',
  'Task',
  'ValueTask',
  'Future',
  'FutureOr',
]);
const maps = new Set([
  'Map',
  'ReadonlyMap',
  'WeakMap',
  'Record',
  'dict',
  'Dict',
  'Mapping',
  'MutableMapping',
  'defaultdict',
  'map[]',
  'Dictionary',
  'IDictionary',
  'IReadOnlyDictionary',
  'ConcurrentDictionary',
  'SortedDictionary',
]);
/** Iterating gives pairs, which have `Key` and `Value`. */
const dictionaries = new Set(
  'Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary'.split(' '),
);
/** A value of such a type has the members of its first argument. */
const transparent = new Set(
  `Partial Required Readonly NonNullable Omit Pick Exclude Extract Awaited NoInfer Optional Annotated ClassVar Final
  Required NotRequired ThisType InstanceType WeakRef *`.split(/\s+/),
);
const sameReceiver = new Set(
  `filter slice concat reverse sort splice fill flat toSorted toReversed toSpliced with Where OrderBy OrderByDescending
  ThenBy ThenByDescending Skip SkipWhile Take TakeWhile Reverse Distinct Concat Union Except Intersect ToList ToArray
  ToHashSet AsEnumerable FindAll GetEnumerator AsReadOnly`.split(/\s+/),
);
const oneElement = new Set(
  `find findLast at pop shift popleft __getitem__ this[] First FirstOrDefault Last LastOrDefault Single SingleOrDefault
  ElementAt Peek Pop Dequeue Find Max Min`.split(/\s+/),
);
const givesValue = new Set('get __getitem__ pop setdefault this[]'.split(' '));
const putsElements = new Set('push unshift add includes indexOf append'.split(' '));
/** Hold one value, which such a method gives. */
const holders: Readonly<Record<string, string>> = {
  AbstractContextManager: '__enter__',
  AbstractAsyncContextManager: '__enter__',
  ContextVar: 'get',
  Queue: 'get',
};

/** Splits a value of a library type into the type's bare name and its arguments. */
export function libraryType(value: Value): { name: string; arguments: readonly (Value | undefined)[] } | undefined {
  if (value.kind !== 'instance') return undefined;
  const type = value.of;
  const bare = type.kind === 'applied' ? type.of : type;
  if (bare.kind !== 'external') return undefined;
  const name = bare.name.slice(bare.name.lastIndexOf('.') + 1);
  return { name, arguments: type.kind === 'applied' ? type.arguments : [] };
}

function rustType(value: Value): RustType | undefined {
  if (value.kind !== 'instance') return undefined;
  const bare = value.of.kind === 'applied' ? value.of.of : value.of;
  if (bare.kind !== 'external') return undefined;
  return bare.package === 'rust' || bare.manager === 'cargo' ? libraryType(value) : undefined;
}

/** The type of what is never there. */
export function isNever(value: Value | undefined): boolean {
  return value !== undefined && libraryType(value)?.name === 'never';
}

/** Whether a member is one that no value of the language's own library is known to have: not every type is written down. */
export function isPresumed(member: Value): boolean {
  if (member.kind !== 'method') return false;
  const type = member.receiver.kind === 'instance' ? member.receiver.of : member.receiver;
  const bare = type.kind === 'applied' ? type.of : type;
  return bare.kind === 'external' && bare.manager === 'std' && !isLibraryMember(bare.package, member.name);
}

/** What iterating over or indexing a library value gives. */
export function elementOf(value: Value): Value | undefined {
  const rust = rustType(value);
  if (rust !== undefined) return rustElement(rust);
  const cpp = cppType(value);
  if (cpp !== undefined) return cppElement(cpp);
  const type = libraryType(value);
  if (type === undefined) return undefined;
  const ofJvm = jvmLibraryValue(value);
  if (ofJvm !== undefined) return jvmElement(ofJvm);
  if (sequences.has(type.name)) return type.arguments[0];
  if (type.name === 'Record' || type.name === 'map[]') return type.arguments[1];
  if (isJavaScriptMap(value, type.name)) return pairOf(value, 'tuple');
  if (dictionaries.has(type.name)) return pairOf(value, 'KeyValuePair');
  return undefined;
}

/** What awaiting a library value gives; a value that is no promise is awaited to itself. */
export function awaitedOf(value: Value): Value | undefined {
  const type = libraryType(value);
  return type !== undefined && promises.has(type.name) ? type.arguments[0] : value;
}

/** The type whose members a library value has, besides its own, where the member may be of it. */
export function throughOf(value: Value, member: string): Value | undefined {
  const rust = rustType(value);
  if (rust !== undefined) return rustThrough(rust);
  const cpp = cppType(value);
  if (cpp !== undefined) return cppThrough(cpp, member);
  const embedded = embeddedByRecord(value);
  if (embedded !== undefined) return embedded;
  const type = libraryType(value);
  return type !== undefined && transparent.has(type.name) ? type.arguments[0] : undefined;
}

/** The function of which a type gives the result: `ReturnType<typeof f>`. */
export function functionBehind(value: Value): Value | undefined {
  const type = libraryType(value);
  return type?.name === 'ReturnType' ? type.arguments[0] : undefined;
}

/** `pair[0]`, a member by position; `record.any`, a value by key; `lazy.Value`: the value, or its type. */
export function heldUnder(value: Value, name: string): Value | undefined {
  const cpp = cppType(value);
  if (cpp !== undefined) return cppHeld(cpp, name);
  const held = heldByField(value, name);
  if (held !== undefined) return held;
  const type = libraryType(value);
  // A key is no name of a definition: of `Record<string, typeof f>` it is not `f`.
  if (type?.name === 'Record') return type.arguments[1]?.kind === 'definition' ? undefined : type.arguments[1];
  if (type === undefined || !/^\d{1,3}$/.test(name)) return dotnetHeld(value, name);
  return /^tuple$/i.test(type.name) && type.arguments.length > 1 ? type.arguments[Number(name)] : elementOf(value);
}

/** What calling a method of a library value gives; `made` is what a function that it is given makes, where that counts. */
export function resultOf(receiver: Value, method: string, made?: Value): Value | undefined {
  const found = resultInside(receiver, method, made);
  // Of the others' arguments some are types as values.
  return found !== undefined && isOfDotnet(receiver) ? instance(found) : found;
}

function resultInside(receiver: Value, method: string, made?: Value): Value | undefined {
  const rust = rustType(receiver);
  if (rust !== undefined) return rustResult(receiver, rust, method, made);
  const cpp = cppType(receiver);
  if (cpp !== undefined) return cppResult(cpp, method);
  const type = libraryType(receiver);
  if (type === undefined) return undefined;
  const ofJvm = jvmLibraryValue(receiver);
  if (ofJvm !== undefined) return jvmResult(ofJvm, method);
  if (sequences.has(type.name)) {
    if (sameReceiver.has(method) || method === 'values') return receiver;
    return oneElement.has(method) ? type.arguments[0] : undefined;
  }
  if (maps.has(type.name)) {
    if (givesValue.has(method)) {
      return type.arguments[1];
    }
    if (method === 'values') return iterableOf(receiver, type.arguments[1]);
    if (method === 'items' || (method === 'entries' && isJavaScriptMap(receiver, type.name)))
      return iterableOf(receiver, pairOf(receiver, 'tuple'));
    if (method === 'keys') return iterableOf(receiver, type.arguments[0]);
  }
  if (Object.hasOwn(holders, type.name) && holders[type.name] === method) return type.arguments[0];
  const plain = plainResult(receiver, method);
  if (plain !== undefined) return plain;
  if (promises.has(type.name) && (method === 'catch' || method === 'finally')) return receiver;
  return undefined;
}

/** What is of the language's own types whatever it is called on. */
function plainResult(receiver: Value, method: string): Value | undefined {
  const bare = bareType(receiver);
  return bare?.kind === 'external' && isOfDotnet(receiver) ? dotnetResult(bare.name, method) : undefined;
}

/** What the parameter at a position of a library value's method takes. */
export function takenByMethod(receiver: Value, method: string, position: number): Value | undefined {
  const rust = rustType(receiver);
  if (rust !== undefined) return rustTaken(rust, method, position);
  const type = libraryType(receiver);
  if (type === undefined) return undefined;
  const ofJvm = jvmLibraryValue(receiver);
  if (ofJvm !== undefined) return jvmTaken(ofJvm, method);
  const ofDotnet = dotnetTaken(receiver, method, position);
  if (ofDotnet !== undefined) return instance(ofDotnet);
  if (sequences.has(type.name)) return putsElements.has(method) ? type.arguments[0] : undefined;
  return maps.has(type.name) && method === 'set' ? type.arguments[position] : undefined;
}

/** What a library's type for functions takes at a position. */
export function takenByFunction(value: Value, position: number): Value | undefined {
  const type = jvmLibraryValue(value);
  return type === undefined ? undefined : jvmParameter(type, position);
}

/** Iterating over one gives pairs: other languages' maps of that name give keys, or nothing. */
function isJavaScriptMap(value: Value, name: string): boolean {
  const bare = bareType(value);
  return (name === 'Map' || name === 'ReadonlyMap') && bare?.kind === 'external' && bare.package === 'javascript';
}

/** What a type guard's answer says that the argument is. */
export function guardedBy(answer: Value): Value | undefined {
  const type = libraryType(answer);
  return type?.name === 'Boolean' ? type.arguments[0] : undefined;
}

/** The tuple of a map's key and value. */
function pairOf(map: Value, name: string): Value | undefined {
  const bare = map.kind === 'instance' && map.of.kind === 'applied' ? map.of : undefined;
  if (bare?.of.kind !== 'external') return undefined;
  return { kind: 'instance', of: { ...bare, of: { ...bare.of, name } } };
}

function iterableOf(like: Value, element: Value | undefined): Value | undefined {
  const bare = like.kind === 'instance' && like.of.kind === 'applied' ? like.of.of : undefined;
  if (bare?.kind !== 'external' || element === undefined) return undefined;
  return { kind: 'instance', of: { kind: 'applied', of: { ...bare, name: 'Iterable' }, arguments: [element] } };
}
