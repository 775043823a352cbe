import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAliases } from '../../../daemon/jobs/aliases.ts';
import type { SymbolEvidence } from '../../../daemon/jobs/rename-evidence.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';

const one = (hash: string, file: string, body = ''): SymbolEvidence => {
  const place = { scope: 'a.ts' as ScopeKey, tail: `${hash}().`, name: hash, kind: 'function' } as const;
  return { hash, ...place, file, body };
};

test('evidence counts across publications, a minute or eight of them, whichever is longer', () => {
  const late = createAliases();
  late.match({ gone: [one('old', 'f')], appeared: [] }, 0);
  for (let number = 1; number < 7; number++) late.match({ gone: [], appeared: [] }, number * 100_000);
  assert.deepEqual([...late.match({ gone: [], appeared: [one('new', 'f')] }, 700_000)], [['old', 'new']]);
  const tooLate = createAliases();
  tooLate.match({ gone: [one('old', 'f')], appeared: [] }, 0);
  for (let number = 1; number < 8; number++) tooLate.match({ gone: [], appeared: [] }, number * 100_000);
  assert.equal(tooLate.match({ gone: [], appeared: [one('new', 'f')] }, 800_000).size, 0);
  const quick = createAliases();
  quick.match({ gone: [one('old', 'f')], appeared: [] }, 0);
  for (let number = 1; number < 20; number++) quick.match({ gone: [], appeared: [] }, number);
  assert.equal(quick.match({ gone: [], appeared: [one('new', 'f')] }, 50_000).size, 1);
});

test('a copy that comes before its original goes is where it went; two copies are no evidence', () => {
  const aliases = createAliases();
  assert.equal(aliases.match({ gone: [], appeared: [one('copy', 'f')] }, 0).size, 0);
  assert.deepEqual([...aliases.match({ gone: [one('old', 'f')], appeared: [] }, 1)], [['old', 'copy']]);
  const unclear = createAliases();
  const appeared = [one('a', 'f', 'b'), one('b', 'f', 'b')];
  assert.equal(unclear.match({ gone: [one('old', 'f', 'b')], appeared }, 0).size, 0);
});

test('the same content goes before the same body, and a body that is no evidence matches nothing', () => {
  const aliases = createAliases();
  const appeared = [one('byBody', 'other', 'b'), one('byFile', 'f', 'c'), one('short', 'x')];
  const matches = aliases.match({ gone: [one('old', 'f', 'b'), one('brief', 'y')], appeared }, 0);
  assert.deepEqual([...matches], [['old', 'byFile']]);
});

test('what came back within the window is not gone', () => {
  const aliases = createAliases();
  aliases.match({ gone: [one('a', 'f')], appeared: [] }, 0);
  aliases.match({ gone: [], appeared: [one('a', 'f')] }, 1);
  assert.equal(aliases.match({ gone: [], appeared: [one('b', 'f')] }, 2).size, 0);
});
