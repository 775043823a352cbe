import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { createDecisionWriter } from '../../../../daemon/jobs/decisions/create-decision.ts';
import { ownStyle } from '../../../../daemon/jobs/decisions/decision-document.ts';
import type { RepoPath } from '../../../../daemon/model/paths.ts';
import { temporaryFolder } from '../../../support/repository.ts';

/** Calls `meanwhile` just before each document takes its place, when the writer has looked at the folder for the last time. */
function beforeEachLink(t: TestContext, meanwhile: () => void): void {
  const { link } = promises;
  const restore = (real: typeof link): void => {
    promises.link = real;
    syncBuiltinESMExports();
  };
  restore((from, to) => {
    meanwhile();
    return link(from, to);
  });
  t.after(() => restore(link));
}

test('a number that another process takes at the same moment is given up, and its file left as it is (P46)', async t => {
  const { root, path } = temporaryFolder(t, '-- docs/adr/0001-a.md --\n# A\n');
  const theirs = ['0002-theirs.md', '0003-theirs.md'];
  const taken: string[] = [];
  beforeEachLink(t, () => {
    const name = theirs[taken.length];
    if (name === undefined) return;
    writeFileSync(path(`docs/adr/${name}`), 'theirs', { flag: 'wx' });
    taken.push(name);
  });
  const { id, path: stored } = await createDecisionWriter().store({
    root,
    folder: 'docs/adr' as RepoPath,
    decision: { title: 'Mine', status: 'accepted', context: '', decision: 'd', consequences: [], modules: [] },
    date: '2026-01-31',
    greatest: 1,
    signal: new AbortController().signal,
    style: ownStyle,
    naming: { kind: 'number', number: { before: '', width: 4, after: '-' }, wordGap: '-', ending: '.md' },
    model: undefined,
  });
  assert.deepEqual([id, stored], ['ADR-004', 'docs/adr/0004-mine.md']);
  assert.deepEqual(taken, theirs);
  assert.deepEqual(readdirSync(path('docs/adr')).sort(), ['0001-a.md', ...theirs, '0004-mine.md']);
  for (const name of theirs) assert.equal(readFileSync(path(`docs/adr/${name}`), 'utf8'), 'theirs');
});
