import { exampleRests } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, Share, snapshotFields, Timestamp } from './shapes.ts';

const Days = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description });

/** Which history an answer is made of. */
export const historyFields = {
  commit: Type.String({ description: 'HEAD, whose history this is; full hash' }),
  historyIsCut: Type.Optional(
    Type.Literal(true, {
      description: 'What is known of the history ends early: the clone is shallow, or it is very long',
    }),
  ),
};
export const exampleCommit = '8f3b1c2d4e5f60718293a4b5c6d7e8f901234567';

const Hotspot = Shape({
  targetId: Type.String({ description: 'Path of the file' }),
  targetType: OneOf(['file']),
  score: Share('0.4 churn, 0.3 authors and coupling, 0.3 complexity'),
  trend: Shape({
    direction: OneOf(['increasing', 'stable', 'decreasing']),
    velocity: Type.Number({ description: 'Of the score, a day, through the last window and those before it' }),
    projection30d: Share('The score in 30 days, if it goes on so'),
  }),
  metrics: Shape({
    churnCommits30d: Count('Commits of the last 30 days that changed it'),
    churnAuthors30d: Count('Their authors, bots aside'),
    complexityCyclomatic: Count('Of all its functions together; 0 where those of its language are not measured'),
    churnCommits: Count('Commits of the window'),
    churnAuthors: Count('Their authors, bots aside'),
    coupledFiles: Count('Files that changed together with it more than once in the window'),
    lines: Count('Lines that it has'),
    observedCalls: Type.Optional(
      Count('Calls of its functions in the window that production reported; ranked by score alone it is not looked up'),
    ),
  }),
  language: Type.String(),
  isTest: Type.Boolean(),
  moduleId: Type.String(),
});

const Coupling = Shape({
  path: Type.String(),
  together: Count('Commits that changed both'),
  strength: Share('Of the commits that changed what was asked about, the part that changed this as well'),
  reverse: Share('Of the commits that changed this, the part that changed what was asked about as well'),
  lastTogether: Timestamp,
});

export const hotspots = {
  'hotspots.list': operation({
    summary: 'Code that changes often, by many, and is complex, with its trend',
    http: { method: 'GET', path: '/hotspots' },
    cli: { command: 'hotspots', examples: ['svc hotspots --scope src --days 90', 'svc hotspots --limit 5 --json'] },
    input: Shape({
      scope: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'Only what lies in this module or below this path' }),
      ),
      days: withDefault(Days('Length of the window that the score is of; the trend compares it with those before'), 30),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most files, the hottest first' }),
        20,
      ),
      rankBy: withDefault(
        OneOf(
          ['score', 'production'],
          'production: what production calls most first, as its score times the logarithm of its calls a day has it; the score stays what it is',
        ),
        'score',
      ),
    }),
    output: Shape({
      hotspots: Type.Array(Hotspot),
      total: Count('Files of code that were looked at'),
      changed: Count('Those of them that a commit of the window changed'),
      days: Type.Integer(),
      scope: Maybe(Type.String()),
      rankBy: OneOf(['score', 'production']),
      lastCommit: Maybe(Timestamp),
      ...historyFields,
      ...snapshotFields,
    }),
    faults: ['invalidParameter', 'preconditionFailed', 'notReady', 'indexStale', 'backendUnavailable'],
    effect: 'read',
    scope: 'repository',
    needs: 'work tree',
    cacheable: 'content',
    example: {
      input: { scope: 'src', limit: 1 },
      output: {
        hotspots: [
          {
            targetId: 'src/config.ts',
            targetType: 'file',
            score: 0.61,
            trend: { direction: 'increasing', velocity: 0.0012, projection30d: 0.65 },
            metrics: {
              churnCommits30d: 14,
              churnAuthors30d: 4,
              complexityCyclomatic: 87,
              churnCommits: 14,
              churnAuthors: 4,
              coupledFiles: 3,
              lines: 412,
            },
            language: 'typescript',
            isTest: false,
            moduleId: 'src',
          },
        ],
        total: 96,
        changed: 23,
        days: 30,
        scope: 'src',
        rankBy: 'score',
        lastCommit: exampleRests.timestamp,
        commit: exampleCommit,
        ...exampleRests,
      },
    },
  }),
  'hotspots.coupling': operation({
    summary: 'What usually changes together with a file or folder',
    http: { method: 'GET', path: '/coupling' },
    cli: { command: 'coupling <path>', examples: ['svc coupling src/config.ts', 'svc coupling src/parser --days 365'] },
    input: Shape({
      path: Type.String({ minLength: 1, maxLength: 4096, description: 'A file or folder, from the repository’s root' }),
      days: withDefault(Days('Commits of so many days'), 730),
      minTogether: withDefault(Type.Integer({ minimum: 1, maximum: 1000, description: 'Fewest commits together' }), 3),
      minStrength: withDefault(Share('Lowest strength'), 0.1),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most files, the closest first' }),
        20,
      ),
    }),
    output: Shape({
      path: Type.String(),
      commits: Count('Commits that changed it, those aside that changed more than 50 files'),
      commitsLeftOut: Count('Those: they say nothing of any two files'),
      couplings: Type.Array(Coupling),
      total: Count('Files that meet the bounds'),
      days: Type.Integer(),
      ...historyFields,
      ...snapshotFields,
    }),
    faults: ['invalidParameter', 'fileNotFound', 'preconditionFailed', 'notReady', 'indexStale', 'backendUnavailable'],
    effect: 'read',
    scope: 'repository',
    needs: 'work tree',
    cacheable: 'content',
    example: {
      input: { path: 'src/config.ts' },
      output: {
        path: 'src/config.ts',
        commits: 38,
        commitsLeftOut: 2,
        couplings: [
          {
            path: 'docs/configuration.md',
            together: 21,
            strength: 0.55,
            reverse: 0.72,
            lastTogether: exampleRests.timestamp,
          },
        ],
        total: 1,
        days: 730,
        commit: exampleCommit,
        ...exampleRests,
      },
    },
  }),
};
