import type { ContractEdge, ContractKey, LinkedMember } from '../../model/federation.ts';
import { type FoundEdge, mergedEdges } from './edge-list.ts';
import { fileEdges } from './file-edges.ts';
import { httpEdges } from './http-edges.ts';
import { serviceRoles } from './roles.ts';
import { serviceEdges, serviceHomes } from './service-edges.ts';
import { qualified, serviceCatalogue } from './services.ts';

/** The contracts of all repositories of a federation, and who depends on them. */
export interface LinkedContracts {
  readonly edges: readonly ContractEdge[];
  /** Of each service that some repository implements: who does, sorted. */
  readonly providers: ReadonlyMap<string, readonly string[]>;
  /** Of each service that is declared: by which contracts, sorted by repository. */
  readonly declaring: ReadonlyMap<string, readonly ContractKey[]>;
}

/** A function of what each repository shows alone: in whatever order they were synchronised, the edges are the same. */
export function linkContracts(given: readonly LinkedMember[]): LinkedContracts {
  const members = given.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  const catalogue = serviceCatalogue(members);
  const roles = serviceRoles(members, catalogue);
  const homes = serviceHomes(members, catalogue, roles);
  const found: FoundEdge[] = [
    ...serviceEdges(roles, homes),
    ...fileEdges({ members, catalogue, homes, roles }),
    ...httpEdges(members, catalogue, homes),
  ];
  const names = catalogue.all();
  return {
    edges: mergedEdges(found),
    providers: new Map(
      names.map(name => [name, homes.providersOf(name)] as const).filter(([, providers]) => providers.length > 0),
    ),
    declaring: declaringAll(members),
  };
}

function declaringAll(members: readonly LinkedMember[]): LinkedContracts['declaring'] {
  const found = new Map<string, ContractKey[]>();
  for (const { uid, contracts } of members) {
    for (const { path, outline } of contracts.declared) {
      if (outline.type !== 'proto') continue;
      for (const { name } of outline.services) {
        const fullName = qualified(outline.package, name);
        const known = found.get(fullName) ?? [];
        known.push({ uid, path });
        found.set(fullName, known);
      }
    }
  }
  return found;
}
