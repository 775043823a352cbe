import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryParts } from '../../../daemon/analysis/modules/module-model.ts';
import { typescriptWorkspace } from '../../../daemon/analysis/typescript-workspace.ts';
import { moduleInput } from '../../support/module-tree.ts';

async function workspaceOf(tree: string, marks: readonly string[] = []) {
  const input = await moduleInput(tree);
  const { tree: files, packages } = repositoryParts(input);
  return typescriptWorkspace({ tree: files, packages, configuration: input.configuration, marks: new Set(marks) });
}

const two = `
=== packages/a/package.json
{ "name": "@x/a" }
=== packages/b/package.json
{ "name": "@x/b" }
`;

test('who lists the packages is told by the file that does, and by the lock beside it', async () => {
  const workspaces = '=== package.json\n{ "name": "x", "workspaces": ["packages/*"] }';
  const rows: readonly (readonly [string, readonly string[], string, string, string])[] = [
    [workspaces, [], 'npm', 'none', 'npm run build --workspaces --if-present'],
    [workspaces, ['yarn.lock', 'turbo.json'], 'yarn', 'turbo', 'npx turbo run build'],
    [workspaces, ['bun.lock', 'nx.json'], 'bun', 'nx', 'npx nx run-many --target build'],
    ['=== pnpm-workspace.yaml\npackages: ["packages/*"]', ['yarn.lock'], 'pnpm', 'none', 'pnpm --recursive run build'],
    ['=== lerna.json\n{ "packages": ["packages/*"] }', [], 'lerna', 'lerna', 'npx lerna run build'],
    ['=== lerna.json\n{ "version": "1.0.0" }', [], 'lerna', 'lerna', 'npx lerna run build'],
    [
      '=== packages/a/project.json\n{ "name": "a" }\n=== packages/b/project.json\n{ "name": "b" }',
      ['nx.json'],
      'nx',
      'nx',
      'npx nx run-many --target build',
    ],
    // Lerna itself goes by the workspaces.
    [`=== lerna.json\n{ "version": "1.0.0" }\n${workspaces}`, [], 'npm', 'lerna', 'npx lerna run build'],
    [
      '=== rush.json\n// of Rush\n{ "projects": [{ "projectFolder": "packages/a" }, { "projectFolder": "packages/b" }] }',
      [],
      'rush',
      'none',
      'rush build',
    ],
    ['=== package.json\n{ "name": "x" }', [], 'none', 'none', 'npm run build --workspaces --if-present'],
    [
      '=== package.json\n{ "name": "x", "workspaces": { "packages": ["packages/*"] }, "scripts": { "build": "make" } }',
      ['yarn.lock', 'nx.json'],
      'yarn',
      'nx',
      'yarn run build',
    ],
    [
      `${workspaces}\n=== tsconfig.json\n{ "references": [{ "path": "packages/a" }] }`,
      [],
      'npm',
      'none',
      'npx tsc --build',
    ],
  ];
  for (const [root, marks, type, runner, build] of rows) {
    const found = await workspaceOf(`${root}\n${two}`, marks);
    assert.deepEqual([found.type, found.runner, found.build], [type, runner, build], root);
    const paths = found.packages.map(({ path }) => path);
    assert.deepEqual(paths, type === 'none' ? [] : ['packages/a', 'packages/b'], root);
  }
});

test('packages are those of the outermost workspace, without its root and without what it leaves out', async () => {
  const { packages } = await workspaceOf(`
=== package.json
{ "name": "x", "workspaces": ["packages/*", "tools/{one,two}", "!packages/b"] }
=== tools/one/package.json
{ "name": "one" }
=== tools/three/package.json
{ "name": "three" }
=== packages/a/fixtures/package.json
{ "name": "fixture", "workspaces": ["inner/*"] }
=== packages/a/fixtures/inner/c/package.json
{ "name": "c" }
${two}`);
  assert.deepEqual(
    packages.map(({ path, name }) => `${path} ${name}`),
    ['packages/a @x/a', 'tools/one one'],
  );
});

test('of each package is told what reads it and which types somebody has to build', async () => {
  const types = async (manifest: string): Promise<readonly string[]> => {
    const { packages } = await workspaceOf(`
=== package.json
{ "workspaces": ["a"], "name": "x" }
=== a/package.json
{ "name": "a", ${manifest} }
=== a/src/index.ts
export const a = 1;
=== a/tsconfig.json
{}
=== a/there.d.ts
export const a: number;
`);
    assert.deepEqual(
      packages.map(({ path, hasTsconfig, hasTypescript }) => [path, hasTsconfig, hasTypescript]),
      [['a', true, true]],
    );
    return packages[0]!.built;
  };
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['"types": "dist/index.d.ts", "main": "dist/index.js"', ['a/dist/index.d.ts']],
    ['"typings": "./dist/index.d.mts"', ['a/dist/index.d.mts']],
    ['"types": "./there.d.ts"', []],
    ['"types": "src/index.ts"', []],
    ['"main": "dist/index.js"', []],
    ['"types": "../../out.d.ts"', []],
    [
      '"exports": { ".": { "import": { "types": "./lib/i.d.ts", "default": "./lib/i.js" } }, "./b": { "types": "./b.d.ts" } }',
      ['a/lib/i.d.ts'],
    ],
    ['"exports": { "types": "./lib/*.d.ts", "default": "./lib/i.js" }', []],
    ['"exports": "./lib/i.js"', []],
  ];
  for (const [manifest, built] of rows) assert.deepEqual(await types(manifest), built, manifest);
});
