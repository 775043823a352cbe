import Type from 'typebox';
import { operation, withDefault } from './operation.ts';
import {
  CodeSymbol, CommaList, Completeness, expects, OneOf, Reference, SearchResult, Shape, SymbolId, SymbolKey, SymbolKind, Timestamp, Warning,
} from './shapes.ts';

export const symbols = {
  'symbols.get': operation({
    summary: 'One symbol by its id',
    http: { method: 'GET', path: '/symbol/:id*', fields: { id: SymbolId } },
    cli: { command: 'symbol <id>', examples: ['svc symbol parseConfig'] },
    input: Shape({ id: SymbolKey }),
    output: CodeSymbol,
    faults: ['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    cacheable: true,
  }),
  'symbols.search': operation({
    summary: 'Symbols by name: exact, prefix, camel-case, substring and near misses, best first',
    http: { method: 'GET', path: '/search' },
    cli: { command: 'search <q>', examples: ['svc search HttpServer', 'svc search parse --kinds function,method'] },
    input: Shape({
      q: Type.String({ minLength: 1, maxLength: 1024, pattern: '\\S', description: 'What to look for', [expects]: 'must be 1 to 1024 characters, not all blank' }),
      scope: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Module id or path prefix' })),
      kinds: Type.Optional(CommaList(SymbolKind, 'Comma list of symbol kinds')),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000 }), 50),
      repoStateMode: withDefault(OneOf(['head', 'full'], 'head: as committed; full: as on disk'), 'full'),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    }),
    output: Shape({
      query: Type.String(),
      results: Type.Array(SearchResult),
      total: Type.Integer({ description: 'All matches, not only those on this page' }),
      hasMore: Type.Boolean(),
      cursor: Type.Optional(Type.String()),
      snapshotId: Type.String(),
      completeness: Completeness,
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'cursorExpired', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    cacheable: true,
  }),
  'symbols.refs': operation({
    summary: 'Where a symbol is used',
    http: { method: 'GET', path: '/refs/:id*', fields: { id: SymbolId } },
    cli: { command: 'refs <id>', examples: ['svc refs parseConfig', 'svc refs Server.close --include-definition'] },
    input: Shape({
      id: SymbolKey,
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000 }), 500),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      includeTests: withDefault(Type.Boolean(), true),
      includeDefinition: withDefault(Type.Boolean(), false),
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
    cacheable: true,
  }),
};
