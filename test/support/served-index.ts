import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../client/protocol/faults.ts';
import { everythingExposed, isRedacted, type Privacy } from '../../daemon/model/privacy.ts';
import { answerList } from '../../daemon/operations/index-server/answer-list.ts';
import { languagesOf, statsOf } from '../../daemon/operations/index-server/index-stats.ts';
import { type ListAsked, type ListCall, listCursors } from '../../daemon/operations/index-server/list-call.ts';
import { type IndexReader, openIndexReader } from '../../daemon/store/index-reader.ts';
import type { Cleanup } from './repository.ts';

/** An index file as an index server answers about it. */
export interface ServedFile {
  readonly id: string;
  readonly indexFile: string;
  readonly key: string;
  readonly privacy: Privacy;
  /** By number in the sync log: the sequence in the file; the last one is what is served. */
  publications: readonly number[];
  /** False: a cursor is taken for none, for tests that make their own up. */
  readsCursors: boolean;
}

export function servedFile(indexFile: string, privacy: Partial<Privacy> = {}, id = 'acme/app'): ServedFile {
  return {
    id,
    indexFile,
    key: 'main',
    privacy: { ...everythingExposed, ...privacy },
    publications: [1],
    readsCursors: true,
  };
}

const secret = 'ab'.repeat(32);

/** The answer to one request of an index server, as its own code gives it. */
export function answerOf(served: ServedFile, path: string, query: URLSearchParams): unknown {
  const reader = openIndexReader(served.indexFile);
  try {
    return path === 'meta' ? metaOf(served, reader) : listOf(served, reader, path, query);
  } finally {
    reader.close();
  }
}

function metaOf({ id, key, privacy, publications }: ServedFile, reader: IndexReader): object {
  const seq = publications.at(-1)!;
  const snapshot = reader.snapshot(key)!;
  return {
    data: {
      ...{ id, name: id, commit: '', index_version: `v1:${seq}`, sync_seq: publications.length },
      ...{ sync_log_retention_seq_min: 1, schema_version: 1, indexed_at: 1, languages: languagesOf(snapshot.counts) },
      stats: statsOf(snapshot.counts),
      capabilities: {
        ...{ sync_seq: true, search: true, batch_get: true, compression: ['gzip'] },
        ...{ redaction: isRedacted(privacy), max_page_size: 1000 },
      },
      privacy: {
        paths_exposed: privacy.exposePaths,
        docs_exposed: privacy.exposeDocs,
        signatures_exposed: privacy.exposeSignatures,
      },
    },
    meta: { timestamp: 1, sync_seq: publications.length },
  };
}

function listOf(served: ServedFile, reader: IndexReader, path: string, query: URLSearchParams): object {
  const { id, indexFile, key, privacy, publications } = served;
  const since = Number(query.get('since'));
  const fileSeq = publications[since - 1];
  const before = fileSeq === undefined ? undefined : { indexFile, fileSeq };
  const nothing = { language: undefined, symbolKind: undefined, file: undefined };
  const lists: Readonly<Record<string, ListAsked>> = {
    files: { kind: 'files' },
    symbols: { kind: 'symbols', ...nothing },
    refs: { kind: 'refs', language: undefined, fromFile: undefined, to: undefined },
    callgraph: {
      ...{ kind: 'callgraph', language: undefined, caller: undefined },
      ...{ callee: undefined, callerFile: undefined },
    },
    changes: { kind: 'changes', since, before },
  };
  const list = lists[path]!;
  const cursor = { secret, binding: [path, since] };
  const text = query.get('cursor');
  const at = text === null || !served.readsCursors ? undefined : listCursors(cursor).read(text);
  const [epoch, seq, syncSeq, position, given] = at ?? [reader.epoch, publications.at(-1)!, publications.length, 0, 0];
  const call: ListCall = {
    file: { indexFile, key },
    of: { syncSeq, epoch, fileSeq: seq },
    as: { id, privacy, secret },
    ...{ list, from: at === undefined ? undefined : { position, given }, cursor, now: 1000 },
    ...{ limit: Math.min(Number(query.get('limit') ?? 1000), pageRows.most), isClamped: false },
  };
  return answerList({ reader, layersOf: () => [] }, call, () => reader);
}

/** Few, so that lists have several pages. */
export const pageRows = { most: 1000 };

export interface StandIn {
  readonly url: string;
  /** Of each request: path with query, and headers. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Looked at before each answer: true where it has answered itself. */
  meddle: (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
  /** Changes an answer before it is sent. */
  change: (path: string, answer: never) => unknown;
}

/** An index server's answers over HTTP, and whatever a test has it do instead. */
export async function standIn(test: Cleanup, served: ServedFile): Promise<StandIn> {
  const it: { -readonly [Field in keyof StandIn]: StandIn[Field] } = {
    url: '',
    asked: [],
    meddle: () => false,
    change: (_, answer) => answer,
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://x');
    it.asked.push({ path: request.url!, headers: request.headers });
    const prefix = `/index/repos/${encodeURIComponent(served.id)}/`;
    if (it.meddle(request.url!, response, request)) return;
    if (!url.pathname.startsWith(prefix)) {
      refuse(response, 404, 'repo_not_found');
      return;
    }
    const path = url.pathname.slice(prefix.length);
    try {
      send(response, it.change(path, answerOf(served, path, url.searchParams) as never));
    } catch (error) {
      if (error instanceof Fault && error.reason === 'cursorExpired') refuse(response, 410, 'cursor_expired');
      else refuse(response, 500, 'internal');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}

export function send(response: ServerResponse, answer: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' });
  response.end(gzipSync(typeof answer === 'string' ? answer : JSON.stringify(answer)));
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { code, message: `said ${code}` } }));
}

/** All rows of an index's lists. */
export function allRows(served: ServedFile): {
  readonly files: readonly Record<string, unknown>[];
  readonly symbols: readonly Record<string, unknown>[];
  readonly refs: readonly Record<string, unknown>[];
  readonly edges: readonly Record<string, unknown>[];
} {
  const list = (path: string, field: string): Record<string, unknown>[] => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = new URLSearchParams(cursor === undefined ? {} : { cursor });
      const { data, meta } = answerOf(served, path, query) as {
        data: Record<string, Record<string, unknown>[]>;
        meta: { cursor?: string };
      };
      rows.push(...data[field]!);
      if (meta.cursor === undefined) return rows;
      cursor = meta.cursor;
    }
  };
  return {
    files: list('files', 'files'),
    symbols: list('symbols', 'symbols'),
    refs: list('refs', 'refs'),
    edges: list('callgraph', 'edges'),
  };
}
