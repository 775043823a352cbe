import { createHash } from 'node:crypto';
import { visibilityOf } from '../../analysis/contracts/visibility.ts';
import { contractIn } from '../../extract/api-contract/contract-in.ts';
import { contractUsesIn } from '../../extract/contract-use/contract-uses.ts';
import { readerOf } from '../../extract/contract-use/readers.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { type ContractFacts, mostContractBytes } from '../../model/contract.ts';
import type { DeclaredContract, MemberContracts, PlacedUse } from '../../model/federation.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { isTestPath } from '../../model/mount.ts';
import { directoryOf } from '../../model/paths.ts';
import { inSlices } from '../in-slices.ts';
import { contractFactsVersion } from './facts-version.ts';

/** What the files of a repository tell of contracts, by path: a file is read again when its bytes or its path are others. */
export interface ContractScan {
  /** `contractFactsVersion` of what was read: of another, nothing is taken over. */
  readonly version: number;
  readonly files: Readonly<Record<string, ScannedFile>>;
  /** Of the files that tell nothing: the beginning of a digest of path and content, eight bytes each, sorted; in base64. */
  readonly silent: string;
  /** Files that code is written in, by people or generators. */
  readonly codeFiles: number;
  /** Contracts, by their names, that nobody of ours may read, and folders that may hold some; of an older scan nobody looked. */
  readonly unread?: readonly string[];
}

export interface ScannedFile {
  readonly hash: string;
  readonly facts: ContractFacts;
  /** Milliseconds. */
  readonly modifiedAt: number;
}

export interface ScanRequest {
  readonly root: string;
  readonly entries: readonly ManifestLine[];
  /** What of the tree nobody of ours may look into. */
  readonly closed: readonly string[];
  /** Undefined: everything is read. */
  readonly before: ContractScan | undefined;
  readonly signal: AbortSignal;
}

/** Of generated code the first bytes tell what it is; what is larger is nobody's source. */
const limits = { bytes: 4 * 2 ** 20, lineCharacters: Number.MAX_SAFE_INTEGER } as const;

/** Reads what has changed of a tree, in slices between which others get their turn. Rejects where the signal fires. */
export async function scanContracts({ root, entries, closed, signal, ...request }: ScanRequest): Promise<ContractScan> {
  const before = request.before?.version === contractFactsVersion ? request.before : undefined;
  const silentBefore = new Set(keysIn(before?.silent ?? ''));
  const files: Record<string, ScannedFile> = Object.create(null);
  const silent: bigint[] = [];
  const unread = [...closed];
  let codeFiles = 0;
  const check = (): void => signal.throwIfAborted();
  await inSlices(entries, check, line => {
    const { path, hash, skip } = line.entry;
    if (skip === 'unreadable' && mayBeContract(path)) unread.push(path);
    if (hash === '') return;
    if (isCode(path)) codeFiles++;
    if (!mayBeContract(path) && !mayShowUses(path)) return;
    const key = keyOf(path, hash);
    const known = before !== undefined && Object.hasOwn(before.files, path) ? before.files[path] : undefined;
    if (known?.hash === hash) {
      files[path] = known;
      return;
    }
    const told = silentBefore.has(key) ? undefined : factsOf(root, line);
    if (told === undefined) silent.push(key);
    else files[path] = { hash, ...told };
  });
  const sorted = BigUint64Array.from(silent).sort();
  const more = { codeFiles, unread: unread.slice(0, mostUnread) };
  return { version: contractFactsVersion, files, silent: Buffer.from(sorted.buffer).toString('base64'), ...more };
}

/** Nobody is told of more. */
const mostUnread = 1_000;

/** By its name; what is in it tells. */
function mayBeContract(path: string): boolean {
  return /\.(?:proto|ya?ml|json)$|(?:^|\/)buf\.lock$/i.test(path);
}

/** Source code, by people or generators: of languages without a reader as well, but for what is generated of contracts there. */
export function isCode(path: string): boolean {
  const language = readerOf(path)?.language;
  return language === undefined ? unread.test(path) && !ofContracts.test(path) : language !== 'configuration';
}

/** Files of languages whose code nothing is looked for in. */
const unread =
  /\.(?:c|fsx?|fsi|vb|groovy|gvy|clj[sc]?|hs|lhs|purs|elm|mli?|rei?|gleam|lua|p[lm]|raku(?:mod)?|r|jl|nim|zig|cr|d|di|pas|dpr|ad[bs]|f90|f95|f03|cob|cbl|lisp|scm|rkt|tcl|hx|vala|coffee|pyx|cu|sol|odin)$/i;

