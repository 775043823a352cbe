import { exampleId, exampleRests, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, OneOf, Shape, Share, SymbolId, SymbolKind, snapshotFields, symbolKinds, Timestamp } from './shapes.ts';

const reasons = [
  ...(['symbol_deleted', 'symbol_renamed', 'symbol_moved'] as const),
  ...(['file_deleted', 'file_moved', 'file_missing', 'route_deleted'] as const),
] as const;

const placeFields = {
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1, description: 'Where the name begins, from 1, in UTF-16 code units' }),
  endColumn: Type.Integer({ minimum: 1, description: 'Behind its end' }),
  written: Type.String({ description: 'What stands there: `suggestion` is to take its place' }),
};

const Reason = OneOf(
  reasons,
  'symbol_deleted: nothing is known to have taken its place; symbol_renamed, symbol_moved: something has, and `suggestion` is what it is called there, where that place alone must be written anew; of files alike; file_missing: a link or an image leads to no file, as far as anybody knows it never did; route_deleted: nothing serves it, and `suggestion` is the route most like it',
);
const Suggestion = Type.Optional(Type.String({ description: 'What is to be written instead of `written`' }));
const Context = Type.String({ description: 'The heading that it stands under; empty above the first' });

const DocReference = Shape({
  rawText: Type.String({ description: 'As it is written, without the marks of code' }),
  ...placeFields,
  context: Context,
  resolution: OneOf(['resolved', 'stale']),
  source: OneOf(['inline', 'fence', 'directive'], 'A code span, a line of fenced code, or a directive'),
  symbolId: Type.Optional(SymbolId),
  kind: Type.Optional(OneOf([...symbolKinds, 'route'], 'Of the symbol; route: it names a route of HTTP')),
  name: Type.Optional(
    Type.String({ description: 'Of what it resolves to, with what that stands in; of routes as the code has them' }),
  ),
  filePath: Type.Optional(Type.String({ description: 'Where that is defined, or served' })),
  reason: Type.Optional(Reason),
  suggestion: Suggestion,
});

const FileReference = Shape({
  rawText: Type.String(),
  ...placeFields,
  source: OneOf(['link', 'code']),
  resolution: OneOf(['resolved', 'stale']),
  target: Type.Optional(Type.String({ description: 'The file or folder that it resolves to' })),
  reason: Type.Optional(Reason),
  suggestion: Suggestion,
});

const StaleReference = Shape({
  rawText: Type.String(),
  ...placeFields,
  kind: OneOf(['symbol', 'file', 'route'], 'What it names'),
  source: OneOf(['inline', 'fence', 'directive', 'link', 'code']),
  reason: Reason,
  suggestion: Suggestion,
});

/** Answers hang on the snapshot and on what was there before it. */
const ofDocuments = { effect: 'read', scope: 'repository', needs: 'work tree', cacheable: 'content' } as const;
const asked = ['preconditionFailed', 'notReady', 'indexStale', 'invalidParameter'] as const;

const examplePlace = { line: 12, column: 6, endColumn: 17, written: 'parseConfig' };

