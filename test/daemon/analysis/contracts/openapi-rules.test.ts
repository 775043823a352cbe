import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiChanges } from '../../../../daemon/analysis/contracts/breaking/openapi/compare-openapi.ts';
import { referencedFiles } from '../../../../daemon/extract/api-contract/openapi/other-files.ts';
import { answering, document, documentChanges, openApi, taking, testDocuments, toldBy } from './changed-documents.ts';

const parameter = (text: string): string => document(`{parameters: [${text}]}`);

const animal = (mapping: string): string => `{type: object, discriminator: {propertyName: kind, mapping: ${mapping}}}`;
const animals = (...names: readonly string[]): string =>
  `components: {schemas: {${names.map(name => `${name}: {type: object}`).join(', ')}}}\n`;

testDocuments([
  {
    rule: 'operations come and go',
    before: 'openapi: 3.0.0\npaths: {/a: {get: {}, put: {deprecated: true}}}\n',
    after: 'openapi: 3.0.0\npaths: {/a: {get: {}}}\n',
    there: ['operation-removed breaking PUT /a'],
    back: ['operation-added safe PUT /a'],
  },
  {
    rule: 'parameters of paths are renamed',
    before:
      'openapi: 3.0.0\npaths: {"/a/{id}": {get: {parameters: [{in: path, name: id, required: true, schema: {type: string}}]}}}\n',
    after:
      'openapi: 3.0.0\npaths: {"/a/{key}": {parameters: [{in: path, name: key, required: true, schema: {type: string}}], get: {}}}\n',
    there: ['path-parameter-renamed safe GET /a/{id} path id'],
    back: ['path-parameter-renamed safe GET /a/{key} path key'],
  },
  {
    rule: 'a parameter comes and goes',
    before: document('{}'),
    after: parameter('{in: query, name: q, schema: {type: string}}'),
    there: ['parameter-added safe GET /a query q'],
    back: ['parameter-removed risky GET /a query q'],
  },
  {
    rule: 'a required parameter comes and goes',
    before: document('{}'),
    after: parameter('{in: header, name: X-Key, required: true, schema: {type: string}}'),
    there: ['required-parameter-added breaking GET /a header X-Key'],
    back: ['parameter-removed risky GET /a header X-Key'],
  },
  {
    rule: 'a parameter is required, deprecated, written in another case, of another type',
    before: parameter('{in: header, name: X-Key, schema: {type: string}}'),
    after: parameter('{in: header, name: x-key, required: true, deprecated: true, schema: {type: integer}}'),
    there: [
      'parameter-became-required breaking GET /a header X-Key',
      'parameter-deprecated safe GET /a header X-Key',
      'request-type-changed breaking GET /a header X-Key',
    ],
    back: ['parameter-became-optional safe GET /a header x-key', 'request-type-changed breaking GET /a header x-key'],
  },
  {
    rule: 'references of parameters, bodies and answers that lead nowhere',
    before: document(
      '{parameters: [{$ref: "#/components/parameters/Q"}], requestBody: {content: {a/b: {}}}, responses: {"200": {content: {a/b: {}}}}}',
      'components: {parameters: {Q: {in: query, name: q}}}\n',
    ),
    after: document(
      '{parameters: [{$ref: "#/components/parameters/Gone"}], requestBody: {$ref: "#/gone"}, responses: {"200": {$ref: "#/components/responses/Gone"}}}',
    ),
    there: [
      'reference-unresolved risky GET /a parameters',
      'reference-unresolved risky GET /a request',
      'reference-unresolved risky GET /a response 200',
    ],
    back: [
      'reference-unresolved risky GET /a parameters',
      'reference-unresolved risky GET /a request',
      'reference-unresolved risky GET /a response 200',
    ],
  },
  {
    rule: 'a parameter that is referred to',
    before: document(
      '{parameters: [{$ref: "#/components/parameters/Q"}]}',
      'components: {parameters: {Q: {in: query, name: q}}}\n',
    ),
    after: parameter('{in: query, name: q}'),
    there: [],
    back: [],
  },
  {
    rule: 'a body comes and goes',
    before: document('{}'),
    after: document('{requestBody: {content: {a/b: {}}}}'),
    there: ['request-body-added safe GET /a request'],
    back: ['request-body-removed risky GET /a request'],
  },
  {
    rule: 'a required body',
    before: document('{requestBody: {content: {a/b: {}}}}'),
    after: document('{requestBody: {required: true, content: {a/b: {}}}}'),
    there: ['request-body-became-required breaking GET /a request'],
    back: ['request-body-became-optional safe GET /a request'],
  },
  {
    rule: 'media types of bodies',
    before: document('{requestBody: {content: {a/b: {}, c/d: {}}}}'),
    after: document('{requestBody: {content: {A/B; x=1: {}}}}'),
    there: ['request-media-type-removed breaking GET /a request'],
    back: ['request-media-type-added safe GET /a request'],
  },
  {
    rule: 'media types of answers',
    before: document('{responses: {200: {content: {a/b: {}, c/d: {}}}}}'),
    after: document('{responses: {200: {content: {a/b: {}}}}}'),
    there: ['response-media-type-removed breaking GET /a response 200'],
    back: ['response-media-type-added safe GET /a response 200'],
  },
  {
    rule: 'statuses of answers',
    before: document('{responses: {200: {}, 404: {}}}'),
    after: document('{responses: {201: {}}}'),
    there: [
      'response-removed breaking GET /a response 200',
      'response-removed risky GET /a response 404',
      'response-added safe GET /a response 201',
    ],
    back: [
      'response-removed breaking GET /a response 201',
      'response-added safe GET /a response 200',
      'response-added safe GET /a response 404',
    ],
  },
  {
    rule: 'headers of answers',
    before: document(
      '{responses: {200: {headers: {A: {required: true, schema: {type: string}}, B: {required: true}}}}}',
    ),
    after: document('{responses: {200: {headers: {a: {schema: {type: string}}}}}}'),
    there: [
      'response-header-became-optional breaking GET /a response 200 header A',
      'response-header-removed breaking GET /a response 200 header B',
    ],
    back: [],
  },
  {
    rule: 'security where there was none',
    before: document('{}'),
    after: document('{security: [{key: []}]}'),
    there: ['security-added breaking GET /a'],
    back: ['security-relaxed safe GET /a'],
  },
  {
    rule: 'further scopes, in place of those of the document',
    before: document('{}', 'security: [{oauth: [read]}]\n'),
    after: document('{security: [{oauth: [read, write]}]}'),
    there: ['security-changed breaking GET /a'],
    back: ['security-relaxed safe GET /a'],
  },
  {
    rule: 'another way to be known',
    before: document('{security: [{key: []}]}'),
    after: document('{security: [{oauth: []}, {key: []}]}'),
    there: ['security-relaxed safe GET /a'],
    back: ['security-changed breaking GET /a'],
  },
  {
    rule: 'the name that generated clients take',
    before: document('{operationId: getA}'),
    after: document('{operationId: listA, deprecated: true}'),
    there: ['operation-deprecated safe GET /a', 'operation-id-changed risky GET /a'],
    back: ['operation-id-changed risky GET /a'],
  },
  {
    rule: 'the base path',
    before: document('{}', 'servers: [{url: https://x.com/v1}]\n'),
    after: document('{}', 'servers: [{url: https://y.com/v2}]\n'),
    there: ['base-path-changed breaking /v1', 'hosts-changed risky x.com'],
    back: ['base-path-changed breaking /v2', 'hosts-changed risky y.com'],
  },
  {
    rule: 'hosts of which one stays, that are told at last, and of this machine',
    before: document('{}', 'servers: [{url: https://x.com}, {url: "http://localhost:80"}]\n'),
    after: document('{}', 'servers: [{url: https://y.com}, {url: "http://X.com"}]\n'),
    there: [],
    back: [],
  },
  {
    rule: 'a host where only this machine was told',
    before: document('{}', 'servers: [{url: "http://localhost:80"}, {url: /}]\n'),
    after: document('{}', 'servers: [{url: https://y.com}]\n'),
    there: [],
    back: [],
  },
  {
    rule: 'the host of version 2 and that of version 3',
    before: 'swagger: "2.0"\nhost: x.com\npaths: {/a: {get: {}}}\n',
    after: document('{}', 'servers: [{url: https://y.com}]\n'),
    there: ['hosts-changed risky x.com'],
    back: ['hosts-changed risky y.com'],
  },
  {
    rule: 'the value that stands for an alternative, with the alternative and without it',
    before: document(answering(animal('{cat: Cat, dog: "#/components/schemas/Dog"}')), animals('Cat', 'Dog')),
    after: document(answering(animal('{cat: Cat}')), animals('Cat')),
    there: ['response-discriminator-value-removed safe GET /a response 200'],
    back: ['response-discriminator-value-added risky GET /a response 200'],
  },
  {
    rule: 'one more server',
    before: document('{}', 'servers: [{url: https://x.com/v1}]\n'),
    after: document('{}', 'servers: [{url: https://x.com/v1}, {url: https://x.com/v2}]\n'),
    there: [],
    back: ['base-path-changed breaking /v1, /v2'],
  },
  {
    rule: 'version 2 written as version 3',
    before: `swagger: "2.0"
info: {title: x}
paths:
  /a:
    get:
      consumes: [application/json]
      parameters: [{in: body, name: b, required: true, schema: {$ref: "#/definitions/A"}}, {in: query, name: q, type: string, enum: [a]}]
      responses: {200: {schema: {$ref: "#/definitions/A"}}}
    post:
      consumes: [multipart/form-data]
      parameters: [{in: formData, name: f, type: string, required: true}]
definitions: {A: {type: object, properties: {x: {type: string}}}}
`,
    after: `openapi: 3.0.0
info: {title: x}
paths:
  /a:
    get:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}
      parameters: [{in: query, name: q, schema: {type: string, enum: [a]}}]
      responses: {200: {content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}
    post:
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, required: [f], properties: {f: {type: string}}}}}}
components: {schemas: {A: {type: object, properties: {x: {type: string}}}}}
`,
    there: [],
    back: [],
  },
  {
    rule: 'a shape in another file',
    before: document(answering('{$ref: "other.yaml#/A"}')),
    after: document(answering('{$ref: "other.yaml#/B"}')),
    there: ['response-reference-changed risky A'],
    back: ['response-reference-changed risky B'],
  },
  {
    rule: 'a shape by reference, and the same written out',
    before: document(answering('{$ref: "#/components/schemas/A"}'), 'components: {schemas: {A: {type: string}}}\n'),
    after: document(answering('{type: string}')),
    there: [],
    back: [],
  },
  {
    rule: 'a place within another shape',
    before: document(
      taking('{$ref: "#/components/schemas/A/properties/x~1y"}'),
      'components: {schemas: {A: {properties: {x/y: {type: string}}}}}\n',
    ),
    after: document(taking('{type: integer}')),
    there: ['request-type-changed breaking x/y'],
    back: ['request-type-changed breaking x/y'],
  },
]);

