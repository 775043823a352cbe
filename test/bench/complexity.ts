import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import { ExtractionSkipped, extract } from '../../daemon/extract/syntax.ts';
import type { FunctionComplexity } from '../../daemon/model/facts.ts';
import { packageRoot } from '../../daemon/package-root.ts';

/**
 * Complexity of functions, against the tools that the rules are taken from:
 *
 *   SVC_ESLINT=<folder with eslint and the plugins> node dist/test/bench/complexity.js <folder> [--differences]
 *
 * Functions are the same that begin and end on the same lines; of several there, those that agree.
 */
type Expected = readonly [line: number, endLine: number, name: string, cyclomatic: number, cognitive: number | null];

interface Difference {
  readonly place: string;
  readonly expected: Expected | undefined;
  readonly found: FunctionComplexity | undefined;
}

const extensions: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx']);
const [root = '.', ...flags] = process.argv.slice(2);
const files = expectedFiles();
const differences: Difference[] = [];
let count = 0;
for (const { path, functions } of files) {
  const found = await foundIn(path);
  if (found === undefined) continue;
  count += functions.length;
  compare(path, functions, found);
}
report();

function expectedFiles(): { readonly path: string; readonly functions: readonly Expected[] }[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter(path => extensions.has(extname(path)));
  const output = execFileSync('node', [join(packageRoot, 'test/bench/oracles/eslint_complexity.mjs'), root], {
    input: listed.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  print(`${listed.length} files`);
  return output
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { path: string; functions: Expected[] });
}

/** Undefined where the extractor passes the file over. */
async function foundIn(path: string): Promise<readonly FunctionComplexity[] | undefined> {
  const dialect = dialectOf(path);
  if (dialect === '') return undefined;
  try {
    const facts = await extract(readFileSync(join(root, path)), dialect, { parseSteps: defaultParseSteps });
    return facts.complexity;
  } catch (error) {
    if (!(error instanceof ExtractionSkipped)) throw new Error(path, { cause: error });
    print(`${path}: ${error.reason}`);
    return undefined;
  }
}

function compare(path: string, expected: readonly Expected[], found: readonly FunctionComplexity[]): void {
  const byPlace = new Map<string, { expected: Expected[]; found: FunctionComplexity[] }>();
  const at = (line: number, endLine: number) => {
    const place = `${path}:${line}-${endLine}`;
    const both = byPlace.get(place) ?? { expected: [], found: [] };
    byPlace.set(place, both);
    return both;
  };
  for (const one of expected) at(one[0], one[1]).expected.push(one);
  for (const one of found) at(one.line + 1, one.endLine + 1).found.push(one);
  for (const [place, both] of byPlace) {
    const left = both.expected.filter(one => {
      const same = both.found.findIndex(other => isCyclomatic(one, other) && isCognitive(one, other));
      if (same >= 0) both.found.splice(same, 1);
      return same < 0;
    });
    for (let index = 0; index < Math.max(left.length, both.found.length); index++) {
      differences.push({ place, expected: left[index], found: both.found[index] });
    }
  }
}

function isCyclomatic(expected: Expected, found: FunctionComplexity): boolean {
  return expected[3] === found.cyclomatic;
}

function isCognitive(expected: Expected, found: FunctionComplexity): boolean {
  return expected[4] === null || expected[4] === found.cognitive;
}

function report(): void {
  const share = (wrong: number): string =>
    `${wrong} of ${count} differ, ${((1 - wrong / count) * 100).toFixed(3)} % equal`;
  const both = differences.filter(one => one.expected !== undefined && one.found !== undefined);
  const missing = differences.filter(one => one.found === undefined).length;
  print(`${files.length} of them parsed by the oracle, ${count} functions, ${missing} not found`);
  print(`${differences.length - both.length - missing} found that the oracle has not`);
  print(`cyclomatic: ${share(missing + both.filter(one => !isCyclomatic(one.expected!, one.found!)).length)}`);
  print(`cognitive: ${share(missing + both.filter(one => !isCognitive(one.expected!, one.found!)).length)}`);
  if (!flags.includes('--differences')) return;
  for (const { place, expected, found } of differences) {
    const said = expected === undefined ? 'nothing' : `${expected[2]} ${expected[3]}/${expected[4] ?? '-'}`;
    const own = found === undefined ? 'nothing' : `${found.name} ${found.cyclomatic}/${found.cognitive}`;
    print(`${place}: oracle ${said}, found ${own}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
