import { exampleId, exampleRests, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import {
  Count,
  Maybe,
  OneOf,
  Shape,
  Share,
  SymbolId,
  SymbolKey,
  SymbolKind,
  snapshotFields,
  Timestamp,
} from './shapes.ts';

const qualities = ['exact', 'strong', 'weak', 'none'] as const;
const MatchQuality = OneOf(
  qualities,
  'exact: by file, name, and line or namespace; strong: by file and name; weak: by namespace and name, or a name that nothing else bears; none: nothing of it was reported',
);
const CoverageLevel = OneOf(['high', 'medium', 'low', 'insufficient'], 'From 0.8, 0.6 and 0.4 on, and below');
const Trend = OneOf(['increasing', 'stable', 'decreasing', 'unknown']);

const Coverage = Shape({
  attribute: Share(
    'How much the functions that were observed say of where they stand: a file, and a line or namespace',
  ),
  match: Share('How many of them are known to be symbols: of weak matches each counts half, code of others not at all'),
  service: Share('Of the services that may be of this repository those that are known to be'),
  overall: Share('0.3 attribute, 0.5 match, 0.2 service'),
  level: CoverageLevel,
});

const Caller = Shape({
  service: Type.String({ description: 'Who calls, where that is told; else in which service it was called' }),
  callCount: Count(''),
  lastSeen: Timestamp,
});

const Candidate = Shape({
  symbolId: SymbolId,
  name: Type.String(),
  kind: SymbolKind,
  filePath: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  moduleId: Type.String(),
  staticRefs: Count('Uses in code outside tests, its own recursion aside'),
  testRefs: Count('Uses in tests'),
  observedCalls: Count('Calls that were reported in all the time that is kept'),
  matchQuality: MatchQuality,
  lastCalled: Maybe(Type.String({ format: 'date', description: 'The last day with a call; null where none is known' })),
  confidence: Share('How sure it is that nothing calls it'),
  reasons: Type.Array(Type.String(), {
    description:
      'What was reported of it or around it, what uses it, on how many days it was observed, how calls were matched, and the coverage',
  }),
});

/** A function that is no symbol of the repository, as it was reported. */
const unmatchedFields = {
  name: Type.String(),
  namespace: Type.String(),
  filePath: Type.String(),
  callCount: Count(''),
  reason: OneOf(
    ['anonymous', 'foreign', 'absent', 'ambiguous'],
    'anonymous: it has no name; foreign: of a dependency or the runtime; absent: nothing bears its name in its file, or at all; ambiguous: several fit alike',
  ),
  candidates: Type.Array(SymbolId, { description: 'Where several fit alike' }),
};

const Unmapped = Shape({
  name: Type.String(),
  reason: OneOf(
    ['unknown', 'unregistered', 'unmatched'],
    'unknown: nothing leads to a repository; unregistered: the configuration maps it to one that is not registered; unmatched: none of its functions is a symbol of the repository that its calls were sent for, or of the only one there is',
  ),
  mappedTo: Maybe(Type.String({ description: 'The repository that is not registered, or of which nothing matches' })),
  eventCount: Count('Data points and items of calls that it reported'),
  lastSeen: Timestamp,
  firstSeen: Timestamp,
  functions: Count(
    'Of those that it reported the most called, 5000 of all services told of together: these are looked at',
  ),
  wouldMatch: Type.Array(
    Shape({
      repoId: Type.String(),
      matched: Count('Of its functions'),
      exactOrStrong: Count('Of these'),
      entry: Type.String({ description: 'What in the configuration would map it there' }),
    }),
    { description: 'Repositories that have some of its functions, the likeliest first' },
  ),
  unmatched: Type.Array(Shape(unmatchedFields), {
    description: 'The most called of its functions that match nothing, 20 at most',
  }),
});

/** Where a service belongs, and how that is known. */
const Service = Shape({
  name: Type.String(),
  repoId: Maybe(Type.String()),
  mappedBy: OneOf(
    ['exact', 'pattern', 'resource', 'name', 'assumed', 'nothing'],
    'exact, pattern: an entry of the configuration; resource: its vcs.repository attributes; name: it is called as the repository is; assumed: that of the request, or the only one there is, as far as functions match',
  ),
  functions: Count('That it reported'),
  matched: Count('Of these, those that are symbols of the repository'),
  eventCount: Count('Data points and items of calls that it reported'),
  lastSeen: Timestamp,
});

/** What production tells of calls, and what follows from it. */
export const usage = {
  'telemetry.status': operation({
    summary: 'What is known of a repository’s calls in production, and how far it can be relied on',
    http: { method: 'GET', path: '/telemetry/status' },
    cli: { command: 'telemetry status', examples: ['svc telemetry status'] },
    input: Shape({}),
    output: Shape({
      enabled: Type.Boolean(),
      lastSync: Maybe(Timestamp),
      coverage: Coverage,
      unmappedServices: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
      repoId: Type.String(),
      services: Type.Array(Service, { description: 'Those of the repository, and those of none' }),
      functions: Shape({
        observed: Count('Functions that services of this repository reported, code of others aside'),
        exact: Count(''),
        strong: Count(''),
        weak: Count(''),
        unmatched: Count(''),
        foreign: Count('Of dependencies and runtimes'),
      }),
      observationDays: Count('Days on which services of this repository reported'),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    example: {
      input: {},
      output: {
        enabled: true,
        lastSync: exampleTime,
        coverage: { attribute: 0.97, match: 0.88, service: 1, overall: 0.93, level: 'high' },
        unmappedServices: [],
        warnings: [],
        repoId: 'app',
        services: [
          {
            ...{ name: 'app', repoId: 'app', mappedBy: 'name', functions: 318, matched: 281, eventCount: 90_114 },
            lastSeen: exampleTime,
          },
        ],
        functions: { observed: 318, exact: 240, strong: 33, weak: 8, unmatched: 37, foreign: 12 },
        observationDays: 43,
        timestamp: exampleTime,
      },
    },
  }),
  'telemetry.usage': operation({
    summary: 'How often production calls a symbol',
    http: { method: 'GET', path: '/telemetry/usage/:symbolId*', fields: { symbolId: SymbolId } },
    cli: {
      command: 'telemetry usage <symbolId>',
      examples: ['svc telemetry usage parseConfig', 'svc telemetry usage Cart.add --period 7d --include-callers'],
    },
    input: Shape({
      symbolId: SymbolKey,
      period: withDefault(
        OneOf(['7d', '30d', '90d', 'all'], 'Days that end today; all: as long as days are kept'),
        '90d',
      ),
      includeCallers: withDefault(Type.Boolean({ description: 'Who calls it' }), false),
    }),
    output: Shape({
      symbolId: SymbolId,
      callCount: Count('In the period'),
      errorCount: Count('Of these, or told beside them, those that failed'),
      matchQuality: MatchQuality,
      matchConfidence: Share('Of the best match that reported calls'),
      trend: Trend,
      callers: Type.Optional(Type.Array(Caller, { description: 'Those with most calls first' })),
      period: OneOf(['7d', '30d', '90d', 'all']),
      firstSeen: Maybe(
        Type.String({ format: 'date', description: 'The first day in the period on which it was reported' }),
      ),
      lastSeen: Maybe(
        Type.String({ format: 'date', description: 'The last day in the period on which it was called' }),
      ),
      days: Type.Array(Shape({ date: Type.String({ format: 'date' }), callCount: Count(''), errorCount: Count('') }), {
        description: 'Days of the period on which it was reported, UTC, ascending',
      }),
      observedAs: Type.Array(
        Shape({
          service: Type.String(),
          name: Type.String(),
          namespace: Type.String(),
          filePath: Type.String(),
          matchQuality: MatchQuality,
          callCount: Count(''),
          isFormer: Type.Boolean({ description: 'It was reported under what the symbol was before' }),
        }),
        { description: 'As those call it who reported it' },
      ),
      warnings: Type.Array(Type.String(), { description: 'Why a count of nothing may mean nothing' }),
      timestamp: Timestamp,
    }),
    faults: ['symbolNotFound', 'symbolGone', 'ambiguous', 'notReady', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    example: {
      input: { symbolId: exampleId },
      output: {
        symbolId: exampleId,
        callCount: 15_230,
        errorCount: 12,
        matchQuality: 'exact',
        matchConfidence: 0.95,
        trend: 'stable',
        period: '90d',
        firstSeen: '2026-02-27',
        lastSeen: '2026-03-01',
        days: [
          { date: '2026-02-27', callCount: 5_010, errorCount: 4 },
          { date: '2026-02-28', callCount: 5_090, errorCount: 5 },
          { date: '2026-03-01', callCount: 5_130, errorCount: 3 },
        ],
        observedAs: [
          {
            ...{ service: 'app', name: 'parseConfig', namespace: '', filePath: '/app/src/config.ts' },
            ...{ matchQuality: 'exact', callCount: 15_230, isFormer: false },
          },
        ],
        warnings: [],
        timestamp: exampleTime,
      },
    },
  }),
  'telemetry.deadCode': operation({
    summary: 'Functions that production never calls',
    http: { method: 'GET', path: '/telemetry/dead-code' },
    cli: {
      command: 'dead-code',
      examples: ['svc dead-code', 'svc dead-code --scope src/billing --min-confidence 0.85'],
      without: ['repoId'],
    },
    input: Shape({
      repoId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'The repository, as `repo` says it' }),
      ),
      minConfidence: withDefault(Share('Claims that are less sure are only counted'), 0.7),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most candidates, the surest first' }),
        100,
      ),
      scope: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'Only what lies in this module or below this path' }),
      ),
    }),
    output: Shape({
      candidates: Type.Array(Candidate, { description: 'The surest first' }),
      summary: Shape({
        totalAnalyzed: Count('Functions and methods with a body, outside tests and what is excluded'),
        candidateCount: Count('As sure as was asked for, whether shown or not'),
        coverageLevel: CoverageLevel,
        observationDays: Count('Days on which services of this repository reported'),
        observed: Count('Of those analysed, those that were called'),
        unobserved: Count(
          'Of those analysed, those about which telemetry can say nothing: of their files nothing was called, or not since they were written, or services of no known repository may call them',
        ),
        uncertain: Count('Candidates that are less sure than was asked for'),
        excluded: Count('By the configuration, or for what they are called'),
      }),
      coverage: Coverage,
      limitations: Type.Array(Type.String()),
      truncated: Type.Boolean(),
      ...snapshotFields,
    }),
    faults: ['invalidParameter', 'notReady', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    example: {
      input: { minConfidence: 0.8 },
      output: {
        candidates: [
          {
            symbolId: exampleId,
            name: 'parseLegacyConfig',
            kind: 'function',
            filePath: 'src/config.ts',
            line: 88,
            moduleId: 'src',
            staticRefs: 0,
            testRefs: 2,
            observedCalls: 0,
            matchQuality: 'none',
            lastCalled: null,
            confidence: 0.9,
            reasons: [
              'never reported, while 11 of the 12 functions of its file were called',
              'nothing but tests uses it',
              'observed on 43 days',
              'no calls matched it; those of its file are exact matches',
              'coverage is high (0.93)',
            ],
          },
        ],
        summary: {
          ...{ totalAnalyzed: 412, candidateCount: 1, coverageLevel: 'high', observationDays: 43 },
          ...{ observed: 281, unobserved: 90, uncertain: 14, excluded: 6 },
        },
        coverage: { attribute: 0.97, match: 0.88, service: 1, overall: 0.93, level: 'high' },
        limitations: ['calls by users of a published package, and by services that report elsewhere, are not seen'],
        truncated: false,
        ...exampleRests,
      },
    },
  }),
  'telemetry.unmapped': operation({
    summary: 'Services of no repository that is known, and functions that match nothing, with what would',
    http: { method: 'GET', path: '/telemetry/unmapped' },
    cli: { command: 'telemetry unmapped', examples: ['svc telemetry unmapped'] },
    input: Shape({
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Most services, and most functions, that are told of' }),
        100,
      ),
    }),
    output: Shape({
      services: Type.Array(Unmapped, { description: 'Those that reported most first' }),
      total: Count('Services, whether told of or not'),
      functions: Type.Array(Shape({ service: Type.String(), repoId: Type.String(), ...unmatchedFields }), {
        description:
          'Of services whose repository is known, the most called functions that are no symbols of it, 20 of each service at most',
      }),
      warnings: Type.Array(Type.String(), {
        description: 'Indexes that can’t be read, so that what they have is not told',
      }),
      timestamp: Timestamp,
    }),
    faults: ['notReady', 'indexStale'],
    effect: 'read',
    scope: 'repository',
    needs: 'index',
    standsAlone: true,
    example: {
      input: { limit: 100 },
      output: {
        services: [
          {
            ...{ name: 'checkout-v2', reason: 'unknown' as const, mappedTo: null },
            eventCount: 1_204,
            ...{ lastSeen: exampleTime, firstSeen: exampleTime, functions: 31 },
            wouldMatch: [
              {
                ...{ repoId: 'shop', matched: 29, exactOrStrong: 27 },
                entry: '[telemetry.services."checkout-v2"]\nrepo = "shop"',
              },
            ],
            unmatched: [],
          },
        ],
        total: 1,
        functions: [
          {
            ...{ service: 'app', repoId: 'app', name: 'onMessage', namespace: '', filePath: '/app/src/old/queue.ts' },
            ...{ callCount: 912, reason: 'absent', candidates: [] },
          },
        ],
        warnings: [],
        timestamp: exampleTime,
      },
    },
  }),
};
