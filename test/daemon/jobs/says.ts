import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type PartOf, type ScipIndex, scipBytes } from '../../support/scip.ts';

/**
 * A SCIP index in words, each line of which says something of a word in a file, counted from 0 where it stands there more
 * than once: `a.ts open defines Box#open().`, `b.ts open 1 means Box#open().`, `b.ts open means other/open().`. A path alone
 * is a document of which nothing is said. Symbols are the package's, or with `other/` in front somebody else's.
 */
export function says(texts: (path: string) => string, lines: readonly string[]): PartOf<ScipIndex> {
  const documents = new Map<
    string,
    { readonly range: number[]; readonly symbol: string; readonly symbolRoles: number }[]
  >();
  for (const line of lines) {
    const [path = '', word, ...rest] = line.split(' ');
    const occurrences = documents.get(path) ?? [];
    documents.set(path, occurrences);
    if (word === undefined) continue;
    const nth = /^\d+$/.test(rest[0] ?? '') ? Number(rest.shift()) : 0;
    const [verb, symbol = ''] = rest;
    occurrences.push({
      range: placeOf(texts(path), word, nth),
      symbol: globalSymbol(symbol),
      symbolRoles: verb === 'defines' ? 1 : 0,
    });
  }
  return {
    metadata: { toolInfo: { name: 'scip-test', version: '1' } },
    documents: [...documents].map(([relativePath, occurrences]) => ({
      relativePath,
      positionEncoding: 2,
      occurrences,
    })),
  };
}

/** Writes an index of a work tree into a file. */
export function writeScip(file: string, root: string, index: PartOf<ScipIndex>): void {
  writeFileSync(file, scipBytes({ ...index, metadata: { ...index.metadata, projectRoot: pathToFileURL(root).href } }));
}

function globalSymbol(symbol: string): string {
  if (symbol.startsWith('local ')) return symbol;
  return symbol.startsWith('other/') ? `test npm other 1 ${symbol.slice(6)}` : `test npm app 1 ${symbol}`;
}

function placeOf(text: string, word: string, nth: number): number[] {
  const found = [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))][nth];
  if (found === undefined) throw new Error(`no ${word} ${nth} in ${text}`);
  const before = text.slice(0, found.index).split('\n');
  const column = before.at(-1)!.length;
  return [before.length - 1, column, column + word.length];
}
