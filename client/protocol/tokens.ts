import { exampleTime } from './examples.ts';
import { keyScopes, operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { CommaList, expects, Maybe, OneOf, Shape, Timestamp } from './shapes.ts';

/** Keys of the index server. They are managed over the socket alone. */

const KeyId = Type.String({
  pattern: '^svc_key_[0-9a-f]{16}$',
  [expects]: 'must be the id of a key, svc_key_ and 16 digits of 0–9a–f, as svc token list shows it',
});

const Key = Shape({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How its secret begins' }),
  scopes: Type.Array(OneOf(keyScopes)),
  repos: Type.Array(Type.String(), { description: 'Patterns of the repositories that it is for' }),
  status: OneOf(['active', 'expired', 'revoked', 'damaged']),
  createdAt: Timestamp,
  rotatedAt: Maybe(Timestamp),
  expiresAt: Maybe(Timestamp),
  revokedAt: Maybe(Timestamp),
  lastUsedAt: Maybe(Timestamp),
  rateLimit: Maybe(Type.Integer({ description: 'Requests per minute; null: the configured default' })),
});
const Secret = Type.String({ description: 'Shown this once; only its hash is kept' });

const exampleKey = {
  ...{ id: 'svc_key_0123456789abcdef', name: 'ci', prefix: 'svc_sk_9f86d081', scopes: ['write' as const] },
  ...{ repos: ['acme/*'], status: 'active' as const, createdAt: exampleTime, rotatedAt: null, expiresAt: null },
  ...{ revokedAt: null, lastUsedAt: null, rateLimit: null },
};

export const tokens = {
  'token.create': operation({
    summary: 'Make a key for the index server; its secret is shown once',
    cli: {
      command: 'token create',
      examples: [
        'svc token create --name ci --scopes write --repos "acme/*"',
        'svc token create --name laptop --scopes read --expires 30d --rate-limit 600',
      ],
    },
    input: Shape({
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        description: 'What people know it by',
        [expects]: 'must be a text of 1 to 100 characters, none of them a control character',
      }),
      scopes: CommaList(OneOf(keyScopes), 'What it permits; admin includes write, which includes read'),
      repos: withDefault(
        CommaList(
          Type.String({
            maxLength: 512,
            pattern: '^(?:\\*|[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*(?:/\\*)?)$',
            [expects]: 'must be *, a repository’s id, or the beginning of one with /* behind',
          }),
          'Which repositories it is for: *, all below acme/*, or an id',
        ),
        ['*'],
      ),
      expires: Type.Optional(
        Type.String({
          pattern: '^[1-9][0-9]{0,4}[mhdwy]$',
          description: 'How long it is good for, such as 12h, 30d or 1y; default: until it is revoked',
          [expects]: 'must be a number of minutes, hours, days, weeks or years, such as 12h or 30d',
        }),
      ),
      rateLimit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests per minute; default: the configured' }),
      ),
    }),
    output: Shape({ key: Key, token: Secret, timestamp: Timestamp }),
    faults: ['rateLimited', 'storageFailed'],
    effect: 'write',
    scope: 'daemon',
    example: {
      input: { name: 'ci', scopes: ['write'], repos: ['acme/*'] },
      output: { key: exampleKey, token: 'svc_sk_…', timestamp: exampleTime },
    },
  }),
  'token.list': operation({
    summary: 'The keys of the index server',
    cli: { command: 'token list', examples: ['svc token list --show-revoked'] },
    input: Shape({
      showRevoked: withDefault(Type.Boolean({ description: 'Those too that were revoked' }), false),
    }),
    output: Shape({ keys: Type.Array(Key), total: Type.Integer(), timestamp: Timestamp }),
    faults: [],
    effect: 'read',
    scope: 'daemon',
    example: { input: {}, output: { keys: [exampleKey], total: 1, timestamp: exampleTime } },
  }),
  'token.revoke': operation({
    summary: 'Revoke a key: its next request is refused',
    cli: { command: 'token revoke <id>', examples: ['svc token revoke svc_key_0123456789abcdef'] },
    input: Shape({ id: KeyId }),
    output: Shape({ key: Key, timestamp: Timestamp }),
    faults: ['resourceNotFound', 'storageFailed'],
    effect: 'write',
    scope: 'daemon',
  }),
  'token.rotate': operation({
    summary: 'Give a key a new secret; the old one is refused from then on',
    cli: { command: 'token rotate <id>', examples: ['svc token rotate svc_key_0123456789abcdef'] },
    input: Shape({ id: KeyId }),
    output: Shape({ key: Key, token: Secret, timestamp: Timestamp }),
    faults: ['resourceNotFound', 'preconditionFailed', 'storageFailed'],
    effect: 'write',
    scope: 'daemon',
  }),
};
