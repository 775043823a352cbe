import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { extract } from '../../daemon/extract/syntax.ts';
import type { Dialect } from '../../daemon/model/document.ts';
import { indexedTree } from '../daemon/jobs/indexed-tree.ts';
import { temporaryFolder } from '../support/repository.ts';

/** By extension a file with one definition; `N` makes each copy another content. */
const languages: Readonly<Record<string, string>> = {
  ts: 'export function goodN() {}\n',
  tsx: 'export const goodN = () => <p/>;\n',
  js: 'function goodN() {}\n',
  py: 'def goodN():\n    pass\n',
  go: 'package p\n\nfunc goodN() {}\n',
  rs: 'fn goodN() {}\n',
  java: 'class GoodN {}\n',
  kt: 'fun goodN() {}\n',
  c: 'int goodN(void) { return 1; }\n',
  cpp: 'int goodN() { return 1; }\n',
  dart: 'void goodN() {}\n',
  rb: 'def goodN\nend\n',
  cs: 'class GoodN {}\n',
  php: '<?php function goodN() {}\n',
};

const lines = (text: string, count: number): string => `${text}\n`.repeat(count);
const pathological: readonly string[] = [
  `x = 1 +\n${lines('a + '.repeat(500), 500)}a;\n`,
  lines('([{'.repeat(300), 100),
  `${lines('('.repeat(1000), 20)}1${lines(')'.repeat(1000), 20)};`,
  `${lines('{ if (a) '.repeat(20), 400)}b();${lines(' }'.repeat(20), 400)}`,
  lines(`x = "${'a\\"'.repeat(1000)}`, 100),
  `f${lines('<a<b,'.repeat(500), 20)}c>(d)`,
  lines('= + - * / % & | ^ ~ ! ? : < > . , ; @ # $ \\ '.repeat(40), 100),
  lines(String.fromCodePoint(...Array.from({ length: 5000 }, (_, at) => 33 + ((at * 7919 + (at >> 5)) % 12_000))), 20),
];

test('eight sources of each language that no parser was made for cost themselves at most, and no file after them', {
  timeout: 400_000,
}, async t => {
  const { root, write } = temporaryFolder(t);
  for (const [extension, good] of Object.entries(languages)) {
    for (const [n, bad] of pathological.entries()) {
      // PHP is text until it is told otherwise. Each copy is its own content, parsed for itself.
      write(`${extension}/${n}-bad.${extension}`, extension === 'php' ? `<?php ${bad}` : `${bad}\n${extension}`);
      write(`${extension}/${n}-good.${extension}`, good.replace('N', String(n)));
    }
  }
  const tree = indexedTree(t, root, { parseSteps: 500, stuckAfterMs: 1000, extractWorkers: 2 });
  const { fileCount } = await tree.crawl();
  assert.equal(fileCount, Object.keys(languages).length * 2 * pathological.length);
  const dump = tree.dump().lines;
  for (const extension of Object.keys(languages)) {
    for (const n of pathological.keys()) {
      const bad = tree.entry(`${extension}/${n}-bad.${extension}`)?.at(-1);
      assert.ok(
        ['', 'parse_timeout', 'parser_trap', 'parser_stuck'].includes(bad ?? 'absent'),
        `${extension} ${n}: ${bad}`,
      );
      const path = `${extension}/${n}-good.${extension}`;
      assert.equal(tree.entry(path)?.at(-1), '', path);
      assert.ok(
        dump.some(line => line.startsWith(`definition\t${path}\t`)),
        `nothing of ${path} was found`,
      );
    }
  }
});

test('five thousand files leave nothing behind', async () => {
  const text = new TextEncoder().encode('export function f(a: string) { return [a].map(b => b + 1); }\n'.repeat(40));
  const limits = { parseSteps: defaultParseSteps };
  const read = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n++) await extract(text, 'typescript' as Dialect, limits);
    return process.memoryUsage.rss();
  };
  const before = await read(1500);
  const after = await read(3500);
  const slope = (after - before) / 3500;
  // Each tree takes some hundred KiB of the grammar's memory: a leak of one in ten would show.
  assert.ok(slope < 10 * 1024, `${Math.round(slope)} bytes a file`);
});
