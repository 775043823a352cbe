import { Fault, invalid } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { CodeSymbol, Completeness } from '../../../client/protocol/shapes.ts';
import { closedAmong, type UnlistedPath } from '../../jobs/unlisted.ts';
import type { Range } from '../../model/facts.ts';
import { symbolId } from '../../model/identity.ts';
import { directoryOf } from '../../model/paths.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import type { ReferencePage, ReferenceRow } from '../../store/reference-rows.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';
import type { CallsAsked } from '../telemetry/calls-asked.ts';
import { cursorExpired, cursors } from './cursor.ts';
import type { ServerSaid } from './server-references.ts';

/** What an answer needs beside the input; plain values, so that it crosses to the read worker. */
export interface Asked {
  readonly repo: { readonly id: string; readonly indexFile: string; readonly key: string };
  /** The publication that was current when the request began; its ETag promises that the answer is of it. */
  readonly current: { readonly seq: number; readonly snapshotId: string } | undefined;
  readonly cursorSecret: string;
  readonly dirtyFiles: number;
  /** What lies in the tree and can't be listed. */
  readonly unlisted?: readonly UnlistedPath[];
  /** Milliseconds. */
  readonly now: number;
  /** What is known of calls in production; undefined where nothing was ever told of the repository. */
  readonly calls?: CallsAsked | undefined;
}

export type ReferencesInput = InputOf<Operations['symbols.refs']>;
export type ReferencesOutput = OutputOf<Operations['symbols.refs']>;

/** The snapshot that a request is answered from. Throws the fault `notReady` before the first publication. */
export function snapshotFor(reader: IndexReader, asked: Pick<Asked, 'repo' | 'current'>): StoredSnapshot {
  const { repo, current } = asked;
  const begun = current === undefined ? undefined : reader.active(repo.key, current);
  if (begun !== undefined) return begun;
  const newest = reader.snapshot(repo.key);
  if (newest === undefined) throw notReady();
  return newest;
}

export function notReady(): Fault {
  return new Fault('notReady', 'The repository has no published snapshot yet', { retryAfterSeconds: 1 });
}

/** Where a list begins: the first page on the present snapshot, a later one on the snapshot that the cursor names. */
export function startOf(
  reader: IndexReader,
  asked: Asked,
  cursor: string | undefined,
  binding: readonly unknown[],
): { readonly snapshot: StoredSnapshot; readonly offset: number; readonly next: (offset: number) => string } {
  const signed = cursors(asked.cursorSecret, [asked.repo.id, ...binding]);
  const at = cursor === undefined ? undefined : signed.read(cursor);
  if (at !== undefined && at.epoch !== reader.epoch) throw cursorExpired();
  const snapshot = at === undefined ? snapshotFor(reader, asked) : reader.snapshotAt(asked.repo.key, at.seq);
  if (snapshot === undefined) throw cursorExpired();
  return {
    snapshot,
    offset: at?.offset ?? 0,
    next: offset => signed.make({ epoch: reader.epoch, seq: snapshot.seq, offset }),
  };
}

/** As `startOf` for a tree that is no snapshot: a cursor is good for as long as the tree is the same, by its id. */
export function startOfTree<Tree extends { readonly snapshotId: string }>(
  snapshot: Tree,
  asked: Asked,
  cursor: string | undefined,
  binding: readonly unknown[],
): { readonly snapshot: Tree; readonly offset: number; readonly next: (offset: number) => string } {
  const epoch = snapshot.snapshotId;
  const signed = cursors(asked.cursorSecret, [asked.repo.id, ...binding]);
  const at = cursor === undefined ? undefined : signed.read(cursor);
  if (at !== undefined && at.epoch !== epoch) throw cursorExpired();
  return { snapshot, offset: at?.offset ?? 0, next: offset => signed.make({ epoch, seq: 0, offset }) };
}

/** One page of a symbol's references, with what a language server said; undefined where the snapshot doesn't define the symbol. */
export function answerReferences(
  reader: IndexReader,
  asked: Asked,
  input: ReferencesInput,
  said?: ServerSaid,
): ReferencesOutput | undefined {
  const { hash, start, query } = pageAsked(reader, asked, input);
  const page = reader.references(asked.repo.key, start.snapshot.seq, hash, query, said?.places);
  return page === undefined ? undefined : referencesOutput(page, start, hash, reader, asked, said);
}

/** The same of a symbol that occurs in at most so many documents. */
export function answerFewReferences(
  reader: IndexReader,
  asked: Asked,
  input: ReferencesInput,
  mostDocuments: number,
): ReferencesOutput | 'many' | undefined {
  const { hash, start, query } = pageAsked(reader, asked, input);
  const page = reader.fewReferences(asked.repo.key, start.snapshot.seq, hash, query, mostDocuments);
  return page === undefined || page === 'many' ? page : referencesOutput(page, start, hash, reader, asked);
}

