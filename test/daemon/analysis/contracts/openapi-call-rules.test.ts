import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document, documentChanges, testDocuments } from './changed-documents.ts';

const callback = (operation: string): string =>
  document(`{callbacks: {onData: {"{$request.query.url}": {post: ${operation}}}}}`);
const webhook = (operation: string, rest = ''): string =>
  `openapi: 3.1.0\ninfo: {title: x}\nwebhooks: {newPet: {post: ${operation}}}\n${rest}`;
const sending = (shape: string): string => `{requestBody: {content: {application/json: {schema: ${shape}}}}}`;
const taking = (shape: string): string => `{responses: {200: {content: {application/json: {schema: ${shape}}}}}}`;

const at = 'GET /a callback onData POST {$request.query.url}';

/** The same change of a call where it is a callback and where it is a webhook, there and back; `where` is behind its name. */
function testCalls(
  rule: string,
  before: string,
  after: string,
  there: readonly string[],
  back: readonly string[],
): void {
  const told = (lines: readonly string[], kind: string, name: string): readonly string[] =>
    lines.map(line => line.replace('call-', `${kind}-`).replace(' @', ` ${name}`));
  testDocuments([
    {
      rule: `${rule}, in callbacks`,
      before: callback(before),
      after: callback(after),
      there: told(there, 'callback', at),
      back: told(back, 'callback', at),
    },
    {
      rule: `${rule}, in webhooks`,
      before: webhook(before),
      after: webhook(after),
      there: told(there, 'webhook', 'webhook newPet POST'),
      back: told(back, 'webhook', 'webhook newPet POST'),
    },
  ]);
}

testCalls(
  'what is sent loses and gets what was always there',
  sending('{type: object, required: [a], properties: {a: {type: string}}}'),
  sending('{type: object}'),
  ['response-property-removed breaking @ request.a'],
  ['response-property-added safe @ request.a'],
);
testCalls(
  'what is sent is wider, or narrower',
  sending('{type: integer}'),
  sending('{type: number}'),
  ['response-type-changed breaking @ request'],
  ['response-type-narrowed safe @ request'],
);
testCalls(
  'what is taken as an answer is wider, or narrower',
  taking('{type: integer}'),
  taking('{type: number}'),
  ['request-type-widened safe @ response 200'],
  ['request-type-changed breaking @ response 200'],
);
testCalls(
  'another media type is sent',
  '{requestBody: {content: {a/b: {}, c/d: {}}}}',
  '{requestBody: {content: {a/b: {}}}}',
  ['response-media-type-removed breaking @ request'],
  ['response-media-type-added safe @ request'],
);
testCalls(
  'a body comes and goes',
  '{requestBody: {required: true, content: {a/b: {}}}}',
  '{}',
  ['call-body-removed breaking @ request'],
  ['call-body-added safe @ request'],
);
testCalls(
  'a body that may be missing',
  '{requestBody: {required: true, content: {a/b: {}}}}',
  '{requestBody: {content: {a/b: {}}}}',
  ['call-body-became-optional breaking @ request'],
  [],
);
testCalls(
  'headers that are sent',
  '{parameters: [{in: header, name: X-Id, required: true, schema: {type: string}}, {in: header, name: X-At}]}',
  '{parameters: [{in: header, name: x-id, schema: {type: boolean}}]}',
  [
    'call-parameter-became-optional breaking @ header X-Id',
    'call-parameter-removed risky @ header X-At',
    'response-type-changed breaking @ header X-Id',
  ],
  ['response-type-changed breaking @ header x-id'],
);
testCalls(
  'answers that are taken',
  '{responses: {200: {}, 404: {}}}',
  '{responses: {202: {}}}',
  [
    'call-response-removed breaking @ response 200',
    'call-response-removed risky @ response 404',
    'call-response-added safe @ response 202',
  ],
  [
    'call-response-removed breaking @ response 202',
    'call-response-added safe @ response 200',
    'call-response-added safe @ response 404',
  ],
);
testCalls(
  'answers that are taken among others',
  '{responses: {200: {}}}',
  '{responses: {2XX: {}}}',
  ['call-response-added safe @ response 2XX'],
  ['call-response-removed breaking @ response 2XX', 'call-response-added safe @ response 200'],
);
testCalls(
  'what an answer has to have',
  '{responses: {200: {}}}',
  '{responses: {200: {headers: {X: {required: true, schema: {type: string}}}, content: {a/b: {}}}}}',
  [
    'call-response-header-became-required breaking @ response 200 header X',
    'call-response-body-added risky @ response 200',
  ],
  ['call-response-body-removed risky @ response 200'],
);
testCalls('deprecation of a call', '{}', '{deprecated: true}', ['call-deprecated safe @'], []);

testDocuments([
  {
    rule: 'a callback comes and goes',
    before: document('{}'),
    after: callback('{}'),
    there: [`callback-added safe ${at}`],
    back: [`callback-removed breaking ${at}`],
  },
  {
    rule: 'a callback that is referred to, and security of its document',
    before: document(
      '{callbacks: {onData: {$ref: "#/components/callbacks/C"}}}',
      'components: {callbacks: {C: {"{$request.query.url}": {post: {security: [{key: []}]}}}}}\n',
    ),
    after: callback('{}'),
    there: [],
    back: [],
  },
  {
    rule: 'a webhook comes and goes',
    before: webhook('{}'),
    after: 'openapi: 3.1.0\nwebhooks: {gone: {post: {}}}\n',
    there: ['webhook-removed breaking webhook newPet POST', 'webhook-added safe webhook gone POST'],
    back: ['webhook-removed breaking webhook gone POST', 'webhook-added safe webhook newPet POST'],
  },
]);

test('a change of a shape that a webhook sends is told of the shape, with the webhook', () => {
  const pet = (type: string): string =>
    webhook(
      sending('{$ref: "#/components/schemas/Pet"}'),
      `components: {schemas: {Pet: {type: object, properties: {n: {type: ${type}}}}}}\n`,
    );
  const [change, ...others] = documentChanges(pet('string'), pet('boolean'));
  assert.deepEqual(
    [change?.id, change?.subject, change?.services, others],
    ['response-type-changed', 'Pet.n', ['webhook newPet POST'], []],
  );
});
