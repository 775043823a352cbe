import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import { ExtractionSkipped, extract } from '../../daemon/extract/syntax.ts';
import { packageRoot } from '../../daemon/package-root.ts';

/**
 * Definitions found, against the language's own parser: recall and precision over (path, line, name, kind).
 *
 *   node dist/test/bench/definitions.js <folder> python|go|java [--differences]
 *
 * The oracle reads paths from its input and prints one JSON array per definition, and one `["", 0, path, "file"]` for
 * each file that it could parse: others don't count.
 */
const typescriptOracle = ['node', oracle('typescript_definitions.mjs')];
const oracles: Readonly<Record<string, { readonly extension: string; readonly command: readonly string[] }>> = {
  python: { extension: '.py', command: ['python3', oracle('python_definitions.py')] },
  java: { extension: '.java', command: ['java', oracle('JavaDefinitions.java')] },
  typescript: { extension: '.ts', command: typescriptOracle },
  tsx: { extension: '.tsx', command: typescriptOracle },
  javascript: { extension: '.js', command: typescriptOracle },
  go: { extension: '.go', command: ['go', 'run', oracle('go_definitions.go')] },
};

const [root = '.', language = 'python', ...flags] = process.argv.slice(2);
const expected = expectedRows();
const found = await foundRows(expected.files);
report(expected.rows, found.rows);
print(`${found.files} files, ${(found.bytes / 1e6).toFixed(1)} MB in ${found.elapsedMs.toFixed(0)} ms`);

function oracle(name: string): string {
  return join(packageRoot, 'test/bench/oracles', name);
}

function expectedRows(): { rows: string[]; files: string[] } {
  const { command, extension } = oracles[language]!;
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter(path => extname(path) === extension);
  const output = execFileSync(command[0]!, [...command.slice(1), root], {
    input: listed.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, GO111MODULE: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = output.split('\n').filter(line => line !== '');
  const parsed = lines.map(line => JSON.parse(line) as [string, number, string, string]);
  const files = parsed.filter(row => row[3] === 'file').map(row => row[2]);
  return { rows: parsed.filter(row => row[3] !== 'file').map(row => row.join('\t')), files };
}

async function foundRows(files: readonly string[]) {
  const rows: string[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  for (const path of files) {
    const content = readFileSync(join(root, path));
    const dialect = dialectOf(path);
    if (dialect === '') continue;
    bytes += content.length;
    try {
      const facts = await extract(content, dialect, { parseSteps: 15 * defaultParseSteps });
      for (const one of facts.definitions) {
        rows.push([path, one.nameRange.startLine + 1, one.name, one.kind].join('\t'));
      }
    } catch (error) {
      if (!(error instanceof ExtractionSkipped)) throw new Error(path, { cause: error });
      print(`${path}: ${error.reason}`);
    }
  }
  return { rows, bytes, files: files.length, elapsedMs: performance.now() - startedAt };
}

function report(expectedList: readonly string[], foundList: readonly string[]): void {
  const expectedSet = new Set(expectedList);
  const foundSet = new Set(foundList);
  const missing = [...expectedSet].filter(row => !foundSet.has(row));
  const extra = [...foundSet].filter(row => !expectedSet.has(row));
  const ratio = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(4));
  print(`expected ${expectedSet.size}  found ${foundSet.size}`);
  print(`recall ${ratio(expectedSet.size - missing.length, expectedSet.size)}`);
  print(`precision ${ratio(foundSet.size - extra.length, foundSet.size)}`);
  if (!flags.includes('--differences')) return;
  for (const row of missing) print(`- ${row}`);
  for (const row of extra) print(`+ ${row}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
