import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryAt } from '../../../daemon/operations/history/histories.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';
import { type KeepRefreshedOptions, keepRefreshed } from '../../../daemon/server/keep-refreshed.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('git is not asked about a repository that was removed while that waited for its turn', async t => {
  const repository = { record: { id: 'app' }, snapshot: {} } as ServedRepository;
  let [turns, isThere] = [0, true];
  const asked: string[] = [];
  const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
  const refreshed = keepRefreshed({
    repositories: { get: () => (isThere ? repository : undefined) },
    histories: {
      blame: async (_: unknown, contents: readonly { readonly path: string }[]) => {
        asked.push(...contents.map(({ path }) => path));
        return { failed: [] };
      },
    },
    readPool: { modelEntries: async () => ({ entries: new Map(), contents: paths.map(path => ({ path })) }) },
    settings: () => ({}),
    clock: fakeClock(),
    ourTurn: async () => {
      isThere = ++turns < 2;
    },
  } as unknown as KeepRefreshedOptions);
  const at = { top: temporaryFolder(t).root } as HistoryAt;
  await assert.rejects(refreshed.blame(repository, at, paths, new AbortController().signal), /was removed/);
  assert.deepEqual([turns, asked], [2, ['a.ts', 'b.ts']]);
});
