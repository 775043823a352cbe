import { type GraphSite, kindOfUse } from '../../model/graph.ts';
import type { Wiring } from './wiring.ts';

/**
 * The first type of somebody else's that a symbol extends or implements, itself or by way of types of the repository, as far
 * as whoever wrote that type may look for what extends it; '' for none. `foreignBasesOf`: those of one site by itself.
 */
export function foreignBase(
  symbol: number,
  wiring: Wiring,
  foreignBasesOf: (site: GraphSite) => readonly string[],
): string {
  const above = new Set([symbol]);
  // A set is gone through with what is put into it meanwhile.
  for (const one of above) {
    let found: string | undefined;
    wiring.eachSite(one, (place, at) => {
      const { graph } = wiring.documents[place]!;
      const known = Object.hasOwn(harmless, graph.language) ? harmless[graph.language] : undefined;
      if (known === undefined) return;
      found ??= foreignBasesOf({ in: graph, at }).find(name => !problem.test(name) && !known.has(name));
      eachBase(wiring, place, at, base => above.size < mostAbove && above.add(base));
    });
    if (found !== undefined) return found;
  }
  return '';
}

/** So many types above one are looked at. */
const mostAbove = 64;

function eachBase(wiring: Wiring, place: number, at: number, take: (symbol: number) => void): void {
  const { usesByUser, userStarts, targets } = wiring.part(place);
  const { marks } = wiring.documents[place]!.graph.uses;
  for (let index = userStarts[at + 1]!; index < userStarts[at + 2]!; index++) {
    const use = usesByUser[index]!;
    if (kindOfUse(marks[use]!) === 'implementation') take(targets[use]!);
  }
}

/** What is thrown is found by who catches it. */
const problem = /(?:Exception|Error|Throwable|Warning)$/;

const ofJvm = `Object Any Record Enum Number CharSequence Comparable Comparator Cloneable Serializable Closeable AutoCloseable
  Runnable Callable Thread ThreadLocal TimerTask Iterable Iterator ListIterator Spliterator Collection List Set Map SortedMap
  Queue Deque Sequence MutableList MutableSet MutableMap AbstractCollection AbstractList AbstractSet AbstractMap ArrayList
  LinkedList HashMap LinkedHashMap TreeMap HashSet LinkedHashSet TreeSet Function BiFunction Supplier Consumer BiConsumer
  Predicate BiPredicate UnaryOperator BinaryOperator InputStream OutputStream FilterInputStream FilterOutputStream Reader
  Writer FilterReader FilterWriter EventObject Lazy ReadOnlyProperty ReadWriteProperty ClosedRange CoroutineScope`;

/**
 * Of languages whose frameworks look for types by what these extend: types of their own libraries that nobody looks for. Dart,
 * whose programs can't ask what types there are, is none of them.
 */
const harmless: Readonly<Record<string, ReadonlySet<string>>> = {
  java: wordsOf(ofJvm),
  kotlin: wordsOf(ofJvm),
  csharp: wordsOf(`Object ValueType Enum IDisposable IAsyncDisposable IComparable IComparer Comparer IEquatable
    IEqualityComparer EqualityComparer ICloneable IFormattable ISpanFormattable IFormatProvider ICustomFormatter IParsable
    ISpanParsable IConvertible ISerializable IEnumerable IEnumerator IAsyncEnumerable IAsyncEnumerator ICollection IList ISet
    IDictionary IReadOnlyCollection IReadOnlyList IReadOnlyDictionary IReadOnlySet Collection List Dictionary HashSet
    ReadOnlyCollection KeyedCollection ObservableCollection Stream TextReader TextWriter EventArgs INotifyPropertyChanged`),
  php: wordsOf(`JsonSerializable Serializable Stringable Countable ArrayAccess Traversable Iterator IteratorAggregate
    OuterIterator IteratorIterator FilterIterator ArrayObject ArrayIterator SplObjectStorage UnitEnum BackedEnum DateTime
    DateTimeImmutable DateTimeInterface DateInterval`),
  python: wordsOf(`object type dict list set frozenset tuple str bytes int float complex OrderedDict defaultdict Counter
    UserDict UserList UserString Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict ABC Protocol Generic Thread
    Mapping MutableMapping Sequence MutableSequence Set MutableSet Iterable Iterator Generator Collection Container Sized
    Hashable Callable Awaitable AsyncIterator AsyncIterable`),
};

function wordsOf(written: string): ReadonlySet<string> {
  return new Set(written.split(/\s+/));
}
