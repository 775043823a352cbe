import type { Reader } from '../reader.ts';
import { scalaRoutes } from '../routes/scala.ts';
import { kotlinLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { argumentsAt, chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { javaReader, jvmMarks } from './jvm.ts';
import { packageOf, type Scope, scopeOf } from './jvm-names.ts';

/** With ScalaPB, Akka and Pekko gRPC, fs2 and ZIO. */
export const scalaReader: Reader = {
  ...javaReader,
  lexis: kotlinLexis,
  marks: literals([
    ...jvmMarks,
    'ServiceHandler',
    'akka.',
    'pekko.',
    'sttp',
    'http4s',
    '.Zio',
    ' Zio',
    '(Zio',
    ' ZService',
  ]),
  detectors: [...javaReader.detectors, stubs, handlers, ofZio, scalaRoutes],
};

/** ScalaPB and fs2: stubs, and what implementations extend. */
function* stubs(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  for (const match of inCode(
    source,
    /(?<!\w)([A-Z]\w{0,150}?)(?:Grpc\.(?:stub|blockingStub|\1(?:Blocking)?Stub)\b|Fs2Grpc(?:\[\w{1,50}\])?\.(?:stub|client|mkClient)\w{0,20}\b)/g,
  )) {
    const holder = /^\w+/.exec(match[0])![0];
    const place = packageOf(scope, chainBefore(source.code, match.index), holder);
    yield { kind: 'client', at: match.index, service: match[1]!, ...place };
  }
  const serving = /\b(?:extends|with)\s{1,10}(?:[a-z]\w{0,80}\.){0,12}(?:(\w{1,150})Grpc\.\1\b|(\w{1,150})Fs2Grpc\b)/g;
  for (const match of inCode(source, serving)) {
    const service = (match[1] ?? match[2])!;
    yield { kind: 'server', at: match.index, service, ...packageOf(scope, '', `${service}Grpc`) };
  }
}

/** Akka and Pekko: `CartServiceHandler(new CartImpl)`, `CartServiceHandler.partial(…)`. */
function* handlers(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const { code } = source;
  const isOfAkka = /\b(?:akka|pekko)\b/.test(code);
  for (const match of inCode(
    source,
    /(?<!\w)([A-Z]\w{0,150}?)(?:PowerApi)?Handler(?:\s{0,40}\.\s{0,5}(?:partial|withServerReflection|apply)\w{0,20})?\(/g,
  )) {
    const service = match[1]!;
    const before = code.slice(Math.max(0, match.index - 20), match.index);
    const [given] = argumentsAt(source, match.index + match[0].length - 1);
    if (given === undefined || /\b(?:new|class|def|object|trait|extends|with)\s{1,10}$/.test(before)) continue;
    const isImplementation = /\bnew\b|[iI]mpl\b/.test(code.slice(given.from, given.to));
    if (!(isOfAkka || (isImplementation && service.endsWith('Service'))) || !isHandler(scope, service)) continue;
    yield { kind: 'server', at: match.index, service, ...packageOf(scope, '', `${service}Handler`) };
  }
}

/** Services' handlers, generated with the services, and not those that serve others. */
function isHandler(scope: Scope, service: string): boolean {
  const path = scope.imported.get(`${service}Handler`);
  return path === undefined ? service.endsWith('Service') : !/^(?:akka|org\.apache\.pekko)\./.test(path);
}

/**
 * ZIO: all of `inventory.proto` is in the object `ZioInventory`: `ZioInventory.StockServiceClient.live(…)`,
 * `extends ZioInventory.StockService`, also with the object's names imported.
 */
function* ofZio(source: Source): Iterable<Found> {
  const scope = scopeOf(source);
  const { code } = source;
  const making =
    /(?<![\w.])((?:[a-z]\w{0,80}\.){0,12}(?:Zio\w{1,150}\.)?)([A-Z]\w{0,150})Client\s{0,40}\.\s{0,5}(?:live|scoped|managed|layer|fromEnvironment|make)\w{0,20}\b/g;
  for (const match of inCode(source, making)) {
    const [, chain, service] = match;
    const place = placeOfZio(scope, chain!, `${service!}Client`);
    if (place === undefined) continue;
    yield { kind: 'client', at: match.index, service: service!, ...place };
  }
  const serving =
    /\b(?:extends|with)\s{1,10}((?:[a-z]\w{0,80}\.){0,12}(?:Zio\w{1,150}\.)?)(Z?([A-Z]\w{0,150}))\b(?!\s{0,5}\.)/g;
  for (const match of inCode(source, serving)) {
    const [whole, chain, name, service] = match;
    const place = placeOfZio(scope, chain!, name!);
    const isElse = /^\s{0,20}\(/.test(code.slice(match.index + whole.length, match.index + whole.length + 24));
    if (place === undefined || isElse || service!.endsWith('Client')) continue;
    yield { kind: 'server', at: match.index, service: service!, ...place };
  }
}

/** The package of a name in an object of ZIO; undefined where the name is in none. */
function placeOfZio(scope: Scope, chain: string, name: string): Pick<Found, 'from' | 'among'> | undefined {
  const [, before, object] = /^(.*?)(Zio\w{1,150})\.$/.exec(chain) ?? [];
  if (object !== undefined) return packageOf(scope, before!, object);
  if (chain !== '') return undefined;
  const imported = scope.imported.get(name);
  const path =
    imported ??
    (/^Z[A-Z][a-z]|Service(?:Client)?$/.test(name) ? scope.open.find(one => ofObject.test(`${one}.`)) : undefined);
  const [, from] = ofObject.exec(imported === undefined ? `${path ?? ''}.` : imported) ?? [];
  return from === undefined ? undefined : { from };
}

/** What is in an object of ZIO's, with its package. */
const ofObject = /^([\w.]{1,300})\.Zio[A-Z]\w{0,150}\./;
