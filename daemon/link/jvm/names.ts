const ofJavaLang = named(
  'java.lang',
  `Appendable AutoCloseable CharSequence Cloneable Comparable Iterable Readable Runnable ProcessHandle Boolean Byte
  Character Class ClassLoader ClassValue Double Enum Float InheritableThreadLocal Integer Long Math Module ModuleLayer
  Number Object Package Process ProcessBuilder Record Runtime RuntimePermission SecurityManager Short
  StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder System Thread ThreadGroup ThreadLocal
  Throwable Void ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException ClassCastException
  ClassNotFoundException CloneNotSupportedException EnumConstantNotPresentException Exception IllegalAccessException
  IllegalArgumentException IllegalCallerException IllegalMonitorStateException IllegalStateException
  IllegalThreadStateException IndexOutOfBoundsException InstantiationException InterruptedException
  LayerInstantiationException MatchException NegativeArraySizeException NoSuchFieldException NoSuchMethodException
  NullPointerException NumberFormatException ReflectiveOperationException RuntimeException SecurityException
  StringIndexOutOfBoundsException TypeNotPresentException UnsupportedOperationException AbstractMethodError
  AssertionError BootstrapMethodError ClassCircularityError ClassFormatError Error ExceptionInInitializerError
  IllegalAccessError IncompatibleClassChangeError InstantiationError InternalError LinkageError NoClassDefFoundError
  NoSuchFieldError NoSuchMethodError OutOfMemoryError StackOverflowError ThreadDeath UnknownError UnsatisfiedLinkError
  UnsupportedClassVersionError VerifyError VirtualMachineError Deprecated FunctionalInterface Override SafeVarargs
  SuppressWarnings`,
);

/**
 * What Java and Kotlin bring along without an import, name → full name; `[]` is how extraction writes arrays, `null` the
 * type of the value.
 */
export const javaNames: ReadonlyMap<string, string> = new Map([
  ...'boolean byte char double float int long short void [] null'.split(' ').map(name => [name, name] as const),
  ...ofJavaLang,
]);

