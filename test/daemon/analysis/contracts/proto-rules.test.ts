import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareProtos } from '../../../../daemon/analysis/contracts/breaking/proto/compare-proto.ts';
import { changesOf, message, proto2, proto3, sideOf, testRules } from './changed-protos.ts';

testRules([
  {
    rule: 'deprecation',
    before: `${message('int32 a = 1;')} enum E { A = 0; } service S { rpc R(M) returns (M); }`,
    after: `message M { option deprecated = true; int32 a = 1 [deprecated = true]; } enum E { A = 0 [deprecated = true]; }
      service S { rpc R(M) returns (M) { option deprecated = true; } }`,
    there: [
      'enum-value-deprecated safe - p.E.A',
      'field-deprecated safe - p.M.a',
      'message-deprecated safe - p.M',
      'rpc-deprecated safe - p.S.R',
    ],
    back: [],
  },
  {
    rule: 'messages and enums come and go, with what lies in them',
    before: 'message A { message B { int32 b = 1; } enum C { D = 0; } } enum E { F = 0; }',
    after: '',
    there: ['enum-deleted breaking source p.E', 'message-deleted breaking source p.A'],
    back: ['enum-added safe - p.E', 'message-added safe - p.A'],
  },
  {
    rule: 'messages and enums are renamed, with what lies in them and what has them',
    before:
      'message A { message I {} int32 a = 1; I i = 2; A self = 3; } enum E { F = 0; G = 1; } message M { A a = 1; E e = 2; }',
    after:
      'message B { message I {} int32 a = 1; I i = 2; B self = 3; } enum X { F = 0; G = 1; } message M { B a = 1; X e = 2; }',
    there: ['enum-renamed breaking source p.E', 'message-renamed breaking source p.A'],
    back: ['enum-renamed breaking source p.X', 'message-renamed breaking source p.B'],
  },
  {
    rule: 'a message becomes an enum',
    before: 'message A {}',
    after: 'enum A { F = 0; }',
    there: ['message-deleted breaking source p.A'],
    back: ['enum-deleted breaking source p.A'],
  },
  {
    rule: 'services and methods come and go',
    before: `${message('')} service S { rpc R(M) returns (M); rpc Q(M) returns (stream M); } service T {}`,
    after: `${message('')} service S { rpc R(M) returns (M); }`,
    there: ['rpc-deleted breaking wire+json+source p.S.Q', 'service-deleted breaking wire+json+source p.T'],
    back: ['rpc-added safe - p.S.Q', 'service-added safe - p.T'],
  },
  {
    rule: 'services and methods are renamed',
    before: `${message('')} service S { rpc R(M) returns (M); rpc Q(M) returns (stream M); } service T { rpc X(M) returns (M); }`,
    after: `${message('')} service S { rpc R(M) returns (M); rpc P(M) returns (stream M); } service U { rpc X(M) returns (M); }`,
    there: ['rpc-renamed breaking wire+json+source p.S.Q', 'service-renamed breaking wire+json+source p.T'],
    back: ['rpc-renamed breaking wire+json+source p.S.P', 'service-renamed breaking wire+json+source p.U'],
  },
  {
    rule: 'what a method takes and gives',
    before: `message X {} ${message('int32 a = 1;')} service S { rpc R(X) returns (M); }`,
    after: `message X {} ${message('int32 a = 1;')} service S { rpc R(stream M) returns (stream X); }`,
    there: [
      'rpc-client-streaming-changed breaking wire+json+source p.S.R',
      'rpc-request-type-changed breaking wire+json+source p.S.R',
      'rpc-response-type-changed breaking wire+json+source p.S.R',
      'rpc-server-streaming-changed breaking wire+json+source p.S.R',
    ],
    back: [
      'rpc-client-streaming-changed breaking wire+json+source p.S.R',
      'rpc-request-type-changed breaking wire+json+source p.S.R',
      'rpc-response-type-changed breaking wire+json+source p.S.R',
      'rpc-server-streaming-changed breaking wire+json+source p.S.R',
    ],
  },
  {
    rule: 'where HTTP finds a method, and whether it may be repeated',
    before: `${message('')} service S { rpc R(M) returns (M) { option (google.api.http) = { get: "/a" }; option idempotency_level = IDEMPOTENT; } }`,
    after: `${message('')} service S { rpc R(M) returns (M) { option (google.api.http) = { get: "/b" }; } }`,
    there: [
      'http-route-removed breaking json p.S.R',
      'rpc-idempotency-level-changed risky wire p.S.R',
      'http-route-added safe - p.S.R',
    ],
    back: [
      'http-route-removed breaking json p.S.R',
      'rpc-idempotency-level-changed risky wire p.S.R',
      'http-route-added safe - p.S.R',
    ],
  },
  {
    rule: 'extensions and their ranges',
    head: proto2,
    before: 'message M { extensions 100 to 200; } extend M { optional int32 e = 100; }',
    after: 'message M { extensions 100 to 150; }',
    there: [
      'extension-deleted breaking wire+json+source p.e',
      'extension-range-removed breaking wire+source p.M extensions 100 to 200',
    ],
    back: [
      'extension-range-removed breaking wire+source p.M extensions 100 to 150',
      'extension-added safe - p.e',
    ].slice(1),
  },
  {
    rule: 'an extension changes as fields do',
    head: proto2,
    before: 'message M { extensions 100 to 200; } extend M { optional int32 e = 100; }',
    after: 'message M { extensions 100 to 200; } extend M { optional string e = 100; }',
    there: ['field-type-changed breaking wire+json+source p.e'],
    back: ['field-type-changed breaking wire+json+source p.e'],
  },
  {
    rule: 'options by which generated code is named',
    before: 'option go_package = "a"; option java_multiple_files = false; option (x) = 1;',
    after: 'option go_package = "b"; option csharp_namespace = "C"; option (x) = 2;',
    there: [
      'csharp-namespace-changed breaking source csharp_namespace',
      'go-package-changed breaking source go_package',
    ],
    back: [
      'csharp-namespace-changed breaking source csharp_namespace',
      'go-package-changed breaking source go_package',
    ],
  },
  {
    rule: 'the package of services',
    head: 'syntax = "proto3"; ',
    before: `package p; message M { M m = 1; } service S { rpc R(M) returns (M); }`,
    after: `package q; message M { M m = 1; } service S { rpc R(M) returns (M); }`,
    there: ['package-changed breaking wire+json+source p'],
    back: ['package-changed breaking wire+json+source q'],
  },
  {
    rule: 'the syntax',
    head: '',
    before: 'syntax = "proto2"; package p; message M { optional string a = 1; }',
    after: 'syntax = "proto3"; package p; message M { optional string a = 1; }',
    there: [
      'field-utf8-validation-changed risky wire p.M.a',
      'syntax-changed risky source a.proto',
      'message-json-format-changed safe - p.M',
    ],
    back: [
      'field-utf8-validation-changed risky wire p.M.a',
      'message-json-format-changed risky json p.M',
      'syntax-changed risky source a.proto',
    ],
  },
  {
    rule: 'imports that a file hands on',
    before: { 'a.proto': 'import public "b.proto";', 'b.proto': '' },
    after: { 'a.proto': 'import "b.proto";', 'b.proto': '' },
    there: ['public-import-removed breaking source b.proto'],
    back: [],
  },
  {
    rule: 'a message in another file that is in the contract’s',
    before: {
      'a.proto': 'import "b.proto"; message M { B b = 1; }',
      'b.proto': 'message B { C c = 1; } message C { int32 x = 1; } message D { int32 x = 1; }',
    },
    after: {
      'a.proto': 'import "b.proto"; message M { B b = 1; }',
      'b.proto': 'message B { C c = 1; } message C { string x = 1; } message D {}',
    },
    there: ['field-type-changed breaking wire+json+source p.C.x'],
    back: ['field-type-changed breaking wire+json+source p.C.x'],
  },
  {
    rule: 'an imported file that is not there',
    before: {
      'a.proto': 'import "x/b.proto"; import "gone.proto"; message M { B b = 1; }',
      'in/x/b.proto': 'message B {}',
    },
    after: { 'a.proto': 'import "x/b.proto"; import "gone.proto"; message M { B b = 1; }' },
    there: ['import-unreadable risky - x/b.proto'],
    back: ['import-unreadable risky - x/b.proto'],
  },
  {
    rule: 'what is declared in another file now',
    before: {
      'a.proto': 'message M { message N {} N n = 1; } enum E { A = 0; } service S { rpc R(M) returns (M); }',
      'b.proto': '',
    },
    after: {
      'a.proto': '',
      'b.proto': 'message M { message N {} N n = 1; } enum E { A = 0; } service S { rpc R(M) returns (M); }',
    },
    there: ['enum-moved breaking source p.E', 'message-moved breaking source p.M', 'service-moved breaking source p.S'],
    back: [],
  },
  {
    rule: 'what is declared in another file now that the former one hands on',
    before: {
      'a.proto': 'message M {} enum E { A = 0; } service S { rpc R(M) returns (M); } extend X { int32 e = 1; }',
      'in/b.proto': 'message X {}',
      'c.proto': '',
    },
    after: {
      'a.proto': 'import public "b.proto";',
      'in/b.proto': 'import public "c.proto"; enum E { A = 0; } message X {} extend X { int32 e = 1; }',
      'c.proto': 'message M {} service S { rpc R(M) returns (M); }',
    },
    there: [
      'service-moved breaking source p.S',
      'enum-moved risky source p.E',
      'extension-moved risky source p.e',
      'message-moved risky source p.M',
    ],
    back: ['public-import-removed breaking source b.proto'],
  },
  {
    rule: 'comments, order and line ends',
    before: 'message A { int32 a = 1; int32 b = 2; } message B {}',
    after: '// x\r\nmessage B {}\r\nmessage A {\r\n  int32 b = 2; /* y */ int32 a = 1;\r\n}',
    there: [],
    back: [],
  },
]);

