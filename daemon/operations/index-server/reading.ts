import { createHmac, hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Principal } from '../../../client/protocol/caller.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { indexSchemaVersion } from '../../../client/protocol/index-server.ts';
import type { Observe } from '../../events.ts';
import { isRedacted } from '../../model/privacy.ts';
import { fitsPattern } from '../../model/repo-pattern.ts';
import type { DaemonDatabase } from '../../store/daemon-db.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import { retiredFile } from '../../store/retired-files.ts';
import { StoreError } from '../../store/store-faults.ts';
import { type EncodedAnswer, encodedAnswer, type RequestContext } from '../handler.ts';
import type { IndexServerHandlers } from '../index-server.ts';
import { notIndexed } from '../repository-faults.ts';
import { isGone, type ServedRepository } from '../served-repository.ts';
import type { Asking } from '../symbols/asking.ts';
import { cursorExpired } from '../symbols/cursor.ts';
import { fullRead, noSuchSymbol } from './answer-list.ts';
import { languagesOf, statsOf } from './index-stats.ts';
import {
  type EarlierSnapshot,
  type ListAsked,
  type ListCall,
  listCursors,
  type Place,
  type SnapshotPlace,
} from './list-call.ts';
import type { IndexServer, IndexServers, ServedIndex } from './served-index.ts';
import { type ServedSymbolRow, type ShownAs, shownAs } from './shown.ts';
import { uploadCodings } from './upload-codings.ts';

export interface IndexReadOptions {
  readonly indexServers: IndexServers;
  readonly asking: Asking;
  readonly database: Pick<DaemonDatabase, 'lastSync' | 'oldestSync' | 'syncAt'>;
  /** 32 bytes, hex: what ids of redacted repositories are keyed with. */
  readonly redactionSecret: string;
  /** The largest answer that is sent. */
  readonly answerBytes: () => number;
  readonly observe: Observe;
  /** An index file turned out to be damaged, or in nobody's reach, while it was read. */
  readonly onDamage: (repo: string, error: StoreError) => void;
}

type Reading = Omit<IndexServerHandlers, 'indexServer.upload' | 'indexServer.delete'>;

export function indexReadHandlers(options: IndexReadOptions): Reading {
  const { indexServers } = options;
  const find = (id: string, context: RequestContext): Found => {
    const server = serverOf(indexServers, context);
    const index = server.find(id);
    if (index === undefined) throw new Fault('repoNotFound', 'No repository of that id is served here');
    return { server, index, ...readable(index) };
  };
  const list = (id: string, paging: Paging, asked: ListAsked, context: RequestContext) =>
    answerPage(options, () => find(id, context), paging, asked, context);
  return {
    'indexServer.repos': async (_, context) => {
      const server = serverOf(indexServers, context);
      const shown = server.list().filter(({ id }) => isFor(context.principal, id));
      return {
        data: { repos: await Promise.all(shown.map(index => summaryOf(index, options))) },
        meta: { timestamp: seconds(context.now.getTime()) },
      };
    },
    'indexServer.meta': async ({ repo }, context) => {
      const found = find(repo, context);
      return {
        data: await metadataOf(found, options),
        meta: { timestamp: seconds(context.now.getTime()), sync_seq: syncSeqOf(found, options) },
      };
    },
    'indexServer.files': ({ repo, ...paging }, context) => list(repo, paging, { kind: 'files' }, context),
    'indexServer.symbols': ({ repo, language, kind, file, ...paging }, context) =>
      list(repo, paging, { kind: 'symbols', language, symbolKind: kind as SymbolKindOf, file }, context),
    'indexServer.symbol': async ({ repo, id }, context) => oneSymbol(options, find(repo, context), id, context),
    'indexServer.batchGet': ({ repo, ids }, context) => list(repo, {}, { kind: 'batch', ids }, context),
    'indexServer.refs': ({ repo, from_file, to_symbol_id, language, ...paging }, context) =>
      list(repo, paging, { kind: 'refs', language, fromFile: from_file, to: to_symbol_id }, context),
    'indexServer.callgraph': ({ repo, caller_id, callee_id, caller_file, language, ...paging }, context) =>
      list(
        repo,
        paging,
        { kind: 'callgraph', language, caller: caller_id, callee: callee_id, callerFile: caller_file },
        context,
      ),
    'indexServer.searchSymbols': ({ repo, q, language, kind, limit }, context) => {
      options.observe({ kind: 'search.answered', repo, type: 'names' });
      const asked = { kind: 'search symbols', query: q, language, symbolKind: kind as SymbolKindOf } as const;
      return list(repo, { limit }, asked, context);
    },
    'indexServer.searchFiles': ({ repo, q, limit }, context) =>
      list(repo, { limit }, { kind: 'search files', query: q }, context),
    'indexServer.changes': ({ repo, since, ...paging }, context) => {
      const before = earlierOf(find(repo, context), since, options);
      return list(repo, paging, { kind: 'changes', since, before }, context);
    },
  };
}

