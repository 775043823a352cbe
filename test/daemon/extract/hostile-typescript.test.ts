import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { extract } from '../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';

function factsOf(source: string): Promise<DocumentFacts> {
  return extract(new TextEncoder().encode(source), 'typescript' as Dialect, { parseSteps: defaultParseSteps });
}

async function assertStillReads(): Promise<void> {
  const { definitions } = await factsOf('export function fine() {}');
  assert.deepEqual(
    definitions.map(({ tail, exported }) => [tail, exported]),
    [['fine().', true]],
  );
}

const hostile: Readonly<Record<string, string>> = {
  'deep parentheses': `${'('.repeat(20_000)}x${')'.repeat(20_000)}`,
  'deep calls': `${'f('.repeat(20_000)}x${')'.repeat(20_000)}`,
  'deep objects': `const a = ${'{ a: '.repeat(20_000)}1${' }'.repeat(20_000)};`,
  'deep types': `type T = ${'Array<'.repeat(20_000)}X${'>'.repeat(20_000)};`,
  'long sums': `const a = ${'b + '.repeat(20_000)}b;`,
  'long chains': `a${'.b()'.repeat(20_000)};`,
  'deep blocks': `${'{'.repeat(20_000)}${'}'.repeat(20_000)}`,
  'deep functions': `${'function f() {'.repeat(5_000)}${'}'.repeat(5_000)}`,
  'deep patterns': `const ${'['.repeat(20_000)}a${']'.repeat(20_000)} = 1;`,
  'deep ternaries': `const a = ${'b ? c : '.repeat(20_000)}d;`,
  'deep ternaries with a type': `const a: T = ${'b ? c : '.repeat(20_000)}{ d: 1 };`,
  'nothing but brackets': '{[('.repeat(20_000),
  'NUL and lone surrogates': 'const a = "\0\ud800"; \0 f(\ud800);',
};

for (const [name, source] of Object.entries(hostile)) {
  test(`survives ${name}`, async () => {
    const facts = await factsOf(source);
    assert.equal(facts.language, 'typescript');
    await assertStillReads();
  });
}

test('a parse that takes more than its budget is given up, and the next file is read', async () => {
  const impatient = { parseSteps: 10 };
  const source = new TextEncoder().encode('export const a = [1, 2, 3];\n'.repeat(20_000));
  await assert.rejects(extract(source, 'typescript' as Dialect, impatient), { reason: 'parse_timeout' });
  await assertStillReads();
});
