import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { contractRisk, directEdges, transitiveConsumers } from '../../analysis/contracts/contract-impact.ts';
import { copiesAmong } from '../../analysis/contracts/copies.ts';
import type { LinkedContracts } from '../../analysis/contracts/link-contracts.ts';
import { qualified } from '../../analysis/contracts/services.ts';
import type { ContractKey, DeclaredContract } from '../../model/federation.ts';
import { warned } from '../history/told.ts';
import { chosen } from './lists.ts';
import type { FederationView, KnownMember, SeenEdge } from './member-view.ts';
import { contractAt, countingEdges, idsIn, memberOf, moduleOf, ownersOf, surest } from './seen-edges.ts';

type In<Name extends keyof Operations> = InputOf<Operations[Name]>;
type Out<Name extends keyof Operations> = OutputOf<Operations[Name]>;

export function contractsAnswer(view: FederationView, input: In<'contracts.list'>): Out<'contracts.list'> {
  const { repoId, contractType, visibility, limit } = input;
  const members = chosen(view, repoId === undefined ? undefined : [repoId]);
  const found = members.flatMap(member =>
    (member.known?.contracts.declared ?? [])
      .filter(
        contract =>
          (contractType === undefined || contract.outline.type === contractType) &&
          (visibility === undefined || contract.visibility === visibility),
      )
      .map(contract => ({ member, contract })),
  );
  return {
    contracts: found.slice(0, limit).map(({ member, contract }) => contractTold(view, member, contract)),
    total: found.length,
    ...warned(members.flatMap(unreadTold)),
    timestamp: timeOf(view),
  };
}

/** Says that there may be more contracts where nobody of ours may look. */
function unreadTold({ repoId, known }: KnownMember) {
  const { unread = [] } = known?.contracts ?? {};
  if (unread.length === 0) return [];
  const some = `${unread.slice(0, 3).join(', ')}${unread.length > 3 ? ', …' : ''}`;
  const message = `${repoId}: ${amount(unread.length, 'path')} could not be read, so that contracts may be missing: ${some}`;
  return [{ code: 'PARTIAL_RESULT', backend: 'tree-sitter', message }];
}

type Contract = Out<'contracts.list'>['contracts'][number];

/** By the contracts that are linked together: what is told of each hangs on nothing else. */
const told = new WeakMap<LinkedContracts, Map<DeclaredContract, Contract>>();

function contractTold(view: FederationView, member: KnownMember, contract: DeclaredContract): Contract {
  const linked = view.linked();
  const known = told.get(linked) ?? new Map<DeclaredContract, Contract>();
  told.set(linked, known);
  const made = known.get(contract) ?? tell(view, member, contract);
  known.set(contract, made);
  return made;
}

function tell(view: FederationView, member: KnownMember, contract: DeclaredContract): Contract {
  const { path, outline, visibility, visibilityReason, problem } = contract;
  const { repoId, repoUid, known } = member;
  const idOf = idsIn(view);
  const { providers, declaring } = view.linked();
  const services = servicesOf(contract);
  const copies = new Map(
    services
      .flatMap(name => declaring.get(name) ?? [])
      .filter(({ uid }) => uid !== repoUid)
      .map(({ uid, path: other }) => [`${uid}\0${other}`, { repoId: idOf(uid), path: other }]),
  );
  const files = known?.rows.files ?? {};
  const committedAt = Object.hasOwn(files, path) ? files[path]!.committedAt : undefined;
  return {
    ...{ repoId, path, contractType: outline.type, visibility, visibilityReason, services },
    lastModified: new Date(committedAt ?? contract.modifiedAt).toISOString(),
    name: outline.type === 'proto' ? outline.package : outline.title,
    version: outline.type === 'proto' ? outline.syntax : outline.apiVersion,
    operationCount:
      outline.type === 'proto'
        ? outline.services.reduce((sum, { methods }) => sum + methods.length, 0)
        : outline.operations.length,
    typeCount: outline.type === 'proto' ? outline.types.length : 0,
    // Whoever publishes a document serves it.
    providers:
      outline.type === 'openapi'
        ? [repoId]
        : [...new Set(services.flatMap(name => providers.get(name) ?? []))].map(idOf).sort(),
    copies: [...copies.values()],
    owners: [...ownersOf(member, path)],
    problem: problem ?? null,
  };
}

function servicesOf({ outline }: DeclaredContract): string[] {
  return outline.type === 'proto' ? outline.services.map(({ name }) => qualified(outline.package, name)) : [];
}

