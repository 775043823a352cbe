import { deltaSchemaVersion } from './delta.ts';
import type { FaultReason } from './faults.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { expects, OneOf, Shape, SymbolKind } from './shapes.ts';

/** The index server: indexes of many repositories, read page by page, uploaded and deleted, for whoever bears a key. */

const repo = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'The repository’s id as it is served, such as acme/billing; a / in it may be written %2F',
});

const UnixSeconds = Type.Integer({ description: 'Unix seconds' });
const SyncSeq = Type.Integer({
  minimum: 0,
  description: 'Grows by one with each published snapshot of the repository',
});

const Meta = Shape({
  timestamp: UnixSeconds,
  sync_seq: Type.Optional(SyncSeq),
  cursor: Type.Optional(Type.String({ description: 'Gives the next page of the same list, over the same snapshot' })),
  has_more: Type.Optional(
    Type.Boolean({ description: 'More rows may follow: a page may end before it is full, and be empty' }),
  ),
  total: Type.Optional(Type.Integer({ description: 'All that the filters leave' })),
  limit: Type.Optional(Type.Integer({ description: 'Set where a page is shorter than what was asked for may be' })),
});
const Envelope = <Data extends Parameters<typeof Shape>[0]>(data: Data) => Shape({ data: Shape(data), meta: Meta });

const RepoSummary = Shape({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  languages: Type.Array(Type.String()),
  commit: Type.String({ description: 'That the index is of; empty where nobody said' }),
  index_version: Type.String(),
  sync_seq: SyncSeq,
  indexed_at: UnixSeconds,
  symbol_count: Type.Integer(),
  file_count: Type.Integer(),
});

const Stats = Shape({
  files: Type.Integer(),
  symbols: Type.Integer(),
  refs: Type.Integer(),
  call_edges: Type.Integer(),
});

export const ServedFile = Shape({
  path: Type.String({ description: 'The basename alone where paths are not exposed' }),
  basename: Type.String(),
  language: Type.String(),
  symbol_count: Type.Integer({ description: 'That it defines, be they shown at it or at another file' }),
  hash: Type.String({ description: 'Of the content; of a redacted repository one that only tells contents apart' }),
});
export const ServedSymbol = Shape({
  id: Type.String(),
  name: Type.String(),
  kind: SymbolKind,
  file_path: Type.String(),
  file_basename: Type.String(),
  line: Type.Integer(),
  column: Type.Integer(),
  language: Type.String(),
  documentation: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  container: Type.String(),
});
export const ServedRef = Shape({
  from_file: Type.String(),
  to_symbol_id: Type.String(),
  line: Type.Integer(),
  col: Type.Integer(),
  kind: Type.String(),
  language: Type.String(),
  in_symbol_id: Type.Optional(
    Type.String({ description: 'The innermost symbol that it stands in; empty at the top of a file' }),
  ),
});
export const ServedCallEdge = Shape({
  caller_id: Type.String(),
  callee_id: Type.String(),
  caller_file: Type.String(),
  call_line: Type.Integer(),
  call_col: Type.Integer(),
  language: Type.String(),
});

const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 2048, description: '`meta.cursor` of the page before' }),
);
const Limit = (fallback: number, what: string) =>
  withDefault(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description: `Most ${what}; more than max_page_size is cut to that`,
    }),
    fallback,
  );
const Filter = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description }));
const language = Filter('Only those of this language, such as typescript');
const kind = Type.Optional(OneOf(SymbolKind.enum as [string, ...string[]], 'Only symbols of this kind'));
const query = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '\\S',
  description: 'Any part of what is looked for; every character stands for itself',
  [expects]: 'must be a text of at most 1024 characters that is not blank',
});

const ofRepo = ['repoNotFound', 'notReady', 'storageFailed'] as const satisfies readonly FaultReason[];
const ofList = [...ofRepo, 'invalidCursor', 'cursorExpired'] as const satisfies readonly FaultReason[];

const served = { effect: 'read', scope: 'index:read' } as const;

