import { type Cleanup, temporaryFolder, type Workspace, workspace } from '../support/repository.ts';

/** What the oracle begins with: five languages that import one another, and most of what decides which file means what. */
export const project = `
-- package.json --
{ "name": "oracle", "private": true, "workspaces": ["packages/*"] }
-- tsconfig.json --
{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["lib/*"] } } }
-- .gitignore --
*.log
/out/
-- src/index.ts --
export * from './a';
export { b as renamed } from './b';
-- src/a.ts --
import { b } from './b';
export function a() { return b(); }
-- src/b.ts --
export function b() { return 1; }
export class Widget { draw() { return this.size; } size = 1; }
-- src/.gitignore --
generated/
-- src/generated/made.ts --
export function made() { return 1; }
-- lib/tool.ts --
import { Widget } from '../src/b';
export function tool(widget: Widget) { return widget.draw(); }
-- lib/index.js --
export { tool } from './tool';
-- app/main.tsx --
import { tool } from '@lib/tool';
import { a, renamed } from '../src';
import { thing } from '@oracle/part';
tool(a()); renamed(); thing();
-- packages/part/package.json --
{ "name": "@oracle/part", "exports": "./src/index.ts" }
-- packages/part/src/index.ts --
export function thing() { return 1; }
-- py/pkg/__init__.py --
from .mod import thing
-- py/pkg/mod.py --
def thing(): return 1
-- py/main.py --
from pkg import thing
from pkg.mod import thing as other
thing(); other()
-- go/go.mod --
module example.com/o
-- go/p/p.go --
package p
func A() int { return b() }
-- go/p/q.go --
package p
func b() int { return 1 }
-- go/main.go --
package main
import "example.com/o/p"
func main() { p.A() }
-- c/tool.h --
int tool(int size);
-- c/tool.c --
#include "tool.h"
int tool(int size) { return size; }
-- c/main.c --
#include "tool.h"
int main(void) { return tool(1); }
-- java/x/A.java --
package x;
class A { int a() { return B.b(); } }
-- java/x/B.java --
package x;
class B { static int b() { return 1; } }
-- nested/inner.ts --
export function inner() { return 1; }
-- notes.md --
# Notes
`;

/** Files that operations write and move. */
export const files: readonly string[] = [
  'src/a.ts',
  'src/b.ts',
  'src/c.ts',
  'src/index.ts',
  'src/b.d.ts',
  'src/a/index.ts',
  'src/generated/made.ts',
  'lib/tool.ts',
  'lib/index.js',
  'lib/b.ts',
  'app/main.tsx',
  'packages/part/src/index.ts',
  'packages/other/src/index.ts',
  'py/pkg/mod.py',
  'py/pkg/__init__.py',
  'py/main.py',
  'go/p/p.go',
  'go/p/q.go',
  'go/main.go',
  'c/tool.h',
  'c/tool.c',
  'c/main.c',
  'java/x/A.java',
  'java/x/B.java',
  'nested/inner.ts',
  'out/kept.ts',
  'debug.log',
];

/** Folders that operations move, swap and remove. */
export const folders: readonly string[] = [
  'src',
  'lib',
  'app',
  'src/generated',
  'packages/part',
  'packages/other',
  'py/pkg',
  'go/p',
  'c',
  'java/x',
  'nested',
  'deep/er',
];

/** Files that say what other files mean or whether they count, with texts that each may have. */
export const settings: Readonly<Record<string, readonly string[]>> = {
  'tsconfig.json': ['lib/*', 'src/*', 'nowhere/*'].map(place =>
    JSON.stringify({ compilerOptions: { baseUrl: '.', paths: { '@lib/*': [place] } } }),
  ),
  '.gitignore': ['', '*.log\n/out/\n', 'lib/\n', '*.js\n', 'src/c.ts\n', 'app\n', '*.c\n!main.c\n', 'py/\n'],
  'src/.gitignore': ['', 'generated/\n', '*.d.ts\n', 'b.ts\n', '*\n!a.ts\n'],
  'packages/part/package.json': [
    '{ "name": "@oracle/part", "exports": "./src/index.ts" }',
    '{ "name": "@oracle/renamed", "exports": "./src/index.ts" }',
    '{ "name": "@oracle/part", "exports": { ".": "./src/nowhere.ts", "./more": "./src/index.ts" } }',
    '{ "name": ',
  ],
  'package.json': [
    '{ "name": "oracle", "private": true, "workspaces": ["packages/*"] }',
    '{ "name": "oracle", "private": true }',
  ],
  'go/go.mod': ['module example.com/o\n', 'module example.com/other\n'],
};

/** Text for a file, by what its name says it is; `random` gives numbers from 0 up to 1. */
export function contentOf(path: string, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const name = () => pick(['a', 'b', 'tool', 'Widget', 'thing', 'made']);
  if (path.endsWith('.py')) {
    const from = pick(['.mod', 'pkg', 'pkg.mod', '.']);
    return `from ${from} import ${name()}\ndef ${name()}():\n    return ${name()}()\n`;
  }
  if (path.endsWith('.go')) {
    const clause = path === 'go/main.go' ? 'main\nimport "example.com/o/p"' : 'p';
    return `package ${clause}\nfunc ${name()}() int { return ${pick(['', 'p.A() + '])}${name()}() }\n`;
  }
  if (path.endsWith('.java'))
    return `package x;\nclass ${pick(['A', 'B'])} { static int ${name()}() { return B.${name()}(); } }\n`;
  if (path.endsWith('.h')) return `int ${name()}(int size);\n`;
  if (path.endsWith('.c')) return `#include "tool.h"\nint ${name()}(int size) { return ${name()}(size); }\n`;
  const specifiers = ['./a', './b', '../src', '../lib/tool', '@lib/tool', '@lib/b', './index', '@oracle/part', 'react'];
  const pieces = [
    () => `import { ${name()} as one } from '${pick(specifiers)}';\nexport const two = one();\n`,
    () => `export * from '${pick(specifiers)}';\n`,
    () => `export { ${name()} } from '${pick(specifiers)}';\n`,
    () => `export function ${name()}() { return ${name()}(); }\n`,
    () => `export class ${name()} { draw() { return 1; } }\n`,
    () => `import * as all from '${pick(specifiers)}';\nall.${name()}();\n`,
  ];
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(pieces)()).join('');
}

/** A second worktree, at the commit that the first is at. */
export function besides(scope: Cleanup, { git }: Workspace): Workspace {
  const beside = workspace(temporaryFolder(scope).path('beside'));
  git('worktree', 'add', '--quiet', '--detach', beside.root);
  return beside;
}

/** Two branches that differ, and a repository inside the tree, which is none of its files. */
export function furnish(workspace: Workspace): void {
  workspace.write('vendor/module/inside.ts', 'export const inside = 1;\n');
  workspace.git('init', '--quiet', 'vendor/module');
  workspace.git('-C', 'vendor/module', 'commit', '--quiet', '--allow-empty', '-m', 'inside');
  workspace.git('checkout', '--quiet', '-b', 'other');
  for (const path of files.slice(0, 12))
    workspace.write(
      path,
      contentOf(path, () => 0.5),
    );
  workspace.git('rm', '--quiet', '-r', '-f', 'py/pkg', 'java/x/B.java');
  workspace.write('src/other.ts', "export { a } from './a';\n");
  workspace.commit('other');
  workspace.git('checkout', '--quiet', 'main');
}
