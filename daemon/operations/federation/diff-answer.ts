import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { ContractChange } from '../../analysis/contracts/breaking/change.ts';
import { hitEdges, typesReached } from '../../analysis/contracts/hit-edges.ts';
import type { ContractKey, EdgeMark, Federation, MemberContracts } from '../../model/federation.ts';
import type { CommittedSide } from './committed-sides.ts';
import { type Compared, comparedSides } from './compare-sides.ts';
import { timeOf } from './contract-answers.ts';
import { edgesBefore } from './edges-before.ts';
import type { FederationView, SeenEdge } from './member-view.ts';
import { countingEdges, countingOf, idsIn, memberOf } from './seen-edges.ts';

/** Two revisions of a contract to be compared; plain values, so that it crosses to the worker. */
export interface DiffCall {
  readonly input: InputOf<Operations['contracts.diff']>;
  readonly federation: Federation;
  readonly marks: readonly EdgeMark[];
  readonly now: number;
  /** Of the repository's work tree. */
  readonly root: string;
  readonly before: CommittedSide;
  /** Undefined: the work tree. */
  readonly after: CommittedSide | undefined;
  /** See `CompareCall`. */
  readonly listed: readonly string[];
  /** What they come to, where another thread has found it out. */
  readonly compared?: Compared;
}

type Output = OutputOf<Operations['contracts.diff']>;

/** What differs, and whom it hits. Throws as `comparedSides`. */
export function diffAnswer(view: FederationView, { input, root, before, after, listed, ...call }: DiffCall): Output {
  const { repoId, path, includeHeuristic } = input;
  const member = memberOf(view, repoId);
  const protos = (): readonly string[] => protosOf(member.known?.contracts);
  const { type, changes, within, old, exists } =
    call.compared ?? comparedSides({ path, root, protos: protos(), listed, before, after });
  const known = countingEdges(view, includeHeuristic);
  const had = type === 'proto' ? new Set(before.files.keys()) : undefined;
  const gone =
    old === undefined ? [] : countingOf(edgesBefore(view, member, { ...old, protos: had }), includeHeuristic);
  const places = new Set([path, old?.path ?? path, ...changes.flatMap(newPlace)]);
  const contracts = [...places].map(one => ({ uid: member.repoUid, path: one }));
  // One that there is still may have had calls of what is gone: it is looked at as it was, too.
  const edges = [...known, ...withoutKnown(gone, known, contracts)].filter(
    ({ role, from }) => role !== 'provider' && from !== member.repoUid,
  );
  const takes = typesReached(within);
  const told = changes.map(change => changeTold(view, change, hitEdges(change, { contracts, edges, takes })));
  const count = (severity: ContractChange['severity']): number => told.filter(one => one.severity === severity).length;
  const broken = told.filter(({ severity }) => severity === 'breaking').flatMap(({ consumers }) => consumers);
  return {
    contract: { repoId, path, contractType: type },
    base: { revision: before.revision, commit: before.commit, exists: old !== undefined },
    head: { revision: after?.revision ?? '', commit: after?.commit ?? null, exists },
    changes: told,
    summary: {
      ...{ breaking: count('breaking'), risky: count('risky'), safe: count('safe') },
      consumersHit: [...new Set(broken.map(one => one.repoId))].sort(),
    },
    timestamp: timeOf(view),
  };
}

/** Without those that are known of one of the contract's places already, by the same uses: a move makes nobody two consumers. */
function withoutKnown(
  gone: readonly SeenEdge[],
  known: readonly SeenEdge[],
  contracts: readonly ContractKey[],
): readonly SeenEdge[] {
  const keysOf = ({ from, service, evidence }: SeenEdge): readonly string[] =>
    evidence.map(({ kind, file, line, operations, types }) =>
      JSON.stringify([from, service, kind, file, line, operations, types]),
    );
  const isOfIt = ({ contract }: SeenEdge): boolean =>
    contracts.some(({ uid, path }) => contract.uid === uid && contract.path === path);
  const found = new Set(known.filter(isOfIt).flatMap(keysOf));
  return gone.filter(edge => edge.service !== '' || !keysOf(edge).every(key => found.has(key)));
}

/** Where a contract went that moved: some may be known to have it from there. */
function newPlace({ id, after }: ContractChange): readonly string[] {
  return id === 'file-moved' && after !== undefined ? [after.path] : [];
}

/** The `.proto` files of a repository. */
export function protosOf(contracts: MemberContracts | undefined): readonly string[] {
  return (contracts?.declared ?? []).flatMap(({ path, outline }) => (outline.type === 'proto' ? [path] : []));
}

const mostUses = 20;

function placesOf(evidence: SeenEdge['evidence']): Output['changes'][number]['consumers'][number]['uses'] {
  const places = new Map(evidence.map(({ file: path, line }) => [`${path}:${line}`, { path, line }]));
  return [...places.values()].slice(0, mostUses);
}

function changeTold(view: FederationView, change: ContractChange, hit: readonly SeenEdge[]): Output['changes'][number] {
  const { severity, before, after, services, methods, compatibility, type: _, ...rest } = change;
  const idOf = idsIn(view);
  return {
    ...rest,
    severity,
    compatibility: [...compatibility],
    services: [...services],
    methods: [...methods],
    before: before ?? null,
    after: after ?? null,
    consumers: hit.map(({ id, from, service, tier, confidence, evidence }) => ({
      ...{ repoId: idOf(from), edgeId: id, service, tier, confidence },
      isTest: evidence.every(one => one.isTest),
      uses: placesOf(evidence),
    })),
  };
}
