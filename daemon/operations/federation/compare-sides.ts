import { Fault } from '../../../client/protocol/faults.ts';
import type { ContractChange } from '../../analysis/contracts/breaking/change.ts';
import { type OpenApiSide, openApiChanges } from '../../analysis/contracts/breaking/openapi/compare-openapi.ts';
import { type ComparedProtos, compareProtos } from '../../analysis/contracts/breaking/proto/compare-proto.ts';
import { connectedProtos } from '../../analysis/contracts/breaking/proto/connected.ts';
import type { ProtoSide } from '../../analysis/contracts/breaking/proto/types.ts';
import { referencedFiles } from '../../extract/api-contract/openapi/other-files.ts';
import { schemaIn } from '../../extract/api-contract/schema-in.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { type ContractType, mostContractBytes, mostReferenced } from '../../model/contract.ts';
import { repoPath } from '../../model/paths.ts';
import type { ProtoSchema } from '../../model/proto-schema.ts';
import type { CommittedSide } from './committed-sides.ts';
import type { ContractBefore } from './edges-before.ts';
import { knownSchema } from './known-schemas.ts';

/** Two sides of a contract; plain values, so that they cross to a thread. */
export interface CompareCall {
  readonly path: string;
  /** Of the repository's work tree. */
  readonly root: string;
  /** `.proto` files that the work tree may have beside those that `before` has. */
  readonly protos: readonly string[];
  /** And those that it has for sure, where that was asked. */
  readonly listed?: readonly string[];
  readonly before: CommittedSide;
  /** Undefined: the work tree. */
  readonly after: CommittedSide | undefined;
}

/** What differs, whoever uses it. */
export interface Compared {
  readonly type: ContractType;
  readonly changes: readonly ContractChange[];
  /** Of protobuf: see `ComparedProtos`. */
  readonly within: ReadonlyMap<string, readonly string[]>;
  /** The contract as it was, wherever it stood; undefined where there was none. */
  readonly old: Omit<ContractBefore, 'protos'> | undefined;
  /** Whether there is one now. */
  readonly exists: boolean;
}

/** Throws `fileNotFound` where neither side has the contract, `unsupportedFile` for what can't be read. */
export function comparedSides({ path, root, protos, listed = [], before, after }: CompareCall): Compared {
  const isProto = path.endsWith('.proto');
  const onDisk = (): Files =>
    isProto
      ? filesOnDisk(root, new Set([path, ...before.files.keys(), ...protos, ...listed]))
      : documentsOnDisk(root, path);
  const later = after?.files ?? onDisk();
  const origin = originOf(path, before.files, later);
  const [former, now] = lookedAt(origin, before.files, later);
  const asked = now.get(path) ?? later.get(path);
  const [old, next] = [former.get(origin), asked && new Uint8Array(asked)];
  if (old === undefined && next === undefined) {
    throw new Fault('fileNotFound', 'Neither revision has a file there', { details: { path } });
  }
  const type = typeOf(path, next ?? old!);
  return {
    type,
    ...(type === 'proto'
      ? protoDiff({ path: origin, files: former, all: before.files }, { path: origin, files: now, all: later })
      : { changes: openApiDiff({ path: origin, files: former }, { path, files: now }), within: new Map() }),
    old: old && { path: origin, bytes: old },
    exists: next !== undefined,
  };
}

/**
 * Where a contract stood before that the earlier revision has not at its path: of those that the later one has no more, the one
 * that has most of its names; else its own path.
 */
function originOf(path: string, before: Files, after: Files): string {
  const bytes = after.get(path);
  if (bytes === undefined || before.has(path)) return path;
  const gone = [...before.keys()].filter(one => one.endsWith('.proto') === path.endsWith('.proto') && !after.has(one));
  if (gone.length === 0) return path;
  const names = new Set(namesIn(path, bytes));
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
  if (read === undefined || 'problem' in read) return [];
  if (read.type === 'openapi') return read.schema.operations.map(operation => `${operation.method} ${operation.path}`);
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

interface ProtoFiles extends DocumentSide {
  /** With those that have nothing to do with the contract. */
  readonly all: Files;
}

function protoDiff(before: ProtoFiles, after: ProtoFiles): ComparedProtos {
  return compareProtos(protoSide(before, after.files), protoSide(after, before.files));
}

/** Of other files those that can be read, and what is wrong with those that can't; that of the contract must be readable. */
function protoSide({ path, files, all }: ProtoFiles, other: Files): ProtoSide {
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
  return { path, files: schemas, unread, paths: [...all.keys()] };
}

function isSame(bytes: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(bytes, other) === 0;
}

interface DocumentSide {
  readonly path: string;
  readonly files: Files;
}

function openApiDiff(before: DocumentSide, after: DocumentSide): readonly ContractChange[] {
  const sideOf = ({ path, files }: DocumentSide): OpenApiSide => {
    const bytes = files.get(path);
    const read = bytes && schemaIn(path, bytes, files);
    if (read !== undefined && 'problem' in read)
      throw unreadable(path, `line ${read.problem.line}: ${read.problem.message}`);
    return { path, schema: read?.type === 'openapi' ? read.schema : undefined };
  };
  return openApiChanges(sideOf(before), sideOf(after));
}
