import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registeredAround } from '../../cli/repository.ts';

test('the repository around a path is the innermost whose root holds it; one without a work tree holds none', () => {
  const repos = [
    { id: 'acme/x', root: '' },
    { id: 'outer', root: '/none/outer' },
    { id: 'inner', root: '/none/outer/inner' },
  ];
  const table = [
    ['/none/outer/inner/src', 'inner'],
    ['/none/outer/innermost', 'outer'],
    ['/none/outer', 'outer'],
    ['/none', undefined],
    ['/', undefined],
    ['', undefined],
  ] as const;
  for (const [path, id] of table) assert.equal(registeredAround(repos, path)?.id, id, path);
});
