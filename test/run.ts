import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** Runs the tests below this folder (or those whose path holds one of the arguments); `*.long.ts` only with `--long`. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const words = process.argv.slice(2).filter(word => !word.startsWith('--'));
const isLong = process.argv.includes('--long');
const suffix = isLong ? '.long.js' : '.test.js';
const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith(suffix) && (words.length === 0 || words.some(word => file.includes(word))))
  .sort();
/** What takes longest begins first: one that began last would run alone. */
const isLengthy = (file: string): boolean => /^(?:fault|oracle)\b/.test(file);
const files = [...found.filter(isLengthy), ...found.filter(file => !isLengthy(file))].map(file => join(folder, file));

// Each test parses little, in every grammar: compiled well they take longer than they save, and so do threads that collect
// garbage. The long run has both.
if (!isLong) process.execArgv.push('--liftoff-only', '--single-threaded-gc');

// More than there are cores: most of them wait at times, for a deadline or for a disk.
run({ files, concurrency: availableParallelism() + 4, timeout: isLong ? 3_600_000 : 600_000 })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
