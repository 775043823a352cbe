import { appendTo } from '../../model/append-to.ts';
import { isStandard, isVendored, type LinkedMember, type MemberContracts } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';
import { baseName } from '../../model/paths.ts';
import { isOfSeveral } from './configured-files.ts';
import { confidenceOf, evidenceOf, type FoundEdge } from './edge-list.ts';
import type { ServiceRole } from './roles.ts';
import type { DeclaredService, ServiceCatalogue } from './services.ts';
import { usesOf } from './uses.ts';

/** Where a service is at home: the contracts that those depend on who use it. */
export interface ServiceHomes {
  /** For one repository: contracts of others, each with the repositories that implement the service. */
  homesFor(member: string, fullName: string): readonly ServiceHome[];
  providersOf(fullName: string): readonly string[];
  /** Whether a repository has the file for others: it neither implements nor calls any service of it. */
  isForOthers(service: DeclaredService): boolean;
}

export interface ServiceHome {
  readonly service: DeclaredService;
  readonly providers: readonly string[];
  /** Nobody's home: those who implement the service show no contract of it, and somebody who calls it has one. */
  readonly isCopy?: true;
}

/**
 * A service is at home in the contracts of those who implement it, and in the repositories that keep schemas for others. A
 * copy that somebody has who calls it, or who has to do with other services of the same file alone, is nobody's home.
 */
export function serviceHomes(
  members: readonly LinkedMember[],
  catalogue: ServiceCatalogue,
  roles: readonly ServiceRole[],
): ServiceHomes {
  const providers = new Map<string, string[]>();
  const used = new Map<string, Set<string>>();
  const guessed = new Map<string, string[]>();
  for (const { fullName, member, isProvider, consumes, servers } of roles) {
    if (isProvider) appendTo(providers, fullName, member);
    else if (servers.length > 0 && consumes !== 'surely') appendTo(guessed, fullName, member);
    if (isProvider || consumes === 'surely') {
      used.set(member, (used.get(member) ?? new Set()).add(fullName));
    }
  }
  for (const [fullName, maybe] of guessed) if (!providers.has(fullName)) providers.set(fullName, maybe);
  const ofSchemas = new Set(members.filter(({ contracts }) => isOfSchemas(contracts)).map(({ uid }) => uid));
  const providersOf = (fullName: string): readonly string[] => (providers.get(fullName) ?? []).toSorted();
  const contractsOf = new Map(members.map(({ uid, contracts }) => [uid, contracts]));
  const isForOthers = ({ member, outline, contract }: DeclaredService): boolean => {
    if (
      clientsOf(contractsOf.get(member)!).some(file => isOfSeveral(file) || baseName(file) === baseName(contract.path))
    )
      return false;
    const own = used.get(member) ?? new Set<string>();
    return outline.services.every(({ name }) => !own.has(outline.package === '' ? name : `${outline.package}.${name}`));
  };
  const known = new Map<string, readonly DeclaredService[]>();
  const schemasOf = (fullName: string): readonly DeclaredService[] => {
    const kept = known.get(fullName);
    if (kept !== undefined) return kept;
    const idle = catalogue.declaring(fullName).filter(one => isForOthers(one) && !isVendored(one.contract.path));
    const kind = idle.filter(({ member }) => ofSchemas.has(member));
    // Of several that have a file and do nothing with it nobody knows which is the one that others mean.
    const made = kind.length > 0 ? kind : isAtHome(fullName) || idle.length > 1 ? [] : idle;
    known.set(fullName, made);
    return made;
  };
  const isAtHome = (fullName: string): boolean => {
    const declaring = new Set(catalogue.declaring(fullName).map(({ member }) => member));
    return providersOf(fullName).some(member => declaring.has(member));
  };
  return {
    providersOf,
    isForOthers,
    homesFor(member, fullName) {
      const implementing = providersOf(fullName).filter(one => one !== member);
      const all = catalogue.declaring(fullName).filter(one => !isStandard(one.contract.path));
      const declaring = all.filter(one => one.member !== member);
      const own = declaring.filter(one => implementing.includes(one.member));
      const schemas = schemasOf(fullName).filter(one => one.member !== member);
      const homes = [
        ...own.map(service => ({ service, providers: [service.member] })),
        ...schemas.map(service => ({ service, providers: implementing })),
      ];
      const isImplemented = (providers.get(fullName) ?? []).length > 0;
      if (homes.length > 0 || !isImplemented) return homes;
      // The contract is known by copies alone, for who implements it has but what was generated: one's own counts, or the first.
      const copy = all.find(one => one.member === member) ?? declaring[0];
      return copy === undefined ? [] : [{ service: copy, providers: implementing, isCopy: true }];
    },
  };
}

/** The files, as written, that a repository has clients alone generated of. */
const clientsOf = keptBy((contracts: MemberContracts): readonly string[] =>
  usesOf(contracts, 'generator').flatMap(({ role, file }) =>
    role === 'client' && file !== undefined ? [file.replaceAll('\\', '/')] : [],
  ),
);

/** It has contracts of its own, and hardly any code. */
export const isOfSchemas = keptBy(({ declared, codeFiles }: MemberContracts): boolean => {
  const own = declared.filter(({ path }) => !isVendored(path));
  return own.length > 0 && codeFiles * 3 <= own.length;
});

/** Edges of those who call services, and of those who implement what is declared elsewhere. */
export function* serviceEdges(roles: readonly ServiceRole[], homes: ServiceHomes): Iterable<FoundEdge> {
  for (const role of roles) {
    const { member, fullName, isProvider, consumes, clients, servers } = role;
    const all = homes.homesFor(member, fullName);
    if (isConsumer(role, homes)) {
      const tier = consumes === 'surely' ? 'derived' : 'heuristic';
      for (const { service, providers } of all) {
        yield {
          from: member,
          contract: { uid: service.member, path: service.contract.path },
          service: fullName,
          role: 'consumer',
          tier,
          confidence: confidenceOf[tier],
          providers,
          evidence: clients.map(evidenceOf),
        };
      }
    }
    if (!homes.providersOf(fullName).includes(member)) continue;
    const tier = isProvider ? 'derived' : 'heuristic';
    for (const { service } of all.filter(one => one.isCopy || homes.isForOthers(one.service))) {
      yield {
        from: member,
        contract: { uid: service.member, path: service.contract.path },
        service: fullName,
        role: 'provider',
        tier,
        confidence: confidenceOf[tier],
        providers: [],
        evidence: servers.map(evidenceOf),
      };
    }
  }
}

/** Who implements a service may call another that does, as a gateway would; its own tests call itself. */
export function isConsumer(
  { member, fullName, isProvider, consumes, clients }: ServiceRole,
  homes: Pick<ServiceHomes, 'providersOf'>,
): boolean {
  if (consumes === 'no') return false;
  const hasOther = (): boolean => homes.providersOf(fullName).some(one => one !== member);
  return !isProvider || (hasOther() && clients.some(({ isTest }) => !isTest));
}
