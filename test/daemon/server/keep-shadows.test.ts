import assert from 'node:assert/strict';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findRepository, type GitRepository } from '../../../daemon/backends/git-repository.ts';
import { makeShadow } from '../../../daemon/backends/git-shadow.ts';
import { keepShadows } from '../../../daemon/server/keep-shadows.ts';
import type { KeptRepository } from '../../../daemon/server/repositories.ts';
import { until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

test('git’s folder over a repository that was removed goes, over one that is registered it stays', async t => {
  const folder = temporaryFolder(t);
  const [kept, removed] = [gitRepository(t).root, gitRepository(t).root];
  const shadowOf = (root: string): string => {
    const { repository } = findRepository(root) as { readonly repository: GitRepository };
    const shadow = makeShadow(folder.root, repository, { hash: 'sha1' });
    utimesSync(join(shadow, 'HEAD'), 0, 0);
    return shadow;
  };
  const [stays, goes] = [shadowOf(kept), shadowOf(removed)];
  const clock = fakeClock();
  const registered = [kept, ''].map(root => ({ record: { root } }) as KeptRepository);
  t.after(keepShadows({ repositories: { list: () => registered }, folder: folder.root, clock }));
  await clock.advance(59 * 60_000);
  assert.ok(existsSync(goes));
  await clock.advance(60_000);
  await until('it has gone', () => !existsSync(goes));
  assert.ok(existsSync(stays));
});
