import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import type { ChangeSet } from '../../watch/change-set.ts';
import { createWatchLoop, type LoopOptions } from '../../watch/loop.ts';
import { openWatch, type Watch, type WatchOptions } from '../../watch/watch.ts';
import { patienceMs } from '../support/daemon.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';

/** A folder under watch, once its first crawl is over. */
export interface Watched {
  readonly tree: Workspace;
  readonly watch: Watch;
  /** ChangeSets since the last call. */
  take(): readonly ChangeSet[];
  /** Syncs, and returns the paths named since the last call; `*` stands for a recrawl. */
  changes(): Promise<readonly string[]>;
}

export async function watched(
  t: TestContext,
  text = '',
  options: Partial<WatchOptions> = {},
  loopOptions: Partial<LoopOptions> = {},
): Promise<Watched> {
  const tree = temporaryFolder(t, text);
  const runtime = temporaryFolder(t);
  const loop = createWatchLoop({ cookieFolder: runtime.path('cookies'), ...loopOptions });
  let sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one), ...options });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  const take = () => {
    const taken = sets;
    sets = [];
    return taken;
  };
  const changes = async () => {
    await watch.sync(patienceMs);
    return take()
      .flatMap(set => (set.kind === 'recrawl' ? ['*'] : [...set.paths]))
      .sort();
  };
  await watch.sync(patienceMs);
  assert.deepEqual(take()[0], { kind: 'recrawl', reason: 'start' });
  await quiet(async () => (await changes()).length === 0); // files just written are compared twice where they are compared
  return { tree, watch, take, changes };
}

/** Whether the path is named, itself or by a folder above. */
export function isNamed(seen: readonly string[], path: string): boolean {
  for (let at = path; at !== '.'; at = dirname(at)) if (seen.includes(at)) return true;
  return seen.includes('*');
}

async function quiet(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) assert.ok(tries < 1000, 'it never came to rest');
}
