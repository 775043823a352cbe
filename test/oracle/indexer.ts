import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { scipBytes } from '../support/scip.ts';
import { randomFrom } from '../support/synthetic.ts';
import { namesIn, statsAt, textAt } from './readable.ts';

interface Word {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Of what is defined there; undefined of a mere use. */
  readonly symbol: string | undefined;
}

type Random = () => number;

/**
 * What an indexer of all languages might say of a tree. Where names lead hangs on the seed and the document, not on sense:
 * to a definition of that name or of another, to somebody else's, to a local, to two at once, nowhere. The same tree and
 * seed give the same index.
 */
export function indexTree(root: string, seed: number): Uint8Array {
  const texts = textsIn(root);
  const words = new Map([...texts].map(([path, text]) => [path, wordsOf(path, text)]));
  const defined = [...words.values()].flat().filter(({ symbol }) => symbol !== undefined);
  const documents = [...words].flatMap(([path, own]) =>
    documentsOf(path, own, defined, randomFrom(seedOf(path, seed))),
  );
  return scipBytes({
    metadata: { toolInfo: { name: 'oracle', version: '1' }, projectRoot: pathToFileURL(root).href },
    documents,
  });
}

/** Files, through no link, that can be read; byte by byte, so that columns are bytes. */
function textsIn(root: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const name of namesIn(`${root}/${folder}`)) {
      const path = `${folder}${name}`;
      const stats = statsAt(`${root}/${path}`);
      if (stats?.isDirectory() && name !== '.git') walk(`${path}/`);
      const text = stats?.isFile() ? textAt(`${root}/${path}`) : undefined;
      if (text !== undefined) texts.set(path, text);
    }
  };
  walk('');
  return texts;
}

function wordsOf(path: string, text: string): readonly Word[] {
  const counts = new Map<string, number>();
  return text.split('\n').flatMap((source, line) =>
    [...source.matchAll(/(?:\b(function|class|def|func|const|int) +)?([A-Za-z_]\w*)/g)].map(match => {
      const [whole, introduces, name = ''] = match;
      const column = match.index + whole.length - name.length;
      if (introduces === undefined) return { text: name, line, column, symbol: undefined };
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const symbol = `oracle npm tree 1 \`${path}\`/${name}${count === 0 ? '' : count}.`;
      return { text: name, line, column, symbol };
    }),
  );
}

/** None where the indexer left it out, two where it read the file for two projects. */
function documentsOf(path: string, words: readonly Word[], defined: readonly Word[], random: Random) {
  const whether = random();
  if (whether < 0.1) return [];
  const occurrences = words.flatMap(word =>
    symbolsAt(word, defined, random).map(symbol => ({
      range: [word.line, word.column, word.column + word.text.length],
      symbol,
      symbolRoles: symbol === word.symbol ? 1 : [0, 0, 2, 4, 8][Math.floor(random() * 5)]!,
    })),
  );
  const document = { relativePath: path, positionEncoding: 1, occurrences };
  return whether < 0.2 ? [document, { ...document, occurrences: occurrences.slice(1) }] : [document];
}

function symbolsAt({ text, symbol }: Word, defined: readonly Word[], random: Random): readonly string[] {
  if (symbol !== undefined) return [symbol];
  const any = (from: readonly Word[]): readonly string[] => {
    const found = from[Math.floor(random() * from.length)]?.symbol;
    return found === undefined ? [] : [found];
  };
  const external = `oracle npm library 1 ${text}.`;
  const what = random();
  if (what < 0.5) return any(defined.filter(one => one.text === text));
  if (what < 0.6) return any(defined);
  if (what < 0.7) return [external];
  if (what < 0.75) return [...any(defined), external];
  return what < 0.8 ? ['local 1'] : [];
}

function seedOf(path: string, seed: number): number {
  return createHash('sha256').update(`${seed} ${path}`).digest().readUInt32LE();
}