type SymbolKindOf = Extract<ListAsked, { readonly kind: 'symbols' }>['symbolKind'];

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface Readable {
  readonly repository: ServedRepository;
  readonly snapshot: StoredSnapshot;
}

interface Found extends Readable {
  readonly server: IndexServer;
  readonly index: ServedIndex;
}

function serverOf(servers: IndexServers, { indexServer }: RequestContext): IndexServer {
  const server = servers.get(indexServer);
  if (server !== undefined) return server;
  throw new Fault(
    'indexServerOff',
    'Indexes are not served here: start with --index-server, or set enabled = true under [index_server]',
  );
}

function readable(index: ServedIndex): Readable {
  const { repository } = index;
  if (repository?.snapshot === undefined) throw unread(index);
  return { repository, snapshot: repository.snapshot };
}

/** Whoever asks knows the id that is served, and hears neither the local one nor where anything lies. */
function unread({ id, source, repository }: ServedIndex): Fault {
  const lasting = (why: string): Fault =>
    new Fault('notReady', `${id} has no index: ${why}; svc doctor tells why where it is served`, {
      retryAfterSeconds: betweenTriesSeconds,
    });
  if (repository === undefined) return lasting('its folder can’t be served');
  if (source === 'upload') return notIndexed(repository);
  if (repository.progress === undefined && (repository.failure !== undefined || isGone(repository))) {
    return lasting('it could not be indexed');
  }
  return new Fault('notReady', `${id} is being indexed for the first time`, { retryAfterSeconds: 1 });
}

/** About as often a folder that can't be served is looked at again. */
const betweenTriesSeconds = 30;

function isFor(principal: Principal, id: string): boolean {
  return principal.kind !== 'key' || principal.repos.some(pattern => fitsPattern(id, pattern));
}

async function summaryOf(index: ServedIndex, options: IndexReadOptions) {
  const { id, name, description, repository } = index;
  const snapshot = repository?.snapshot;
  return {
    ...{ id, name, description },
    languages: snapshot === undefined ? [] : languagesOf(snapshot.counts),
    commit: await index.commit(),
    index_version: repository === undefined ? '' : versionOf(index, repository, options),
    sync_seq: repository === undefined ? 0 : syncSeqOf({ index, repository }, options),
    indexed_at: seconds(snapshot?.publishedAt ?? 0),
    symbol_count: snapshot?.counts.symbols ?? 0,
    file_count: snapshot?.counts.documents ?? 0,
  };
}

