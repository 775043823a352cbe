import { instance } from '../instances.ts';
import type { Value } from '../values.ts';

type External = Extract<Value, { kind: 'external' }>;

/** The library of the SDK, or the package that everybody knows, that gives a name; what no file imports gives none but `core`. */
export function libraryWith(name: string, imports: readonly External[]): Value | undefined {
  if (ofCore.has(name)) return { kind: 'external', manager: 'std', package: 'dart', name: `core.${name}` };
  for (const one of imports) {
    if (one.manager === 'std' && (libraries[one.name]?.has(name) ?? false))
      return { ...one, name: `${one.name}.${name}` };
    if (one.manager === 'pub' && (packages[one.package]?.has(name) ?? false)) return { ...one, name };
  }
  return undefined;
}

/** What a member of a well-known package's class is a value of: of one of its type arguments, or of another type there. */
export function memberOfPackage(of: Value, name: string): Value | undefined {
  const type = of.kind === 'applied' ? of.of : of;
  if (type.kind !== 'external' || type.manager !== 'pub') return undefined;
  const known = membersOfPackages[`${type.package}:${type.name}`]?.[name];
  if (typeof known === 'string') return instance({ ...type, name: known });
  const argument = known === undefined || of.kind !== 'applied' ? undefined : of.arguments[known];
  return argument && instance(argument);
}

/** By the position of the type argument, or the name of the type. */
const membersOfPackages: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  'flutter:State': { widget: 0, context: 'BuildContext' },
  'flutter_riverpod:ConsumerState': { widget: 0 },
  'hooks_riverpod:ConsumerState': { widget: 0 },
  'nested:SingleChildState': { widget: 0 },
  'provider:SingleChildState': { widget: 0 },
};

/** The type directly above one of the SDK's, where extensions on that are in use for this. */
export function aboveInSdk(type: External): External | undefined {
  const above = type.manager === 'std' && type.package === 'dart' ? aboveByName[type.name] : undefined;
  return above === undefined ? undefined : { ...type, name: above };
}

