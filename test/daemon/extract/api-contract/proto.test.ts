import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProto } from '../../../../daemon/extract/api-contract/proto/parse-proto.ts';
import type { ProtoSchema } from '../../../../daemon/model/proto-schema.ts';

const cart = `\ufeff// The cart.
syntax = "proto3";

package shop.v1;

import "google/api/annotations.proto";
import public "shop/v1/money.proto";
import weak 'shop/v1/' "old.proto";

option go_package = "acme.com/shop/v1;shopv1";
option (acme.owner) = { team: "carts" pages: ["a", "b"]; level: -1 nested < x: 1.5e-3, y: inf > };
option java_multiple_files = true;

/* What is bought,
   and where. */
service CartService {
  option deprecated = true;
  rpc GetCart(GetCartRequest) returns (Cart) {
    option (google.api.http) = {
      get: "/v1/carts/{id}"
      additional_bindings { post: "/v1/carts:get" body: "*" }
      additional_bindings: [{ custom: { kind: "HEAD" path: "/v1/carts" } }, { delete: "/v1/x" }]
    };
  }
  rpc Watch(stream .shop.v1.GetCartRequest) returns (stream stream.Cart);
  rpc Odd(stream) returns (stream.Cart) { option (google.api.http).patch = "/v1/odd"; ; };
}

message GetCartRequest { string id = 1; }

message Cart {
  reserved 4, 10 to 12, 1000 to max;
  reserved "total", 'sum';
  message Item {
    string sku = 1 [json_name = "SKU", deprecated = true];
    repeated int32 sizes = 0x2 [packed = false];
  }
  enum State { option allow_alias = true; UNKNOWN = 0; OPEN = 1; ACTIVE = 1 [deprecated = true]; GONE = -010; reserved -5 to -1, "LOST"; }
  repeated Item items_in_cart = 1;
  map<string, .shop.v1.Cart.Item> by_sku = 2;
  oneof payment {
    option (x) = 1;
    string card = 5;
    bytes cash = 6;
  }
  optional State state = 7;
  int64 message = 8;
  repeated double __d_2_ = 9;
}
`;

test('all that a file declares is told, with its lines', () => {
  const { schema, problem } = parseProto(cart.replaceAll('\n', '\r\n'));
  assert.equal(problem, undefined);
  assert.deepEqual([schema.syntax, schema.syntaxLine, schema.package, schema.packageLine], ['proto3', 2, 'shop.v1', 4]);
  assert.deepEqual(
    schema.imports.map(({ path, kind, line }) => [path, kind, line]),
    [
      ['google/api/annotations.proto', 'plain', 6],
      ['shop/v1/money.proto', 'public', 7],
      ['shop/v1/old.proto', 'weak', 8],
    ],
  );
  assert.deepEqual(
    schema.options.map(({ name, line }) => [name, line]),
    [
      ['go_package', 10],
      ['(acme.owner)', 11],
      ['java_multiple_files', 12],
    ],
  );
  assert.deepEqual(schema.options[1]?.value, {
    kind: 'message',
    entries: [
      { name: 'team', value: { kind: 'string', text: 'carts' } },
      {
        name: 'pages',
        value: {
          kind: 'list',
          values: [
            { kind: 'string', text: 'a' },
            { kind: 'string', text: 'b' },
          ],
        },
      },
      { name: 'level', value: { kind: 'word', text: '-1' } },
      {
        name: 'nested',
        value: {
          kind: 'message',
          entries: [
            { name: 'x', value: { kind: 'word', text: '1.5e-3' } },
            { name: 'y', value: { kind: 'word', text: 'inf' } },
          ],
        },
      },
    ],
  });
});

