import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotScore, hottestFirst } from '../../../../daemon/analysis/hotspots/hotspots.ts';
import type { CommitFacts } from '../../../../daemon/model/history.ts';
import { commitsOf, historyOf } from '../history/history-of.ts';

const day = 86_400;
const now = 1000 * day;
const halfPoints = { churn: 8, authors: 3, coupling: 5, cyclomatic: 100 };

/** Commits to files, so many days ago each; the newest first. */
function commitsAgo(
  changes: readonly (readonly [daysAgo: number, author: string, ...paths: string[]])[],
): readonly CommitFacts[] {
  return changes.map(([daysAgo, author, ...paths], at) => ({
    ...commitsOf(`c${at} by ${author}: ${paths.map(path => `M ${path}`).join(', ')}`)[0]!,
    parents: at + 1 < changes.length ? [commitsOf(`c${at + 1}`)[0]!.hash] : [],
    authoredAt: now - daysAgo * day,
    committedAt: now - daysAgo * day,
  }));
}

function hotspots(commits: readonly CommitFacts[], cyclomatic: Readonly<Record<string, number>>, days = 30) {
  const history = historyOf(commits);
  const candidates = Object.entries(cyclomatic).map(([path, complexity]) => ({
    path,
    file: history.fileOf(path),
    cyclomatic: complexity,
  }));
  const isBot = (author: number): boolean => author === 99;
  const personOf = (author: number) => (isBot(author) ? undefined : author);
  return hottestFirst(candidates.map(hotspotScore(history, { days, now, halfPoints, personOf })));
}

test('a score is the weighted sum of its saturating parts', () => {
  const commits = commitsAgo([
    [1, 'Ann', 'a.ts', 'b.ts'],
    [2, 'Ben', 'a.ts', 'b.ts'],
    [3, 'Cay', 'a.ts'],
    [4, 'Dan', 'a.ts'],
  ]);
  const [a] = hotspots(commits, { 'a.ts': 100 });
  const churn = 4 / (4 + 8);
  const people = 3 / (3 + 3);
  const coupling = 1 / (1 + 5);
  const complexity = 100 / (100 + 100);
  assert.equal(a!.score, 0.4 * churn + 0.3 * ((people + coupling) / 2) + 0.3 * complexity);
  assert.deepEqual([a!.commits, a!.authors, a!.coupled, a!.commits30d, a!.authors30d], [4, 4, 1, 4, 4]);
});

test('churn of windows of other lengths is that of 30 days', () => {
  const commits = commitsAgo(Array.from({ length: 12 }, (_, at) => [at * 5 + 1, 'Ann', 'a.ts'] as const));
  const [short] = hotspots(commits, { 'a.ts': 0 }, 30);
  const [long] = hotspots(commits, { 'a.ts': 0 }, 60);
  assert.equal(short!.commits, 6);
  assert.equal(long!.commits, 12);
  assert.equal(short!.score, long!.score);
  assert.equal(long!.commits30d, 6);
});

test('what is worked on more and more is increasing, what comes to rest decreasing, at once', () => {
  const rising = [1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 34, 61, 62, 91].map(ago => [ago, 'Ann', 'up.ts'] as const);
  const falling = [29, 35, 36, 65, 66, 67, 68, 95, 96, 97, 98, 99, 100].map(ago => [ago, 'Ann', 'down.ts'] as const);
  const steady = [10, 40, 70, 100].map(ago => [ago, 'Ann', 'even.ts'] as const);
  const commits = commitsAgo([...rising, ...falling, ...steady].sort(([a], [b]) => a - b));
  const found = new Map(
    hotspots(commits, { 'up.ts': 10, 'down.ts': 10, 'even.ts': 10 }).map(one => [one.candidate.path, one]),
  );
  const trendOf = (path: string) => found.get(path)!.trend;
  assert.equal(trendOf('up.ts').direction, 'increasing');
  assert.ok(trendOf('up.ts').velocity > 0);
  assert.equal(trendOf('up.ts').projection30d, found.get('up.ts')!.score + 30 * trendOf('up.ts').velocity);
  assert.equal(trendOf('down.ts').direction, 'decreasing');
  assert.equal(trendOf('even.ts').direction, 'stable');
  assert.equal(trendOf('even.ts').velocity, 0);
});

test('what was worked on a while ago and rests since is decreasing, however long ago that was', () => {
  for (const ago of [31, 61, 91]) {
    const burst = Array.from({ length: 12 }, (_, at) => [ago + at / 2, `A${at}`, 'a.ts'] as const);
    const { trend, score } = hotspots(commitsAgo([...burst, [119, 'Ann', 'b.ts']]), { 'a.ts': 10 })[0]!;
    assert.equal(trend.direction, 'decreasing', `${ago} days`);
    assert.ok(trend.projection30d < score);
  }
});

test('a projection stays a score', () => {
  const falling = Array.from({ length: 40 }, (_, at) => [95 + at / 2, 'Ann', 'a.ts'] as const);
  const [a] = hotspots(commitsAgo(falling), { 'a.ts': 0 });
  assert.equal(a!.trend.projection30d, 0);
});

test('a young repository has no trend of the time before it', () => {
  const commits = commitsAgo([1, 2, 3].map(ago => [ago, 'Ann', 'a.ts'] as const));
  assert.deepEqual(hotspots(commits, { 'a.ts': 10 })[0]!.trend.direction, 'stable');
});

test('files that no commit knows, and equal ones, are in order', () => {
  const found = hotspots(commitsAgo([[1, 'Ann', 'z.ts']]), { 'b.ts': 5, 'a.ts': 5, 'z.ts': 5 });
  assert.deepEqual(
    found.map(({ candidate }) => candidate.path),
    ['z.ts', 'a.ts', 'b.ts'],
  );
});

test('a clock that is ahead takes no commit out of the window', () => {
  const commits = commitsAgo([[-3, 'Ann', 'a.ts']]);
  assert.equal(hotspots(commits, { 'a.ts': 0 })[0]!.commits, 1);
});

test('commits at the edges of a window are in one', () => {
  const commits = commitsAgo([
    [30, 'Ann', 'a.ts'],
    [60, 'Ann', 'a.ts'],
  ]);
  assert.equal(hotspots(commits, { 'a.ts': 0 })[0]!.commits, 1);
});