export const kotlinNames: ReadonlyMap<string, string> = new Map([
  ['[]', '[]'],
  ['null', 'null'],
  [':receiver', ':receiver'],
  ['KClass', 'kotlin.reflect.KClass'],
  ...['String', 'Char', 'Int', 'Long', 'Float', 'Double', 'Boolean'].map(
    name => [`kotlin.${name}`, `kotlin.${name}`] as const,
  ),
  ...ofJavaLang,
  ...named(
    'kotlin',
    `Annotation Any Array ArithmeticException AssertionError AutoCloseable Boolean BooleanArray Byte ByteArray Char
  CharArray CharSequence ClassCastException Comparable Comparator ConcurrentModificationException
  DeepRecursiveFunction Deprecated DeprecationLevel Double DoubleArray DslMarker Enum Error Exception
  ExperimentalStdlibApi ExperimentalUnsignedTypes ExtensionFunctionType Float FloatArray Function
  IllegalArgumentException IllegalStateException IndexOutOfBoundsException Int IntArray KotlinVersion Lazy
  LazyThreadSafetyMode Long LongArray Metadata NoSuchElementException NoWhenBranchMatchedException NotImplementedError
  Nothing NullPointerException Number NumberFormatException OptIn OptionalExpectation OutOfMemoryError
  OverloadResolutionByLambdaReturnType Pair ParameterName PublishedApi ReplaceWith RequiresOptIn Result
  RuntimeException Short ShortArray SinceKotlin String SubclassOptInRequired Suppress Throwable Triple
  TypeCastException UByte UByteArray UInt UIntArray ULong ULongArray UShort UShortArray
  UninitializedPropertyAccessException Unit UnsafeVariance UnsupportedOperationException TODO also apply arrayOf
  arrayOfNulls assert booleanArrayOf byteArrayOf charArrayOf check checkNotNull context doubleArrayOf emptyArray
  enumValueOf enumValues error floatArrayOf intArrayOf lazy lazyOf let longArrayOf repeat require requireNotNull run
  runCatching shortArrayOf synchronized takeIf takeUnless to with addSuppressed countLeadingZeroBits
  countTrailingZeroBits countOneBits isFinite isInfinite isNaN plus rangeTo hashCode toString getOrThrow getOrNull
  getOrElse onFailure onSuccess use stackTraceToString stackTrace printStackTrace initCause invoke`,
  ),
  ...named(
    'kotlin.collections',
    `AbstractCollection AbstractIterator AbstractList AbstractMap AbstractMutableCollection AbstractMutableList
  AbstractMutableMap AbstractMutableSet AbstractSet ArrayDeque ArrayList BooleanIterator ByteIterator CharIterator
  Collection Grouping HashMap HashSet IndexedValue IntIterator Iterable Iterator LinkedHashMap LinkedHashSet List
  ListIterator LongIterator Map MutableCollection MutableIterable MutableIterator MutableList MutableListIterator
  MutableMap MutableSet RandomAccess Set arrayListOf buildList buildMap buildSet emptyList emptyMap emptySet hashMapOf
  hashSetOf linkedMapOf linkedSetOf listOf listOfNotNull mapOf mutableListOf mutableMapOf mutableSetOf setOf
  setOfNotNull sortedMapOf sortedSetOf addAll all any asIterable asList asReversed asSequence associate associateBy
  associateWith average binarySearch chunked contentEquals contentHashCode contentToString copyInto copyOf copyOfRange
  count distinct distinctBy dropLast dropLastWhile dropWhile elementAt fill filterIndexed filterIsInstance filterKeys
  filterNot filterNotNull filterTo filterValues firstOrNull flatMap flatten fold foldIndexed forEach forEachIndexed
  getOrDefault getOrPut groupBy groupingBy indexOfFirst indexOfLast indices intersect isNotEmpty isNullOrEmpty joinTo
  joinToString lastIndex lastOrNull mapIndexed mapIndexedNotNull mapKeys mapNotNull mapTo mapValues maxBy maxByOrNull
  maxOf maxOrNull minBy minByOrNull minOf minOrNull minus minusAssign none onEach orEmpty partition plusAssign reduce
  removeAll removeFirst removeLast retainAll reversed reversedArray shuffled single singleOrNull sliceArray sort
  sortBy sortByDescending sortDescending sorted sortedArray sortedBy sortedByDescending sortedDescending sortedWith
  subtract sum sumBy sumOf takeLast takeWhile toBooleanArray toByteArray toCharArray toCollection toHashSet toIntArray
  toList toLongArray toMap toMutableList toMutableMap toMutableSet toSet toSortedMap toSortedSet toTypedArray union
  unzip windowed withIndex zip zipWithNext`,
  ),
  ...named(
    'kotlin.text',
    `Appendable CharacterCodingException Charsets MatchGroup MatchNamedGroupCollection MatchResult Regex RegexOption
  StringBuilder Typography buildString appendLine capitalize commonPrefixWith decapitalize decodeToString
  encodeToByteArray endsWith equals format ifBlank ifEmpty isBlank isDigit isLetter isLetterOrDigit isLowerCase
  isNotBlank isNullOrBlank isUpperCase isWhitespace lineSequence lines lowercase lowercaseChar matches padEnd padStart
  prependIndent regionMatches removePrefix removeRange removeSuffix removeSurrounding replaceAfter replaceBefore
  replaceFirst replaceFirstChar replaceIndent split splitToSequence startsWith substringAfter substringAfterLast
  substringBefore substringBeforeLast toBigDecimal toBoolean toDouble toDoubleOrNull toFloat toInt toIntOrNull toLong
  toLongOrNull toPattern toRegex toUpperCase toLowerCase trim trimEnd trimIndent trimMargin trimStart uppercase
  uppercaseChar`,
  ),
  ...named(
    'kotlin.sequences',
    `Sequence asSequence emptySequence generateSequence iterator sequence sequenceOf SequenceScope`,
  ),
  ...named(
    'kotlin.io',
    `print println readLine readln bufferedReader bufferedWriter appendText copyRecursively copyTo deleteRecursively
  extension forEachLine inputStream nameWithoutExtension outputStream printWriter readBytes readLines readText reader
  relativeTo resolve useLines walk writeBytes writeText writer`,
  ),
  ...named(
    'kotlin.ranges',
    `CharProgression CharRange ClosedFloatingPointRange ClosedRange IntProgression IntRange LongProgression LongRange
  OpenEndRange coerceAtLeast coerceAtMost coerceIn downTo step until rangeUntil`,
  ),
  ...named(
    'kotlin.comparisons',
    `compareBy compareByDescending compareValues compareValuesBy maxOf minOf naturalOrder nullsFirst nullsLast
  reverseOrder thenBy thenByDescending`,
  ),
  ...named(
    'kotlin.jvm',
    `JvmDefault JvmField JvmInline JvmMultifileClass JvmName JvmOverloads JvmRecord JvmStatic JvmSuppressWildcards
  JvmSynthetic JvmWildcard Strictfp Synchronized Throws Transient Volatile java javaClass`,
  ),
  ...named('kotlin.annotation', `AnnotationRetention AnnotationTarget MustBeDocumented Repeatable Retention Target`),
]);

