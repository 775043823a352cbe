import { message, proto2, testRules } from './changed-protos.ts';

testRules([
  {
    rule: 'a field goes, and comes',
    before: message('string a = 1; int32 b = 2;'),
    after: message('string a = 1;'),
    there: ['field-deleted breaking wire+json+source p.M.b'],
    back: ['field-added safe - p.M.b'],
  },
  {
    rule: 'a field goes, its number and its name reserved',
    before: message('string a = 1; int32 b = 2;'),
    after: message('string a = 1; reserved 2; reserved "b";'),
    there: ['field-deleted breaking source p.M.b'],
    back: [
      'reserved-field-used breaking wire+json p.M.b',
      'reserved-name-removed risky json p.M reserved b',
      'reserved-range-removed risky wire p.M reserved 2',
      'field-added safe - p.M.b',
    ],
  },
  {
    rule: 'its number alone is reserved',
    before: message('string a = 1; int32 b = 2;'),
    after: message('string a = 1; reserved 2 to 5;'),
    there: ['field-deleted breaking json+source p.M.b'],
    back: [
      'reserved-field-used breaking wire+json p.M.b',
      'reserved-range-removed risky wire p.M reserved 2 to 5',
      'field-added safe - p.M.b',
    ],
  },
  {
    rule: 'reserved ranges are cut otherwise',
    before: message('reserved 2 to 5, 6;'),
    after: message('reserved 2, 3 to 6;'),
    there: [],
    back: [],
  },
  {
    rule: 'some of what is reserved is freed',
    before: message('reserved 5 to 10, 20 to 30, 40 to max;'),
    after: message('reserved 5 to 9, 19 to 21, 24 to 26, 30, 41 to 100;'),
    there: [
      'reserved-range-removed risky wire p.M reserved 10',
      'reserved-range-removed risky wire p.M reserved 101 to 536870911',
      'reserved-range-removed risky wire p.M reserved 22 to 23',
      'reserved-range-removed risky wire p.M reserved 27 to 29',
      'reserved-range-removed risky wire p.M reserved 40',
    ],
    back: ['reserved-range-removed risky wire p.M reserved 19'],
  },
  {
    rule: 'a field is renamed',
    before: message('string a = 1;'),
    after: message('string b = 1;'),
    there: ['field-renamed breaking json+source p.M.a'],
    back: ['field-renamed breaking json+source p.M.b'],
  },
  {
    rule: 'a field is renamed and keeps its name in JSON',
    before: message('string a = 1;'),
    after: message('string b = 1 [json_name = "a"];'),
    there: ['field-renamed breaking source p.M.a'],
    back: ['field-renamed breaking source p.M.b'],
  },
  {
    rule: 'another field takes the number',
    before: message('string a = 1;'),
    after: message('M b = 1;'),
    there: ['field-number-reused breaking wire+json+source p.M.a'],
    back: ['field-number-reused breaking wire+json+source p.M.b'],
  },
  {
    rule: 'a field gets another number',
    before: message('string a = 1;'),
    after: message('string a = 2;'),
    there: ['field-number-changed breaking wire p.M.a'],
    back: ['field-number-changed breaking wire p.M.a'],
  },
  {
    rule: 'two fields swap their numbers',
    before: message('string a = 1; string b = 2;'),
    after: message('string a = 2; string b = 1;'),
    there: ['field-number-changed breaking wire p.M.a', 'field-number-changed breaking wire p.M.b'],
    back: ['field-number-changed breaking wire p.M.a', 'field-number-changed breaking wire p.M.b'],
  },
  {
    rule: 'a new field takes the number of one that moved',
    before: message('string a = 1;'),
    after: message('string a = 2; string b = 1;'),
    there: ['field-number-changed breaking wire p.M.a', 'field-number-reused breaking wire p.M.b'],
    back: ['field-deleted breaking wire+json+source p.M.b', 'field-number-changed breaking wire p.M.a'],
  },
  {
    rule: 'types of one group on the wire, of one in JSON',
    before: message('int32 a = 1; fixed64 b = 2; sint32 c = 3;'),
    after: message('uint32 a = 1; sfixed64 b = 2; sint64 c = 3;'),
    there: [
      'field-type-changed breaking json+source p.M.c',
      'field-type-changed breaking source p.M.a',
      'field-type-changed breaking source p.M.b',
    ],
    back: [
      'field-type-changed breaking json+source p.M.c',
      'field-type-changed breaking source p.M.a',
      'field-type-changed breaking source p.M.b',
    ],
  },
  {
    rule: 'strings can be read as bytes, bytes not as strings',
    before: message('string a = 1;'),
    after: message('bytes a = 1;'),
    there: ['field-type-changed breaking json+source p.M.a'],
    back: ['field-type-changed breaking wire+json+source p.M.a'],
  },
  {
    rule: 'enums are numbers on the wire',
    before: `enum E { A = 0; } ${message('E a = 1;')}`,
    after: `enum E { A = 0; } ${message('int32 a = 1;')}`,
    there: ['field-type-changed breaking json+source p.M.a'],
    back: ['field-type-changed breaking json+source p.M.a'],
  },
  {
    rule: 'the same type written otherwise, its scope closer or farther',
    before: `message X {} ${message('X a = 1; .other.Y b = 2;')}`,
    after: `message X {} ${message('.p.X a = 1; other.Y b = 2;')}`,
    there: [],
    back: [],
  },
  {
    rule: 'the keys and the values of maps',
    before: message('map<int32, string> a = 1; map<string, int32> b = 2;'),
    after: message('map<int64, string> a = 1; map<string, string> b = 2;'),
    there: ['field-type-changed breaking source p.M.a', 'field-type-changed breaking wire+json+source p.M.b'],
    back: ['field-type-changed breaking source p.M.a', 'field-type-changed breaking wire+json+source p.M.b'],
  },
  {
    rule: 'a map, and the list of its entries',
    before: message('map<string, X> a = 1; message X {} message F { string key = 1; X value = 2; }'),
    after: message('repeated F a = 1; message X {} message F { string key = 1; X value = 2; }'),
    there: ['field-cardinality-changed breaking json+source p.M.a'],
    back: ['field-cardinality-changed breaking json+source p.M.a'],
  },
  {
    rule: 'a map, and a list of entries of other types, or with more in them',
    before: message(
      'map<string, string> a = 1; map<string, string> b = 2; message A { string key = 1; int32 value = 2; } message B { string key = 1; string value = 2; bool x = 3; }',
    ),
    after: message(
      'repeated A a = 1; repeated B b = 2; message A { string key = 1; int32 value = 2; } message B { string key = 1; string value = 2; bool x = 3; }',
    ),
    there: [
      'field-cardinality-changed breaking wire+json+source p.M.a',
      'field-cardinality-changed breaking wire+json+source p.M.b',
      'field-type-changed breaking wire+json+source p.M.a',
      'field-type-changed breaking wire+json+source p.M.b',
    ],
    back: [
      'field-cardinality-changed breaking wire+json+source p.M.a',
      'field-cardinality-changed breaking wire+json+source p.M.b',
      'field-type-changed breaking wire+json+source p.M.a',
      'field-type-changed breaking wire+json+source p.M.b',
    ],
  },
  {
    rule: 'lists of numbers are packed, lists of strings are not',
    before: message('int32 a = 1; string b = 2;'),
    after: message('repeated int32 a = 1; repeated string b = 2;'),
    there: [
      'field-cardinality-changed breaking json+source p.M.b',
      'field-cardinality-changed breaking wire+json+source p.M.a',
    ],
    back: [
      'field-cardinality-changed breaking json+source p.M.b',
      'field-cardinality-changed breaking wire+json+source p.M.a',
    ],
  },
  {
    rule: 'whether a field is set',
    before: message('int32 a = 1; M b = 2;'),
    after: message('optional int32 a = 1; optional M b = 2;'),
    there: ['field-presence-changed breaking source p.M.a'],
    back: ['field-presence-changed breaking source p.M.a'],
  },
  {
    rule: 'packed or not can be read either way',
    before: message('repeated int32 a = 1;'),
    after: message('repeated int32 a = 1 [packed = false];'),
    there: [],
    back: [],
  },
  {
    rule: 'a name in JSON',
    before: message('string a_b = 1;'),
    after: message('string a_b = 1 [json_name = "AB"];'),
    there: ['field-json-name-changed breaking json p.M.a_b'],
    back: ['field-json-name-changed breaking json p.M.a_b'],
  },
  {
    rule: 'the name in JSON that protoc makes, written out',
    before: message('string a_b = 1;'),
    after: message('string a_b = 1 [json_name = "aB"];'),
    there: [],
    back: [],
  },
  {
    rule: 'a field goes into a oneof of its own',
    before: message('M a = 1;'),
    after: message('oneof o { M a = 1; }'),
    there: ['field-oneof-changed breaking source p.M.a'],
    back: ['field-oneof-changed breaking source p.M.a', 'oneof-deleted breaking source p.M.o'],
  },
  {
    rule: 'a field goes into a oneof beside others',
    before: message('M a = 1; oneof o { M b = 2; }'),
    after: message('oneof o { M a = 1; M b = 2; }'),
    there: ['field-oneof-changed breaking wire+json+source p.M.a'],
    back: ['field-oneof-changed breaking wire+json+source p.M.a'],
  },
  {
    rule: 'a oneof is renamed',
    before: message('oneof o { M a = 1; M b = 2; }'),
    after: message('oneof x { M a = 1; M b = 2; }'),
    there: ['oneof-renamed breaking source p.M.o'],
    back: ['oneof-renamed breaking source p.M.x'],
  },
  {
    rule: 'required',
    head: proto2,
    before: message('optional int32 a = 1;'),
    after: message('required int32 a = 1;'),
    there: ['field-became-required breaking wire+json p.M.a'],
    back: ['field-became-optional breaking wire+json p.M.a'],
  },
  {
    rule: 'a required field comes, and goes',
    head: proto2,
    before: message('reserved 1; reserved "a";'),
    after: message('required int32 a = 1; reserved 2;'),
    there: [
      'required-field-added breaking wire+json p.M.a',
      'reserved-field-used breaking wire+json p.M.a',
      'reserved-name-removed risky json p.M reserved a',
      'reserved-range-removed risky wire p.M reserved 1',
    ],
    back: ['field-deleted breaking wire+json+source p.M.a', 'reserved-range-removed risky wire p.M reserved 2'],
  },
  {
    rule: 'a default',
    head: proto2,
    before: message('optional int32 a = 1 [default = 1];'),
    after: message('optional int32 a = 1 [default = 2];'),
    there: ['field-default-changed risky wire+json p.M.a'],
    back: ['field-default-changed risky wire+json p.M.a'],
  },
  {
    rule: 'a default that is written in another way',
    head: `${proto2} enum E { option allow_alias = true; A = 3; B = 4; C = 4; } `,
    before: message(
      `optional int32 a = 1 [default = 16]; optional sint64 b = 2 [default = -0x10]; optional double c = 3 [default = 1.0];
       optional float d = 4 [default = 0.1]; optional string e = 5 [default = 'aä']; optional bytes f = 6 [default = "\\377\\101"];
       optional E g = 7 [default = B]; optional bool h = 8 [default = true]; optional double i = 9 [default = -inf];
       optional uint64 j = 10 [default = 18446744073709551615]; optional float k = 11 [default = 1e3];`,
    ),
    after: message(
      `optional int32 a = 1 [default = 0x10]; optional sint64 b = 2 [default = -020]; optional double c = 3 [default = 1];
       optional float d = 4 [default = 1.0e-1]; optional string e = 5 [default = "a" "ä"]; optional bytes f = 6 [default = "\\xffA"];
       optional E g = 7 [default = C]; optional bool h = 8 [default = true]; optional double i = 9 [default = - inf];
       optional uint64 j = 10 [default = 0xFFFFFFFFFFFFFFFF]; optional float k = 11 [default = 1000.0];`,
    ),
    there: [],
    back: [],
  },
  {
    rule: 'a default of a string, its bytes as escapes',
    head: proto2,
    before: message('optional string a = 1 [default = "\\xc3\\xa4\\n"];'),
    after: message("optional string a = 1 [default = 'ä\\012'];"),
    there: [],
    back: [],
  },
  {
    rule: 'a default that the type has anyway',
    head: `${proto2} enum E { A = 3; B = 4; } `,
    before: message(
      `optional int32 a = 1; optional string b = 2; optional bytes c = 3; optional bool d = 4; optional float e = 5;
       optional E f = 6; required int64 g = 7; oneof o { uint32 h = 8; }`,
    ),
    after: message(
      `optional int32 a = 1 [default = 0]; optional string b = 2 [default = ""]; optional bytes c = 3 [default = '']; optional bool d = 4 [default = false];
       optional float e = 5 [default = 0.0]; optional E f = 6 [default = A]; required int64 g = 7 [default = 0x0]; oneof o { uint32 h = 8 [default = 0]; }`,
    ),
    there: [],
    back: [],
  },
  {
    rule: 'a default that the type has not',
    head: `${proto2} enum E { A = 3; B = 4; } `,
    before: message(
      'optional int32 a = 1; optional string b = 2; optional bool c = 3; optional float d = 4; optional E e = 5; optional Elsewhere f = 6; optional double g = 7 [default = 0.1];',
    ),
    after: message(
      'optional int32 a = 1 [default = 1]; optional string b = 2 [default = "0"]; optional bool c = 3 [default = true]; optional float d = 4 [default = nan]; optional E e = 5 [default = B]; optional Elsewhere f = 6 [default = X]; optional double g = 7 [default = 0.10000001];',
    ),
    there: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `field-default-changed risky wire+json p.M.${name}`),
    back: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `field-default-changed risky wire+json p.M.${name}`),
  },
  {
    rule: 'groups and messages',
    head: proto2,
    before: 'message M { optional group G = 1 { optional int32 x = 1; } }',
    after: 'message M { message G { optional int32 x = 1; } optional G g = 1; }',
    there: ['field-type-changed breaking wire+source p.M.g'],
    back: ['field-type-changed breaking wire+source p.M.g'],
  },
  {
    rule: 'the type of a number in JavaScript',
    before: message('int64 a = 1;'),
    after: message('int64 a = 1 [jstype = JS_STRING];'),
    there: ['field-jstype-changed breaking source p.M.a'],
    back: ['field-jstype-changed breaking source p.M.a'],
  },
]);
