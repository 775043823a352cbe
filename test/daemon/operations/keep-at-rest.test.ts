import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAtRest } from '../../../daemon/operations/readers/keep-at-rest.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test('what is to be kept is written once nobody has asked for a while, a step at a time, and anew after a question', async () => {
  const clock = fakeClock();
  const steps: string[] = [];
  const file = (name: string) => ({
    *keepCatalogues(): Generator<void, void> {
      for (const step of [1, 2]) {
        steps.push(`${name}${step}`);
        if (steps.length === 1) clock.after(0, asked);
        yield;
      }
    },
  });
  const asked = keepAtRest(clock, () => [file('a'), file('b')]);
  asked();
  await clock.advance(900);
  asked();
  await clock.advance(900);
  assert.deepEqual(steps, []);
  await clock.advance(5_000);
  assert.deepEqual(steps, ['a1', 'a1', 'a2', 'b1', 'b2']);
});
