import { appendTo } from '../../model/append-to.ts';
import {
  type EdgeEvidence,
  isVendored,
  type LinkedMember,
  type MemberContracts,
  type PlacedUse,
} from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { once } from '../../model/once.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { alikePaths, endsWithPath, writtenPath } from './alike-paths.ts';
import { containerOf } from './breaking/proto/types.ts';
import { configuredFiles, isOfSeveral } from './configured-files.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import { filesOfModule } from './module-files.ts';
import { type ProtoFile, protoFilesOf } from './proto-files.ts';
import type { ServiceRole } from './roles.ts';
import { isConsumer, isOfSchemas, type ServiceHomes } from './service-edges.ts';
import { fitOf, generatedInto, parts, qualified, type ServiceCatalogue } from './services.ts';
import { isDeclared, takenByImport, takenByName } from './taken-types.ts';
import { isOfMessages, usesOf } from './uses.ts';

/** What edges of whole files are found with. */
export interface FileSources {
  readonly members: readonly LinkedMember[];
  readonly catalogue: ServiceCatalogue;
  readonly homes: ServiceHomes;
  readonly roles: readonly ServiceRole[];
}

/** Edges to `.proto` files as wholes: by imports, registries, configurations of generators, and copies. */
export function* fileEdges(sources: FileSources): Iterable<FoundEdge> {
  const files = sources.members.flatMap(protoFilesOf);
  const byName = new Map<string, ProtoFile[]>();
  for (const file of files) appendTo(byName, baseName(file.contract.path), file);
  const byMember = new Map<string, ServiceRole[]>();
  for (const role of sources.roles) appendTo(byMember, role.member, role);
  const byPlace = new Map<string, ProtoFile[]>();
  for (const file of files) {
    const lasts = generatedInto(file.outline).flatMap(place => place.at(-1) ?? []);
    for (const last of new Set(lasts)) appendTo(byPlace, last, file);
  }
  const finder: Finder = {
    ...sources,
    files,
    named: path => byName.get(baseName(path)) ?? [],
    rolesOf: member => byMember.get(member) ?? [],
    generatedInto: from => byPlace.get(parts(from).at(-1) ?? '') ?? [],
  };
  for (const member of sources.members) {
    yield* importEdges(member, finder);
    yield* moduleEdges(member, finder);
    yield* generatorEdges(member, finder);
    yield* generatedEdges(member, finder);
    yield* messageEdges(member, finder);
    yield* typeEdges(member, finder);
    yield* copyEdges(member, finder);
  }
}

interface Finder extends Omit<FileSources, 'roles'> {
  readonly files: readonly ProtoFile[];
  /** Files with the last name of a path. */
  named(path: string): readonly ProtoFile[];
  /** Files that may be generated into a place, by its last word. */
  generatedInto(from: string): readonly ProtoFile[];
  /** What a repository does with services. */
  rolesOf(member: string): readonly ServiceRole[];
}

/** Imports of what the repository itself has not. */
function* importEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  for (const contract of member.contracts.declared) {
    if (contract.outline.type !== 'proto') continue;
    const { outline } = contract;
    for (const { path, line, isPublic = false } of outline.imports) {
      // Those come with every compiler.
      if (path.startsWith('google/protobuf/')) continue;
      const told = finder.named(path).filter(file => endsWithPath(file.contract.path, path));
      if (told.some(file => file.member === member.uid)) continue;
      const all = told.filter(file => !isVendored(file.contract.path));
      const evidence = { file: contract.path, line, seen: `import "${path}"`, kind: 'import', isTest: false } as const;
      const shown = (file: ProtoFile) => ({ ...evidence, ...takenByImport(outline, file.outline, isPublic) });
      yield* toFiles(member.uid, all, shown, finder);
    }
  }
}

/** Modules of a registry that another repository publishes: what is imported of them, else what is asked for. */
function* moduleEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  for (const use of usesOf(member.contracts, 'dependency')) {
    for (const other of finder.members) {
      if (other.uid === member.uid) continue;
      const theirs = finder.files.filter(file => file.member === other.uid);
      for (const file of filesOfModule(use, theirs, { publisher: other, user: member }))
        yield declared(member.uid, file, [evidenceOf(use)]);
    }
  }
}

