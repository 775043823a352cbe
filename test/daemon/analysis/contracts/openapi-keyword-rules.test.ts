import { answering, document, type ShapeRule, taking, testDocuments, testShapes } from './changed-documents.ts';

/** A keyword that comes and goes; what is told of it both ways. */
const keyword = (
  text: string,
  id: string,
  taken: string,
  takenBack: string,
  answered: string,
  back: string,
): ShapeRule => ({
  rule: `what else values are held against: ${text}`,
  before: '{type: object, properties: {a: {}}}',
  after: `{type: object, properties: {a: {}}, ${text}}`,
  taken: [`${id} ${taken}`],
  takenBack: [`${id} ${takenBack}`],
  answered: [`${id} ${answered}`],
  answeredBack: [`${id} ${back}`],
});

testShapes([
  keyword('not: {required: [a]}', 'not-changed', 'risky', 'safe', 'safe', 'risky'),
  keyword('prefixItems: [{type: string}]', 'prefix-items-changed', 'risky', 'risky', 'risky', 'risky'),
  keyword('contains: {type: string}, minContains: 2', 'contains-changed', 'risky', 'safe', 'safe', 'risky'),
  keyword('propertyNames: {maxLength: 5}', 'property-names-changed', 'risky', 'safe', 'safe', 'risky'),
  keyword('patternProperties: {^x: {type: string}}', 'pattern-properties-changed', 'risky', 'risky', 'risky', 'risky'),
  keyword('if: {required: [a]}, then: {required: [b]}', 'condition-changed', 'risky', 'safe', 'safe', 'risky'),
  keyword('dependentRequired: {a: [b]}', 'dependent-required-changed', 'breaking', 'safe', 'safe', 'risky'),
  keyword('dependentSchemas: {a: {required: [b]}}', 'dependent-schemas-changed', 'risky', 'safe', 'safe', 'risky'),
  keyword('unevaluatedProperties: false', 'unevaluated-properties-changed', 'breaking', 'safe', 'safe', 'risky'),
  keyword('unevaluatedItems: false', 'unevaluated-items-changed', 'breaking', 'safe', 'safe', 'risky'),
  {
    rule: 'more of what is required where something else is there',
    before: '{type: object, dependentRequired: {a: [b]}}',
    after: '{type: object, dependentRequired: {a: [c, b]}}',
    taken: ['dependent-required-changed breaking'],
    takenBack: ['dependent-required-changed safe'],
    answered: ['dependent-required-changed safe'],
    answeredBack: ['dependent-required-changed risky'],
  },
  {
    rule: 'a condition with another consequence',
    before: '{if: {required: [a]}, then: {required: [b]}}',
    after: '{if: {required: [a]}, then: {required: [c]}}',
    taken: ['condition-changed risky'],
    takenBack: ['condition-changed risky'],
    answered: ['condition-changed risky'],
    answeredBack: ['condition-changed risky'],
  },
  {
    rule: 'the order of keys in keywords, texts for people, and what says nothing',
    before: '{not: {type: string, maxLength: 5}, unevaluatedProperties: true}',
    after: '{not: {maxLength: 5, description: short, type: string}, dependentRequired: {}}',
    taken: [],
    takenBack: [],
    answered: [],
    answeredBack: [],
  },
  {
    rule: 'null in both ways to write it',
    before: '{type: [string, "null"], enum: [a, null]}',
    after: '{title: x, default: null, anyOf: [{type: string, enum: [a]}, {type: null}]}',
    taken: ['default-changed risky'],
    takenBack: ['default-changed risky'],
    answered: [],
    answeredBack: [],
  },
  {
    rule: 'one more shape in place of one',
    before: '{type: string, maxLength: 5}',
    after: '{oneOf: [{type: string, maxLength: 5}, {type: integer}]}',
    taken: ['alternative-added safe'],
    takenBack: ['alternative-removed breaking'],
    answered: ['alternative-added breaking'],
    answeredBack: ['alternative-removed safe'],
  },
  {
    rule: 'one more shape in place of one that changes',
    before: '{type: integer, default: 1}',
    after: '{anyOf: [{type: number}, {type: string}], default: 1}',
    taken: ['alternative-added safe', 'type-widened safe'],
    takenBack: ['alternative-removed breaking', 'type-changed breaking'],
    answered: ['alternative-added breaking', 'type-changed breaking'],
    answeredBack: ['alternative-removed safe', 'type-narrowed safe'],
  },
  {
    rule: 'several types in both ways to write them',
    before: '{type: [string, integer, "null"]}',
    after: '{oneOf: [{type: integer}, {type: string}, {type: "null"}]}',
    taken: [],
    takenBack: [],
    answered: [],
    answeredBack: [],
  },
]);

