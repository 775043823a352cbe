import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, message, proto2, testRules } from './changed-protos.ts';

const twins = `message A { message X { Y y = 1; X self = 2; E e = 3; } message Y { int32 deep = 1; } enum E { E0 = 0; } }
  message B { message X { Y y = 1; X self = 2; E e = 3; } message Y { int32 deep = 1; } enum E { E0 = 0; } }`;
const sorts = `message X { optional int32 a = 1; optional int32 b = 2; } message O { oneof o { int32 a = 1; int32 b = 2; } }
  message Q { oneof q { int32 a = 1; int32 b = 2; } } message L { repeated int32 a = 1; optional int32 b = 2; }
  message R { required int32 a = 1; optional int32 b = 2; }
  message E { optional int32 a = 1; optional int32 b = 2; extensions 9; }`;

testRules([
  {
    rule: 'an enum in the place of another: names are in JSON, numbers in bytes',
    before: `enum A { A0 = 0; A1 = 1; } enum B { B0 = 0; B1 = 1; } ${message('A a = 1;')}`,
    after: `enum A { A0 = 0; A1 = 1; } enum B { B0 = 0; B1 = 1; } ${message('B a = 1;')}`,
    there: ['field-type-changed breaking json+source p.M.a'],
    back: ['field-type-changed breaking json+source p.M.a'],
  },
  {
    rule: 'an enum in the place of another that has its values, and more',
    before: `message X { enum A { A0 = 0; A1 = 1; } enum B { A0 = 0; A1 = 1; } enum C { A0 = 0; A1 = 1; A2 = 2; } } ${message('X.A a = 1; X.A b = 2; X.A c = 3;')}`,
    after: `message X { enum A { A0 = 0; A1 = 1; } enum B { A0 = 0; A1 = 1; } enum C { A0 = 0; A1 = 1; A2 = 2; } } ${message('X.A a = 1; X.B b = 2; X.C c = 3;')}`,
    there: ['field-type-changed breaking source p.M.b', 'field-type-changed breaking source p.M.c'],
    back: ['field-type-changed breaking json+source p.M.c', 'field-type-changed breaking source p.M.b'],
  },
  {
    rule: 'a closed enum in the place of an open one, or of one with more values',
    head: 'edition = "2023"; package p; ',
    before: `message X { enum A { A0 = 0; } } message Y { option features.enum_type = CLOSED; enum A { A0 = 0; } enum B { A0 = 0; A1 = 1; } } ${message('X.A a = 1; Y.B b = 2;')}`,
    after: `message X { enum A { A0 = 0; } } message Y { option features.enum_type = CLOSED; enum A { A0 = 0; } enum B { A0 = 0; A1 = 1; } } ${message('Y.A a = 1; Y.A b = 2;')}`,
    there: ['field-type-changed breaking wire+json+source p.M.a', 'field-type-changed breaking wire+json+source p.M.b'],
    back: ['field-type-changed breaking source p.M.a', 'field-type-changed breaking source p.M.b'],
  },
  {
    rule: 'a message in the place of another',
    before: `message X { int32 x = 1; } message Y { int32 y = 1; } ${message('X a = 1;')}`,
    after: `message X { int32 x = 1; } message Y { int32 y = 1; } ${message('Y a = 1;')}`,
    there: ['field-type-changed breaking json+source p.M.a'],
    back: ['field-type-changed breaking json+source p.M.a'],
  },
  {
    rule: 'a message in the place of another with other fields',
    before: `message X { int32 x = 1; } message Y { string x = 1; } message Z { int32 x = 1; int32 y = 2; } ${message('X a = 1; X b = 2;')}`,
    after: `message X { int32 x = 1; } message Y { string x = 1; } message Z { int32 x = 1; int32 y = 2; } ${message('Y a = 1; Z b = 2;')}`,
    there: ['field-type-changed breaking wire+json+source p.M.a', 'field-type-changed breaking wire+json+source p.M.b'],
    back: ['field-type-changed breaking wire+json+source p.M.a', 'field-type-changed breaking wire+json+source p.M.b'],
  },
  {
    rule: 'a message in the place of another that has the same in it, itself too',
    before: `${twins} ${message('A.X a = 1; repeated A.X b = 2; map<string, A.X> c = 3;')}`,
    after: `${twins} ${message('B.X a = 1; repeated B.X b = 2; map<string, B.X> c = 3;')}`,
    there: ['a', 'b', 'c'].map(name => `field-type-changed breaking source p.M.${name}`),
    back: ['a', 'b', 'c'].map(name => `field-type-changed breaking source p.M.${name}`),
  },
  {
    rule: 'a message in the place of another that has another in it',
    before: `${twins.replace('int32 deep', 'string deep')} ${message('A.X a = 1;')}`,
    after: `${twins.replace('int32 deep', 'string deep')} ${message('B.X a = 1;')}`,
    there: ['field-type-changed breaking wire+json+source p.M.a'],
    back: ['field-type-changed breaking wire+json+source p.M.a'],
  },
  {
    rule: 'a message in the place of another whose names deep in it differ',
    before: `${twins.replace('int32 deep', 'int32 low')} ${message('A.X a = 1; A.Y b = 2;')}`,
    after: `${twins.replace('int32 deep', 'int32 low')} ${message('B.X a = 1; B.Y b = 2;')}`,
    there: ['field-type-changed breaking json+source p.M.a', 'field-type-changed breaking json+source p.M.b'],
    back: ['field-type-changed breaking json+source p.M.a', 'field-type-changed breaking json+source p.M.b'],
  },
  {
    rule: 'a message in the place of another whose fields clear each other, are listed, are required, may have more',
    head: `${proto2} ${sorts}`,
    before: message('optional X a = 1; optional X b = 2; optional X c = 3; optional X d = 4; optional O e = 5;'),
    after: message('optional O a = 1; optional L b = 2; optional R c = 3; optional E d = 4; optional Q e = 5;'),
    there: [
      ...['a', 'b', 'c', 'd'].map(name => `field-type-changed breaking wire+json+source p.M.${name}`),
      'field-type-changed breaking source p.M.e',
    ],
    back: [
      ...['a', 'b', 'c', 'd'].map(name => `field-type-changed breaking wire+json+source p.M.${name}`),
      'field-type-changed breaking source p.M.e',
    ],
  },
  {
    rule: 'a message in the place of one that JSON has another form for',
    head: 'syntax = "proto3"; ',
    before: {
      'a.proto': 'package p; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp a = 1; }',
      'google/protobuf/timestamp.proto': `package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; }`,
    },
    after: {
      'a.proto': 'package p; message T { int64 seconds = 1; int32 nanos = 2; } message M { T a = 1; }',
      'google/protobuf/timestamp.proto': `package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; }`,
    },
    there: ['field-type-changed breaking json+source p.M.a', 'message-added safe - p.T'],
    back: ['field-type-changed breaking json+source p.M.a', 'message-deleted breaking source p.T'],
  },
  {
    rule: 'a message in the place of another at another number’s name',
    before: `message X { int32 x = 1; } message Y { int32 x = 1; } ${message('X a = 1;')}`,
    after: `message X { int32 x = 1; } message Y { int32 x = 1; } ${message('Y b = 1;')}`,
    there: ['field-renamed breaking json+source p.M.a', 'field-type-changed breaking source p.M.a'],
    back: ['field-renamed breaking json+source p.M.b', 'field-type-changed breaking source p.M.b'],
  },
  {
    rule: 'the package of a file and of those that it imports',
    head: 'syntax = "proto3"; ',
    before: {
      'a.proto': `package shop; import "money.proto"; message Cart { Money total = 1; map<string, Currency> m = 2; } service S { rpc R(Money) returns (Cart); }`,
      'money.proto': 'package shop; message Money { int64 units = 1; Currency in = 2; } enum Currency { NONE = 0; }',
    },
    after: {
      'a.proto': `package shop.v2; import "v2/money.proto"; message Cart { Money total = 1; map<string, Currency> m = 2; } service S { rpc R(Money) returns (Cart); }`,
      'v2/money.proto':
        'package shop.v2; message Money { int64 units = 1; Currency in = 2; } enum Currency { NONE = 0; }',
    },
    there: ['package-changed breaking wire+json+source shop'],
    back: ['package-changed breaking wire+json+source shop.v2'],
  },
  {
    rule: 'the package, a message under another name in it, and one of its former name in another file',
    head: 'syntax = "proto3"; ',
    before: { 'a.proto': 'package p; message M { A a = 1; } message A { int32 a = 1; }' },
    after: {
      'a.proto': 'package q; message M { B a = 1; } message B { int32 a = 1; }',
      'b.proto': 'package q; message A { int32 a = 1; }',
    },
    there: ['message-renamed breaking source p.A', 'package-changed breaking json+source p'],
    back: ['message-renamed breaking source q.B', 'package-changed breaking json+source q'],
  },
  {
    rule: 'the package of a file and of one that it imports, and what changes in that',
    head: 'syntax = "proto3"; ',
    before: {
      'a.proto': `package shop; import "money.proto"; message Cart { Money total = 1; } extend Money { int32 e = 9; }`,
      'money.proto': 'package shop; message Money { int64 units = 1; }',
    },
    after: {
      'a.proto': `package shop.v2; import "money.proto"; message Cart { Money total = 1; } extend Money { int32 e = 9; }`,
      'money.proto': 'package shop.v2; message Money { string units = 1; }',
    },
    there: [
      'field-type-changed breaking wire+json+source shop.Money.units',
      'package-changed breaking json+source shop',
    ],
    back: [
      'field-type-changed breaking wire+json+source shop.v2.Money.units',
      'package-changed breaking json+source shop.v2',
    ],
  },
  {
    rule: 'the package of an imported file alone',
    head: 'syntax = "proto3"; ',
    before: {
      'a.proto': 'package shop; import "money.proto"; message Cart { money.Money total = 1; }',
      'money.proto': 'package money; message Money { int64 units = 1; }',
    },
    after: {
      'a.proto': 'package shop; import "money.proto"; message Cart { money.v2.Money total = 1; }',
      'money.proto': 'package money.v2; message Money { int64 units = 1; }',
    },
    there: ['field-type-changed breaking source shop.Cart.total'],
    back: ['field-type-changed breaking source shop.Cart.total'],
  },
  {
    rule: 'a new package beside the former one, which keeps its types',
    head: 'syntax = "proto3"; ',
    before: {
      'a.proto': 'package shop; import "money.proto"; message Cart { Money total = 1; }',
      'money.proto': 'package shop; message Money { int64 units = 1; }',
    },
    after: {
      'a.proto': 'package shop.v2; import "v2/money.proto"; message Cart { Money total = 1; }',
      'money.proto': 'package shop; message Money { int64 units = 1; }',
      'v2/money.proto': 'package shop.v2; message Money { int64 units = 1; string currency = 2; }',
    },
    there: [
      'field-type-changed breaking wire+json+source shop.Cart.total',
      'package-changed breaking json+source shop',
    ],
    back: [
      'field-type-changed breaking wire+json+source shop.v2.Cart.total',
      'package-changed breaking json+source shop.v2',
    ],
  },
]);

const many = Array.from({ length: 10_000 }, (_, at) => at);
const chains = many
  .map(at => `message X${at} { X${at + 1} a = 1; int32 x = 2; } message Y${at} { Y${at + 1} a = 1; int32 x = 2; }`)
  .join('');

for (const [name, before, after] of [
  [
    'at once',
    message(`${many.map(at => `X${at} a${at} = ${at + 1};`).join('')}`),
    message(`${many.map(at => `Y${at} a${at} = ${at + 1};`).join('')}`),
  ],
  [
    'of one',
    message(`${many.map(at => `X0 a${at} = ${at + 1};`).join('')}`),
    message(`${many.map(at => `Y${at} a${at} = ${at + 1};`).join('')}`),
  ],
] as const) {
  test(`costs what its length costs: messages in the place of others, ${name}`, () => {
    const start = process.cpuUsage();
    changesOf(chains + before, chains + after);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 4_000_000, `${user / 1000} ms`);
  });
}
