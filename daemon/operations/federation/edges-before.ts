import { hash } from 'node:crypto';
import { type LinkedContracts, linkContracts } from '../../analysis/contracts/link-contracts.ts';
import { areLinkedAlike } from '../../analysis/contracts/linked-alike.ts';
import { qualified } from '../../analysis/contracts/services.ts';
import { contractIn } from '../../extract/api-contract/contract-in.ts';
import type { ContractOutline } from '../../model/contract.ts';
import type { ContractEdge, ContractKey, DeclaredContract } from '../../model/federation.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { FederationView, KnownMember, SeenEdge } from './member-view.ts';
import { idsIn, linkedOf, seenEdges } from './seen-edges.ts';

/** A contract as a revision has it. */
export interface ContractBefore {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What they say, where that is known already. */
  readonly outline?: ContractOutline;
  /** Of a `.proto` file those that the revision has: others of the repository came later, maybe in the place of this one. */
  readonly protos: ReadonlySet<string> | undefined;
}

/**
 * The edges that there would be if a contract of a member said what it said before: of what it no longer has, nobody is known
 * now who uses it. None where it says the same.
 */
export function edgesBefore(
  view: FederationView,
  { repoUid }: Pick<KnownMember, 'repoUid'>,
  { path, bytes, outline, protos }: ContractBefore,
): readonly SeenEdge[] {
  const linked = view.linked();
  const known = before.get(linked) ?? new Map<string, readonly SeenEdge[]>();
  before.set(linked, known);
  const declared = view.memberAt(repoUid)?.known?.contracts.declared ?? [];
  const later = declared.filter(one => one.outline.type === 'proto' && protos?.has(one.path) === false);
  const paths = later.map(one => one.path);
  const key = JSON.stringify([repoUid, path, hash('sha256', bytes, 'hex'), paths, view.marks]);
  const edges =
    known.get(key) ?? edgesWith(view, { repoUid, path, later }, outline ?? contractIn(path, bytes)?.outline);
  return keepNewest(known, key, edges, mostKept);
}

/** By the contracts as they are. */
const before = new WeakMap<LinkedContracts, Map<string, readonly SeenEdge[]>>();
const mostKept = 8;

interface Changed {
  readonly repoUid: string;
  readonly path: string;
  /** `.proto` files that the revision has not. */
  readonly later: readonly DeclaredContract[];
}

function edgesWith(
  view: FederationView,
  { repoUid, path, later }: Changed,
  before: ContractOutline | undefined,
): readonly SeenEdge[] {
  const declared = view.memberAt(repoUid)?.known?.contracts.declared ?? [];
  const now = declared.find(one => one.path === path);
  if (before === undefined) return [];
  const replaced = new Set(later.filter(({ outline }) => sharesNames(outline, before)));
  const outlines = now && { member: repoUid, path, before, now: now.outline };
  if (outlines !== undefined && replaced.size === 0 && areLinkedAlike(linkedOf(view.members), outlines)) return [];
  const unknown = { hash: '', visibility: 'unknown', visibilityReason: '', modifiedAt: 0 } as const;
  const contract: DeclaredContract = { ...unknown, ...now, path, outline: before };
  const all = [...declared.filter(one => one !== now && !replaced.has(one)), contract].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const members = view.members.map(member =>
    member.repoUid === repoUid && member.known !== undefined
      ? { ...member, known: { ...member.known, contracts: { ...member.known.contracts, declared: all } } }
      : member,
  );
  const edges = linkContracts(linkedOf(members)).edges.filter(isTo({ uid: repoUid, path }, before));
  return seenEdges(edges, view.marks, idsIn(view));
}

/** Services and types, whatever package they are in. */
function sharesNames(one: ContractOutline, other: ContractOutline): boolean {
  const names = new Set(namesIn(one));
  return namesIn(other).some(name => names.has(name));
}

function namesIn(outline: ContractOutline): readonly string[] {
  return outline.type === 'proto' ? [...outline.services, ...outline.types].map(({ name }) => name) : [];
}

/** To a contract, or by a service of it to wherever that is at home. */
function isTo({ uid, path }: ContractKey, outline: ContractOutline): (edge: ContractEdge) => boolean {
  const services = outline.type === 'proto' ? outline.services.map(({ name }) => qualified(outline.package, name)) : [];
  const names = new Set(services);
  return ({ contract, service }) =>
    service === '' ? contract.uid === uid && contract.path === path : names.has(service);
}
