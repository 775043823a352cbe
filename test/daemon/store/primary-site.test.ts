import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HandMade } from '../../support/synthetic.ts';
import { hashOf, indexUnderTest } from './index-under-test.ts';

const { publish, reading } = indexUnderTest();

/** Sites of one symbol, the one to show first in front. A bare path has a body; `declares` marks a declaration. */
const orders: readonly (readonly string[])[] = [
  ['src/z.c', 'src/z2.c', 'deps/lua/src/lparser.c', 'deps/lua/etc/noparser.c', 'declares include/a.h'],
  ['src/open.c', 'test/open.c', 'third_party/test/open.c', 'declares src/a.h', 'declares test/a.h'],
  ['win/open.c', 'examples/open.c', 'declares win/open.h', 'declares vendor/open.h'],
  ['unix/open.c', 'src/open_stub.c', 'vendor/stubs/open.c'],
  ['lib/stubborn.c', 'lib/y.c', 'lib/mocks/a.c'],
];

for (const order of orders) {
  test(`of ${order.join(', ')} the first that is there is shown, by id and by name`, () => {
    const hash = hashOf('c:', 'open().');
    const pathOf = (site: string): string => site.replace('declares ', '');
    const [last, ...others] = order.toReversed();
    for (const site of [last!, ...others]) {
      publish([siteAt(pathOf(site), site === pathOf(site))]);
      reading(reader => {
        const seq = reader.snapshot('r')!.seq;
        const catalogue = reader.catalogue('r', seq)!;
        const inSearch = catalogue.documents[catalogue.documentOf[catalogue.order[0]!]!]!.path;
        assert.deepEqual([reader.symbol('r', seq, hash)?.path, inSearch], [pathOf(site), pathOf(site)]);
      });
    }
  });
}

function siteAt(path: string, hasBody: boolean): HandMade {
  return { path, scope: 'c:', isTest: /(?:^|\/)test\//.test(path), definitions: [{ name: 'open', hasBody }] };
}
