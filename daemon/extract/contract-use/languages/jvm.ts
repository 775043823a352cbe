import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { jvmRoutes } from '../routes/jvm.ts';
import { isTechnology } from '../service-names.ts';
import { javaLexis, kotlinLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { argumentsAt, chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { importsIn, packageOf, type Scope, scopeOf } from './jvm-names.ts';
import { withoutReactive } from './jvm-reactive.ts';
import { messageTypes } from './jvm-types.ts';
import { wireClients } from './jvm-wire.ts';
import { versionMarks } from './type-imports.ts';

/** What a file has to have to be asked anything. */
export const jvmMarks: readonly string[] = [
  'Grpc',
  'grpc',
  'Stub',
  'ImplBase',
  'ServiceClient',
  'connectrpc',
  'Mapping',
  '@Path',
  '@GET',
  '@POST',
  '@PUT',
  '@DELETE',
  '@Get',
  '@Post',
  '@Put',
  '@Delete',
  'RestTemplate',
  'restTemplate',
  'WebClient',
  'webClient',
  'HttpClient',
  'HttpRequest',
  'okhttp',
  'retrofit',
  'ktor',
  'javalin',
  'function.server',
  'servlet.function',
  'vertx',
  'http4k',
  'spark.Spark',
  '.uri(',
  'Exchange',
  'newBuilder(',
  'parseFrom',
  ...versionMarks('.v', '.', 'beta', 'alpha'),
];

/** grpc-java, its forms for Reactor, RxJava, Quarkus, Spring, Armeria and Google's clients. */
export const javaReader: Reader = {
  lexis: javaLexis,
  marks: literals(jvmMarks),
  detectors: [imports, messageTypes, clients, wireClients, servers, methodPaths, jvmRoutes],
};

/** With grpc-kotlin, connect-kotlin and Wire. */
export const kotlinReader: Reader = { ...javaReader, lexis: kotlinLexis };

/** Imports of generated classes: `CartServiceGrpc`, `CartServiceGrpcKt`, what is in them, and `CartServiceClient` of connect and Akka. */
function* imports(source: Source): Iterable<Found> {
  for (const { path, at } of importsIn(source)) {
    const [, from, service, kind] =
      /^(?:([\w.]{1,300})\.)?(?:Mutiny)?([A-Z]\w{0,150}?)(Grpc(?:Kt)?|Fs2Grpc|ClientInterface)(?:\.[\w.]{1,300})?$/.exec(
        path,
      ) ?? [];
    if (service === undefined || kind === undefined || /^io\.grpc\b/.test(path)) continue;
    yield {
      kind: 'stub-import',
      at,
      service: withoutReactive(service, source),
      ...(from === undefined ? {} : { from: from.replace(/(?:\.[A-Z]\w*)+$/, '') }),
    };
  }
}

function* clients(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const { code } = source;
  // Behind `Grpc` the form is unmistakable, whether called or handed on.
  for (const match of inCode(
    source,
    /(?<!\w)(?:Mutiny)?([A-Z]\w{0,150}?)(?:Grpc|GrpcKt|Fs2Grpc|Reactor\w{0,10}Grpc)\s{0,40}(?:\.|::)\s{0,40}new(?:Blocking|Future|Mutiny|BlockingV2|Reactor|Rx)?Stub\b/g,
  )) {
    if (isImported(code, match.index)) continue;
    const service = withoutReactive(match[1]!, source);
    yield { kind: 'client', at: match.index, service, ...placeOf(source, scope, match) };
  }
  for (const match of inCode(
    source,
    /(?<!\w)(?:Mutiny(?=[A-Z]))?([A-Z]\w{0,150}?)(Coroutine|Blocking|BlockingV2|Future|Mutiny|)Stub(\.class\b|::class\b|\(|\b)/g,
  )) {
    const [whole, service, form, use] = match;
    const at = match.index;
    if (isImported(code, at)) continue;
    const holder = chainBefore(code, at);
    const isNested = /(?:^|\.)\w{1,200}Grpc(?:Kt)?\.$/.test(holder);
    if (!isNested && code.includes(`class ${service!}${form!}Stub`)) continue;
    if (!isNested && !isStub(scope, whole.replace(/\W.*$/, ''), `${service!}${form!}Stub`)) continue;
    const isMade =
      isNested || form === 'Coroutine' || form !== '' ? use !== '' && !isDeclaredHere(code, at - holder.length) : false;
    const isGiven = isInjected(source, at);
    const kind = isMade || isGiven ? 'client' : 'stub-import';
    const from = isNested
      ? packageOf(scope, holder.replace(/\w{1,200}\.$/, ''), holder.slice(0, -1).replace(/^.*\./, ''))
      : packageOf(scope, '', `${service!}${form!}Stub`);
    if (service !== 'Abstract') yield { kind, at, service: withoutReactive(service!, source), ...from };
  }
  yield* staticStubs(source, scope);
  yield* serviceClients(source, scope);
  yield* injectedServices(source, scope);
}

function isImported(code: string, at: number): boolean {
  return /(?:^|[\n;])[ \t]{0,20}import\s[^\n;]{0,300}$/.test(code.slice(Math.max(0, at - 320), at));
}

function placeOf(source: Source, scope: Scope, match: RegExpExecArray): Pick<Found, 'from' | 'among'> {
  const holder = /^\w+/.exec(match[0])![0];
  return packageOf(scope, chainBefore(source.code, match.index), holder);
}

/** Whether a name without its class before it is one of generated code: imported as such, or what only gRPC is called. */
function isStub(scope: Scope, name: string, full: string): boolean {
  const path = scope.imported.get(name) ?? scope.imported.get(full);
  if (path !== undefined) return /Grpc(?:Kt)?\.\w{1,200}$|_grpc|\.grpc\./.test(path);
  return /(?:Coroutine|Blocking|BlockingV2|Future)Stub$/.test(full);
}

function isDeclaredHere(code: string, at: number): boolean {
  return /\b(?:class|fun|interface|object)\s{1,10}$/.test(code.slice(Math.max(0, at - 30), at));
}

/** Whether an annotation of a framework stands before a field or parameter, which hands it a client. */
function isInjected({ code }: Source, at: number): boolean {
  const before = code.slice(Math.max(0, at - 300), at);
  const statement = before.slice(
    Math.max(before.lastIndexOf(';'), before.lastIndexOf('}'), before.lastIndexOf('{')) + 1,
  );
  return /@(?:\w{1,40}:)?(?:GrpcClient|GrpcStub|InjectGrpc|ImportGrpcClients|GrpcClientBean)\b/.test(statement);
}

/** `newBlockingStub(channel)` of a static import. */
function* staticStubs(source: Source, scope: Scope): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w.:])new(?:Blocking|Future|BlockingV2|Mutiny|Reactor|Rx)?Stub\(/g)) {
    const [, from, service] =
      /^(?:([\w.]{1,300})\.)?(?:Mutiny(?=[A-Z]))?(\w{1,150})Grpc\.\w+$/.exec(
        scope.imported.get(match[0].slice(0, -1)) ?? '',
      ) ?? [];
    if (service !== undefined)
      yield {
        kind: 'client',
        at: match.index,
        service: withoutReactive(service, source),
        ...(from === undefined ? {} : { from }),
      };
  }
}