const shop = (type: string): string => `openapi: 3.1.0
info: {title: Shop}
paths:
  /carts:
    get: {responses: {200: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Cart'}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Cart'}}}}}
  /items:
    get: {responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}}}
  /other:
    get: {}
components:
  schemas:
    Cart: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Item'}}, parent: {$ref: '#/components/schemas/Cart'}}}
    Item:
      type: object
      properties:
        price: {type: ${type}}
        cart: {$ref: '#/components/schemas/Cart', deprecated: true}
`;

test('a change of a shape is told once each way, with the operations that have it', () => {
  const changes = documentChanges(shop('integer'), shop('string'));
  const place = (type: string) => ({ path: 'api.yaml', line: 17, text: `price: {type: ${type}}` });
  assert.deepEqual(changes, [
    {
      id: 'request-type-changed',
      severity: 'breaking',
      compatibility: ['request'],
      subject: 'Item.price',
      services: ['POST /carts'],
      methods: [],
      message: 'the type of price changed from integer to string',
      before: place('integer'),
      after: place('string'),
    },
    {
      id: 'response-type-changed',
      severity: 'breaking',
      compatibility: ['response'],
      subject: 'Item.price',
      services: ['GET /carts', 'GET /items'],
      methods: [],
      message: 'the type of price changed from integer to string',
      before: place('integer'),
      after: place('string'),
    },
  ]);
});

