import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { ContractChange } from '../../analysis/contracts/breaking/change.ts';
import { openApiChanges } from '../../analysis/contracts/breaking/openapi/compare-openapi.ts';
import { protoChanges } from '../../analysis/contracts/breaking/proto/compare-proto.ts';
import { connectedProtos } from '../../analysis/contracts/breaking/proto/connected.ts';
import type { ProtoSide } from '../../analysis/contracts/breaking/proto/types.ts';
import { hitEdges } from '../../analysis/contracts/hit-edges.ts';
import { referencedFiles } from '../../extract/api-contract/openapi/other-files.ts';
import { schemaIn } from '../../extract/api-contract/schema-in.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { type ContractType, mostContractBytes, mostReferenced } from '../../model/contract.ts';
import type { ContractKey, EdgeMark, Federation } from '../../model/federation.ts';
import type { OpenApiSchema } from '../../model/openapi-schema.ts';
import { repoPath } from '../../model/paths.ts';
import type { ProtoSchema } from '../../model/proto-schema.ts';
import type { CommittedSide } from './committed-sides.ts';
import { timeOf } from './contract-answers.ts';
import { edgesBefore } from './edges-before.ts';
import { knownSchema } from './known-schemas.ts';
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
}

type Output = OutputOf<Operations['contracts.diff']>;

/** What differs, and whom it hits. Throws `fileNotFound` where neither side has the contract, `unsupportedFile` for what can't be read. */
export function diffAnswer(view: FederationView, { input, root, before, after }: DiffCall): Output {
  const { repoId, path, includeHeuristic } = input;
  const member = memberOf(view, repoId);
  const paths = new Set([
    path,
    ...before.files.keys(),
    ...(member.known?.contracts.declared ?? []).flatMap(({ path: one, outline }) =>
      outline.type === 'proto' ? [one] : [],
    ),
  ]);
  const isProto = path.endsWith('.proto');
  const onDisk = (): Files => (isProto ? filesOnDisk(root, paths) : documentsOnDisk(root, path));
  const later = after?.files ?? onDisk();
  const origin = isProto ? originOf(path, before.files, later) : path;
  const [former, now] = lookedAt(origin, before.files, later);
  const asked = now.get(path) ?? later.get(path);
  const [old, next] = [former.get(origin), asked && new Uint8Array(asked)];
  if (old === undefined && next === undefined) {
    throw new Fault('fileNotFound', 'Neither revision has a file there', { details: { path } });
  }
  const type = typeOf(path, next ?? old!);
  const changes = type === 'proto' ? protoDiff(origin, former, now) : openApiDiff(path, former, now);
  const known = countingEdges(view, includeHeuristic);
  const gone =
    old === undefined
      ? []
      : countingOf(
          edgesBefore(view, member, {
            path: origin,
            bytes: old,
            protos: isProto ? new Set(before.files.keys()) : undefined,
          }),
          includeHeuristic,
        );
  // One that there is still may have had calls of what is gone: it is looked at as it was, too.
  const edges = [...known, ...gone].filter(({ role, from }) => role !== 'provider' && from !== member.repoUid);
  const contracts = [...new Set([path, origin])].map(one => ({ uid: member.repoUid, path: one }));
  const told = changes.map(change => changeTold(view, change, contracts, edges));
  const count = (severity: ContractChange['severity']): number => told.filter(one => one.severity === severity).length;
  const broken = told.filter(({ severity }) => severity === 'breaking').flatMap(({ consumers }) => consumers);
  return {
    contract: { repoId, path, contractType: type },
    base: { revision: before.revision, commit: before.commit, exists: old !== undefined },
    head: { revision: after?.revision ?? '', commit: after?.commit ?? null, exists: next !== undefined },
    changes: told,
    summary: {
      ...{ breaking: count('breaking'), risky: count('risky'), safe: count('safe') },
      consumersHit: [...new Set(broken.map(one => one.repoId))].sort(),
    },
    timestamp: timeOf(view),
  };
}

/**
 * Where a `.proto` file stood before that the earlier revision has not at its path: of those that the later one has no more, the
 * one that has most of its names; else its own path.
 */
function originOf(path: string, before: Files, after: Files): string {
  const bytes = after.get(path);
  if (bytes === undefined || before.has(path)) return path;
  const names = new Set(namesIn(path, bytes));
  const gone = [...before.keys()].filter(one => one.endsWith('.proto') && !after.has(one));
  const shares = gone.slice(0, mostGone).map(one => {
    const theirs = namesIn(one, before.get(one)!);
    return { one, share: theirs.filter(name => names.has(name)).length / Math.max(theirs.length, names.size, 1) };
  });
  const [best] = shares.sort((a, b) => b.share - a.share || (a.one < b.one ? -1 : 1));
  return best !== undefined && best.share >= 0.5 ? best.one : path;
}