/** `CartServiceClient.create(…)` of Google's generator and of Akka, `CartServiceClient(protocolClient)` of connect-kotlin. */
function* serviceClients(source: Source, scope: Scope): Iterable<Found> {
  if (
    !/\b(?:gax|connectrpc|GrpcClientSettings|akka\.grpc|pekko\.grpc|io\.grpc|ProtocolClient|com\.google\.cloud)\b/.test(
      source.code,
    )
  )
    return;
  const isAkka = /\bGrpcClientSettings\b/.test(source.code);
  for (const match of inCode(source, /(?<![\w.])([A-Z]\w{0,150})Client(?:\.create)?\(/g)) {
    const service = match[1]!;
    const name = `${service}Client`;
    const [given] = argumentsAt(source, match.index + match[0].length - 1);
    const isOfAkka = isAkka && given !== undefined && /[sS]ettings/.test(source.code.slice(given.from, given.to));
    const isKnown = scope.imported.has(name) || /Service$/.test(service) || isOfAkka;
    const before = source.code.slice(Math.max(0, match.index - 12), match.index);
    if (
      /^(?:Protocol|ConnectOkHttp)$/.test(service) ||
      !isKnown ||
      isTechnology(service) ||
      /\b(?:class|fun|def|object)\s{1,5}$/.test(before)
    )
      continue;
    if (
      /^(?:akka|org\.apache\.pekko|io\.grpc|java|okhttp3|org\.springframework)\./.test(scope.imported.get(name) ?? '')
    )
      continue;
    yield { kind: 'client', at: match.index, service, ...packageOf(scope, '', name) };
  }
}

/** Quarkus: `@GrpcClient Greeter greeter`, with the interface named as the service. */
function* injectedServices(source: Source, scope: Scope): Iterable<Found> {
  const pattern =
    /@GrpcClient\b(?:\(\s{0,10}(?:value\s{0,5}=\s{0,5})?"[^"\n]{0,200}"\s{0,10}\))?\s{1,40}(?:(?:private|protected|public|final|lateinit|var|val)\s{1,10}){0,4}(?:\w{1,100}\s{0,5}:\s{0,5})?(?:[a-z]\w{0,80}\.){0,12}([A-Z]\w{0,150})(?:\s{1,10}\w|\s{0,5}$|\s{0,5}[,)])/gm;
  for (const match of inCode(source, pattern)) {
    const service = match[1]!;
    if (/Stub$|^Channel$|Grpc$/.test(service)) continue;
    yield {
      kind: 'client',
      at: match.index,
      service: service.replace(/Client$/, ''),
      ...packageOf(scope, '', service),
    };
  }
}

function* servers(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150}?)(?:Coroutine)?ImplBase\b/g)) {
    const holder = chainBefore(source.code, match.index);
    const outer = holder.slice(0, -1).replace(/^.*\./, '');
    const name = match[0];
    const from =
      outer === '' ? packageOf(scope, '', name) : packageOf(scope, holder.replace(/\w{1,200}\.$/, ''), outer);
    yield { kind: 'server', at: match.index, service: match[1]!, ...from };
  }
  for (const match of inCode(
    source,
    /(?<!\w)([A-Z]\w{0,150}?)(?:Grpc|Fs2Grpc)\s{0,10}\.\s{0,10}(?:bindService\w{0,20}\(|AsyncService\b)/g,
  )) {
    yield { kind: 'server', at: match.index, service: match[1]!, ...placeOf(source, scope, match) };
  }
  yield* annotated(source, scope);
}

/** Quarkus: `@GrpcService public class HelloService implements Greeter`. */
function* annotated(source: Source, scope: Scope): Iterable<Found> {
  const pattern =
    /@GrpcService\b(?:\([^()]{0,200}\))?\s{1,40}(?:@\w{1,60}(?:\([^()]{0,200}\))?\s{1,40}){0,6}(?:(?:public|final|open)\s{1,10}){0,3}class\s{1,10}\w{1,150}(?:\s{0,10}\([^()]{0,500}\))?(?:\s{1,40}implements|\s{0,10}:)\s{1,40}(?:[a-z]\w{0,80}\.){0,12}([A-Z]\w{0,150})/g;
  for (const match of inCode(source, pattern)) {
    const service = match[1]!;
    if (/(?:ImplBase|AsyncService)$/.test(service)) continue;
    yield {
      kind: 'server',
      at: match.index + match[0].lastIndexOf(service),
      service,
      ...packageOf(scope, '', service),
    };
  }
}