/** Types of packages that are often imported wholesale. */
export const namesOfPackages: Readonly<Record<string, ReadonlySet<string>>> = {
  'java.util': new Set(
    words(`AbstractCollection AbstractList AbstractMap AbstractQueue AbstractSequentialList AbstractSet ArrayDeque ArrayList
  Arrays Base64 BitSet Calendar Collection Collections Comparator ConcurrentModificationException Currency Date Deque
  Dictionary EmptyStackException EnumMap EnumSet Enumeration EventListener EventObject Formatter GregorianCalendar
  HashMap HashSet Hashtable IdentityHashMap InputMismatchException Iterator LinkedHashMap LinkedHashSet LinkedList
  List ListIterator ListResourceBundle Locale Map MissingResourceException NavigableMap NavigableSet
  NoSuchElementException Objects Observable Observer Optional OptionalDouble OptionalInt OptionalLong PriorityQueue
  Properties PropertyResourceBundle Queue Random RandomAccess ResourceBundle Scanner ServiceLoader Set SimpleTimeZone
  SortedMap SortedSet Spliterator Spliterators Stack StringJoiner StringTokenizer TimeZone Timer TimerTask TreeMap
  TreeSet UUID Vector WeakHashMap`),
  ),
  'java.io': new Set(
    words(`BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream
  CharArrayReader CharArrayWriter Closeable Console DataInput DataInputStream DataOutput DataOutputStream EOFException
  Externalizable File FileDescriptor FileFilter FileInputStream FileNotFoundException FileOutputStream FilenameFilter
  FileReader FileWriter FilterInputStream FilterOutputStream FilterReader FilterWriter Flushable IOException
  InputStream InputStreamReader InterruptedIOException InvalidClassException InvalidObjectException LineNumberReader
  NotSerializableException ObjectInput ObjectInputStream ObjectOutput ObjectOutputStream ObjectStreamClass
  ObjectStreamException OutputStream OutputStreamWriter PipedInputStream PipedOutputStream PrintStream PrintWriter
  PushbackInputStream PushbackReader RandomAccessFile Reader SequenceInputStream Serializable StreamTokenizer
  StringReader StringWriter UncheckedIOException UnsupportedEncodingException UTFDataFormatException Writer`),
  ),
  'java.util.concurrent': new Set(
    words(`ArrayBlockingQueue BlockingDeque BlockingQueue BrokenBarrierException Callable CancellationException
  CompletableFuture CompletionException CompletionService CompletionStage ConcurrentHashMap ConcurrentLinkedDeque
  ConcurrentLinkedQueue ConcurrentMap ConcurrentNavigableMap ConcurrentSkipListMap ConcurrentSkipListSet
  CopyOnWriteArrayList CopyOnWriteArraySet CountDownLatch CyclicBarrier DelayQueue Delayed Exchanger
  ExecutionException Executor ExecutorCompletionService ExecutorService Executors Flow ForkJoinPool ForkJoinTask
  Future FutureTask LinkedBlockingDeque LinkedBlockingQueue LinkedTransferQueue Phaser PriorityBlockingQueue
  RecursiveAction RecursiveTask RejectedExecutionException RejectedExecutionHandler RunnableFuture
  ScheduledExecutorService ScheduledFuture ScheduledThreadPoolExecutor Semaphore SynchronousQueue ThreadFactory
  ThreadLocalRandom ThreadPoolExecutor TimeUnit TimeoutException TransferQueue`),
  ),
  'java.util.function': new Set(
    words(`BiConsumer BiFunction BiPredicate BinaryOperator BooleanSupplier Consumer DoubleConsumer DoubleFunction
  DoublePredicate DoubleSupplier DoubleUnaryOperator Function IntBinaryOperator IntConsumer IntFunction IntPredicate
  IntSupplier IntToDoubleFunction IntToLongFunction IntUnaryOperator LongConsumer LongFunction LongPredicate
  LongSupplier LongUnaryOperator ObjIntConsumer Predicate Supplier ToDoubleFunction ToIntBiFunction ToIntFunction
  ToLongFunction UnaryOperator`),
  ),
  'java.lang.reflect': new Set(
    words(`AccessibleObject AnnotatedElement AnnotatedType Array Constructor Executable Field GenericArrayType
  GenericDeclaration InaccessibleObjectException InvocationHandler InvocationTargetException Member Method Modifier
  Parameter ParameterizedType Proxy RecordComponent Type TypeVariable UndeclaredThrowableException WildcardType`),
  ),
};

function named(from: string, names: string): (readonly [string, string])[] {
  return words(names).map(name => [name, `${from}.${name}`]);
}

function words(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}
