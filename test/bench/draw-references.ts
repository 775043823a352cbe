/**
 * Draws identifier occurrences to be labelled by hand (test/fixtures/labels/references), so that links can be judged.
 *
 *     node dist/test/bench/draw-references.js <checkout…> <language> [--seed 1] [--count 100] [--without <pattern>]
 *
 * One a line: `path:line:column name<TAB>source line`, 1-based; several checkouts take turns, each path then behind its
 * checkout's name and a colon. Drawn from the leaves of the syntax tree, never from the extractor's references: what it
 * misses must be drawn too. `--without` leaves out paths, such as what a generator wrote. The same seed over the same
 * trees gives the same order, so a larger count only goes on.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import type { Language } from '../../daemon/extract/language.ts';
import { languageFor } from '../../daemon/extract/languages.ts';
import { parserFor } from '../../daemon/extract/parsers.ts';
import { flatten, lineOf, type SyntaxTree } from '../../daemon/extract/tree.ts';

/** Folders of other people's code that a repository carries. */
const vendored = /(?:^|\/)(?:vendor|vendored|third[-_]party|thirdparty|node_modules|deps|external|extern|gtest)\//;

/** Node kinds that are names, over all grammars. */
const names =
  /^(?:(?!blank_)(?:\w+_)?identifier(?:_pattern|_dollar_escaped)?|name|constant|(?:instance|class|global)_variable|label_name)$/;

const options = readOptions(process.argv.slice(2));
const hats: { readonly checkout: string; readonly drawn: readonly Occurrence[] }[] = [];
for (const checkout of options.checkouts)
  hats.push({ checkout, drawn: shuffle(await occurrencesIn(checkout, options), randomFrom(options.seed)) });

for (let turn = 0, left = options.count; left > 0 && hats.some(({ drawn }) => turn < drawn.length); turn++) {
  for (const { checkout, drawn } of hats) {
    const one = drawn[turn];
    if (one === undefined || left-- <= 0) continue;
    const prefix = hats.length > 1 ? `${basename(resolve(checkout))}:` : '';
    process.stdout.write(`${prefix}${one.path}:${one.line}:${one.column} ${one.name}\t${lineIn(checkout, one)}\n`);
  }
}

interface Occurrence {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

type Options = ReturnType<typeof readOptions>;

function readOptions(words: string[]) {
  const take = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at < 0 ? undefined : words.splice(at, 2)[1];
  };
  const seed = Number(take('--seed') ?? 1);
  const count = Number(take('--count') ?? 100);
  const without = new RegExp(take('--without') ?? '$^');
  const language = words.at(-1) ?? '';
  return { seed, count, without, language, checkouts: words.slice(0, -1) };
}

async function occurrencesIn(checkout: string, { language, without }: Options): Promise<Occurrence[]> {
  const tracked = execFileSync('git', ['-C', checkout, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const found: Occurrence[] = [];
  for (const path of tracked.split('\0')) {
    const dialect = dialectOf(path);
    if (dialect === '' || vendored.test(path) || without.test(path)) continue;
    const source = readFileSync(join(checkout, path), 'utf8');
    const itsLanguage = await languageFor(dialect, source);
    if (itsLanguage?.name === language) found.push(...identifiersIn(path, await treeOf(source, itsLanguage)));
  }
  return found;
}

/** Of the text as it stands, not as the extractor prepares it. */
async function treeOf(source: string, { grammar }: Language): Promise<SyntaxTree> {
  const { parser, runtime } = await parserFor(grammar);
  const tree = parser.parse(source);
  if (tree === null) throw new Error(`no tree by ${grammar}`);
  try {
    return flatten({ tree, runtime }, source, source);
  } finally {
    tree.delete();
  }
}

function* identifiersIn(path: string, tree: SyntaxTree): Iterable<Occurrence> {
  for (let node = 0; node < tree.size; node++) {
    const isLeaf = tree.after[node] === node + 1 && tree.end[node]! > tree.start[node]!;
    if (!isLeaf || !tree.isNamed(node) || !names.test(tree.kind(node))) continue;
    const line = lineOf(tree, node);
    yield { path, line: line + 1, column: tree.start[node]! - tree.lineStarts[line]! + 1, name: tree.text(node) };
  }
}

/** Fisher and Yates. */
function shuffle<T>(all: T[], random: () => number): T[] {
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function lineIn(checkout: string, { path, line }: Occurrence): string {
  return readFileSync(join(checkout, path), 'utf8').split('\n')[line - 1]!.trim();
}
