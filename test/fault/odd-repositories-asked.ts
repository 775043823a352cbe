import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Fault } from '../../client/protocol/faults.ts';
import { rejects } from '../daemon/operations/expected-faults.ts';
import { startDaemon, until } from '../support/daemon.ts';
import { canary, type OddRepository, oddRepository, plainRepository } from './odd-repositories.ts';

/** One daemon has all of them, indexes each, and answers whatever is asked: with what it knows, or by name why it can't. */
export async function ask(t: TestContext, rows: readonly OddRepository[]): Promise<void> {
  const base = plainRepository(t);
  const { client, caller } = await startDaemon(t);
  const told: string[] = [];
  const known = new Map<string, OddRepository>();
  for (const [at, row] of rows.entries()) {
    const id = `odd${at}`;
    const added = client.daemon.addRepo({ root: oddRepository(t, base, row), id });
    if (row.is.startsWith('bare')) {
      await rejects(added, 'invalidBody');
      continue;
    }
    await added;
    known.set(id, row);
  }
  let failed: readonly string[] = [];
  await until(`all are ready: ${failed}`, async () => {
    const { repos } = await client.daemon.listRepos({});
    failed = repos.filter(({ status }) => status === 'failed').map(({ id }) => known.get(id)!.what);
    assert.deepEqual(failed, []);
    return repos.length === known.size && repos.every(({ status }) => status === 'ready');
  });
  for (const [repo, { what, lists }] of known) {
    if (lists === undefined) {
      const { results } = await client.symbols.search({ q: 'mine', repo });
      assert.ok(
        results.some(({ location }) => location.file === 'a.ts'),
        what,
      );
    }
    const questions = [
      caller.call('symbols.search', { q: canary, repo }),
      caller.call('symbols.search', { q: 'mine', repo, repoStateMode: 'head' }),
      caller.call('hotspots.list', { repo }),
      caller.call('ownership.get', { repo, path: 'a.ts' }),
      caller.call('pr.summary', { repo, baseBranch: 'HEAD~1' }),
      caller.call('decisions.list', { repo }),
      caller.call('system.doctor', { repo }),
    ];
    for (const answer of await Promise.allSettled(questions)) {
      told.push(JSON.stringify(answer.status === 'fulfilled' ? answer.value : answer.reason));
      if (answer.status === 'fulfilled') continue;
      assert.ok(
        answer.reason instanceof Fault && answer.reason.reason !== 'operationFailed',
        `${what}: ${answer.reason}`,
      );
    }
  }
  assert.ok(!told.join().includes(`export const ${canary}`), 'no word of what lies outside');
}