/** Files that something is generated of, or that are read at run time: the repository's own copy, or a path that leads out of it. */
function* generatorEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  for (const use of usesOf(member.contracts, 'generator', 'load')) {
    const { file } = use;
    if (file === undefined) continue;
    const configured = configuredFiles(use, member, finder.members);
    for (const one of configured)
      if (one.member === member.uid) yield* ofCopy(member, one, use, finder);
      else yield declared(member.uid, one, [evidenceOf(use)]);
    if (configured.length > 0 || !file.endsWith('.proto') || isOfSeveral(file)) continue;
    const asked = writtenPath(file);
    const own = ownFile(member, use, asked, finder);
    if (own !== undefined) yield* ofCopy(member, own, use, finder);
    else
      yield* toFiles(
        member.uid,
        finder.named(asked).filter(one => alikePaths(one.contract.path, asked)),
        () => evidenceOf(use),
        finder,
      );
  }
}

/** Code that was generated of a file whose services it does not name: of messages. */
function* generatedEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  const called = once(() => new Set(finder.rolesOf(member.uid).map(({ fullName }) => fullName)));
  for (const use of usesOf(member.contracts, 'generated')) {
    const { file, fullName } = use;
    if (file === undefined || fullName !== undefined) continue;
    const asked = file.replaceAll('\\', '/');
    // What it has a file of its own for it was generated of that.
    if (finder.named(asked).some(one => one.member === member.uid)) continue;
    const meant = finder.named(asked).filter(one => alikePaths(one.contract.path, asked) && isHomeOf(one, finder));
    const [only, ...others] = meant;
    if (only === undefined || others.length > 0 || namesIn(only).some(name => called().has(name))) continue;
    yield { ...whole(member.uid, only, [evidenceOf(use)]), tier: 'derived', confidence: confidenceOf.derived };
  }
}

/** Generated code of messages that is imported: by the name of its file, or of a place where files have nothing but messages. */
function* messageEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  const called = once(() => new Set(finder.rolesOf(member.uid).map(({ fullName }) => fullName)));
  for (const use of usesOf(member.contracts, 'stub-import')) {
    const { file, from } = use;
    if (from === undefined) continue;
    if (file === undefined && use.service === undefined) yield* ofPlace(member, use, from, finder);
    if (file === undefined || !isOfMessages(use)) continue;
    const named = finder.named(file);
    if (named.some(one => one.member === member.uid)) continue;
    const fits = named
      .filter(one => isHomeOf(one, finder) || one.outline.services.length === 0)
      .map(one => ({ one, fit: fitOf(from, one) }))
      .filter(({ one, fit }) => fit > 0 && !isVendored(one.contract.path));
    const best = Math.max(...fits.map(({ fit }) => fit));
    const [only, ...others] = fits.filter(({ fit }) => fit === best);
    if (only === undefined || others.length > 0 || namesIn(only.one).some(name => called().has(name))) continue;
    yield { ...whole(member.uid, only.one, [evidenceOf(use)]), tier: 'derived', confidence: confidenceOf.derived };
  }
}

/**
 * Where several files are generated into one place, each may be meant, unless names tell; those of a package whose services are
 * called come with these.
 */
function* ofPlace(member: LinkedMember, use: PlacedUse, from: string, finder: Finder): Iterable<FoundEdge> {
  const all = filesIn(from, finder).filter(({ outline }) => outline.services.length === 0);
  const atHome = all.filter(one => isAtHome(one, finder));
  const nearest = atHome.length > 0 ? atHome : all;
  const named = nearest.filter(one => use.names?.some(name => isDeclared(name, one)));
  const meant = named.length > 0 ? named : nearest;
  const packages = new Set(meant.map(({ outline }) => outline.package));
  const isCalled = finder.rolesOf(member.uid).some(({ fullName }) => packages.has(containerOf(fullName)));
  if (isCalled || all.some(one => one.member === member.uid)) return;
  const tier = meant.length === 1 || named.length > 0 ? 'derived' : 'heuristic';
  for (const one of meant) yield { ...whole(member.uid, one, [evidenceOf(use)]), tier, confidence: confidenceOf[tier] };
}

