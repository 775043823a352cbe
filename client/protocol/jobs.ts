import { exampleJob, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Job, jobStates, OneOf, Shape, Timestamp } from './shapes.ts';

const JobId = Type.String({ minLength: 1, maxLength: 128 });

const onTerminal = { id: 'A job’s id, or how that begins and no other: 4 characters at least' };

export const jobs = {
  'jobs.list': operation({
    summary: 'Background jobs, newest first',
    http: { method: 'GET', path: '/jobs' },
    cli: { command: 'jobs', examples: ['svc jobs --status running'] },
    input: Shape({
      status: Type.Optional(OneOf(jobStates, 'Only those in this state')),
      type: Type.Optional(
        Type.String({ minLength: 1, maxLength: 128, description: 'Only those of this type, such as index-repository' }),
      ),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 10000, description: 'Most jobs, the newest first' }), 20),
    }),
    output: Shape({ jobs: Type.Array(Job), total: Type.Integer(), timestamp: Timestamp }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
    example: { input: { status: 'running' }, output: { jobs: [exampleJob], total: 1, timestamp: exampleTime } },
  }),
  'jobs.get': operation({
    summary: 'One background job',
    http: { method: 'GET', path: '/jobs/:id' },
    cli: { command: 'job <id>', described: onTerminal, examples: ['svc job 7c1e4b0a', 'svc job 7c1e4b0a --wait'] },
    input: Shape({
      id: JobId,
      wait: withDefault(
        Type.Boolean({
          description:
            'Answer when it has ended, telling how far it is meanwhile; on the command line with exit code 1 where it did not complete',
        }),
        false,
      ),
    }),
    output: Job,
    faults: ['resourceNotFound'],
    effect: 'read',
    scope: 'daemon',
    example: { input: { id: exampleJob.id }, output: exampleJob },
  }),
  'jobs.cancel': operation({
    summary: 'Cancel a queued or running job',
    http: { method: 'POST', path: '/jobs/:id/cancel' },
    cli: { command: 'job cancel <id>', described: onTerminal, examples: ['svc job cancel 7c1e4b0a'] },
    input: Shape({ id: JobId }),
    output: Shape({
      id: JobId,
      cancelled: Type.Boolean(),
      status: OneOf(['cancelled']),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound', 'preconditionFailed'],
    effect: 'write',
    scope: 'daemon',
    example: {
      input: { id: exampleJob.id },
      output: { id: exampleJob.id, cancelled: true, status: 'cancelled', timestamp: exampleTime },
    },
  }),
};
