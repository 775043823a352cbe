import { appendTo } from '../../model/append-to.ts';
import type { ProtoOutline } from '../../model/contract.ts';
import type { DeclaredContract, LinkedMember } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { usesOf } from './uses.ts';

/** A service as a `.proto` file of a repository declares it. */
export interface DeclaredService {
  /** Without its package. */
  readonly name: string;
  readonly fullName: string;
  readonly member: string;
  readonly contract: DeclaredContract;
  readonly outline: ProtoOutline;
}

/** A `.proto` file, as far as it tells what its code is generated into. */
export type Placed = Pick<DeclaredService, 'outline' | 'contract'>;

/** All services that the repositories of a federation declare. */
export interface ServiceCatalogue {
  /** The full names of services of a name without package. */
  fullNames(name: string): readonly string[];
  /** Who declares one: of each repository its best file, by repository. */
  declaring(fullName: string): readonly DeclaredService[];
  /** The full names of services that files of a name declare, each as its only one. */
  aloneIn(fileName: string): readonly string[];
  /** The `.proto` files of a name, whatever they declare. */
  filesNamed(fileName: string): readonly Placed[];
  /** What a repository declares or has generated code of. */
  knownTo(member: string): ReadonlySet<string>;
  all(): readonly string[];
}

export function serviceCatalogue(members: readonly LinkedMember[]): ServiceCatalogue {
  const byName = new Map<string, Set<string>>();
  const byFile = new Map<string, Set<string>>();
  const declaring = new Map<string, Map<string, DeclaredService>>();
  const files = new Map<string, Placed[]>();
  for (const member of members) {
    for (const contract of member.contracts.declared) {
      const { outline } = contract;
      if (outline.type === 'proto') appendTo(files, baseName(contract.path), { contract, outline });
    }
    for (const service of servicesOf(member)) {
      add(byName, service.name, service.fullName);
      if (service.outline.services.length === 1) add(byFile, baseName(service.contract.path), service.fullName);
      const of = declaring.get(service.fullName) ?? new Map<string, DeclaredService>();
      const known = of.get(service.member);
      if (known === undefined || isBetter(service, known)) of.set(service.member, service);
      declaring.set(service.fullName, of);
    }
  }
  const known = new Map(members.map(member => [member.uid, knownServices(member)]));
  const inOrder = new Map([...byName].map(([name, full]) => [name, [...full].sort()]));
  const byMember = (a: DeclaredService, b: DeclaredService): number => (a.member < b.member ? -1 : 1);
  const declaringInOrder = new Map([...declaring].map(([name, of]) => [name, [...of.values()].sort(byMember)]));
  const all = [...declaring.keys()].sort();
  return {
    fullNames: name => inOrder.get(name) ?? [],
    filesNamed: fileName => files.get(fileName) ?? [],
    aloneIn: fileName => [...(byFile.get(fileName) ?? [])].sort(),
    declaring: fullName => declaringInOrder.get(fullName) ?? [],
    knownTo: member => known.get(member) ?? new Set(),
    all: () => all,
  };
}

function* servicesOf({ uid, contracts }: LinkedMember): Iterable<DeclaredService> {
  for (const contract of contracts.declared) {
    const { outline } = contract;
    if (outline.type !== 'proto') continue;
    for (const { name } of outline.services) {
      yield { name, fullName: qualified(outline.package, name), member: uid, contract, outline };
    }
  }
}

export function qualified(packageName: string, name: string): string {
  return packageName === '' ? name : `${packageName}.${name}`;
}

function knownServices(member: LinkedMember): ReadonlySet<string> {
  const declared = [...servicesOf(member)].map(({ fullName }) => fullName);
  const generated = usesOf(member.contracts, 'generated').flatMap(({ fullName }) => fullName ?? []);
  return new Set([...declared, ...generated]);
}

