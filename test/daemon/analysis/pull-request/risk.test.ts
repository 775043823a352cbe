import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeEvidence, riskOfChange } from '../../../../daemon/analysis/pull-request/risk.ts';

const harmless: ChangeEvidence = {
  lines: 3,
  files: 1,
  modules: ['src'],
  hotspots: [],
  gravest: undefined,
  missed: 0,
  touchesCode: true,
  touchesTests: true,
  familiarity: undefined,
  leftOut: 0,
  removed: 0,
};

/** What makes a change riskier than it is without it, and the words that tell. */
const additions: readonly (readonly [more: Partial<ChangeEvidence>, words: string])[] = [
  [{ lines: 900, files: 12 }, 'changes 900 lines in 12 files'],
  [{ modules: ['a', 'b', 'c'] }, 'reaches over 3 modules'],
  [{ hotspots: [{ path: 'a.ts', score: 0.5 }] }, 'touches a hotspot: a.ts (0.50)'],
  [{ gravest: { name: 'open', risk: 'high', users: 12, change: 'modified' } }, 'changes open, which 12 places hang on'],
  [{ gravest: { name: 'open', risk: 'high', users: 1, change: 'removed' } }, 'takes open away, which 1 file uses'],
  [
    { gravest: { name: 'open', risk: 'high', users: 2, change: 'unexported' } },
    'exports open no more, which 2 files use',
  ],
  [
    { gravest: { name: 'open', risk: 'high', users: 1, change: 'moved' } },
    'moves open, which 1 file looks for where it was',
  ],
  [{ touchesTests: false }, 'changes code and no test'],
  [{ familiarity: 0.25 }, 'its authors wrote 25 % of the lines that it changes or stands next to'],
  [{ removed: 1 }, 'takes 1 file of code away'],
  [{ leftOut: 2 }, 'leaves 2 files that usually change with it as they are'],
];

test('a small change of what nobody uses, with a test, is harmless', () => {
  assert.deepEqual(riskOfChange(harmless), { level: 'low', score: 0, factors: [] });
});

test('each factor adds to the risk, whatever the others make of it, and is told', () => {
  let [evidence, before] = [harmless, 0];
  for (const [more, words] of additions) {
    const alone = riskOfChange({ ...harmless, ...more });
    assert.ok(alone.score > 0, words);
    assert.deepEqual(alone.factors, [words]);
    evidence = { ...evidence, ...more };
    const { score, factors } = riskOfChange(evidence);
    assert.ok(factors.includes(words), words);
    if (more.gravest === undefined || more.gravest.change === 'modified') assert.ok(score > before, words);
    before = score;
  }
  assert.equal(riskOfChange(evidence).level, 'critical');
});

test('a change that grows gets no safer', () => {
  const scores = [5, 50, 500, 5_000, 50_000].map(
    lines => riskOfChange({ ...harmless, lines, files: Math.ceil(lines / 20) }).score,
  );
  assert.deepEqual(
    [...scores].sort((a, b) => a - b),
    scores,
  );
  assert.ok(scores.at(-1)! > scores[0]!);
});
