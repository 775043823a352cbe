import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document, documentChanges, testDocuments } from './changed-documents.ts';

/** An operation that asks for a scheme with this definition. */
const asking = (scheme: string, name = 'key', scopes = '[]'): string =>
  document(`{security: [{${name}: ${scopes}}]}`, `components: {securitySchemes: {${name}: ${scheme}}}\n`);
const oldAsking = (scheme: string): string =>
  `swagger: "2.0"\npaths: {/a: {get: {security: [{key: []}]}}}\nsecurityDefinitions: {key: ${scheme}}\n`;
const code = (tokenUrl: string, further = ''): string =>
  `{type: oauth2, flows: {authorizationCode: {authorizationUrl: https://x/auth, tokenUrl: ${tokenUrl}, scopes: {}${further}}}}`;

const changed: readonly (readonly [rule: string, before: string, after: string])[] = [
  ['the header of a key', '{type: apiKey, in: header, name: X}', '{type: apiKey, in: header, name: Y}'],
  ['the place of a key', '{type: apiKey, in: header, name: X}', '{type: apiKey, in: query, name: X}'],
  ['another scheme of HTTP', '{type: http, scheme: bearer}', '{type: http, scheme: basic}'],
  ['the address of tokens', code('https://x/token'), code('https://y/token')],
  ['the address of OpenID', '{type: openIdConnect, openIdConnectUrl: a}', '{type: openIdConnect, openIdConnectUrl: b}'],
  ['a flow for another', code('t'), '{type: oauth2, flows: {clientCredentials: {tokenUrl: t}}}'],
];

testDocuments([
  ...changed.map(([rule, before, after]) => ({
    rule: `what a security scheme says: ${rule}`,
    before: asking(before),
    after: asking(after),
    there: ['security-changed breaking GET /a'],
    back: ['security-changed breaking GET /a'],
  })),
  {
    rule: 'the name of a security scheme, and what its text says of it',
    before: asking('{type: apiKey, in: header, name: X-Key, description: a}'),
    after: asking('{type: apiKey, in: header, name: x-key, description: b}', 'other'),
    there: [],
    back: [],
  },
  {
    rule: 'scopes of a security scheme under another name',
    before: asking(code('t'), 'one', '[read]'),
    after: asking(code('t'), 'two', '[read, write]'),
    there: ['security-changed breaking GET /a'],
    back: ['security-relaxed safe GET /a'],
  },
  {
    rule: 'one more flow, and an address that tokens are renewed at',
    before: asking(code('t')),
    after: asking(
      code('t', ', refreshUrl: r').replace('{authorizationCode', '{implicit: {authorizationUrl: a}, authorizationCode'),
    ),
    there: ['security-relaxed safe GET /a'],
    back: ['security-changed breaking GET /a'],
  },
  {
    rule: 'a security scheme that nobody has to have',
    before: document('{}', 'components: {securitySchemes: {key: {type: http, scheme: basic}}}\n'),
    after: document('{}', 'components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n'),
    there: [],
    back: [],
  },
  {
    rule: 'a security scheme of version 2, and as version 3 has it',
    before: oldAsking('{type: basic}'),
    after: asking('{type: http, scheme: Basic}'),
    there: [],
    back: [],
  },
  {
    rule: 'a flow of version 2, and as version 3 has it',
    before: oldAsking('{type: oauth2, flow: accessCode, authorizationUrl: https://x/auth, tokenUrl: t, scopes: {}}'),
    after: asking(code('t')),
    there: [],
    back: [],
  },
  {
    rule: 'the header of a key in version 2',
    before: oldAsking('{type: apiKey, in: header, name: X}'),
    after: oldAsking('{type: apiKey, in: header, name: Y}'),
    there: ['security-changed breaking GET /a'],
    back: ['security-changed breaking GET /a'],
  },
  {
    rule: 'a security scheme that one revision does not define',
    before: document('{security: [{key: []}]}'),
    after: asking('{type: http, scheme: basic}'),
    there: [],
    back: [],
  },
]);

test('of schemes of one name the message tells what they say', () => {
  const [change] = documentChanges(asking('{type: http, scheme: bearer}'), asking('{type: http, scheme: basic}'));
  assert.equal(change?.message, 'key (http bearer) is no longer enough: key (http basic) is asked for');
});
