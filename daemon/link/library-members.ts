/**
 * Members that values of the language's own library have: of a receiver of which nothing is known, such a name says
 * nothing. Those of arrays, strings, maps, promises, the console and the like; of Python, the built-in types'; of C# and
 * Dart, those of texts, collections and queries.
 */
export function isLibraryMember(language: string, name: string): boolean {
  switch (language) {
    case 'javascript':
    case 'typescript':
      return ofJavaScript.has(name);
    case 'csharp':
      return ofDotnet.has(name);
    case 'dart':
      return ofDart.has(name);
    case 'python':
      return ofPython.has(name) || /^__[a-z]\w*__$/.test(name);
    default:
      return false;
  }
}

const ofJavaScript: ReadonlySet<string> = new Set(
  `add apply arguments assert at bind buffer byteLength byteOffset call caller catch cause charAt charCodeAt clear
  codePointAt concat copyWithin count countReset debug delete deref description difference dir done dotAll drop endsWith
  entries error every exec fill filter finally find findIndex findLast findLastIndex flags flat flatMap forEach get
  getBigInt64 getBigUint64 getDate getDay getFloat32 getFloat64 getFullYear getHours getInt16 getInt32 getInt8
  getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear
  getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getUint16 getUint32 getUint8 group
  groupCollapsed groupEnd groups has hasIndices hasOwnProperty ignoreCase includes index indexOf indices info
  intersection isDisjointFrom isPrototypeOf isSubsetOf isSupersetOf isWellFormed join keys lastIndex lastIndexOf length
  localeCompare log map match matchAll message multiline name next normalize padEnd padStart pop propertyIsEnumerable
  prototype push reduce reduceRight repeat replace replaceAll return reverse search set setBigInt64 setBigUint64 setDate
  setFloat32 setFloat64 setFullYear setHours setInt16 setInt32 setInt8 setMilliseconds setMinutes setMonth setSeconds
  setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setUint16
  setUint32 setUint8 shift size slice some sort splice split stack startsWith sticky subarray substr substring
  symmetricDifference table take test then throw time timeEnd timeLog toArray toDateString toExponential toFixed
  toISOString toJSON toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase
  toLowerCase toPrecision toReversed toSorted toSpliced toString toTimeString toUTCString toUpperCase toWellFormed trace
  trim trimEnd trimLeft trimRight trimStart union unshift value valueOf values warn with`.split(/\s+/),
);

const ofDotnet: ReadonlySet<string> = new Set(
  `Add AddRange Aggregate All Any Append AsEnumerable AsReadOnly Average BinarySearch Cast Clear Clone Close CompareTo
  Concat Contains ContainsKey ContainsValue ConvertAll CopyTo Count DefaultIfEmpty Dispose Distinct ElementAt EndsWith
  Enqueue Equals Except Exists Find FindAll FindIndex First FirstOrDefault Flush ForEach Format GetAwaiter
  GetEnumerator GetHashCode GetRange GetResult GetType GetValueOrDefault GroupBy HasValue IndexOf Insert InsertRange
  Intersect Invoke IsNullOrEmpty Join Keys Last LastIndexOf LastOrDefault Length LongCount Max Min MoveNext OfType
  OrderBy OrderByDescending PadLeft PadRight Peek Pop Push Read ReadAsync ReadLine Remove RemoveAll RemoveAt
  RemoveRange Replace Reset Result Reverse Select SelectMany SequenceEqual Single SingleOrDefault Skip SkipWhile Sort
  Split StartsWith Substring Sum Take TakeWhile ThenBy ThenByDescending ToArray ToCharArray ToDictionary ToHashSet
  ToList ToLookup ToLower ToLowerInvariant ToString ToUpper ToUpperInvariant Trim TrimEnd TrimStart TryAdd
  TryGetValue Union Values Wait Where Write WriteAsync WriteLine Zip`.split(/\s+/),
);

/** Of Dart's `Object`, numbers, texts, collections, futures and streams. */
const ofDart: ReadonlySet<string> = new Set(
  `abs add addAll addEntries addError any asMap asyncExpand asyncMap cast catchError ceil clamp clear close codeUnitAt
  codeUnits compareTo complete contains containsAll containsKey containsValue difference elementAt endsWith entries every
  expand fillRange first firstOrNull firstWhere floor fold followedBy forEach fromEntries getRange handleError hashCode
  indexOf indexWhere insert insertAll intersection isEmpty isEven isFinite isInfinite isNaN isNegative isNotEmpty isOdd
  iterator join key keys last lastIndexOf lastOrNull lastWhere length listen lookup map moveNext noSuchMethod
  padLeft padRight putIfAbsent reduce remove removeAll removeAt removeLast removeRange removeWhere replaceAll
  replaceAllMapped replaceFirst replaceRange retainAll retainWhere reversed round runes runtimeType setAll setRange shuffle
  single singleOrNull singleWhere skip skipWhile sort split startsWith sublist substring take takeWhile then timeout toDouble
  toInt toList toLowerCase toSet toString toStringAsFixed toUpperCase transform trim trimLeft trimRight truncate union
  update updateAll value values where whenComplete whereType`.split(/\s+/),
);

const ofPython: ReadonlySet<string> = new Set(
  `add add_note append args as_integer_ratio bit_count bit_length capitalize casefold cast center clear close closed
  conjugate copy count decode deleter denominator detach difference difference_update discard encode encoding endswith
  errors expandtabs extend fileno find flush format format_map from_bytes fromhex fromkeys getter hex imag index insert
  intersection intersection_update is_integer isalnum isalpha isascii isatty isdecimal isdigit isdisjoint isidentifier
  islower isnumeric isprintable isspace issubset issuperset istitle isupper items join keys ljust lower lstrip maketrans
  mode mro name newlines numerator partition peek pop popitem read read1 readable readinto readline readlines real remove
  removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip seek seekable send setdefault
  setter sort split splitlines startswith step stop strip swapcase symmetric_difference symmetric_difference_update tell
  throw title to_bytes tobytes tolist translate truncate union update upper values with_traceback writable write
  writelines zfill`.split(/\s+/),
);
