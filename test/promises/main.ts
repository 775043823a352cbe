import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import { packageRoot } from '../../daemon/package-root.ts';
import type { Break, Promised, TestAt } from './promised.ts';
import { promises } from './promises.ts';
import { type Outcome, outcomesIn, placeOf, tableOf } from './table.ts';

/**
 * `npm run promises [-- 12 13] [--long] [--no-green]`: runs the tests of each promise (those of the long run and the soak with
 * `--long`), then breaks the promise in a copy of the product, in every way that its list has, and sees the tests fail.
 * Writes what came of it into `test/PROMISES.md`.
 */
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean', default: false }, 'no-green': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const numbers = positionals.map(word => Number(word.replace(/^P/, '')));
const asked = promises.filter(({ number }) => numbers.length === 0 || numbers.includes(number));
const tablePath = join(packageRoot, 'test/PROMISES.md');
const outcomes = new Map(existsSync(tablePath) ? outcomesIn(readFileSync(tablePath, 'utf8')) : []);

const copy = mkdtempSync(join(tmpdir(), 'svc-promises-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
for (const part of ['client', 'watch', 'daemon', 'http', 'cli', 'test', 'README.md', 'config.example.toml']) {
  cpSync(join(packageRoot, part), join(copy, part), { recursive: true });
}
for (const file of [
  'package.json',
  'tsconfig.json',
  'package-lock.json',
  'ARCHITECTURE.md',
  'biome.json',
  '.ci',
  '.gitignore',
]) {
  cpSync(join(packageRoot, file), join(copy, file), { recursive: true });
}
// A link to them has modules of both kinds loaded twice.
cpSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });
// A test asks git which files there are.
run('git', ['init', '--quiet']);
run('node_modules/.bin/tsc', ['--build', '--force']);
// As the compiler left it: what the build puts together from there begins with these files.
cpSync(join(copy, 'dist'), join(copy, 'compiled'), { recursive: true, preserveTimestamps: true });
run(process.execPath, ['dist/cli/finish-build.js']);
cpSync(join(copy, 'dist'), join(copy, 'finished'), { recursive: true, preserveTimestamps: true });
const putTogether = readdirSync(join(copy, 'compiled'), { recursive: true, encoding: 'utf8' }).filter(
  file => file.endsWith('.js') && !readIn('compiled', file).equals(readIn('finished', file)),
);
/** What the product as it is passes. */
const passed = new Map<string, boolean>();
for (const promised of asked) {
  outcomes.set(promised.number, outcomeOf(promised));
  writeFileSync(tablePath, tableOf(promises, outcomes));
}

function dueOf({ tests }: Promised): readonly TestAt[] {
  return tests.filter(one => values.long || placeOf(one) === 'T1');
}

function outcomeOf(promised: Promised): Outcome {
  const { number, breaks } = promised;
  const due = dueOf(promised);
  const failing = values['no-green'] ? [] : due.filter(one => !passesWhole(one));
  for (const { file, title } of failing) say(`P${number}: FAILS: ${file} ${title ?? ''}`);
  const unseen = breaks.filter(one => !isSeen(one, due));
  for (const { how } of unseen) say(`P${number}: NOT NOTICED: ${how}`);
  const isRed = failing.length > 0 || unseen.length > 0;
  const result = `${isRed ? 'red' : 'green'}, ${breaks.length - unseen.length} of ${breaks.length} breaks seen`;
  say(`P${number}: ${result}`);
  if (isRed) process.exitCode = 1;
  return { result, date: new Date().toISOString().slice(0, 10) };
}

/** Makes the change, runs what must fail then, and takes it back. */
function isSeen({ file, from, to, red }: Break, tests: readonly TestAt[]): boolean {
  // What fails with the product as it is shows nothing.
  const telling = (red === undefined ? tests : [red]).filter(passesWhole);
  const text = readFileSync(join(copy, file), 'utf8');
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file} must have once: ${from}`);
  writeFileSync(join(copy, file), parts.join(to));
  if (file.endsWith('.ts')) {
    for (const one of putTogether) cpSync(join(copy, 'compiled', one), join(copy, 'dist', one));
    writeFileSync(join(copy, 'dist', builtFrom(file)), compiled(parts.join(to)));
    run(process.execPath, ['dist/cli/finish-build.js']);
  }
  const isNoticed = telling.some(one => !passes(one));
  writeFileSync(join(copy, file), text);
  if (file.endsWith('.ts')) {
    for (const one of [...putTogether, builtFrom(file)]) cpSync(join(copy, 'finished', one), join(copy, 'dist', one));
  }
  return isNoticed;
}

function readIn(folder: 'compiled' | 'finished', file: string): Buffer {
  return readFileSync(join(copy, folder, file));
}

function builtFrom(file: string): string {
  return file.replace(/\.ts$/, '.js');
}

/** As the compiler has it, but for types that are not looked at. */
function compiled(text: string): string {
  const imports = text.replaceAll(/(from '|import\(')(\.[^']*)\.ts'/g, "$1$2.js'");
  return transformSync(imports, { loader: 'ts', format: 'esm', target: 'es2023' }).code;
}

/** Looked at once. */
function passesWhole(one: TestAt): boolean {
  const key = JSON.stringify(one);
  if (!passed.has(key)) passed.set(key, passes(one));
  return passed.get(key)!;
}

/** A test that can't be found has not passed, nor has one of which a part was skipped. */
function passes(one: TestAt): boolean {
  const { title } = one;
  if (title === undefined) return hasPassed(outputOf(one, []));
  const output = outputOf(one, [`--test-name-pattern=${patternOf(title)}`]);
  // The pattern is held against parts of tests as well: such a file is run whole.
  return hasPassed(/^ +ok .* # SKIP test name does not match/m.test(output) ? outputOf(one, []) : output);
}

/** What a run told, as TAP: nothing where it ended badly. */
function outputOf({ file }: TestAt, words: readonly string[]): string {
  const program = join('dist/test', file.replace(/\.ts$/, '.js'));
  const flags = isBench(file) ? [] : ['--liftoff-only', '--test-reporter=tap', ...words];
  const { status, stdout } = spawnSync(process.execPath, [...flags, program], {
    cwd: copy,
    encoding: 'utf8',
    // As those have it that run all of them.
    timeout: file.endsWith('.test.ts') ? 600_000 : 3_600_000,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) return '';
  return isBench(file) ? '# pass 1' : stdout;
}

function isBench(file: string): boolean {
  return file.startsWith('bench/');
}

function hasPassed(output: string): boolean {
  const count = (of: string): number => Number(new RegExp(`^# ${of} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  return count('pass') > 0 && count('fail') === 0;
}

/** The title as an expression, up to where something is put in. */
function patternOf(title: string): string {
  const [fixed = ''] = title.split('${');
  return fixed.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function run(program: string, words: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(program, words, { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}${stdout}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