const ofContracts = /[._]pb(?:-c)?\.\w{1,5}$/;

function mayShowUses(path: string): boolean {
  return readerOf(path) !== undefined;
}

function keyOf(path: string, hash: string): bigint {
  return createHash('sha256').update(`${path}\0${hash}`).digest().readBigUInt64LE(0);
}

function keysIn(silent: string): BigUint64Array {
  return new BigUint64Array(new Uint8Array(Buffer.from(silent, 'base64')).buffer);
}

/** Undefined of a file that tells nothing, or that can't be read: whoever publishes it once it can has it read again. */
function factsOf(root: string, { entry: { path } }: ManifestLine): Omit<ScannedFile, 'hash'> | undefined {
  const bytes = mayBeContract(path) ? mostContractBytes : limits.bytes;
  const read = readRepositoryFile(root, path, undefined, { ...limits, bytes });
  if (read.kind !== 'text') return undefined;
  const facts = contractFactsIn(path, read.bytes);
  return facts === undefined ? undefined : { facts, modifiedAt: Math.floor(read.stat.mtimeMs) };
}

/** What a file declares and uses, by its path and bytes alone; undefined of one that tells nothing. */
export function contractFactsIn(path: string, bytes: Uint8Array): ContractFacts | undefined {
  const contract = mayBeContract(path) ? contractIn(path, bytes) : undefined;
  const uses = mayShowUses(path) ? contractUsesIn(path, new TextDecoder().decode(bytes)) : [];
  const all = [...(contract?.uses ?? []), ...uses].sort((a, b) => a.line - b.line);
  const isSilent = all.length === 0 && contract?.outline === undefined && contract?.buf === undefined;
  if (isSilent && contract?.problem === undefined) return undefined;
  return { ...contract, uses: all.slice(0, mostUsesOfFile) };
}

const mostUsesOfFile = 500;
const mostUses = 20_000;
const mostTypes = 10_000;

/** What a scan comes to. */
export function contractsOf({
  files,
  codeFiles,
  unread = [],
}: Pick<ContractScan, 'files' | 'codeFiles' | 'unread'>): MemberContracts {
  const paths = Object.keys(files).sort();
  const declared: DeclaredContract[] = [];
  const uses: PlacedUse[] = [];
  const bufs: MemberContracts['bufs'][number][] = [];
  const published = paths.flatMap(path => {
    const { names = [] } = files[path]!.facts.buf ?? {};
    return names.map(name => ({ folder: directoryOf(path), name }));
  });
  /** There may be one for each file that names a message: the first tells. */
  const imported = new Map<string, PlacedUse>();
  let generated = 0;
  let isCut = false;
  for (const path of paths) {
    const { hash, facts, modifiedAt } = files[path]!;
    const { outline, problem, buf } = facts;
    if (buf !== undefined) bufs.push({ path, modules: buf });
    if (outline !== undefined) {
      const module = moduleAround(path, published);
      const { visibility, reason } = visibilityOf(path, outline, module === undefined ? {} : { module });
      const trouble = problem === undefined ? {} : { problem: `line ${problem.line}: ${problem.message}` };
      declared.push({ path, hash, outline, visibility, visibilityReason: reason, modifiedAt, ...trouble });
    }
    if (isCode(path) && facts.uses.some(({ kind }) => kind === 'generated')) generated++;
    const isTest = isTestPath(path);
    for (const use of facts.uses) {
      if (use.kind === 'type-import') {
        const key = JSON.stringify([use.from, use.type, use.names, isTest]);
        if (imported.size >= mostTypes) isCut = true;
        else if (!imported.has(key)) imported.set(key, { ...use, at: path, isTest });
      } else if (uses.length >= mostUses) isCut = true;
      else uses.push({ ...use, at: path, isTest });
    }
  }
  uses.push(...imported.values());
  return { declared, uses, bufs, codeFiles: codeFiles - generated, isCut, unread };
}

/** The registry's module that a contract lies in: that of the innermost folder. */
function moduleAround(
  path: string,
  published: readonly { readonly folder: string; readonly name: string }[],
): string | undefined {
  const around = published.filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`));
  return around.toSorted((a, b) => b.folder.length - a.folder.length)[0]?.name;
}