const shop = `message Cart { Item item = 1; } message Item { Price price = 1; } message Price { PRICE } message Other { int32 o = 1; }
message Loop { Loop self = 1; Price price = 2; }
service Carts { rpc Get(Cart) returns (Other); rpc List(Other) returns (Other); }
service Loops { rpc Watch(Other) returns (stream Loop); }`;

test('a change hits the methods that take or give what was changed, however deep', () => {
  const {
    changes: [change, ...others],
  } = compareProtos(
    sideOf(shop.replace('PRICE', 'int32 cents = 1;'), proto3),
    sideOf(shop.replace('PRICE', 'int64 cents = 1;'), proto3),
  );
  assert.deepEqual(others, []);
  assert.deepEqual(
    [change?.services, change?.methods],
    [
      ['p.Carts', 'p.Loops'],
      ['p.Carts/Get', 'p.Loops/Watch'],
    ],
  );
});

test('a change hits the services of other files that import the contract, also through others', () => {
  const revision = (type: string): Readonly<Record<string, string>> => ({
    'a.proto': `message M { ${type} a = 1; } message N {}`,
    'in/b.proto':
      'import "a.proto"; message B { M m = 1; } service Near { rpc R(N) returns (M); rpc Q(N) returns (N); }',
    'c.proto': 'import "b.proto"; service Far { rpc R(B) returns (B); }',
    'd.proto': 'service Other { rpc R(M) returns (M); }',
  });
  const {
    changes: [change],
  } = compareProtos(sideOf(revision('int32'), proto3), sideOf(revision('string'), proto3));
  assert.deepEqual(
    [change?.services, change?.methods],
    [
      ['p.Far', 'p.Near'],
      ['p.Far/R', 'p.Near/R'],
    ],
  );
  const {
    changes: [gone],
  } = compareProtos(sideOf(revision('int32'), proto3), sideOf({}, proto3));
  assert.deepEqual(gone?.methods, ['p.Far/R', 'p.Near/Q', 'p.Near/R']);
});

