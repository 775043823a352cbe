import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { analysed } from '../../../daemon/operations/analysis/analyses.ts';
import { callsOf } from '../../../daemon/operations/telemetry/matched-calls.ts';
import { type CalledTree, calledTree } from './called-tree.ts';

/** What each reported function is: its quality, and where that is; or why it is nothing. */
function matched(tree: CalledTree): Readonly<Record<string, string>> {
  return tree.aboutCalls((reader, asked) =>
    analysed(reader, asked, of => {
      const { symbols, unmatched } = callsOf(of)!.all();
      const found = [...symbols.values()].flatMap(({ hash, functions }) => {
        const { path } = reader.symbol(asked.repo.key, of.snapshot.seq, hash)!;
        return functions.map(({ stored, quality, isFormer }) => {
          const told = `${quality} ${path}${isFormer ? ' formerly' : ''}`;
          return [`${stored.file} ${stored.name}`.trim(), told] as const;
        });
      });
      const lost = unmatched.map(({ stored, because }) => [`${stored.file} ${stored.name}`.trim(), because] as const);
      return Object.fromEntries([...found, ...lost]);
    }),
  );
}

async function reported(t: TestContext, text: string, functions: readonly string[]): Promise<CalledTree> {
  const tree = await calledTree(t, text);
  await tree.report({ service: 'shop', functions, days: 0 });
  return tree;
}

test('what lies where packages are installed is ours if the package is', async t => {
  const tree = await reported(
    t,
    `
-- package.json --
{ "name": "shop", "private": true, "workspaces": ["packages/*"] }
-- index.ts --
export function parse() {}
-- src/index.ts --
export function load() {}
-- packages/cart/package.json --
{ "name": "@acme/cart", "main": "dist/index.js" }
-- packages/cart/src/index.ts --
export function parse() {}
export function load() {}
`,
    [
      '/app/node_modules/zod/index.js parse',
      '/app/node_modules/zod/dist/index.js load',
      '/app/node_modules/@acme/cart/dist/index.js parse',
      '/app/cart/dist/index.js load',
    ],
  );
  assert.deepEqual(matched(tree), {
    '/app/node_modules/@acme/cart/dist/index.js parse': 'strong packages/cart/src/index.ts',
    '/app/cart/dist/index.js load': 'strong packages/cart/src/index.ts',
    '/app/node_modules/zod/index.js parse': 'foreign',
    '/app/node_modules/zod/dist/index.js load': 'foreign',
  });
});