function pageAsked(reader: IndexReader, asked: Asked, input: ReferencesInput) {
  const hash = hashOfId(input.id);
  const { includeTests, includeDefinition, merge } = input;
  const filters = { includeTests, includeDefinition, merge };
  const start = startOf(reader, asked, input.cursor, ['symbols.refs', hash, filters]);
  return { hash, start, query: { ...filters, offset: start.offset, limit: input.limit } };
}

function referencesOutput(
  page: ReferencePage,
  start: ReturnType<typeof startOf>,
  hash: string,
  reader: IndexReader,
  asked: Asked,
  said?: ServerSaid,
): ReferencesOutput {
  const end = start.offset + page.rows.length;
  const hasMore = end < page.total;
  return {
    symbolId: symbolId(asked.repo.id, hash),
    references: page.rows.map(row => reference(row, asked.repo.id, definitionSource(reader))),
    total: page.total,
    hasMore,
    ...(hasMore ? { cursor: start.next(end) } : {}),
    snapshotId: start.snapshot.snapshotId,
    completeness: { ...completeness(start.snapshot, asked, page.unresolvedCandidates), syntaxOnly: page.syntaxOnly },
    ...(said === undefined || said.warnings.length === 0 ? {} : { warnings: [...said.warnings] }),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** The hash of a symbol id. Throws `invalidParameter` where the text is no id. */
export function hashOfId(id: string): string {
  const hash = /^svc:.+:sym:([0-9a-f]{32})$/s.exec(id)?.[1];
  if (hash === undefined) throw invalid('invalidParameter', [{ path: 'id', message: 'is no symbol id' }]);
  return hash;
}

type Source = CodeSymbol['source'];

/** Who says what is defined in an index: where nobody has the source, whoever made the index that was uploaded. */
export function definitionSource({ identity }: Pick<IndexReader, 'identity'>): Source {
  return identity === 'descriptor' ? 'scip' : 'tree-sitter';
}

/** A row as people read it: lines and columns from 1, the module by its path. */
export function codeSymbol(row: SymbolRow, repo: string, snapshotId: string, source: Source): CodeSymbol {
  return { id: symbolId(repo, row.hash), ...symbolAnywhere(row, source), snapshotId };
}

/** As `codeSymbol`, of every worktree and snapshot that have the row. */
export function symbolAnywhere(row: SymbolRow, source: Source): Omit<CodeSymbol, 'id' | 'snapshotId'> {
  return {
    name: row.name,
    kind: row.kind,
    location: location(row.path, row.nameRange),
    module: directoryOf(row.path) || '@root',
    signature: row.signature,
    documentation: row.documentation,
    visibility: row.visibility,
    container: row.containers.join('.'),
    language: row.language,
    exported: row.exported,
    source,
    confidence: 1,
  };
}

const contextLength = 200;

const sources = { syntax: 'tree-sitter', indexer: 'scip', server: 'lsp' } as const;

function reference(row: ReferenceRow, repo: string, defining: Source): ReferencesOutput['references'][number] {
  return {
    location: location(row.path, row.range),
    kind: row.kind,
    context: trimmed(row.line),
    isTest: row.isTest,
    enclosingSymbol:
      row.enclosing === undefined ? null : { id: symbolId(repo, row.enclosing.hash), name: row.enclosing.name },
    source: row.kind === 'definition' ? defining : sources[row.by],
    confidence: row.confidence,
    ...(row.isContextChanged ? { contextChanged: true as const } : {}),
  };
}

/** Cut between characters: half of a surrogate pair is no text. */
function trimmed(line: string): string {
  const text = line.trim();
  if (text.length <= contextLength) return text;
  const last = text.charCodeAt(contextLength - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? contextLength - 1 : contextLength);
}

/** A place as people count: from 1. */
export function location(file: string, range: Range): CodeSymbol['location'] {
  return {
    file,
    line: range.startLine + 1,
    column: range.startColumn + 1,
    endLine: range.endLine + 1,
    endColumn: range.endColumn + 1,
  };
}

export function completeness(
  { counts }: Pick<StoredSnapshot, 'counts'>,
  { dirtyFiles, unlisted = [] }: Pick<Asked, 'dirtyFiles' | 'unlisted'>,
  unresolvedCandidates: number,
): Completeness {
  const closed = closedAmong(unlisted).length;
  return {
    dirtyFiles,
    skippedFiles: counts.skipped + unlisted.length - closed,
    failedFiles: counts.failed + closed,
    partialFiles: counts.partial,
    unresolvedCandidates,
    languagesWithoutIndexer: Object.entries(counts.languages)
      .filter(([language, { symbols, precise }]) => language !== 'configuration' && symbols > 0 && precise === 0)
      .map(([language]) => language),
  };
}
