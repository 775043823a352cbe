import { Fault } from '../../../client/protocol/faults.ts';
import type { ContractEdge, DeclaredContract, EdgeMark, EdgeTier, LinkedMember } from '../../model/federation.ts';
import { fix } from '../finding.ts';
import { chosen } from './lists.ts';
import type { FederationView, KnownMember, SeenEdge } from './member-view.ts';

/** The members whose contracts are known. */
export function linkedOf(members: readonly KnownMember[]): readonly LinkedMember[] {
  return members.flatMap(({ repoUid, repoId, known }) =>
    known === undefined ? [] : [{ uid: repoUid, name: repoId, contracts: known.contracts }],
  );
}

/** Edges with what people have said of them, in the order of what people call their ends. */
export function seenEdges(
  edges: readonly ContractEdge[],
  marks: readonly EdgeMark[],
  idOf: (uid: string) => string,
): readonly SeenEdge[] {
  const of = (mark: EdgeMark['mark']): ReadonlyMap<number, EdgeMark> =>
    new Map(marks.filter(one => one.mark === mark).map(one => [one.edgeId, one]));
  const [suppressed, verified] = [of('suppressed'), of('verified')];
  return inOrderOfNames(edges, idOf).map(edge => {
    const verification = verified.get(edge.id);
    return {
      ...edge,
      foundConfidence: edge.confidence,
      confidence: verification === undefined ? edge.confidence : 1,
      suppression: suppressed.get(edge.id),
      verification,
    };
  });
}

function inOrderOfNames(edges: readonly ContractEdge[], idOf: (uid: string) => string): readonly ContractEdge[] {
  return edges
    .map(edge => {
      const { from, contract, service, role } = edge;
      return { edge, key: [idOf(from), idOf(contract.uid), contract.path, service, role].join('\0') };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ edge }) => edge);
}

/** Those of some that count: suppressed ones don't, and guesses only where they are asked for or somebody has verified them. */
export function countingOf(edges: readonly SeenEdge[], includeHeuristic: boolean): readonly SeenEdge[] {
  return edges.filter(
    ({ suppression, tier, verification }) =>
      suppression === undefined && (includeHeuristic || tier !== 'heuristic' || verification !== undefined),
  );
}

export function countingEdges(view: FederationView, includeHeuristic: boolean): readonly SeenEdge[] {
  return countingOf(view.edges(), includeHeuristic);
}

/** Throws `resourceNotFound` for an edge that there is not. */
export function edgeOf(view: FederationView, edgeId: number): SeenEdge {
  const found = view.edges().find(({ id }) => id === edgeId);
  if (found !== undefined) return found;
  const { name } = view.federation;
  throw new Fault('resourceNotFound', `The federation ${name} has no edge ${edgeId}`, {
    details: { federation: name, edgeId },
    suggestedFixes: [fix(`svc contracts edges ${name}`, 'Show its edges, with their ids')],
  });
}

/** Throws `resourceNotFound` for a repository that is no member. */
export function memberOf(view: FederationView, repoId: string): KnownMember {
  return chosen(view, [repoId])[0]!;
}

export interface PlacedContract {
  readonly member: KnownMember;
  readonly contract: DeclaredContract;
}

/** Throws `resourceNotFound` for a contract that there is not, or not yet. */
export function contractAt(view: FederationView, repoId: string, path: string): PlacedContract {
  const member = memberOf(view, repoId);
  const contract = member.known?.contracts.declared.find(one => one.path === path);
  if (contract !== undefined) return { member, contract };
  const { name } = view.federation;
  const why =
    member.known === undefined ? `${repoId} has not been synchronised yet` : `${repoId} has no contract there`;
  throw new Fault('resourceNotFound', why, {
    details: { federation: name, repoId, path },
    suggestedFixes: [
      member.known === undefined
        ? fix(`svc federation sync ${name}`, 'Synchronise the federation')
        : fix(`svc contracts list ${name} --repo-id ${repoId}`, 'Show the contracts of the repository'),
    ],
  });
}

/** The id of a member by its repository. */
export function idsIn(view: FederationView): (uid: string) => string {
  return uid => view.memberAt(uid)?.repoId ?? '';
}

/** Who owns a file of a member, as of its synchronisation. */
export function ownersOf({ known }: Pick<KnownMember, 'known'>, path: string): readonly string[] {
  const files = known?.rows.files ?? {};
  return Object.hasOwn(files, path) ? files[path]!.owners : [];
}

export function moduleOf({ known }: Pick<KnownMember, 'known'>, path: string): string {
  const files = known?.rows.files ?? {};
  return Object.hasOwn(files, path) ? files[path]!.moduleId : '@root';
}

const tiers: readonly EdgeTier[] = ['declared', 'derived', 'heuristic'];

/** The surest of some edges, at least one. */
export function surest(edges: readonly SeenEdge[]): SeenEdge {
  return edges.toSorted(
    (a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || b.confidence - a.confidence || a.id - b.id,
  )[0]!;
}
