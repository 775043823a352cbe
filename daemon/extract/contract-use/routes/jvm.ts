import { textConstants } from '../text/constants.ts';
import { argumentsAt, closingOf, type Found, inCode, nextOf, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodIn, methodOf, type RouteForm, routesBy } from './forms.ts';
import { jvmFunctions } from './jvm-functions.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, type WrittenPath, writtenPath } from './written-path.ts';

/** Spring, JAX-RS, Micronaut and routes that functions make; RestTemplate, WebClient, Feign, Retrofit, OkHttp, and clients of the JDK and Ktor. */
export function* jvmRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  if (
    !/Mapping|@Path\b|@(?:GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch)\b|RestTemplate|WebClient|RestClient|HttpClient|HttpRequest|okhttp|ktor|javalin|restTemplate|function\.server|servlet\.function|vertx|http4k|spark\.Spark/.test(
      source.text,
    )
  )
    return;
  yield* annotated(source);
  yield* routesBy(source, calls);
  yield* jvmFunctions(source);
}

/** `c: HttpClient`, `val c = HttpClient(CIO)` of Ktor, `RestTemplate rt` of Spring. */
const ofKtorAndSpring = receiversBy(
  [
    /(?<![\w.])(?<name>[a-z_]\w{0,60})\s{0,5}:\s{0,5}(?:io\.ktor\.client\.)?(?<type>[A-Z]\w{0,80})/g,
    /\b(?:val|var)\s{1,5}(?<name>\w{1,60})\s{0,5}=\s{0,5}(?<type>[A-Z]\w{0,80})\s{0,5}[({<]/g,
    /(?<![\w.])(?<type>[A-Z]\w{0,80})(?:<[^<>]{0,80}(?:<[^<>]{0,80}>[^<>]{0,40})?>)?\s{1,5}(?<name>[a-z_]\w{0,60})\s{0,5}[;,=)]/g,
  ],
  type => /^(?:HttpClient|RestTemplate|RestOperations)$/.test(type),
);

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern:
      /(?<!\w)(?<receiver>[a-z_]\w{0,60})\s{0,20}\.\s{0,5}(?<method>get|post|put|patch|delete|head)(?:For(?:Object|Entity|Location))?\s{0,5}(?:<[^<>()]{0,80}>)?\(/g,
    receivers: ofKtorAndSpring,
  },
  {
    kind: 'route-call',
    pattern: /(?<!\w)(?<receiver>[a-z_]\w{0,60})\s{0,20}\.\s{0,5}exchange\s{0,5}\(/g,
    methodArgument: 1,
    receivers: ofKtorAndSpring,
  },
  {
    kind: 'route-call',
    pattern:
      /\b\w{0,40}(?:[rR]estTemplate|[rR]estOperations|[tT]emplate)(?:\(\))?\s{0,20}[.!?]{1,2}\s{0,20}(?<method>get|post|put|patch|delete|head)\w{0,20}\s{0,5}(?:<[^<>()]{0,100}>{1,3})?\(/g,
  },
  {
    kind: 'route-call',
    pattern:
      /\b\w{0,40}(?:[rR]estTemplate|[rR]estOperations)(?:\(\))?\s{0,20}[.!?]{1,2}\s{0,20}exchange\s{0,5}(?:<[^<>()]{0,100}>{1,3})?\(/g,
    methodArgument: 1,
  },
  { kind: 'route-call', pattern: /\.(?<method>get|post|put|patch|delete|head)\(\)\s{0,40}\.uri\(/g },
  { kind: 'route-call', pattern: /\bHttpRequest\s{0,20}\.\s{0,20}newBuilder\(/g },
  { kind: 'route-call', pattern: /\bHttpRequest\s{0,20}\.\s{0,20}(?<method>GET|POST|PUT|PATCH|DELETE)\(/g },
  { kind: 'route-call', pattern: /\bnew\s{1,5}Http(?<method>Get|Post|Put|Patch|Delete)\(/g },
  { kind: 'route-call', pattern: /\bRequest\.Builder\(\)\s{0,40}\.url\(/g },
  {
    kind: 'route-call',
    pattern:
      /(?<!\w)(?:\w{0,30}[cC]lient|http)\s{0,10}\.\s{0,10}(?<method>get|post|put|patch|delete|head)\s{0,5}(?:<[^<>()]{0,80}>)?\(/g,
  },
];

interface Class {
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
  readonly isClient: boolean;
  /** Of a client: where it calls, as its annotation has it. */
  readonly host?: string;
}

const annotations =
  /@(?<name>(?:Get|Post|Put|Patch|Delete|Request)Mapping|(?:Get|Post|Put|Patch|Delete)Exchange|GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|HTTP)\b(?<open>\s{0,5}\()?/g;

/** Annotations of methods, below what those of their class say. */
function* annotated(source: Source): Iterable<Found> {
  if (
    !/@(?:\w{1,20}Mapping|\w{1,20}Exchange|Path|GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch)\b/.test(
      source.readable,
    )
  )
    return;
  const classes = classesOf(source);
  for (const match of inCode(source, annotations)) {
    const name = match.groups!['name']!;
    const end = match.index + match[0].length;
    const isOpen = match.groups!['open'] !== undefined;
    const around = innermost(classes, match.index);
    // What stands before a class is its prefix.
    if (around === undefined) continue;
    const written = isOpen ? pathsIn(source, end - 1) : [];
    const isJaxRs = !isOpen && /^[A-Z]+$/.test(name);
    const own = isJaxRs ? besidePath(source, match.index, end) : written;
    // Where a constant of another file has it, it isn't known.
    if (own === undefined) continue;
    const isRetrofit = isOpen && /^[A-Z]+$/.test(name);
    const method = /^(?:Request)/.test(name)
      ? (methodIn(
          source.readable
            .slice(end, end + 200)
            .replace(/\)[\s\S]*$/, '')
            .replace(/^[\s\S]*method\s*=/, 'method='),
        ) ?? '')
      : methodOf(name);
    const kind = around.isClient || isRetrofit ? 'route-call' : 'route';
    for (const path of own.length === 0 ? [''] : own) {
      const full = normalPath(below(around.prefix, path));
      if (full === undefined) continue;
      const host = around.host === undefined ? {} : { host: around.host };
      yield { kind, at: match.index, method, ...host, ...full };
    }
  }
}

/**
 * What an annotation has without a name, or as `value`, `path` and `uri`, of one path or a list: empty where it has nothing of
 * these, undefined where nothing of what it has is known.
 */
function pathsIn(source: Source, open: number): readonly string[] | undefined {
  const found: string[] = [];
  let isGiven = false;
  for (const argument of argumentsAt(source, open)) {
    const [label, name] = /^\s{0,40}(\w{1,40})\s{0,10}=(?!=)/.exec(source.code.slice(argument.from, argument.to)) ?? [];
    if (name !== undefined && !/^(?:value|path|uri|url|uris)$/.test(name)) continue;
    isGiven = true;
    const from = argument.from + (label?.length ?? 0);
    const [list] = /^\s{0,40}(?:arrayOf\s{0,5}\(|\{|\[)/.exec(source.code.slice(from, argument.to)) ?? [];
    const parts = list === undefined ? [{ from, to: argument.to }] : argumentsAt(source, from + list.length - 1);
    for (const part of parts.slice(0, 10)) {
      const [, plain] = /^\s*"([^"\n]{0,300})"\s*$/.exec(source.readable.slice(part.from, part.to)) ?? [];
      const path = plain ?? writtenPath(source, part.from, part.to, true)?.path;
      if (path !== undefined) found.push(path);
    }
  }
  return isGiven && found.length === 0 ? undefined : found;
}

/** JAX-RS: `@Path` among the annotations of the method, before or behind the one of its method of HTTP. */
function besidePath(source: Source, at: number, end: number): readonly string[] {
  const before = source.code.slice(Math.max(0, at - 600), at);
  const from =
    Math.max(0, at - 600) + Math.max(before.lastIndexOf(';'), before.lastIndexOf('}'), before.lastIndexOf('{')) + 1;
  const after = source.code.slice(end, end + 600);
  const stop = after.search(/[;{]/);
  const text = source.readable.slice(from, end + (stop < 0 ? after.length : stop));
  const [, path] = /@Path\(\s{0,10}(?:value\s{0,5}=\s{0,5})?"([^"\n]{0,300})"/.exec(text) ?? [];
  return path === undefined ? [] : [path];
}

function classesOf(source: Source): readonly Class[] {
  const classes: Class[] = [];
  for (const match of inCode(source, /(?<![\w.])(?:class|interface)\s{1,10}[A-Z]\w{0,150}/g)) {
    const open = nextOf(source.code, '{', match.index, 2_000);
    const to = open < 0 ? -1 : closingOf(source, open, 400_000);
    if (open < 0 || open - match.index > 2_000) continue;
    const before = source.code.slice(Math.max(0, match.index - 800), match.index);
    const from = Math.max(0, match.index - 800) + Math.max(before.lastIndexOf(';'), lastBrace(before)) + 1;
    const head = source.readable.slice(from, match.index);
    const [, written] =
      /@(?:RequestMapping|Path|Controller|HttpExchange|ApplicationPath|Client)\(\s{0,10}(?:[^()]{0,300}\b(?:value|path|url)\s{0,5}=\s{0,5})?[{[]?\s{0,5}"([^"\n]{0,300})"/.exec(
        head,
      ) ?? [];
    const [, ofFeign] = /@FeignClient\([^()]{0,300}\bpath\s{0,5}=\s{0,5}"([^"\n]{0,200})"/.exec(head) ?? [];
    const isClient = /@(?:FeignClient|RegisterRestClient|HttpExchange|Client)\b/.test(head);
    const address = isClient ? addressIn(head) : undefined;
    const [, constant] =
      /@(?:RequestMapping|Path|Controller)\(\s{0,10}(?:(?:value|path)\s{0,5}=\s{0,5})?(\w{1,100})\s{0,10}[,)]/.exec(
        head,
      ) ?? [];
    const told = written ?? textConstants(source).get(constant ?? '') ?? '';
    const own = /https?:/.test(told) || /@Client\b/.test(head) ? '' : told;
    const prefix = below(address?.path ?? '', ofFeign ?? own);
    classes.push({
      from: open,
      to: to < 0 ? source.code.length : to,
      prefix: prefix === '/' ? '' : prefix,
      isClient,
      ...(address?.host === undefined ? {} : { host: address.host }),
    });
  }
  return classes;
}

/** `@FeignClient(name = "stock", url = "http://stock:8080/api")`, also as what a setting is where nobody sets it: `${stock.url:http://stock}`. */
function addressIn(head: string): WrittenPath | undefined {
  const [, address] =
    /@(?:FeignClient|RegisterRestClient|HttpExchange|Client)\((?:[^()]{0,300}\b(?:url|baseUri|value)\s{0,5}=)?\s{0,10}"(?:\\?\$\{[\w.-]{1,100}:)?(https?:\/\/[^"\n{}]{1,300})\}?"/.exec(
      head,
    ) ?? [];
  return address === undefined ? undefined : normalPath(address);
}

/** The last brace that ends or begins a body: those of annotations have none but strings and names in them. */
function lastBrace(text: string): number {
  const end = text.lastIndexOf('}');
  const isOfAnnotation = end >= 0 && /^\}\s{0,10}\)/.test(text.slice(end, end + 12));
  return isOfAnnotation ? -1 : Math.max(end, text.lastIndexOf('{'));
}

function innermost(classes: readonly Class[], at: number): Class | undefined {
  let found: Class | undefined;
  for (const one of classes) if (one.from < at && at < one.to) found = one;
  return found;
}