test('methods have their types, streams and routes', () => {
  const [service] = parseProto(cart).schema.services;
  assert.deepEqual([service?.name, service?.line], ['CartService', 16]);
  assert.deepEqual(
    service?.methods.map(one => [
      one.name,
      one.line,
      one.request,
      one.streamsRequest,
      one.response,
      one.streamsResponse,
    ]),
    [
      ['GetCart', 18, 'GetCartRequest', false, 'Cart', false],
      ['Watch', 25, '.shop.v1.GetCartRequest', true, 'stream.Cart', true],
      ['Odd', 26, 'stream', false, 'stream.Cart', false],
    ],
  );
  assert.deepEqual(
    service?.methods.map(({ routes }) => routes),
    [['GET /v1/carts/{id}', 'POST /v1/carts:get', 'HEAD /v1/carts', 'DELETE /v1/x'], [], ['PATCH /v1/odd']],
  );
});

test('fields have what makes them on the wire, in JSON and in code', () => {
  const { schema } = parseProto(cart);
  assert.deepEqual(fieldsOf(schema), {
    GetCartRequest: ['29 id=1 string singular implicit id'],
    Cart: [
      '39 items_in_cart=1 Item repeated none itemsInCart packed',
      '40 by_sku=2 string→.shop.v1.Cart.Item map none bySku',
      '43 card=5 string singular explicit card oneof payment',
      '44 cash=6 bytes singular explicit cash oneof payment',
      '46 state=7 State singular explicit state',
      '47 message=8 int64 singular implicit message',
      '48 __d_2_=9 double repeated none D2 packed',
    ],
    'Cart.Item': ['35 sku=1 string singular implicit SKU deprecated', '36 sizes=2 int32 repeated none sizes'],
  });
  const whole = schema.messages[1];
  assert.deepEqual(whole?.reserved, {
    ranges: [
      { from: 4, to: 4, line: 32 },
      { from: 10, to: 12, line: 32 },
      { from: 1000, to: 536_870_911, line: 32 },
    ],
    names: [
      { name: 'total', line: 33 },
      { name: 'sum', line: 33 },
    ],
  });
});

test('enums have their values, aliases and what is reserved', () => {
  const [state] = parseProto(cart).schema.enums;
  assert.deepEqual([state?.name, state?.line, state?.allowsAlias, state?.isClosed], ['Cart.State', 38, true, false]);
  assert.deepEqual(
    state?.values.map(({ name, number, isDeprecated }) => [name, number, isDeprecated]),
    [
      ['UNKNOWN', 0, false],
      ['OPEN', 1, false],
      ['ACTIVE', 1, true],
      ['GONE', -8, false],
    ],
  );
  assert.deepEqual(state?.reserved.ranges, [{ from: -5, to: -1, line: 38 }]);
});

/** What syntaxes and features make of the same field. */
const presences: readonly (readonly [name: string, source: string, fields: readonly string[]])[] = [
  ['proto2 where nothing says', 'message M { optional int32 a = 1; }', ['1 a=1 int32 singular explicit a']],
  ['proto2: required', 'message M { required int32 a = 1; }', ['1 a=1 int32 required explicit a']],
  ['proto2: lists', 'message M { repeated int32 a = 1; }', ['1 a=1 int32 repeated none a']],
  ['proto2: packed', 'message M { repeated int32 a = 1 [packed=true]; }', ['1 a=1 int32 repeated none a packed']],
  ['editions', 'edition = "2023"; message M { int32 a = 1; }', ['1 a=1 int32 singular explicit a']],
  [
    'a feature of the file',
    'edition = "2023"; option features.field_presence = IMPLICIT; message M { int32 a = 1; }',
    ['1 a=1 int32 singular implicit a'],
  ],
  [
    'delimited',
    'edition = "2023"; message M { M a = 1 [features.message_encoding = DELIMITED]; }',
    ['1 a=1 M singular explicit a delimited'],
  ],
  [
    'groups',
    'message M { optional group Item = 1 [deprecated = true] { optional int32 x = 1; } optional int32 b = 2; }',
    ['1 item=1 Item singular explicit item deprecated delimited', '1 b=2 int32 singular explicit b'],
  ],
  [
    'a group in a oneof',
    'message M { oneof o { group Item = 1 { optional int32 x = 1; } int32 y = 2; } }',
    ['1 item=1 Item singular explicit item oneof o delimited', '1 y=2 int32 singular explicit y oneof o'],
  ],
  [
    'a default',
    'message M { optional string a = 1 [default = "x" "\\n"]; optional float b = 2 [default = -inf]; }',
    ['1 a=1 string singular explicit a default "x\\n"', '1 b=2 float singular explicit b default -inf'],
  ],
  [
    'types called like words of the language',
    'message M { optional map a = 1; optional export b = 2; export c = 3; local message = 4; stream.Cart d = 5; }',
    [
      '1 a=1 map singular explicit a',
      '1 b=2 export singular explicit b',
      '1 c=3 export singular explicit c',
      '1 message=4 local singular explicit message',
      '1 d=5 stream.Cart singular explicit d',
    ],
  ],
];

