import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import { extract } from '../../daemon/extract/syntax.ts';
import { packageRoot } from '../../daemon/package-root.ts';

/**
 * Definitions against labels made by hand (test/fixtures/labels): recall and precision over (path, line, name, kind).
 *
 *     node dist/test/bench/definitions-labels.js <checkout of the labelled repository> dart [--differences]
 */
interface Labels {
  readonly repository: string;
  readonly commit: string;
  readonly definitions: readonly {
    readonly path: string;
    readonly line: number;
    readonly name: string;
    readonly kind: string;
  }[];
}

const [root = '.', language = 'dart', ...flags] = process.argv.slice(2);
const labels = JSON.parse(
  readFileSync(join(packageRoot, 'test/fixtures/labels', `${language}.json`), 'utf8'),
) as Labels;

const expected = new Set(labels.definitions.map(one => `${one.path}:${one.line} ${one.kind} ${one.name}`));
const found = new Set<string>();
for (const path of new Set(labels.definitions.map(one => one.path))) {
  const dialect = dialectOf(path);
  if (dialect === '') continue;
  const bytes = execFileSync('git', ['-C', root, 'show', `${labels.commit}:${path}`], { maxBuffer: 1 << 26 });
  const facts = await extract(bytes, dialect, { parseSteps: defaultParseSteps });
  for (const one of facts.definitions) found.add(`${path}:${one.nameRange.startLine + 1} ${one.kind} ${one.name}`);
}

const missed = [...expected].filter(row => !found.has(row));
const extra = [...found].filter(row => !expected.has(row));
const lines = [
  `${labels.repository}: ${expected.size} labels, ${found.size} found`,
  `recall ${(1 - missed.length / expected.size).toFixed(4)}  precision ${(1 - extra.length / found.size).toFixed(4)}`,
  ...(flags.includes('--differences') ? [...missed.map(row => `- ${row}`), ...extra.map(row => `+ ${row}`)] : []),
];
process.stdout.write(`${lines.join('\n')}\n`);
