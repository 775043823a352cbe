import type { Value } from '../values.ts';

/**
 * What the libraries of Java and Kotlin do to the types that their containers hold: enough to follow an element out of a
 * list, a map or a stream.
 */

interface LibraryValue {
  readonly bare: Extract<Value, { kind: 'external' }>;
  readonly name: string;
  readonly arguments: readonly (Value | undefined)[];
}

/** A value of a type of those libraries, taken apart. */
export function jvmLibraryValue(value: Value): LibraryValue | undefined {
  const type = value.kind === 'instance' ? value.of : undefined;
  const bare = type?.kind === 'applied' ? type.of : type;
  if (bare?.kind !== 'external' || bare.manager !== 'std') return undefined;
  if (bare.package !== 'java' && bare.package !== 'kotlin') return undefined;
  const name = bare.name.slice(bare.name.lastIndexOf('.') + 1);
  return { bare, name, arguments: type?.kind === 'applied' ? type.arguments : [] };
}

/** What iterating over or indexing such a value gives. */
export function jvmElement(value: LibraryValue): Value | undefined {
  if (isMap(value.name)) return entryOf(value);
  return isSequence(value.name) ? value.arguments[0] : undefined;
}

/** What calling a method of such a value gives, or reading a property of it. */
export function jvmResult(value: LibraryValue, method: string): Value | undefined {
  const { name, arguments: of } = value;
  if (value.name === 'Class' && (method === 'cast' || method === 'newInstance')) return of[0];
  if (value.name === 'Class' && method === 'kotlin') return classOf(value, 'kotlin.reflect.KClass');
  if (value.name === 'KClass' && method.startsWith('java')) return classOf(value, 'java.lang.Class');
  if (isMap(name)) return ofMap(value, method);
  if (name.endsWith('Entry')) return keyNames.has(method) ? of[0] : valueNames.has(method) ? of[1] : undefined;
  if (method === 'toString' || (name === 'String' && givesText.has(method))) return plain(value, 'String');
  if (givesNumber.has(method)) return plain(value, value.bare.package === 'java' ? 'int' : 'Int');
  if (holders.has(name)) return givesHeld.has(method) ? of[0] : undefined;
  if (name === 'Pair') return /^(?:first|component1)$/.test(method) ? of[0] : of[1];
  if (!isSequence(name)) return undefined;
  if (givesElement.has(method)) return of[0];
  return givesSequence.has(method) ? typed(value, 'List', of) : undefined;
}

/** What a function takes that is passed to a method of such a value, as the function's parameters; that function itself. */
export function jvmTaken(value: LibraryValue, method: string): Value | undefined {
  if (!takesFunction.has(method)) return undefined;
  if (isMap(value.name)) {
    const parameters = value.bare.package === 'kotlin' ? [entryOf(value)] : value.arguments;
    return functionOf(parameters);
  }
  const held = isSequence(value.name) || holders.has(value.name) ? value.arguments[0] : undefined;
  return held === undefined ? undefined : functionOf([held, held]);
}

/** What the one method of an interface for functions takes at a position. */
export function jvmParameter(value: LibraryValue, position: number): Value | undefined {
  const { name, arguments: of } = value;
  if (/^(?:Bi(?:Consumer|Function|Predicate))$/.test(name)) return of[position];
  if (/^(?:Comparator|BinaryOperator)$/.test(name)) return of[0];
  return position === 0 && /^(?:Consumer|Predicate|Function|UnaryOperator|To\w+Function)$/.test(name)
    ? of[0]
    : undefined;
}

function isMap(name: string): boolean {
  return name.endsWith('Map');
}

function isSequence(name: string): boolean {
  return name === '[]' || sequenceNames.test(name);
}

const sequenceNames =
  /^(?:\w*(?:List|Set|Queue|Deque|Collection|Iterable|Iterator|Vector)|Array|Sequence|Stream|Stack|Enumeration|Optional)$/;