test('an imported file with a mistake in it is told with the line of its import', () => {
  const head = 'syntax = "proto3";\npackage p;\n';
  const files = { 'a.proto': 'import "b.proto";\nmessage M { B b = 1; }', 'b.proto': 'message B {}' };
  const {
    changes: [change, ...others],
  } = compareProtos(sideOf(files, head), sideOf({ ...files, 'b.proto': 'message B { int32 }' }, head));
  assert.deepEqual(others, []);
  assert.deepEqual([change?.id, change?.severity, change?.subject], ['import-unreadable', 'risky', 'b.proto']);
  assert.match(change?.message ?? '', /^what changed in b.proto can’t be told: line 3 of it: /);
  assert.deepEqual(change?.after, { path: 'a.proto', line: 3, text: 'import "b.proto";' });
});

test('a change has both places, with their lines and a sentence', () => {
  const head = 'syntax = "proto3";\npackage p;\n';
  const {
    changes: [change],
  } = compareProtos(
    sideOf('message M {\n  int32 a = 1;\n}\n', head),
    sideOf('\nmessage M {\n    int64 a = 1; // wider\n}\n', head),
  );
  assert.deepEqual(change, {
    id: 'field-type-changed',
    severity: 'breaking',
    compatibility: ['json', 'source'],
    subject: 'p.M.a',
    services: [],
    methods: [],
    type: 'p.M',
    message: 'the type of a changed from int32 to int64: the bytes can still be read',
    before: { path: 'a.proto', line: 4, text: 'int32 a = 1;' },
    after: { path: 'a.proto', line: 5, text: 'int64 a = 1; // wider' },
  });
});