const aboveByName: Readonly<Record<string, string>> = {
  'core.List': 'core.Iterable',
  'core.Set': 'core.Iterable',
  'core.String': 'core.Pattern',
  'core.double': 'core.num',
  'core.int': 'core.num',
  'typed_data.Uint8List': 'core.List',
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const ofCore = names(
  `AbstractClassInstantiationError ArgumentError AssertionError BidirectionalIterator BigInt Comparable Comparator
  ConcurrentModificationError DateTime Deprecated Duration Enum Error Exception Expando Finalizer FormatException Function
  Future FutureOr IndexError IntegerDivisionByZeroException Invocation Iterable Iterator List Map MapEntry Match Never
  NoSuchMethodError Null Object OutOfMemoryError Pattern RangeError Record RegExp RegExpMatch RuneIterator Runes Set Sink
  StackOverflowError StackTrace StateError Stopwatch Stream String StringBuffer StringSink Symbol Type TypeError
  UnimplementedError UnsupportedError Uri UriData WeakReference bool deprecated double dynamic identical identityHashCode
  int num override pragma print proxy void`,
);

const libraries: Readonly<Record<string, ReadonlySet<string>>> = {
  async: names(
    `AsyncError Completer DeferredLibrary EventSink Future FutureOr MultiStreamController Stream StreamConsumer
    StreamController StreamIterator StreamSink StreamSubscription StreamTransformer StreamTransformerBase StreamView
    SynchronousStreamController TimeoutException Timer Zone ZoneDelegate ZoneSpecification ZoneValues runZoned
    runZonedGuarded scheduleMicrotask unawaited`,
  ),
  collection: names(
    `DoubleLinkedQueue HashMap HashSet HasNextIterator IterableBase IterableMixin LinkedHashMap LinkedHashSet LinkedList
    LinkedListEntry ListBase ListMixin ListQueue MapBase MapMixin MapView Queue SetBase SetMixin SplayTreeMap SplayTreeSet
    UnmodifiableListView UnmodifiableMapBase UnmodifiableMapView UnmodifiableSetView`,
  ),
  convert: names(
    `AsciiCodec AsciiDecoder AsciiEncoder Base64Codec Base64Decoder Base64Encoder ByteConversionSink
    ByteConversionSinkBase ChunkedConversionSink ClosableStringSink Codec Converter Encoding HtmlEscape HtmlEscapeMode
    JsonCodec JsonDecoder JsonEncoder JsonUnsupportedObjectError JsonUtf8Encoder Latin1Codec Latin1Decoder Latin1Encoder
    LineSplitter StringConversionSink StringConversionSinkBase Utf8Codec Utf8Decoder Utf8Encoder ascii base64 base64Decode
    base64Encode base64Url base64UrlEncode htmlEscape json jsonDecode jsonEncode latin1 utf8`,
  ),
  io: names(
    `BytesBuilder ConnectionTask ContentType Cookie Directory File FileMode FileStat FileSystemEntity
    FileSystemEntityType FileSystemEvent FileSystemException GZipCodec HandshakeException HeaderValue HttpClient
    HttpClientBasicCredentials HttpClientRequest HttpClientResponse HttpClientResponseCompressionState HttpConnectionInfo
    HttpConnectionsInfo HttpDate HttpException HttpHeaders HttpOverrides HttpRequest HttpResponse HttpServer HttpSession
    HttpStatus IOException IOOverrides IOSink InternetAddress InternetAddressType Link NetworkInterface OSError Pipe
    Platform Process ProcessException ProcessResult ProcessSignal ProcessStartMode RandomAccessFile RawDatagramSocket
    RawSecureServerSocket RawSecureSocket RawServerSocket RawSocket RawSocketEvent RedirectException RedirectInfo
    SameSite SecureServerSocket SecureSocket SecurityContext ServerSocket SignalException Socket SocketException
    SocketDirection SocketOption Stdin Stdout StdioType SystemEncoding TlsException WebSocket WebSocketException
    WebSocketStatus WebSocketTransformer X509Certificate ZLibCodec ZLibDecoder ZLibEncoder ZLibOption CompressionOptions
    BadCertificateCallback exit exitCode gzip pid sleep stderr stdin stdout systemEncoding zlib`,
  ),
  isolate: names(
    'Capability Isolate IsolateSpawnException RawReceivePort ReceivePort RemoteError SendPort TransferableTypedData',
  ),
  math: names(
    'MutableRectangle Point Random Rectangle acos asin atan atan2 cos e exp ln10 ln2 log log10e log2e max min pi pow sin sqrt sqrt1_2 sqrt2 tan',
  ),
  typed_data: names(
    `ByteBuffer ByteData BytesBuilder Endian Float32List Float32x4 Float32x4List Float64List Float64x2 Float64x2List
    Int16List Int32List Int32x4 Int32x4List Int64List Int8List TypedData Uint16List Uint32List Uint64List Uint8ClampedList
    Uint8List UnmodifiableByteBufferView UnmodifiableByteDataView UnmodifiableUint8ListView`,
  ),
  developer: names(
    'Flow Service ServiceExtensionResponse ServiceProtocolInfo Timeline TimelineTask UserTag debugger inspect log postEvent registerExtension',
  ),
  ffi: names(
    `Abi Allocator Array Bool Char DartRepresentationOf Double DynamicLibrary Dart_CObject FfiNative Finalizable Float Handle
    Int Int16 Int32 Int64 Int8 IntPtr Long LongLong Native NativeApi NativeCallable NativeFinalizer NativeFinalizerFunction
    NativeFunction NativePort NativeType Opaque Packed Pointer Short SignedChar Size SizedNativeType Struct Uint16 Uint32
    Uint64 Uint8 UintPtr Union UnsignedChar UnsignedInt UnsignedLong Void VoidPointer WChar nullptr sizeOf`,
  ),
};

const ofTests = names(
  `FakeAsync Matcher Skip Tags TestFailure TestOn Timeout addTearDown allOf anyElement anyOf anything closeTo completes
  completion contains containsAll containsAllInOrder containsPair containsValue emits emitsAnyOf emitsDone emitsError
  emitsInAnyOrder emitsInOrder emitsThrough endsWith equals equalsIgnoringCase equalsIgnoringWhitespace everyElement
  expect expectAsync0 expectAsync1 expectAsync2 expectAsync3 expectAsyncUntil0 expectAsyncUntil1 expectLater fail greaterThan
  greaterThanOrEqualTo group hasLength inExclusiveRange inInclusiveRange isA isArgumentError isEmpty isException isFalse
  isFormatException isIn isList isMap isNaN isNegative isNonNegative isNonZero isNot isNotEmpty isNotNull isNull
  isPositive isRangeError isStateError isTrue isUnsupportedError isZero lessThan lessThanOrEqualTo markTestSkipped matches
  mayEmit mayEmitMultiple neverCalled neverEmits orderedEquals pairwiseCompare predicate printOnFailure prints
  pumpEventQueue registerException returnsNormally same setUp setUpAll spawnHybridCode spawnHybridUri startsWith
  stringContainsInOrder tearDown tearDownAll test throws throwsA throwsArgumentError throwsException
  throwsFormatException throwsNoSuchMethodError throwsRangeError throwsStateError throwsUnimplementedError
  throwsUnsupportedError unorderedEquals unorderedMatches wrapMatcher having`,
);

const ofNested = names(
  'Nested SingleChildState SingleChildStatefulWidget SingleChildStatelessWidget SingleChildWidget',
);
const ofRiverpod = names('ConsumerState ConsumerStatefulWidget ConsumerWidget ProviderScope WidgetRef');

const packages: Readonly<Record<string, ReadonlySet<string>>> = {
  test: ofTests,
  checks: names('check because Subject Condition it'),
  flutter_test: new Set([
    ...ofTests,
    ...names(
      'WidgetTester WidgetController find findsNothing findsOneWidget findsNWidgets findsWidgets testWidgets Finder',
    ),
  ]),
  flutter: names(
    `AnimatedWidget AsyncSnapshot BuildContext ChangeNotifier Element FocusNode GlobalKey InheritedWidget Key
    Listenable NavigatorState RenderBox SingleTickerProviderStateMixin State StatefulElement StatefulWidget StatelessWidget
    TextEditingController TickerProviderStateMixin ValueKey ValueListenable ValueNotifier Widget WidgetsBinding
    WidgetsBindingObserver`,
  ),
  flutter_riverpod: ofRiverpod,
  hooks_riverpod: ofRiverpod,
  nested: ofNested,
  provider: ofNested,
  meta: names(
    `alwaysThrows awaitNotRequired checked doNotStore doNotSubmit experimental factory immutable internal isTest isTestGroup
    literal mustBeConst mustBeOverridden mustCallSuper nonVirtual optionalTypeArgs protected redeclare reopen required
    sealed useResult virtual visibleForOverriding visibleForTesting`,
  ),
};
