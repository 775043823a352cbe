import { exampleTime } from './examples.ts';
import {
  daemonRead,
  exampleStaleness,
  FederationName,
  MemberLimit,
  Repos,
  Staleness,
  Tag,
  Words,
} from './federation-fields.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { CommaList, Count, OneOf, Shape, Share, Timestamp } from './shapes.ts';

/** What is known of the repositories of a federation, asked of all of them together. */

export const federationLists = {
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
};