/** Messages that are imported from packages: each of the file that declares it. */
function* typeEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  const called = once(() => new Set(finder.rolesOf(member.uid).map(({ fullName }) => fullName)));
  for (const use of usesOf(member.contracts, 'type-import')) {
    const { from = '', type } = use;
    if (type === undefined) {
      yield* ofPlace(member, use, from, finder);
      continue;
    }
    const all = filesDeclaring(type, from, finder);
    if (all.some(one => one.member === member.uid)) continue;
    const kept = all.filter(one => one.outline.services.length === 0 || isHomeOf(one, finder));
    const atHome = kept.filter(one => isHomeOf(one, finder));
    const meant = atHome.length > 0 ? atHome : kept;
    const tier = meant.length === 1 ? 'derived' : 'heuristic';
    for (const one of meant) {
      if (namesIn(one).some(name => called().has(name))) continue;
      const shown = { ...evidenceOf(use), ...takenByName(type, one) };
      yield { ...whole(member.uid, one, [shown]), tier, confidence: confidenceOf[tier] };
    }
  }
}

function filesIn(from: string, finder: Finder): readonly ProtoFile[] {
  return finder.generatedInto(from).filter(one => fitOf(from, one) === 2 && !isVendored(one.contract.path));
}

/** ScalaPB puts what a file declares into a package of the file's own name. */
function filesDeclaring(type: string, from: string, finder: Finder): readonly ProtoFile[] {
  const dot = from.lastIndexOf('.');
  const ofFile = filesIn(from.slice(0, Math.max(0, dot)), finder).filter(
    ({ contract }) => parts(baseName(contract.path)).slice(0, -1).join('_') === from.slice(dot + 1),
  );
  return [...filesIn(from, finder), ...ofFile].filter(file => isDeclared(type, file));
}

function isHomeOf(file: ProtoFile, finder: Finder): boolean {
  return !isVendored(file.contract.path) && (isAtHome(file, finder) || isWhole(file, finder));
}

function ownFile(member: LinkedMember, use: PlacedUse, asked: string, finder: Finder): ProtoFile | undefined {
  const inside = join(directoryOf(use.at), (use.file ?? '').replaceAll('\\', '/'));
  const own = finder.named(asked).filter(one => one.member === member.uid);
  const isThere = (path: string): boolean => own.some(one => one.contract.path === path);
  if (inside !== undefined && isThere(inside)) return own.find(one => one.contract.path === inside);
  return own.find(one => endsWithPath(one.contract.path, asked)) ?? own[0];
}

/** A copy of one's own declares what the originals of its services are depended upon for, as far as these are called. */
function* ofCopy(member: LinkedMember, own: ProtoFile, use: PlacedUse, finder: Finder): Iterable<FoundEdge> {
  const mine = finder.rolesOf(member.uid);
  const names = new Set(namesIn(own));
  const called = mine.filter(
    role => names.has(role.fullName) && role.consumes === 'surely' && isConsumer(role, finder.homes),
  );
  for (const { fullName } of called) {
    for (const { service, providers } of finder.homes.homesFor(member.uid, fullName)) {
      yield {
        ...{ from: member.uid, contract: { uid: service.member, path: service.contract.path }, service: fullName },
        ...{ role: 'consumer', tier: 'declared', confidence: confidenceOf.declared, providers },
        evidence: [evidenceOf(use)],
      };
    }
  }
  const schemas = originals(member.uid, own, finder);
  for (const file of schemas) yield declared(member.uid, file, [evidenceOf(use)]);
}

/**
 * Files of the same package and name in repositories that keep schemas for others; and, of who has to do with no service of it in
 * another way, in the one that implements all of them.
 */
function originals(member: string, own: ProtoFile, finder: Finder): readonly ProtoFile[] {
  const isIdle = once(() => !finder.rolesOf(member).some(({ fullName }) => namesIn(own).includes(fullName)));
  return finder
    .named(own.contract.path)
    .filter(
      one =>
        one.member !== member &&
        one.outline.package === own.outline.package &&
        (isAtHome(one, finder) || (isWhole(one, finder) && isIdle())) &&
        sharesNames(own, one),
    );
}