test('a document that comes or goes is told as a whole', () => {
  const schema = openApi(shop('string'));
  const path = 'api.yaml';
  const [added] = openApiChanges({ path, schema: undefined }, { path, schema });
  const [removed] = openApiChanges({ path, schema }, { path, schema: undefined });
  assert.deepEqual(
    [added?.id, added?.severity, removed?.id, removed?.severity],
    ['file-added', 'safe', 'file-deleted', 'breaking'],
  );
  assert.deepEqual(removed?.services, ['GET /carts', 'GET /items', 'GET /other', 'POST /carts']);
});

test('the order of keys changes nothing', () => {
  const one = '{type: object, properties: {a: {type: string}, b: {type: string}}}';
  const other = '{properties: {b: {type: string}, a: {type: string}}, type: object}';
  assert.deepEqual(toldBy(document(answering(one)), document(answering(other))), []);
});

test('references that lead to each other, and names that objects have, are no trouble', () => {
  const before = document(
    answering('{$ref: "#/components/schemas/__proto__"}'),
    `components: {schemas: {__proto__: {allOf: [{$ref: "#/components/schemas/constructor"}], properties: {toString: {type: string}}}, constructor: {allOf: [{$ref: "#/components/schemas/__proto__"}]}, Self: {$ref: "#/components/schemas/Self"}}}\n`,
  );
  assert.deepEqual(toldBy(before, before.replace('{type: string}', '{type: boolean}')), [
    'response-type-changed breaking __proto__.toString',
  ]);
});

