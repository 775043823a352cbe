import { exampleId, exampleRests } from './examples.ts';
import { ofSnapshot, operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, Shape, SymbolId, SymbolKind, snapshotFields } from './shapes.ts';

const UnwiredSymbol = Shape({
  symbolId: SymbolId,
  name: Type.String(),
  kind: SymbolKind,
  filePath: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  referenceCount: Count(
    'Uses outside tests: its own file’s, those of code that nothing reaches, and those that only hand it on',
  ),
  testReferences: Count('Uses in tests, which reach nothing'),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How sure it is that no entrypoint reaches it' }),
  reason: Type.String({ description: 'What uses it all the same, and what speaks against the claim' }),
});

export const unwired = {
  'analysis.unwired': operation({
    summary: 'Exported symbols that no entrypoint reaches',
    http: { method: 'GET', path: '/unwired' },
    cli: {
      command: 'unwired',
      examples: [
        'svc unwired',
        'svc unwired --scope packages/core --include-types',
        'svc unwired --fail-on 1 --baseline svc-baseline.json',
      ],
      gate: 'symbols',
    },
    input: Shape({
      scope: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Module id or path prefix' })),
      minConfidence: withDefault(
        Type.Number({ minimum: 0, maximum: 1, description: 'Claims that are less sure are only counted' }),
        0.8,
      ),
      limit: withDefault(
        Type.Integer({
          minimum: 1,
          maximum: 10000,
          description: 'Most symbols in `unwiredModules`; the surest are shown',
        }),
        100,
      ),
      includeTypes: withDefault(
        Type.Boolean({ description: 'Interfaces, traits and type aliases too, which no program needs to run' }),
        false,
      ),
    }),
    output: Shape({
      unwiredModules: Type.Array(
        Shape({
          path: Type.String({ description: 'A directory; empty for the root' }),
          symbols: Type.Array(UnwiredSymbol, { description: 'By file and line' }),
          unwiredCount: Count('Whether shown or not'),
          totalExported: Count('Exported symbols of the directory’s files'),
        }),
      ),
      summary: Shape({
        totalExported: Count(
          'Exported symbols: what files name in their exports, else public definitions that are no members',
        ),
        reachableCount: Count('Of these, what an entrypoint reaches, or who has the package from outside'),
        unwiredCount: Count('What nothing reaches, as sure as was asked for'),
        uncertainCount: Count('What nothing reaches, less sure'),
        byKind: Type.Record(Type.String(), Type.Integer(), { description: 'Unwired ones by kind' }),
      }),
      entrypoints: Type.Array(Type.String(), { description: 'Files that reaching begins at' }),
      limitations: Type.Array(Type.String(), { description: 'What this answer cannot know here' }),
      truncated: Type.Boolean({ description: 'There are more than `unwiredModules` shows; the counts are of all' }),
      ...snapshotFields,
    }),
    faults: ['preconditionFailed', 'notReady', 'indexStale', 'invalidParameter'],
    ...ofSnapshot,
    // An index without source tells neither what is exported nor where programs begin: of nothing it could only say zero.
    needs: 'work tree',
    example: {
      input: {},
      output: {
        unwiredModules: [
          {
            path: 'src',
            symbols: [
              {
                symbolId: exampleId,
                name: 'parseConfig',
                kind: 'function',
                filePath: 'src/config.ts',
                line: 12,
                referenceCount: 0,
                testReferences: 3,
                confidence: 0.9,
                reason: 'nothing but tests uses it',
              },
            ],
            unwiredCount: 1,
            totalExported: 17,
          },
        ],
        summary: {
          totalExported: 17,
          reachableCount: 15,
          unwiredCount: 1,
          uncertainCount: 1,
          byKind: { function: 1 },
        },
        entrypoints: ['src/main.ts'],
        limitations: [],
        truncated: false,
        ...exampleRests,
      },
    },
  }),
};
