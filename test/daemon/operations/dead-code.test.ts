import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CalledTree, calledTree } from './called-tree.ts';

const shop = `
-- src/cart.js --
export function add() {}
export function remove() {}
export function legacy() {}
-- src/billing/invoice.js --
export function bill() {}
export function refund() {}
-- src/quiet.js --
export function quiet() {}
`;

function deadIn(tree: CalledTree, more: Parameters<CalledTree['askNow']>[2] = {}, scope?: string) {
  const input = { minConfidence: 0, limit: 100, sync: false, ...(scope === undefined ? {} : { scope }) };
  const { candidates, summary, limitations } = tree.askNow('telemetry.deadCode', input, more);
  const told = candidates.map(({ name, confidence, reasons }) => ({
    name,
    confidence,
    seen: reasons[0],
    days: reasons[2],
  }));
  return { told, names: told.map(({ name }) => name), summary, limitations };
}

test('days on which nobody reported make nothing dead, and it is said since when', async t => {
  const tree = await calledTree(t, shop);
  await tree.report({
    service: 'cart',
    functions: ['/app/src/cart.js add', '/app/src/cart.js remove'],
    days: [300, 80],
  });
  const { told, limitations } = deadIn(tree);
  assert.deepEqual(
    told.map(({ name, days }) => [name, days]),
    [['legacy', 'observed on 221 days']],
  );
  assert.ok(
    limitations.some(words => /^cart last reported on 2029-10-13: /.test(words)),
    limitations.join('\n'),
  );
});

test('silence is counted in days on which who called it reported', async t => {
  const tree = await calledTree(t, shop);
  await tree.report(
    { service: 'cart', functions: ['/app/src/cart.js add'], days: [100, 0] },
    { service: 'cart', functions: ['/app/src/cart.js remove'], days: [100, 59] },
    { service: 'cart', functions: ['/app/src/cart.js legacy'], days: [100, 60] },
  );
  const { told, limitations } = deadIn(tree);
  assert.deepEqual(
    told.map(({ name, seen }) => [name, seen]),
    [['legacy', 'not called on the last 60 days that were reported']],
  );
  assert.ok(!limitations.some(words => words.includes('last reported')));
  // Somebody else, who called it lately and has fallen silent since, may call it still.
  await tree.report({ service: 'worker', functions: ['/srv/src/cart.js legacy'], days: 70 });
  assert.deepEqual(deadIn(tree).names, []);
});

test('a function is observed on the days on which who runs its file reported, since that ran', async t => {
  const tree = await calledTree(t, shop);
  await tree.report(
    { service: 'cart', functions: ['/app/src/cart.js add', '/app/src/cart.js remove'], days: [300, 0] },
    { service: 'billing', functions: ['/app/src/billing/invoice.js bill'], days: [1, 0] },
  );
  const { told, summary } = deadIn(tree);
  assert.deepEqual(
    told.map(({ name, days }) => [name, days]),
    [
      ['legacy', 'observed on 301 days'],
      ['refund', 'observed on 2 days'],
    ],
  );
  assert.ok(told[1]!.confidence < told[0]!.confidence);
  assert.deepEqual([summary.observationDays, summary.unobserved], [301, 1]);
});

test('of a hundred functions of which ten are instrumented, none of the others is dead for certain', async t => {
  const files = Array.from({ length: 5 }, (_, file) => {
    const functions = Array.from({ length: 20 }, (_, at) => `export function f${file}x${at}() {}`);
    return `-- src/part${file}.js --\n${functions.join('\n')}\n`;
  });
  const tree = await calledTree(t, files.join(''));
  const functions = Array.from({ length: 10 }, (_, at) => `/app/src/part${at % 5}.js f${at % 5}x${Math.floor(at / 5)}`);
  await tree.report({ service: 'app', functions, days: [300, 0] });
  const { candidates, summary, limitations } = tree.askNow('telemetry.deadCode', {
    ...{ minConfidence: 0, limit: 100, sync: false },
  });
  assert.deepEqual([summary.coverageLevel, candidates.length], ['high', 90]);
  assert.ok(candidates.every(({ confidence }) => confidence < 0.7));
  assert.ok(limitations.some(words => words.startsWith('of the functions of files that run, 10 % were reported: ')));
  const inPart = tree.askNow('telemetry.deadCode', {
    ...{ minConfidence: 0, limit: 100, sync: false, scope: 'src/part0.js' },
  });
  assert.equal(inPart.candidates[0]!.confidence, candidates[0]!.confidence);
});