for (const [name, source, expected] of presences) {
  test(`fields: ${name}`, () => {
    const { schema, problem } = parseProto(source);
    assert.equal(problem, undefined);
    assert.deepEqual(fieldsOf(schema)['M'], expected);
  });
}

test('features of a message hold for what lies in it, wherever they stand', () => {
  const source = `edition = "2023";
message M {
  message N { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; int32 b = 2; }
  option features = { field_presence: IMPLICIT };
}`;
  assert.deepEqual(fieldsOf(parseProto(source).schema)['M.N'], [
    '3 a=1 int32 required explicit a',
    '3 b=2 int32 singular implicit b',
  ]);
});

test('extensions, their ranges with options, and marks of edition 2024', () => {
  const { schema, problem } = parseProto(`edition = "2024";
import option "custom.proto";
export message A {
  extensions 100 to 199, 500 [declaration = { number: 100, full_name: ".x.y" }, verification = UNVERIFIED];
  local enum E { A = 0; }
  extend .x.B { repeated string names = 120 [(custom).a.(b.c) = "v"]; }
  reserved a, b;
}
extend A { int32 n = 101; }
local message C {}
`);
  assert.equal(problem, undefined);
  assert.deepEqual(
    schema.messages.map(({ name }) => name),
    ['A', 'C'],
  );
  assert.deepEqual(
    schema.enums.map(({ name, isClosed }) => [name, isClosed]),
    [['A.E', false]],
  );
  assert.deepEqual(schema.messages[0]?.extensionRanges, [
    { from: 100, to: 199, line: 4 },
    { from: 500, to: 500, line: 4 },
  ]);
  assert.deepEqual(
    schema.messages[0]?.reserved.names.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.deepEqual(
    schema.extensions.map(({ extendee, scope, name, number, line, options }) => [
      extendee,
      scope,
      name,
      number,
      line,
      options.map(option => option.name),
    ]),
    [
      ['.x.B', 'A', 'names', 120, 6, ['(custom).a.(b.c)']],
      ['A', '', 'n', 101, 9, []],
    ],
  );
});

/** Where a text is no protobuf; what stands before it is told. */
const mistakes: readonly (readonly [source: string, line: number, says: RegExp])[] = [
  [
    'syntax = "proto3";\nmessage A {}\nmessage B {\n  string a = ;\n}',
    4,
    /";" stands where a field has a whole number/,
  ],
  ['message A {}\nmessage B {\n  string a = 1\n}', 4, /"}" stands where the end of a field has ";"/],
  ['message A {}\nmessage B {', 2, /the file ends where a field has a name/],
  ['message A {}\n/* no end\n\n', 2, /a comment begins here that nothing ends: end it with \*\//],
  ['message A {}\noption a = "no end\n";', 2, /a string begins here that does not end on its line/],
  ['message A {}\noption a = "no end', 2, /a string begins here/],
  ['message A {}\n<<<<<<< HEAD', 2, /"<" stands where the file has a declaration/],
  ['message A {}\nsyntax = "proto4";', 2, /the syntax "proto4" is not known: write proto2 or proto3, or an edition/],
  ['message A {}\nrequired int32 a = 1;', 2, /"required" begins no declaration of a file: write it within a message/],
  ['message A {}\nstring a = 1;', 2, /"string" begins no declaration of a file/],
  ['message A {}\nenum E { A = 1.5; }', 2, /"1.5" stands where a value of an enum has a whole number/],
  ['message A {}\nenum E { A = 99999999999999999999; }', 2, /has a whole number/],
  ['message A {}\nmessage B { reserved 10to 12; }', 2, /"10to" stands where a range of numbers has a whole number/],
  ['message A {}\nservice S { message M {} }', 2, /"message" stands where a service has rpc or option/],
  ['message A {}\nservice S { rpc F(A) returns; }', 2, /";" stands where an rpc has "\("/],
  ['message A {}\n\u00e9', 2, /"é" stands where nothing but protobuf may/],
  ['message A {}\n\0', 2, /a control character stands where nothing but protobuf may/],
  [`message A {}\nmessage ${'x'.repeat(300)} {}`, 2, /a message has a name of 300 characters: 255 are the most/],
];

for (const [source, line, says] of mistakes) {
  test(`a mistake is told with its line, and what stands before it: ${JSON.stringify(source.slice(13, 60))}`, () => {
    const { schema, problem } = parseProto(source);
    assert.equal(problem?.line, line);
    assert.match(problem?.message ?? '', says);
    assert.equal(schema.messages[0]?.name, 'A');
  });
}

test('fields and methods before a mistake are told', () => {
  const { schema } = parseProto('service S { rpc A(X) returns (Y); rpc B(X) returns (Y) { option } } message M {}');
  assert.deepEqual(
    schema.services[0]?.methods.map(({ name }) => name),
    ['A', 'B'],
  );
});

const megabyte = 1024 * 1024;
const hostile: readonly (readonly [name: string, source: string])[] = [
  ['a megabyte of {', '{'.repeat(megabyte)],
  ['messages in messages', 'message A {'.repeat(100_000)],
  ['values in values', `option a = ${'{a:'.repeat(100_000)}`],
  ['lists in lists', `option a = ${'['.repeat(megabyte)}`],
  ['groups in groups', `message A { ${'optional group B = 1 {'.repeat(50_000)}`],
  ['a comment without an end', `/*${'/*'.repeat(megabyte / 2)}`],
  ['a string without an end', `option a = "${'\\\\'.repeat(megabyte / 2)}`],
  ['many short comments', '/**/'.repeat(megabyte / 4)],
  ['many slashes', '/'.repeat(megabyte)],
  ['one long word', 'a'.repeat(megabyte)],
  ['one long number', `option a = ${'1'.repeat(megabyte)}`],
  ['dots', `package ${'a.'.repeat(megabyte / 2)}`],
  ['underscores in a name of a field', `message M { int32 ${'_'.repeat(250)} = 1; }`.repeat(1_000)],
  ['marks of edition 2024', `message M { ${'export '.repeat(megabyte / 8)}`],
  ['strings in parts', `option a = ${'""'.repeat(megabyte / 2)};`],
];

for (const [name, source] of hostile) {
  test(`costs what its length costs, and throws nothing: ${name}`, () => {
    const start = process.cpuUsage();
    parseProto(source);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 2_000_000, `${user / 1000} ms`);
  });
}

test('names that objects have are names', () => {
  const { schema, problem } = parseProto(
    'syntax = "proto3"; option __proto__ = "x"; message __proto__ { string constructor = 1; } message toString {}',
  );
  assert.equal(problem, undefined);
  assert.deepEqual(
    schema.messages.map(({ name }) => name),
    ['__proto__', 'toString'],
  );
});

function fieldsOf(schema: ProtoSchema): Record<string, string[]> {
  return Object.fromEntries(
    schema.messages.map(({ name, fields }) => [
      name,
      fields.map(field =>
        [
          field.line,
          `${field.name}=${field.number}`,
          field.mapKey === undefined ? field.type : `${field.mapKey}→${field.type}`,
          field.cardinality,
          field.presence,
          field.jsonName,
          ...(field.isPacked ? ['packed'] : []),
          ...(field.isDeprecated ? ['deprecated'] : []),
          ...(field.oneof === undefined ? [] : ['oneof', field.oneof]),
          ...(field.isDelimited ? ['delimited'] : []),
          ...(field.default === undefined ? [] : ['default', field.default]),
        ].join(' '),
      ),
    ]),
  );
}
