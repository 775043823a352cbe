import { appendTo } from '../../model/append-to.ts';
import type { ContractVisibility } from '../../model/contract.ts';
import type { ContractEdge, ContractKey } from '../../model/federation.ts';
import { rounded } from '../../model/rounded.ts';
import { copiesAmong } from './copies.ts';

/** A repository that is hit by way of others. */
export interface TransitiveConsumer {
  readonly repo: string;
  readonly depth: number;
  /** Repositories, from the contract's to this one. */
  readonly path: readonly string[];
  /** Of all steps together, 0 to 1. */
  readonly confidence: number;
}

export function directEdges<Edge extends ContractEdge>(
  edges: readonly Edge[],
  { uid, path }: ContractKey,
): readonly Edge[] {
  return edges.filter(({ contract }) => contract.uid === uid && contract.path === path);
}

/**
 * Who consumes what the direct consumers provide, and so on: each repository once, by the shortest way, and of these by the
 * surest. Depth 1 are the direct ones, which are not told again. `contracts`: of one repository, that which changes and those that
 * import it.
 */
export function transitiveConsumers(
  edges: readonly ContractEdge[],
  contracts: readonly [ContractKey, ...ContractKey[]],
  maxDepth: number,
): readonly TransitiveConsumer[] {
  const dependents = dependentsOf(edges);
  const reached = new Map<string, TransitiveConsumer>();
  const [{ uid }] = contracts;
  for (const { from, confidence } of contracts.flatMap(one => directEdges(edges, one))) {
    const known = reached.get(from);
    if (from === uid || (known !== undefined && known.confidence >= confidence)) continue;
    reached.set(from, { repo: from, depth: 1, path: [uid, from], confidence });
  }
  let frontier = [...reached.values()];
  for (let depth = 2; depth <= maxDepth && frontier.length > 0; depth++) {
    const next = new Map<string, TransitiveConsumer>();
    for (const step of frontier) {
      for (const { from, confidence: ofEdge } of dependents.get(step.repo) ?? []) {
        if (from === uid || reached.has(from)) continue;
        const found = {
          repo: from,
          depth,
          path: [...step.path, from],
          confidence: rounded(step.confidence * ofEdge, 4),
        };
        const known = next.get(from);
        if (known === undefined || isSurer(found, known)) next.set(from, found);
      }
    }
    for (const [repo, found] of next) reached.set(repo, found);
    frontier = [...next.values()];
  }
  return [...reached.values()]
    .filter(({ depth }) => depth > 1)
    .sort((a, b) => a.depth - b.depth || b.confidence - a.confidence || (a.repo < b.repo ? -1 : 1));
}

function isSurer(one: TransitiveConsumer, other: TransitiveConsumer): boolean {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence;
  return one.path.join('\n') < other.path.join('\n');
}

/** By repository: the edges of those who depend on what it declares or implements. */
function dependentsOf(edges: readonly ContractEdge[]): ReadonlyMap<string, readonly ContractEdge[]> {
  const found = new Map<string, ContractEdge[]>();
  const isToCopy = copiesAmong(edges);
  for (const edge of edges) {
    const homes = isToCopy(edge) ? [] : [edge.contract.uid];
    for (const repo of new Set([...homes, ...edge.providers])) appendTo(found, repo, edge);
  }
  return found;
}

export type RiskLevel = 'low' | 'medium' | 'high' | 'critical';

export interface RiskInput {
  readonly visibility: ContractVisibility;
  readonly direct: readonly ContractEdge[];
  readonly transitive: number;
  readonly contractOwners: readonly string[];
  readonly affectedOwners: readonly string[];
}

/**
 * How much a change of a contract risks: a weighted mean of how widely it is meant to be seen (0.25), how many repositories
 * consume it directly (0.35) and indirectly (0.15), on a logarithmic scale that sixteen fill, how many of those who own
 * what is hit are not those who own it (0.15), and how sure the edges are (0.1). Levels are those of the impact of a symbol.
 */
export function contractRisk(input: RiskInput): { readonly level: RiskLevel; readonly factors: readonly string[] } {
  const { visibility, transitive, contractOwners, affectedOwners } = input;
  const direct = input.direct.filter(edge => !isOfTests(edge));
  const repos = reposOf(direct);
  if (repos === 0) {
    const nobody = 'no repository of the federation is known to depend on it';
    return { level: 'low', factors: input.direct.length === 0 ? [nobody] : [`${nobody} but in tests`] };
  }
  const others = affectedOwners.filter(owner => !contractOwners.includes(owner)).length;
  const sure = direct.reduce((sum, { confidence }) => sum + confidence, 0) / direct.length;
  const score =
    0.25 * { public: 1, unknown: 0.5, internal: 0.3 }[visibility] +
    0.35 * onScale(repos) +
    0.15 * onScale(transitive) +
    0.15 * (affectedOwners.length === 0 ? 0.5 : others / affectedOwners.length) +
    0.1 * sure;
  return { level: levelOf(score), factors: factorsOf(input, direct, others) };
}

function isOfTests({ evidence }: ContractEdge): boolean {
  return evidence.length > 0 && evidence.every(({ isTest }) => isTest);
}

function reposOf(edges: readonly ContractEdge[]): number {
  return new Set(edges.map(({ from }) => from)).size;
}

function onScale(count: number): number {
  return Math.min(1, Math.log2(1 + count) / Math.log2(17));
}

function levelOf(score: number): RiskLevel {
  return score >= 0.85 ? 'critical' : score >= 0.7 ? 'high' : score >= 0.4 ? 'medium' : 'low';
}

function factorsOf(
  { visibility, transitive, direct: all }: RiskInput,
  direct: readonly ContractEdge[],
  others: number,
): readonly string[] {
  const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
  const providers = reposOf(direct.filter(({ role }) => role === 'provider'));
  const consumers = reposOf(direct.filter(({ role }) => role !== 'provider'));
  const declared = direct.filter(({ tier }) => tier === 'declared').length;
  const guessed = direct.filter(({ tier }) => tier === 'heuristic').length;
  return [
    consumers === 0 ? '' : `${count(consumers, 'repository depends', 'repositories depend')} on it directly`,
    providers === 0 ? '' : `${count(providers, 'repository implements', 'repositories implement')} what it says`,
    transitive === 0 ? '' : `${count(transitive, 'more', 'more')} indirectly`,
    all.length === direct.length
      ? ''
      : `${count(all.length - direct.length, 'edge is', 'edges are')} of tests alone, and counts for nothing`,
    visibility === 'public' ? 'it is public: others may consume it who are not in the federation' : '',
    others === 0 ? '' : `${count(others, 'owner', 'owners')} of what is hit, who do not own the contract`,
    declared === 0 ? '' : `${count(declared, 'edge is', 'edges are')} declared`,
    guessed === 0 ? '' : `${count(guessed, 'edge is', 'edges are')} a guess by names or routes`,
  ].filter(text => text !== '');
}
