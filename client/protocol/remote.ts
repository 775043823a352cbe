import { exampleTime } from './examples.ts';
import type { FaultReason } from './faults.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { expects, Maybe, OneOf, Shape, Timestamp } from './shapes.ts';

/** Mirrors: served indexes of other machines, kept here so that they can be asked without them. */

/** As long as a served repository's id may be: whoever mirrors one calls it as its server does. */
const RemoteName = Type.String({
  maxLength: 512,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
  [expects]: 'must be of letters, digits, dots, dashes and underscores, with / between its parts, at most 512',
});

const Remote = Shape({
  id: Type.String({ description: 'The repository’s id here, as every command takes it' }),
  url: Type.String(),
  remoteRepo: Type.String({ description: 'Its id there' }),
  tokenFile: Maybe(Type.String({ description: 'Where its key is read from at each synchronisation' })),
  syncSeq: Maybe(Type.Integer({ description: 'What there was published there when it was read' })),
  syncedAt: Maybe(Timestamp),
  status: OneOf(['never-synced', 'synced', 'failed']),
  error: Maybe(Type.String()),
  commit: Type.String(),
  symbolCount: Type.Integer(),
  fileCount: Type.Integer(),
});
const exampleRemote = {
  ...{ id: 'acme/billing', url: 'https://svc.example.com', remoteRepo: 'acme/billing', tokenFile: null, syncSeq: 7 },
  ...{ syncedAt: exampleTime, status: 'synced' as const, error: null, commit: '', symbolCount: 1200, fileCount: 80 },
};
const SyncResult = Shape({
  id: Type.String(),
  status: OneOf(['success', 'unchanged', 'failed']),
  mode: Maybe(OneOf(['full', 'changes'], 'Whether all was read, or what had changed')),
  syncSeq: Maybe(Type.Integer()),
  filesChanged: Type.Integer(),
  duration: Type.String(),
  error: Maybe(Type.String()),
});

const syncFaults = [
  'preconditionFailed',
  'backendUnavailable',
  'rateLimited',
  'tooLarge',
  'storageFailed',
] as const satisfies readonly FaultReason[];

export const remote = {
  'remote.add': operation({
    summary: 'Mirror a repository that another machine’s index server serves, and read it now',
    cli: {
      command: 'remote add <id>',
      examples: [
        'svc remote add acme/billing --url https://svc.example.com --token-file ~/.config/svc/acme.token',
        'svc remote add billing --url http://localhost:8080 --remote-repo acme/billing',
      ],
    },
    input: Shape({
      id: RemoteName,
      url: Type.String({
        maxLength: 2048,
        pattern: '^https?://[^\\s@]+$',
        description: 'Where the index server is',
        [expects]: 'must be the http or https address of an index server, without a user or password in it',
      }),
      remoteRepo: Type.Optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'Its id there; default: the same' }),
      ),
      tokenFile: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'File with the key; it is read at each sync' }),
      ),
      sync: withDefault(Type.Boolean({ description: 'Read it now; --no-sync: with the next svc remote sync' }), true),
    }),
    output: Shape({ remote: Remote, sync: Maybe(SyncResult), timestamp: Timestamp }),
    faults: [...syncFaults],
    effect: 'write',
    scope: 'daemon',
    example: {
      input: { id: 'acme/billing', url: 'https://svc.example.com' },
      output: { remote: exampleRemote, sync: null, timestamp: exampleTime },
    },
  }),
  'remote.sync': operation({
    summary: 'Bring mirrors up to date: one, or all; of all, one that fails is told among the others',
    cli: { command: 'remote sync [id]', examples: ['svc remote sync', 'svc remote sync acme/billing --full'] },
    input: Shape({
      id: Type.Optional(RemoteName),
      full: withDefault(Type.Boolean({ description: 'Read all of it, not what has changed' }), false),
    }),
    output: Shape({ results: Type.Array(SyncResult), timestamp: Timestamp }),
    faults: ['resourceNotFound', ...syncFaults],
    effect: 'write',
    scope: 'daemon',
  }),
  'remote.list': operation({
    summary: 'The repositories that are mirrored here',
    cli: { command: 'remote list' },
    input: Shape({}),
    output: Shape({ remotes: Type.Array(Remote), total: Type.Integer(), timestamp: Timestamp }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
    example: { input: {}, output: { remotes: [exampleRemote], total: 1, timestamp: exampleTime } },
  }),
  'remote.remove': operation({
    summary: 'Mirror a repository no longer, and delete what is here of it',
    cli: { command: 'remote remove <id>' },
    input: Shape({ id: RemoteName }),
    output: Shape({ id: Type.String(), status: OneOf(['removed']), timestamp: Timestamp }),
    faults: ['resourceNotFound'],
    effect: 'write',
    scope: 'daemon',
  }),
};