test('a scope is all that is told of, also of what is left out', async t => {
  const tree = await calledTree(t, shop);
  await tree.report({ service: 'cart', functions: ['/app/src/cart.js add'], days: [9, 0] });
  const { summary } = deadIn(tree, { excludePaths: ['src/cart.js', 'src/quiet.js'] }, 'src/cart.js');
  assert.deepEqual([summary.totalAnalyzed, summary.observed, summary.excluded], [1, 1, 2]);
});

test('what services of no known repository would call is not claimed, nor what it may run, and they are named', async t => {
  const tree = await calledTree(
    t,
    `${shop}
-- src/exports.js --
export function run() {}
export function deadExport() {
  usedByExport();
}
export function usedByExport() {}
export function unused() {}
`,
  );
  await tree.report(
    { service: 'cart', functions: ['/app/src/exports.js run'], days: [60, 0] },
    { service: 'mystery', functions: ['/srv/src/exports.js deadExport'], days: 3 },
    { service: 'lost', functions: ['/srv/src/exports.js unused'], days: 3 },
  );
  const services = [{ id: 1, name: 'cart', folder: '', by: 'exact' as const }];
  let asks = 0;
  const asked = (nowhere: readonly number[], elsewhere: readonly number[]) => {
    const { told, summary, limitations } = deadIn(tree, {
      ...{ services, strangers: { nowhere, elsewhere }, version: `${asks++}` },
    });
    const strange = limitations.filter(words => words.includes('of no known repository'));
    return { names: told.map(({ name }) => name), unobserved: summary.unobserved, strange, told };
  };
  const before = asked([], []);
  assert.deepEqual([before.names, before.strange], [['deadExport', 'unused', 'usedByExport'], []]);
  const [mystery, both] = [asked([2], []), asked([2], [3])];
  assert.deepEqual(mystery.names, ['unused', 'usedByExport']);
  assert.equal(mystery.unobserved, before.unobserved + 1);
  assert.ok(mystery.told[1]!.confidence < 0.7);
  assert.deepEqual(mystery.strange, [
    '1 service of no known repository (mystery) reports calls that would match 1 function here, which is not claimed: svc telemetry unmapped shows what would match',
  ]);
  assert.deepEqual([both.names, both.strange.length], [['usedByExport'], 1]);
  // Where something of it is another repository's, it is no stranger.
  tree.remember([{ id: 3, repoUid: 'other', symbol: '0'.repeat(32), quality: 'exact' }]);
  assert.deepEqual(asked([2], [3]).names, ['unused', 'usedByExport']);
});

test('what may be meant by a call that fits several is not claimed', async t => {
  const tree = await calledTree(
    t,
    `
-- src/cart.js --
export function add() {}
export function close() {}
export function legacy() {}
-- src/billing/invoice.js --
export function bill() {}
export function close() {}
`,
  );
  await tree.report(
    { service: 'cart', functions: ['/app/src/cart.js add'], days: [100, 0] },
    { service: 'cart', functions: ['/app/src/billing/invoice.js bill'], days: [100, 0] },
  );
  assert.deepEqual([...deadIn(tree).names].sort(), ['close', 'close', 'legacy']);
  await tree.report({ service: 'cart', functions: ['close'], days: 0 });
  assert.deepEqual(deadIn(tree).names, ['legacy']);
});
