import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryParts } from '../../../daemon/analysis/modules/module-model.ts';
import { typescriptWorkspace } from '../../../daemon/analysis/typescript-workspace.ts';
import { moduleInput } from '../../support/module-tree.ts';

async function workspaceOf(tree: string, marks: readonly string[] = []) {
  const input = await moduleInput(tree);
  const { tree: files, packages } = repositoryParts(input);
  const { configuration } = input;
  const mapped = (name: string) => mappings[name];
  return typescriptWorkspace({ tree: files, packages, configuration, marks: new Set(marks), mapped });
}

/** What configuration leads to source in every tree. */
const mappings: Readonly<Record<string, string>> = { '@x/mapped': 'packages/mapped/src/index.ts' };

const two = `
=== packages/a/package.json
{ "name": "@x/a" }
=== packages/b/package.json
{ "name": "@x/b" }
`;

test('who lists the packages is told by the file that does, and by the lock beside it', async () => {
  const workspaces = '=== package.json\n{ "name": "x", "workspaces": ["packages/*"] }';
  const rows: readonly (readonly [string, readonly string[], string, string])[] = [
    [workspaces, [], 'npm', 'none'],
    [workspaces, ['yarn.lock', 'turbo.json'], 'yarn', 'turbo'],
    [workspaces, ['bun.lock', 'nx.json'], 'bun', 'nx'],
    ['=== pnpm-workspace.yaml\npackages: ["packages/*"]', ['yarn.lock'], 'pnpm', 'none'],
    ['=== lerna.json\n{ "packages": ["packages/*"] }', [], 'lerna', 'lerna'],
    ['=== lerna.json\n{ "version": "1.0.0" }', [], 'lerna', 'lerna'],
    [
      '=== packages/a/project.json\n{ "name": "a" }\n=== packages/b/project.json\n{ "name": "b" }',
      ['nx.json'],
      'nx',
      'nx',
    ],
    // Lerna itself goes by the workspaces.
    [`=== lerna.json\n{ "version": "1.0.0" }\n${workspaces}`, [], 'npm', 'lerna'],
    [
      '=== rush.json\n// of Rush\n{ "projects": [{ "projectFolder": "packages/a" }, { "projectFolder": "packages/b" }] }',
      [],
      'rush',
      'none',
    ],
    ['=== package.json\n{ "name": "x" }', [], 'none', 'none'],
  ];
  for (const [root, marks, type, runner] of rows) {
    const found = await workspaceOf(`${root}\n${two}`, marks);
    assert.deepEqual([found.type, found.runner, found.build], [type, runner, undefined], root);
    const paths = found.packages.map(({ path }) => path);
    assert.deepEqual(paths, type === 'none' ? [] : ['packages/a', 'packages/b'], root);
  }
});

