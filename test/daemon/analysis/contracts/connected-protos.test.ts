import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectedProtos } from '../../../../daemon/analysis/contracts/breaking/proto/connected.ts';
import { parseTree } from '../../../support/repository.ts';

const repository = `
-- api/cart.proto --
syntax = "proto3"; package shop.cart;
import public "common/money.proto";
message Cart { shop.Money total = 1; }
-- third/common/money.proto --
package shop; import "units.proto";
-- third/units.proto --
package shop.units;
-- other/units.proto --
package other;
-- api/orders.proto --
package shop.orders; import 'cart.proto'; import "ships.proto";
-- api/ships.proto --
package shop.ships;
-- web/pages.proto --
package web; import weak "api/orders.proto"; // import "unrelated.proto";
-- cart/peer.proto --
  package   shop.cart ;
import "peer_only.proto";
-- peer_only.proto --
package x;
-- unrelated.proto --
package shop.carts;
-- unrelated_too.proto --
import "third/none.proto"; import "ünits.proto";
-- ünits.proto --
package y;
`;

const files = new Map([...parseTree(repository)].map(([path, text]) => [path, new TextEncoder().encode(text)]));

test('who imports a contract, who is of its package, and what all of these import', () => {
  assert.deepEqual([...connectedProtos('api/cart.proto', [files])].sort(), [
    ...['api/cart.proto', 'api/orders.proto', 'api/ships.proto', 'cart/peer.proto', 'other/units.proto'],
    ...['peer_only.proto', 'third/common/money.proto', 'third/units.proto', 'unrelated.proto', 'web/pages.proto'],
  ]);
});

test('what one revision connects is looked at in both; a file that is gone is known by its package', () => {
  const after = new Map(files);
  after.delete('api/cart.proto');
  after.delete('cart/peer.proto');
  after.set('moved/cart.proto', files.get('api/cart.proto')!);
  const both = connectedProtos('api/cart.proto', [files, after]);
  for (const path of ['api/orders.proto', 'moved/cart.proto', 'peer_only.proto'])
    assert.equal(both.has(path), true, path);
  assert.deepEqual([...connectedProtos('api/cart.proto', [new Map(), new Map()])], ['api/cart.proto']);
});

test('names are read as they are written', () => {
  assert.deepEqual([...connectedProtos('ünits.proto', [files])].sort(), ['unrelated_too.proto', 'ünits.proto']);
});