const many = Array.from({ length: 3_000 }, (_, at) => at);
const large: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'operations',
    `openapi: 3.0.0\npaths:\n${many.map(at => `  /a${at}: {get: {}}\n`).join('')}`,
    'openapi: 3.0.0\npaths: {}\n',
  ],
  [
    'shapes in a chain',
    document(
      answering('{$ref: "#/components/schemas/A0"}'),
      `components:\n  schemas:\n${many.map(at => `    A${at}: {properties: {a: {$ref: "#/components/schemas/A${at + 1}"}, x: {type: string}}}\n`).join('')}`,
    ),
    document(
      answering('{$ref: "#/components/schemas/A0"}'),
      `components:\n  schemas:\n${many.map(at => `    A${at}: {properties: {a: {$ref: "#/components/schemas/A${at + 1}"}, x: {type: integer}}}\n`).join('')}`,
    ),
  ],
  [
    'parts of all of many',
    document(
      answering('{$ref: "#/components/schemas/A0"}'),
      `components:\n  schemas:\n${many.map(at => `    A${at}: {allOf: [{$ref: "#/components/schemas/A${at + 1}"}], properties: {x${at}: {type: string}}}\n`).join('')}`,
    ),
    document(answering('{}')),
  ],
];

for (const [name, before, after] of large) {
  test(`costs what its length costs: many ${name}`, () => {
    const [old, now] = [openApi(before), openApi(after)];
    const start = process.cpuUsage();
    openApiChanges({ path: 'a', schema: old }, { path: 'a', schema: now });
    const { user } = process.cpuUsage(start);
    assert.ok(user < 3_000_000, `${user / 1000} ms`);
  });
}

test('what other files of the repository hold is compared as if it stood in the document, on the line of its reference', () => {
  const text = `openapi: 3.0.3
info: {title: x}
paths:
  /a: {$ref: paths/a.yaml}
components:
  schemas:
    Own: {type: object, properties: {id: {type: string}}}
`;
  const files = (type: string): Record<string, string> => ({
    'paths/a.yaml': `get: ${answering('{$ref: "../models.json#/M"}')}`,
    'models.json': `{"M": {"properties": {"n": {"type": "${type}"}, "m": {"$ref": "#/M"}, "own": {"$ref": "api.yaml#/components/schemas/Own"}}}}`,
  });
  const path = 'api.yaml';
  const changes = openApiChanges(
    { path, schema: openApi(text, files('string')) },
    { path, schema: openApi(text, files('integer')) },
  );
  assert.deepEqual(
    changes.map(({ id, severity, subject, services, after }) => [id, severity, subject, services, after?.line]),
    [['response-type-changed', 'breaking', 'models.json#/M.n', ['GET /a'], 4]],
  );
  assert.deepEqual(
    referencedFiles('in/api.yaml', Buffer.from("$ref: 'm.yaml#/M'\n$ref: ../../x.yaml\n$ref: http://h/x.yaml")),
    ['in/m.yaml'],
  );
});
