import { hash } from 'node:crypto';
import type { LinkedContracts } from '../../analysis/contracts/link-contracts.ts';
import { contractIn } from '../../extract/api-contract/contract-in.ts';
import type { ContractOutline } from '../../model/contract.ts';
import type { DeclaredContract } from '../../model/federation.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { FederationView, KnownMember, SeenEdge } from './member-view.ts';
import { idsIn, linkedMembers, seenEdges } from './seen-edges.ts';

/** A contract as a revision has it. */
export interface ContractBefore {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The edges that there would be if a contract of a member said what it said before: of what it no longer has, nobody is known
 * now who uses it. None where it says the same.
 */
export function edgesBefore(
  view: FederationView,
  { repoUid }: Pick<KnownMember, 'repoUid'>,
  { path, bytes }: ContractBefore,
): readonly SeenEdge[] {
  const linked = view.linked();
  const known = before.get(linked) ?? new Map<string, readonly SeenEdge[]>();
  before.set(linked, known);
  const key = JSON.stringify([repoUid, path, hash('sha256', bytes, 'hex'), view.marks]);
  const edges = known.get(key) ?? edgesWith(view, repoUid, path, contractIn(path, bytes)?.outline);
  return keepNewest(known, key, edges, mostKept);
}

/** By the contracts as they are. */
const before = new WeakMap<LinkedContracts, Map<string, readonly SeenEdge[]>>();
const mostKept = 8;

function edgesWith(
  view: FederationView,
  repoUid: string,
  path: string,
  outline: ContractOutline | undefined,
): readonly SeenEdge[] {
  const declared = view.memberAt(repoUid)?.known?.contracts.declared ?? [];
  const now = declared.find(one => one.path === path);
  if (outline === undefined || JSON.stringify(now?.outline) === JSON.stringify(outline)) return [];
  const unknown = { hash: '', visibility: 'unknown', visibilityReason: '', modifiedAt: 0 } as const;
  const contract: DeclaredContract = { ...unknown, ...now, path, outline };
  const all = [...declared.filter(one => one !== now), contract].sort((a, b) => (a.path < b.path ? -1 : 1));
  const members = view.members.map(member =>
    member.repoUid === repoUid && member.known !== undefined
      ? { ...member, known: { ...member.known, contracts: { ...member.known.contracts, declared: all } } }
      : member,
  );
  return seenEdges(linkedMembers(members).edges, view.marks, idsIn(view));
}
