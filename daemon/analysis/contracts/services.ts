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

/** All services that the repositories of a federation declare. */
export interface ServiceCatalogue {
  /** The full names of services of a name without package. */
  fullNames(name: string): readonly string[];
  /** Who declares one: of each repository its best file, by repository. */
  declaring(fullName: string): readonly DeclaredService[];
  /** The full names of services that files of a name declare, each as its only one. */
  aloneIn(fileName: string): readonly string[];
  /** What a repository declares or has generated code of. */
  knownTo(member: string): ReadonlySet<string>;
  all(): readonly string[];
}

export function serviceCatalogue(members: readonly LinkedMember[]): ServiceCatalogue {
  const byName = new Map<string, Set<string>>();
  const byFile = new Map<string, Set<string>>();
  const declaring = new Map<string, Map<string, DeclaredService>>();
  for (const member of members) {
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
 * up to 1 by how much of its package the place has, and half where it has the name of its file or folder. −1 where both have
 * versions, and none in common.
 */
export function fitOf(from: string, { outline, contract }: Pick<DeclaredService, 'outline' | 'contract'>): number {
  const said = parts(from);
  if (said.length === 0) return 0;
  const places = generatedInto(outline);
  if (places.some(place => place.length > 0 && endsAlike(said, place))) return 2;
  const spoken = new Set(said);
  const versions = parts(outline.package).filter(isVersion);
  if (versions.length > 0 && said.some(isVersion) && !versions.some(one => spoken.has(one))) return -1;
  const telling = parts(outline.package).filter(part => !isVersion(part) && !isCommon(part));
  const ofPackage = telling.length === 0 ? 0 : telling.filter(part => spoken.has(part)).length / telling.length;
  const file = parts(baseName(contract.path)).slice(0, -1).join('');
  const folder = parts(baseName(directoryOf(contract.path))).join('');
  const isOfFile = said.some(part => part === file || stripped(part) === file);
  const isOfFolder = folder !== '' && !isCommon(folder) && spoken.has(folder);
  return Math.max(ofPackage, isOfFile || isOfFolder ? 0.5 : 0);
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

/** Whether a place says whose it is, and not only that it is of generated code. */
export function tellsPlace(from: string): boolean {
  return parts(from).some(part => !isVersion(part) && !isCommon(part));
}

/** Whether one of two names of a place ends as the other does. */
function endsAlike(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const isTelling = short.some(part => !isVersion(part) && !isCommon(part));
  return isTelling && short.every((part, at) => part === long[long.length - short.length + at]);
}

/** The words of a place, in small letters. */
export function parts(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '');
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
