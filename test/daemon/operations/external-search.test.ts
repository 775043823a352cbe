import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalSearch } from '../../../daemon/operations/symbols/external-search.ts';
import type { ExternalName, ExternalRow } from '../../../daemon/store/external-rows.ts';

/** An index in which symbols of dependencies have these descriptors, by number, and sequence `n` uses those from `n` on. */
function place(...names: readonly string[]) {
  const asked = { lists: 0, uses: [] as number[] };
  const listed = names.map((name, symbol): ExternalName => ({ symbol, name, kind: null }));
  const search = externalSearch({
    externals: () => {
      asked.lists++;
      return listed;
    },
    usedAt: (_, seq, symbols) => {
      asked.uses.push(...symbols);
      return symbols.filter(symbol => symbol >= seq);
    },
    externalRows: symbols =>
      symbols.map((symbol): ExternalRow => {
        const told = { signature: `told ${symbol}`, documentation: null };
        return { ...listed[symbol]!, hash: '0'.repeat(32), manager: 'npm', package: 'p', ...told };
      }),
  });
  const find = (seq: number, text: string, kinds?: 'method' | 'class') =>
    search.find({ key: 'r', seq }, { text, kinds: kinds && new Set([kinds]) }).map(({ symbol }) => symbol);
  return { asked, find, search };
}

test('a list is read once for a snapshot, and what uses one of it looked for once', () => {
  const { asked, find } = place('`a`/read().', '`a`/reader#', '`a`/write().', '`b`/read().');
  assert.deepEqual(find(0, 'read'), [0, 3, 1]);
  assert.deepEqual(find(0, 'reader'), [1]);
  assert.deepEqual(find(0, 'write'), [2]);
  assert.deepEqual(asked, { lists: 1, uses: [0, 3, 1, 2] });
  assert.deepEqual(find(2, 'read'), [3]);
  assert.deepEqual(find(0, 'read'), [0, 3, 1]);
  assert.equal(asked.lists, 2, 'pages of one are turned while another is asked');
  find(3, 'read');
  find(2, 'read');
  assert.equal(asked.lists, 4, 'and no more than two are kept');
});

test('kinds are asked of each bearer of a name, and what is left out is no match that keeps near misses away', () => {
  const { find } = place('`a`/Reader#read().', '`a`/read/', '`a`/raed#', '`a`/Reader#');
  assert.deepEqual(find(0, 'read', 'method'), [0]);
  assert.deepEqual(find(0, 'read', 'class'), [3, 2]);
});

test('what is told of those on the page is read when they are shown', () => {
  const { search } = place('`a`/Reader#read().', '`a`/Reader#');
  const hits = search.find({ key: 'r', seq: 0 }, { text: 'read', kinds: undefined });
  const shown = search.results(hits.slice(1), { repo: 'r', snapshotId: 's' });
  assert.deepEqual(
    shown.map(({ name, kind, container, signature, match }) => [name, kind, container, signature, match]),
    [['Reader', 'class', 'a', 'told 1', 'prefix']],
  );
});
