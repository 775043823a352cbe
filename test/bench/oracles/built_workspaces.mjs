// Makes of a checkout what dependency-cruiser can follow without any package installed: workspaces linked as npm links
// them, and for each of their sources the file that a build would write of it, transpiled by itself.
//
// To be run where typescript 5 is installed, which the program that builds ours has no interface of:
//
//   node <here>/test/bench/oracles/built_workspaces.mjs <copy of a checkout> [folder of builds, build/src if left out]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const ts = createRequire(resolve('any.js'))('typescript');
const [root, builds = 'build/src'] = process.argv.slice(2);
const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
const files = listed.split('\0').filter(file => file !== '');
for (const file of files.filter(one => one.endsWith('/package.json'))) link(file);
const built = files.filter(build).length;
process.stdout.write(`${built} sources built\n`);

function link(manifest) {
  const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
  const path = join(root, 'node_modules', name ?? '');
  if (name === undefined || existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), join(root, dirname(manifest))), path);
}

function build(file) {
  const [, workspace, rest] = /^(.*?)\/src\/(.*)\.tsx?$/.exec(file) ?? [];
  if (workspace === undefined || file.endsWith('.d.ts') || !files.includes(`${workspace}/package.json`)) return false;
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), { compilerOptions });
  const path = join(root, workspace, builds, `${rest}.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, outputText);
  return true;
}