export function impactAnswer(view: FederationView, input: In<'contracts.impact'>): Out<'contracts.impact'> {
  const { repoId, path, includeTransitive, includeHeuristic, maxDepth } = input;
  const { member, contract } = contractAt(view, repoId, path);
  const edges = countingEdges(view, includeHeuristic);
  const key = { uid: member.repoUid, path };
  const importing = importersOf(member, path).map(one => ({ uid: member.repoUid, path: one }));
  const contracts: readonly [ContractKey, ...ContractKey[]] = [key, ...importing];
  const direct = contracts.flatMap(one => directEdges(edges, one)).filter(({ from }) => from !== member.repoUid);
  const transitive = includeTransitive ? transitiveConsumers(edges, contracts, maxDepth) : [];
  const idOf = idsIn(view);
  const contractOwners = ownersOf(member, path);
  const from = byDependent(transitive.length === 0 ? [] : edges);
  const directOwners = direct.map(edge => ownersOfEdge(view, edge));
  const affectedOwners = unique([
    ...directOwners.flat(),
    ...transitive.flatMap(step => ownersOfStep(view, from, step.path)),
  ]);
  const { visibility } = contract;
  const risk = contractRisk({ visibility, direct, transitive: transitive.length, contractOwners, affectedOwners });
  return {
    contract: { repoId, path, visibility },
    directConsumers: direct.map((edge, at) => ({
      repoId: idOf(edge.from),
      ...edgeTold(view, edge),
      owners: [...directOwners[at]!],
    })),
    transitiveConsumers: transitive.map(step => ({
      repoId: idOf(step.repo),
      depth: step.depth,
      path: step.path.map(idOf),
      confidence: step.confidence,
    })),
    riskAssessment: { level: risk.level, factors: [...risk.factors] },
    ownership: { contractOwners: [...contractOwners], affectedOwners },
    timestamp: timeOf(view),
  };
}

/** The `.proto` files of a member that import one, by way of others too: who consumes these is hit as well. */
function importersOf({ known }: KnownMember, path: string): readonly string[] {
  const protos = (known?.contracts.declared ?? []).flatMap(({ path: own, outline }) =>
    outline.type === 'proto' ? [{ own, imports: outline.imports.map(one => one.path) }] : [],
  );
  const found = new Set<string>([path]);
  for (const one of found) {
    for (const { own, imports } of protos) {
      if (imports.some(name => one === name || one.endsWith(`/${name}`))) found.add(own);
    }
  }
  found.delete(path);
  return [...found].sort();
}

function byDependent(edges: readonly SeenEdge[]): ReadonlyMap<string, readonly SeenEdge[]> {
  const found = new Map<string, SeenEdge[]>();
  for (const edge of edges) {
    const known = found.get(edge.from) ?? [];
    known.push(edge);
    found.set(edge.from, known);
  }
  return found;
}

/** Owners of the files that show that a repository depends on something. */
function ownersOfEdge(view: FederationView, { from, evidence }: SeenEdge): readonly string[] {
  const member = view.memberAt(from);
  return member === undefined ? [] : unique(evidence.flatMap(({ file }) => ownersOf(member, file)));
}

/** Of the last step of a way: who owns what depends on the repository before. */
function ownersOfStep(
  view: FederationView,
  from: ReadonlyMap<string, readonly SeenEdge[]>,
  path: readonly string[],
): readonly string[] {
  const [before, last] = path.slice(-2);
  return (from.get(last!) ?? [])
    .filter(({ contract, providers }) => contract.uid === before || providers.includes(before!))
    .flatMap(edge => ownersOfEdge(view, edge));
}

function unique(all: readonly string[]): string[] {
  return [...new Set(all)];
}

/** What is listed of the evidence of an edge. */
const mostEvidence = 10;

export function edgeTold(view: FederationView, edge: SeenEdge) {
  const { id, tier, confidence, evidence, service, role, verification } = edge;
  const member = view.memberAt(edge.from)!;
  const [best] = evidence;
  const more = evidence.length > 1 ? ` (and ${evidence.length - 1} more)` : '';
  return {
    edgeId: id,
    ...{ tier, confidence, service, role },
    evidence: `${best!.file}:${best!.line}: ${best!.seen}${more}`,
    evidences: evidence
      .slice(0, mostEvidence)
      .map(({ operations: _, types: __, ...one }) => ({ ...one, moduleId: moduleOf(member, one.file) })),
    evidenceCount: evidence.length,
    isTest: evidence.every(({ isTest }) => isTest),
    verified: verification !== undefined,
  };
}

export function edgesAnswer(view: FederationView, input: In<'contracts.edges'>): Out<'contracts.edges'> {
  const { repoId, service, tier, suppressed, limit } = input;
  const uid = repoId === undefined ? undefined : memberOf(view, repoId).repoUid;
  const idOf = idsIn(view);
  const found = view
    .edges()
    .filter(
      edge =>
        (edge.suppression !== undefined) === suppressed &&
        (uid === undefined || edge.from === uid || edge.contract.uid === uid || edge.providers.includes(uid)) &&
        (service === undefined || edge.service === service) &&
        (tier === undefined || edge.tier === tier),
    );
  return {
    edges: found.slice(0, limit).map(edge => ({
      ...edgeTold(view, edge),
      from: idOf(edge.from),
      contract: { repoId: idOf(edge.contract.uid), path: edge.contract.path },
      providers: edge.providers.map(idOf),
      suppressed: markTold(edge.suppression),
      verification: markTold(edge.verification),
    })),
    total: found.length,
    timestamp: timeOf(view),
  };
}

