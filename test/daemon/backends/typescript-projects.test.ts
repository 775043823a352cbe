import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isTypescriptConfig,
  isTypescriptFile,
  readTypescriptConfigs,
  typescriptProjects,
} from '../../../daemon/backends/typescript-projects.ts';
import { parseTree, temporaryFolder, writeTree } from '../../support/repository.ts';

/** Files → the configuration whose options they are read by. */
const cases: Readonly<Record<string, { readonly tree: string; readonly projects: Readonly<Record<string, string>> }>> =
  {
    'the innermost folder with a tsconfig.json decides, whatever it includes': {
      tree: `
      -- tsconfig.json --
      { "include": ["src"] }
      -- src/a.ts --
      -- test/a.test.ts --
      -- scripts/build.mjs --
      -- packages/b/jsconfig.json --
      {}
      -- packages/b/index.js --
      -- packages/c/tsconfig.base.json --
      {}
      -- packages/c/index.tsx --
      -- packages/c/readme.md --
    `,
      projects: {
        'src/a.ts': 'tsconfig.json',
        'test/a.test.ts': 'tsconfig.json',
        'scripts/build.mjs': 'tsconfig.json',
        'packages/b/index.js': 'packages/b/jsconfig.json',
        'packages/c/index.tsx': 'tsconfig.json',
      },
    },
    'one that takes in nothing hands over to those beside it that it refers to': {
      tree: `
      -- app/tsconfig.json --
      { // comments and commas are allowed
        "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }, { "path": "../lib" }],
      }
      -- app/tsconfig.app.json --
      { "include": ["src/**/*.ts", "src/**/*.vue"] }
      -- app/tsconfig.node.json --
      { "include": ["vite.config.*"] }
      -- app/src/main.ts --
      -- app/vite.config.ts --
      -- app/other.ts --
      -- lib/tsconfig.json --
      {}
      -- lib/index.ts --
    `,
      projects: {
        'app/src/main.ts': 'app/tsconfig.app.json',
        'app/vite.config.ts': 'app/tsconfig.node.json',
        'app/other.ts': 'app/tsconfig.app.json',
        'lib/index.ts': 'lib/tsconfig.json',
      },
    },
    'without one, or with one that is broken, none': {
      tree: `
      -- a.js --
      -- b/tsconfig.json --
      [
      -- b/c.ts --
    `,
      projects: { 'a.js': '', 'b/c.ts': '' },
    },
    'one with files and references keeps what the others do not name closer': {
      tree: `
      -- tsconfig.json --
      { "include": ["src"], "references": [{ "path": "tsconfig.test.json" }] }
      -- tsconfig.test.json --
      { "include": ["src/test/**"] }
      -- src/a.ts --
      -- src/test/a.ts --
    `,
      projects: { 'src/a.ts': 'tsconfig.json', 'src/test/a.ts': 'tsconfig.test.json' },
    },
  };

for (const [name, { tree, projects }] of Object.entries(cases)) {
  test(name, t => {
    const folder = temporaryFolder(t);
    writeTree(folder.root, tree);
    const paths = [...parseTree(tree).keys()];
    const configs = readTypescriptConfigs(folder.root, paths.filter(isTypescriptConfig));
    const found = typescriptProjects(paths.filter(isTypescriptFile), configs);
    assert.deepEqual(
      Object.fromEntries(found.flatMap(({ config, files }) => files.map(file => [file, config]))),
      projects,
    );
  });
}
