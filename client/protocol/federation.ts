import { exampleTime } from './examples.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { CommaList, Count, expects, Maybe, OneOf, Shape, Share, Timestamp } from './shapes.ts';

/** Federations: repositories that are asked about together. */

export const FederationName = Type.String({
  maxLength: 100,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*$',
  description: 'The federation',
  [expects]: 'must be of letters, digits, dots, dashes and underscores, not begin with a dot or dash, at most 100',
});
export const MemberId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
  [expects]: 'must be of letters, digits, dots, dashes and underscores, with / between its parts, at most 512',
});
const Tag = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s,][^,]*$',
  [expects]: 'must be text without commas, at most 100 characters',
});
export const Repos = Type.Optional(CommaList(MemberId, 'Only these repositories, by their ids in the federation'));
const Words = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: '\\S',
      description,
      [expects]: 'must be text of 1 to 1024 characters that is not blank',
    }),
  );
export const MemberLimit = withDefault(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most of them' }), 50);

const stalenessLevels = ['fresh', 'aging', 'stale', 'obsolete', 'never-synced'] as const;
export const Staleness = Shape(
  {
    overallStaleness: OneOf(
      stalenessLevels,
      'Of the repository that was synchronised longest ago, of those asked about',
    ),
    refreshRecommended: Type.Boolean({ description: 'From stale on' }),
    repos: Type.Array(
      Shape({
        repoId: Type.String(),
        staleness: OneOf(stalenessLevels, 'Up to 7 days, 30 days, 90 days, and above'),
        lastSynced: Maybe(Timestamp),
      }),
      { description: 'Those that are not fresh' },
    ),
  },
  'How old what is told may be',
);
export const exampleStaleness = { overallStaleness: 'fresh' as const, refreshRecommended: false, repos: [] };

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

const daemonRead = { effect: 'read', scope: 'daemon' } as const;
const daemonWrite = { effect: 'write', scope: 'daemon' } as const;

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
  'federation.modules': operation({
    summary: 'Modules of all repositories of a federation, those that fit best first',
    http: { method: 'GET', path: '/federations/:name/modules' },
    cli: { command: 'federation modules <name>', examples: ['svc federation modules shop --q "payment gateway"'] },
    input: Shape({
      name: FederationName,
      q: Words('Words that must stand in name or responsibility, each as the beginning of a word; in quotes a phrase'),
      repos: Repos,
      tags: Type.Optional(CommaList(Tag, 'Only repositories with all of these tags')),
      limit: MemberLimit,
    }),
    output: Shape({
      modules: Type.Array(
        Shape({
          repoId: Type.String(),
          moduleId: Type.String(),
          name: Type.String(),
          responsibility: Type.String({ description: 'What it is for, in a sentence; empty where nothing tells' }),
          ownerRef: Type.String({ description: 'Who owns most of it; empty where nobody is known' }),
          language: Type.String(),
          capabilities: Type.Array(Type.String()),
          confidence: Share('Of the responsibility'),
          score: Type.Optional(Share('With q: how well it fits')),
        }),
      ),
      total: Count('All that fit'),
      staleness: Staleness,
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', q: 'payment' },
      output: {
        modules: [
          {
            ...{ repoId: 'payment', moduleId: 'src/charge', name: 'charge', language: 'typescript' },
            ...{ responsibility: 'Charges cards.', ownerRef: '@acme/payments', capabilities: [], confidence: 0.7 },
            score: 0.5,
          },
        ],
        total: 1,
        staleness: exampleStaleness,
        timestamp: exampleTime,
      },
    },
  }),
  'federation.ownership': operation({
    summary: 'Who owns what in all repositories of a federation, by pattern',
    http: { method: 'GET', path: '/federations/:name/ownership' },
    cli: { command: 'federation ownership <name>', examples: ["svc federation ownership shop --path 'src/api/**'"] },
    input: Shape({
      name: FederationName,
      path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description:
            'A glob: patterns that may be about files which fit it. Or a path: of each repository the patterns that own it, and those of what lies below',
        }),
      ),
      repos: Repos,
      limit: MemberLimit,
    }),
    output: Shape({
      matches: Type.Array(
        Shape({
          repoId: Type.String(),
          pattern: Type.String({ description: 'As CODEOWNERS has it; of others the folder of a module' }),
          owners: Type.Array(
            Shape({
              identity: Type.String(),
              scope: OneOf(['maintainer', 'reviewer', 'contributor']),
              source: OneOf(
                ['codeowners', 'git-blame', 'git-log'],
                'git-log: who changed the files, where nobody has looked yet who wrote their lines',
              ),
              confidence: Share('How sure that is'),
            }),
            { description: 'None where CODEOWNERS says that nobody owns it' },
          ),
        }),
      ),
      total: Count('All that fit'),
      staleness: Staleness,
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', path: 'src/**' },
      output: {
        matches: [
          {
            repoId: 'cart',
            pattern: '/src/',
            owners: [{ identity: '@acme/cart', scope: 'maintainer', source: 'codeowners', confidence: 1 }],
          },
        ],
        total: 1,
        staleness: exampleStaleness,
        timestamp: exampleTime,
      },
    },
  }),
  'federation.hotspots': operation({
    summary: 'The hottest files of all repositories of a federation',
    http: { method: 'GET', path: '/federations/:name/hotspots' },
    cli: { command: 'federation hotspots <name>', examples: ['svc federation hotspots shop --top 10 --min-score 0.5'] },
    input: Shape({
      name: FederationName,
      repos: Repos,
      top: withDefault(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most files, the hottest first' }), 20),
      minScore: withDefault(Share('The lowest score'), 0.3),
    }),
    output: Shape({
      hotspots: Type.Array(
        Shape({
          repoId: Type.String(),
          targetId: Type.String({ description: 'Path of the file' }),
          targetType: OneOf(['file']),
          score: Share('As at the synchronisation: 0.4 churn, 0.3 authors and coupling, 0.3 complexity'),
          churnCommits30d: Count('Commits of the last 30 days that changed it'),
          complexityCyclomatic: Count('Of all its functions together'),
          language: Type.String(),
        }),
      ),
      total: Count('All with that score'),
      staleness: Staleness,
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop' },
      output: {
        hotspots: [
          {
            ...{ repoId: 'cart', targetId: 'src/cart.go', targetType: 'file', score: 0.61, churnCommits30d: 9 },
            ...{ complexityCyclomatic: 54, language: 'go' },
          },
        ],
        total: 1,
        staleness: exampleStaleness,
        timestamp: exampleTime,
      },
    },
  }),
  'federation.decisions': operation({
    summary: 'Decision records of all repositories of a federation, the newest or those that fit best first',
    http: { method: 'GET', path: '/federations/:name/decisions' },
    cli: {
      command: 'federation decisions <name>',
      examples: ['svc federation decisions shop --q "message queue" --status accepted,proposed'],
    },
    input: Shape({
      name: FederationName,
      q: Words('Words that must stand in title or text, each as the beginning of a word; in quotes a phrase'),
      status: Type.Optional(
        CommaList(OneOf(['proposed', 'accepted', 'deprecated', 'superseded']), 'Only those of one of these'),
      ),
      repos: Repos,
      module: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, description: 'Only those that affect a module of this id' }),
      ),
      limit: MemberLimit,
    }),
    output: Shape({
      decisions: Type.Array(
        Shape({
          repoId: Type.String(),
          id: Type.String(),
          title: Type.String(),
          status: OneOf(['proposed', 'accepted', 'deprecated', 'superseded']),
          createdAt: Timestamp,
          affectedModules: Type.Array(Type.String()),
          path: Type.String(),
          score: Type.Optional(Share('With q: how well it fits')),
        }),
      ),
      total: Count('All that fit'),
      staleness: Staleness,
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', status: ['accepted'] },
      output: {
        decisions: [
          {
            ...{ repoId: 'cart', id: 'ADR-012', title: 'Keep carts in Redis', status: 'accepted' },
            ...{ createdAt: exampleTime, affectedModules: ['src/store'], path: 'docs/adr/0012-keep-carts-in-redis.md' },
          },
        ],
        total: 1,
        staleness: exampleStaleness,
        timestamp: exampleTime,
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