test('the order of files and of declarations changes nothing', () => {
  const files = {
    'a.proto': 'message M { X x = 1; }',
    'b.proto': 'message X { int32 x = 1; }',
    'c.proto': 'message X { string x = 1; }',
  };
  const after = { ...files, 'b.proto': 'message X { bool x = 1; }' };
  const reversed = (one: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(one).reverse());
  assert.deepEqual(changesOf(files, after), changesOf(reversed(files), reversed(after)));
  assert.deepEqual(changesOf(files, after), ['field-type-changed breaking json+source p.X.x']);
});

test('names that objects have, and types that hold each other, are no trouble', () => {
  const before =
    'message __proto__ { constructor toString = 1; } message constructor { __proto__ a = 1; } service hasOwnProperty { rpc valueOf(constructor) returns (__proto__); }';
  const after = before.replace('__proto__ a = 1', '__proto__ a = 2');
  assert.deepEqual(changesOf(before, after), ['field-number-changed breaking wire p.constructor.a']);
});

const many = Array.from({ length: 20_000 }, (_, at) => at);
const large: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'values',
    `enum E { ${many.map(at => `A${at} = ${at};`).join('')} }`,
    `enum E { ${many.map(at => `B${at} = ${at};`).join('')} }`,
  ],
  ['fields', message(many.map(at => `int32 a${at} = ${at + 1};`).join('')), message('')],
  [
    'reserved',
    message(many.map(at => `reserved ${2 * at + 1};`).join('')),
    message(many.map(at => `int32 a${at} = ${2 * at + 1};`).join('')),
  ],
  ['oneofs', message(many.map(at => `oneof o${at} { M a${at} = ${at + 1}; }`).join('')), message('')],
  [
    'chains',
    many.map(at => `message M${at} { M${at + 1} a = 1; int32 x = 2; }`).join(''),
    many.map(at => `message M${at} { M${at + 1} a = 1; }`).join(''),
  ],
  [
    'renames that tell of others',
    `${message('M0 a = 1;')} ${many.map(at => `message M${at} { M${at + 1} a = 1; }`).join('')}`,
    `${message('N0 a = 1;')} ${many.map(at => `message N${at} { N${at + 1} a = 1; }`).join('')}`,
  ],
];

for (const [name, before, after] of large) {
  test(`costs what its length costs: many ${name}`, () => {
    const start = process.cpuUsage();
    changesOf(before, after);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 4_000_000, `${user / 1000} ms`);
  });
}
