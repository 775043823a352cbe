import { perSource } from './text/per-source.ts';
import { argumentsAt, type Source } from './text/source.ts';

/**
 * Whether a string is an argument of a call that sends something to the path that it holds, or is kept under a name that such
 * a call of the file is given. Of interceptors, permissions, metrics it is neither.
 */
export function isSent(source: Source, at: number): boolean {
  const { code } = source;
  const least = Math.max(0, at - longestCall);
  let depth = 0;
  let from = at - 1;
  for (; from >= least; from--) {
    const unit = code[from]!;
    if (closing.includes(unit)) depth++;
    else if (depth > 0) {
      if (opening.includes(unit)) depth--;
    } else if (unit === '(') {
      const before = code.slice(Math.max(0, from - longestName), from);
      if (sends(before)) return !compared.test(code.slice(from + 1, at)) && !isHandled(source, at, before);
      if (!wraps.test(before)) return false;
    } else if (unit === '{') {
      // Of what is handed over as an object, or a value of C++ that is made in place.
      if (!/[(,:?=]\s{0,40}$|\b(?:Url|URL|Uri)\s?$/.test(code.slice(Math.max(0, from - 60), from))) break;
    } else if (unit === '[' || unit === ';') break;
    else if (unit === '\n' && isStatement.test(code.slice(from, at))) break;
  }
  const statement = code.slice(Math.max(least, from + 1), at);
  if (compared.test(statement)) return false;
  const sent = sentNames(source);
  return [...keptUnder(statement).matchAll(identifiers)].some(([name]) => sent.has(name) && !ofTypes.has(name));
}

const identifiers = /[A-Za-z_$][\w$]{0,100}/g;
const ofTypes: ReadonlySet<string> = new Set('string str String char const let var val static this self'.split(' '));

const opening = '([{';
const closing = ')]}';
const longestCall = 600;
const longestName = 240;

function sends(before: string): boolean {
  const [whole] = sending.exec(before) ?? [];
  return whole !== undefined && !served.test(before);
}

/** Calls that send, by what stands before their parenthesis: of gRPC's libraries for clients, of Connect's, and of HTTP's. */
const sending =
  /(?<![\w$])_?(?:[Ii]nvoke|NewStream|unary_unary|unary_stream|stream_unary|stream_stream|[Uu]nary(?:Unary|Stream)Method|Stream(?:Unary|Stream)Method|_?simpleRequest|_?clientStreamRequest|_?serverStreamRequest|_?bidiRequest|UnaryCall|ServerStreamingCall|ClientStreamingCall|BidiStreamingCall|make(?:Unary|ServerStream|ClientStream|BidiStream)Request|(?:make|perform)(?:Async)?(?:Unary|ServerStreaming|ClientStreaming|BidirectionalStreaming)Call|rpcCall|unaryCall|thenableCall|newCall|GrpcMethod|MethodDescriptor|(?:blocking|async|future)\w{0,24}Call|request_response|server_streamer|client_streamer|bidi_streamer|unary|client_streaming|server_streaming|streaming|clientStream|serverStream|bidirectionalStream|(?:client|server)Streaming|ClientMethod|createUnaryCall|createStreamingCall|RpcMethod(?:\s{1,4}\w{1,60})?|Prepare(?:Unary)?Call|NewClient|NewRequest\w{0,20}|fetch|ofetch|axios|got|ajax|[Pp]ost(?:Async|AsJsonAsync|Form|ForObject|ForEntity|_json)?|PostAs\w{1,20}|SendAsync|request|Request|HttpPost|HttpRequestMessage|URLRequest|newBuilder|exchange|uri|url|curl_init|Post\.new|urlopen|ureq)\s{0,4}(?:<[^()]{0,150}>|\[[^()]{0,150}\])?!?\s{0,2}$/;

/** Of those names what declares what is served: routes of frameworks, and what stands in for a server in tests. */
const served =
  /(?:@\w{0,40}\.?|\b(?:[Aa]pp|[Ss]erver|\w{0,40}[Rr]outer|[Rr]outes?|Route|fastify|mux|engine|rest|msw|mock\w{0,40}|nock)(?:\(\))?(?:\.|->|::))(?:post|Post|POST|request)\s{0,4}(?:<[^()]{0,150}>)?$|\bfunc(?:tion)?\s[^()\n]{0,100}$|\b(?:def|fn|fun)\s[^()\n]{0,100}$/;

/** What a path is handed through on its way: joined with an address, or made one. */
const wraps =
  /(?:^|[^\w$])(?:new\s{1,4})?(?:from_static|from_maybe_shared|from_str|try_from|from|URL|URI|Ur[il]|Path|parse|create|[Ff]ormat!?|Sprintf|sprintf|[Jj]oin|JoinPath|join_all|urljoin|[Ss]tring|str|concat|resolve|unwrap|Some|Ok|valueOf|of|into|as_str|encode|static)\s{0,4}$|(?:[=(,:+?]|\breturn|\bawait)\s{0,40}$/;

/** What compares with a path, or tells a server which of its methods is called. */
const compared =
  /(?:[=!]==?|=~|\b(?:case|in|is|eq|when)|\bFullMethod\s{0,4}:)\s{0,10}[\w$@]{0,2}["'`]?\s{0,80}$|\b(?:FullMethod|UnaryServerInfo|StreamServerInfo|ServerInterceptor|handler_call_details)\b/;

/** What is called with a handler serves the path. */
function isHandled({ readable }: Source, at: number, before: string): boolean {
  if (!/(?<!request\.)\b(?:post|POST|request)\s{0,4}(?:<[^()]{0,150}>)?$/.test(before)) return false;
  const after = readable.slice(at, at + 400);
  if (handler.test(after)) return true;
  // `post("/path") { … }` in a block of routes, without anything that it is asked of.
  return /(?:^|[^\w.$>:])(?:post|request)\s{0,4}$/.test(before) && /^[^"'`\s]{1,300}["']\)\s{0,4}\{/.test(after);
}

const handler =
  /^[^"'`\s]{1,300}["'`]\s{0,4},\s{0,40}(?:async\b|function\b|func\s?\(|\([^()]{0,80}\)\s{0,4}(?::[^=\n]{0,60})?=>|\w{1,40}\s{0,4}=>|lambda\b)/;

/** A line that begins another statement where none ends with a mark. */
const isStatement =
  /^\n[ \t]{0,80}(?:(?:export|pub|private|public|protected|internal|static|readonly|final|override|const|let|var|val|constexpr|#define)\b|[A-Za-z_$][\w$.]{0,80}\s{0,4}(?::[^=\n]{1,60})?(?::?=(?!=)))/;

/** What a string is kept under, with words beside the name: `const DO = "…"`, `DO: &str = "…"`, `#define DO "…"`. */
function keptUnder(statement: string): string {
  const equals = statement.lastIndexOf('=');
  if (equals >= 0) return lastLine(statement.slice(Math.max(0, equals - 120), equals));
  return /#define[ \t]{1,10}(\w{1,100})[ \t]{1,10}\(?["']?\s{0,80}$/.exec(statement)?.[1] ?? '';
}

function lastLine(text: string): string {
  return text.trimEnd().slice(text.trimEnd().lastIndexOf('\n') + 1);
}

/** The names that calls are given that send, and those that these are made of. */
const sentNames = perSource((source): ReadonlySet<string> => {
  const found = new Set<string>();
  const { code } = source;
  let looked = 0;
  let count = 0;
  for (const { index } of code.matchAll(/(?<=[\w>\])!]\s{0,4})\(/g)) {
    if (++looked > mostBrackets) break;
    const before = code.slice(Math.max(0, index - longestName), index);
    if (!sends(before)) continue;
    if (++count > mostCalls) break;
    for (const { from, to } of argumentsAt(source, index).slice(0, mostArguments)) {
      const given = code.slice(from, Math.min(to, from + longestArgument));
      if (!/[=!]==?|=>/.test(given)) addNames(found, given);
    }
  }
  if (found.size === 0) return found;
  for (const [, name, made] of code.matchAll(assignment)) if (found.has(name!)) addNames(found, made!);
  return found;
});

const assignment =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,100})\s{0,4}(?::\s{0,4}[^=\n(]{1,60})?:?=(?!=)\s{0,10}((?:[^;\n{}]|\$?\{\w{1,60}\}){1,200})/g;

const mostBrackets = 20_000;
const mostCalls = 500;
const mostArguments = 8;
const longestArgument = 200;

function addNames(found: Set<string>, text: string): void {
  for (const [name] of text.matchAll(identifiers)) found.add(name);
}
