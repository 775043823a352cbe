import type { Value } from '../values.ts';

/** A type of .NET's own library, or a word of C# for one. */
export function dotnetType(name: string): Value | undefined {
  const own = Object.hasOwn(words, name) ? words[name]! : name;
  return known.has(own) || own.startsWith('tuple{')
    ? { kind: 'external', manager: 'std', package: 'dotnet', name: own }
    : undefined;
}

/** Types that the language has words for. */
const words: Readonly<Record<string, string>> = {
  Boolean: 'bool',
  Byte: 'byte',
  SByte: 'sbyte',
  Char: 'char',
  Decimal: 'decimal',
  Double: 'double',
  Single: 'float',
  Int16: 'short',
  Int32: 'int',
  Int64: 'long',
  UInt16: 'ushort',
  UInt32: 'uint',
  UInt64: 'ulong',
  Object: 'object',
  String: 'string',
};

/** A type that nothing else is, unless it says so: a number, a text. */
export function isPlain(name: string): boolean {
  return plain.has(name);
}

const plain: ReadonlySet<string> = new Set(
  'bool byte sbyte char decimal double float int uint long ulong short ushort string String Type DateTime Guid CancellationToken DateTimeOffset TimeSpan'.split(
    ' ',
  ),
);

const known: ReadonlySet<string> = new Set(
  `bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object string void Array tuple
  null Action
  ArgumentException ArgumentNullException ArgumentOutOfRangeException ArraySegment Attribute AttributeUsage
  AttributeUsageAttribute BindingFlags BigInteger BitConverter CancellationToken CancellationTokenSource Collection
  Comparer ConcurrentDictionary Console Convert CultureInfo DateTime DateTimeKind DateTimeOffset DateTimeStyles DBNull
  Delegate Dictionary Encoding Enum Enumerable Environment EqualityComparer Error EventArgs EventHandler Exception File
  Flags FlagsAttribute FormatException Func GC Guid HashSet ICollection IComparable IComparer IDictionary IDisposable
  IEnumerable IEnumerator IEqualityComparer IEquatable IFormatProvider IFormattable IGrouping IList IOrderedEnumerable
  IQueryable IReadOnlyCollection IReadOnlyDictionary IReadOnlyList ISet IndexOutOfRangeException Interlocked
  InvalidCastException InvalidOperationException KeyValuePair Lazy LinkedList List Math MemoryStream MethodInfo Monitor
  NotImplementedException NotSupportedException Nullable NumberStyles Obsolete ObsoleteAttribute
  OperationCanceledException Path PropertyInfo Queue Random ReadOnlyCollection ReadOnlySpan Regex Serializable
  SerializableAttribute SortedDictionary SortedList Span Stack Stopwatch Stream StreamReader StreamWriter StringBuilder
  StringComparer StringComparison StringReader StringWriter System Task TextReader TextWriter Thread TimeSpan
  TimeZoneInfo Tuple Type Uri ValueTask ValueTuple Version WeakReference XmlDocument`.split(/\s+/),
);

/** What a member of a type of .NET gives, where that is a number or a text whatever the type, or the type is a text. */
export function dotnetResult(type: string, member: string): Value | undefined {
  const given = Object.hasOwn(ofObject, member)
    ? ofObject[member]
    : type === 'string' && Object.hasOwn(ofString, member)
      ? ofString[member]
      : undefined;
  const of = given === undefined ? undefined : dotnetType(given);
  return of === undefined ? undefined : { kind: 'instance', of };
}

const ofObject: Readonly<Record<string, string>> = {
  ToString: 'string',
  GetHashCode: 'int',
  Equals: 'bool',
  GetType: 'Type',
};

const ofString: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    `Trim TrimStart TrimEnd ToUpper ToLower ToUpperInvariant ToLowerInvariant Substring Replace PadLeft PadRight Insert
    Remove Normalize`
      .split(/\s+/)
      .map(member => [member, 'string']),
  ),
  ...Object.fromEntries('Length IndexOf LastIndexOf CompareTo'.split(' ').map(member => [member, 'int'])),
  ...Object.fromEntries('StartsWith EndsWith Contains'.split(' ').map(member => [member, 'bool'])),
};