/** Of more files that are gone nobody asks which of them another was. */
const mostGone = 200;

function namesIn(path: string, bytes: Uint8Array): readonly string[] {
  const read = knownSchema(path, new Uint8Array(bytes));
  if (read === undefined || 'problem' in read || read.type !== 'proto') return [];
  const { services, messages, enums } = read.schema;
  return [...services, ...messages, ...enums].map(({ name }) => name);
}

/** Of two revisions the files that tell what differs; none of them shared with other threads any more. */
function lookedAt(path: string, before: Files, after: Files): readonly [Files, Files] {
  const wanted = path.endsWith('.proto') ? connectedProtos(path, [before, after]) : undefined;
  const own = (files: Files): Files =>
    new Map(
      [...files].filter(([one]) => wanted?.has(one) !== false).map(([one, bytes]) => [one, new Uint8Array(bytes)]),
    );
  return [own(before), own(after)];
}

const limits = { bytes: mostContractBytes, lineCharacters: Number.MAX_SAFE_INTEGER } as const;

function filesOnDisk(root: string, paths: Iterable<string>): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const one of paths) {
    const path = repoPath(one);
    const read = path === undefined ? undefined : readRepositoryFile(root, path, undefined, limits);
    if (read?.kind === 'text') files.set(one, read.bytes);
  }
  return files;
}

/** A document and those that it refers to, directly or through others. */
function documentsOnDisk(root: string, path: string): Files {
  const files = new Map<string, Uint8Array>();
  const wanted = new Set([path]);
  for (const one of wanted) {
    if (files.size >= mostReferenced) break;
    for (const [own, bytes] of filesOnDisk(root, [one])) {
      files.set(own, bytes);
      for (const other of referencedFiles(own, bytes)) wanted.add(other);
    }
  }
  return files;
}

function typeOf(path: string, bytes: Uint8Array): ContractType {
  const read = knownSchema(path, bytes);
  if (read === undefined) throw unreadable(path, 'it is neither a .proto file nor an OpenAPI document');
  if ('problem' in read) throw unreadable(path, `line ${read.problem.line}: ${read.problem.message}`);
  return read.type;
}

function unreadable(path: string, why: string): Fault {
  return new Fault('unsupportedFile', `${path} can’t be compared: ${why}`, { details: { path } });
}

type Files = ReadonlyMap<string, Uint8Array>;

function protoDiff(path: string, before: Files, after: Files): readonly ContractChange[] {
  return protoChanges(protoSide(path, before, after), protoSide(path, after, before));
}

/** Of other files those that can be read, and what is wrong with those that can't; that of the contract must be readable. */
function protoSide(path: string, files: Files, other: Files): ProtoSide {
  const schemas = new Map<string, ProtoSchema>();
  const unread = new Map<string, { readonly line: number; readonly message: string }>();
  for (const [one, bytes] of files) {
    const read = knownSchema(one, bytes);
    if (read === undefined) continue;
    if ('problem' in read) {
      const { line, message } = read.problem;
      if (one === path) throw unreadable(path, `line ${line}: ${message}`);
      if (!isSame(bytes, other.get(one))) unread.set(one, read.problem);
    } else if (read.type === 'proto') schemas.set(one, read.schema);
  }
  return { path, files: schemas, unread };
}

function isSame(bytes: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(bytes, other) === 0;
}

function openApiDiff(path: string, before: Files, after: Files): readonly ContractChange[] {
  const schemaOf = (files: Files): OpenApiSchema | undefined => {
    const bytes = files.get(path);
    const read = bytes === undefined ? undefined : schemaIn(path, bytes, files);
    if (read === undefined) return undefined;
    if ('problem' in read) throw unreadable(path, `line ${read.problem.line}: ${read.problem.message}`);
    return read.type === 'openapi' ? read.schema : undefined;
  };
  return openApiChanges({ path, schema: schemaOf(before) }, { path, schema: schemaOf(after) });
}

function changeTold(
  view: FederationView,
  change: ContractChange,
  contracts: readonly ContractKey[],
  edges: readonly SeenEdge[],
): Output['changes'][number] {
  const { severity, before, after, services, methods, compatibility, ...rest } = change;
  const idOf = idsIn(view);
  return {
    ...rest,
    severity,
    compatibility: [...compatibility],
    services: [...services],
    methods: [...methods],
    before: before ?? null,
    after: after ?? null,
    consumers: hitEdges(change, contracts, edges).map(({ id, from, service, tier, confidence, evidence }) => ({
      ...{ repoId: idOf(from), edgeId: id, service, tier, confidence },
      isTest: evidence.every(one => one.isTest),
    })),
  };
}
