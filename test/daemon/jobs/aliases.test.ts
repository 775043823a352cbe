import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAliases } from '../../../daemon/jobs/aliases/aliases.ts';
import { createMovedDocuments, type DocumentEvidence as Seen } from '../../../daemon/jobs/aliases/moved-documents.ts';
import { noEvidence, type SymbolEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';

const one = (hash: string, file: string, body = ''): SymbolEvidence => {
  const place = { scope: 'a.ts' as ScopeKey, path: 'a.ts' as RepoPath, tail: `${hash}().`, local: `${hash}().` };
  const unmoved = { exact: '', brief: '', nameless: '', tokens: 0, twins: [], briefTwins: [], namelessTwins: [] };
  return { hash, name: hash, kind: 'function', root: hash, ...place, file, body, ...unmoved };
};

test('evidence counts across publications, a minute or eight of them, whichever is longer', () => {
  const late = createAliases();
  late.match({ ...noEvidence, gone: [one('old', 'f')] }, 0);
  for (let number = 1; number < 7; number++) late.match(noEvidence, number * 100_000);
  assert.deepEqual([...late.match({ ...noEvidence, appeared: [one('new', 'f')] }, 700_000)], [['old', 'new']]);
  const tooLate = createAliases();
  tooLate.match({ ...noEvidence, gone: [one('old', 'f')] }, 0);
  for (let number = 1; number < 8; number++) tooLate.match(noEvidence, number * 100_000);
  assert.equal(tooLate.match({ ...noEvidence, appeared: [one('new', 'f')] }, 800_000).size, 0);
  const quick = createAliases();
  quick.match({ ...noEvidence, gone: [one('old', 'f')] }, 0);
  for (let number = 1; number < 20; number++) quick.match(noEvidence, number);
  assert.equal(quick.match({ ...noEvidence, appeared: [one('new', 'f')] }, 50_000).size, 1);
});

test('a copy that comes before its original goes is where it went; two copies are no evidence', () => {
  const aliases = createAliases();
  assert.equal(aliases.match({ ...noEvidence, appeared: [one('copy', 'f')] }, 0).size, 0);
  assert.deepEqual([...aliases.match({ ...noEvidence, gone: [one('old', 'f')] }, 1)], [['old', 'copy']]);
  const unclear = createAliases();
  const appeared = [one('a', 'f', 'b'), one('b', 'f', 'b')];
  assert.equal(unclear.match({ ...noEvidence, gone: [one('old', 'f', 'b')], appeared }, 0).size, 0);
});

test('the same content goes before the same body, and a body that is no evidence matches nothing', () => {
  const aliases = createAliases();
  const appeared = [one('byBody', 'other', 'b'), one('byFile', 'f', 'c'), one('short', 'x')];
  const matches = aliases.match({ ...noEvidence, gone: [one('old', 'f', 'b'), one('brief', 'y')], appeared }, 0);
  assert.deepEqual([...matches], [['old', 'byFile']]);
});

test('what came back within the window is not gone', () => {
  const aliases = createAliases();
  aliases.match({ ...noEvidence, gone: [one('a', 'f')] }, 0);
  aliases.match({ ...noEvidence, appeared: [one('a', 'f')] }, 1);
  assert.equal(aliases.match({ ...noEvidence, appeared: [one('b', 'f')] }, 2).size, 0);
});

test('documents that went are followed to the one that came with their content, whichever is seen first', () => {
  const documents = createMovedDocuments();
  const [a, b, c] = ['a.md', 'b.md', 'c.md'].map(path => ({ path, content: 'x' })) as [Seen, Seen, Seen];
  assert.deepEqual([...documents.match({ gone: [a], come: [b] }, 0)], [['a.md', 'b.md']]);
  assert.equal(documents.match({ gone: [], come: [c] }, 1).size, 0);
  assert.deepEqual([...documents.match({ gone: [b], come: [] }, 2)], [['b.md', 'c.md']]);
  assert.equal(documents.match({ gone: [c], come: [a, b] }, 3).size, 0, 'either may be it');
  assert.equal(documents.match({ gone: [], come: [{ path: 'd.md', content: 'y' }] }, 4).size, 0);
  assert.equal(documents.match({ gone: [{ path: 'e.md', content: 'y' }], come: [] }, 100_000).size, 0, 'too late');
});
