import { exampleJob, exampleRepo, exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { expects, Listener, Maybe, OneOf, RegisteredRepo, Shape, Timestamp } from './shapes.ts';

const RepoId = Type.String({ minLength: 1, maxLength: 512 });
const Root = Type.String({
  maxLength: 4096,
  pattern: '^(/|[A-Za-z]:[\\\\/])',
  description: 'Path of the root folder: absolute; on the command line also from the current folder',
  [expects]: 'must be an absolute path of at most 4096 characters',
});

/** An id that may be chosen for a repository of this machine. */
export const localId = /^[a-z0-9_]([a-z0-9._-]{0,126}[a-z0-9_])?$/;

export const daemon = {
  'daemon.initialize': operation({
    summary: 'Version handshake; optional',
    input: Shape({
      client: Type.String({ maxLength: 256 }),
      version: Type.String({ maxLength: 64 }),
      // Anything, so that another protocol is told which one is spoken here, and not that its number is out of range.
      protocol: Type.Unknown({ description: 'The protocol version that the client speaks: 1' }),
    }),
    output: Shape({
      server: Type.String(),
      version: Type.String(),
      protocol: Type.Integer(),
      capabilities: Type.Array(Type.String()),
    }),
    faults: ['incompatibleVersion'],
    effect: 'read',
    scope: 'daemon',
  }),
  'daemon.status': operation({
    summary: 'The daemon: process, listeners, repositories, jobs, memory',
    http: { method: 'GET', path: '/daemon/status' },
    cli: { command: 'daemon status' },
    input: Shape({}),
    output: Shape({
      pid: Type.Integer(),
      version: Type.String(),
      startedAt: Timestamp,
      uptime: Type.String(),
      socketPath: Type.String(),
      http: Maybe(Shape({ host: Type.String(), port: Type.Integer() })),
      httpProblem: Maybe(
        Type.String({
          description: 'Why the configured HTTP listener is not open; null where it is, or is not wanted',
        }),
      ),
      listeners: Type.Array(Listener),
      repos: Type.Array(RegisteredRepo),
      jobs: Shape({ queued: Type.Integer(), running: Type.Integer() }),
      uploads: Type.Integer({ description: 'Indexes that are being sent, or taken in' }),
      memory: Shape({ rssBytes: Type.Integer(), heapBytes: Type.Integer() }),
      timestamp: Timestamp,
    }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
  }),
  'daemon.stop': operation({
    summary: 'Finish what is under way and stop',
    http: { method: 'POST', path: '/daemon/stop' },
    input: Shape({}),
    output: Shape({ status: OneOf(['stopping']), pid: Type.Integer(), timestamp: Timestamp }),
    faults: [],
    effect: 'write',
    scope: 'daemon',
  }),
  'daemon.listRepos': operation({
    summary: 'Registered repositories',
    http: { method: 'GET', path: '/daemon/repos' },
    cli: { command: 'repo list' },
    input: Shape({}),
    output: Shape({ repos: Type.Array(RegisteredRepo), total: Type.Integer(), timestamp: Timestamp }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
    example: { input: {}, output: { repos: [exampleRepo], total: 1, timestamp: exampleTime } },
  }),
  'daemon.addRepo': operation({
    summary: 'Register a repository: it is indexed now and watched from now on',
    http: { method: 'POST', path: '/daemon/repos' },
    cli: { command: 'repo add [root]', examples: ['svc repo add', 'svc repo add ~/src/app --id app'] },
    input: Shape({
      root: Root,
      id: Type.Optional(
        Type.String({
          pattern: localId.source,
          description: 'Default: the folder’s name',
          [expects]: 'must be of a-z, 0-9, dots, dashes and underscores, at most 128, neither dot nor dash at its ends',
        }),
      ),
    }),
    output: Shape({ repo: RegisteredRepo, created: Type.Boolean(), jobId: Maybe(Type.String()), timestamp: Timestamp }),
    faults: ['preconditionFailed', 'unsafeOwner', 'rateLimited'],
    effect: 'write',
    scope: 'daemon',
    example: {
      input: { root: exampleRepo.root },
      output: { repo: exampleRepo, created: true, jobId: exampleJob.id, timestamp: exampleTime },
    },
  }),
  'daemon.removeRepo': operation({
    summary: 'Stop watching a repository and delete its index',
    http: { method: 'DELETE', path: '/daemon/repos/:id*' },
    cli: { command: 'repo remove <id>' },
    input: Shape({ id: RepoId }),
    output: Shape({ id: RepoId, status: OneOf(['removed']), timestamp: Timestamp }),
    faults: ['resourceNotFound', 'preconditionFailed'],
    effect: 'write',
    scope: 'daemon',
  }),
  'daemon.defaultRepo': operation({
    summary: 'Which repository answers when a request names none: show it, choose it, or clear the choice',
    http: { method: 'POST', path: '/daemon/default-repo' },
    cli: {
      command: 'repo default [id]',
      examples: ['svc repo default', 'svc repo default app', 'svc repo default --clear'],
    },
    input: Shape({
      id: Type.Optional(RepoId),
      clear: withDefault(Type.Boolean({ description: 'None answers from now on' }), false),
    }),
    output: Shape({
      id: Maybe(Type.String()),
      configured: Type.Boolean({ description: 'The configuration names it (default_repo): no choice has an effect' }),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound', 'preconditionFailed'],
    effect: 'write',
    scope: 'daemon',
    example: { input: { id: 'app' }, output: { id: 'app', configured: false, timestamp: exampleTime } },
  }),
  'daemon.trustRepo': operation({
    summary: 'Allow indexers that run code of this repository (build tools, language servers), or stop allowing it',
    http: { method: 'POST', path: '/daemon/repos/:id*/trust' },
    cli: { command: 'repo trust <id>', examples: ['svc repo trust app', 'svc repo trust app --revoke'] },
    input: Shape({ id: RepoId, revoke: withDefault(Type.Boolean({ description: 'Trust it no longer' }), false) }),
    output: Shape({ id: RepoId, trusted: Type.Boolean(), timestamp: Timestamp }),
    faults: ['resourceNotFound', 'preconditionFailed'],
    effect: 'write',
    scope: 'daemon',
    example: { input: { id: 'app' }, output: { id: 'app', trusted: true, timestamp: exampleTime } },
  }),
  'daemon.config': operation({
    summary: 'The configuration in force and where each value comes from; secrets are masked',
    cli: { command: 'config show', examples: ['svc config show --origin'] },
    input: Shape({ origin: withDefault(Type.Boolean({ description: 'Name the source of each value' }), false) }),
    output: Shape({
      values: Type.Array(
        Shape({
          key: Type.String(),
          value: Type.Unknown(),
          change: OneOf(
            ['reload', 'restart'],
            'What brings a change into force: the daemon reads the file anew within seconds, or it is restarted',
          ),
          origin: Type.Optional(Type.String()),
        }),
      ),
      warnings: Type.Array(Type.String({ description: 'Where the file says other things than are in force' })),
      timestamp: Timestamp,
    }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
  }),
  'daemon.openListener': operation({
    summary: 'Open an HTTP listener that serves one repository, for as long as the asking connection lives',
    input: Shape({
      host: Type.String({ minLength: 1, maxLength: 255 }),
      port: Type.Integer({ minimum: 0, maximum: 65535 }),
      repo: Type.Optional(RepoId),
      indexServer: withDefault(
        Type.Boolean({ description: 'Serve indexes of repositories under /index/repos as well' }),
        false,
      ),
      indexConfig: Type.Optional(
        Type.String({
          maxLength: 4096,
          pattern: '^/',
          description: 'TOML file with the settings of that index server; else they are those of the configuration',
          [expects]: 'must be an absolute path of at most 4096 characters',
        }),
      ),
      indexVariables: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Variables that the file names, where the daemon’s environment need not have them',
        }),
      ),
    }),
    output: Shape({
      host: Type.String(),
      port: Type.Integer(),
      url: Type.String(),
      indexServer: Type.Boolean({ description: 'Whether it offers an index server' }),
      notServed: Type.Array(Shape({ id: Type.String(), why: Type.String() }), {
        description: 'Repositories that the index server is to serve and can’t: they are tried again',
      }),
      timestamp: Timestamp,
    }),
    faults: ['addressInUse', 'preconditionFailed', 'forbidden', 'misconfigured'],
    effect: 'write',
    scope: 'daemon',
  }),
  'daemon.events': operation({
    summary: 'Events as they happen: snapshot.published, job.changed, watch.recrawl …',
    http: { method: 'GET', path: '/daemon/events', produces: 'events' },
    input: Shape({}),
    output: Type.String(),
    faults: [],
    effect: 'read',
    scope: 'daemon',
  }),
};