function markTold(mark: SeenEdge['suppression']) {
  if (mark === undefined) return null;
  return { by: mark.by, at: new Date(mark.at).toISOString(), reason: mark.reason ?? null };
}

export function depsAnswer(view: FederationView, input: In<'contracts.deps'>): Out<'contracts.deps'> {
  const { repoId, direction, moduleId, includeHeuristic } = input;
  const member = memberOf(view, repoId);
  const { repoUid } = member;
  refuseUnknownModule(member, moduleId);
  const edges = countingEdges(view, includeHeuristic);
  const isOfModule = (path: string): boolean => moduleId === undefined || moduleOf(member, path) === moduleId;
  const isToCopy = copiesAmong(edges);
  const consuming = edges.filter(edge => {
    const { contract, providers, from } = edge;
    if (from === repoUid) return false;
    return contract.uid === repoUid && !isToCopy(edge)
      ? isOfModule(contract.path)
      : moduleId === undefined && providers.includes(repoUid);
  });
  const used = edges.filter(
    edge =>
      edge.from === repoUid &&
      !(edge.role === 'provider' && isToCopy(edge)) &&
      edge.evidence.some(({ file }) => isOfModule(file)),
  );
  const homesOf = (edge: SeenEdge): readonly string[] => (isToCopy(edge) ? [] : [edge.contract.uid]);
  return {
    repoId,
    consumers: direction === 'dependencies' ? [] : grouped(view, consuming, ({ from }) => [from]),
    dependencies:
      direction === 'consumers'
        ? []
        : grouped(view, used, edge => [...homesOf(edge), ...edge.providers].filter(one => one !== repoUid)),
    timestamp: timeOf(view),
  };
}

/** Throws `resourceNotFound` for a module that a member has not, as far as that is known. */
function refuseUnknownModule({ known, repoId }: KnownMember, moduleId: string | undefined): void {
  if (moduleId === undefined || known === undefined) return;
  if (known.rows.modules.some(one => one.moduleId === moduleId)) return;
  throw new Fault('resourceNotFound', `${repoId} has no module ${JSON.stringify(moduleId)}`, {
    details: { repoId, moduleId },
  });
}

type Dependency = Out<'contracts.deps'>['consumers'][number];

function grouped(
  view: FederationView,
  edges: readonly SeenEdge[],
  otherEnds: (edge: SeenEdge) => readonly string[],
): Dependency[] {
  const idOf = idsIn(view);
  const groups = new Map<string, SeenEdge[]>();
  for (const edge of edges) {
    for (const uid of new Set(otherEnds(edge))) groups.set(uid, [...(groups.get(uid) ?? []), edge]);
  }
  return [...groups]
    .map(([uid, all]) => {
      const { tier } = surest(all);
      return {
        repoId: idOf(uid),
        contracts: unique(all.map(({ contract }) => contract.path)).sort(),
        ...{ tier, confidence: Math.max(...all.map(({ confidence }) => confidence)) },
        services: unique(all.map(({ service }) => service).filter(name => name !== '')).sort(),
        roles: [...new Set(all.map(({ role }) => role))].sort(),
        isTest: all.every(({ evidence }) => evidence.every(one => one.isTest)),
        edgeIds: all.map(({ id }) => id),
      };
    })
    .sort((a, b) => (a.repoId < b.repoId ? -1 : 1));
}

export function statsAnswer(view: FederationView): Out<'contracts.stats'> {
  const all = view.members.flatMap(({ known }) => known?.contracts.declared ?? []);
  const edges = view.edges();
  const counting = edges.filter(({ suppression }) => suppression === undefined);
  const count = <One>(list: readonly One[], fits: (one: One) => boolean): number => list.filter(fits).length;
  const ofType = (type: string): number => count(all, ({ outline }) => outline.type === type);
  const seen = (visibility: string): number => count(all, one => one.visibility === visibility);
  const ofTier = (tier: string): number => count(counting, one => one.tier === tier);
  return {
    totalContracts: all.length,
    byType: { proto: ofType('proto'), openapi: ofType('openapi') },
    byVisibility: { public: seen('public'), internal: seen('internal'), unknown: seen('unknown') },
    totalEdges: counting.length,
    edgesByTier: { declared: ofTier('declared'), derived: ofTier('derived'), heuristic: ofTier('heuristic') },
    suppressedEdges: edges.length - counting.length,
    verifiedEdges: count(edges, ({ verification }) => verification !== undefined),
    timestamp: timeOf(view),
  };
}

export function timeOf({ now }: FederationView): string {
  return new Date(now).toISOString();
}