async function metadataOf({ server, index, repository, snapshot }: Found, options: IndexReadOptions) {
  const { exposePaths, exposeDocs, exposeSignatures } = index.privacy;
  return {
    id: index.id,
    name: index.name,
    commit: await index.commit(),
    index_version: versionOf(index, repository, options),
    sync_seq: syncSeqOf({ index, repository }, options),
    sync_log_retention_seq_min: Math.max(
      index.shownSince(),
      options.database.oldestSync(repository.registered.uid)?.seq ?? 0,
    ),
    schema_version: indexSchemaVersion,
    indexed_at: seconds(snapshot.publishedAt),
    languages: languagesOf(snapshot.counts),
    stats: statsOf(snapshot.counts),
    capabilities: {
      ...{ sync_seq: true, search: true, batch_get: true },
      compression: [...uploadCodings],
      redaction: isRedacted(index.privacy),
      max_page_size: server.maxPageSize,
    },
    privacy: { paths_exposed: exposePaths, docs_exposed: exposeDocs, signatures_exposed: exposeSignatures },
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Of what is shown now: what is shown otherwise than before has one of its own. */
function syncSeqOf(
  { index, repository: { registered } }: Pick<Found, 'index' | 'repository'>,
  { database }: IndexReadOptions,
): number {
  return Math.max(index.shownSince(), database.lastSync(registered.uid)?.seq ?? 0);
}

/** Tells snapshots apart, and confirms no guess of what is kept back. */
function versionOf(index: ServedIndex, repository: ServedRepository, options: IndexReadOptions): string {
  const { snapshot } = repository;
  if (snapshot === undefined) return '';
  const of = `${snapshot.snapshotId} ${snapshot.evidenceId}`;
  const digest = isRedacted(index.privacy)
    ? createHmac('sha256', Buffer.from(secretOf(repository, options), 'hex'))
        .update(of)
        .digest('hex')
    : hash('sha256', of);
  return `v${indexSchemaVersion}:${digest.slice(0, 32)}`;
}

/** Of each repository its own. */
function secretOf({ registered }: ServedRepository, { redactionSecret }: IndexReadOptions): string {
  return createHmac('sha256', Buffer.from(redactionSecret, 'hex')).update(registered.uid).digest('hex');
}

function shownTo({ id, privacy }: ServedIndex, repository: ServedRepository, options: IndexReadOptions): ShownAs {
  return { id, privacy, secret: isRedacted(privacy) ? secretOf(repository, options) : '' };
}

function currentPlace(found: Found, options: IndexReadOptions): SnapshotPlace {
  const { repository, snapshot } = found;
  return { syncSeq: syncSeqOf(found, options), epoch: repository.epoch, fileSeq: snapshot.seq };
}

/** Where to look for what a mirror has; undefined where nobody knows any more. */
function earlierOf(found: Found, since: number, options: IndexReadOptions): EarlierSnapshot | undefined {
  const { index, repository, snapshot } = found;
  const { epoch, record } = repository;
  if (since < index.shownSince()) return undefined;
  // After a rebuild the entry may be of a file that is gone, and yet say what there is now.
  if (since === syncSeqOf(found, options)) return { indexFile: record.indexFile, fileSeq: snapshot.seq };
  const entry = options.database.syncAt(repository.registered.uid, since);
  if (entry === undefined) return undefined;
  const indexFile = fileOf(repository, entry.epoch);
  return indexFile === undefined || epoch === '' ? undefined : { indexFile, fileSeq: entry.fileSeq };
}

/** The file of an epoch, where it can still be read. */
function fileOf({ record, epoch }: ServedRepository, wanted: string): string | undefined {
  if (wanted === epoch) return record.indexFile;
  const retired = wanted === '' ? undefined : retiredFile(record.indexFile, wanted);
  return retired !== undefined && existsSync(retired) ? retired : undefined;
}

/** A page, or what else is asked of a whole snapshot. */
async function answerPage(
  options: IndexReadOptions,
  find: () => Found,
  paging: Paging,
  asked: ListAsked,
  context: RequestContext,
): Promise<EncodedAnswer> {
  for (let attempt = 1; ; attempt++) {
    const found = find();
    const call = callFor(options, found, paging, asked, context);
    try {
      return encodedAnswer(await fittingPage(call, options, context.signal));
    } catch (error) {
      tellDamage(error, found.repository, options);
      const isReplaced = error instanceof Fault && error.reason === 'cursorExpired' && paging.cursor === undefined;
      // Another file took the place of the one that was looked for: its snapshot is the one to answer from.
      if (!isReplaced || attempt === attempts) throw error;
      if (asked.kind === 'changes' && attempt === attempts - 1) {
        return encodedAnswer(JSON.stringify(fullRead(call, asked.since)));
      }
    }
  }
}

const attempts = 4;

/** Of rows so large that a page of them may not be sent, fewer are told: a page may end before it is full. */
async function fittingPage(
  call: ListCall,
  { asking, answerBytes }: IndexReadOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  for (let shorter = call; ; ) {
    const bytes = await asking.readPool.list(shorter, signal);
    const share = answerBytes() / bytes.length;
    if (share >= 1 || shorter.limit === 1 || !goesOn.has(call.list.kind)) return bytes;
    shorter = { ...shorter, limit: Math.max(1, Math.floor(shorter.limit * share * 0.9)) };
  }
}

/** Lists whose pages lead to the next. */
const goesOn: ReadonlySet<ListAsked['kind']> = new Set(['files', 'symbols', 'refs', 'callgraph', 'changes'] as const);

function tellDamage(error: unknown, { record }: ServedRepository, { onDamage }: IndexReadOptions): void {
  const isDamage = error instanceof StoreError && (error.trouble === 'corrupt' || error.trouble === 'unreadable');
  if (isDamage) onDamage(record.id, error);
}

function callFor(
  options: IndexReadOptions,
  found: Found,
  { cursor, limit = 1000 }: Paging,
  list: ListAsked,
  { principal, now }: RequestContext,
): ListCall {
  const { server, index, repository } = found;
  const as = shownTo(index, repository, options);
  const { before: _, ...question } = { before: undefined, ...list };
  const asker = principal.kind === 'key' ? principal.id : principal.kind;
  const binding = [index.id, repository.registered.uid, question, as.privacy, asker];
  const bound = { secret: server.cursorSecret, binding };
  const at = cursor === undefined ? undefined : readCursor(bound, cursor);
  const of = at?.of ?? currentPlace(found, options);
  const indexFile = fileOf(repository, of.epoch);
  if (indexFile === undefined) throw cursorExpired();
  const { maxPageSize } = server;
  return {
    file: { indexFile, key: repository.record.worktreeKey },
    ...{ of, as, list, from: at?.from, cursor: bound, now: now.getTime() },
    limit: Math.min(limit, maxPageSize),
    isClamped: limit > maxPageSize,
  };
}

function readCursor(bound: ListCall['cursor'], cursor: string): { readonly of: SnapshotPlace; readonly from: Place } {
  const values = listCursors(bound).read(cursor);
  if (values === undefined) {
    throw new Fault('invalidCursor', 'The cursor is none of this list, or was made with other filters or another key');
  }
  const [epoch, fileSeq, syncSeq, position, given] = values;
  return { of: { epoch, fileSeq, syncSeq }, from: { position, given } };
}

async function oneSymbol(options: IndexReadOptions, found: Found, id: string, context: RequestContext) {
  const { index, repository, snapshot } = found;
  const { asking } = options;
  const as = shownTo(index, repository, options);
  const meta = { timestamp: seconds(context.now.getTime()), sync_seq: syncSeqOf(found, options) };
  // Where something is kept back, the worker shows it.
  const shown = shownAs(as, () => []);
  const hashOfId = shown.hashOf(id);
  if (hashOfId === undefined) throw noSuchSymbol();
  if (shown.isRedacted) {
    const call = callFor(options, found, {}, { kind: 'batch', ids: [id] }, context);
    const bytes = await asking.readPool.list(call, context.signal);
    const { data } = JSON.parse(new TextDecoder().decode(bytes)) as { data: { symbols: ServedSymbolRow[] } };
    const [symbol] = data.symbols;
    if (symbol === undefined) throw noSuchSymbol();
    return { data: { symbol }, meta };
  }
  const { indexFile, worktreeKey } = repository.record;
  const row = asking.readers.guard(indexFile, reader => reader.symbol(worktreeKey, snapshot.seq, hashOfId));
  if (row === undefined) throw noSuchSymbol();
  return { data: { symbol: shown.symbol(row) }, meta };
}