export const indexServer = {
  'indexServer.repos': operation({
    summary: 'The repositories whose indexes are served, as far as the key is for them',
    http: { method: 'GET', path: '/index/repos' },
    input: Shape({}),
    output: Envelope({ repos: Type.Array(RepoSummary) }),
    faults: [],
    ...served,
  }),
  'indexServer.meta': operation({
    summary: 'A served index: its snapshot, what it holds and what of it is exposed',
    http: { method: 'GET', path: '/index/repos/:repo*/meta' },
    input: Shape({ repo }),
    output: Envelope({
      id: Type.String(),
      name: Type.String(),
      commit: Type.String(),
      index_version: Type.String(),
      sync_seq: SyncSeq,
      sync_log_retention_seq_min: Type.Integer({ description: 'The oldest sync_seq that is still known' }),
      schema_version: Type.Integer({ description: 'Of what these endpoints answer' }),
      indexed_at: UnixSeconds,
      languages: Type.Array(Type.String()),
      stats: Stats,
      capabilities: Shape({
        sync_seq: Type.Boolean(),
        search: Type.Boolean(),
        batch_get: Type.Boolean(),
        compression: Type.Array(Type.String({ description: 'Content codings that uploads may have' })),
        redaction: Type.Boolean(),
        max_page_size: Type.Integer(),
      }),
      privacy: Shape({
        paths_exposed: Type.Boolean(),
        docs_exposed: Type.Boolean(),
        signatures_exposed: Type.Boolean(),
      }),
    }),
    faults: ofRepo,
    ...served,
  }),
  'indexServer.files': operation({
    summary: 'The files of a served index',
    http: { method: 'GET', path: '/index/repos/:repo*/files' },
    input: Shape({ repo, cursor: Cursor, limit: Limit(1000, 'files') }),
    output: Envelope({ files: Type.Array(ServedFile) }),
    faults: ofList,
    ...served,
  }),
  'indexServer.symbols': operation({
    summary: 'The symbols of a served index',
    http: { method: 'GET', path: '/index/repos/:repo*/symbols' },
    input: Shape({
      repo,
      cursor: Cursor,
      limit: Limit(1000, 'symbols'),
      language,
      kind,
      file: Filter('Only those whose file_path is this'),
    }),
    output: Envelope({ symbols: Type.Array(ServedSymbol) }),
    faults: ofList,
    ...served,
  }),
  'indexServer.symbol': operation({
    summary: 'One symbol of a served index',
    http: { method: 'GET', path: '/index/repos/:repo*/symbols/:id*' },
    input: Shape({ repo, id: Type.String({ minLength: 1, maxLength: 4096, description: 'svc:<repo>:sym:<hash>' }) }),
    output: Envelope({ symbol: ServedSymbol }),
    faults: [...ofRepo, 'symbolNotFound'],
    ...served,
  }),
  'indexServer.batchGet': operation({
    summary: 'Many symbols of a served index at once',
    http: { method: 'POST', path: '/index/repos/:repo*/symbols:batchGet' },
    input: Shape({
      repo,
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Symbol ids; one that comes twice is answered once',
      }),
    }),
    output: Envelope({ symbols: Type.Array(ServedSymbol), not_found: Type.Array(Type.String()) }),
    faults: ofRepo,
    ...served,
  }),
  'indexServer.refs': operation({
    summary: 'Where symbols are used in a served index',
    http: { method: 'GET', path: '/index/repos/:repo*/refs' },
    input: Shape({
      repo,
      cursor: Cursor,
      limit: Limit(1000, 'references'),
      from_file: Filter('Only those in the file of this path'),
      to_symbol_id: Filter('Only those to this symbol'),
      language,
    }),
    output: Envelope({ refs: Type.Array(ServedRef) }),
    faults: ofList,
    ...served,
  }),
  'indexServer.callgraph': operation({
    summary: 'Who calls whom in a served index',
    http: { method: 'GET', path: '/index/repos/:repo*/callgraph' },
    input: Shape({
      repo,
      cursor: Cursor,
      limit: Limit(1000, 'edges'),
      caller_id: Filter('Only calls by this symbol'),
      callee_id: Filter('Only calls of this symbol'),
      caller_file: Filter('Only calls in the file of this path'),
      language,
    }),
    output: Envelope({ edges: Type.Array(ServedCallEdge) }),
    faults: ofList,
    ...served,
  }),
  'indexServer.searchSymbols': operation({
    summary: 'Symbols of a served index by name, the best first',
    http: { method: 'GET', path: '/index/repos/:repo*/search/symbols' },
    input: Shape({ repo, q: query, limit: Limit(100, 'symbols'), language, kind }),
    output: Envelope({
      symbols: Type.Array(
        Shape({
          id: Type.String(),
          name: Type.String(),
          kind: SymbolKind,
          file_path: Type.String(),
          line: Type.Integer(),
        }),
      ),
      truncated: Type.Boolean({ description: 'There are more matches' }),
    }),
    faults: ofRepo,
    ...served,
  }),
  'indexServer.searchFiles': operation({
    summary: 'Files of a served index by path, the best first',
    http: { method: 'GET', path: '/index/repos/:repo*/search/files' },
    input: Shape({ repo, q: query, limit: Limit(100, 'files') }),
    output: Envelope({
      files: Type.Array(
        Shape({
          path: Type.String(),
          basename: Type.String(),
          language: Type.String(),
          symbol_count: Type.Integer(),
        }),
      ),
      truncated: Type.Boolean({ description: 'There are more matches' }),
    }),
    faults: ofRepo,
    ...served,
  }),
  'indexServer.changes': operation({
    summary: 'What changed in a served index since a sync_seq, for mirrors; or that all of it must be read',
    http: { method: 'GET', path: '/index/repos/:repo*/changes' },
    input: Shape({
      repo,
      since: Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, description: 'The sync_seq that the mirror has' }),
      cursor: Cursor,
      limit: Limit(1000, 'rows, those of the last file on a page aside'),
    }),
    output: Envelope({
      since: Type.Integer(),
      full_read: Type.Boolean({
        description:
          'What was shown at that sync_seq is no longer known, or is shown otherwise now, or files are shown alike that are not: read files, symbols, refs and callgraph anew',
      }),
      deltas: Shape({
        files: Shape({
          added: Type.Array(ServedFile),
          modified: Type.Array(ServedFile),
          deleted: Type.Array(Type.String()),
        }),
        symbols: Shape({
          added: Type.Array(ServedSymbol),
          modified: Type.Array(ServedSymbol),
          deleted: Type.Array(Type.String()),
        }),
        refs: Shape({ added: Type.Array(ServedRef), deleted: Type.Array(ServedRef) }),
        callgraph: Shape({ added: Type.Array(ServedCallEdge), deleted: Type.Array(ServedCallEdge) }),
      }),
    }),
    faults: ofList,
    ...served,
  }),
  'indexServer.upload': operation({
    summary: 'Put a SCIP index in the place of the one that is served; creates the repository if need be',
    http: {
      method: 'POST',
      path: '/index/repos/:repo*/upload',
      stream: { field: 'body', media: ['application/octet-stream'] },
      headers: { commit: 'X-SVC-Commit', encoding: 'Content-Encoding', length: 'Content-Length' },
    },
    input: Shape({
      repo,
      body: Type.Optional(Type.Unknown({ description: 'The index: it comes as the body of an HTTP request alone' })),
      commit: Type.Optional(
        Type.String({
          pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$',
          description: 'The commit that was indexed',
          [expects]: 'must be the full hash of a commit, 40 or 64 hex digits',
        }),
      ),
      encoding: Type.Optional(Type.String({ maxLength: 256, description: 'How the body is coded: gzip' })),
      length: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Of the body, in bytes: one past the limit is refused before it is read',
        }),
      ),
    }),
    output: Envelope({
      repo_id: Type.String(),
      commit: Type.String(),
      languages: Type.Array(Type.String()),
      stats: Stats,
      duration_ms: Type.Integer(),
      upload_type: OneOf(['full']),
      warnings: Type.Array(Type.String({ description: 'What of the index could not be taken in' })),
    }),
    faults: [
      ...['configRepo', 'invalidScip', 'tooLarge', 'unsupportedMediaType', 'storageFailed', 'busy'],
      ...['requestTimeout', 'invalidBody', 'rateLimited', 'preconditionFailed'],
    ] as FaultReason[],
    effect: 'write',
    scope: 'index:write',
  }),
  'indexServer.delete': operation({
    summary: 'Delete an uploaded index',
    http: { method: 'DELETE', path: '/index/repos/:repo*' },
    input: Shape({ repo }),
    output: Envelope({ id: Type.String(), status: OneOf(['deleted']) }),
    faults: ['repoNotFound', 'configRepo', 'storageFailed'],
    effect: 'write',
    scope: 'index:admin',
  }),
};

/** Of what these endpoints answer, as their `schema_version` tells it: its rows are those of delta artifacts. */
export const indexSchemaVersion = deltaSchemaVersion;