/** A repository may have copies of its own: the one nearest to its root counts. */
function isBetter(one: DeclaredService, other: DeclaredService): boolean {
  const depth = (path: string): number => path.split('/').length;
  const [a, b] = [one.contract.path, other.contract.path];
  return depth(a) < depth(b) || (depth(a) === depth(b) && a < b);
}

/**
 * How well the place that a use names fits what a `.proto` file says that its code is generated into, 0 to 2: 2 as that has it;
 * about 1 by how much of its package the place has, and half where it has the name of its file or folder. Negative where it is
 * another's: −3 of what comes with a library, −2 of other versions, −1 with another name where the package has one that the place lacks (`zeta.payments.v1` for
 * `acme.payments.v1`).
 */
export function fitOf(from: string, { outline, contract }: Placed): number {
  const said = parts(from);
  if (said.length === 0) return 0;
  if (isOfGrpc(said) && !outline.package.startsWith('grpc.')) return surelyAnothers;
  if (isOfGoogle(said) && !outline.package.startsWith('google.')) return surelyAnothers;
  const places = generatedInto(outline);
  const isOthers = isOfOtherModule(from, outline);
  // Of others' modules a whole package says more than a word.
  const least = isOthers ? 2 : 0;
  if (places.some(place => place.filter(isTelling).length >= least && place.length > 0 && endsAlike(said, place)))
    return 2;
  if (isOthers) return 0;
  const spoken = new Set(said);
  const named = parts(outline.package);
  const versions = named.filter(isVersion);
  if (versions.length > 0 && said.some(isVersion) && !versions.some(one => spoken.has(one))) return -2;
  const telling = named.filter(isTelling);
  const alike = telling.filter(part => spoken.has(part)).length;
  // Of two packages that the place has the longer one is meant.
  const ofPackage = alike === 0 ? 0 : alike / telling.length + alike / 1000;
  const folder = parts(directoryOf(contract.path));
  const isOfPath = folder.some(isTelling) && endsAlike(said, folder);
  const words = parts(baseName(contract.path)).slice(0, -1);
  if (!isOfPath && isAnothers(withoutFile(from, words), spoken, telling)) return -1;
  const file = words.join('');
  const isOfFile = said.some(part => part === file || stripped(part) === file);
  const last = folder.at(-1) ?? '';
  const isOfFolder = isTelling(last) && spoken.has(last);
  return Math.max(ofPackage, isOfPath || isOfFile || isOfFolder ? 0.5 : 0);
}

/**
 * Whether a path of Go, or a package of Java, begins with another owner than that which the file says that its code has. A
 * registry makes code of files under a domain of its own.
 */
function isOfOtherModule(from: string, { options }: ProtoOutline): boolean {
  if (from.startsWith('buf.build/')) return false;
  return [
    [/^[\w-]+(?:\.[\w-]+)+\/[^/;]+/, options['go_package']] as const,
    [/^(?:com|org|net|io|dev)\.[a-z]\w*(?=\.)/, options['java_package']] as const,
  ].some(([owner, place = '']) => {
    const [said] = owner.exec(from) ?? [];
    const [own] = owner.exec(`${place}.`) ?? [];
    return said !== undefined && own !== undefined && said !== own;
  });
}

/** Of what comes with a library. */
export const surelyAnothers = -3;

/** Whether what stands before the words that both end in is another name than the package has there, and that one is nowhere. */
function isAnothers(place: readonly string[], spoken: ReadonlySet<string>, named: readonly string[]): boolean {
  const said = place.filter(isTelling);
  let alike = 0;
  while (alike < named.length && alike < said.length && named.at(-1 - alike) === said.at(-1 - alike)) alike++;
  const [mine, theirs] = [said.at(-1 - alike), named.at(-1 - alike)];
  return alike > 0 && mine !== undefined && theirs !== undefined && !spoken.has(theirs);
}

