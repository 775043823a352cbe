import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observedName } from '../../../../daemon/analysis/usage/observed-name.ts';

/** Name, namespace; what a definition would be called, and what leads to it. */
const cases: readonly (readonly [name: string, namespace: string, bare: string, qualifier: string])[] = [
  ['add', '', 'add', ''],
  ['add', 'Cart', 'add', 'Cart'],
  ['Cart.add', '', 'add', 'Cart'],
  ['Cart.add', 'Cart', 'add', 'Cart'],
  ['com.acme.shop.Cart.add', '', 'add', 'com acme shop Cart'],
  ['add', 'com.acme.shop.Cart', 'add', 'com acme shop Cart'],
  ['com.acme.Cart.lambda$total$0', '', 'total', 'com acme Cart'],
  ['com.acme.Cart.<init>', '', 'Cart', 'com acme Cart'],
  ['github.com/acme/shop/cart.(*Server).AddItem', '', 'AddItem', 'github com acme shop cart Server'],
  ['github.com/acme/shop/cart.New.func1', '', 'New', 'github com acme shop cart'],
  ['main.handler.func2.1', '', 'handler', 'main'],
  ['github.com/acme/x.Map[...]', '', 'Map', 'github com acme x'],
  ['shop.cart.Cart.add', '', 'add', 'shop cart Cart'],
  ['outer.<locals>.inner', 'shop.cart', 'inner', 'shop cart outer'],
  ['shop::cart::Cart::add', '', 'add', 'shop cart Cart'],
  ['ns::Class::method(int, const char*) const', '', 'method', 'ns Class'],
  ['Cart#add', 'Shop', 'add', 'Shop Cart'],
  ['App\\Shop\\Cart::add', '', 'add', 'App Shop Cart'],
  ['Shop.Cart+<AddAsync>d__5.MoveNext', '', 'AddAsync', 'Shop Cart'],
  ['async loadAll', '', 'loadAll', ''],
  ['Object.<anonymous>', '', '', ''],
  ['<anonymous>', 'Cart', '', ''],
  ['(anonymous)', '', '', ''],
  ['', 'Cart', '', ''],
  ['<lambda>', '', '', ''],
];

for (const [name, namespace, bare, qualifier] of cases) {
  test(`${name || 'nothing'}${namespace === '' ? '' : ` in ${namespace}`}`, () => {
    const found = observedName(name, namespace);
    assert.deepEqual([found?.name ?? '', found?.qualifier.join(' ') ?? ''], [bare, qualifier]);
  });
}

test('no name takes long, whatever it looks like', () => {
  for (const part of ['(', '<', '.func1', '$', '[', ' ', '::', '\\', '.<locals>', 'a(']) {
    const startedAt = process.cpuUsage();
    observedName(part.repeat(1024), part.repeat(1024));
    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 1_000_000, part);
  }
});
