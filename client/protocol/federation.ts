import { exampleTime } from './examples.ts';
import {
  daemonRead,
  daemonWrite,
  exampleStaleness,
  FederationName,
  MemberId,
  Staleness,
  Tag,
} from './federation-fields.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, Timestamp, Warning } from './shapes.ts';

/** Federations: repositories that are asked about together. */

const memberFields = {
  repoId: Type.String({ description: 'Its id in the federation' }),
  repoUid: Type.String({ description: 'A UUID, which stays the same when it is removed and added again' }),
  path: Type.String({ description: 'Of its work tree; empty of one that was mirrored or uploaded' }),
  tags: Type.Array(Type.String()),
};
const exampleMember = {
  repoId: 'cart',
  repoUid: '3f0c2a51-8f5b-5d34-9c59-0f3f8f1f7a10',
  path: '/home/me/src/cart',
  tags: ['backend'],
};
const memberExtras = {
  addedAt: Timestamp,
  source: OneOf(['registered', 'mirror', 'upload', 'path'], 'path: a folder that is not registered here'),
  lastSynced: Maybe(Timestamp),
  problem: Maybe(Type.String({ description: 'Why the last synchronisation failed or passed it over' })),
};
const exampleMemberExtras = {
  addedAt: exampleTime,
  source: 'registered' as const,
  lastSynced: exampleTime,
  problem: null,
};

const Federation = Shape({
  name: Type.String(),
  description: Type.String(),
  createdAt: Timestamp,
  repoCount: Count('Its repositories'),
  repos: Type.Array(Shape({ ...memberFields, ...memberExtras })),
  compatibility: Shape({
    compatible: Count('Repositories whose index can be read'),
    incompatible: Count('The others: they have none, or it is of another version, or they are gone'),
  }),
  staleness: Staleness,
  timestamp: Timestamp,
});

const SyncResult = Shape({
  repoId: Type.String(),
  status: OneOf(
    ['success', 'skipped', 'failed'],
    'skipped: nothing has changed, or it can’t be trusted; reason tells which',
  ),
  modulesSynced: Count('Modules'),
  ownershipSynced: Count('Patterns with owners'),
  hotspotsSynced: Count('Hotspots'),
  decisionsSynced: Count('Decisions'),
  contractsSynced: Count('API contracts'),
  duration: Type.String(),
  reason: Maybe(Type.String({ description: 'unchanged, untrusted_owner, or what went wrong' })),
});

