import { exampleCompleteness, exampleId, exampleSnapshot, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import {
  Completeness,
  Location,
  Maybe,
  OneOf,
  ReferenceKind,
  Shape,
  SymbolId,
  SymbolKey,
  SymbolKind,
  Timestamp,
} from './shapes.ts';

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** A definition that an analysis speaks of, or the code at the top of a file, which is in no symbol. */
const placed = {
  id: Maybe(SymbolId),
  name: Type.String({ description: 'Of code that stands in no symbol: the path of its file' }),
  kind: SymbolKind,
  location: Location,
  moduleId: Type.String(),
};

export const ImpactLevel = OneOf(
  ['low', 'medium', 'high', 'critical', 'unknown'],
  'unknown: the evidence does not bear a verdict',
);

const Affected = Shape({
  ...placed,
  distance: Type.Integer({ minimum: 1, description: 'Steps from the symbol' }),
  relation: OneOf(
    ['caller', 'type-user', 'implementer', 'importer', 'user', 'test'],
    'How it hangs on what is one step nearer: user reads or writes it; test: the code is a test’s, however it uses it',
  ),
  uses: Type.Array(ReferenceKind, { description: 'All the ways in which it uses what is one step nearer' }),
  confidence: Share('How sure the surest way there is: the product of its steps'),
  via: Type.Array(SymbolId, { description: 'What lies between the symbol and this, the nearest to the symbol first' }),
});

const Impact = Shape({
  score: Share('Weighted mean of the factors'),
  level: ImpactLevel,
  factors: Type.Array(
    Shape({
      name: Type.String(),
      value: Share('0 harmless, 1 grave'),
      weight: Share('All weights add up to 1'),
      explanation: Type.String(),
    }),
  ),
  unknownBecause: Type.Optional(Type.String({ description: 'Why there is no verdict, with the level unknown' })),
  directCount: Count('Definitions and files that use the symbol itself'),
  transitiveCount: Count('Definitions and files that use it by way of others, up to the depth'),
  filesAffected: Count('Files with any of them'),
  modulesAffected: Type.Array(
    Shape({ moduleId: Type.String(), name: Type.String(), count: Count('Of them in that module') }),
  ),
  testsAffected: Type.Array(Type.String(), { description: 'Files of tests with any of them' }),
  blastRadius: Shape({
    modules: Count(''),
    files: Count(''),
    callers: Count('Those that call it, itself or by way of others'),
  }),
});

const missingSymbol = [...(['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'indexStale'] as const)] as const;

export const analysis = {
  'analysis.impact': operation({
    summary: 'What hangs on a symbol: a change of it may break all of this',
    http: { method: 'GET', path: '/impact/:id*', fields: { id: SymbolId } },
    cli: { command: 'impact <id>', examples: ['svc impact parseConfig', 'svc impact Server.close --depth 4'] },
    input: Shape({
      id: SymbolKey,
      depth: withDefault(Type.Integer({ minimum: 1, maximum: 10, description: 'Steps away from the symbol' }), 2),
      includeTests: withDefault(Type.Boolean({ description: 'Code of tests' }), true),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most items in `affected`' }), 1000),
    }),
    output: Shape({
      symbolId: SymbolId,
      impact: Impact,
      affected: Type.Array(Affected, { description: 'The nearest first, of these the surest' }),
      truncated: Type.Boolean({ description: 'There are more than `affected` lists; the counts are of all' }),
      risk: ImpactLevel,
      snapshotId: Type.String(),
      completeness: Completeness,
      timestamp: Timestamp,
    }),
    faults: missingSymbol,
    effect: 'read',
    scope: 'repository',
    cacheable: true,
    example: {
      input: { id: exampleId },
      output: {
        symbolId: exampleId,
        impact: {
          score: 0.46,
          level: 'medium',
          factors: [
            { name: 'visibility', value: 1, weight: 0.25, explanation: 'It is exported: code outside may use it' },
            { name: 'directCallers', value: 0.17, weight: 0.3, explanation: '1 definition or file uses it' },
          ],
          directCount: 1,
          transitiveCount: 0,
          filesAffected: 1,
          modulesAffected: [{ moduleId: 'src', name: 'src', count: 1 }],
          testsAffected: [],
          blastRadius: { modules: 1, files: 1, callers: 1 },
        },
        affected: [
          {
            id: 'svc:app:sym:00f067aa0ba902b74bf92f3577b34da6',
            name: 'main',
            kind: 'function',
            location: { file: 'src/main.ts', line: 5, column: 10, endLine: 5, endColumn: 14 },
            moduleId: 'src',
            distance: 1,
            relation: 'caller',
            uses: ['call'],
            confidence: 0.95,
            via: [],
          },
        ],
        truncated: false,
        risk: 'medium',
        snapshotId: exampleSnapshot,
        completeness: exampleCompleteness,
        timestamp: exampleTime,
      },
    },
  }),
};
