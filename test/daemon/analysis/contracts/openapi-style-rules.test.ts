import { document, testDocuments } from './changed-documents.ts';

const parameter = (text: string): string => document(`{parameters: [${text}]}`);

/** A list in a query and one in a form, in version 2 and in version 3. */
const oldList = (told: string): string => `swagger: "2.0"
paths:
  /a:
    get:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{in: query, name: q, items: {type: string}, ${told}}, {in: formData, name: f, items: {type: string}, ${told}}]
`;
const newList = (told: string): string =>
  document(`{parameters: [{in: query, name: q, schema: {type: array, items: {type: string}}${told && `, ${told}`}}],
    requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {f: {type: array, items: {type: string}}}}, encoding: {f: {${told}}}}}}}`);

testDocuments([
  {
    rule: 'how a list in a query is written',
    before: parameter('{in: query, name: q, schema: {type: array, items: {type: string}}}'),
    after: parameter('{in: query, name: q, explode: false, schema: {type: array, items: {type: string}}}'),
    there: ['parameter-style-changed breaking GET /a query q'],
    back: ['parameter-style-changed breaking GET /a query q'],
  },
  {
    rule: 'how an object in a query is written, by reference',
    before: document(
      '{parameters: [{in: query, name: q, schema: {$ref: "#/components/schemas/A"}}]}',
      'components: {schemas: {A: {type: object}}}\n',
    ),
    after: parameter('{in: query, name: q, style: deepObject, explode: true, schema: {type: object}}'),
    there: ['parameter-style-changed breaking GET /a query q'],
    back: ['parameter-style-changed breaking GET /a query q'],
  },
  {
    rule: 'how lists are written where nothing is said, and the same said; what is no list',
    before: parameter(
      `{in: query, name: q, schema: {type: array}}, {in: header, name: h, schema: {type: array}},
      {in: query, name: o, style: deepObject, schema: {type: object}}, {in: query, name: s, schema: {type: string}}`,
    ),
    after: parameter(
      `{in: query, name: q, style: form, explode: true, schema: {type: array}}, {in: header, name: h, style: simple, explode: true, schema: {type: array}},
      {in: query, name: o, style: deepObject, explode: true, schema: {type: object}}, {in: query, name: s, explode: false, schema: {type: string}}`,
    ),
    there: [],
    back: [],
  },
  {
    rule: 'an object in a header, and one that is JSON',
    before: parameter('{in: header, name: h, schema: {type: object}}, {in: query, name: q, schema: {type: object}}'),
    after: parameter(
      '{in: header, name: h, explode: true, schema: {type: object}}, {in: query, name: q, content: {application/json: {schema: {type: object}}}}',
    ),
    there: ['parameter-style-changed breaking GET /a header h', 'parameter-style-changed breaking GET /a query q'],
    back: ['parameter-style-changed breaking GET /a header h', 'parameter-style-changed breaking GET /a query q'],
  },
  {
    rule: 'a text in a query that is JSON; a number, and a text under its own media type',
    before: parameter(
      '{in: query, name: q, schema: {type: string}}, {in: query, name: n, schema: {type: integer}}, {in: query, name: t, schema: {type: string}}',
    ),
    after: parameter(
      `{in: query, name: q, content: {application/json: {schema: {type: string}}}}, {in: query, name: n, content: {application/json: {schema: {type: integer}}}},
      {in: query, name: t, content: {text/plain: {schema: {type: string}}}}`,
    ),
    there: ['parameter-style-changed breaking GET /a query q'],
    back: ['parameter-style-changed breaking GET /a query q'],
  },
  {
    rule: 'headers that version 3 has ignored among parameters and in answers',
    before: document(
      `{parameters: [{in: header, name: Accept, required: true, schema: {type: string}}, {in: header, name: authorization, schema: {type: string}}],
      responses: {200: {}}}`,
    ),
    after: document(
      `{parameters: [{in: header, name: Content-Type, required: true, schema: {type: string}}],
      responses: {200: {headers: {Content-Type: {required: true, schema: {type: string}}}}}}`,
    ),
    there: [],
    back: [],
  },
  {
    rule: 'lists of version 2 between other signs',
    before: oldList('type: array'),
    after: oldList('type: array, collectionFormat: ssv'),
    there: ['parameter-style-changed breaking GET /a query q', 'request-field-style-changed breaking GET /a request.f'],
    back: ['parameter-style-changed breaking GET /a query q', 'request-field-style-changed breaking GET /a request.f'],
  },
  {
    rule: 'lists of version 2 between commas, said or not; of what is none nothing is',
    before: `${oldList('type: array')}    put: {parameters: [{in: query, name: s, type: string}]}\n`,
    after: `${oldList('type: array, collectionFormat: csv')}    put: {parameters: [{in: query, name: s, type: string, collectionFormat: multi}]}\n`,
    there: [],
    back: [],
  },
  {
    rule: 'lists of version 2 as version 3 has them',
    before: oldList('type: array, collectionFormat: multi'),
    after: newList('explode: true'),
    there: [],
    back: [],
  },
  {
    rule: 'lists of version 2 between commas, where version 3 says nothing',
    before: oldList('type: array'),
    after: newList(''),
    there: ['parameter-style-changed breaking GET /a query q', 'request-field-style-changed breaking GET /a request.f'],
    back: ['parameter-style-changed breaking GET /a query q', 'request-field-style-changed breaking GET /a request.f'],
  },
  {
    rule: 'lists of version 2 between commas, as version 3 says it',
    before: oldList('type: array'),
    after: newList('explode: false'),
    there: [],
    back: [],
  },
]);