const pets = 'components: {schemas: {Pet: {type: object, properties: {n: {type: string}}}}}\n';
const modern = (operation: string, rest = ''): string => document(operation, rest, '3.1.0');
const pet = '{$ref: "#/components/schemas/Pet"}';
const within = (shape: string): string => answering(`{type: object, properties: {p: ${shape}}}`);

testDocuments([
  {
    rule: 'null beside a reference',
    before: modern(within(pet), pets),
    after: modern(within(`{oneOf: [{type: "null"}, ${pet}]}`), pets),
    there: ['response-became-nullable breaking GET /a response 200.p'],
    back: ['response-became-not-nullable safe GET /a response 200.p'],
  },
  {
    rule: 'null beside a reference, and what it names written out',
    before: modern(within('{type: [object, "null"], properties: {n: {type: string}}}')),
    after: modern(within(`{anyOf: [${pet}, {type: "null"}]}`), pets),
    there: [],
    back: [],
  },
  {
    rule: 'a change in what may be null is told once',
    before: modern(within(`{anyOf: [${pet}, {type: "null"}]}`), pets),
    after: modern(within(`{anyOf: [${pet}, {type: "null"}]}`), pets.replace('string', 'boolean')),
    there: ['response-type-changed breaking Pet.n'],
    back: ['response-type-changed breaking Pet.n'],
  },
  {
    rule: 'another shape that is referred to',
    before: modern(within(pet), pets),
    after: modern(within(`{oneOf: [{type: string}, ${pet}]}`), pets),
    there: ['response-alternative-added breaking Pet'],
    back: ['response-alternative-removed safe Pet'],
  },
  {
    rule: 'nullable, which is no keyword since 3.1',
    before: modern(answering('{type: string}')),
    after: modern(answering('{type: string, nullable: true}')),
    there: [],
    back: [],
  },
  {
    rule: 'a reference that leads nowhere in one revision',
    before: document(within(pet), pets),
    after: document(within('{$ref: "#/components/schemas/Nope"}'), pets),
    there: ['response-reference-unresolved risky GET /a response 200.p'],
    back: ['response-reference-unresolved risky GET /a response 200.p'],
  },
  {
    rule: 'what a reference names is gone, and others lead to it in parts of all',
    before: document(taking(`{allOf: [${pet}, {required: [n]}]}`), pets),
    after: document(taking(`{allOf: [${pet}, {required: [m]}]}`)),
    there: ['request-reference-unresolved risky GET /a request'],
    back: ['request-reference-unresolved risky GET /a request'],
  },
  {
    rule: 'a reference that leads nowhere in both revisions',
    before: document(answering(`{type: object, properties: {p: ${pet}, q: {type: string}}}`)),
    after: document(answering(`{type: object, properties: {p: ${pet}, q: {type: boolean}}}`)),
    there: ['response-type-changed breaking GET /a response 200.q'],
    back: ['response-type-changed breaking GET /a response 200.q'],
  },
  {
    rule: 'numbers and texts in a URL, and elsewhere',
    before: document(
      '{parameters: [{in: query, name: q, schema: {type: integer}}, {in: query, name: l, schema: {type: array, items: {type: boolean}}}, {in: cookie, name: c, schema: {type: integer}}]}',
    ),
    after: document(
      '{parameters: [{in: query, name: q, schema: {type: string}}, {in: query, name: l, schema: {type: array, items: {type: string}}}, {in: cookie, name: c, schema: {type: string}}]}',
    ),
    there: [
      'request-type-changed breaking GET /a cookie c',
      'request-type-widened safe GET /a query q',
      'request-type-widened safe GET /a query l[]',
    ],
    back: [
      'request-type-changed breaking GET /a cookie c',
      'request-type-changed breaking GET /a query q',
      'request-type-changed breaking GET /a query l[]',
    ],
  },
  {
    rule: 'a number in a URL that becomes a text of a certain form',
    before: document('{parameters: [{in: query, name: q, schema: {type: integer}}]}'),
    after: document('{parameters: [{in: query, name: q, schema: {type: string, format: uuid}}]}'),
    there: ['request-type-changed breaking GET /a query q'],
    back: ['request-type-changed breaking GET /a query q'],
  },
]);
