import type { FileGraph, FileImport, ImportTarget } from '../../../../daemon/model/file-graph.ts';

/**
 * A graph of files in text, one a line: path, language, lines, and behind `>` what it imports: other paths, several by `+`,
 * `npm:react` and `std:fs`, `?./gone` for what nobody knows; `type` in front of one of types alone, `~` of an implicit one,
 * `test` of one that tests alone need, as do all in `test/`.
 * The n-th import stands in line n.
 */
export function fileGraph(text: string): FileGraph {
  const lines = text.split('\n').filter(line => line !== '');
  const told = lines
    .map(line => line.split(' > '))
    .map(([file = '', imports = '']) => ({ file: file.split(' '), imports }));
  const paths = told.map(({ file }) => file[0]!).sort();
  const files = told
    .map(({ file: [path = '', language = '', loc = '0'] }) => ({
      path,
      language,
      loc: Number(loc),
      symbolCount: 1,
      isTest: path.includes('test/'),
      isCode: language !== 'none',
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const imports = told
    .flatMap(({ file, imports }) =>
      imports
        .split(', ')
        .filter(one => one !== '')
        .map((one, at) => importOf(one, at + 1, paths.indexOf(file[0]!), paths)),
    )
    .map(one => ({ ...one, isTest: one.isTest || files[one.from]!.isTest }))
    .sort((a, b) => a.from - b.from || a.line - b.line);
  return { files, imports };
}

function importOf(text: string, line: number, from: number, paths: readonly string[]): FileImport {
  const typeOnly = text.startsWith('type ');
  const implicit = text.startsWith('~');
  const isTest = text.startsWith('test ');
  const named = text.replace(/^type |^test |^~/, '');
  return { from, target: targetOf(named, paths), line, typeOnly, isTest, implicit };
}

function targetOf(text: string, paths: readonly string[]): ImportTarget {
  if (text.startsWith('?')) return { kind: 'unknown', specifier: text.slice(1), isLocal: text[1] === '.' };
  if (text.includes(':')) return { kind: 'external', id: text, isStandard: text.startsWith('std:') };
  return { kind: 'files', files: text.split(' + ').map(path => paths.indexOf(path)) };
}
