import { appendTo } from '../../model/append-to.ts';
import type { ContractUseKind } from '../../model/contract.ts';
import type { LinkedMember, MemberContracts, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { baseName } from '../../model/paths.ts';
import { alikePaths, writtenPath } from './alike-paths.ts';
import { configuredFiles, isOfSeveral } from './configured-files.ts';
import { asLoaded } from './loaded-packages.ts';
import { protoFilesOf } from './proto-files.ts';
import {
  type DeclaredService,
  fitOf,
  type Placed,
  qualified,
  type ServiceCatalogue,
  surelyAnothers,
  tellsPlace,
} from './services.ts';
import { isOfMessages, usesOf } from './uses.ts';

/** What a repository does with a service, and what shows it. */
export interface ServiceRole {
  readonly member: string;
  readonly fullName: string;
  /** It has a server of it, outside of tests. */
  readonly isProvider: boolean;
  /** Makes clients of it, or has generated code of it in use. */
  readonly consumes: 'surely' | 'maybe' | 'no';
  /** Of consuming it. */
  readonly clients: readonly PlacedUse[];
  /** Of providing it; where it is no provider, what may be one if nobody else is. */
  readonly servers: readonly PlacedUse[];
}

/** What every repository does with every service that some repository declares. */
export function serviceRoles(members: readonly LinkedMember[], catalogue: ServiceCatalogue): readonly ServiceRole[] {
  return members.flatMap(member => rolesOf(member, members, catalogue));
}

interface Seen {
  readonly sure: PlacedUse[];
  readonly unsure: PlacedUse[];
}

function rolesOf(
  member: LinkedMember,
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
): readonly ServiceRole[] {
  const seen = new Map<string, Map<ContractUseKind, Seen>>();
  const hasGenerated = usesOf(member.contracts, ...grpcKinds).length > 0;
  for (const shown of usesOf(member.contracts, ...namingKinds)) {
    const use = asLoaded(shown, member.contracts, catalogue);
    const { names, isSure, isAnothers } = namesOf(use, member, catalogue, hasGenerated);
    // Whoever serves one of several, or of another place, says of none that it is served.
    if (use.kind === 'server' && !isSure && (names.length > 1 || isAnothers)) continue;
    for (const name of names) if (!isTrial(use, name, member, catalogue)) note(seen, name, use.kind, use, isSure);
  }
  noteConfigured(member, members, catalogue, seen);
  return [...seen].map(([fullName, byKind]) => roleOf(member, fullName, byKind, catalogue));
}

/** Scripts of a repository that call what it declares itself try out that, whoever serves it. */
function isTrial(
  { kind, language }: PlacedUse,
  fullName: string,
  { uid }: LinkedMember,
  catalogue: ServiceCatalogue,
): boolean {
  const isOfScript = kind === 'client' && language === 'configuration';
  return isOfScript && catalogue.declaring(fullName).some(({ member }) => member === uid);
}

/** Of a file with one service a configuration that has one side of it generated says which side the repository is. */
function noteConfigured(
  member: LinkedMember,
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
  seen: Map<string, Map<ContractUseKind, Seen>>,
): void {
  const uses = usesOf(member.contracts, 'generator');
  for (const use of uses) {
    const { role, file, at } = use;
    if (file === undefined || (role !== 'client' && role !== 'server')) continue;
    const written = writtenPath(file);
    const name = baseName(written);
    // Of a file that a configuration names besides, it says that there.
    const isNamed = (path: string): boolean =>
      uses.some(
        other =>
          other.at === at &&
          other.file?.endsWith('.proto') === true &&
          baseName(writtenPath(other.file)) === baseName(path),
      );
    const own = isOfSeveral(file)
      ? configuredFiles(use, member, members).filter(({ contract }) => !isNamed(contract.path))
      : protoFilesOf(member).filter(({ contract }) => baseName(contract.path) === name);
    for (const { outline } of own)
      if (outline.services.length === 1)
        note(seen, qualified(outline.package, outline.services[0]!.name), role, use, true);
    // It may lie in a repository that is checked out beside this one.
    const isThere = (fullName: string): boolean =>
      catalogue.declaring(fullName).some(({ contract }) => alikePaths(contract.path, written));
    const [only, ...others] = own.length > 0 || isOfSeveral(file) ? [] : catalogue.aloneIn(name).filter(isThere);
    if (only !== undefined && others.length === 0) note(seen, only, role, use, true);
  }
}

function note(
  seen: Map<string, Map<ContractUseKind, Seen>>,
  name: string,
  kind: ContractUseKind,
  use: PlacedUse,
  isSure: boolean,
): void {
  const byKind = seen.get(name) ?? new Map<ContractUseKind, Seen>();
  const known = byKind.get(kind) ?? { sure: [], unsure: [] };
  (isSure ? known.sure : known.unsure).push(use);
  byKind.set(kind, known);
  seen.set(name, byKind);
}

/** Uses that may name a service. */
const namingKinds: readonly ContractUseKind[] = ['client', 'server', 'stub-import', 'generated', 'generator'];
/** What tells that generated code is in use in a repository at all. */
const grpcKinds: readonly ContractUseKind[] = ['generated', 'stub-import', 'load', 'generator', 'dependency'];

const none: Seen = { sure: [], unsure: [] };

function roleOf(
  { uid: member }: LinkedMember,
  fullName: string,
  byKind: ReadonlyMap<ContractUseKind, Seen>,
  catalogue: ServiceCatalogue,
): ServiceRole {
  const of = (kind: ContractUseKind): Seen => byKind.get(kind) ?? none;
  const serversIn = (uses: readonly PlacedUse[]): readonly PlacedUse[] => uses.filter(({ isTest }) => !isTest);
  const surely = serversIn(of('server').sure);
  const isProvider = surely.length > 0;
  const isAlone = declaredAlone(fullName, catalogue);
  const byStub = isProvider ? [] : of('stub-import').sure;
  // Code that was generated of a file with several services tells of none of them that it is called.
  const byGenerated = isProvider || !isAlone ? [] : of('generated').sure;
  const sure = [...of('client').sure, ...byStub, ...byGenerated];
  const unsure = [...of('client').unsure, ...(isProvider ? [] : of('stub-import').unsure)];
  return {
    member,
    fullName,
    isProvider,
    servers: isProvider ? surely : serversIn(of('server').unsure),
    consumes: sure.length > 0 ? 'surely' : unsure.length > 0 ? 'maybe' : 'no',
    clients: sure.length > 0 ? sure : unsure,
  };
}

function declaredAlone(fullName: string, catalogue: ServiceCatalogue): boolean {
  return catalogue.declaring(fullName).every(({ outline }) => outline.services.length === 1);
}

/** The services that a use may mean. */
function namesOf(
  use: PlacedUse,
  member: LinkedMember,
  catalogue: ServiceCatalogue,
  hasGenerated: boolean,
): { readonly names: readonly string[]; readonly isSure: boolean; readonly isAnothers: boolean } {
  if (use.fullName !== undefined) {
    const isKnown = catalogue.declaring(use.fullName).length > 0;
    return { names: isKnown ? [use.fullName] : [], isSure: true, isAnothers: false };
  }
  const all = use.service === undefined ? ofImport(use, catalogue) : catalogue.fullNames(use.service);
  if (all.length === 0) return { names: [], isSure: false, isAnothers: false };
  const known = catalogue.knownTo(member.uid);
  const local = all.filter(name => known.has(name));
  const own = nearestFits(placesOf(use), local, all, catalogue);
  // Where its own place tells nothing, such as an alias, that of what the file imports may.
  const beside = own.fit === 0 ? besideOf(use, member.contracts) : [];
  const besides = nearestFits(beside, local, all, catalogue);
  const meant = besides.fit === 0 ? own : besides;
  if (meant.fit === surelyAnothers) return { names: [], isSure: false, isAnothers: true };
  // A place that the file names, and that has nothing of the contract's, is more likely another's.
  const isTold = tellsPlace(use.from ?? '') || beside.length > 0;
  const isLikely = local.length > 0 || (hasGenerated && !isTold);
  const isSure = meant.names.length === 1 && (meant.fit > 0 || (meant.fit === 0 && isLikely));
  return { names: meant.names, isSure, isAnothers: meant.fit < 0 };
}

/**
 * Stubs that are imported by a file's name alone: of the service that files of that name have as their only one, unless another
 * file of that name fits the place better.
 */
function ofImport(use: PlacedUse, catalogue: ServiceCatalogue): readonly string[] {
  const { kind, file } = use;
  if (kind !== 'stub-import' || file === undefined || isOfMessages(use)) return [];
  const alone = catalogue.aloneIn(baseName(file));
  const places = placesOf(use);
  const fit = (one: Placed): number => Math.max(...places.map(place => fitOf(place, one)));
  if (alone.length === 0 || places.length === 0) return alone;
  const best = Math.max(...catalogue.filesNamed(baseName(file)).map(fit));
  return alone.filter(name => catalogue.declaring(name).some(one => fit(one) === best));
}

function placesOf({ from, file, among = [] }: PlacedUse): readonly string[] {
  const named = from ?? file;
  return named === undefined ? among : [named];
}

function besideOf({ at, language }: PlacedUse, contracts: MemberContracts): readonly string[] {
  const imported = importedIn(contracts).get(at) ?? [];
  return language === 'csharp' ? [...imported, ...usedGlobally(contracts)] : imported;
}

/** Namespaces of C# that all files of a project have open, as a file or the project says. */
const usedGlobally = keptBy((contracts: MemberContracts): readonly string[] =>
  usesOf(contracts, 'type-import').flatMap(({ from = '', seen }) =>
    /^global using\b|<Using\b/.test(seen) && tellsPlace(from) ? [from] : [],
  ),
);

/** By file: the places that generated code is imported from, as far as they tell whose it is. */
const importedIn = keptBy((contracts: MemberContracts): ReadonlyMap<string, readonly string[]> => {
  const places = new Map<string, string[]>();
  for (const { at, from } of usesOf(contracts, 'stub-import')) {
    if (from !== undefined && tellsPlace(from)) appendTo(places, at, from);
  }
  return places;
});

interface Fits {
  readonly names: readonly string[];
  /** Negative where the places are of other versions. */
  readonly fit: number;
}

/** Of the repository's own services those that fit, else of all. */
function nearestFits(
  places: readonly string[],
  local: readonly string[],
  all: readonly string[],
  catalogue: ServiceCatalogue,
): Fits {
  const own = local.length === 0 ? undefined : bestFits(places, local, catalogue);
  return own !== undefined && own.fit >= 0 ? own : bestFits(places, all, catalogue);
}

function bestFits(places: readonly string[], names: readonly string[], catalogue: ServiceCatalogue): Fits {
  const fits = names.map(name => {
    const declaring: readonly DeclaredService[] = catalogue.declaring(name);
    const all = declaring.flatMap(service => places.map(place => fitOf(place, service)));
    return all.length === 0 ? 0 : Math.max(...all);
  });
  const fit = Math.max(...fits);
  return { names: names.filter((_, at) => fits[at] === fit), fit };
}
