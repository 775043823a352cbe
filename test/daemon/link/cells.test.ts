import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCells } from '../../../daemon/link/cells.ts';
import type { QuestionKey } from '../../../daemon/model/question.ts';

const places = 400;
const key = (index: number): QuestionKey => `place\0${index}` as QuestionKey;

/** Each place has what the one before it has, and asks about itself; the first has a result. */
function chain() {
  const cells = createCells<string, object>(() => places);
  const owner = {};
  const at = (index: number): string | undefined =>
    cells.at(owner, index, () => {
      cells.ask(key(index));
      return index === 0 ? 'the result' : at(index - 1);
    });
  return { cells, at };
}

function asked({ cells, at }: ReturnType<typeof chain>, from: readonly number[]): readonly string[] {
  const questions = cells.record(enter => {
    enter(1);
    for (const index of from) at(index);
  });
  return questions.map(({ question }) => question.key).sort();
}

test('what goes too high rests on what it asked on its way, though none of its steps is remembered', () => {
  const one = chain();
  const reached = asked(one, [places - 1]);
  assert.ok(reached.length > 100 && reached.length < places);
  assert.ok(reached.includes(key(places - 1)));
  assert.equal(one.cells.size, 0);
});

test('of many that go too high each question is told once, in whatever order they are met', () => {
  const upwards = Array.from({ length: places }, (_, index) => index);
  const all = upwards.map(key).sort();
  assert.deepEqual(asked(chain(), upwards), all);
  assert.deepEqual(asked(chain(), upwards.toReversed()), all);
});

test('what is asked where nobody records goes too high as well', () => {
  const { at } = chain();
  assert.equal(at(50), 'the result');
  assert.equal(at(places - 1), undefined);
});