function namesIn({ outline }: ProtoFile): readonly string[] {
  return outline.services.map(({ name }) => qualified(outline.package, name));
}

/** Whether a repository implements all that a file of its own declares. */
function isWhole(file: ProtoFile, { homes }: Finder): boolean {
  const names = namesIn(file);
  return names.length > 0 && names.every(name => homes.providersOf(name).includes(file.member));
}

function isAtHome({ member, outline, contract }: ProtoFile, finder: Finder): boolean {
  const { homes, catalogue } = finder;
  if (outline.services.length === 0) {
    return isOfSchemas(contractsOf(member, finder)) && !isVendored(contract.path);
  }
  return outline.services.some(({ name }) => {
    const fullName = qualified(outline.package, name);
    const service = catalogue.declaring(fullName).find(one => one.member === member && one.contract === contract);
    if (service === undefined || !homes.isForOthers(service)) return false;
    return homes.homesFor('', fullName).some(home => home.service === service);
  });
}

const ownCount = keptBy(
  ({ declared }: MemberContracts): number =>
    declared.filter(({ path, outline }) => outline.type === 'proto' && !isVendored(path)).length,
);

function contractsOf(member: string, { members }: Finder): MemberContracts {
  return members.find(({ uid }) => uid === member)!.contracts;
}

function sharesNames(one: ProtoFile, other: ProtoFile): boolean {
  const namesOf = ({ outline }: ProtoFile): readonly string[] =>
    [...outline.services, ...outline.types].map(({ name }) => name);
  const theirs = new Set(namesOf(other));
  const mine = namesOf(one);
  return mine.filter(name => theirs.has(name)).length * 2 >= mine.length;
}

/** Copies that nothing is seen to be done with. */
function* copyEdges(member: LinkedMember, finder: Finder): Iterable<FoundEdge> {
  for (const contract of member.contracts.declared) {
    if (contract.outline.type !== 'proto' || contract.outline.package === '') continue;
    const own = { member: member.uid, contract, outline: contract.outline };
    const isKept = isAtHome(own, finder);
    for (const file of originals(member.uid, own, finder)) {
      // Of two who keep it for others, who implements it or keeps more has it first.
      if (isKept && !isWhole(file, finder) && ownCount(contractsOf(file.member, finder)) <= ownCount(member.contracts))
        continue;
      const [first] = [...contract.outline.services, ...contract.outline.types];
      const line = first?.line ?? 1;
      const seen = `${first?.name ?? contract.outline.package} of ${contract.outline.package}, as ${file.contract.path} has it`;
      yield {
        ...whole(member.uid, file, [{ file: contract.path, line, seen, kind: 'copy', isTest: false }]),
        ...{ tier: 'heuristic', confidence: 0.6 },
      };
    }
  }
}

/** One file is meant; of several, those that are kept for others, and else each may be. */
function* toFiles(
  from: string,
  all: readonly ProtoFile[],
  shown: (file: ProtoFile) => EdgeEvidence,
  finder: Finder,
): Iterable<FoundEdge> {
  const others = all.filter(({ member }) => member !== from);
  const atHome = others.filter(file => isAtHome(file, finder));
  const meant = atHome.length > 0 ? atHome : others;
  for (const file of meant) {
    const evidence = [shown(file)];
    if (meant.length === 1) yield declared(from, file, evidence);
    else yield { ...whole(from, file, evidence), tier: 'heuristic', confidence: confidenceOf.heuristic };
  }
}

function declared(from: string, file: ProtoFile, evidence: readonly EdgeEvidence[]): FoundEdge {
  return { ...whole(from, file, evidence), tier: 'declared', confidence: confidenceOf.declared };
}

function whole(from: string, { member, contract }: ProtoFile, evidence: readonly EdgeEvidence[]) {
  return {
    from,
    contract: { uid: member, path: contract.path },
    service: '',
    role: 'dependent',
    providers: [],
    evidence,
  } as const;
}
