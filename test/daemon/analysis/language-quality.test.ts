import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MeasuredLanguage, qualityOf, together } from '../../../daemon/analysis/language-quality.ts';

const language: MeasuredLanguage = {
  files: 100,
  precise: 0,
  partial: 0,
  unread: 0,
  references: 1000,
  confident: 950,
  calls: 200,
  resolvedCalls: 190,
  callEdges: 120,
};

test('the tier tells how many of the files indexers saw', () => {
  const rows = [
    [0, 3, 'syntactic'],
    [1, 2, 'mixed'],
    [89, 2, 'mixed'],
    [90, 1, 'precise'],
    [100, 1, 'precise'],
  ] as const;
  for (const [precise, tier, tierName] of rows) {
    const verdict = qualityOf({ ...language, precise });
    assert.deepEqual([verdict.tier, verdict.tierName], [tier, tierName], `${precise}`);
  }
});

test('quality follows what is resolved with confidence, and no further than the files could be read', () => {
  const rows: readonly (readonly [Partial<MeasuredLanguage>, string])[] = [
    [{}, 'good'],
    [{ confident: 899 }, 'fair'],
    [{ confident: 700 }, 'fair'],
    [{ confident: 699 }, 'poor'],
    [{ partial: 10 }, 'good'],
    [{ partial: 11 }, 'fair'],
    [{ partial: 5, unread: 7 }, 'fair'],
    [{ confident: 800, unread: 50 }, 'poor'],
    [{ references: 0, confident: 0 }, 'unknown'],
  ];
  for (const [other, quality] of rows) {
    assert.equal(qualityOf({ ...language, ...other }).quality, quality, JSON.stringify(other));
  }
});

test('the call graph is as good as calls lead somewhere', () => {
  const rows = [
    [200, 180, 'high', 0.9],
    [200, 179, 'medium', 0.895],
    [200, 140, 'medium', 0.7],
    [200, 1, 'low', 0.005],
    [200, 0, 'none', 0],
    [0, 0, 'none', 0],
  ] as const;
  for (const [calls, resolvedCalls, callGraphQuality, callResolution] of rows) {
    const verdict = qualityOf({ ...language, calls, resolvedCalls });
    assert.deepEqual([verdict.callGraphQuality, verdict.callResolution], [callGraphQuality, callResolution]);
  }
});

test('a share says neither all nor nothing where that is not so', () => {
  const of = (confident: number) => qualityOf({ ...language, references: 1_000_000, confident }).refAccuracy;
  assert.deepEqual([of(1_000_000), of(999_999), of(1), of(0)], [1, 0.9999, 0.0001, 0]);
});

test('several languages together are their sum', () => {
  const both = together([language, { ...language, references: 500, confident: 0 }]);
  assert.deepEqual([both.files, both.references, both.confident], [200, 1500, 950]);
  assert.deepEqual(together([]), Object.fromEntries(Object.keys(language).map(name => [name, 0])));
});
