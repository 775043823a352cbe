import { type Answer, table, type View, type Views } from './view.ts';

/** Keys of the index server. A secret is all that stdout is given, so that it can be piped to where it is kept. */
export const tokensViews: Views = {
  'token.create': ({ key, token }) => shownOnce(token, [`Made ${key.id} (${key.name}): ${termsOf(key)}`]),
  'token.rotate': ({ key, token }) =>
    shownOnce(token, [`${key.id} (${key.name}) has a new secret; the one before it is refused from now on`]),
  'token.list': ({ keys }) =>
    table(
      ['id', 'name', 'status', 'scopes', 'repos', 'expires', 'last used', 'per minute', 'begins', 'created'],
      keys.map(key => [
        ...[key.id, key.name, key.status, key.scopes.join(','), key.repos.join(',')],
        ...[dayOf(key.expiresAt) ?? 'never', minuteOf(key.lastUsedAt) ?? 'never'],
        ...[String(key.rateLimit ?? 'default'), `${key.prefix}…`, dayOf(key.createdAt)!],
      ]),
      keys.length === 0 ? ['There is no key: svc token create --name <text> --scopes read'] : [],
      ['created', 'begins', 'per minute', 'last used', 'expires'],
    ),
  'token.revoke': ({ key }) => ({
    kind: 'text',
    text: `Revoked ${key.id} (${key.name}): its next request is refused\n`,
  }),
};

function shownOnce(secret: string, notes: readonly string[]): View {
  return {
    kind: 'text',
    text: `${secret}\n`,
    notes: [...notes, 'This is its secret, which is shown this once: only a hash of it is kept'],
  };
}

function termsOf({ scopes, repos, expiresAt, rateLimit }: Answer<'token.create'>['key']): string {
  return [
    scopes.join(', '),
    repos.includes('*') ? 'on all repositories' : `on ${repos.join(', ')}`,
    expiresAt === null ? 'until it is revoked' : `until ${minuteOf(expiresAt)}`,
    ...(rateLimit === null ? [] : [`${rateLimit} requests a minute`]),
  ].join('; ');
}

function dayOf(time: string | null): string | undefined {
  return time?.slice(0, 10);
}

/** `2026-07-01 12:30Z` */
function minuteOf(time: string | null): string | undefined {
  return time === null ? undefined : `${time.slice(0, 16).replace('T', ' ')}Z`;
}
