import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { workspace } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { goModule, goPackage } from './large/go.ts';
import { javaPackage } from './large/java.ts';
import { type PackagePlan, planPackages, type Random } from './large/plan.ts';
import { pythonPackage } from './large/python.ts';
import type { MadeFile } from './large/text.ts';
import { typescriptPackage } from './large/typescript.ts';
import { benchArguments, milliseconds, say, timed } from './measure.ts';

/**
 * Writes a git repository of one commit as large companies have them: packages of TypeScript, Python, Go and Java in
 * 62 : 16 : 12 : 10, classes, typed members and calls that resolve across files, folders and packages, through barrels
 * and `__init__.py`. The same for the same numbers. The folder is emptied before.
 *
 *   node dist/test/bench/generate-large.js <folder> [--files 50000] [--seed 1]
 */
const { operands, flag } = benchArguments();
const [folder] = operands;
if (folder === undefined) throw new Error('generate-large.js <folder> [--files N] [--seed N]');
const root = resolve(folder);

const writers: Readonly<Record<PackagePlan['language'], (of: PackagePlan, random: Random) => Iterable<MadeFile>>> = {
  typescript: typescriptPackage,
  python: pythonPackage,
  go: goPackage,
  java: javaPackage,
};

const { value: written, ms } = await timed(() => {
  rmSync(root, { recursive: true, force: true });
  const files = flag('files', 50_000);
  const seed = flag('seed', 1);
  let count = 0;
  let bytes = 0;
  const folders = new Set<string>();
  for (const { path, text } of largeTree(files, seed)) {
    const place = join(root, path);
    const into = dirname(place);
    if (!folders.has(into)) mkdirSync(into, { recursive: true });
    folders.add(into);
    writeFileSync(place, text);
    count++;
    bytes += Buffer.byteLength(text);
  }
  const { git, commit } = workspace(root);
  git('init', '--quiet', '--initial-branch=main');
  commit('first');
  return { count, bytes };
});
say(`${written.count} files`, `${Math.round(written.bytes / 1e6)} MB`, milliseconds(ms));

function* largeTree(files: number, seed: number): Generator<MadeFile> {
  yield { path: 'package.json', text: '{ "name": "large", "private": true, "workspaces": ["packages/*"] }\n' };
  yield { path: 'tsconfig.json', text: '{ "compilerOptions": { "module": "NodeNext", "strict": true } }\n' };
  yield { path: 'python/pyproject.toml', text: '[project]\nname = "large"\nversion = "1.0.0"\n' };
  yield { path: 'go/go.mod', text: `module ${goModule}\n\ngo 1.22\n` };
  yield { path: 'java/pom.xml', text: '<project>\n  <artifactId>large</artifactId>\n</project>\n' };
  const random = randomFrom(seed + 1);
  for (const one of planPackages(files, seed)) yield* writers[one.language](one, random);
}
