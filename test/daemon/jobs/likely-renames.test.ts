import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyRenames } from '../../../daemon/jobs/aliases/likely-renames.ts';
import type { SymbolEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';

/** `path kind tail tokens`, and `*` behind it where the body is long enough to tell. */
function evidence(text: string): SymbolEvidence {
  const [path = '', kind = '', tail = '', tokens = '0', long] = text.split(' ');
  return {
    ...{ hash: `${path} ${tail}`, scope: path, path, kind, tail, name: tail, tokens: Number(tokens) },
    body: long === undefined ? '' : tail,
  } as unknown as SymbolEvidence;
}

/** What went, what came, and what is taken for renamed. */
const cases: readonly (readonly [gone: readonly string[], came: readonly string[], expected: readonly string[]])[] = [
  [['a.ts function two(). 5'], ['a.ts function deux(). 5'], ['a.ts two(). → a.ts deux().']],
  [['a.ts method Box#open(). 0'], ['a.ts method Box#unlock(). 0'], ['a.ts Box#open(). → a.ts Box#unlock().']],
  [['a.ts function two(). 5'], ['a.ts function deux(). 6'], []],
  [['a.ts function two(). 5'], ['b.ts function deux(). 5'], []],
  [['a.ts function two(). 5'], ['a.ts class Deux# 5'], []],
  [['a.ts method Box#open(). 5'], ['a.ts method Lid#unlock(). 5'], []],
  [['a.ts function two(). 5', 'a.ts function three(). 5'], ['a.ts function deux(). 5'], []],
  [['a.ts function two(). 5'], ['a.ts function deux(). 5', 'a.ts function trois(). 5'], []],
  [['a.ts function two(). 50 *'], ['a.ts function deux(). 50 *'], []],
];

for (const [gone, came, expected] of cases) {
  test(`of ${gone.join(', ')} that went and ${came.join(', ')} that came ${expected.length} are probably the same`, () => {
    const told = { gone: gone.map(evidence), appeared: came.map(evidence), goneFiles: [], appearedFiles: [] };
    assert.deepEqual(
      [...likelyRenames(told, new Map())].map(pair => pair.join(' → ')),
      expected,
    );
  });
}

test('what is proved leaves nothing to guess about', () => {
  const [old, fresh, other] = ['a.ts function two(). 5', 'a.ts function deux(). 5', 'a.ts function zwei(). 5'].map(
    evidence,
  );
  const told = { gone: [old!], appeared: [fresh!, other!], goneFiles: [], appearedFiles: [] };
  assert.deepEqual([...likelyRenames(told, new Map([['else', fresh!.hash]]))], [[old!.hash, other!.hash]]);
  assert.deepEqual([...likelyRenames(told, new Map([[old!.hash, fresh!.hash]]))], []);
});
