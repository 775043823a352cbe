import { testRules } from './changed-protos.ts';

const declared = 'message M {} enum E { A = 0; } service S { rpc R(M) returns (M); }';

testRules([
  {
    rule: 'the file itself',
    before: { 'a.proto': 'message M {}' },
    after: { 'b.proto': 'message X {}' },
    there: ['file-deleted breaking wire+json+source a.proto'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, and what it declared is found in another',
    before: { 'a.proto': 'message M { int32 a = 1; }' },
    after: { 'b.proto': 'message M { string a = 1; }' },
    there: ['field-type-changed breaking wire+json+source p.M.a', 'file-moved breaking source a.proto'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, with the folder that its imports begin in',
    before: {
      'a.proto': `${declared} extend X { int32 e = 1; }`,
      'b.proto': 'import "a.proto"; message X { M m = 9; }',
    },
    after: {
      'api/a.proto': `${declared} extend X { int32 e = 1; }`,
      'b.proto': 'import "a.proto"; message X { M m = 9; }',
    },
    there: ['file-moved safe - a.proto'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, without a package',
    head: 'syntax = "proto3"; ',
    before: { 'a.proto': declared },
    after: { 'api/a.proto': declared },
    there: ['file-moved safe - a.proto'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, to where its imports mean another, and under another name',
    before: { 'a.proto': declared, 'b.proto': 'import "a.proto"; message X { M m = 1; }' },
    after: { 'c.proto': declared, 'b.proto': 'import "c.proto"; message X { M m = 1; }' },
    there: ['file-moved breaking source a.proto'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself into another that was there, with options of its own',
    before: { 'a.proto': `option go_package = "a"; ${declared}`, 'b.proto': 'option go_package = "b"; message X {}' },
    after: { 'b.proto': `option go_package = "b"; message X {} ${declared}` },
    there: ['file-moved breaking source a.proto', 'go-package-changed breaking source go_package'],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, into several',
    before: { 'a.proto': declared },
    after: { 'x/a.proto': 'message M {} enum E { A = 0; }', 'y/a.proto': 'service S { rpc R(M) returns (M); }' },
    there: [
      'file-moved breaking source a.proto',
      'enum-moved breaking source p.E',
      'message-moved breaking source p.M',
      'service-moved breaking source p.S',
    ],
    back: ['file-added safe - a.proto'],
  },
  {
    rule: 'the file itself, and some of what it declared is found in another',
    before: { 'a.proto': declared },
    after: { 'x/a.proto': 'message M {}' },
    there: [
      'enum-deleted breaking source p.E',
      'file-deleted breaking wire+json+source a.proto',
      'service-deleted breaking wire+json+source p.S',
      'message-moved breaking source p.M',
    ],
    back: ['file-added safe - a.proto'],
  },
]);
