import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentBytes } from '../../../../daemon/extract/scip/recent-bytes.ts';

function viewOf(text: string): DataView {
  const bytes = Buffer.from(`xx${text}yy`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

test('tells of a string what was made of it or nothing, never what was made of another', () => {
  const recent = new RecentBytes<string>();
  const texts = ['', 'a', 'abcd', 'b'.repeat(240), ...Array.from({ length: 20_000 }, (_, at) => `name ${at}`)];
  const find = (text: string): string | undefined => recent.find(viewOf(text), 2, viewOf(text).byteLength - 2);
  for (const text of texts) {
    assert.equal(find(text), undefined);
    const view = viewOf(text);
    assert.equal(recent.keep(view, 2, view.byteLength - 2, `of ${text}`), `of ${text}`);
    assert.equal(find(text), `of ${text}`);
  }
  const known = texts.filter(text => find(text) !== undefined);
  assert.ok(known.length > 2_000 && known.length <= 4_096, String(known.length));
  for (const text of known) assert.equal(find(text), `of ${text}`);
});

test('keeps nothing of a string that is long', () => {
  const recent = new RecentBytes<string>();
  const view = viewOf('l'.repeat(241));
  assert.equal(recent.keep(view, 2, 243, 'made'), 'made');
  assert.equal(recent.find(view, 2, 243), undefined);
});
