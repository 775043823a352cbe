import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternsBelow } from '../../../../daemon/analysis/ownership/patterns-below.ts';

/** Of the folder `services/inv/`. */
const cases: readonly (readonly [pattern: string, below: readonly string[]])[] = [
  ['*', ['*']],
  ['*.go', ['*.go']],
  ['docs/', ['docs/']],
  ['inv/', ['*']],
  ['/services/', ['*']],
  ['/services/inv', ['*']],
  ['/services/*/', ['*']],
  ['/services/*', []],
  ['/services/*/api/', ['/api/']],
  ['services/inv/*.go', ['/*.go']],
  ['/services/web/', []],
  ['/services/inv/cmd/main.go', ['/cmd/main.go']],
  ['/**/api/', ['/**/api/']],
  ['/services/**', ['*']],
  ['**/inv/a.go', ['/**/inv/a.go', '/a.go']],
  ['/inv/', []],
  ['/services/inv/lib/deep/inv/', ['/lib/deep/inv/']],
];

for (const [pattern, below] of cases) {
  test(`what ${pattern} says of a folder`, () => {
    assert.deepEqual([...patternsBelow(pattern, 'services/inv/')].sort(), [...below].sort());
    assert.deepEqual(patternsBelow(pattern, ''), [pattern]);
  });
}
