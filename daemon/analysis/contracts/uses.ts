import { appendTo } from '../../model/append-to.ts';
import type { ContractUseKind } from '../../model/contract.ts';
import type { MemberContracts, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';

/** What a repository shows, by kind: edges are sought in many ways, each of which looks at a few kinds. */
export function usesOf(contracts: MemberContracts, ...kinds: readonly ContractUseKind[]): readonly PlacedUse[] {
  const byKind = usesByKind(contracts);
  return kinds.flatMap(kind => byKind.get(kind) ?? []);
}

const usesByKind = keptBy(({ uses }: MemberContracts): ReadonlyMap<ContractUseKind, readonly PlacedUse[]> => {
  const byKind = new Map<ContractUseKind, PlacedUse[]>();
  for (const use of uses) appendTo(byKind, use.kind, use);
  return byKind;
});
