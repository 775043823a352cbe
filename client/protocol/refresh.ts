import { exampleJob, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, OneOf, Shape, Timestamp } from './shapes.ts';

/** What can be brought up to date by itself. */
export const refreshScopes = ['modules', 'ownership', 'hotspots', 'responsibilities'] as const;
export type RefreshScope = (typeof refreshScopes)[number];

const Changes = Shape(
  {
    modules: Count('Modules'),
    ownership: Count('Files whose owners were found out or declared anew'),
    hotspots: Count('Files whose score is another'),
    responsibilities: Count('Modules that say something else of themselves'),
  },
  'How many are other than at the last refresh, those that came and went among them; 0 of what is not in the scope',
);

export const refresh = {
  'refresh.run': operation({
    summary: 'Bring the model of the code up to date: modules, ownership, hotspots, responsibilities',
    http: { method: 'POST', path: '/refresh' },
    cli: {
      command: 'refresh',
      examples: ['svc refresh', 'svc refresh --scope ownership --async', 'svc refresh --dry-run'],
    },
    input: Shape({
      scope: withDefault(OneOf(['all', ...refreshScopes], 'What is brought up to date'), 'all'),
      force: withDefault(
        Type.Boolean({
          description: 'Find all of it out anew, whatever is known: git is asked again who wrote each line',
        }),
        false,
      ),
      dryRun: withDefault(Type.Boolean({ description: 'Only tell what would change' }), false),
      async: withDefault(Type.Boolean({ description: 'Answer with the job’s id at once' }), false),
    }),
    output: Shape({
      status: OneOf(
        ['completed', 'queued', 'dry-run'],
        'queued: the job, which may be that of a caller who asked for the same before, tells how far it is',
      ),
      jobId: Type.String(),
      scope: OneOf(['all', ...refreshScopes]),
      dryRun: Type.Optional(Type.Literal(true)),
      changes: Type.Optional(Changes),
      problems: Type.Optional(
        Type.Array(Type.String(), { description: 'What could not be brought up to date, and why' }),
      ),
      duration: Type.Optional(Type.String()),
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'notReady', 'rateLimited', 'operationFailed'],
    effect: 'write',
    scope: 'repository',
    needs: 'work tree',
    example: {
      input: { scope: 'ownership' },
      output: {
        status: 'completed',
        jobId: exampleJob.id,
        scope: 'ownership',
        changes: { modules: 0, ownership: 42, hotspots: 0, responsibilities: 0 },
        problems: [],
        duration: '3.2s',
        timestamp: exampleTime,
      },
    },
  }),
};