/** Without the module of generated code that is called as the file: `order_events_pb2`. */
function withoutFile(from: string, file: readonly string[]): readonly string[] {
  const said = parts(withoutModule(from));
  const end = said.findLastIndex(part => !generatedEndings.has(part)) + 1;
  const start = end - file.length;
  const isOfFile = end < said.length && file.every((word, at) => said[start + at] === word);
  return isOfFile ? said.slice(0, start) : said;
}

const generatedEndings: ReadonlySet<string> = new Set([
  ...['pb', 'pb2', 'pbgrpc', 'grpc', 'services', 'connect', 'web', 'twirp'],
  ...['h', 'js', 'mjs', 'ts', 'd', 'rb', 'dart'],
]);

/** Without the module that a path is in, which is called as whoever published it likes: `github.com/acme/cart`, `@acme/cart`. */
function withoutModule(from: string): string {
  return from.replace(/^(?:[\w-]+(?:\.[\w-]+)+\/[^/]+(?:\/[^/]+)?|@[^/]+\/[^/]+|package:[^/]+)(?=\/|$)/, '');
}

/** What comes with gRPC itself, wherever its code lies: health, reflection, channelz. */
function isOfGrpc(said: readonly string[]): boolean {
  return said.some((part, at) => part === 'grpc' && /^(?:health|reflection|channelz)$/.test(said[at + 1] ?? ''));
}

/** The places that code of a file is generated into, as its package and options say, in parts. */
export const generatedInto = keptBy(({ package: name, options }: ProtoOutline): readonly (readonly string[])[] => {
  const option = (key: string): readonly string[] => parts(options[key] ?? '');
  const goPackage = (options['go_package'] ?? '').split(';');
  return [
    parts(name),
    parts(goPackage[0] ?? ''),
    parts(goPackage[1] ?? ''),
    ...['java_package', 'csharp_namespace', 'php_namespace', 'ruby_package', 'swift_prefix'].map(option),
  ];
});

/** Google's own clients: `com.google.cloud.logging.v2`, `cloud.google.com/go/pubsub`, `@google-cloud/tasks`. */
function isOfGoogle(said: readonly string[]): boolean {
  const start = said.slice(0, 4).join(' ');
  return /(?:^|^com )google cloud\b|^cloud google com\b/.test(start);
}

/** Whether a place says whose it is, and not only that it is of generated code. */
export function tellsPlace(from: string): boolean {
  return parts(from).some(isTelling);
}

/** Whether one of two names of a place ends as the other does. */
function endsAlike(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.some(isTelling) && short.every((part, at) => part === long[long.length - short.length + at]);
}

/** The words of a place, in small letters. */
export function parts(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '');
}

/** Says whose it is. */
function isTelling(part: string): boolean {
  return part !== '' && !isVersion(part) && !isCommon(part);
}

function isVersion(part: string): boolean {
  return /^v\d{1,4}(?:(?:alpha|beta)\d{0,4})?$/.test(part);
}

/** What generators add to the name of a file: `cart_pb2_grpc` is of `cart`, `cartv1connect` of `cart`. */
function stripped(part: string): string {
  return part.replace(/(?:v\d{1,4})?(?:connect|grpc|pb\d?|proto)$/, '');
}

/** Says nothing of whose it is. */
function isCommon(part: string): boolean {
  return commonParts.has(part);
}

const commonParts: ReadonlySet<string> = new Set([
  ...['com', 'org', 'net', 'io', 'dev', 'github', 'gitlab', 'src', 'main', 'lib', 'pkg', 'internal', 'api', 'apis'],
  ...['proto', 'protos', 'protobuf', 'protobufs', 'pb', 'pb2', 'gen', 'genproto', 'generated', 'grpc', 'rpc'],
  ...['client', 'server', 'service', 'services', 'stub', 'stubs', 'go', 'java', 'node', 'python', 'js', 'ts'],
]);

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set<string>();
  values.add(value);
  map.set(key, values);
}
