import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedQuestion } from '../../../daemon/model/links.ts';
import { Question, type QuestionKey } from '../../../daemon/model/question.ts';
import { allGroups, asHander, type ReferenceGroups } from '../../../daemon/model/reference-groups.ts';
import { askedAnew, groupsThatAsked, hashesOf, packAsked } from '../../../daemon/store/asked.ts';
import { randomFrom } from '../../support/synthetic.ts';

test('what was asked is read as it was packed: each hash once, with the groups that asked', () => {
  const asked = [one('a', 1), one('b', 2), one('a', 4), one('c', asHander)];
  const packed = packAsked(asked);
  assert.deepEqual(
    [...hashesOf(packed)],
    [...new Set(asked.map(({ question }) => question.hash))].sort((a, b) => a - b),
  );
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map(key => groupsThatAsked(packed, [hashOf(key)])),
    [5, 2, asHander, 0],
  );
  assert.equal(groupsThatAsked(packed, [hashOf('a'), hashOf('d'), hashOf('c')]), asHander | 5);
  assert.deepEqual([...hashesOf(packAsked([]))], []);
  assert.equal(groupsThatAsked(packAsked([]), [hashOf('a')]), 0);
});

test('what does not hold its checksum is damage, wherever it broke', () => {
  const packed = packAsked([one('a', 1), one('b', 2)]);
  for (let at = 0; at < packed.length; at++) {
    const broken = packed.slice();
    broken[at]! ^= 4;
    assert.throws(() => hashesOf(broken), { trouble: 'corrupt' }, `byte ${at}`);
  }
  for (const length of [1, 4, 8, packed.length - 4]) {
    assert.throws(() => hashesOf(packed.slice(0, length)), { trouble: 'corrupt' }, `${length} bytes`);
  }
});

test('groups that ask anew leave what the others asked', () => {
  const from0to1 = randomFrom(7);
  const random = (below: number): number => Math.floor(from0to1() * below);
  for (let round = 0; round < 200; round++) {
    const groups = random(allGroups + 1);
    const [before, now] = [many(30, random), many(30, random)].map((list, at) =>
      at === 0 ? list : list.map(({ question, groups: all }) => ({ question, groups: all & groups })),
    ) as [AskedQuestion[], AskedQuestion[]];
    const anew = now.filter(({ groups }) => groups !== 0);
    const kept = before.map(({ question, groups: all }) => ({ question, groups: all & ~groups }));
    const whole = packAsked([...kept.filter(({ groups }) => groups !== 0), ...anew]);
    assert.deepEqual(plain(askedAnew(packAsked(before), groups, packAsked(anew))), plain(whole));
  }
});

test('of more sets of groups than are told apart, the rest is said of all groups', () => {
  const asked = Array.from({ length: 1000 }, (_, at) => one(`q${at}`, at + 1));
  const packed = packAsked(asked);
  for (const { question, groups } of asked) assert.equal(groupsThatAsked(packed, [question.hash]) & groups, groups);
  const exact = asked.filter(({ question, groups }) => groupsThatAsked(packed, [question.hash]) === groups);
  assert.equal(exact.length, 255);
});

function one(key: string, groups: ReferenceGroups): AskedQuestion {
  return { question: new Question(key as QuestionKey, ''), groups };
}

function hashOf(key: string): number {
  return one(key, 0).question.hash;
}

function many(count: number, random: (below: number) => number): AskedQuestion[] {
  return Array.from({ length: random(count) }, () => one(`q${random(20)}`, 1 << random(31)));
}

function plain(asked: Uint8Array): readonly (readonly [number, ReferenceGroups])[] {
  return Array.from(hashesOf(asked), hash => [hash, groupsThatAsked(asked, [hash])] as const);
}
