import { message, testRules } from './changed-protos.ts';

testRules([
  {
    rule: 'a nested message and an enum in it lie at the top now',
    before: 'message Req { message Line { enum Kind { K0 = 0; } Kind k = 2; } repeated Line lines = 2; }',
    after:
      'enum Kind { K0 = 0; } message Line { Kind k = 2; } message Req { repeated Line lines = 2; } service S { rpc R(Req) returns (Req); }',
    there: [
      'enum-renamed breaking source p.Req.Line.Kind',
      'message-renamed breaking source p.Req.Line',
      'service-added safe - p.S',
    ],
    back: [
      'enum-renamed breaking source p.Kind',
      'message-renamed breaking source p.Line',
      'service-deleted breaking wire+json+source p.S',
    ],
  },
  {
    rule: 'what lies in a message that lies elsewhere is not told apart from it',
    before: `message Req { message Line { message Price { int32 cents = 1; } enum Kind { K0 = 0; } Kind k = 1; Price p = 2; } Line line = 1; }`,
    after: `message Req { Line line = 1; } message Line { message Price { int32 cents = 1; } enum Kind { K0 = 0; } Kind k = 1; Price p = 2; }`,
    there: ['message-renamed breaking source p.Req.Line'],
    back: ['message-renamed breaking source p.Line'],
  },
  {
    rule: 'a message lies elsewhere and has other fields',
    before: 'message Req { message Line { int32 a = 1; } Line line = 1; }',
    after: 'message Req { Line line = 1; } message Line { int32 a = 1; int32 b = 2; }',
    there: ['message-renamed breaking source p.Req.Line', 'field-added safe - p.Req.Line.b'],
    back: ['field-deleted breaking wire+json+source p.Line.b', 'message-renamed breaking source p.Line'],
  },
  {
    rule: 'a message lies less deep, and an enum in another message',
    before: 'message A { message B { message C { int32 c = 1; } enum E { E0 = 0; } C c = 1; E e = 2; } B b = 1; }',
    after:
      'message A { message C { int32 c = 1; } message B { C c = 1; X.E e = 2; } B b = 1; } message X { enum E { E0 = 0; } }',
    there: [
      'enum-renamed breaking source p.A.B.E',
      'message-renamed breaking source p.A.B.C',
      'message-added safe - p.X',
    ],
    back: [
      'enum-renamed breaking source p.X.E',
      'message-deleted breaking source p.X',
      'message-renamed breaking source p.A.C',
    ],
  },
  {
    rule: 'a message that nothing uses lies elsewhere',
    before: 'message A { message I { int32 i = 1; } }',
    after: 'message A {} message I { int32 i = 1; }',
    there: ['message-renamed breaking source p.A.I'],
    back: ['message-renamed breaking source p.I'],
  },
  {
    rule: 'a message lies elsewhere, of another package',
    head: 'syntax = "proto3"; ',
    before: 'package p; message A { message I { int32 i = 1; } message J {} I i = 1; J j = 2; }',
    after: 'package q; message A { message J {} I i = 1; J j = 2; } message I { int32 i = 1; }',
    there: ['message-renamed breaking source p.A.I', 'package-changed breaking json+source p'],
    back: ['message-renamed breaking source q.I', 'package-changed breaking json+source q'],
  },
  {
    rule: 'what lay in a message that went is not what lies in one that came',
    before: 'message A { message Item { string id = 1; } repeated Item items = 1; } message M {}',
    after: 'message B { message Item { string id = 1; } map<string, Item> by_id = 4; } message M {}',
    there: ['message-deleted breaking source p.A', 'message-added safe - p.B'],
    back: ['message-deleted breaking source p.B', 'message-added safe - p.A'],
  },
  {
    rule: 'a message that goes with its method is not one with the same field that comes with another',
    before: `${message('int32 n = 1;')} message EmptyCartRequest { string id = 1; } service S { rpc Empty(EmptyCartRequest) returns (M); }`,
    after: `${message('int32 n = 1;')} message CartView { string id = 1; } service S { rpc View(M) returns (CartView); }`,
    there: [
      'message-deleted breaking source p.EmptyCartRequest',
      'rpc-deleted breaking wire+json+source p.S.Empty',
      'message-added safe - p.CartView',
      'rpc-added safe - p.S.View',
    ],
    back: [
      'message-deleted breaking source p.CartView',
      'rpc-deleted breaking wire+json+source p.S.View',
      'message-added safe - p.EmptyCartRequest',
      'rpc-added safe - p.S.Empty',
    ],
  },
  {
    rule: 'nor with the same two',
    before: 'message A { string a = 1; string b = 2; } service S { rpc Q(A) returns (A); }',
    after: 'message B { string a = 1; string b = 2; } service S { rpc P(B) returns (stream B); }',
    there: [
      'message-deleted breaking source p.A',
      'rpc-deleted breaking wire+json+source p.S.Q',
      'message-added safe - p.B',
      'rpc-added safe - p.S.P',
    ],
    back: [
      'message-deleted breaking source p.B',
      'rpc-deleted breaking wire+json+source p.S.P',
      'message-added safe - p.A',
      'rpc-added safe - p.S.Q',
    ],
  },
  {
    rule: 'messages stand under other names where they stood, those that look alike and those without fields too',
    before:
      'message Get { string id = 1; } message Drop { string id = 1; } message Ping {} service S { rpc G(Get) returns (Ping); rpc D(Drop) returns (Ping); }',
    after:
      'message GetRequest { string id = 1; } message DropRequest { string id = 1; } message Pong {} service S { rpc G(GetRequest) returns (Pong); rpc D(DropRequest) returns (Pong); }',
    there: [
      'message-renamed breaking source p.Drop',
      'message-renamed breaking source p.Get',
      'message-renamed breaking source p.Ping',
    ],
    back: [
      'message-renamed breaking source p.DropRequest',
      'message-renamed breaking source p.GetRequest',
      'message-renamed breaking source p.Pong',
    ],
  },
  {
    rule: 'a message is renamed with what is in it and with its service',
    before: 'message A { I i = 1; } message I { E e = 1; } enum E { E0 = 0; } service S { rpc R(A) returns (A); }',
    after: 'message B { J i = 1; } message J { F e = 1; } enum F { E0 = 0; } service T { rpc R(B) returns (B); }',
    there: [
      'enum-renamed breaking source p.E',
      'message-renamed breaking source p.A',
      'message-renamed breaking source p.I',
      'service-renamed breaking wire+json+source p.S',
    ],
    back: [
      'enum-renamed breaking source p.F',
      'message-renamed breaking source p.B',
      'message-renamed breaking source p.J',
      'service-renamed breaking wire+json+source p.T',
    ],
  },
  {
    rule: 'a message is renamed that another file alone uses',
    before: { 'a.proto': 'message A { int32 a = 1; }', 'b.proto': 'import "a.proto"; message U { A a = 1; }' },
    after: { 'a.proto': 'message B { int32 a = 1; }', 'b.proto': 'import "a.proto"; message U { B a = 1; }' },
    there: ['message-renamed breaking source p.A'],
    back: ['message-renamed breaking source p.B'],
  },
  {
    rule: 'one message in the place of two is neither, and is read as both were',
    before: 'message A { int32 i = 1; } message B { int32 i = 1; } message M { A a = 1; B b = 2; }',
    after: 'message C { int32 i = 1; } message M { C a = 1; C b = 2; }',
    there: [
      'field-type-changed breaking source p.M.a',
      'field-type-changed breaking source p.M.b',
      'message-deleted breaking source p.A',
      'message-deleted breaking source p.B',
      'message-added safe - p.C',
    ],
    back: [
      'field-type-changed breaking source p.M.a',
      'field-type-changed breaking source p.M.b',
      'message-deleted breaking source p.C',
      'message-added safe - p.A',
      'message-added safe - p.B',
    ],
  },
  {
    rule: 'what nothing uses is renamed where two fields tell',
    before: 'message OrderPlaced { string id = 1; int64 at = 2; } message Gone { string id = 1; }',
    after: 'message OrderCreated { string id = 1; int64 at = 2; } message Came { string id = 1; }',
    there: [
      'message-deleted breaking source p.Gone',
      'message-renamed breaking source p.OrderPlaced',
      'message-added safe - p.Came',
    ],
    back: [
      'message-deleted breaking source p.Came',
      'message-renamed breaking source p.OrderCreated',
      'message-added safe - p.Gone',
    ],
  },
]);
