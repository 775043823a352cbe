import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coChangesOf, tellingCommits } from '../../../../daemon/analysis/history/co-changes.ts';
import { commitsOf, hashOf, historyOf } from './history-of.ts';

/** Of each path the commits that touched the file which has it last, the newest first. */
const cases: readonly {
  readonly what: string;
  readonly commits: string;
  readonly touches: Readonly<Record<string, string>>;
}[] = [
  {
    what: 'a file keeps its history under other names',
    commits: `
      e < d @50: M c.ts
      d < c @40: R b.ts > c.ts
      c < b @30: M b.ts
      b < a @20: R a.ts > b.ts
      a @10: A a.ts`,
    touches: { 'c.ts': 'e d c b a', 'b.ts': '', 'a.ts': '' },
  },
  {
    what: 'two files change names with each other',
    commits: `
      c < b @30: M x.ts
      b < a @20: R x.ts > y.ts, R y.ts > x.ts
      a @10: A x.ts
      z @5: A y.ts`,
    touches: { 'x.ts': 'c b', 'y.ts': 'b a' },
  },
  {
    what: 'what comes where a file was is another file, whose history begins with it',
    commits: `
      d < c @40: M a.ts
      c < b @30: A a.ts
      b < a @20: R a.ts > b.ts
      a @10: A a.ts`,
    touches: { 'a.ts': 'd c', 'b.ts': 'b a' },
  },
  {
    what: 'a file that was deleted and came back is one',
    commits: `
      c < b @30: A a.ts
      b < a @20: D a.ts
      a @10: A a.ts`,
    touches: { 'a.ts': 'c b a' },
  },
  {
    what: 'both sides of a merge count, and the merge does not',
    commits: `
      m < b c @40
      c < a @30: M a.ts
      b < a @20: M a.ts
      a @10: A a.ts`,
    touches: { 'a.ts': 'c b a' },
  },
  {
    what: 'several files that come of one name each have what was done to it',
    commits: `
      c < b @30: R p.ts > q.ts
      b < a @20: R a.ts > p.ts, A a.ts
      a @10: A a.ts`,
    touches: { 'q.ts': 'c b a', 'a.ts': 'b' },
  },
];

for (const { what, commits, touches } of cases) {
  test(what, () => {
    const facts = commitsOf(commits);
    const names = new Map(facts.map(({ hash }, at) => [hash, commits.trim().split('\n')[at]!.trim().split(' ')[0]!]));
    const history = historyOf(facts);
    for (const [path, expected] of Object.entries(touches)) {
      const found = [...history.touches(path)].map(({ commit }) => names.get(history.commit(commit).hash));
      assert.equal(found.join(' '), expected, path);
    }
  });
}

test('commits are listed as git log lists them: by date among those whose child has been listed', () => {
  const history = historyOf(
    commitsOf(`
      m < b c @50
      c < a @20: M a.ts
      b < z @40: M b.ts
      z < a @90: M z.ts
      a @10: A a.ts`),
  );
  const order = Array.from({ length: history.commitCount }, (_, at) => history.commit(at).hash);
  assert.deepEqual(order, ['m', 'b', 'z', 'c', 'a'].map(hashOf));
  assert.equal(history.indexOf(hashOf('c')), 3);
  assert.equal(history.indexOf(hashOf('nowhere')), undefined);
});

test('commits beyond a boundary are not missed', () => {
  const history = historyOf(
    commitsOf(`
      b < a @20: M a.ts
      a < unknown @10: A a.ts`),
  );
  assert.equal(history.commitCount, 2);
});

test('what changes together is counted from either side, a commit of too many files aside', () => {
  const many = Array.from({ length: 60 }, (_, at) => `M f${at}.ts`).join(', ');
  const history = historyOf(
    commitsOf(`
      d < c @40: M a.ts, M b.ts
      c < b @30: M a.ts, ${many}
      b < a @20: M a.ts, M b.ts, M c.ts
      a @10: A a.ts`),
  );
  const { commits, leftOut, others } = coChangesOf(history, [history.fileOf('a.ts')!], 0);
  assert.deepEqual([commits, leftOut], [3, 1]);
  assert.deepEqual(
    others.map(({ file, ...one }) => ({ ...one, commits: tellingCommits(history, file, 0) })),
    [
      { path: 'b.ts', together: 2, last: 0, commits: 2 },
      { path: 'c.ts', together: 1, last: 2, commits: 1 },
    ],
  );
  assert.deepEqual(
    coChangesOf(history, [history.fileOf('b.ts')!], 25).others.map(({ path }) => path),
    ['a.ts'],
  );
});
