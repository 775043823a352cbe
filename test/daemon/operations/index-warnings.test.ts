import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UnlistedPath } from '../../../daemon/jobs/unlisted.ts';
import { warningsOf } from '../../../daemon/operations/indexing.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';

function messages(...unlisted: readonly UnlistedPath[]): readonly string[] {
  return warningsOf({ snapshot: undefined, unlisted } as unknown as ServedRepository).map(({ message }) => message);
}

test('what could not be listed is warned of by its name, and a closed git by what that hides', () => {
  const closed = (path: string): UnlistedPath => ({ path, reason: 'unreadable' });
  const git: UnlistedPath = { path: '.git', reason: 'git_unreadable' };
  const hidden =
    '.git could not be read: tracked files that are ignored are missing, and what git’s own rules ignore is not; svc doctor tells why';
  assert.deepEqual(messages(), []);
  assert.deepEqual(messages(git), [hidden]);
  assert.deepEqual(messages(closed('test'), git), ['1 path could not be listed: test', hidden]);
  assert.deepEqual(messages(...['a', 'b', 'c', 'd'].map(closed)), ['4 paths could not be listed: a, b, c, …']);
});