export const federation = {
  'federation.list': operation({
    summary: 'The federations',
    http: { method: 'GET', path: '/federations' },
    cli: { command: 'federation list' },
    input: Shape({}),
    output: Shape({ federations: Type.Array(Type.String()), count: Type.Integer() }),
    faults: [],
    ...daemonRead,
    example: { input: {}, output: { federations: ['shop'], count: 1 } },
  }),
  'federation.create': operation({
    summary: 'Make a federation, to which repositories are then added',
    cli: {
      command: 'federation create <name>',
      examples: ['svc federation create shop --description "All that the shop runs on"'],
    },
    input: Shape({
      name: FederationName,
      description: withDefault(Type.String({ maxLength: 1000, description: 'What it is for' }), ''),
    }),
    output: Shape({
      name: Type.String(),
      description: Type.String(),
      status: OneOf(['created']),
      timestamp: Timestamp,
    }),
    faults: ['preconditionFailed', 'rateLimited', 'storageFailed'],
    ...daemonWrite,
    example: {
      input: { name: 'shop' },
      output: { name: 'shop', description: '', status: 'created', timestamp: exampleTime },
    },
  }),
  'federation.delete': operation({
    summary: 'Delete a federation: its repositories stay what they are',
    cli: { command: 'federation delete <name>' },
    input: Shape({ name: FederationName }),
    output: Shape({ name: Type.String(), status: OneOf(['deleted']), timestamp: Timestamp }),
    faults: ['resourceNotFound', 'storageFailed'],
    ...daemonWrite,
  }),
  'federation.rename': operation({
    summary: 'Call a federation by another name; all that is known of it stays',
    cli: { command: 'federation rename <name> <newName>', examples: ['svc federation rename shop store'] },
    input: Shape({ name: FederationName, newName: FederationName }),
    output: Shape({ name: Type.String(), formerName: Type.String(), status: OneOf(['renamed']), timestamp: Timestamp }),
    faults: ['resourceNotFound', 'preconditionFailed', 'storageFailed'],
    ...daemonWrite,
  }),
  'federation.status': operation({
    summary: 'A federation: its repositories, and how well they can be asked together',
    http: { method: 'GET', path: '/federations/:name/status' },
    cli: { command: 'federation status <name>' },
    input: Shape({ name: FederationName }),
    output: Federation,
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop' },
      output: {
        name: 'shop',
        description: 'All that the shop runs on',
        createdAt: exampleTime,
        repoCount: 1,
        repos: [{ ...exampleMember, ...exampleMemberExtras }],
        compatibility: { compatible: 1, incompatible: 0 },
        staleness: exampleStaleness,
        timestamp: exampleTime,
      },
    },
  }),
  'federation.add': operation({
    summary: 'Add a repository to a federation: one that is registered, mirrored or uploaded here, or any folder',
    cli: {
      command: 'federation add <name>',
      examples: [
        'svc federation add shop --path ../cart --tags backend,go',
        'svc federation add shop --repo-id acme/billing',
      ],
    },
    input: Shape({
      name: FederationName,
      path: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'Folder of a repository, registered or not' }),
      ),
      repoId: Type.Optional(
        Type.With(MemberId, {
          description:
            'With --path: what it is called in the federation, by default the repository’s id or the folder’s name. Alone: the id of a repository that is registered, mirrored or uploaded here',
        }),
      ),
      tags: Type.Optional(Type.Array(Tag, { minItems: 1, maxItems: 100, description: 'What it is found by' })),
    }),
    output: Shape({ ...memberFields, addedAt: Timestamp, source: memberExtras.source, timestamp: Timestamp }),
    faults: ['resourceNotFound', 'preconditionFailed', 'unsafeOwner', 'rateLimited', 'storageFailed'],
    ...daemonWrite,
    example: {
      input: { name: 'shop', path: '/home/me/src/cart', tags: ['backend'] },
      output: { ...exampleMember, addedAt: exampleTime, source: 'registered', timestamp: exampleTime },
    },
  }),
  'federation.remove': operation({
    summary: 'Remove a repository from a federation; it stays what it is',
    cli: { command: 'federation remove <name> <repoId>' },
    input: Shape({ name: FederationName, repoId: MemberId }),
    output: Shape({ name: Type.String(), repoId: Type.String(), status: OneOf(['removed']), timestamp: Timestamp }),
    faults: ['resourceNotFound', 'storageFailed'],
    ...daemonWrite,
  }),
  'federation.repos': operation({
    summary: 'The repositories of a federation',
    http: { method: 'GET', path: '/federations/:name/repos' },
    cli: { command: 'federation repos <name>', examples: ['svc federation repos shop --include-compatibility'] },
    input: Shape({
      name: FederationName,
      includeCompatibility: withDefault(
        Type.Boolean({ description: 'Look whether the index of each can be read' }),
        false,
      ),
    }),
    output: Shape({
      repos: Type.Array(
        Shape({
          ...memberFields,
          ...memberExtras,
          compatibility: Type.Optional(
            Shape({
              status: OneOf(
                ['ok', 'needs_refresh', 'incompatible', 'missing'],
                'needs_refresh: of an older version, or it could not be read the last time, or there is none yet; missing: the repository is gone',
              ),
              schemaVersion: Maybe(Type.Integer({ description: 'Of its index; null without one' })),
              requiredVersion: Type.Integer(),
              message: Type.String(),
            }),
          ),
        }),
      ),
      count: Type.Integer(),
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', includeCompatibility: true },
      output: {
        repos: [
          {
            ...exampleMember,
            ...exampleMemberExtras,
            compatibility: { status: 'ok', schemaVersion: 20, requiredVersion: 20, message: 'Its index can be read' },
          },
        ],
        count: 1,
      },
    },
  }),
  'federation.sync': operation({
    summary: 'Bring what a federation knows of its repositories up to date: what has changed, or all of it with force',
    http: { method: 'POST', path: '/federations/:name/sync' },
    cli: {
      command: 'federation sync <name>',
      examples: ['svc federation sync shop', 'svc federation sync shop --repo-ids cart,payment --force'],
    },
    input: Shape({
      name: FederationName,
      force: withDefault(Type.Boolean({ description: 'Also what has not changed' }), false),
      dryRun: withDefault(Type.Boolean({ description: 'Tell what would be known, and keep nothing of it' }), false),
      repoIds: Type.Optional(
        Type.Array(MemberId, { minItems: 1, maxItems: 1000, description: 'These repositories alone' }),
      ),
    }),
    output: Shape({
      results: Type.Array(SyncResult),
      summary: Shape({ success: Count(''), failed: Count(''), skipped: Count(''), total: Count('') }),
      jobId: Type.String(),
      dryRun: Type.Boolean(),
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound', 'preconditionFailed', 'rateLimited', 'storageFailed', 'operationFailed'],
    ...daemonWrite,
    example: {
      input: { name: 'shop' },
      output: {
        results: [
          {
            ...{ repoId: 'cart', status: 'success', modulesSynced: 4, ownershipSynced: 2, hotspotsSynced: 31 },
            ...{ decisionsSynced: 3, contractsSynced: 1, duration: '0.4s', reason: null },
          },
        ],
        summary: { success: 1, failed: 0, skipped: 0, total: 1 },
        jobId: '7c1e4b0a-93d2-4f6e-8a55-2b9d0f3c6e17',
        dryRun: false,
        timestamp: exampleTime,
      },
    },
  }),
};