export const docs = {
  'docs.index': operation({
    summary: 'Read the Markdown documents of a repository, and find the code that they mention',
    http: { method: 'POST', path: '/docs/index' },
    cli: { command: 'docs index', examples: ['svc docs index', 'svc docs index --force'] },
    input: Shape({
      force: withDefault(
        Type.Boolean({ description: 'Read all documents anew, those that have not changed as well' }),
        false,
      ),
    }),
    output: Shape({
      filesIndexed: Count('Documents that were read: those that nobody had read as they are'),
      symbolsFound: Count('References in all documents: names of code, files and routes'),
      resolved: Count('Of these, those that mean something here'),
      unresolved: Count('Those that mean nothing here, several things, or nobody can tell'),
      stale: Count('Those that mean what is no more: `totalStale` of /docs/stale'),
      documents: Count('All documents'),
      passedOver: Type.Array(Shape({ path: Type.String(), why: Type.String() }), {
        description:
          'Documents of which nothing was read: change logs, those that are too large or too deep, and what the index passes over, such as links',
      }),
      duration: Type.String(),
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'notReady', 'rateLimited', 'operationFailed'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: {},
      output: {
        ...{ filesIndexed: 3, symbolsFound: 214, resolved: 121, unresolved: 92, stale: 1, documents: 18 },
        passedOver: [{ path: 'CHANGELOG.md', why: 'changelog' }],
        duration: '0.2s',
        timestamp: exampleTime,
      },
    },
  }),
  'docs.symbol': operation({
    summary: 'Where documents mention a symbol',
    http: { method: 'GET', path: '/docs/symbol/:name' },
    cli: { command: 'docs symbol <name>', examples: ['svc docs symbol parseConfig', 'svc docs symbol Config.load'] },
    input: Shape({
      name: Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: '\\S',
        description: 'A name, bare or with what it stands in, or a symbol id',
      }),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 10000, description: 'Most places in `docs`; `total` counts all' }),
        10,
      ),
    }),
    output: Shape({
      symbol: Type.String({ description: 'The name' }),
      docs: Type.Array(
        Shape({
          path: Type.String(),
          ...placeFields,
          rawText: Type.String(),
          context: Context,
          resolution: OneOf(['resolved', 'stale']),
          symbolId: Type.Optional(SymbolId),
          reason: Type.Optional(Reason),
          suggestion: Suggestion,
        }),
        { description: 'By document and line' },
      ),
      total: Count('All places'),
      ...snapshotFields,
    }),
    faults: [...asked, 'symbolNotFound', 'symbolGone'],
    ...ofDocuments,
    example: {
      input: { name: 'parseConfig' },
      output: {
        symbol: 'parseConfig',
        docs: [
          {
            ...{ path: 'docs/config.md', ...examplePlace, rawText: 'parseConfig(text)', context: 'Reading' },
            ...{ resolution: 'resolved', symbolId: exampleId },
          },
        ],
        total: 1,
        ...exampleRests,
      },
    },
  }),
  'docs.file': operation({
    summary: 'The code, the routes and the files that a document mentions',
    http: { method: 'GET', path: '/docs/file/:path*' },
    cli: { command: 'docs file <path>', examples: ['svc docs file README.md'] },
    input: Shape({ path: Type.String({ minLength: 1, maxLength: 4096, description: 'A Markdown file' }) }),
    output: Shape({
      path: Type.String(),
      symbols: Type.Array(DocReference, { description: 'By line; what nobody can tell the meaning of is left out' }),
      summary: Shape({
        total: Count('References in `symbols` and `files`'),
        resolved: Count('Of these'),
        stale: Count('Of these'),
        unresolved: Count('Names, files and routes that are in neither'),
      }),
      files: Type.Array(FileReference, {
        description: 'Files and folders of the repository that links and code spans name',
      }),
      modules: Type.Array(Type.String(), { description: 'Modules that directives say it is about' }),
      passedOver: Type.Optional(Type.String({ description: 'Why nothing of it was read' })),
      ...snapshotFields,
    }),
    faults: [...asked, 'fileNotFound', 'unsupportedFile'],
    ...ofDocuments,
    example: {
      input: { path: 'docs/config.md' },
      output: {
        path: 'docs/config.md',
        symbols: [
          {
            ...{ rawText: 'parseConfig(text)', ...examplePlace, context: 'Reading', resolution: 'resolved' },
            ...{
              source: 'inline',
              symbolId: exampleId,
              kind: 'function',
              name: 'parseConfig',
              filePath: 'src/config.ts',
            },
          },
        ],
        summary: { total: 1, resolved: 1, stale: 0, unresolved: 4 },
        files: [],
        modules: [],
        ...exampleRests,
      },
    },
  }),
  'docs.stale': operation({
    summary: 'What documents mention that is no more, and what is to be written instead',
    http: { method: 'GET', path: '/docs/stale' },
    cli: { command: 'docs stale [path]', examples: ['svc docs stale', 'svc docs stale docs/guide'] },
    input: Shape({
      path: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'A document, or a folder of them. Default: all' }),
      ),
    }),
    output: Shape({
      reports: Type.Array(
        Shape({ docPath: Type.String(), stale: Type.Array(StaleReference, { description: 'By line' }) }),
        { description: 'Documents that have any, by path' },
      ),
      directives: Type.Array(
        Shape({
          docPath: Type.String(),
          line: Type.Integer({ minimum: 1 }),
          directive: Type.String(),
          problem: OneOf(
            ['unknown_directive', 'unknown_module', 'unknown_symbol'],
            'It is none; or what it names is no module, or no one symbol',
          ),
        }),
        {
          description:
            'Comments that are to tell something and tell nothing, by document and line; not among `totalStale`',
        },
      ),
      totalStale: Count('References in all of them'),
      totalDocs: Count('Documents that were looked at'),
      ...snapshotFields,
    }),
    faults: [...asked, 'fileNotFound', 'unsupportedFile'],
    ...ofDocuments,
    example: {
      input: {},
      output: {
        reports: [
          {
            docPath: 'docs/config.md',
            stale: [
              {
                ...{
                  rawText: 'readConfig()',
                  line: 12,
                  column: 6,
                  endColumn: 16,
                  written: 'readConfig',
                  kind: 'symbol',
                },
                ...{ source: 'inline', reason: 'symbol_renamed', suggestion: 'parseConfig' },
              },
            ],
          },
        ],
        directives: [
          { docPath: 'docs/config.md', line: 1, directive: '<!-- svc:modul src -->', problem: 'unknown_directive' },
        ],
        totalStale: 1,
        totalDocs: 18,
        ...exampleRests,
      },
    },
  }),
  'docs.coverage': operation({
    summary: 'How much of what is public documents mention, and what matters most of the rest',
    http: { method: 'GET', path: '/docs/coverage' },
    cli: { command: 'docs coverage', examples: ['svc docs coverage', 'svc docs coverage --exported-only --top-n 20'] },
    input: Shape({
      exportedOnly: withDefault(
        Type.Boolean({
          description: 'Only what files export at their top; else members of that, and all that is public',
        }),
        false,
      ),
      topN: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most in `topUndocumented`' }), 10),
    }),
    output: Shape({
      totalSymbols: Count('Public functions, methods, types and constants, those of tests and examples left out'),
      documentedSymbols: Count('Those that a document mentions'),
      coverage: Share('Their share, two decimals; 1 where there is nothing to be documented'),
      withDocComments: Count('Those with a comment of their own in the code'),
      topUndocumented: Type.Array(
        Shape({
          symbolId: SymbolId,
          name: Type.String(),
          kind: SymbolKind,
          centrality: Type.Number({
            minimum: 0,
            maximum: 1,
            description:
              'PageRank over who uses whom (damping 0.85, tests left out) as a share of the highest of any symbol',
          }),
          filePath: Type.String(),
          line: Type.Integer({ minimum: 1 }),
          hasDocComment: Type.Boolean(),
        }),
        { description: 'The most central first' },
      ),
      ...snapshotFields,
    }),
    faults: asked,
    ...ofDocuments,
    example: {
      input: { exportedOnly: true },
      output: {
        ...{ totalSymbols: 124, documentedSymbols: 81, coverage: 0.65, withDocComments: 96 },
        topUndocumented: [
          {
            ...{ symbolId: exampleId, name: 'parseConfig', kind: 'function', centrality: 0.71 },
            ...{ filePath: 'src/config.ts', line: 12, hasDocComment: true },
          },
        ],
        ...exampleRests,
      },
    },
  }),
  'docs.module': operation({
    summary: 'The documents that say of themselves that they are about a module',
    http: { method: 'GET', path: '/docs/module/:moduleId*' },
    cli: { command: 'docs module <moduleId>', examples: ['svc docs module packages/parser'] },
    input: Shape({
      moduleId: Type.String({ minLength: 1, maxLength: 4096, description: 'A module: its path, or @root' }),
    }),
    output: Shape({
      moduleId: Type.String(),
      docs: Type.Array(Shape({ path: Type.String(), directive: Type.String(), line: Type.Integer({ minimum: 1 }) })),
      total: Count('All of them'),
      ...snapshotFields,
    }),
    faults: [...asked, 'resourceNotFound'],
    ...ofDocuments,
    example: {
      input: { moduleId: 'src' },
      output: {
        moduleId: 'src',
        docs: [{ path: 'docs/config.md', directive: '<!-- svc:module src -->', line: 1 }],
        total: 1,
        ...exampleRests,
      },
    },
  }),
};
