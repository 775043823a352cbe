import { createHash } from 'node:crypto';
import { appendTo } from '../../model/append-to.ts';
import type { ContractEdge, ContractKey, EdgeEvidence, EdgeRole, EdgeTier, PlacedUse } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';

/** An edge as one way of finding it tells of it. */
export interface FoundEdge {
  readonly from: string;
  readonly contract: ContractKey;
  readonly service: string;
  readonly role: EdgeRole;
  readonly tier: EdgeTier;
  readonly confidence: number;
  readonly providers: readonly string[];
  readonly evidence: readonly EdgeEvidence[];
  /** Routes that are alike are no evidence of anything but themselves: theirs is an edge of its own. */
  readonly by?: 'routes';
}

/** How sure an edge of a tier is that nothing makes less sure. */
export const confidenceOf = { declared: 1, derived: 0.85, heuristic: 0.5 } as const;

/**
 * Edges put together out of what was found, in whatever order that came: what is found in several ways is one edge with the
 * evidence of all, as sure as the surest. Sorted by their keys.
 */
export function mergedEdges(found: Iterable<FoundEdge>): readonly ContractEdge[] {
  const groups = new Map<string, FoundEdge[]>();
  for (const edge of found) {
    if (isOwn(edge) || edge.evidence.length === 0) continue;
    const { from, contract, service, role, by = '' } = edge;
    const key = JSON.stringify([from, contract.uid, contract.path, service, role, by]);
    appendTo(groups, key, edge);
  }
  return foldedFiles([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => merged(group)));
}

/** Nobody depends on itself; on others by a contract of its own it may. */
function isOwn({ from, contract, providers }: FoundEdge): boolean {
  return from === contract.uid && providers.every(one => one === from);
}

function merged(group: readonly FoundEdge[]): ContractEdge {
  const [first] = group;
  const strongest = group.reduce((best, one) => (strength(one) > strength(best) ? one : best), first!);
  const { from, contract, service, role } = first!;
  return {
    id: edgeId(first!),
    from,
    contract,
    service,
    role,
    tier: strongest.tier,
    confidence: strongest.confidence,
    providers: [...new Set(group.flatMap(({ providers }) => providers))].filter(one => one !== from).sort(),
    evidence: sortedEvidence(group.flatMap(({ evidence }) => evidence)),
  };
}

/**
 * 52 bits of a digest of its ends: a number that JSON and JavaScript have exactly. Of a service each repository has one file that
 * counts, wherever it lies: what people say of an edge outlives its move.
 */
function edgeId({ from, contract, service, role, by }: FoundEdge): number {
  const key = JSON.stringify([from, contract.uid, service === '' ? contract.path : '', service, role, by ?? '']);
  const known = ids.get(key);
  if (known !== undefined) return known;
  if (ids.size >= mostIds) ids.clear();
  const digest = createHash('sha256').update(key).digest();
  const id = Number(digest.readBigUInt64BE(0) >> 12n) || 1;
  ids.set(key, id);
  return id;
}

/** The same ends are met with each link, and a digest costs more than the rest of an edge. */
const ids = new Map<string, number>();
const mostIds = 100_000;

const tiers: readonly EdgeTier[] = ['heuristic', 'derived', 'declared'];

function strength({ tier, confidence }: Pick<FoundEdge, 'tier' | 'confidence'>): number {
  return tiers.indexOf(tier) + confidence;
}

/**
 * What depends on a file as a whole, and on services of it as well, is told with the services alone: what declares the former
 * declares the latter, as far as that is more than a guess.
 */
function foldedFiles(edges: readonly ContractEdge[]): readonly ContractEdge[] {
  const placeOf = ({ from, contract }: ContractEdge): string => JSON.stringify([from, contract.uid, contract.path]);
  const wholes = new Map(edges.filter(({ service }) => service === '').map(edge => [placeOf(edge), edge]));
  const folded = new Set<string>();
  const told = edges.map(edge => {
    const whole = edge.service === '' ? undefined : wholes.get(placeOf(edge));
    if (whole === undefined || edge.tier === 'heuristic') return edge;
    folded.add(placeOf(edge));
    const { tier, confidence } = strength(whole) > strength(edge) ? whole : edge;
    return { ...edge, tier, confidence, evidence: sortedEvidence([...edge.evidence, ...whole.evidence]) };
  });
  return told.filter(edge => edge.service !== '' || !folded.has(placeOf(edge)));
}

const kindsByWorth: readonly EdgeEvidence['kind'][] = [
  ...(['client', 'server', 'import', 'generator', 'dependency', 'load', 'stub-import', 'type-import'] as const),
  ...(['openapi-client', 'generated', 'copy', 'route-call', 'route'] as const),
];
const ranks = new Map(kindsByWorth.map((kind, rank) => [kind, rank]));

function sortedEvidence(evidence: readonly EdgeEvidence[]): readonly EdgeEvidence[] {
  if (evidence.length <= 1) return evidence;
  const unique = new Map<string, EdgeEvidence>();
  for (const one of evidence) {
    const key = `${one.kind} ${one.line} ${one.file}`;
    unique.set(key, withTypes(one, unique.get(key)));
  }
  const rank = ({ isTest, kind }: EdgeEvidence): number => (isTest ? ranks.size : 0) + ranks.get(kind)!;
  return [...unique.values()].sort(
    (a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  );
}

/** One line may take several types. */
function withTypes(one: EdgeEvidence, known: EdgeEvidence | undefined): EdgeEvidence {
  if (known === undefined || one.types === undefined) return one;
  return known.types === undefined ? known : { ...one, types: [...new Set([...known.types, ...one.types])].sort() };
}

export const evidenceOf = keptBy(
  ({ at, line, seen, kind, isTest }: PlacedUse): EdgeEvidence => ({ file: at, line, seen, kind, isTest }),
);
