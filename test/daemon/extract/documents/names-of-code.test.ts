import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '../../../../daemon/extract/documents/read-document.ts';

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** What a document's code has for itself: what it defines, and what its callbacks are handed. */
const owns: readonly (readonly [markdown: string, defined: string, parameters: string])[] = [
  [
    fence('python', 'class Model(Base):\n    class Config:\n        x = 1\n    def dump(self):\n        pass'),
    'Model Config',
    '',
  ],
  [fence('python', 'def build(a):\n    return a\n@overload\ndef told(a): ...'), 'build', ''],
  [fence('python', 'from app import Model\n\nclass Model(Model): pass'), '', ''],
  [fence('ts', 'export abstract class Box {}\ninterface Lid { a: 1 }\ntype Key = string'), 'Box Lid Key', ''],
  [fence('ts', 'export async function load(a: A): B {\n  const inner = 1\n}\nfunction told(a: A): B;'), 'load', ''],
  [fence('ts', 'function long(\n  a: A,\n): B {\n}\nfunction told(\n  a: A,\n): B;'), 'long', ''],
  [fence('js', "const made = 1\nconst fastify = require('fastify')"), 'made', ''],
  [fence('go', 'type Config struct {}\nfunc New() App {\n}\nfunc Told(a int) App'), 'Config New', ''],
  [fence('go', 'app.Get("/", func(c fiber.Ctx, next Next) error {\n})'), '', 'c next'],
  [fence('rust', 'pub(crate) struct Point;\npub fn run() {}\nlist.map(|one| one.name())'), 'Point run', 'one'],
  [fence('js', '({ a, b: c, d = 1 }, ...rest) => a'), '', 'a c d rest'],
  [
    fence('ts', 'configure({ middleware: (getDefaultMiddleware: Get) => getDefaultMiddleware() })'),
    '',
    'getDefaultMiddleware',
  ],
  [fence('js', 'list.map(one => one)'), '', 'one'],
  [fence('python', 'sorted(a, key=lambda one, two: one)'), '', 'one two'],
  [fence('bash', 'function run() {\n}'), '', ''],
  [fence('', 'class Model {\n}'), 'Model', ''],
  ['!!! note\n    Text.\n\n    ```python\n    class Model:\n        x = 1\n\n    ```\n', 'Model', ''],
  ['    class Model:\n', '', ''],
  ['Hand it `(getDefaultMiddleware) => list`.', '', 'getDefaultMiddleware'],
];

for (const [markdown, defined, parameters] of owns) {
  test(`${JSON.stringify(markdown)} defines ${defined || 'nothing'}, and hands ${parameters || 'nothing'} over`, () => {
    const { code = [] } = readDocument(markdown);
    assert.equal(code.flatMap(one => one.defined).join(' '), defined);
    assert.deepEqual(new Set(code.flatMap(one => one.parameters)), new Set(parameters.split(' ').filter(Boolean)));
  });
}

/** What code without a language names. */
const calls: readonly (readonly [code: string, names: string])[] = [
  ['alphaHandler(1)', 'alphaHandler'],
  ['const a = alpha_handler(betaHandler(1))', 'alpha_handler betaHandler'],
  ['run(1)', ''],
  ['a.alphaHandler(1)', ''],
  ['function alphaHandler(a) {}', ''],
  ['$ alphaHandler(1)', ''],
  ['// alphaHandler(1)', ''],
];

for (const [code, names] of calls) {
  test(`${JSON.stringify(code)} without a language calls ${names || 'nothing'}`, () => {
    const { mentions } = readDocument(fence('', code));
    assert.equal(mentions.map(one => one.rawText).join(' '), names);
    assert.ok(mentions.every(one => one.isCall && one.kind === 'fence' && one.language === ''));
  });
}

test('commas as well as spaces and lines stand between names that are symbols', () => {
  const { known } = readDocument('\n<!-- svc:known_symbols alpha, beta,gamma\n  delta alpha -->');
  assert.deepEqual(
    known.map(({ name, line }) => `${name} ${line}`),
    ['alpha 2', 'beta 2', 'gamma 2', 'delta 3'],
  );
});
