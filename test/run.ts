import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** Runs the tests below this folder (or those whose path holds one of the arguments); `*.long.ts` only with `--long`. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const words = process.argv.slice(2).filter(word => !word.startsWith('--'));
const isLong = process.argv.includes('--long');
const suffix = isLong ? '.long.js' : '.test.js';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith(suffix) && (words.length === 0 || words.some(word => file.includes(word))))
  .map(file => join(folder, file))
  .sort();

run({ files, concurrency: 3, timeout: isLong ? 3_600_000 : 240_000 })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
