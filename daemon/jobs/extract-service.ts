import { getHeapStatistics } from 'node:v8';
import { deflateSync } from 'node:zlib';
import { dialectOf, dialectOfFile } from '../extract/dialect.ts';
import { renewParsers } from '../extract/parsers.ts';
import { readRepositoryFile, type SourceLimits } from '../extract/read-file.ts';
import { ExtractionSkipped, extract } from '../extract/syntax.ts';
import type { ContentHash, Dialect, SkipReason } from '../model/document.ts';
import { encodeFacts } from '../model/facts-codec.ts';
import type { FileStat } from '../model/file-stat.ts';
import { type DocumentMentions, nothingSaid } from '../model/mentions.ts';
import type { RepoPath } from '../model/paths.ts';
import type { SeenRoutes } from '../model/routes.ts';
import type { Wear } from '../workers/pool.ts';
import { type Handlers, Transferred } from '../workers/port.ts';

/** What an extract worker does for others: it alone touches the files of a working tree. */
export type ExtractCalls = {
  /** Reads files and says what each is. */
  readonly hash: (input: { readonly root: string; readonly paths: readonly RepoPath[] }) => Wear & {
    readonly files: readonly HashedFile[];
  };
  /** Reads files again and extracts their facts; of fewer than were asked for where a grammar crashed on the last one. */
  readonly extract: (input: ExtractInput) => Wear & { readonly results: readonly Extracted[] };
  /** Extracts the facts of bytes that lie in no file. */
  readonly extractBytes: (input: BytesInput) => Wear & { readonly result: ExtractedFacts };
  /** Reads what some Markdown documents mention, one after the other. */
  readonly mentions: (input: { readonly texts: readonly string[] }) => Wear & {
    readonly mentions: readonly DocumentMentions[];
  };
  /** Reads what routes of HTTP some files tell of, one after the other. */
  readonly routes: (input: { readonly files: readonly FileText[] }) => Wear & { readonly seen: readonly SeenRoutes[] };
};

/** What of a file its routes are a function of. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

export interface BytesInput {
  readonly bytes: Uint8Array;
  readonly dialect: Dialect;
  readonly parseSteps: number;
}

export interface ExtractInput {
  readonly root: string;
  readonly files: readonly FileToExtract[];
  /** One shared Int32: which of them is being read, for whoever survives the worker. */
  readonly at: Int32Array<SharedArrayBuffer>;
}

export interface FileToExtract {
  readonly path: RepoPath;
  readonly hash: ContentHash;
  readonly dialect: Dialect;
}

export type HashedFile =
  | { readonly path: RepoPath; readonly kind: 'gone' }
  | { readonly path: RepoPath; readonly kind: 'changing' }
  | {
      readonly path: RepoPath;
      readonly kind: 'file';
      readonly hash: ContentHash | '';
      readonly dialect: Dialect | '';
      readonly skip: SkipReason | '';
      readonly stat: FileStat | undefined;
      /** Written so recently that the next write might leave the same stat data: look again. */
      readonly racy: boolean;
    };

/** `detail` is for the log. */
export type Skipped = { readonly kind: 'skipped'; readonly reason: SkipReason; readonly detail: string };

export type ExtractedFacts = { readonly kind: 'facts'; readonly facts: Uint8Array } | Skipped;

export type Extracted =
  /** `text` is deflated. */
  | { readonly kind: 'facts'; readonly facts: Uint8Array; readonly text: Uint8Array }
  | Skipped
  /** The file no longer has the bytes that were hashed. */
  | { readonly kind: 'differs' };

/** Given by whoever starts the worker. */
export interface ExtractLimitsPerWorker {
  /** Parsers are renewed after so many. */
  readonly filesPerParser: number;
  readonly maxMemoryBytes: number;
  readonly parseSteps: number;
  readonly sourceLimits: SourceLimits;
}

const racyForMs = 2000;

