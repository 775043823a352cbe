import type { ContractEdge, LinkedMember } from '../../model/federation.ts';
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
  readonly declaring: ReadonlyMap<string, readonly { readonly uid: string; readonly path: string }[]>;
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
    declaring: new Map(names.map(name => [name, declaringAll(members, name)])),
  };
}

function declaringAll(members: readonly LinkedMember[], fullName: string) {
  return members.flatMap(({ uid, contracts }) =>
    contracts.declared.flatMap(({ path, outline }) => {
      if (outline.type !== 'proto') return [];
      const isThere = outline.services.some(({ name }) => qualified(outline.package, name) === fullName);
      return isThere ? [{ uid, path }] : [];
    }),
  );
}
