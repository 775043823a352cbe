import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { extract } from '../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';
import { BrokenFacts, decodeFacts, encodeFacts, FactsView } from '../../../daemon/model/facts-codec.ts';
import { lazyFacts } from '../../../daemon/model/lazy-facts.ts';

/** Every operation of expressions, every flag, text outside ASCII, a reference over two lines. */
const source = `import d, { type a as b } from './x'; import * as ns from 'y'; export * from './z';
/** Ünïcödé 😀 */
export abstract class K<T extends d> extends ns.Base implements b<string> {
  constructor(private p: b[]) { super(); this.p[0].q = free; }
  async m(cb: (x: T) => b, { y } = this.p): Promise<b | d> { const w = await this.m(cb, null); return super.m(w) ?? new b(); }
  #secret = cb => { for (const e of this.p) e.f(...e); };
}
export const o = { key: { deep: 1 } };
K['m'];`;

/** All of its cells fit sixteen bits. */
const small = 'export class A extends B { f(a: C) { return this.f(a).g; } }\n';

function factsOf(text: string, dialect = 'typescript'): Promise<DocumentFacts> {
  const limits = { parseSteps: defaultParseSteps };
  return extract(new TextEncoder().encode(text), dialect as Dialect, limits);
}

test('facts survive their encoding', async () => {
  for (const [text, dialect] of [
    [source, 'typescript'],
    [small, 'typescript'],
    [`${small}/** ${'x'.repeat(70_000)} */\nexport const y = 1;\n`, 'typescript'],
    ['', 'typescript'],
    ['{ "name": "x" }', 'package.json'],
    ['//go:build ignore\n\npackage main', 'go'],
    ['def f(a):\n    def g(): return f(a and g())\n    return g()\n', 'python'],
  ] as const) {
    const facts = await factsOf(text, dialect);
    const decoded = decodeFacts(encodeFacts(facts));
    assert.deepEqual(decoded, facts);
    assert.deepEqual(encodeFacts(decoded), encodeFacts(facts));
  }
  const nested = await factsOf('def f():\n  def g(): f()\n', 'python');
  assert.deepEqual(
    nested.complexity.map(one => [one.name, one.recursion, one.countsAround]),
    [
      ['f', 1, false],
      ['g', 0, true],
    ],
  );
  assert.ok((await factsOf(source)).complexity.some(one => one.cyclomatic > 1 && one.parameters > 0));
  const used = new Set((await factsOf(source)).expressions.map(one => one.op));
  assert.ok(used.size >= 12, `the source shows only ${[...used]}`);
});

test('a document is encoded the same after one that could not be', async () => {
  const facts = await factsOf(small);
  const encoded = encodeFacts(facts);
  const broken = { ...(await factsOf(source)), references: [undefined as never] };
  assert.throws(() => encodeFacts(broken), TypeError);
  assert.deepEqual(encodeFacts(facts), encoded);
});

test('cells take two bytes where all fit, four where one does not', async () => {
  const facts = await factsOf(small);
  const far = facts.references.map(one => ({ ...one, line: 5_000, endLine: 5_000 }));
  const [narrow, wide] = [facts, { ...facts, references: far }].map(one => encodeFacts(one).length);
  assert.ok(wide! > narrow! * 1.4, `${wide} bytes, ${narrow} bytes`);
  assert.deepEqual(decodeFacts(encodeFacts({ ...facts, references: far })).references, far);
});

test('tables are decoded when they are touched', async () => {
  const facts = await factsOf(source);
  const lazy = lazyFacts(encodeFacts(facts));
  assert.deepEqual(lazy.complexity, facts.complexity);
  assert.deepEqual(lazy.references, facts.references);
});

test('a view reads single rows, from an unaligned buffer too', async () => {
  const facts = await factsOf(source);
  const encoded = encodeFacts(facts);
  const shifted = new Uint8Array(encoded.length + 1);
  shifted.set(encoded, 1);
  const view = new FactsView(shifted.subarray(1));
  assert.deepEqual(view.definition(2), facts.definitions[2]);
  assert.equal(view.definitionName(1), facts.definitions[1]!.name);
  assert.equal(view.definitionTail(1), facts.definitions[1]!.tail);
  assert.deepEqual(view.reference(3), facts.references[3]);
  assert.deepEqual(view.complexity(1), facts.complexity[1]);
});

test('broken buffers are told from good ones, never read past', async () => {
  const encoded = encodeFacts(await factsOf(source));
  const broken: Uint8Array[] = [new Uint8Array(0), new Uint8Array(64), encoded.subarray(0, encoded.length - 4)];
  for (const length of [1, 40, 63, 65, 400]) broken.push(encoded.subarray(0, length));
  const longer = new Uint8Array(encoded.length + 4);
  longer.set(encoded);
  broken.push(longer);
  for (const bytes of broken) assert.throws(() => decodeFacts(bytes), BrokenFacts, `${bytes.length} bytes`);
});

test('flipped bits give other facts or BrokenFacts, nothing else', async () => {
  for (const text of [source, small]) {
    const encoded = encodeFacts(await factsOf(text));
    for (let at = 0; at < encoded.length; at += 7) {
      const flipped = encoded.slice();
      flipped[at]! ^= 1 << (at % 8);
      try {
        decodeFacts(flipped);
      } catch (error) {
        assert.ok(error instanceof BrokenFacts, `byte ${at}: ${String(error)}`);
      }
    }
  }
});
