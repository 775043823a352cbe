/** Words that documents have in code spans for all kinds of things: commands, options, keys, values, tools. */
const common = `
name type value key data file files path paths test tests build start stop run get set put post delete patch head options
option list add remove update create open close read write send error errors message string number boolean object array
function class default true false null none nil undefined yes no on off all any id ids url uri host port user users root
base main index app server client config plugin plugins request response body header headers query params param method
status code format version help init install dev prod production development json yaml toml html css js ts npm npx yarn
pnpm node git src dist lib docs doc public private static async await import export return const let var new this self
super void int float double bool char byte bytes long short str dict tuple date time now debug info warn warning fatal
trace log logger level mode target source output input env environment process module modules package packages main bin
cache hash size length count limit offset page order sort filter map reduce find each first last next prev previous parent
child children node item items entry entries field fields property properties attribute attributes label title
description content text template view render route router routes link links image tag tags event events handler callback
hook hooks context scope state store action actions model schema table column row rows record records session token
secret password auth login logout admin owner group role permission permissions required optional enabled disabled
strict raw auto manual always never only once before after begin end done ok fail success pending active inactive true
include exclude ignore match pattern prefix suffix separator delimiter encoding charset utf8 locale language lang
timeout interval delay retry retries max min total sum average round ceil floor random seed step steps stage phase
job jobs task tasks queue worker workers thread pool lock unlock watch serve preview check lint fix clean reset clear
load save store fetch parse print exit quit cancel abort pause resume connect disconnect listen bind emit subscribe
publish latest stable canary nightly local remote global internal external http https ssl tls tcp udp dns
`;
const words: ReadonlySet<string> = new Set(common.split(/\s+/));

export function isCommonWord(word: string): boolean {
  return words.has(word.toLowerCase());
}

/** Names that languages and their libraries bring along, and that mean these wherever a document has them. */
const brought: Readonly<Record<string, ReadonlySet<string>>> = {
  js: set(`Array Object String Number Boolean Symbol Function Date Math JSON Promise Map Set WeakMap WeakSet Error TypeError
    RangeError SyntaxError Proxy Reflect RegExp Buffer URL URLSearchParams console process globalThis window document
    navigator location fetch require module exports setTimeout setInterval setImmediate clearTimeout queueMicrotask
    structuredClone parseInt parseFloat isNaN encodeURIComponent decodeURIComponent Intl BigInt Int8Array Uint8Array
    ArrayBuffer DataView TextEncoder TextDecoder AbortController AbortSignal Event EventTarget EventEmitter Request Response
    Headers FormData Blob File ReadableStream WritableStream Worker WebSocket WebAssembly Atomics SharedArrayBuffer
    Iterator AsyncIterator Generator Partial Required Readonly Record Pick Omit Exclude Extract ReturnType Parameters
    Awaited NonNullable fs path os http https http2 net tls crypto stream util events assert child_process cluster
    async_hooks diagnostics_channel querystring readline zlib vm v8 perf_hooks worker_threads url dns React Vue import`),
  python:
    set(`str int float bool bytes list dict set tuple frozenset object type None True False Exception BaseException
    ValueError TypeError KeyError RuntimeError OSError StopIteration NotImplementedError print len range open super
    isinstance getattr setattr property staticmethod classmethod os sys re json time datetime math random logging typing
    asyncio pathlib collections itertools functools subprocess threading socket ssl io abc dataclasses enum contextlib
    SSLContext Future Task Event Lock Thread Process
    abs aiter all anext any ascii bin breakpoint bytearray callable chr compile complex delattr dir divmod enumerate eval
    exec filter format globals hasattr hash help hex id input issubclass iter locals map max memoryview min next oct ord pow
    repr reversed round slice sorted sum vars zip self cls Ellipsis NoneType NotImplemented AttributeError IndexError ImportError
    Path Decimal UUID Enum Protocol TypedDict NamedTuple Callable Awaitable Iterable Sequence Mapping unittest pytest numpy pandas requests`),
  go: set(`cap clear close complex copy delete max min new print println real imag float64 float32 complex128 uintptr
    string int int64 uint bool byte rune error any nil make len append panic recover fmt os io net http context strings
    strconv time errors bytes log bufio sync sort json regexp math rand testing reflect filepath exec url tls atomic
    slog flag template`),
  rust: set(`std core alloc Vec Option Result String Box Arc Rc HashMap HashSet BTreeMap Some None Ok Err Self Send Sync Clone
    Copy Debug Display Default Iterator Future Pin Fn FnMut FnOnce From Into AsRef Mutex RwLock Cell RefCell PhantomData
    tokio serde serde_json tower tracing http hyper futures println vec format panic drop assert
    assert_eq assert_ne eprintln print eprint write writeln todo unimplemented unreachable matches dbg u8 u16 u32 u64 i32 i64 usize str`),
  jvm: set(`String Object Integer Long Double Boolean List Map Set Collection Optional Stream System Math Thread Runnable
    Exception RuntimeException Throwable Iterable Iterator Comparable Override Class Void Objects Collections Arrays`),
};

function set(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Whether a name is one of the language's own, as code of a family has them; '' of any family. */
export function isBrought(name: string, family: string): boolean {
  if (family !== '') return brought[family]?.has(name) === true;
  return Object.values(brought).some(one => one.has(name));
}