/** The work of one extract worker; it keeps count of what it has done, to know when its parsers, or it, should be replaced. */
export function createExtractService(limits: ExtractLimitsPerWorker): Handlers<ExtractCalls> {
  let extracted = 0;
  /** A grammar crashed: what stands in the memory that all of them share is no longer to be trusted. */
  let isUnfit = false;
  let isFull = false;
  let last: Promise<unknown> = Promise.resolve();
  // Strictly one after the other, so that a worker's death has one cause: the oldest input without an answer.
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const mine = last.then(() => (isUnfit ? new Promise<never>(() => {}) : work())); // the pool gives it to another
    last = mine.catch(() => {});
    return mine;
  };
  const counted = async <Result extends Extracted | ExtractedFacts>(work: Promise<Result>): Promise<Result> => {
    const result = await work;
    extracted++;
    if (extracted % limits.filesPerParser === 0) renewParsers();
    isUnfit = result.kind === 'skipped' && result.reason === 'parser_trap';
    isFull = extracted % 16 === 0 ? memoryBytes() > limits.maxMemoryBytes : isFull;
    return result;
  };
  const retire = (): Wear['retire'] => (isUnfit ? 'at once' : isFull);
  const extractAll = async ({ root, files, at }: ExtractInput) => {
    const results: Extracted[] = [];
    for (const [index, file] of files.entries()) {
      Atomics.store(at, 0, index);
      results.push(await counted(factsOf(root, file, limits)));
      if (isUnfit) break;
    }
    return new Transferred({ results, retire: retire() }, results.flatMap(buffersOf));
  };
  const extractBytes = async (input: BytesInput) => {
    const result = await counted(factsOfBytes(input));
    return new Transferred({ result, retire: retire() }, buffersOf(result));
  };
  return {
    hash: ({ root, paths }) => ({ files: paths.map(path => hashOne(root, path, limits.sourceLimits)), retire: false }),
    extract: input => inTurn(() => extractAll(input)),
    extractBytes: input => inTurn(() => extractBytes(input)),
    mentions: ({ texts }) => inTurn(async () => ({ mentions: await mentionsIn(texts), retire: false })),
    routes: ({ files }) => inTurn(async () => ({ seen: await routesOf(files), retire: false })),
  };
}

function buffersOf(result: Extracted | ExtractedFacts): ArrayBuffer[] {
  if (result.kind !== 'facts') return [];
  return [result.facts, ...('text' in result ? [result.text] : [])].map(part => part.buffer as ArrayBuffer);
}

function hashOne(root: string, path: RepoPath, limits: SourceLimits): HashedFile {
  const read = readRepositoryFile(root, path, undefined, limits);
  if (read.kind === 'gone' || read.kind === 'changing') return { path, kind: read.kind };
  const dialect = read.kind === 'text' ? dialectOfFile(path, read.bytes) : dialectOf(path);
  const skip = read.kind === 'skipped' ? read.reason : dialect === '' ? 'unsupported' : '';
  const { hash, stat } = read;
  const racy = stat === undefined || Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) < racyForMs;
  return { path, kind: 'file', hash, dialect, skip, stat, racy };
}

async function factsOf(
  root: string,
  { path, hash, dialect }: FileToExtract,
  limits: ExtractLimitsPerWorker,
): Promise<Extracted> {
  const read = readRepositoryFile(root, path, undefined, limits.sourceLimits);
  if (read.kind !== 'text' || read.hash !== hash) return { kind: 'differs' };
  const result = await factsOfBytes({ bytes: read.bytes, dialect, parseSteps: limits.parseSteps });
  return result.kind === 'facts' ? { ...result, text: owned(deflateSync(read.bytes, { level: 3 })) } : result;
}

async function factsOfBytes({ bytes, dialect, parseSteps }: BytesInput): Promise<ExtractedFacts> {
  try {
    const facts = await extract(bytes, dialect, { parseSteps });
    return { kind: 'facts', facts: encodeFacts(facts) };
  } catch (thrown) {
    if (isOurs(thrown)) throw thrown;
    // A walker that stumbles over a file no one foresaw costs that file, and perhaps left its grammar in disorder.
    const reason = thrown instanceof ExtractionSkipped ? thrown.reason : 'parser_trap';
    return { kind: 'skipped', reason, detail: describe(thrown) };
  }
}

/** Markdown's parser is loaded when the first document comes. */
async function mentionsIn(texts: readonly string[]): Promise<readonly DocumentMentions[]> {
  const { readDocument } = await import('../extract/documents/read-document.ts');
  return texts.map(text => {
    try {
      return readDocument(text);
    } catch (thrown) {
      if (isOurs(thrown)) throw thrown;
      return nothingSaid('unreadable');
    }
  });
}

/** What reads routes is loaded when somebody first asks for them. */
async function routesOf(files: readonly FileText[]): Promise<readonly SeenRoutes[]> {
  const { routesIn } = await import('../extract/contract-use/served-routes.ts');
  return files.map(({ path, text }) => routesIn(path, text));
}

/** A module or grammar that is missing, descriptors that ran out: no file is to blame, and none must be passed over for it. */
function isOurs(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown;
}

function describe(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  return String(cause instanceof Error ? (cause.stack ?? cause.message) : cause).slice(0, 2000);
}

/** In a buffer of its own: one from Node's pool can't be moved to another thread, and a larger one would go along whole. */
function owned(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function memoryBytes(): number {
  const heap = getHeapStatistics();
  return heap.total_heap_size + heap.external_memory;
}