const holders = new Set(
  `Optional Supplier Callable Future CompletableFuture AtomicReference ThreadLocal WeakReference SoftReference Lazy
  Provider Result`.split(/\s+/),
);
const givesHeld = new Set('get getNow call join orElse orElseGet orElseThrow value getOrThrow getAndSet'.split(' '));
const givesElement = new Set(
  `get getFirst getLast next previous first last firstOrNull lastOrNull single singleOrNull find findLast elementAt
  elementAtOrNull getOrNull remove removeAt removeFirst removeLast removeFirstOrNull removeLastOrNull poll pollFirst
  pollLast peek peekFirst peekLast pop element take nextElement orElse orElseThrow maxByOrNull minByOrNull maxBy minBy
  random component1 component2 component3`.split(/\s+/),
);
const givesSequence = new Set(
  `iterator listIterator stream parallelStream toList toSet toMutableList toMutableSet asSequence asIterable asReversed
  filter filterNot sorted sortedBy sortedByDescending sortedWith distinct distinctBy reversed subList drop dropLast
  takeLast takeWhile dropWhile limit skip peek onEach also apply plus minus filterNotNull clone descendingIterator
  copyOf copyOfRange findFirst findAny orEmpty`.split(/\s+/),
);
const takesFunction = new Set(
  `forEach forEachOrdered removeIf filter filterNot map mapNotNull mapTo flatMap anyMatch allMatch noneMatch any all none
  first firstOrNull last lastOrNull find findLast count sortedBy sortBy sortedByDescending maxBy minBy maxByOrNull
  minByOrNull groupBy associate associateBy associateWith partition sumOf takeWhile dropWhile distinctBy onEach peek
  mapToInt mapToLong mapToObj ifPresent joinToString indexOfFirst indexOfLast removeAll retainAll single singleOrNull
  sort sorted comparing filterTo flatMapTo mapIndexed`.split(/\s+/),
);
const keyNames = new Set(['getKey', 'key', 'component1']);
const givesText = new Set(
  `concat replace replaceAll replaceFirst substring strip toLowerCase toUpperCase trim repeat format intern lowercase
  uppercase trimMargin trimIndent trimStart trimEnd removePrefix removeSuffix substringBefore substringAfter
  substringBeforeLast substringAfterLast padStart padEnd replaceIndent drop take`.split(/\s+/),
);
const givesNumber = new Set(['length', 'size', 'indexOf', 'lastIndexOf', 'ordinal', 'intValue', 'toInt', 'hashCode']);
const valueNames = new Set(['getValue', 'value', 'setValue', 'component2']);

function ofMap(value: LibraryValue, method: string): Value | undefined {
  const [key, held] = value.arguments;
  switch (method) {
    case 'get':
    case 'remove':
    case 'put':
    case 'getOrDefault':
    case 'getOrPut':
    case 'getValue':
    case 'putIfAbsent':
    case 'computeIfAbsent':
      return held;
    case 'keySet':
    case 'keys':
      return typed(value, 'Set', [key]);
    case 'values':
      return typed(value, 'Collection', [held]);
    case 'entrySet':
    case 'entries':
      return typed(value, 'Set', [entryOf(value)]);
    default:
      return undefined;
  }
}

function classOf({ bare, arguments: of }: LibraryValue, name: string): Value {
  return { kind: 'instance', of: { kind: 'applied', of: { ...bare, name }, arguments: of } };
}

function entryOf(value: LibraryValue): Value {
  return typed(value, 'Entry', value.arguments);
}

function typed({ bare }: LibraryValue, name: string, parts: readonly (Value | undefined)[]): Value {
  const from = bare.package === 'java' ? 'java.util' : 'kotlin.collections';
  const full = name === 'Entry' ? 'Map.Entry' : name;
  return { kind: 'instance', of: { kind: 'applied', of: { ...bare, name: `${from}.${full}` }, arguments: parts } };
}

/** A value of a type of the language itself. */
function plain({ bare }: LibraryValue, name: string): Value {
  const inPackage = bare.package === 'kotlin' ? `kotlin.${name}` : name === 'int' ? name : `java.lang.${name}`;
  return { kind: 'instance', of: { ...bare, name: inPackage } };
}

function functionOf(parameters: readonly (Value | undefined)[]): Value {
  return { kind: 'applied', of: { kind: 'function', of: undefined }, arguments: parameters };
}
