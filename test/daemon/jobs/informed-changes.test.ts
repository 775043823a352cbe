import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { informedChanges } from '../../../daemon/jobs/follow/informed-changes.ts';
import type { ChangeSet } from '../../../watch/change-set.ts';

test('what touches the rules of what is ignored waits until git was asked, and what follows waits behind it', async () => {
  const { changes, told, answer, asked } = informed();
  changes.add(paths('a.ts'));
  assert.deepEqual(told, ['a.ts']);
  changes.add(paths('src/.gitignore', 'src'));
  changes.add(paths('b.ts'));
  assert.deepEqual([asked(), told], [1, ['a.ts']]);
  const settled = changes.settled();
  await answer(() => changes.add(paths('src/tracked.ts')));
  await settled;
  assert.deepEqual(told, ['a.ts', 'b.ts src src/.gitignore src/tracked.ts']);
  await changes.settled();
});

test('rules that change while git is asked are asked about again, and the first ones told of meanwhile', async () => {
  const { changes, told, answer, asked } = informed();
  changes.add({ kind: 'recrawl', reason: 'start' });
  changes.add(paths('.gitignore'));
  await answer();
  assert.deepEqual([asked(), told], [2, ['*']]);
  changes.rulesTouched(); // a repository inside, found by now and named next
  changes.add(paths('inside'));
  await answer();
  assert.deepEqual([asked(), told], [3, ['*', '.gitignore']]);
  await answer();
  assert.deepEqual([asked(), told], [3, ['*', '.gitignore', 'inside']]);
});

function paths(...named: readonly string[]): ChangeSet {
  return { kind: 'paths', paths: new Set(named) };
}

/** ChangeSets are noted as they are told; git answers when the test says so. */
function informed() {
  const told: string[] = [];
  const answers: (() => void)[] = [];
  let questions = 0;
  const changes = informedChanges(
    () => {
      questions++;
      return new Promise<void>(resolve => answers.push(resolve));
    },
    one => told.push(one.kind === 'recrawl' ? '*' : [...one.paths].sort().join(' ')),
  );
  const answer = async (first = () => {}): Promise<void> => {
    first();
    answers.shift()!();
    await nextTurn();
    await nextTurn();
  };
  return { changes, told, answer, asked: () => questions };
}
