import { message, proto2, testRules } from './changed-protos.ts';

testRules([
  {
    rule: 'values of an enum',
    before: 'enum E { A = 0; B = 1; }',
    after: 'enum E { A = 0; }',
    there: ['enum-value-deleted breaking wire+json+source p.E.B'],
    back: ['enum-value-added safe - p.E.B'],
  },
  {
    rule: 'values of a closed enum',
    head: proto2,
    before: 'enum E { A = 0; B = 1; }',
    after: 'enum E { A = 0; reserved 1; reserved "B"; }',
    there: ['enum-value-deleted breaking source p.E.B'],
    back: [
      'reserved-enum-value-used breaking wire+json p.E.B',
      'reserved-name-removed risky json p.E reserved B',
      'reserved-range-removed risky wire p.E reserved 1',
    ],
  },
  {
    rule: 'a new value of a closed enum',
    head: proto2,
    before: 'enum E { A = 0; }',
    after: 'enum E { A = 0; B = 1; }',
    there: ['enum-value-added risky wire+json p.E.B'],
    back: ['enum-value-deleted breaking wire+json+source p.E.B'],
  },
  {
    rule: 'the name and the number of a value',
    before: 'enum E { A = 0; B = 1; C = 2; }',
    after: 'enum E { A = 0; X = 1; C = 3; }',
    there: ['enum-value-number-changed breaking wire p.E.C', 'enum-value-renamed breaking json+source p.E.B'],
    back: ['enum-value-number-changed breaking wire p.E.C', 'enum-value-renamed breaking json+source p.E.X'],
  },
  {
    rule: 'an alias',
    before: 'enum E { option allow_alias = true; A = 0; B = 0; }',
    after: 'enum E { A = 0; }',
    there: ['enum-value-deleted breaking json+source p.E.B'],
    back: ['enum-value-added safe - p.E.B'],
  },
  {
    rule: 'what stands for nothing',
    head: proto2,
    before: 'enum E { A = 0; B = 1; }',
    after: 'enum E { B = 1; A = 0; }',
    there: ['enum-zero-value-changed breaking wire+json p.E.A'],
    back: ['enum-zero-value-changed breaking wire+json p.E.B'],
  },
  {
    rule: 'an enum is closed',
    head: 'edition = "2023"; package p; ',
    before: 'enum E { A = 0; }',
    after: 'enum E { option features.enum_type = CLOSED; A = 0; }',
    there: ['enum-type-changed breaking wire+json+source p.E'],
    back: ['enum-type-changed breaking source p.E'],
  },
  {
    rule: 'an enum is closed with all that its file declares',
    head: 'edition = "2023"; package p; ',
    before: 'enum E { A = 0; } message M { enum F { B = 0; } }',
    after: 'option features.enum_type = CLOSED; enum E { A = 0; } message M { enum F { B = 0; } }',
    there: ['enum-type-changed breaking wire+json+source p.E', 'enum-type-changed breaking wire+json+source p.M.F'],
    back: ['enum-type-changed breaking source p.E', 'enum-type-changed breaking source p.M.F'],
  },
  {
    rule: 'an enum is closed by its syntax',
    head: '',
    before: 'syntax = "proto3"; package p; enum E { A = 0; }',
    after: 'syntax = "proto2"; package p; enum E { A = 0; }',
    there: [
      'enum-type-changed breaking wire+json+source p.E',
      'enum-json-format-changed risky json p.E',
      'syntax-changed risky source a.proto',
    ],
    back: [
      'enum-type-changed breaking source p.E',
      'syntax-changed risky source a.proto',
      'enum-json-format-changed safe - p.E',
    ],
  },
  {
    rule: 'whether JSON is held to be readable, of one and of all in the file',
    head: 'edition = "2023"; package p; ',
    before: 'message M {} enum E { A = 0; }',
    after:
      'option features.json_format = LEGACY_BEST_EFFORT; message M {} enum E { A = 0; option features.json_format = ALLOW; }',
    there: ['message-json-format-changed risky json p.M'],
    back: ['message-json-format-changed safe - p.M'],
  },
  {
    rule: 'whether strings are held to UTF-8, of one and of all in the file',
    head: 'edition = "2023"; package p; ',
    before: message(
      'string a = 1; bytes b = 2; map<string, int32> c = 3; map<int32, string> d = 4; string e = 5; repeated string f = 6;',
    ),
    after: `option features.utf8_validation = NONE; ${message(
      'string a = 1; bytes b = 2; map<string, int32> c = 3; map<int32, string> d = 4; string e = 5 [features.utf8_validation = VERIFY]; repeated string f = 6;',
    )}`,
    there: ['a', 'c', 'd', 'f'].map(name => `field-utf8-validation-changed risky wire p.M.${name}`),
    back: ['a', 'c', 'd', 'f'].map(name => `field-utf8-validation-changed risky wire p.M.${name}`),
  },
]);
