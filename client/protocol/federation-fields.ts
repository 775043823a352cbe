import { withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { CommaList, expects, Maybe, OneOf, Shape, Timestamp } from './shapes.ts';

/** What operations about federations share. */

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
export const Tag = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s,][^,]*$',
  [expects]: 'must be text without commas, at most 100 characters',
});
export const Repos = Type.Optional(CommaList(MemberId, 'Only these repositories, by their ids in the federation'));
export const Words = (description: string) =>
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

export const daemonRead = { effect: 'read', scope: 'daemon' } as const;
export const daemonWrite = { effect: 'write', scope: 'daemon' } as const;