test('the command that builds types is a script that is there, and that makes those of most packages', async () => {
  type Scripts = Readonly<Record<string, string>>;
  const build = async (root: Scripts, packages: readonly Scripts[], marks: readonly string[] = [], more = '') => {
    const manifests = packages.map((scripts, at) => {
      const manifest = { name: `p${at}`, types: 'dist/index.d.ts', scripts };
      return `=== packages/p${at}/package.json\n${JSON.stringify(manifest)}`;
    });
    const app = '=== packages/app/package.json\n{ "name": "app", "scripts": { "build": "vite build" } }';
    const own = `=== package.json\n${JSON.stringify({ name: 'x', workspaces: ['packages/*'], scripts: root })}`;
    return (await workspaceOf([own, app, ...manifests, more].join('\n'), marks)).build;
  };
  const tsc = { build: 'tsc -b' };
  const rows: readonly (readonly [Parameters<typeof build>, string | undefined])[] = [
    [[{}, [tsc, tsc]], 'npm run build --workspaces --if-present'],
    [[{}, [{ compile: 'tsc' }, { compile: 'tsc' }], ['nx.json']], 'npx nx run-many --target compile'],
    [[{}, [tsc], ['turbo.json']], 'npx turbo run build'],
    [[{}, [tsc], ['yarn.lock']], 'yarn workspaces run build'],
    [[{}, [tsc], ['bun.lock']], "bun run --filter '*' build"],
    [[{}, [tsc], [], '=== lerna.json\n{ "packages": ["packages/*"] }'], 'npx lerna run build'],
    [[{}, [{}]], undefined],
    [[{}, [{ typecheck: 'tsc --noEmit', dev: 'tsc --watch', 'test:types': 'tsc' }]], undefined],
    [[{}, [{}], [], '=== tsconfig.json\n{ "references": [] }'], 'npx -p typescript tsc --build'],
    // One that builds an application, beside the one for the packages.
    [
      [
        {
          build: 'yarn --cwd ./packages/app build',
          'build:p0': 'yarn --cwd ./packages/p0 build:esm',
          'build:packages': 'yarn build:p0 && yarn --cwd packages/p1 build:esm',
        },
        [
          { 'build:esm': 'node build.js && yarn gen:types', 'gen:types': 'rimraf types && tsc' },
          { 'build:esm': 'yarn gen:types', 'gen:types': 'tsc' },
        ],
        ['yarn.lock'],
      ],
      'yarn run build:packages',
    ],
    // One that bundles, beside the one for types.
    [
      [{ build: 'node scripts/build.js', 'build-dts': 'tsc -p tsconfig.build.json && rollup -c' }, [{}, {}]],
      'npm run build-dts',
    ],
    [[{ compile: 'tsc --build tsconfig.json' }, [{ compile: 'tsc' }, {}], ['nx.json']], 'npm run compile'],
    [[{ build: 'turbo --filter=./packages/* build' }, [{ build: 'tsdown' }], ['turbo.json']], 'npm run build'],
    [
      [{ build: 'nx run-many -t build --exclude website' }, [{ build: 'pnpm exec nx build' }], ['nx.json']],
      'npm run build',
    ],
    [
      [{ build: 'npm run build -w p1 && npm run all', all: 'run-p build' }, [{ build: 'tsup --dts' }, tsc]],
      'npm run build --workspaces --if-present',
    ],
    [[{ prepare: 'pnpm -r build' }, [tsc]], 'npm run prepare'],
    [
      [{ build: "turbo --filter='p9*' build", 'build-them': 'turbo --filter=./packages/* build' }, [tsc]],
      'npm run build-them',
    ],
    [[{ build: 'yarn workspace p0 build', 'test-build': 'pnpm -r build' }, [tsc]], 'npm run build'],
    // It checks what is there, and round and round it goes.
    [[{ build: 'npm run build', 'check-types': 'tsc -b' }, [{}]], undefined],
  ];
  for (const [args, command] of rows) assert.equal(await build(...args), command, JSON.stringify(args));
});

test('packages are those of the outermost workspace, without its root and without what it leaves out', async () => {
  const { packages } = await workspaceOf(`
=== package.json
{ "name": "x", "workspaces": ["packages/*", "tools/{one,two}", "!packages/b", "+(apps|libs)/@(c|d)", "more/!(e|f)"] }
=== apps/c/package.json
{ "name": "c" }
=== libs/d/package.json
{ "name": "d" }
=== libs/e/package.json
{ "name": "e" }
=== more/e/package.json
{ "name": "me" }
=== more/g/package.json
{ "name": "mg" }
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
    ['apps/c c', 'libs/d d', 'more/g mg', 'packages/a @x/a', 'tools/one one'],
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
  const { packages } = await workspaceOf(`
=== package.json
{ "workspaces": ["packages/*"], "name": "x" }
=== packages/mapped/package.json
{ "name": "@x/mapped", "types": "dist/index.d.ts" }
`);
  assert.deepEqual(packages[0]!.built, [], 'configuration leads to its source');
});
