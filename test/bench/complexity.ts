import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import { ExtractionSkipped, extract } from '../../daemon/extract/syntax.ts';
import type { FunctionComplexity } from '../../daemon/model/facts.ts';
import { packageRoot } from '../../daemon/package-root.ts';

/**
 * Complexity of functions, against the tools that the rules are taken from, or the same rules over each language's own parser:
 *
 *   SVC_ESLINT=<folder with eslint and the plugins> node dist/test/bench/complexity.js <folder> javascript [--differences]
 *   node dist/test/bench/complexity.js <folder> go|java|python [--differences]
 *   node dist/test/bench/complexity.js <folder> <file> [--differences]
 *
 * A file has what an oracle prints: for each source one JSON line {path, functions: [[line, endLine, name, cyclomatic,
 * cognitive]]}, with null for what is not known. Functions are the same that begin and end on the same lines; of several
 * there, those that agree.
 */
type Known = number | null;
type Expected = readonly [line: number, endLine: Known, name: string, cyclomatic: Known, cognitive: Known];

interface Difference {
  readonly place: string;
  readonly expected: Expected | undefined;
  readonly found: FunctionComplexity | undefined;
}

interface Oracle {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
}

const oracles: Readonly<Record<string, Oracle>> = {
  javascript: {
    extensions: ['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx'],
    command: ['node', oracle('eslint_complexity.mjs')],
  },
  go: { extensions: ['.go'], command: ['go', 'run', oracle('go_complexity.go')] },
  java: { extensions: ['.java'], command: ['java', oracle('JavaComplexity.java')] },
  python: { extensions: ['.py'], command: ['python3', oracle('python_complexity.py')] },
};

const [root = '.', against = 'javascript', ...flags] = process.argv.slice(2);
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

function oracle(name: string): string {
  return join(packageRoot, 'test/bench/oracles', name);
}

function expectedFiles(): { readonly path: string; readonly functions: readonly Expected[] }[] {
  const known = oracles[against];
  const said = known === undefined ? readFileSync(against, 'utf8') : saidBy(known);
  return said
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { path: string; functions: Expected[] });
}

function saidBy({ extensions, command: [program = '', ...parts] }: Oracle): string {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter(path => extensions.includes(extname(path)));
  print(`${listed.length} files`);
  return execFileSync(program, [...parts, root], {
    input: listed.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
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
  // Without ends, functions are told by where they begin.
  const hasEnds = expected.every(one => one[1] !== null);
  const byPlace = new Map<string, { expected: Expected[]; found: FunctionComplexity[] }>();
  const at = (line: number, endLine: Known) => {
    const place = `${path}:${line}${hasEnds ? `-${endLine}` : ''}`;
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
  return expected[3] === null || expected[3] === found.cyclomatic;
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
    const said = expected === undefined ? 'nothing' : `${expected[2]} ${expected[3] ?? '-'}/${expected[4] ?? '-'}`;
    const own = found === undefined ? 'nothing' : `${found.name} ${found.cyclomatic}/${found.cognitive}`;
    print(`${place}: oracle ${said}, found ${own}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
