import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultParseSteps, openBudget } from '../../../daemon/extract/budget.ts';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import { createExtractService } from '../../../daemon/jobs/extract-service.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import { Transferred } from '../../../daemon/workers/port.ts';

const broken: Readonly<Record<string, string>> = {
  typescript: `${'export class A { m() { if (a { return [1, 2; } }\n'.repeat(60)}export function last() {}\n`,
  cpp: `${'namespace n { struct B : C<D { void f(int a) { if (a } }; }\n'.repeat(60)}int last() { return 1; }\n`,
  python: `${'class A:\n    def f(self, a=(1:\n        return [a\n'.repeat(60)}def last():\n    pass\n`,
  java: `${'class A { void f() { if (a { g(; } }\n'.repeat(60)}class Last {}\n`,
};
const budgets = [1, 10, 100, 1000, defaultParseSteps];

/** What a worker makes of a text, comparable. */
async function made(dialect: string, parseSteps: number): Promise<string> {
  const service = createExtractService({
    filesPerParser: 1e6,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    parseSteps,
    sourceLimits: defaultSourceLimits,
  });
  const bytes = new TextEncoder().encode(broken[dialect]);
  const context = { signal: AbortSignal.any([]) };
  const answer = await service.extractBytes({ bytes, dialect: dialect as Dialect, parseSteps }, context);
  assert.ok(answer instanceof Transferred);
  const { result } = answer.value;
  return result.kind === 'facts' ? Buffer.from(result.facts).toString('base64') : result.reason;
}

const all = Object.keys(broken).flatMap(dialect => budgets.map(steps => ({ dialect, steps })));

async function table(order: typeof all): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>();
  for (const { dialect, steps } of order) rows.set(`${dialect} ${steps}`, await made(dialect, steps));
  return rows;
}

test('what a budget allows of broken files is the same each time, whatever was read or given up before', async () => {
  const first = await table(all);
  assert.equal(first.get('typescript 1'), 'parse_timeout');
  for (const dialect of Object.keys(broken)) {
    const outcomes = new Set(budgets.map(steps => first.get(`${dialect} ${steps}`)));
    assert.ok(outcomes.size >= 2, `no budget makes a difference to ${dialect}`);
  }
  const others = [all.toReversed(), [...all.filter((_, index) => index % 2 > 0), ...all.filter((_, i) => i % 2 === 0)]];
  for (const order of others) {
    for (const [name, outcome] of await table(order)) assert.ok(outcome === first.get(name), `${name} differs`);
  }
});

test('the clock has no say in it', async t => {
  const first = await table(all);
  let hours = 0;
  t.mock.method(performance, 'now', () => ++hours * 3_600_000);
  t.mock.method(Date, 'now', () => ++hours * 3_600_000);
  for (const [name, outcome] of await table(all)) assert.ok(outcome === first.get(name), `${name} differs`);
});

test('a budget gives as many steps as it has', () => {
  const budget = openBudget(2);
  assert.deepEqual(
    [budget.isSpent, budget.spend(), budget.spend(), budget.isSpent, budget.spend()],
    [false, true, true, true, false],
  );
});
