import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { scipTypescript } from '../../support/scip-typescript.ts';
import { type AnalysedTree, analysedTree, idIn } from './analysed-tree.ts';

/** A tree, and what scip-typescript says of it. */
async function preciseTree(t: TestContext, text: string): Promise<AnalysedTree> {
  const of = await analysedTree(t, text);
  const lines = of.tree.dump().lines.map(line => line.split('\t'));
  const paths = lines.flatMap(([row, path]) => (row === 'entry' ? [path!] : []));
  const file = await scipTypescript(t, of.folder.root, paths);
  await of.tree.engine.ingestScip(of.tree.repo, { parts: [{ file }], seen: { kind: 'tree' } });
  return of;
}

function impactOf(of: AnalysedTree, path: string, tail: string): readonly string[] {
  const input = { id: idIn(of, path, tail), depth: 2, includeTests: true, limit: 1000, sync: false };
  return of.ask('analysis.impact', input)!.affected.map(one => `${one.distance} ${one.relation} ${one.name}`);
}

function tracedBetween(of: AnalysedTree, from: string, to: string): readonly string[] {
  const { path } = of.ask('analysis.trace', { from, to, sync: false })!;
  return path.map(({ name }) => name);
}

test('what an indexer finds nothing behind, a package that is not built, is used as syntax says', async t => {
  const of = await preciseTree(
    t,
    `
    -- package.json --
    { "private": true, "workspaces": ["packages/*"] }
    -- packages/a/package.json --
    { "name": "@w/a", "main": "dist/index.js", "types": "dist/index.d.ts" }
    -- packages/a/src/index.ts --
    export { farewell } from './f';
    -- packages/a/src/f.ts --
    export function farewell(name: string): string { return greet(name); }
    function greet(name: string): string { return name; }
    -- packages/b/package.json --
    { "name": "@w/b", "main": "src/leave.ts" }
    -- packages/b/src/leave.ts --
    import { farewell } from '@w/a';
    export function leave(): string { return farewell('you'); }
  `,
  );
  assert.deepEqual(impactOf(of, 'packages/a/src/f.ts', 'farewell().'), [
    '1 importer packages/a/src/index.ts',
    '1 importer packages/b/src/leave.ts',
    '1 caller leave',
  ]);
  const [leave, greet] = [idIn(of, 'packages/b/src/leave.ts', 'leave().'), idIn(of, 'packages/a/src/f.ts', 'greet().')];
  assert.deepEqual(tracedBetween(of, leave, greet), ['leave', 'farewell', 'greet']);
});

test('who makes a value of a class uses it, whichever of both an indexer names', async t => {
  const of = await preciseTree(
    t,
    `
    -- package.json --
    { "private": true, "main": "src/index.ts" }
    -- src/index.ts --
    import * as boxes from './boxes';
    export function make(): unknown { return new boxes.Box(1); }
    export function outer(): unknown { return make(); }
    -- src/boxes.ts --
    export class Box { constructor(readonly value: number) { touch(); } }
    export class Unused { constructor(readonly value: number) {} }
    function touch(): void {}
  `,
  );
  assert.deepEqual(impactOf(of, 'src/boxes.ts', 'Box#'), ['1 caller make', '2 caller outer']);
  const [make, box, touch] = [
    idIn(of, 'src/index.ts', 'make().'),
    idIn(of, 'src/boxes.ts', 'Box#'),
    idIn(of, 'src/boxes.ts', 'touch().'),
  ];
  assert.deepEqual(tracedBetween(of, make, box), ['make', 'Box']);
  assert.deepEqual(tracedBetween(of, make, touch), ['make', 'constructor', 'touch']);
  assert.deepEqual(unwiredIn(of), ['Unused nothing uses it']);
});

const rendered = `
  -- package.json --
  { "private": true, "main": "src/page.tsx" }
  -- tsconfig.json --
  { "compilerOptions": { "jsx": "preserve", "experimentalDecorators": true } }
  -- src/child.tsx --
  export function Child(p: { n: number }) { return <b>{p.n}</b>; }
  export function log(...given: any[]): any {}
  -- src/page.tsx --
  import { Child, log } from './child';
  import * as children from './child';
  export const Page = () => <div><Child n={1}></Child></div>;
  export const Other = () => <children.Child n={2} />;
  export const held = [Child];
  export class Made { @log run() {} }
  export const bound = () => (0, log)();
  export async function late() { const { log } = await import('./child'); log(); }
`;

test('what reads like no call is one, whoever names what is called', async t => {
  for (const of of [await analysedTree(t, rendered), await preciseTree(t, rendered)]) {
    const users = (tail: string): readonly string[] => [...impactOf(of, 'src/child.tsx', tail)].sort();
    const file = '1 importer src/page.tsx';
    assert.deepEqual(users('Child().'), ['1 caller Other', '1 caller Page', '1 importer held', file]);
    assert.deepEqual(users('log().'), ['1 caller Made', '1 caller bound', '1 caller late', file]);
  }
});

test('a symbol that is handed on under another name is not used by that, whoever says so', async t => {
  const text = `
    -- package.json --
    { "private": true, "main": "src/index.ts" }
    -- src/index.ts --
    import { live } from './barrel';
    live();
    -- src/barrel.ts --
    export { live } from './all';
    export { one as first } from './all';
    export { default as Second } from './all';
    import { three as third, four } from './all';
    export { third, four as fourth };
    -- src/all.ts --
    export function live(): void {}
    export function one(): void {}
    export default function two(): void {}
    export function three(): void {}
    export function four(): void {}
  `;
  const handedOn = ['one', 'two', 'three', 'four'].map(name => `${name} nothing uses it, those who hand it on apart`);
  assert.deepEqual(unwiredIn(await analysedTree(t, text)), handedOn);
  assert.deepEqual(unwiredIn(await preciseTree(t, text)), handedOn);
});

function unwiredIn(of: AnalysedTree): readonly string[] {
  const input = { minConfidence: 0.8, limit: 100, includeTypes: false, sync: false };
  const { unwiredModules } = of.ask('analysis.unwired', input)!;
  return unwiredModules.flatMap(({ symbols }) => symbols.map(({ name, reason }) => `${name} ${reason}`));
}
