import { exampleCompleteness, exampleId, exampleSnapshot, exampleSymbol, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import {
  CodeSymbol,
  CommaList,
  Completeness,
  expects,
  OneOf,
  Reference,
  SearchResult,
  Shape,
  SymbolId,
  SymbolKey,
  SymbolKind,
  Timestamp,
  Warning,
} from './shapes.ts';

const RepoStateMode = OneOf(['head', 'full'], 'head: as committed; full: as on disk');
const Cursor = Type.String({ minLength: 1, maxLength: 2048, description: 'As the page before gave it' });

export const symbols = {
  'symbols.get': operation({
    summary: 'One symbol by its id',
    http: { method: 'GET', path: '/symbol/:id*', fields: { id: SymbolId } },
    cli: { command: 'symbol <id>', examples: ['svc symbol parseConfig'] },
    input: Shape({ id: SymbolKey, repoStateMode: withDefault(RepoStateMode, 'full') }),
    output: CodeSymbol,
    faults: [
      ...(['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'indexStale'] as const),
      ...(['preconditionFailed', 'backendUnavailable'] as const),
    ],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    cacheable: 'snapshot',
    example: { input: { id: exampleId }, output: exampleSymbol },
  }),
  'symbols.search': operation({
    summary: 'Symbols by name: exact, prefix, camel-case, substring and near misses, best first',
    http: { method: 'GET', path: '/search' },
    cli: {
      command: 'search <q>',
      examples: ['svc search HttpServer', 'svc search parse --kinds function,method', 'svc search Server --depth 2'],
    },
    input: Shape({
      q: Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: '\\S',
        description: 'What to look for',
        [expects]: 'must be 1 to 1024 characters, not all blank',
      }),
      scope: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Module id or path prefix' })),
      kinds: Type.Optional(CommaList(SymbolKind, 'Comma list of symbol kinds')),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most results of one page' }), 50),
      depth: withDefault(
        Type.Integer({ minimum: 1, maximum: 5, description: '2 adds the members of each hit, 3 their members, too' }),
        1,
      ),
      includeExternal: withDefault(
        Type.Boolean({
          description: 'Symbols of dependencies that are used and that indexers name, after the repository’s own',
        }),
        false,
      ),
      merge: withDefault(
        OneOf(
          ['prefer-first', 'union'],
          'As for references. Definitions are of syntax alone, so that here both list the same',
        ),
        'prefer-first',
      ),
      refresh: withDefault(
        Type.Boolean({ description: 'As sync, and what was derived for speed is made anew' }),
        false,
      ),
      repoStateMode: withDefault(RepoStateMode, 'full'),
      cursor: Type.Optional(Cursor),
    }),
    output: Shape({
      query: Type.String(),
      results: Type.Array(SearchResult),
      total: Type.Integer({ description: 'All matches, not only those on this page' }),
      hasMore: Type.Boolean(),
      cursor: Type.Optional(Type.String()),
      snapshotId: Type.String(),
      headCommit: Type.Optional(Type.String({ description: 'With repoStateMode=head: the commit that was searched' })),
      completeness: Completeness,
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'cursorExpired', 'indexStale', 'preconditionFailed', 'backendUnavailable'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    cacheable: 'snapshot',
    example: {
      input: { q: 'parseC', kinds: ['function', 'method'] },
      output: {
        query: 'parseC',
        results: [{ ...exampleSymbol, score: 0.94, match: 'prefix' }],
        total: 1,
        hasMore: false,
        snapshotId: exampleSnapshot,
        completeness: exampleCompleteness,
        timestamp: exampleTime,
      },
    },
  }),
  'symbols.refs': operation({
    summary: 'Where a symbol is used',
    http: { method: 'GET', path: '/refs/:id*', fields: { id: SymbolId } },
    cli: { command: 'refs <id>', examples: ['svc refs parseConfig', 'svc refs Server.close --include-definition'] },
    input: Shape({
      id: SymbolKey,
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most places of one page' }), 500),
      cursor: Type.Optional(Cursor),
      includeTests: withDefault(Type.Boolean({ description: 'Places in tests' }), true),
      includeDefinition: withDefault(Type.Boolean({ description: 'The definition itself, too' }), false),
      merge: withDefault(
        OneOf(
          ['prefer-first', 'union'],
          'prefer-first: where an indexer saw a file and names the symbol, what it lists; union: what syntax and language servers say, too',
        ),
        'prefer-first',
      ),
    }),
    output: Shape({
      symbolId: SymbolId,
      references: Type.Array(Reference),
      total: Type.Integer(),
      hasMore: Type.Boolean(),
      cursor: Type.Optional(Type.String()),
      snapshotId: Type.String(),
      completeness: Completeness,
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
    faults: ['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'cursorExpired', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    cacheable: 'snapshot',
    example: {
      input: { id: exampleId },
      output: {
        symbolId: exampleId,
        references: [
          {
            location: { file: 'src/main.ts', line: 7, column: 18, endLine: 7, endColumn: 29 },
            kind: 'call',
            context: 'const config = parseConfig(text);',
            isTest: false,
            enclosingSymbol: { id: 'svc:app:sym:00f067aa0ba902b74bf92f3577b34da6', name: 'main' },
            source: 'tree-sitter',
            confidence: 0.9,
          },
        ],
        total: 1,
        hasMore: false,
        snapshotId: exampleSnapshot,
        completeness: exampleCompleteness,
        timestamp: exampleTime,
      },
    },
  }),
};
