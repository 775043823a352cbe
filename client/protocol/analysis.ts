import { exampleId, exampleRests } from './examples.ts';
import { ofSnapshot, operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import {
  Count,
  Location,
  Maybe,
  OneOf,
  ReferenceKind,
  Shape,
  Share,
  SymbolId,
  SymbolKey,
  SymbolKind,
  snapshotFields,
} from './shapes.ts';

/** A definition that an analysis speaks of, or the code at the top of a file, which is in no symbol. */
const placed = {
  id: Maybe(SymbolId),
  name: Type.String({ description: 'Of code that stands in no symbol: the path of its file' }),
  container: Type.Optional(
    Type.String({ description: 'What it stands in, the innermost last: `A.B`; empty for nothing' }),
  ),
  kind: SymbolKind,
  location: Location,
  moduleId: Type.String(),
};

const ImpactLevel = OneOf(
  ['low', 'medium', 'high', 'critical', 'unknown'],
  'unknown: the evidence does not bear a verdict',
);

const Affected = Shape({
  ...placed,
  distance: Type.Integer({ minimum: 1, description: 'Steps from the symbol' }),
  relation: OneOf(
    ['caller', 'type-user', 'implementer', 'importer', 'test'],
    'How it hangs on what is one step nearer: caller: it calls it, or reads or writes a property that runs code; implementer: it implements or overrides it, or gives an object a method of an interface; importer: it names it otherwise, imports it, reads or writes it, as `uses` tells; test: the code is of a file that a runner of tests runs, however it uses it',
  ),
  uses: Type.Array(ReferenceKind, { description: 'All the ways in which it uses what is one step nearer' }),
  source: OneOf(['scip', 'tree-sitter'], 'Who says that it does: an indexer, or syntax alone'),
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
  directCount: Count('Definitions and files that use the symbol itself, not by way of what it overrides'),
  transitiveCount: Count('Definitions and files that use it by way of others, up to the depth'),
  filesAffected: Count('Files with any of them'),
  modulesAffected: Type.Array(
    Shape({ moduleId: Type.String(), name: Type.String(), count: Count('Of them in that module') }),
  ),
  testsAffected: Type.Array(Type.String(), { description: 'Files that a runner of tests runs, with any of them' }),
  blastRadius: Shape({
    modules: Count(''),
    files: Count(''),
    callers: Count('Those that call it, itself or by way of others, or have it run as they read or write it'),
  }),
});

const exampleCaller = 'svc:app:sym:00f067aa0ba902b74bf92f3577b34da6';

function exampleNode(id: string, name: string, file: string, line: number) {
  const location = { file, line, column: 10, endLine: line, endColumn: 10 + name.length };
  return {
    id,
    name,
    kind: 'function' as const,
    location,
    moduleId: 'src',
    isTest: false,
    external: false,
    openCalls: 0,
  };
}

const missingSymbol = [...(['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'indexStale'] as const)] as const;

const CallNode = Shape({
  ...placed,
  distance: Type.Integer({ description: 'Steps from the symbol: callers below 0, callees above' }),
  isTest: Type.Boolean(),
  external: Type.Boolean({
    description: 'Of a dependency, which `moduleId` names: it stands in no file of the repository',
  }),
  openCalls: Count('Call sites in it that lead nowhere: it may call more than is listed'),
});

const callEdge = {
  kind: OneOf(
    ['call', 'dispatch', 'construct'],
    'call: the code of the one calls the other, or reads or writes a property that runs code; dispatch: what calls the one may run the other, which overrides it; construct: to make a value of the class runs it',
  ),
  location: Maybe(Location),
  calls: Count('Call sites, of which `location` is the first'),
  confidence: Share('How sure that the one runs the other'),
  source: OneOf(['scip', 'tree-sitter'], 'Who says so: an indexer, or syntax'),
};
const CallEdge = Shape({
  callerId: Maybe(SymbolId),
  callerFile: Type.String({ description: 'Where the caller stands: code at the top of a file has no id' }),
  calleeId: SymbolId,
  ...callEdge,
});

const MeasuredFunction = Shape({
  name: Type.String({
    description: 'Of a function without one, that of what it is assigned to, else <anonymous> or <lambda>',
  }),
  container: Type.String({ description: 'The types that it is a member of, the innermost last: `A.B`' }),
  line: Type.Integer({ minimum: 1 }),
  endLine: Type.Integer({ minimum: 1 }),
  cyclomatic: Count('1 and the decisions in it'),
  cognitive: Count('By the rules of SonarSource: what branches counts more the deeper it is nested'),
  lines: Count('From the first to the last'),
  parameters: Count(''),
  recursion: Count('Calls of itself in it'),
  countsAround: Type.Boolean({
    description:
      'What it adds to cognitive complexity is a part, too, of what a function around it has, as is the rule of its language',
  }),
});

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
      ...snapshotFields,
    }),
    faults: missingSymbol,
    ...ofSnapshot,
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
            source: 'tree-sitter',
            confidence: 0.95,
            via: [],
          },
        ],
        truncated: false,
        risk: 'medium',
        ...exampleRests,
      },
    },
  }),
  'analysis.callgraph': operation({
    summary: 'What calls a symbol, and what it calls',
    http: { method: 'GET', path: '/callgraph/:id*', fields: { id: SymbolId } },
    cli: {
      command: 'callgraph <id>',
      examples: ['svc callgraph parseConfig', 'svc callgraph Server.close --direction callees --depth 3'],
    },
    input: Shape({
      id: SymbolKey,
      direction: withDefault(OneOf(['callers', 'callees', 'both']), 'both'),
      depth: withDefault(Type.Integer({ minimum: 1, maximum: 10, description: 'Steps away from the symbol' }), 1),
      includeTests: withDefault(Type.Boolean({ description: 'Code of tests' }), true),
      includeExternal: withDefault(Type.Boolean({ description: 'What is called of dependencies' }), false),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most items in `nodes`' }), 500),
    }),
    output: Shape({
      symbolId: SymbolId,
      direction: OneOf(['callers', 'callees', 'both']),
      nodes: Type.Array(CallNode, { description: 'The symbol itself, then the nearest first' }),
      edges: Type.Array(CallEdge, { description: 'Between what is in `nodes`' }),
      truncated: Type.Boolean({ description: 'There are more than `nodes` lists' }),
      ...snapshotFields,
    }),
    faults: missingSymbol,
    ...ofSnapshot,
    example: {
      input: { id: exampleId, direction: 'callers' },
      output: {
        symbolId: exampleId,
        direction: 'callers',
        nodes: [
          { ...exampleNode(exampleId, 'parseConfig', 'src/config.ts', 12), distance: 0 },
          { ...exampleNode(exampleCaller, 'main', 'src/main.ts', 5), distance: -1 },
        ],
        edges: [
          {
            ...{ callerId: exampleCaller, callerFile: 'src/main.ts', calleeId: exampleId, kind: 'call' },
            location: { file: 'src/main.ts', line: 7, column: 18, endLine: 7, endColumn: 29 },
            ...{ calls: 1, confidence: 1, source: 'tree-sitter' },
          },
        ],
        truncated: false,
        ...exampleRests,
      },
    },
  }),
  'analysis.trace': operation({
    summary: 'The shortest way by calls from one symbol to another, or where it stops',
    http: { method: 'GET', path: '/trace', fields: { from: SymbolId, to: SymbolId } },
    cli: { command: 'trace <from> <to>', examples: ['svc trace main parseConfig'] },
    input: Shape({ from: SymbolKey, to: SymbolKey }),
    output: Shape({
      from: SymbolId,
      to: SymbolId,
      found: Type.Boolean(),
      path: Type.Array(
        Shape({ ...placed, call: Maybe(Shape(callEdge, 'How it is reached from the one before; null of the first')) }),
        { description: 'From the one to the other; empty where no way is known' },
      ),
      confidence: Share('The product of the steps; 0 without a way'),
      reached: Count('Symbols of the repository that the first may run'),
      truncated: Type.Boolean({ description: 'It may run so many that not all were looked at' }),
      stops: Type.Array(
        Shape({
          ...placed,
          distance: Count('Steps from the first'),
          because: OneOf(
            ['open-calls', 'no-body'],
            'open-calls: call sites in it lead nowhere; no-body: it is declared, and nothing is known to implement it',
          ),
          openCalls: Count('Call sites in it that lead nowhere'),
        }),
        {
          description:
            'Where no way is known: where it may go on among what the first may run, the nearest first, 50 at most',
        },
      ),
      limitations: Type.Array(Type.String(), { description: 'What is not followed, where no way is known' }),
      ...snapshotFields,
    }),
    faults: missingSymbol,
    ...ofSnapshot,
    example: {
      input: { from: exampleCaller, to: exampleId },
      output: {
        ...{ from: exampleCaller, to: exampleId, found: false, path: [], confidence: 0, reached: 0, truncated: false },
        stops: [],
        limitations: ['calls of values, such as parameters and elements of collections, are not followed'],
        ...exampleRests,
      },
    },
  }),
  'analysis.complexity': operation({
    summary: 'How complex the functions of a file are',
    http: { method: 'GET', path: '/complexity' },
    cli: {
      command: 'complexity <path...>',
      examples: [
        'svc complexity src/server.ts',
        'svc complexity src/server.ts --sort-by cognitive --limit 5',
        'svc complexity src --fail-over cognitive=25 --baseline svc-baseline.json',
      ],
      described: {
        path: 'Of the file, by the root of the repository; with --fail-over several, and folders, as seen from here',
      },
      gate: 'functions',
    },
    input: Shape({
      path: Type.String({ minLength: 1, maxLength: 4096, description: 'Of the file, by the root of the repository' }),
      includeFunctions: withDefault(Type.Boolean({ description: 'List the functions' }), true),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most items in `functions`' }), 20),
      sortBy: withDefault(OneOf(['cyclomatic', 'cognitive', 'lines'], 'The greatest first'), 'cyclomatic'),
    }),
    output: Shape({
      filePath: Type.String(),
      language: Type.String(),
      aggregate: Shape(
        {
          totalCyclomatic: Count(''),
          totalCognitive: Count(
            'What counts in a function around too is counted once: functions with `countsAround` left out',
          ),
          averageCyclomatic: Type.Number(),
          averageCognitive: Type.Number(),
          maxCyclomatic: Count(''),
          maxCognitive: Count(''),
          functionCount: Count(''),
          lineCount: Count('Lines of the file'),
        },
        'Over all functions of the file, listed or not; what stands in none of them is not measured',
      ),
      functions: Type.Optional(Type.Array(MeasuredFunction)),
      truncated: Type.Boolean({ description: 'There are more than `functions` lists' }),
      partial: Type.Boolean({
        description: 'The parser could read only parts of the file: functions may be missing, and numbers too low',
      }),
      ...snapshotFields,
    }),
    faults: ['fileNotFound', 'unsupportedFile', 'preconditionFailed', 'notReady', 'indexStale'],
    ...ofSnapshot,
    example: {
      input: { path: 'src/config.ts' },
      output: {
        filePath: 'src/config.ts',
        language: 'typescript',
        aggregate: {
          ...{ totalCyclomatic: 4, totalCognitive: 5, averageCyclomatic: 4, averageCognitive: 5 },
          ...{ maxCyclomatic: 4, maxCognitive: 5, functionCount: 1, lineCount: 40 },
        },
        functions: [
          {
            ...{ name: 'parseConfig', container: '', line: 12, endLine: 31, cyclomatic: 4, cognitive: 5, lines: 20 },
            ...{ parameters: 1, recursion: 0, countsAround: false },
          },
        ],
        truncated: false,
        partial: false,
        ...exampleRests,
      },
    },
  }),
};
