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

/**
 * Whether an import is of a module that has messages and no services: `cart_pb2`, `cart_pb.js`, `cart.pb.h`, `cart.pb.dart`;
 * a service that is imported by its name is one, wherever it is from.
 */
export function isOfMessages({ kind, service, from }: PlacedUse): boolean {
  if (kind !== 'stub-import' || service !== undefined || from === undefined) return false;
  return /(?<!grpc|services|web|connect|twirp)(?:_pb2?(?:\.(?:js|ts|mjs|rb|d))?|\.pb\.(?:h|dart))$/.test(from);
}
